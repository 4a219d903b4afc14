/*
 * edge_weights.h
 *		From distances to the numbers on the edges of a graph.
 *
 * Reads:	squared distances in a PointSpace.
 * Yields:	one weight per edge:
 *
 *		adaptive	exp(-2 d^2 / (s_i s_j)), s_i the distance from i to its
 *					min(7, n-1)-th nearest row (within k for a kNN graph), at
 *					least 1e-3 of the mean neighbour distance
 *		gaussian	exp(-d^2 / (2 sigma^2))
 *		binary		1
 *		distance	d itself
 *		similarity	cos, or 0 where it is negative
 *
 * with d the chord under cosine.  Kernels stop falling at exp(-300): a
 * neighbour chosen by rank or radius stays a neighbour, however far out its
 * row lies, and its degree can still be inverted.
 */
#ifndef EDGE_WEIGHTS_H
#define EDGE_WEIGHTS_H

#include "graph/point_space.h"
#include "points/neighbours.h"

/* Which neighbour gives a row its local scale. */
#define ADAPTIVE_NEIGHBOUR		7

/* Which neighbour, how many rows and what share the bandwidth rule takes. */
#define BANDWIDTH_NEIGHBOUR		10
#define BANDWIDTH_SAMPLE		1000
#define BANDWIDTH_SHARE			0.25

typedef struct EdgeWeights
{
	GraphWeights weights;
	const PointSpace *space;	/* borrowed */
	double		bandwidth;		/* sigma in user units, gaussian only */
	double	   *node_scale;		/* s_i in user units, adaptive only */
} EdgeWeights;

/*
 * Local scales from neighbour lists (at least one neighbour each; the
 * min(7, k)-th counts).  GL_ERR_DATA for a scale beyond a double.  O(n k).
 */
extern GlStatus edge_weights_local_scales(GlHost *host,
										  const NeighbourLists *lists,
										  EdgeWeights *weights);

/*
 * The default bandwidth: a quarter of the mean distance to the 10th nearest
 * row, over min(n, 1000) rows drawn by seed, each searched among all rows.
 * 1 if all of these coincide.  GL_ERR_DATA for a width beyond a double.
 */
extern GlStatus edge_weights_choose_bandwidth(GlHost *host,
											  NeighbourMethod method,
											  int64_t seed,
											  EdgeWeights *weights);

/* Weight of the edge between rows i and j; the same bits for (j, i). */
extern double edge_weights_of(const EdgeWeights *weights, int32_t i,
							  int32_t j, double squared_distance);

/* exp(-d^2 / (2 sigma^2)) with the floor above. */
extern double edge_weights_gaussian(double distance, double bandwidth);

extern void edge_weights_end(GlHost *host, EdgeWeights *weights);

#endif							/* EDGE_WEIGHTS_H */
