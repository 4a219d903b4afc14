/*
 * harmonic.h
 *		Harmonic labels: every row the damped average of its neighbours.
 *
 *		f_i = y_i on seeds,   f_i = g sum_j W_ij f_j elsewhere
 *
 * that is f_U = g (W_UU f_U + W_UL f_L): f_ic is the probability that a walk
 * from i, which ends at each step with probability 1 - g, is absorbed by a
 * seed of class c.  g = 1 is the harmonic function of Zhu, Ghahramani and
 * Lafferty 2003 (spec seed001 2.7), g = 0.98 the learner H of findings-walks.
 */
#ifndef HARMONIC_H
#define HARMONIC_H

#include "learn/propagate.h"

/*
 * scores (n x C) <- f.  options->damping is in (0,1].  Rows that no seed
 * reaches along the edges are 0, at g = 1 too.  Failures and memory: those of
 * damped_walk_solve().  report: all but unreached_count.
 */
extern GlStatus harmonic_solve(GlHost *host, const Graph *graph,
							   const LabelSeeds *seeds,
							   const PropagateOptions *options,
							   double *scores, PropagateReport *report);

#endif							/* HARMONIC_H */
