/*
 * class_prior.h
 *		Class mass normalisation: how much of the data each class should win.
 *
 *		m_c = sum_i f_ic			over all rows; a clamped seed counts 1
 *		q_c = (n_c + weight) / (n + weight * C)		n_c seeds of class c of n
 *		score_ic = q_c f_ic / m_c, then rows scaled to sum 1
 *
 * (spec seed001 2.7; the smoothed prior is that of findings-walks 4.2.)
 */
#ifndef CLASS_PRIOR_H
#define CLASS_PRIOR_H

#include "learn/propagate.h"

/*
 * GL_ERR_OPTION for an unknown prior, a weight that is negative or not
 * finite, or a class_prior of the wrong length or with a value that is not
 * positive and finite.  O(C).
 */
extern GlStatus class_prior_check(GlHost *host,
								  const PropagateOptions *options,
								  int32_t class_count);

/*
 * Shares and masses of the classes for values f >= 0 (n x C), in host memory;
 * both NULL where the options say that scores are f alone, or nothing is
 * labelled.  options have passed class_prior_check().  O(n C).
 */
extern GlStatus class_prior_measure(GlHost *host, const LabelSeeds *seeds,
									const PropagateOptions *options,
									int64_t node_count, const double *f,
									ClassPrior *out);

extern void class_prior_release(GlHost *host, ClassPrior *prior);

/*
 * Turn the C values f of one row into scores, in place.  A row of zeros stays
 * zero, and a row with a single value becomes exactly 1 there.
 */
extern void class_prior_score(const ClassPrior *prior, double *row);

/*
 * The class of the highest score, ties to the lower one, and that score; -1
 * and 0 for a row of zeros.  O(C).
 */
extern void class_prior_winner(const double *scores, int32_t class_count,
							   int32_t *winner, double *confidence);

/*
 * Turn the values f >= 0 in scores (n x C) into scores, in place.  Rows with
 * is_clamped (NULL: none) hold 1 for their class; they count towards the mass
 * like any other and do not change.  A row of zeros stays zero.  options have
 * passed class_prior_check().  O(n C) time, O(C) memory.
 */
extern GlStatus class_prior_apply(GlHost *host, const LabelSeeds *seeds,
								  const PropagateOptions *options,
								  int64_t node_count,
								  const bool *is_clamped, double *scores);

#endif							/* CLASS_PRIOR_H */
