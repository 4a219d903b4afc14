/*
 * label_walk.h
 *		Labels handed from row to row, refreshed at the seeds in each step.
 *
 *		F(0) = Y,   F(t+1) = g W F(t) + (1-g) Y
 *
 * (spec seed000 2.9, whose alpha is our damping g).  F(t) is within g^t of its
 * limit (1-g) (I - g W)^-1 Y.
 */
#ifndef LABEL_WALK_H
#define LABEL_WALK_H

#include "learn/propagate.h"

/*
 * scores (n x C) <- F after options->iteration_limit steps, or the limit if
 * that is 0.  options->damping is in (0,1).  Failures and memory: those of
 * damped_walk_solve(); report: all but unreached_count.
 */
extern GlStatus label_walk_solve(GlHost *host, const Graph *graph,
								 const LabelSeeds *seeds,
								 const PropagateOptions *options,
								 double *scores, PropagateReport *report);

#endif							/* LABEL_WALK_H */
