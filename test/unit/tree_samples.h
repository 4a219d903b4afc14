/*
 * tree_samples.h
 *		Rows in the domain of each divergence, trees of each kind, and sums by
 *		definition, for the tests of block graphs.
 */
#ifndef TREE_SAMPLES_H
#define TREE_SAMPLES_H

#include "unit_test.h"

#include "graph/partition_anchor.h"

/* One metric for every divergence. */
static const GraphMetric sample_metrics[] = {
	METRIC_EUCLIDEAN, METRIC_COUNTS, METRIC_ITAKURA_SAITO, METRIC_LOGISTIC
};

#define SAMPLE_METRICS		4

/* n x d values in the domain of a metric, on malloc. */
static inline PointMatrix
sample_rows(GlRandom *random, GraphMetric metric, int n, int d)
{
	double	   *values = malloc(sizeof(double) * (size_t) n * (size_t) d);

	for (int64_t i = 0; i < (int64_t) n * d; i++)
	{
		double		normal = gl_random_normal(random);

		values[i] = normal;
		if (metric == METRIC_COUNTS || metric == METRIC_KL)
			values[i] = 0.5 + floor(8 * exp(normal));
		else if (metric == METRIC_ITAKURA_SAITO)
			values[i] = exp(normal);
		else if (metric == METRIC_LOGISTIC)
			values[i] = 0.001 + 0.998 * gl_random_unit(random);
	}
	return (PointMatrix)
	{
		n, d, SCALAR_FLOAT8, values
	};
}

/* Every way to build a tree; the last two are anchors by either rule. */
#define TREE_WAYS			4
#define WAY_BISECT			0
#define WAY_RANDOM			1
#define WAY_ANCHOR_RADIUS	2
#define WAY_ANCHOR_BREGMAN	3

/* Radii exist for Euclidean distance only. */
static inline bool
way_applies(int way, GraphMetric metric)
{
	return way != WAY_ANCHOR_RADIUS || divergence_of(metric)->is_symmetric;
}

static inline GlStatus
way_build(GlHost *host, const PointMatrix *points, GraphMetric metric,
		  int way, int64_t seed, PartitionTree *tree)
{
	const Divergence *divergence = divergence_of(metric);

	if (way == WAY_BISECT || way == WAY_RANDOM)
		return partition_tree_build(host, points, divergence,
									way == WAY_BISECT ? TREE_BISECT :
									TREE_RANDOM, seed, tree);
	return partition_anchor_build_merging(host, points, divergence,
										  way == WAY_ANCHOR_RADIUS ?
										  MERGE_RADIUS : MERGE_BREGMAN,
										  seed, tree);
}

static inline int
node_leaves(const TreeLinks *links, int32_t node)
{
	return node < links->leaf_count - 1 ? links->size[node] : 1;
}

static inline int
node_start(const TreeLinks *links, int32_t node)
{
	return node < links->leaf_count - 1 ? links->first[node] :
		node - (int32_t) (links->leaf_count - 1);
}

static inline int
tree_depth(const TreeLinks *links)
{
	int64_t		n = links->leaf_count;
	int		   *depth = calloc((size_t) (2 * n), sizeof(int));
	int			deepest = 0;

	for (int64_t p = 0; p < n - 1; p++)
	{
		depth[links->left[p]] = depth[links->right[p]] = depth[p] + 1;
		deepest = depth[p] + 1 > deepest ? depth[p] + 1 : deepest;
	}
	free(depth);
	return deepest;
}

/* Verify a tree, and tell its depth. */
static inline int
expect_tree(GlHost *host, const PartitionTree *tree)
{
	TreeLinks	links;
	int			depth;

	EXPECT_OK(host, partition_tree_check(host, tree));
	EXPECT_OK(host, tree_links_begin(host, tree, &links));
	depth = tree_depth(&links);
	tree_links_end(host, &links);
	return depth;
}

/* phi of one coordinate, and its derivative, in long double. */
static inline long double
plain_phi(GraphMetric metric, long double t)
{
	switch (metric)
	{
		case METRIC_COUNTS:
		case METRIC_KL:
			return t * logl(t) - t;
		case METRIC_ITAKURA_SAITO:
			return -logl(t) - 1;
		case METRIC_LOGISTIC:
			return t * logl(t) + (1 - t) * logl(1 - t);
		default:
			return t * t;
	}
}

static inline long double
plain_gradient(GraphMetric metric, long double t)
{
	switch (metric)
	{
		case METRIC_COUNTS:
		case METRIC_KL:
			return logl(t);
		case METRIC_ITAKURA_SAITO:
			return -1 / t;
		case METRIC_LOGISTIC:
			return logl(t / (1 - t));
		default:
			return 2 * t;
	}
}

/* d(x, y) by its definition. */
static inline long double
plain_divergence(GraphMetric metric, const double *x, const double *y, int d)
{
	long double sum = 0;

	for (int j = 0; j < d; j++)
		sum += plain_phi(metric, x[j]) - plain_phi(metric, y[j]) -
			((long double) x[j] - y[j]) * plain_gradient(metric, y[j]);
	return sum;
}

#endif							/* TREE_SAMPLES_H */
