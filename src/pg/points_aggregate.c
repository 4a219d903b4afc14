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
#include "feature_arrays.h"

#include "catalog/pg_type.h"
#include "utils/memutils.h"

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
	count = feature_array_count(&state->host, array, &id);
	pg_check(&state->host,
			 point_collector_reserve(&state->host, &state->collector,
									 ARR_ELEMTYPE(array) == FLOAT4OID ?
									 SCALAR_FLOAT4 : SCALAR_FLOAT8,
									 id, count, &slot));
	feature_array_load(&state->host, array, count, &id, slot);
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
