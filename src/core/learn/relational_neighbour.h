/*
 * relational_neighbour.h
 *		The weighted-vote relational neighbour classifier: every row takes the
 *		vote of its neighbours, again and again.
 *
 *		V <- g W V, then the rows of V that are seeds back to their class;
 *		V = 0 off the seeds at first
 *
 * Its limit is the harmonic function (Macskassy and Provost 2007; spec seed001
 * 2.7, algorithm HF_IT).  What it adds is stopping early: after t steps a row
 * has heard of the seeds within t edges only, which is better than the limit
 * when seeds are few (spec seed001 8.4).
 */
#ifndef RELATIONAL_NEIGHBOUR_H
#define RELATIONAL_NEIGHBOUR_H

#include "learn/propagate.h"

/*
 * scores (n x C) <- V after options->iteration_limit steps, or the limit if
 * that is 0.  Failures, memory and report as for harmonic_solve().
 */
extern GlStatus relational_neighbour_solve(GlHost *host, const Graph *graph,
										   const LabelSeeds *seeds,
										   const PropagateOptions *options,
										   double *scores,
										   PropagateReport *report);

#endif							/* RELATIONAL_NEIGHBOUR_H */
