/*
 * multi_rank_walk.h
 *		One walk with restarts per class: a row goes to the class whose walk
 *		visits it most.
 *
 *		V_c = g W^T V_c + a R_c + b/n,   a = 1 - g - b
 *
 * with R_c uniform over the seeds of class c, so that a class with more seeds
 * has no more to give away, and b the teleport: the chance to go on from any
 * row at all, which gives rows far from every seed a score to be compared by
 * (MultiRankWalk: spec seed001 2.5, beta is our teleport).  At a given damping
 * the winner does not depend on b.
 *
 * The walk goes along the edges: on a directed graph labels flow from the
 * seeds to the rows they lead to, opposite to harmonic.
 */
#ifndef MULTI_RANK_WALK_H
#define MULTI_RANK_WALK_H

#include "learn/propagate.h"

/*
 * scores (n x C) <- V, each class summing to 1: a walk at a row without edges
 * begins again.  Rows that no seed reaches are 0, whatever the teleport.
 * options->damping is in (0,1).  A seed may carry several classes.  Failures
 * and memory: those of damped_walk_solve(); report: all but unreached_count.
 */
extern GlStatus multi_rank_walk_solve(GlHost *host, const Graph *graph,
									  const LabelSeeds *seeds,
									  const PropagateOptions *options,
									  double *scores,
									  PropagateReport *report);

#endif							/* MULTI_RANK_WALK_H */
