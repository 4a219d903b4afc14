/*
 * block_statistics.h
 *		Mean divergences between the nodes of a partition tree, centred.
 *
 * For a node A: count, mean mu, dual mean y = g^-1(mean of g(x)) with g the
 * gradient of phi, and the two scatters
 *
 *		I = sum over x in A of d(x, mu),	J = sum over x in A of d(y, x),
 *
 * all of which add up without cancellation (spec seed000 sections 2.4, 2.11).
 * The mean divergence from the rows of A to the rows of B is
 *
 *		delta(A,B) = I_A/|A| + J_B/|B| + d(mu_A, y_B)
 *
 * and from a single row x it is J_B/|B| + d(x, y_B).  For squared Euclidean
 * distance y = mu and I = J is the sum of squares about the mean.
 */
#ifndef BLOCK_STATISTICS_H
#define BLOCK_STATISTICS_H

#include "graph/partition_tree.h"

typedef struct NodeStatistics
{
	int32_t		count;			/* leaves */
	double		scatter;		/* I */
	double		dual_scatter;	/* J */
	const double *mean;			/* mu, d numbers */
	const double *dual;			/* y, d numbers; = mean if symmetric */
} NodeStatistics;

/* delta(A, B). */
extern double block_statistics_divergence(const Divergence *divergence,
										  int32_t dimension_count,
										  const NodeStatistics *a,
										  const NodeStatistics *b);

/* Mean divergence from one row to the rows of b. */
extern double block_statistics_from_row(const Divergence *divergence,
										int32_t dimension_count,
										const double *row,
										const NodeStatistics *b);

/* Called for every inner node, children before parents. */
typedef GlStatus (*StatisticsVisitor) (GlHost *host, void *state,
									   int32_t node,
									   const NodeStatistics *left,
									   const NodeStatistics *right);

/*
 * Walk the tree bottom-up, handing each inner node the statistics of its two
 * children.  Keeps only the statistics on the way: memory O(depth * d).
 * O(n d) time beside the visitor's.
 */
extern GlStatus block_statistics_visit(GlHost *host,
									   const PointMatrix *points,
									   const PartitionTree *tree,
									   const TreeLinks *links,
									   const Divergence *divergence,
									   StatisticsVisitor visitor,
									   void *state);

/*
 * The statistics of every node kept: 2n-1 nodes.  Leaves point into rows of
 * doubles made here, so memory is about 2 (or 4, not symmetric) n d numbers.
 */
typedef struct TreeStatistics
{
	int64_t		node_count;		/* 2n - 1 */
	NodeStatistics *node;
	double	   *vectors;		/* what the means point into, by node: d each,
								 * or 2 d if not symmetric */
} TreeStatistics;

extern GlStatus block_statistics_begin(GlHost *host,
									   const PointMatrix *points,
									   const PartitionTree *tree,
									   const TreeLinks *links,
									   const Divergence *divergence,
									   TreeStatistics *out);

extern void block_statistics_end(GlHost *host, TreeStatistics *statistics);

#endif							/* BLOCK_STATISTICS_H */
