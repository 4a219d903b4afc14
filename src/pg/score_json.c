/*
 * score_json.c
 *		Build the jsonb object of class scores.
 */
#include "score_json.h"

#include "common/shortest_dec.h"
#include "utils/builtins.h"
#include "utils/jsonb.h"
#include "utils/numeric.h"

/*
 * The shortest digits that name the number, whatever extra_float_digits says;
 * the server's own cast keeps 15.
 */
static Numeric
score_numeric(double score)
{
	char		digits[DOUBLE_SHORTEST_DECIMAL_LEN];

	double_to_shortest_decimal_buf(score, digits);
	return DatumGetNumeric(DirectFunctionCall3(numeric_in,
											   CStringGetDatum(digits),
											   ObjectIdGetDatum(InvalidOid),
											   Int32GetDatum(-1)));
}

Datum
score_json(const ScoreKey *keys, const double *scores, int32 count)
{
	JsonbParseState *state = NULL;
	JsonbValue *object;

	pushJsonbValue(&state, WJB_BEGIN_OBJECT, NULL);
	for (int32 c = 0; c < count; c++)
	{
		JsonbValue	key = {.type = jbvString};
		JsonbValue	value = {.type = jbvNumeric};

		key.val.string.val = unconstify(char *, keys[c].text);
		key.val.string.len = keys[c].length;
		value.val.numeric = score_numeric(scores[c]);
		pushJsonbValue(&state, WJB_KEY, &key);
		pushJsonbValue(&state, WJB_VALUE, &value);
	}
	object = pushJsonbValue(&state, WJB_END_OBJECT, NULL);
	return JsonbPGetDatum(JsonbValueToJsonb(object));
}
