/*
 * label_text.c
 *		Labels of any type as texts that are equal when the labels are.
 */
#include "label_text.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "common/shortest_dec.h"
#include "utils/builtins.h"
#include "utils/lsyscache.h"
#include "utils/numeric.h"

void
label_reader_begin(LabelReader *reader, Oid type, MemoryContext context)
{
	Oid			output;
	bool		is_varlena;

	if (!OidIsValid(type))
		elog(ERROR, "could not determine the type of a label");
	reader->type = getBaseType(type);
	getTypeOutputInfo(reader->type, &output, &is_varlena);
	fmgr_info_cxt(output, &reader->output, context);
}

/* The bytes of a text or varchar; for char(n) without trailing blanks. */
static const char *
string_text(Datum label, bool is_padded, int64 *length)
{
	text	   *string = DatumGetTextPP(label);
	const char *bytes = VARDATA_ANY(string);

	*length = VARSIZE_ANY_EXHDR(string);
	while (is_padded && *length > 0 && bytes[*length - 1] == ' ')
		(*length)--;
	return bytes;
}

static const char *
integer_text(int64 value, int64 *length)
{
	char	   *digits = palloc(MAXINT8LEN + 1);

	*length = pg_lltoa(value, digits);
	return digits;
}

static const char *
numeric_text(Numeric value, int64 *length)
{
	char	   *digits = numeric_normalize(value);

	*length = strlen(digits);
	return digits;
}

/*
 * Shortest digits that name the number.  An exponent is written out, so that
 * 1e20 meets the numeric of that value.
 */
static const char *
float_text(char *digits, int64 *length)
{
	Datum		number;

	if (strchr(digits, 'e') == NULL)
	{
		*length = strlen(digits);
		return digits;
	}
	number = DirectFunctionCall3(numeric_in, CStringGetDatum(digits),
								 ObjectIdGetDatum(InvalidOid),
								 Int32GetDatum(-1));
	return numeric_text(DatumGetNumeric(number), length);
}

const char *
label_text(LabelReader *reader, Datum label, int64 *length)
{
	char	   *digits;

	switch (reader->type)
	{
		case TEXTOID:
		case VARCHAROID:
			return string_text(label, false, length);
		case BPCHAROID:
			return string_text(label, true, length);
		case INT2OID:
			return integer_text(DatumGetInt16(label), length);
		case INT4OID:
			return integer_text(DatumGetInt32(label), length);
		case INT8OID:
			return integer_text(DatumGetInt64(label), length);
		case NUMERICOID:
			return numeric_text(DatumGetNumeric(label), length);
		case FLOAT4OID:
			/* + 0 makes a negative zero a zero */
			digits = palloc(FLOAT_SHORTEST_DECIMAL_LEN);
			float_to_shortest_decimal_buf(DatumGetFloat4(label) + 0.0f,
										  digits);
			return float_text(digits, length);
		case FLOAT8OID:
			digits = palloc(DOUBLE_SHORTEST_DECIMAL_LEN);
			double_to_shortest_decimal_buf(DatumGetFloat8(label) + 0.0,
										   digits);
			return float_text(digits, length);
		default:
			/* an untyped literal is here too: "unknown" prints itself */
			digits = OutputFunctionCall(&reader->output, label);
			*length = strlen(digits);
			return digits;
	}
}
