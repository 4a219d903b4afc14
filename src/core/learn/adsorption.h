/*
 * adsorption.h
 *		Harmonic labels whose seeds may be outvoted by their neighbours.
 *
 * Every seed i gets a shadow: a node that holds the label for good and is
 * joined to i by an edge of weight s_i, its injection.  All other rows, the
 * seeds too, are averages:
 *
 *		f_i = (s_i y_i + g sum_j A_ij f_j) / (s_i + d_i)	on seeds
 *		f_i = g sum_j W_ij f_j								elsewhere
 *
 * (Baluja et al. 2008; spec seed001 2.8).  s_i against the degree d_i is how
 * much a label is trusted: s_i = d_i, the default, gives it half the say, and
 * with s_i beyond all bounds this is the harmonic function.
 */
#ifndef ADSORPTION_H
#define ADSORPTION_H

#include "learn/propagate.h"

/*
 * scores (n x C) <- f.  options->damping is in (0,1]; options->injection holds
 * s of each node, or is NULL.  A seed may carry several classes.  Rows that no
 * seed reaches are 0.  GL_ERR_OPTION for an injection that is not positive
 * and finite; other failures and memory: those of damped_walk_solve(), and 2
 * numbers per node.  report: all but unreached_count.
 */
extern GlStatus adsorption_solve(GlHost *host, const Graph *graph,
								 const LabelSeeds *seeds,
								 const PropagateOptions *options,
								 double *scores, PropagateReport *report);

#endif							/* ADSORPTION_H */
