/*
 * block_build.c
 *		Build each tree in turn into the graph's arrays.
 *
 * For each tree: split the rows, walk it once for the mean divergences of the
 * sibling pairs, solve, and walk it a second time for the densities, which
 * need the probabilities.  Only the numbers that are kept stay in memory.
 */
#include "graph/block_build.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "graph/block_density.h"
#include "graph/block_space.h"
#include "graph/edge_weights.h"

/* Learning never goes below this share of the spread of all rows. */
#define BANDWIDTH_FLOOR		1e-6

void
block_graph_defaults(BlockGraphOptions *options)
{
	memset(options, 0, sizeof(*options));
	options->tree_count = 1;
	options->metric = METRIC_EUCLIDEAN;
	options->scale = SCALE_NONE;
	options->smoothing = 0.5;
	options->keep_points = true;
}

static bool
has_length(GraphMetric metric)
{
	return divergence_of(metric)->is_symmetric;
}

static GlStatus
check_options(GlHost *host, const BlockGraphOptions *options)
{
	if (options->tree_count < 1 ||
		options->tree_count > BLOCK_GRAPH_MAX_TREES)
		return gl_fail(host, GL_ERR_OPTION,
					   "trees must be between 1 and %d, not %d",
					   BLOCK_GRAPH_MAX_TREES, options->tree_count);
	if (options->has_bandwidth &&
		!(options->bandwidth > 0 && isfinite(options->bandwidth)))
		return gl_fail(host, GL_ERR_OPTION,
					   "bandwidth must be positive and finite, not %g",
					   options->bandwidth);
	if (options->scale != SCALE_NONE &&
		options->metric != METRIC_EUCLIDEAN &&
		options->metric != METRIC_COSINE)
	{
		(void) gl_fail(host, GL_ERR_OPTION,
					   "scale applies to metric => 'euclidean' and 'cosine' only");
		gl_hint(host, "Leave scale out.");
		return GL_ERR_OPTION;
	}
	if (!(options->smoothing >= 0 && isfinite(options->smoothing)))
		return gl_fail(host, GL_ERR_OPTION,
					   "smoothing must be 0 or positive, not %g",
					   options->smoothing);
	return GL_OK;
}

/* What building shares. */
typedef struct BlockShop
{
	const BlockGraphOptions *options;
	const Divergence *divergence;
	PointSpace	space;
	double		bandwidth;		/* where each tree starts, in space units */

	/* the graph's arrays, all trees one behind the other */
	int32_t    *left_size;
	int32_t    *leaf_row;
	int64_t    *pair_count;
	double	   *log_q_ab;
	double	   *log_q_ba;
	double	   *tree_bandwidth;
	double	   *log_likelihood;
	double	   *log_density;
	double	   *tree_density;	/* of one tree, n */
	BlockGraphReport *report;
} BlockShop;

static GlStatus
allocate_arrays(GlHost *host, int64_t n, int32_t trees, BlockShop *shop)
{
	size_t		pairs = (size_t) trees * (size_t) (n - 1);

	GL_TRY(gl_require(host, (size_t) trees * (size_t) n, 24,
					  "Use fewer trees, or raise graphlearn.max_memory."));
	GL_NEW(host, shop->left_size, pairs);
	GL_NEW(host, shop->leaf_row, (size_t) trees * (size_t) n);
	GL_NEW(host, shop->pair_count, trees);
	GL_NEW(host, shop->log_q_ab, pairs);
	GL_NEW(host, shop->log_q_ba, pairs);
	GL_NEW(host, shop->tree_bandwidth, trees);
	GL_NEW(host, shop->log_likelihood, trees);
	GL_NEW(host, shop->log_density, n);
	GL_NEW(host, shop->tree_density, n);
	return GL_OK;
}

/* The bandwidth every tree starts from; never 0 or infinite. */
static GlStatus
choose_bandwidth(GlHost *host, BlockShop *shop)
{
	const BlockGraphOptions *options = shop->options;

	if (options->has_bandwidth)
		shop->bandwidth = ldexp(options->bandwidth, -shop->space.exponent);
	else if (!has_length(options->metric))
		shop->bandwidth = sqrt(0.5);
	else
	{
		EdgeWeights weights = {.space = &shop->space};

		GL_TRY(edge_weights_choose_bandwidth(host, options->method,
											 options->seed, &weights));
		shop->bandwidth = ldexp(weights.bandwidth, -shop->space.exponent);
	}
	/* rows near 1e300 and a width near 1e-100 have no common unit */
	shop->bandwidth = fmin(fmax(shop->bandwidth, DBL_MIN), DBL_MAX);
	return GL_OK;
}

/* ---- one tree ---- */

/* State of the first walk: mean divergences of the sibling pairs. */
typedef struct DivergenceWalk
{
	const Divergence *divergence;
	int32_t		d;
	double	   *delta_ab;
	double	   *delta_ba;
	double		divergence_total;	/* of all ordered pairs of rows */
} DivergenceWalk;

static GlStatus
record_divergence(GlHost *host, void *state, int32_t node,
				  const NodeStatistics *left, const NodeStatistics *right)
{
	DivergenceWalk *walk = state;

	(void) host;
	walk->delta_ab[node] = block_statistics_divergence(walk->divergence,
													   walk->d, left, right);
	walk->delta_ba[node] = walk->divergence->is_symmetric ?
		walk->delta_ab[node] :
		block_statistics_divergence(walk->divergence, walk->d, right, left);
	walk->divergence_total += (double) left->count * right->count *
		(walk->delta_ab[node] + walk->delta_ba[node]);
	return GL_OK;
}

/* State of the second walk: densities. */
typedef struct DensityWalk
{
	DensityRows rows;
	const TreeLinks *links;
	const BlockSolution *solution;
	double	   *density;		/* per row of the matrix */
} DensityWalk;

static GlStatus
visit_density(GlHost *host, void *state, int32_t node,
			  const NodeStatistics *left, const NodeStatistics *right)
{
	DensityWalk *walk = state;
	int64_t		first = walk->links->first[node];

	GL_TRY(density_rows_add(host, &walk->rows, first, left->count, right,
							walk->solution->log_q_ab[node], walk->density));
	return density_rows_add(host, &walk->rows, first + left->count,
							right->count, left,
							walk->solution->log_q_ba[node], walk->density);
}

double
block_bandwidth_floor(double divergence_total, int64_t row_count,
					  int32_t dimension_count, double start)
{
	double		n = (double) row_count;
	double		floor = BANDWIDTH_FLOOR * sqrt(divergence_total /
											   (n * (n - 1) *
												dimension_count));

	return floor > 0 ? floor : start * BANDWIDTH_FLOOR;
}

/* The start, or what likelihood makes of it, down to the floor. */
static GlStatus
solve_tree(GlHost *host, BlockShop *shop, const TreeLinks *links,
		   const DivergenceWalk *walk, double *bandwidth,
		   BlockSolution *solution)
{
	BlockPairs	pairs = block_pairs_coarsest(links, walk->delta_ab,
											 walk->delta_ba);
	double		floor;

	*bandwidth = shop->bandwidth;
	if (!shop->options->learn_bandwidth)
		return block_solver_run(host, links, &pairs, *bandwidth, solution);
	floor = block_bandwidth_floor(walk->divergence_total, links->leaf_count,
								  walk->d, *bandwidth);
	GL_TRY(block_solver_learn(host, links, &pairs, walk->d, floor, bandwidth,
							  solution));
	if (*bandwidth <= floor)
		shop->report->bandwidth_floored = true;
	return GL_OK;
}

static GlStatus
compute_density(GlHost *host, BlockShop *shop, const PartitionTree *tree,
				const TreeLinks *links, const BlockSolution *solution,
				double bandwidth)
{
	double		constant = density_constant(&shop->space, bandwidth);
	DensityWalk walk = {
		.links = links,
		.solution = solution,
		.density = shop->tree_density
	};

	GL_TRY(density_rows_begin(host, shop->divergence, &shop->space.matrix,
							  tree, bandwidth, &walk.rows));
	for (int64_t i = 0; i < tree->leaf_count; i++)
		walk.density[i] = constant;
	GL_TRY(block_statistics_visit(host, &shop->space.matrix, tree, links,
								  shop->divergence, visit_density, &walk));
	density_rows_end(host, &walk.rows);
	return GL_OK;
}

/* Tree t into the graph's arrays. */
static GlStatus
build_tree(GlHost *host, BlockShop *shop, int32_t t, int64_t seed)
{
	const PointMatrix *matrix = &shop->space.matrix;
	int64_t		n = matrix->row_count;
	TreeKind	kind = shop->options->tree_kind;
	DivergenceWalk walk = {
		.divergence = shop->divergence,
		.d = matrix->dimension_count
	};
	PartitionTree tree;
	TreeLinks	links;
	BlockSolution solution;
	double		bandwidth = 0;

	if (kind == 0)
		kind = shop->options->tree_count > 1 ? TREE_RANDOM : TREE_BISECT;
	GL_TRY(partition_tree_build(host, matrix, shop->divergence, kind,
								seed, &tree));
	memcpy(shop->left_size + t * (n - 1), tree.left_size,
		   (size_t) (n - 1) * sizeof(int32_t));
	memcpy(shop->leaf_row + t * n, tree.leaf_row,
		   (size_t) n * sizeof(int32_t));
	GL_TRY(tree_links_begin(host, &tree, &links));
	GL_NEW(host, walk.delta_ab, n - 1);
	GL_NEW(host, walk.delta_ba, n - 1);
	GL_TRY(block_statistics_visit(host, matrix, &tree, &links,
								  shop->divergence, record_divergence,
								  &walk));
	GL_TRY(block_solution_begin(host, n, n - 1, &solution));
	GL_TRY(solve_tree(host, shop, &links, &walk, &bandwidth, &solution));
	GL_TRY(compute_density(host, shop, &tree, &links, &solution, bandwidth));
	GL_TRY(density_merge(host, n, t, shop->tree_density,
						 shop->log_density));
	memcpy(shop->log_q_ab + t * (n - 1), solution.log_q_ab,
		   (size_t) (n - 1) * sizeof(double));
	memcpy(shop->log_q_ba + t * (n - 1), solution.log_q_ba,
		   (size_t) (n - 1) * sizeof(double));
	shop->pair_count[t] = n - 1;
	shop->tree_bandwidth[t] = ldexp(bandwidth, shop->space.exponent);
	if (!isfinite(shop->tree_bandwidth[t]))
		return gl_fail(host, GL_ERR_DATA,
					   "rows are further apart than a double can say");
	shop->log_likelihood[t] = (double) n *
		(solution.log_z_root + density_constant(&shop->space, bandwidth));
	block_solution_end(host, &solution);
	gl_release(host, walk.delta_ab);
	gl_release(host, walk.delta_ba);
	tree_links_end(host, &links);
	partition_tree_release(host, &tree);
	return GL_OK;
}

/* A single row: nowhere to go, and nothing to compare it with. */
static void
describe_single(BlockShop *shop)
{
	shop->pair_count[0] = 0;
	shop->leaf_row[0] = 0;
	shop->tree_bandwidth[0] = ldexp(shop->bandwidth, shop->space.exponent);
	shop->log_likelihood[0] = 0;
	shop->log_density[0] = 0;
}

static GlStatus
build_trees(GlHost *host, BlockShop *shop, int32_t tree_count)
{
	int64_t		n = shop->space.matrix.row_count;
	GlRandom	random;

	gl_random_begin(&random, shop->options->seed);
	GL_TRY(allocate_arrays(host, n, tree_count, shop));
	if (n == 1)
		describe_single(shop);
	else
	{
		/* drawn, not counted: forests of seeds 0 and 1 share no tree */
		for (int32_t t = 0; t < tree_count; t++)
			GL_TRY(build_tree(host, shop, t,
							  (int64_t) gl_random_bits(&random)));
		for (int64_t i = 0; i < n; i++)
			shop->log_density[i] -= log(tree_count);
	}
	gl_release(host, shop->tree_density);
	return GL_OK;
}

static GlStatus
keep_rows(GlHost *host, const PointSet *points, BlockShop *shop,
		  Graph *graph)
{
	int64_t		n = points->matrix.row_count;
	PointSet   *kept;
	int64_t    *ids;

	if (!shop->options->keep_points)
	{
		GL_NEW(host, ids, n);
		memcpy(ids, points->ids, (size_t) n * sizeof(int64_t));
		graph->ids = ids;
		return GL_OK;
	}
	GL_NEW(host, kept, 1);
	GL_TRY(point_set_copy(host, points, kept));
	graph->points = kept;
	graph->ids = kept->ids;
	graph->column_scale = shop->space.column_scale;
	shop->space.column_scale = NULL;
	return GL_OK;
}

static GlStatus
assemble(GlHost *host, const PointSet *points, BlockShop *shop,
		 int32_t tree_count, BlockGraph *block)
{
	const BlockGraphOptions *options = shop->options;
	int64_t		n = points->matrix.row_count;

	block->graph.node_count = n;
	block->graph.recipe = (GraphRecipe)
	{
		.kind = GRAPH_BLOCKS,
		.metric = options->metric,
		.weights = WEIGHTS_GAUSSIAN,
		.scale = options->scale,
		.bandwidth = shop->tree_bandwidth[0],
		.seed = options->seed
	};
	block->recipe = (BlockRecipe)
	{
		.tree_kind = options->tree_kind != 0 ? options->tree_kind :
			tree_count > 1 ? TREE_RANDOM : TREE_BISECT,
		.tree_count = tree_count,
		.learn_bandwidth = options->learn_bandwidth,
		.smoothing = options->metric == METRIC_COUNTS ||
			options->metric == METRIC_KL ? options->smoothing : 0
	};
	GL_TRY(keep_rows(host, points, shop, &block->graph));
	block->pair_total = tree_count * (n - 1);
	block->left_size = shop->left_size;
	block->leaf_row = shop->leaf_row;
	block->pair_count = shop->pair_count;
	block->log_q_ab = shop->log_q_ab;
	block->log_q_ba = shop->log_q_ba;
	block->bandwidth = shop->tree_bandwidth;
	block->log_likelihood = shop->log_likelihood;
	block->log_density = shop->log_density;
	return block_graph_bind(host, block);
}

GlStatus
block_graph_build(GlHost *host, const PointSet *points,
				  const BlockGraphOptions *options, BlockGraph *out,
				  BlockGraphReport *report)
{
	BlockShop	shop = {
		.options = options,
		.divergence = divergence_of(options->metric),
		.report = report
	};
	BlockGraph	block = {0};
	int32_t		tree_count = points->matrix.row_count == 1 ?
		1 : options->tree_count;

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	GL_TRY(check_options(host, options));
	GL_TRY(block_space_begin(host, points, options->metric, options->scale,
							 options->smoothing, &shop.space));
	report->column_spread = shop.space.column_spread;
	GL_TRY(choose_bandwidth(host, &shop));
	GL_TRY(build_trees(host, &shop, tree_count));
	GL_TRY(assemble(host, points, &shop, tree_count, &block));
	point_space_end(host, &shop.space);
	*out = block;
	return GL_OK;
}
