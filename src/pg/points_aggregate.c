/*
 * points_aggregate.c
 *		gl_points(id, features): rows of a table become a set of points.
 *
 * The state is the data: a PointCollector in a memory context of its own,
 * which the final function turns into the expanded result without a copy.
 * There is no combine function (docs/architecture.md says why), and nothing
 * here depends on fn_extra or on the call's expression tree.
 */
#include "value.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/array.h"
#include "utils/builtins.h"
#include "utils/memutils.h"
#include "utils/numeric.h"

typedef struct PointsState
{
	GlHost		host;
	MemoryContext context;
	PointCollector collector;
} PointsState;

static PointsState *
state_begin(MemoryContext aggregate_context)
{
	MemoryContext context = AllocSetContextCreate(aggregate_context,
												  "graphlearn points",
												  ALLOCSET_START_SMALL_SIZES);
	PointsState *state = MemoryContextAllocZero(context, sizeof(PointsState));

	pg_host_on(&state->host, context);
	state->context = context;
	return state;
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
load_numeric(Numeric number, int position, int64 id)
{
	double		value = DatumGetFloat8(DirectFunctionCall1(numeric_float8_no_overflow,
														   NumericGetDatum(number)));

	if (isinf(value) && !numeric_is_inf(number))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("feature %d of the row with id " INT64_FORMAT " is too large for double precision",
						position, id)));
	return value;
}

/* Copy the numbers of an array to where the core wants them. */
static void
load_features(ArrayType *array, int count, int64 id, void *slot)
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
					values[i] = load_numeric((Numeric) element, i + 1, id);
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

/* Features are a one-dimensional array without NULLs. */
static void
check_features(ArrayType *array, int64 id)
{
	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("the features of the row with id " INT64_FORMAT " have %d dimensions",
						id, ARR_NDIM(array)),
				 errhint("Features must be a one-dimensional array of numbers.")));
	if (ARR_HASNULL(array) && array_contains_nulls(array))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_EXCEPTION),
				 errmsg("feature %d of the row with id " INT64_FORMAT " is NULL",
						first_null(array), id),
				 errhint("Replace missing values, or leave the row out: a row whose features are NULL is skipped.")));
}

PG_FUNCTION_INFO_V1(graphlearn_points_transfn);
Datum
graphlearn_points_transfn(PG_FUNCTION_ARGS)
{
	MemoryContext aggregate_context;
	PointsState *state;
	ArrayType  *array;
	int64		id;
	int			count;
	void	   *slot;

	if (!AggCheckCallContext(fcinfo, &aggregate_context))
		elog(ERROR, "gl_points was called outside an aggregate");
	state = PG_ARGISNULL(0) ? NULL : (PointsState *) PG_GETARG_POINTER(0);
	if (PG_ARGISNULL(1))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("the id of a row is NULL"),
				 errhint("Filter such rows out: gl_points(id, features) FILTER (WHERE id IS NOT NULL).")));
	if (PG_ARGISNULL(2))
	{
		/* skipped; a state without rows must still be possible */
		if (state == NULL)
			PG_RETURN_NULL();
		PG_RETURN_POINTER(state);
	}
	if (state == NULL)
		state = state_begin(aggregate_context);
	id = PG_GETARG_INT64(1);
	array = PG_GETARG_ARRAYTYPE_P(2);
	check_features(array, id);
	count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	pg_check(&state->host,
			 point_collector_reserve(&state->host, &state->collector,
									 ARR_ELEMTYPE(array) == FLOAT4OID ?
									 SCALAR_FLOAT4 : SCALAR_FLOAT8,
									 id, count, &slot));
	load_features(array, count, id, slot);
	pg_check(&state->host,
			 point_collector_commit(&state->host, &state->collector, id));
	PG_RETURN_POINTER(state);
}

PG_FUNCTION_INFO_V1(graphlearn_points_finalfn);
Datum
graphlearn_points_finalfn(PG_FUNCTION_ARGS)
{
	PointsState *state;
	ExpandedValue *expanded;

	if (!AggCheckCallContext(fcinfo, NULL))
		elog(ERROR, "gl_points was called outside an aggregate");
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (PointsState *) PG_GETARG_POINTER(0);
	expanded = value_adopt(state->context, VALUE_POINTS);
	pg_check(&state->host,
			 point_collector_finish(&state->host, &state->collector,
									&expanded->value.points));
	MemoryContextSetParent(state->context, CurrentMemoryContext);
	return value_final_result(expanded);
}
