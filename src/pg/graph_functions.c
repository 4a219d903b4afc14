/*
 * graph_functions.c
 *		gl_knn_graph and its siblings: from points to a graph.
 */
#include "value.h"
#include "graph_options.h"
#include "options.h"

#include "utils/builtins.h"

#include "graph/affinity.h"
#include "graph/default_graph.h"

static Datum
build_graph(FunctionCallInfo fcinfo, GraphKind kind, const char *name,
			const BuilderArguments *at)
{
	PointGraphOptions options;
	PointGraphReport report;
	GlHost		host;
	ExpandedValue *expanded;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	builder_options_argument(fcinfo, at, &options);
	options.kind = kind;
	expanded = value_begin(&host, VALUE_GRAPH, name);
	pg_check(&host,
			 point_graph_build(&host,
							   points_argument(&host, PG_GETARG_DATUM(0)),
							   &options, &expanded->value.sparse, &report));
	notice_column_spread(report.column_spread, PG_ARGISNULL(at->scale));
	return value_result(expanded);
}

PG_FUNCTION_INFO_V1(graphlearn_knn_graph);
Datum
graphlearn_knn_graph(PG_FUNCTION_ARGS)
{
	static const BuilderArguments at = {
		.k = 1, .radius = -1, .metric = 2, .weights = 3, .symmetry = 4,
		.bandwidth = 5, .scale = 6, .keep_points = 7, .seed = 8
	};

	return build_graph(fcinfo, GRAPH_KNN, "graphlearn knn graph", &at);
}

PG_FUNCTION_INFO_V1(graphlearn_radius_graph);
Datum
graphlearn_radius_graph(PG_FUNCTION_ARGS)
{
	static const BuilderArguments at = {
		.k = -1, .radius = 1, .metric = 2, .weights = 3, .symmetry = -1,
		.bandwidth = 4, .scale = 5, .keep_points = 6, .seed = 7
	};

	return build_graph(fcinfo, GRAPH_RADIUS, "graphlearn radius graph", &at);
}

/* gl_tree_graph and gl_full_graph take the same options. */
static const BuilderArguments pair_arguments = {
	.k = -1, .radius = -1, .metric = 1, .weights = 2, .symmetry = -1,
	.bandwidth = 3, .scale = 4, .keep_points = 5, .seed = 6
};

PG_FUNCTION_INFO_V1(graphlearn_tree_graph);
Datum
graphlearn_tree_graph(PG_FUNCTION_ARGS)
{
	return build_graph(fcinfo, GRAPH_TREE, "graphlearn tree graph",
					   &pair_arguments);
}

PG_FUNCTION_INFO_V1(graphlearn_full_graph);
Datum
graphlearn_full_graph(PG_FUNCTION_ARGS)
{
	return build_graph(fcinfo, GRAPH_FULL, "graphlearn full graph",
					   &pair_arguments);
}

PG_FUNCTION_INFO_V1(graphlearn_graph);
Datum
graphlearn_graph(PG_FUNCTION_ARGS)
{
	static const BuilderArguments at = {
		.k = -1, .radius = -1, .metric = 1, .weights = -1, .symmetry = -1,
		.bandwidth = -1, .scale = 2, .keep_points = 3, .seed = 4
	};
	PointGraphOptions options;
	GlHost		host;
	ExpandedValue *expanded;
	GlValue    *value;
	Graph	   *graph;
	double		column_spread;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	builder_options_argument(fcinfo, &at, &options);
	expanded = value_begin(&host, VALUE_GRAPH, "graphlearn graph");
	value = &expanded->value;
	pg_check(&host,
			 default_graph_build(&host,
								 points_argument(&host, PG_GETARG_DATUM(0)),
								 &options, CHOICE_BY_SIZE,
								 &value->sparse, &value->block, &graph,
								 &column_spread));
	value->storage = graph == &value->block.graph ?
		STORAGE_BLOCK : STORAGE_SPARSE;
	notice_column_spread(column_spread, PG_ARGISNULL(at.scale));
	return value_result(expanded);
}

PG_FUNCTION_INFO_V1(graphlearn_affinity);
Datum
graphlearn_affinity(PG_FUNCTION_ARGS)
{
	GlHost		host;
	ExpandedValue *expanded;
	double		bandwidth;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	bandwidth = option_float8(fcinfo, 1, "bandwidth", 0);
	expanded = value_begin(&host, VALUE_GRAPH, "graphlearn affinity");
	pg_check(&host,
			 affinity_build(&host,
							&value_argument(&host, VALUE_GRAPH,
											PG_GETARG_DATUM(0))->sparse,
							PG_ARGISNULL(1) ? NULL : &bandwidth,
							&expanded->value.sparse));
	return value_result(expanded);
}
