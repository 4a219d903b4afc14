/*
 * feature_arrays.c
 *		Read arrays of numbers into the forms the core takes.
 */
#include "feature_arrays.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/numeric.h"

/* How messages call a row. */
static const char *
row_name(const GlHost *host, const int64 *id)
{
	return id == NULL ? "the new row" : pstrdup(gl_row_name(host, *id).text);
}

/* The 1-based position of the first NULL in an array that has one. */
static int
first_null(ArrayType *array)
{
	const bits8 *bitmap = ARR_NULLBITMAP(array);
	int			position = 0;

	while (bitmap[position / 8] & (1 << (position % 8)))
		position++;
	return position + 1;
}

/*
 * A numeric as double.  One too large for that is told apart from infinity,
 * which the core refuses in its own words.
 */
static double
load_numeric(const GlHost *host, Numeric number, int position,
			 const int64 *id)
{
	double		value = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
														   NumericGetDatum(number)));

	if (isinf(value) && !numeric_is_inf(number))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("feature %d of %s is too large for double precision",
						position, row_name(host, id))));
	return value;
}

void
feature_array_load(const GlHost *host, ArrayType *array, int count,
				   const int64 *id, void *slot)
{
	const void *data = ARR_DATA_PTR(array);
	double	   *values = slot;

	switch (ARR_ELEMTYPE(array))
	{
		case FLOAT8OID:
			memcpy(values, data, (Size) count * sizeof(float8));
			break;
		case FLOAT4OID:
			memcpy(slot, data, (Size) count * sizeof(float4));
			break;
		case INT2OID:
			for (int i = 0; i < count; i++)
				values[i] = ((const int16 *) data)[i];
			break;
		case INT4OID:
			for (int i = 0; i < count; i++)
				values[i] = ((const int32 *) data)[i];
			break;
		case INT8OID:
			for (int i = 0; i < count; i++)
				values[i] = (double) ((const int64 *) data)[i];
			break;
		case NUMERICOID:
			{
				const char *element = data;

				for (int i = 0; i < count; i++)
				{
					values[i] = load_numeric(host, (Numeric) element, i + 1,
											 id);
					element = att_addlength_pointer(element, -1, element);
					element = (const char *) att_align_nominal(element, TYPALIGN_INT);
				}
				break;
			}
		default:
			elog(ERROR, "unsupported element type %u of features",
				 ARR_ELEMTYPE(array));
	}
}

void
feature_array_load_float8(const GlHost *host, ArrayType *array, int count,
						  const int64 *id, double *values)
{
	const float4 *data = (const float4 *) ARR_DATA_PTR(array);

	if (ARR_ELEMTYPE(array) != FLOAT4OID)
	{
		feature_array_load(host, array, count, id, values);
		return;
	}
	for (int i = 0; i < count; i++)
		values[i] = data[i];
}

int
feature_array_count(const GlHost *host, ArrayType *array, const int64 *id)
{
	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("the features of %s have %d dimensions",
						row_name(host, id), ARR_NDIM(array)),
				 errhint("Features must be a one-dimensional array of numbers.")));
	if (ARR_HASNULL(array) && array_contains_nulls(array))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("feature %d of %s is NULL", first_null(array),
						row_name(host, id)),
				 id == NULL ? errhint("Replace missing values.") :
				 errhint("Replace missing values, or leave the row out: a row whose features are NULL is skipped.")));
	return ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
}
