/*
 * page_rank.h
 *		Where a walk with restarts spends its time.
 *
 *		v = (1-g) r + g W^T v,   r uniform over the nodes it restarts from
 *
 * All nodes: PageRank; some: personalised PageRank, also called random walk
 * with restart (spec seed001 2.4).  A walk at a node without edges restarts
 * at once, so v is scaled to sum 1: v = c (1-g) (I - g W^T)^-1 r.
 */
#ifndef PAGE_RANK_H
#define PAGE_RANK_H

#include "learn/damped_walk.h"

#define PAGE_RANK_DAMPING	0.85

/*
 * score (n) <- v, summing to 1.  nodes are distinct and ascending; node_count
 * 0 stands for all nodes.  GL_ERR_OPTION unless damping is in (0,1), or for a
 * graph of lengths.  Failures and memory else: those of damped_walk_solve()
 * with one column.  The residual in the report is that before the scaling.
 */
extern GlStatus page_rank_run(GlHost *host, const Graph *graph,
							  const int32_t *nodes, int64_t node_count,
							  double damping, double *score,
							  DampedWalkReport *report);

/* The same before the scaling, for callers that scale later. */
extern GlStatus page_rank_solve(GlHost *host, const Graph *graph,
								const int32_t *nodes, int64_t node_count,
								double damping, double tolerance,
								double *score, DampedWalkReport *report);

/* Scale each column of values (n x columns) to sum 1; a column of zeros stays. */
extern GlStatus page_rank_scale(GlHost *host, int64_t node_count,
								int32_t columns, double *values);

#endif							/* PAGE_RANK_H */
