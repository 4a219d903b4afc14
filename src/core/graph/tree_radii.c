/*
 * tree_radii.c
 *		The farthest row of every node from its mean, bottom-up.
 */
#include "graph/tree_radii.h"

#include <math.h>

#include "points/distance.h"

/* Radii are exact down to this depth, sums of the children's below. */
#define EXACT_DEPTH			64

/* Distances are rounded: never cover too little. */
#define RADIUS_MARGIN		(1 + 1e-9)

/* What the radii are computed from. */
typedef struct RadiiWork
{
	const DistanceKernels *kernels;
	const PointMatrix *points;
	const PartitionTree *tree;
	const TreeLinks *links;
	const PointMatrix *mean;
	double	   *radius;
} RadiiWork;

static const double *
mean_of(const RadiiWork *work, int32_t node)
{
	return (const double *) work->mean->values +
		(int64_t) node * work->mean->dimension_count;
}

static GlStatus
find_depths(GlHost *host, const TreeLinks *links, int32_t **depth)
{
	int32_t		inner_count = (int32_t) links->leaf_count - 1;

	GL_NEW_ZEROED(host, *depth, inner_count);
	for (int32_t p = 0; p < inner_count; p++)
	{
		GL_TRY(gl_work(host, 2));
		if (links->left[p] < inner_count)
			(*depth)[links->left[p]] = (*depth)[p] + 1;
		if (links->right[p] < inner_count)
			(*depth)[links->right[p]] = (*depth)[p] + 1;
	}
	return GL_OK;
}

/* The farthest row of a node from its mean. */
static GlStatus
farthest_row(GlHost *host, const RadiiWork *work, int32_t node,
			 double *radius)
{
	int64_t		first = work->links->first[node];
	double		largest = 0;

	for (int64_t i = first; i < first + work->links->size[node]; i++)
	{
		GL_TRY(gl_work(host, work->points->dimension_count));
		largest = fmax(largest,
					   distance_squared(work->kernels, work->points,
										mean_of(work, node),
										work->tree->leaf_row[i]));
	}
	*radius = sqrt(largest) * RADIUS_MARGIN;
	return GL_OK;
}

/* How far a child's rows can be from the parent's mean. */
static double
reach(const RadiiWork *work, int32_t node, int32_t child)
{
	int64_t		leaf = child - (work->links->leaf_count - 1);
	double		squared = leaf < 0 ?
		distance_squared(work->kernels, work->mean, mean_of(work, node),
						 child) :
		distance_squared(work->kernels, work->points, mean_of(work, node),
						 work->tree->leaf_row[leaf]);

	return (sqrt(squared) + work->radius[child]) * RADIUS_MARGIN;
}

GlStatus
tree_radii(GlHost *host, const PointMatrix *points, const PartitionTree *tree,
		   const TreeLinks *links, const PointMatrix *mean, double **radius)
{
	RadiiWork	work = {
		.kernels = distance_kernels(),
		.points = points,
		.tree = tree,
		.links = links,
		.mean = mean
	};
	int32_t    *depth;

	GL_NEW_ZEROED(host, work.radius, 2 * links->leaf_count - 1);
	GL_TRY(find_depths(host, links, &depth));
	for (int32_t p = (int32_t) links->leaf_count - 2; p > 0; p--)
	{
		GL_TRY(gl_work(host, 2 * (int64_t) points->dimension_count));
		if (depth[p] <= EXACT_DEPTH)
			GL_TRY(farthest_row(host, &work, p, &work.radius[p]));
		else
			work.radius[p] = fmax(reach(&work, p, links->left[p]),
								  reach(&work, p, links->right[p]));
	}
	gl_release(host, depth);
	*radius = work.radius;
	return GL_OK;
}
