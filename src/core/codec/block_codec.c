/*
 * block_codec.c
 *		The bytes of a BlockGraph: trees and blocks, one tree behind the other.
 *
 * Sections, with T trees, n rows and m pairs in all: ids (n x 8), left sizes
 * (T (n-1) x 4), leaf rows (T n x 4), pairs per tree (T x 8), first and second
 * nodes of the pairs (m x 4 each, absent if every tree is at its coarsest),
 * log probabilities both ways (m x 8 each), bandwidths and log-likelihoods
 * (T x 8 each), log densities (n x 8), node statistics (none yet), values of
 * the kept points (n d x 4 or 8), column scale (d x 8).
 *
 * One coarse tree without points takes 40 bytes a row.
 */
#include <math.h>

#include "codec/value_layout.h"
#include "graph/block_build.h"

#define FLAG_POINTS			((uint32_t) 1)
#define FLAG_COLUMN_SCALE	((uint32_t) 2)
#define FLAG_PAIRS			((uint32_t) 4)
#define FLAG_LEARNT			((uint32_t) 8)

enum
{
	NODE_COUNT,					/* n */
	PAIR_COUNT,					/* m */
	TREE_COUNT,					/* T */
	METRIC,
	SCALE,
	TREE_KIND,
	SCALAR,						/* of kept points, else 0 */
	DIMENSION_COUNT,			/* d of kept points, else 0 */
	RESERVED,
	SMOOTHING,
	BANDWIDTH,
	SEED,
	STATISTICS_BYTES,
	FIELD_COUNT
};

_Static_assert(FIELD_COUNT <= VALUE_MAX_FIELDS, "raise VALUE_MAX_FIELDS");

static const ValueField graph_block_fields[FIELD_COUNT] = {
	[NODE_COUNT] = {"the number of nodes", 8, 1, POINT_SET_MAX_POINTS},
	[PAIR_COUNT] = {"the number of pairs", 8, 0, INT64_MAX},
	[TREE_COUNT] = {"the number of trees", 4, 1, BLOCK_GRAPH_MAX_TREES},
	[METRIC] = {"the metric", 1, METRIC_EUCLIDEAN, METRIC_MAHALANOBIS},
	[SCALE] = {"the scale", 1, SCALE_NONE, SCALE_STANDARD},
	[TREE_KIND] = {"the kind of tree", 1, TREE_BISECT, TREE_ANCHOR},
	[SCALAR] = {"the type of numbers", 1, 0, SCALAR_FLOAT8},
	[DIMENSION_COUNT] = {"the number of dimensions", 4, 0,
	POINT_SET_MAX_DIMENSIONS},
	[RESERVED] = {"the reserved number", 4, 0, 0},
	[SMOOTHING] = {"the smoothing", 8, 0, UINT64_MAX},
	[BANDWIDTH] = {"the bandwidth", 8, 0, UINT64_MAX},
	[SEED] = {"the seed", 8, 0, UINT64_MAX},
	[STATISTICS_BYTES] = {"the size of node statistics", 8, 0, 0}
};

enum
{
	IDS,
	LEFT_SIZE,
	LEAF_ROW,
	PAIRS_PER_TREE,
	PAIR_A,
	PAIR_B,
	LOG_Q_AB,
	LOG_Q_BA,
	TREE_BANDWIDTH,
	LOG_LIKELIHOOD,
	LOG_DENSITY,
	STATISTICS,
	VALUES,
	COLUMN_SCALE,
	SECTION_COUNT
};

_Static_assert(SECTION_COUNT <= VALUE_MAX_SECTIONS,
			   "raise VALUE_MAX_SECTIONS");

static bool
graph_block_describe(const GlValue *value, ValueLayout *layout)
{
	const BlockGraph *block = &value->block;
	const Graph *graph = &block->graph;
	uint64_t   *field = layout->field;
	ValueSection *section = layout->section;

	layout->flags = (graph->points != NULL ? FLAG_POINTS : 0) |
		(graph->column_scale != NULL ? FLAG_COLUMN_SCALE : 0) |
		(block->pair_a != NULL ? FLAG_PAIRS : 0) |
		(block->recipe.learn_bandwidth ? FLAG_LEARNT : 0);
	field[NODE_COUNT] = (uint64_t) graph->node_count;
	field[PAIR_COUNT] = (uint64_t) block->pair_total;
	field[TREE_COUNT] = (uint64_t) (int64_t) block->recipe.tree_count;
	field[METRIC] = (uint64_t) graph->recipe.metric;
	field[SCALE] = (uint64_t) graph->recipe.scale;
	field[TREE_KIND] = (uint64_t) block->recipe.tree_kind;
	field[SMOOTHING] = value_double_bits(block->recipe.smoothing);
	field[BANDWIDTH] = value_double_bits(graph->recipe.bandwidth);
	field[SEED] = (uint64_t) graph->recipe.seed;
	section[IDS].data = graph->ids;
	section[LEFT_SIZE].data = block->left_size;
	section[LEAF_ROW].data = block->leaf_row;
	section[PAIRS_PER_TREE].data = block->pair_count;
	section[PAIR_A].data = block->pair_a;
	section[PAIR_B].data = block->pair_b;
	section[LOG_Q_AB].data = block->log_q_ab;
	section[LOG_Q_BA].data = block->log_q_ba;
	section[TREE_BANDWIDTH].data = block->bandwidth;
	section[LOG_LIKELIHOOD].data = block->log_likelihood;
	section[LOG_DENSITY].data = block->log_density;
	section[COLUMN_SCALE].data = graph->column_scale;
	if (graph->points == NULL)
		return true;
	field[SCALAR] = (uint64_t) graph->points->matrix.scalar;
	field[DIMENSION_COUNT] =
		(uint64_t) (int64_t) graph->points->matrix.dimension_count;
	section[VALUES].data = graph->points->matrix.values;
	return graph->points->matrix.row_count == graph->node_count;
}

static bool
graph_block_list_sections(ValueLayout *layout, const char **fault)
{
	const uint64_t *field = layout->field;
	ValueSection *section = layout->section;
	uint64_t	n = field[NODE_COUNT];
	uint64_t	m = field[PAIR_COUNT];
	uint64_t	trees = field[TREE_COUNT];
	uint64_t	d = field[DIMENSION_COUNT];
	bool		points = (layout->flags & FLAG_POINTS) != 0;
	bool		pairs = (layout->flags & FLAG_PAIRS) != 0;
	bool		column_scale = (layout->flags & FLAG_COLUMN_SCALE) != 0;

	*fault = NULL;
	if ((d != 0) != points || (field[SCALAR] != 0) != points)
		*fault = "its points are said to be kept and not to be kept";
	else if (column_scale && !points)
		*fault = "it has a scale for columns but no columns";
	else if (!value_is_extent(field[SMOOTHING]) ||
			 !value_is_extent(field[BANDWIDTH]))
		*fault = "the smoothing or the bandwidth is not a finite number >= 0";
	else if (!pairs && m != trees * (n - 1))
		*fault = "coarsest trees have another number of pairs";
	if (*fault != NULL)
		return false;

	/* n <= 2^31, T <= 2^10 and d <= 10^6 are checked: the products fit */
	value_list_section(&section[IDS], true, 8, n);
	value_list_section(&section[LEFT_SIZE], true, 4, trees * (n - 1));
	value_list_section(&section[LEAF_ROW], true, 4, trees * n);
	value_list_section(&section[PAIRS_PER_TREE], true, 8, trees);
	value_list_section(&section[PAIR_A], pairs, 4, m);
	value_list_section(&section[PAIR_B], pairs, 4, m);
	value_list_section(&section[LOG_Q_AB], true, 8, m);
	value_list_section(&section[LOG_Q_BA], true, 8, m);
	value_list_section(&section[TREE_BANDWIDTH], true, 8, trees);
	value_list_section(&section[LOG_LIKELIHOOD], true, 8, trees);
	value_list_section(&section[LOG_DENSITY], true, 8, n);
	value_list_section(&section[STATISTICS], false, 8, 0);
	value_list_section(&section[VALUES], points,
					   field[SCALAR] == SCALAR_FLOAT4 ? 4 : 8, n * d);
	value_list_section(&section[COLUMN_SCALE], column_scale, 8, d);
	return true;
}

static void
graph_block_attach(const ValueLayout *layout, GlValue *value)
{
	const uint64_t *field = layout->field;
	const ValueSection *section = layout->section;
	BlockGraph *block = &value->block;
	Graph	   *graph = &block->graph;

	value->storage = STORAGE_BLOCK;
	graph->node_count = (int64_t) field[NODE_COUNT];
	graph->ids = section[IDS].data;
	graph->recipe.kind = GRAPH_BLOCKS;
	graph->recipe.metric = (GraphMetric) field[METRIC];
	graph->recipe.weights = WEIGHTS_GAUSSIAN;
	graph->recipe.scale = (GraphScale) field[SCALE];
	graph->recipe.bandwidth = value_bits_double(field[BANDWIDTH]);
	graph->recipe.seed = (int64_t) field[SEED];
	graph->column_scale = section[COLUMN_SCALE].data;
	block->recipe.tree_kind = (TreeKind) field[TREE_KIND];
	block->recipe.tree_count = (int32_t) field[TREE_COUNT];
	block->recipe.learn_bandwidth = (layout->flags & FLAG_LEARNT) != 0;
	block->recipe.smoothing = value_bits_double(field[SMOOTHING]);
	block->pair_total = (int64_t) field[PAIR_COUNT];
	block->left_size = section[LEFT_SIZE].data;
	block->leaf_row = section[LEAF_ROW].data;
	block->pair_count = section[PAIRS_PER_TREE].data;
	block->pair_a = section[PAIR_A].data;
	block->pair_b = section[PAIR_B].data;
	block->log_q_ab = section[LOG_Q_AB].data;
	block->log_q_ba = section[LOG_Q_BA].data;
	block->bandwidth = section[TREE_BANDWIDTH].data;
	block->log_likelihood = section[LOG_LIKELIHOOD].data;
	block->log_density = section[LOG_DENSITY].data;
	if (section[VALUES].present)
	{
		PointMatrix *matrix = &value->graph_points.matrix;

		matrix->row_count = graph->node_count;
		matrix->dimension_count = (int32_t) field[DIMENSION_COUNT];
		matrix->scalar = (ScalarType) field[SCALAR];
		matrix->values = section[VALUES].data;
		value->graph_points.ids = graph->ids;
		graph->points = &value->graph_points;
	}
}

/* The pairs of each tree add up to m, and a coarsest tree has n - 1. */
static GlStatus
check_pair_counts(GlHost *host, const BlockGraph *block)
{
	int64_t		left = block->pair_total;

	for (int32_t t = 0; t < block->recipe.tree_count; t++)
	{
		int64_t		count = block->pair_count[t];

		if (count < 0 || count > left ||
			(block->pair_a == NULL && count != block->graph.node_count - 1))
			return gl_fail(host, GL_ERR_CORRUPT,
						   "invalid gl_graph value: pairs of the trees do not add up");
		left -= count;
	}
	if (left != 0)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "invalid gl_graph value: pairs of the trees do not add up");
	return GL_OK;
}

/* Every item is in 0 .. limit - 1. */
static GlStatus
check_range(GlHost *host, const int32_t *item, int64_t count, int64_t limit,
			const char *what)
{
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (item[i] < 0 || item[i] >= limit)
			return gl_fail(host, GL_ERR_CORRUPT,
						   "invalid gl_graph value: %s is out of range", what);
	}
	return GL_OK;
}

/* Shapes of trees are checked when they are bound. */
static GlStatus
graph_block_check_indices(GlHost *host, const GlValue *value)
{
	const BlockGraph *block = &value->block;
	int64_t		n = block->graph.node_count;

	GL_TRY(value_check_ids(host, VALUE_GRAPH, block->graph.ids, n));
	GL_TRY(check_pair_counts(host, block));
	GL_TRY(check_range(host, block->leaf_row, n * block->recipe.tree_count,
					   n, "a leaf"));
	if (block->pair_a == NULL)
		return GL_OK;
	GL_TRY(check_range(host, block->pair_a, block->pair_total, 2 * n - 1,
					   "a block"));
	return check_range(host, block->pair_b, block->pair_total, 2 * n - 1,
					   "a block");
}

static GlStatus
graph_block_bind(GlHost *host, GlValue *value)
{
	return block_graph_bind(host, &value->block);
}

static void
graph_block_unbind(GlHost *host, GlValue *value)
{
	block_graph_unbind(host, &value->block);
}

static GlStatus
check_finite(GlHost *host, const double *number, int64_t count, double least)
{
	for (int64_t i = 0; number != NULL && i < count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (!isfinite(number[i]) || number[i] < least)
			return gl_fail(host, GL_ERR_CORRUPT,
						   "invalid gl_graph value: a number is out of range");
	}
	return GL_OK;
}

static GlStatus
graph_block_check_invariants(GlHost *host, const GlValue *value)
{
	const BlockGraph *block = &value->block;
	const Graph *graph = &block->graph;

	GL_TRY(block_graph_check(host, block));
	GL_TRY(check_finite(host, block->bandwidth, block->recipe.tree_count, 0));
	GL_TRY(check_finite(host, block->log_likelihood,
						block->recipe.tree_count, -INFINITY));
	GL_TRY(check_finite(host, block->log_density, graph->node_count,
						-INFINITY));
	if (graph->points == NULL)
		return GL_OK;
	GL_TRY(check_finite(host, graph->column_scale,
						graph->points->matrix.dimension_count, 0));
	return point_set_check(host, graph->points);
}

const ValueKind block_graph_kind = {
	.type = VALUE_GRAPH,
	.number = 3,
	.known_flags = FLAG_POINTS | FLAG_COLUMN_SCALE | FLAG_PAIRS | FLAG_LEARNT,
	.field_count = FIELD_COUNT,
	.fields = graph_block_fields,
	.section_count = SECTION_COUNT,
	.describe = graph_block_describe,
	.list_sections = graph_block_list_sections,
	.attach = graph_block_attach,
	.check_indices = graph_block_check_indices,
	.bind = graph_block_bind,
	.unbind = graph_block_unbind,
	.check_invariants = graph_block_check_invariants
};
