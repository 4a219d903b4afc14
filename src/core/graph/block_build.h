/*
 * block_build.h
 *		From points to a block graph: trees, block divergences, solution, density.
 *
 * The kernel is exp(-delta / (2 sigma^2)) with delta the divergence of the
 * metric (squared distance for the Euclidean ones).  sigma is given, or a
 * quarter of the mean distance to the 10th nearest row (Euclidean metrics;
 * the others take exp(-delta), sigma^2 = 1/2), or learnt by likelihood.
 *
 * Density: for every row the lower bound
 *
 *		sum over its blocks of |B| q (-beta delta(x, B) - log q)
 *
 * of log sum_j exp(-beta d(x, x_j)), less log(n-1), and for the Euclidean
 * metrics less (d/2) log(2 pi sigma^2), so that it is the log of a density.
 * In a forest it is the log of the mean.  (Spec seed000 sections 2.6, 2.7.)
 */
#ifndef BLOCK_BUILD_H
#define BLOCK_BUILD_H

#include "graph/block_graph.h"
#include "points/neighbours.h"

typedef struct BlockGraphOptions
{
	TreeKind	tree_kind;		/* 0: bisect for one tree, random for more */
	int32_t		tree_count;
	bool		learn_bandwidth;
	GraphMetric metric;
	bool		has_bandwidth;
	double		bandwidth;
	GraphScale	scale;
	double		smoothing;		/* counts and kl only */
	bool		keep_points;
	int64_t		seed;
	NeighbourMethod method;		/* for the bandwidth; never changes a result */
} BlockGraphOptions;

typedef struct BlockGraphReport
{
	double		column_spread;	/* largest column deviation / median one */
	bool		bandwidth_floored;	/* learning ran into sigma -> 0 */
} BlockGraphReport;

#define BLOCK_GRAPH_MAX_TREES	1024

extern void block_graph_defaults(BlockGraphOptions *options);

/*
 * Build a graph of T coarsest trees.  Out owns copies of the ids, and of the
 * points if kept.  GL_ERR_OPTION, GL_ERR_DATA (a row outside the domain of
 * the metric, by id), GL_ERR_MEMORY.  O(T n d log n) time.
 */
extern GlStatus block_graph_build(GlHost *host, const PointSet *points,
								  const BlockGraphOptions *options,
								  BlockGraph *out, BlockGraphReport *report);

/*
 * Learning a bandwidth never goes below this: a share of the spread of all
 * rows, sigma_0^2 = the mean divergence of two of them / d; or of the start
 * if all rows are equal.  divergence_total is over all ordered pairs of rows.
 */
extern double block_bandwidth_floor(double divergence_total,
									int64_t row_count,
									int32_t dimension_count, double start);

#endif							/* BLOCK_BUILD_H */
