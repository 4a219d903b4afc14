/*
 * row_tree.c
 *		Means, spreads and radii of the larger nodes of a tree.
 */
#include "graph/row_tree.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "graph/block_density.h"
#include "graph/block_statistics.h"
#include "graph/tree_radii.h"

/* Where exponents end, as in block_solver.c: no infinities. */
#define HIGHEST_BETA		1e300

/* State of the walk that collects means and spreads of inner nodes. */
typedef struct MeanWalk
{
	const TreeLinks *links;
	int32_t		d;
	double	   *mean;
	double	   *spread;
} MeanWalk;

static void
record_mean(const MeanWalk *walk, int32_t node,
			const NodeStatistics *statistics)
{
	if (statistics->count == 1)
		return;
	memcpy(walk->mean + (int64_t) node * walk->d, statistics->mean,
		   (size_t) walk->d * sizeof(double));
	walk->spread[node] = statistics->scatter / statistics->count;
}

/*
 * The root is nobody's child and is left out: a descent starts with its
 * children.
 */
static GlStatus
visit_means(GlHost *host, void *state, int32_t node,
			const NodeStatistics *left, const NodeStatistics *right)
{
	const MeanWalk *walk = state;

	GL_TRY(gl_work(host, 2 * walk->d));
	record_mean(walk, walk->links->left[node], left);
	record_mean(walk, walk->links->right[node], right);
	return GL_OK;
}

/* Numbers of all inner nodes to those of the larger ones, in place. */
static GlStatus
keep_larger(GlHost *host, RowTree *tree, const double *radius)
{
	int32_t		inner_count = (int32_t) tree->tree->leaf_count - 1;
	int32_t		d = tree->mean.dimension_count;
	double	   *mean = (double *) tree->mean.values;
	int32_t		kept = 0;

	for (int32_t p = 1; p < inner_count; p++)
	{
		GL_TRY(gl_work(host, d));
		if (tree->links->size[p] <= ROW_TREE_BUCKET)
			continue;
		memmove(mean + (int64_t) kept * d, mean + (int64_t) p * d,
				(size_t) d * sizeof(double));
		tree->spread[kept] = tree->spread[p];
		tree->radius[kept] = radius[p];
		tree->place[p] = kept++;
	}
	tree->mean.row_count = kept;
	return GL_OK;
}

/* Give back what the smaller nodes took. */
static GlStatus
shrink(GlHost *host, RowTree *tree)
{
	size_t		kept = (size_t) tree->mean.row_count + 1;	/* never none */
	double	   *mean = gl_resize(host, (void *) tree->mean.values, kept,
								 (size_t) tree->mean.dimension_count *
								 sizeof(double));
	double	   *spread = mean == NULL ? NULL :
		gl_resize(host, tree->spread, kept, sizeof(double));
	double	   *radius = spread == NULL ? NULL :
		gl_resize(host, tree->radius, kept, sizeof(double));

	if (radius == NULL)
		return host->status;
	tree->mean.values = mean;
	tree->spread = spread;
	tree->radius = radius;
	return GL_OK;
}

static GlStatus
measure_nodes(GlHost *host, const PointSpace *space, RowTree *tree)
{
	int64_t		inner_count = tree->tree->leaf_count - 1;
	int32_t		d = space->matrix.dimension_count;
	MeanWalk	walk = {.links = tree->links, .d = d};
	double	   *radius;

	walk.mean = gl_allocate(host, (size_t) inner_count,
							(size_t) d * sizeof(double));
	if (walk.mean == NULL)
		return host->status;
	GL_NEW(host, tree->spread, inner_count);
	GL_NEW(host, tree->radius, inner_count);
	GL_NEW(host, tree->place, inner_count);
	for (int64_t p = 0; p < inner_count; p++)
		tree->place[p] = -1;
	walk.spread = tree->spread;
	tree->mean = (PointMatrix)
	{
		inner_count, d, SCALAR_FLOAT8, walk.mean
	};
	GL_TRY(block_statistics_visit(host, &space->matrix, tree->tree,
								  tree->links, divergence_of(space->metric),
								  visit_means, &walk));
	GL_TRY(tree_radii(host, &space->matrix, tree->tree, tree->links,
					  &tree->mean, &radius));
	GL_TRY(keep_larger(host, tree, radius));
	gl_release(host, radius);
	return shrink(host, tree);
}

/* The rows in the order of leaves. */
static GlStatus
order_rows(GlHost *host, const PointMatrix *matrix, RowTree *tree)
{
	size_t		row_bytes = (size_t) matrix->dimension_count *
		scalar_size(matrix->scalar);
	char	   *rows = gl_allocate(host, (size_t) matrix->row_count,
								   row_bytes);

	if (rows == NULL)
		return host->status;
	for (int64_t i = 0; i < matrix->row_count; i++)
	{
		GL_TRY(gl_work(host, matrix->dimension_count));
		memcpy(rows + (size_t) i * row_bytes, (const char *) matrix->values +
			   (size_t) tree->tree->leaf_row[i] * row_bytes, row_bytes);
	}
	tree->rows = *matrix;
	tree->rows.values = rows;
	return GL_OK;
}

GlStatus
row_tree_begin(GlHost *host, const PointSpace *space,
			   const BlockTree *block_tree, double bandwidth, RowTree *out)
{
	bool		is_euclidean = divergence_of(space->metric)->is_symmetric;
	int64_t		n = block_tree->tree.leaf_count;
	RowTree		tree = {.links = &block_tree->links,
		.tree = &block_tree->tree
	};
	double		width = ldexp(bandwidth, -space->exponent);

	memset(out, 0, sizeof(*out));
	width = fmin(fmax(width, DBL_MIN), DBL_MAX);
	tree.beta = fmin(1 / (2 * width * width), HIGHEST_BETA);
	tree.log_normal = density_log_normal(space, width);
	GL_NEW(host, tree.position, n);
	for (int32_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		tree.position[tree.tree->leaf_row[i]] = i;
	}
	if (is_euclidean)
		GL_TRY(order_rows(host, &space->matrix, &tree));
	if (is_euclidean && n > 1)
		GL_TRY(measure_nodes(host, space, &tree));
	*out = tree;
	return GL_OK;
}

void
row_tree_end(GlHost *host, RowTree *tree)
{
	gl_release(host, tree->position);
	gl_release(host, tree->rows.values);
	gl_release(host, tree->place);
	gl_release(host, tree->mean.values);
	gl_release(host, tree->spread);
	gl_release(host, tree->radius);
	memset(tree, 0, sizeof(*tree));
}
