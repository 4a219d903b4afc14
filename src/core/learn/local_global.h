/*
 * local_global.h
 *		Learning with local and global consistency: seeds may be overruled.
 *
 *		F = (1-g) (I - g N)^-1 Y,   Y_ic = 1 where i is a seed of class c
 *
 * with N = S (symmetric), W (walk) or W^T (spread): Zhou et al. 2004 and its
 * row and column variants (spec seed001 2.8, whose alpha is our damping g).
 * Unless told, N = S on a symmetric graph and W on any other.  On a symmetric
 * graph W^T = A D^-1 = D W D^-1 and S = D^1/2 W D^-1/2, so they differ in the
 * say of a seed alone: as much for all, less by the root of its degree, less
 * by its degree.  On a directed graph labels follow the arcs under W^T, and go
 * against them under W.
 * A seed may carry several classes: its row of Y has several ones.
 */
#ifndef LOCAL_GLOBAL_H
#define LOCAL_GLOBAL_H

#include "learn/propagate.h"

/*
 * scores (n x C) <- F.  options->damping is in (0,1).  Rows that no seed
 * reaches are 0.  GL_ERR_OPTION for S on a graph that is not symmetric; other
 * failures and memory: those of damped_walk_solve().  report: all but
 * unreached_count; the residual is max |F - g N F - (1-g) Y|.
 */
extern GlStatus local_global_solve(GlHost *host, const Graph *graph,
								   const LabelSeeds *seeds,
								   const PropagateOptions *options,
								   double *scores, PropagateReport *report);

#endif							/* LOCAL_GLOBAL_H */
