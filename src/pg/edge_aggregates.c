/*
 * edge_aggregates.c
 *		gl_edge_graph, gl_arc_graph, gl_distance_graph: edge rows become a graph.
 *
 * As with gl_points the state is the data, in a context of its own that
 * becomes the result's.
 */
#include "value.h"

#include "utils/memutils.h"

#include "graph/edge_table.h"

typedef struct EdgesState
{
	GlHost		host;
	MemoryContext context;
	EdgeTable	table;
} EdgesState;

static EdgesState *
state_begin(MemoryContext aggregate_context)
{
	MemoryContext context = AllocSetContextCreate(aggregate_context,
												  "graphlearn edges",
												  ALLOCSET_START_SMALL_SIZES);
	EdgesState *state = MemoryContextAllocZero(context, sizeof(EdgesState));

	pg_host_on(&state->host, context);
	state->context = context;
	return state;
}

/* Both ends are needed; the arguments have other names for distances. */
static void
fail_null_end(GraphKind kind, bool first)
{
	bool		distances = kind == GRAPH_DISTANCES;
	const char *from = distances ? "a" : "source";
	const char *to = distances ? "b" : "target";

	ereport(ERROR,
			(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
			 distances ? errmsg("id %s of a distance is NULL", first ? from : to) :
			 errmsg("the %s of an edge is NULL", first ? from : to),
			 errhint("Filter such rows out, for example with FILTER (WHERE %s IS NOT NULL AND %s IS NOT NULL).",
					 from, to)));
}

/*
 * Arguments: state, source, target [, number [, importance]].  Without a
 * number an edge weighs 1.
 */
static Datum
edges_transition(FunctionCallInfo fcinfo, GraphKind kind)
{
	MemoryContext aggregate_context;
	EdgesState *state;
	bool		joined = true;
	double		number = 1;
	double		importance = 1;

	if (!AggCheckCallContext(fcinfo, &aggregate_context))
		elog(ERROR, "an aggregate's transition function was called outside it");
	if (PG_ARGISNULL(1) || PG_ARGISNULL(2))
		fail_null_end(kind, PG_ARGISNULL(1));
	state = PG_ARGISNULL(0) ? state_begin(aggregate_context) :
		(EdgesState *) PG_GETARG_POINTER(0);
	for (int argument = 3; argument < PG_NARGS(); argument++)
		joined = joined && !PG_ARGISNULL(argument);
	if (joined && PG_NARGS() > 3)
		number = PG_GETARG_FLOAT8(3);
	if (joined && PG_NARGS() > 4)
		importance = PG_GETARG_FLOAT8(4);
	pg_check(&state->host,
			 edge_table_add(&state->host, &state->table, kind,
							PG_GETARG_INT64(1), PG_GETARG_INT64(2), joined,
							number, PG_NARGS() > 4, importance));
	PG_RETURN_POINTER(state);
}

static Datum
edges_final(FunctionCallInfo fcinfo, GraphKind kind)
{
	EdgesState *state;
	ExpandedValue *expanded;

	if (!AggCheckCallContext(fcinfo, NULL))
		elog(ERROR, "an aggregate's final function was called outside it");
	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	state = (EdgesState *) PG_GETARG_POINTER(0);
	expanded = value_adopt(state->context, VALUE_GRAPH);
	pg_check(&state->host,
			 edge_table_build(&state->host, &state->table, kind,
							  &expanded->value.sparse));
	MemoryContextSetParent(state->context, CurrentMemoryContext);
	return value_final_result(expanded);
}

#define DEFINE_EDGE_AGGREGATE(name, kind) \
PG_FUNCTION_INFO_V1(graphlearn_##name##_transfn); \
Datum \
graphlearn_##name##_transfn(PG_FUNCTION_ARGS) \
{ \
	return edges_transition(fcinfo, kind); \
} \
\
PG_FUNCTION_INFO_V1(graphlearn_##name##_finalfn); \
Datum \
graphlearn_##name##_finalfn(PG_FUNCTION_ARGS) \
{ \
	return edges_final(fcinfo, kind); \
}

DEFINE_EDGE_AGGREGATE(edge_graph, GRAPH_EDGES)
DEFINE_EDGE_AGGREGATE(arc_graph, GRAPH_ARCS)
DEFINE_EDGE_AGGREGATE(distance_graph, GRAPH_DISTANCES)
