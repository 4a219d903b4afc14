/*
 * block_functions.c
 *		gl_block_graph, and looking into what it makes: gl_blocks, gl_density.
 */
#include "block_functions.h"
#include "options.h"
#include "refine_functions.h"
#include "rows.h"

#include "utils/memutils.h"

#include "graph/block_refine.h"

/* The coarsest partition, which is the default. */
#define COARSEST_BLOCKS_PER_ROW		2

/* Positions of the arguments of gl_block_graph. */
enum
{
	ARG_POINTS, ARG_TREE, ARG_TREES, ARG_BLOCKS_PER_ROW, ARG_LEARN_BANDWIDTH,
	ARG_METRIC, ARG_BANDWIDTH, ARG_SCALE, ARG_SMOOTHING, ARG_KEEP_POINTS,
	ARG_SEED
};

static void
read_options(FunctionCallInfo fcinfo, BlockGraphOptions *options)
{
	block_graph_defaults(options);
	options->tree_kind = option_word(fcinfo, ARG_TREE, "tree", tree_words, 0);
	if (!PG_ARGISNULL(ARG_TREES))
		options->tree_count = PG_GETARG_INT32(ARG_TREES);
	options->learn_bandwidth = option_bool(fcinfo, ARG_LEARN_BANDWIDTH,
										   false);
	options->metric = option_word(fcinfo, ARG_METRIC, "metric",
								  block_metric_words, METRIC_EUCLIDEAN);
	options->has_bandwidth = !PG_ARGISNULL(ARG_BANDWIDTH);
	options->bandwidth = option_float8(fcinfo, ARG_BANDWIDTH, "bandwidth", 0);
	options->scale = option_word(fcinfo, ARG_SCALE, "scale", scale_words,
								 SCALE_NONE);
	options->smoothing = option_float8(fcinfo, ARG_SMOOTHING, "smoothing",
									   options->smoothing);
	options->keep_points = option_bool(fcinfo, ARG_KEEP_POINTS, true);
	options->seed = option_bigint(fcinfo, ARG_SEED, 0);
}

/* A built graph refined; the points it kept for that go if not wanted. */
static void
refine_result(GlHost *host, BlockGraph *coarse, double blocks_per_row,
			  bool keep_points, BlockGraph *out)
{
	BlockRefineOptions options = {
		.blocks_per_row = blocks_per_row,
		.drop_points = !keep_points
	};
	BlockRefineReport report;

	pg_check(host, block_graph_refine(host, coarse, &options, out, &report));
	notice_bandwidth_floor(report.bandwidth_floored);
	graph_release(host, &coarse->graph);
}

static Datum
build_result(Datum points, const BlockGraphOptions *options,
			 double blocks_per_row, bool scale_not_given)
{
	bool		is_refined = blocks_per_row != COARSEST_BLOCKS_PER_ROW;
	BlockGraphOptions build_options = *options;
	BlockGraphReport report;
	BlockGraph	coarse;
	GlHost		host;
	ExpandedValue *expanded = value_begin(&host, VALUE_GRAPH,
										  "graphlearn block graph");
	BlockGraph *block = &expanded->value.block;

	if (blocks_per_row < COARSEST_BLOCKS_PER_ROW)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("blocks_per_row must be at least %d, not %g",
						COARSEST_BLOCKS_PER_ROW, blocks_per_row)));
	expanded->value.storage = STORAGE_BLOCK;
	build_options.keep_points = options->keep_points || is_refined;
	pg_check(&host,
			 block_graph_build(&host, points_argument(&host, points),
							   &build_options, is_refined ? &coarse : block,
							   &report));
	notice_column_spread(report.column_spread, scale_not_given);
	if (is_refined)
		refine_result(&host, &coarse, blocks_per_row, options->keep_points,
					  block);
	else
		notice_bandwidth_floor(report.bandwidth_floored);
	return value_result(expanded);
}

PG_FUNCTION_INFO_V1(graphlearn_block_graph);
Datum
graphlearn_block_graph(PG_FUNCTION_ARGS)
{
	BlockGraphOptions options;
	double		blocks_per_row;

	if (PG_ARGISNULL(ARG_POINTS))
		PG_RETURN_NULL();
	read_options(fcinfo, &options);
	blocks_per_row = option_float8(fcinfo, ARG_BLOCKS_PER_ROW,
								   "blocks_per_row",
								   COARSEST_BLOCKS_PER_ROW);
	return build_result(PG_GETARG_DATUM(ARG_POINTS), &options,
						blocks_per_row, PG_ARGISNULL(ARG_SCALE));
}

const BlockGraph *
block_argument(GlHost *host, Datum datum, const char *function)
{
	const GlValue *value = value_argument(host, VALUE_GRAPH, datum);

	if (value->storage != STORAGE_BLOCK)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s needs a block graph", function),
				 errhint("Build the graph with gl_block_graph().")));
	return &value->block;
}

/* Leaves below a node, and the row of the first of them. */
static void
describe_node(const BlockTree *tree, int32_t node, int32_t *size,
			  int32_t *row)
{
	int32_t		inner_count = (int32_t) tree->tree.leaf_count - 1;
	int32_t		first = node < inner_count ? tree->links.first[node] :
		node - inner_count;

	*size = node < inner_count ? tree->links.size[node] : 1;
	*row = tree->tree.leaf_row[first];
}

PG_FUNCTION_INFO_V1(graphlearn_blocks);
Datum
graphlearn_blocks(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn blocks");
	const BlockGraph *block = block_argument(&host, PG_GETARG_DATUM(0),
											 "gl_blocks");
	ResultRows	rows;

	rows_begin(fcinfo, &rows);
	for (int32 t = 0; t < block->recipe.tree_count; t++)
	{
		const BlockTree *tree = &block->trees[t];

		for (int64 e = 0; e < tree->pair_count; e++)
		{
			int32_t		size_a;
			int32_t		size_b;
			int32_t		first_a;
			int32_t		first_b;

			describe_node(tree, block_tree_a(tree)[e], &size_a, &first_a);
			describe_node(tree, block_tree_b(tree)[e], &size_b, &first_b);
			rows.values[0] = Int32GetDatum(t + 1);
			rows.values[1] = Int64GetDatum(block->graph.ids[first_a]);
			rows.values[2] = Int32GetDatum(size_a);
			rows.values[3] = Int32GetDatum(size_b);
			rows.values[4] = Float8GetDatum(tree->q_ab[e]);
			rows.values[5] = Float8GetDatum(tree->q_ba[e]);
			rows_put(&rows);
		}
	}
	rows_end(&rows);
	MemoryContextDelete(arena);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(graphlearn_density);
Datum
graphlearn_density(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn density");
	const BlockGraph *block = block_argument(&host, PG_GETARG_DATUM(0),
											 "gl_density");
	ResultRows	rows;

	rows_begin(fcinfo, &rows);
	for (int64 i = 0; i < block->graph.node_count; i++)
	{
		rows.values[0] = Int64GetDatum(block->graph.ids[i]);
		rows.values[1] = Float8GetDatum(block->log_density[i]);
		rows.nulls[1] = block->graph.node_count == 1;
		rows_put(&rows);
	}
	rows_end(&rows);
	MemoryContextDelete(arena);
	return (Datum) 0;
}
