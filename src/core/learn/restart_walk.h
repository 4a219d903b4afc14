/*
 * restart_walk.h
 *		Where a walker is who now and then goes back to where it began.
 *
 * Reads:	a graph of similarities or transitions; per column a distribution
 *			to restart from.
 * Yields:	v = (1 - g) r + g P v, with P = A^T D^-1, one step of the walk
 *			forward, and g the damping, the probability of following an
 *			edge.
 *
 * Even restarts give PageRank, restarts at one node that node's neighbourhood
 * (random walk with restart).  The step shrinks errors by g in the sum norm
 * on any graph, so plain iteration always converges: to a tolerance e within
 * log e / log g products.  What reaches a node without edges is lost.
 * (Spec seed001 section 2.4.)
 */
#ifndef RESTART_WALK_H
#define RESTART_WALK_H

#include "graph/normalised.h"

typedef struct RestartWalkReport
{
	int64_t		products;
	double		change;			/* of the last step: max over columns of the
								 * sum of |v' - v| */
	bool		converged;		/* change <= tolerance */
} RestartWalkReport;

/*
 * v (n x C) is where the iteration begins, r itself or a better guess, and
 * where the answer goes.  spread is P prepared for C columns; damping in
 * (0,1).  Memory n C numbers.
 */
extern GlStatus restart_walk_run(GlHost *host, const NormalisedGraph *spread,
								 const double *restart, int32_t columns,
								 double damping, double tolerance,
								 int64_t product_limit, double *v,
								 RestartWalkReport *report);

/* PageRank of every node: restarts everywhere alike.  n numbers. */
extern GlStatus restart_walk_pagerank(GlHost *host, const Graph *graph,
									  double damping, double tolerance,
									  int64_t product_limit, double *rank,
									  RestartWalkReport *report);

#endif							/* RESTART_WALK_H */
