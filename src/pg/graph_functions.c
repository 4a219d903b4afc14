/*
 * graph_functions.c
 *		gl_knn_graph and its siblings: from points to a graph.
 */
#include "value.h"
#include "block_functions.h"
#include "options.h"

#include "utils/builtins.h"

#include "graph/affinity.h"
#include "graph/point_graph.h"

/* Where a builder finds its options; -1: it does not take that one. */
typedef struct BuilderArguments
{
	int			k;
	int			radius;
	int			metric;
	int			weights;
	int			symmetry;
	int			bandwidth;
	int			scale;
	int			keep_points;
	int			seed;
} BuilderArguments;

static void
read_options(FunctionCallInfo fcinfo, const BuilderArguments *at,
			 PointGraphOptions *options)
{
	options->metric = option_word(fcinfo, at->metric, "metric", metric_words,
								  METRIC_EUCLIDEAN);
	options->scale = option_word(fcinfo, at->scale, "scale", scale_words,
								 SCALE_NONE);
	options->keep_points = option_bool(fcinfo, at->keep_points, true);
	options->seed = option_bigint(fcinfo, at->seed, 0);
	if (at->weights >= 0)
		options->weights = option_word(fcinfo, at->weights, "weights",
									   weights_words, WEIGHTS_ADAPTIVE);
	if (at->symmetry >= 0)
		options->symmetry = option_word(fcinfo, at->symmetry, "symmetry",
										symmetry_words, SYMMETRY_SUM);
	if (at->k >= 0 && !PG_ARGISNULL(at->k))
	{
		options->k = PG_GETARG_INT32(at->k);
		options->lower_k = false;
	}
	if (at->bandwidth >= 0 && !PG_ARGISNULL(at->bandwidth))
	{
		options->bandwidth = option_float8(fcinfo, at->bandwidth,
										   "bandwidth", 0);
		options->has_bandwidth = true;
	}
	if (at->radius >= 0)
	{
		if (PG_ARGISNULL(at->radius))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("radius must not be NULL")));
		options->radius = option_float8(fcinfo, at->radius, "radius", 0);
	}
}

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
	point_graph_defaults(&options);
	options.kind = kind;
	read_options(fcinfo, at, &options);
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

/*
 * The recommended default: G10 where an exact search is affordable, else a
 * forest of eight block walks.  A function of n and d only, so that nothing
 * but the data decides.
 */
#define SEARCH_DIMENSIONS	15
#define SEARCH_WORK			1e13
#define FOREST_TREES		8

PG_FUNCTION_INFO_V1(graphlearn_graph);
Datum
graphlearn_graph(PG_FUNCTION_ARGS)
{
	static const BuilderArguments at = {
		.k = -1, .radius = -1, .metric = 1, .weights = -1, .symmetry = -1,
		.bandwidth = -1, .scale = 2, .keep_points = 3, .seed = 4
	};
	GlHost		host;
	const PointMatrix *matrix;
	double		n;
	BlockGraphOptions options;

	if (PG_ARGISNULL(0))
		PG_RETURN_NULL();
	pg_host_on(&host, CurrentMemoryContext);
	matrix = &points_argument(&host, PG_GETARG_DATUM(0))->matrix;
	n = (double) matrix->row_count;
	if (matrix->dimension_count <= SEARCH_DIMENSIONS ||
		n * n * matrix->dimension_count <= SEARCH_WORK)
		return build_graph(fcinfo, GRAPH_KNN, "graphlearn graph", &at);
	block_graph_defaults(&options);
	options.tree_count = FOREST_TREES;
	options.metric = option_word(fcinfo, at.metric, "metric", metric_words,
								 METRIC_EUCLIDEAN);
	options.scale = option_word(fcinfo, at.scale, "scale", scale_words,
								SCALE_NONE);
	options.keep_points = option_bool(fcinfo, at.keep_points, true);
	options.seed = option_bigint(fcinfo, at.seed, 0);
	return block_graph_result(PG_GETARG_DATUM(0), &options,
							  PG_ARGISNULL(at.scale));
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
