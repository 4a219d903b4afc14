/*
 * block_refine.c
 *		Checks, each tree in turn (tree_refine.h), and the graph of them all.
 */
#include "graph/block_refine.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "graph/block_space.h"
#include "graph/tree_refine.h"

static GlStatus
resize_array(GlHost *host, void **array, int64_t count, size_t item_size)
{
	void	   *bigger = *array == NULL ?
		gl_allocate(host, (size_t) count, item_size) :
		gl_resize(host, *array, (size_t) count, item_size);

	if (bigger == NULL)
		return host->status;
	*array = bigger;
	return GL_OK;
}

/* The arrays of the result, as far as trees are done. */
typedef struct RefinedArrays
{
	int64_t		pair_total;
	int64_t    *pair_count;
	int32_t    *pair_a;
	int32_t    *pair_b;
	double	   *log_q_ab;
	double	   *log_q_ba;
	double	   *bandwidth;
	double	   *log_likelihood;
	double	   *log_density;
	double	   *tree_density;	/* scratch, n */
} RefinedArrays;

/*
 * The order in which products run over the pairs: by the smaller node, then
 * the larger, so that they read nodes front to back.  Splitting leaves them in
 * the order of their gains, which is as good as random.
 */
static GlStatus
order_pairs(GlHost *host, const TreeRefinement *work, int32_t *order)
{
	int64_t    *keys;

	GL_NEW(host, keys, work->count);
	for (int64_t e = 0; e < work->count; e++)
	{
		int64_t		a = work->a[e];
		int64_t		b = work->b[e];

		GL_TRY(gl_work(host, 2));
		keys[e] = a < b ? a << 32 | b : b << 32 | a;
	}
	GL_TRY(gl_sort_order(host, keys, work->count, order));
	gl_release(host, keys);
	return GL_OK;
}

/* Pairs of a tree, smaller node first; the coarsest stay as they are. */
static GlStatus
copy_pairs(GlHost *host, const TreeRefinement *work, int64_t at,
		   RefinedArrays *arrays)
{
	const BlockSolution *solution = &work->solution;
	bool		is_coarsest = work->count == work->tree->tree.leaf_count - 1;
	int32_t    *order;

	GL_NEW(host, order, work->count);
	if (!is_coarsest)
		GL_TRY(order_pairs(host, work, order));
	for (int64_t r = 0; r < work->count; r++)
	{
		int64_t		e = is_coarsest ? r : order[r];
		bool		swap = !is_coarsest && work->a[e] > work->b[e];

		GL_TRY(gl_work(host, 8));
		arrays->pair_a[at + r] = swap ? work->b[e] : work->a[e];
		arrays->pair_b[at + r] = swap ? work->a[e] : work->b[e];
		arrays->log_q_ab[at + r] = swap ? solution->log_q_ba[e] :
			solution->log_q_ab[e];
		arrays->log_q_ba[at + r] = swap ? solution->log_q_ab[e] :
			solution->log_q_ba[e];
	}
	gl_release(host, order);
	return GL_OK;
}

/* Tree t behind those before it. */
static GlStatus
append_tree(GlHost *host, const TreeRefinement *work, int32_t t,
			RefinedArrays *arrays)
{
	int64_t		n = work->tree->tree.leaf_count;
	int64_t		at = arrays->pair_total;
	int64_t		total = at + work->count;

	GL_TRY(resize_array(host, (void **) &arrays->pair_a, total,
						sizeof(int32_t)));
	GL_TRY(resize_array(host, (void **) &arrays->pair_b, total,
						sizeof(int32_t)));
	GL_TRY(resize_array(host, (void **) &arrays->log_q_ab, total,
						sizeof(double)));
	GL_TRY(resize_array(host, (void **) &arrays->log_q_ba, total,
						sizeof(double)));
	GL_TRY(copy_pairs(host, work, at, arrays));
	arrays->pair_total = total;
	arrays->pair_count[t] = work->count;
	arrays->bandwidth[t] = ldexp(work->bandwidth, work->space->exponent);
	arrays->log_likelihood[t] = (double) n *
		(work->solution.log_z_root +
		 density_constant(work->space, work->bandwidth));
	GL_TRY(tree_refinement_density(host, work, arrays->tree_density));
	return density_merge(host, n, t, arrays->tree_density,
						 arrays->log_density);
}

static GlStatus
refine_tree(GlHost *host, const BlockGraph *block, int32_t t,
			const PointSpace *space, const BlockRefineOptions *options,
			int64_t pair_limit, RefinedArrays *arrays,
			BlockRefineReport *report)
{
	TreeRefinement work = {.options = options, .pair_limit = pair_limit};

	GL_TRY(tree_refinement_begin(host, block, t, space, &work));
	GL_TRY(tree_refinement_grow(host, &work));
	GL_TRY(append_tree(host, &work, t, arrays));
	if (work.learns && work.bandwidth <= work.bandwidth_floor)
		report->bandwidth_floored = true;
	if (options->has_tolerance)
	{
		/* all pairs of rows are the exact walk, whatever rounding says */
		bool		is_exact = work.count ==
			block->graph.node_count * (block->graph.node_count - 1) / 2;

		if (!is_exact && work.bound > options->tolerance)
			report->tolerance_reached = false;
		report->divergence_bound = fmax(report->divergence_bound,
										work.bound);
	}
	tree_refinement_end(host, &work);
	return GL_OK;
}

static GlStatus
check_options(GlHost *host, const BlockGraph *block,
			  const BlockRefineOptions *options)
{
	if (options->blocks_per_row == 0 && !options->has_tolerance)
	{
		(void) gl_fail(host, GL_ERR_OPTION,
					   "refining needs blocks_per_row or tolerance");
		gl_hint(host, "Say blocks_per_row => 4, for example: 4 n blocks for n rows.");
		return GL_ERR_OPTION;
	}
	if (options->blocks_per_row < 0 || isnan(options->blocks_per_row))
		return gl_fail(host, GL_ERR_OPTION,
					   "blocks_per_row must be positive, not %g",
					   options->blocks_per_row);
	if (options->has_tolerance && !(options->tolerance >= 0))
		return gl_fail(host, GL_ERR_OPTION,
					   "tolerance must be 0 or positive, not %g",
					   options->tolerance);
	if (options->has_tolerance &&
		block->graph.recipe.metric != METRIC_EUCLIDEAN)
	{
		(void) gl_fail(host, GL_ERR_OPTION,
					   "tolerance is guaranteed for metric => 'euclidean' only");
		gl_hint(host, "Use blocks_per_row instead.");
		return GL_ERR_OPTION;
	}
	if (block->graph.points == NULL)
	{
		(void) gl_fail(host, GL_ERR_OPTION,
					   "refining needs the points, and the graph was built with keep_points => false");
		gl_hint(host, "Build the graph with keep_points => true.");
		return GL_ERR_OPTION;
	}
	return GL_OK;
}

/* The pairs each tree may have; none of them may have more already. */
static GlStatus
find_pair_limit(GlHost *host, const BlockGraph *block,
				const BlockRefineOptions *options, int64_t *limit)
{
	int64_t		n = block->graph.node_count;
	int64_t		most = n * (n - 1) / 2;
	int64_t		present = 0;
	double		wanted;

	for (int32_t t = 0; t < block->recipe.tree_count; t++)
		present = block->pair_count[t] > present ? block->pair_count[t] :
			present;
	*limit = most < BLOCK_REFINE_MAX_PAIRS ? most : BLOCK_REFINE_MAX_PAIRS;
	if (options->blocks_per_row == 0)
		return GL_OK;
	/* a hair more, so that 2.4 blocks for each of 5 are 12 */
	wanted = floor(options->blocks_per_row / 2 * (double) (n - 1) *
				   (1 + 1e-12));
	if (wanted < (double) present)
	{
		(void) gl_fail(host, GL_ERR_OPTION,
					   "blocks_per_row must be at least %g, which the graph has already, not %g",
					   ceil(2e6 * (double) present / (double) (n - 1)) / 1e6,
					   options->blocks_per_row);
		if (present > n - 1)
			gl_hint(host, "Blocks are only ever added. For fewer, build the graph again.");
		return GL_ERR_OPTION;
	}
	if (wanted < (double) most)
	{
		if (wanted > (double) BLOCK_REFINE_MAX_PAIRS)
			return gl_fail(host, GL_ERR_TOO_LARGE,
						   "%.0f pairs of blocks are too many", wanted);
		*limit = (int64_t) wanted;
	}
	else if (most > BLOCK_REFINE_MAX_PAIRS)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "%.0f pairs of blocks are too many", (double) most);
	if (options->has_tolerance)
		return GL_OK;			/* may well need fewer */
	return gl_require(host, (size_t) *limit, 100 +
					  24 * (size_t) block->recipe.tree_count,
					  "Use fewer blocks_per_row, or raise graphlearn.max_memory.");
}

static GlStatus
refine_trees(GlHost *host, const BlockGraph *block,
			 const BlockRefineOptions *options, int64_t pair_limit,
			 RefinedArrays *arrays, BlockRefineReport *report)
{
	const GraphRecipe *recipe = &block->graph.recipe;
	int32_t		tree_count = block->recipe.tree_count;
	int64_t		n = block->graph.node_count;
	PointSpace	space;

	GL_NEW(host, arrays->pair_count, tree_count);
	GL_NEW(host, arrays->bandwidth, tree_count);
	GL_NEW(host, arrays->log_likelihood, tree_count);
	GL_NEW(host, arrays->log_density, n);
	if (n == 1)
	{
		/* nowhere to go, nothing to refine */
		GL_NEW(host, arrays->log_q_ab, 0);
		GL_NEW(host, arrays->log_q_ba, 0);
		arrays->pair_count[0] = 0;
		arrays->bandwidth[0] = block->bandwidth[0];
		arrays->log_likelihood[0] = block->log_likelihood[0];
		arrays->log_density[0] = block->log_density[0];
		return GL_OK;
	}
	GL_NEW(host, arrays->tree_density, n);
	GL_TRY(block_space_begin(host, block->graph.points, recipe->metric,
							 recipe->scale, block->recipe.smoothing,
							 &space));
	for (int32_t t = 0; t < tree_count; t++)
		GL_TRY(refine_tree(host, block, t, &space, options, pair_limit,
						   arrays, report));
	for (int64_t i = 0; i < n; i++)
		arrays->log_density[i] -= log(tree_count);
	point_space_end(host, &space);
	gl_release(host, arrays->tree_density);
	if (block->pair_a == NULL && arrays->pair_total == block->pair_total)
	{
		/* still the coarsest, which needs no list */
		gl_release(host, arrays->pair_a);
		gl_release(host, arrays->pair_b);
		arrays->pair_a = arrays->pair_b = NULL;
	}
	return GL_OK;
}

static GlStatus
copy_array(GlHost *host, const void *from, int64_t count, size_t item_size,
		   const void **to)
{
	void	   *copy = gl_allocate(host, (size_t) count, item_size);

	if (copy == NULL)
		return host->status;
	memcpy(copy, from, (size_t) count * item_size);
	*to = copy;
	return GL_OK;
}

/* Ids, points and scales: everything that refinement does not change. */
static GlStatus
copy_rows(GlHost *host, const Graph *from, bool drop_points, Graph *to)
{
	PointSet   *kept;

	if (drop_points)
		return copy_array(host, from->ids, from->node_count, sizeof(int64_t),
						  (const void **) &to->ids);
	GL_NEW(host, kept, 1);
	GL_TRY(point_set_copy(host, from->points, kept));
	to->points = kept;
	to->ids = kept->ids;
	if (from->column_scale != NULL)
		return copy_array(host, from->column_scale,
						  from->points->matrix.dimension_count,
						  sizeof(double), (const void **) &to->column_scale);
	return GL_OK;
}

static GlStatus
assemble(GlHost *host, const BlockGraph *block,
		 const BlockRefineOptions *options, const RefinedArrays *arrays,
		 BlockGraph *refined)
{
	int64_t		n = block->graph.node_count;
	int32_t		tree_count = block->recipe.tree_count;

	refined->graph.node_count = n;
	refined->graph.recipe = block->graph.recipe;
	refined->graph.recipe.bandwidth = arrays->bandwidth[0];
	refined->recipe = block->recipe;
	GL_TRY(copy_rows(host, &block->graph, options->drop_points,
					 &refined->graph));
	GL_TRY(copy_array(host, block->left_size, tree_count * (n - 1),
					  sizeof(int32_t), (const void **) &refined->left_size));
	GL_TRY(copy_array(host, block->leaf_row, tree_count * n,
					  sizeof(int32_t), (const void **) &refined->leaf_row));
	refined->pair_total = arrays->pair_total;
	refined->pair_count = arrays->pair_count;
	refined->pair_a = arrays->pair_a;
	refined->pair_b = arrays->pair_b;
	refined->log_q_ab = arrays->log_q_ab;
	refined->log_q_ba = arrays->log_q_ba;
	refined->bandwidth = arrays->bandwidth;
	refined->log_likelihood = arrays->log_likelihood;
	refined->log_density = arrays->log_density;
	return block_graph_bind(host, refined);
}

GlStatus
block_graph_refine(GlHost *host, const BlockGraph *block,
				   const BlockRefineOptions *options, BlockGraph *out,
				   BlockRefineReport *report)
{
	RefinedArrays arrays = {0};
	BlockGraph	refined = {0};
	int64_t		pair_limit;

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	report->tolerance_reached = true;
	GL_TRY(check_options(host, block, options));
	GL_TRY(find_pair_limit(host, block, options, &pair_limit));
	GL_TRY(refine_trees(host, block, options, pair_limit, &arrays, report));
	GL_TRY(assemble(host, block, options, &arrays, &refined));
	*out = refined;
	return GL_OK;
}
