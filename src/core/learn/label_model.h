/*
 * label_model.h
 *		Label propagation, kept: a Model of kind MODEL_LABEL.
 *
 * Reads:	a graph, seeds, the options of propagate.h.
 * Yields:	f of every row and the class masses, in the form that predicting
 *			needs, and from them the scores that propagate_run() gives.
 *
 * A row never seen is one more row that nobody labelled, so by the equation
 * of the method f(x) = g sum_i p_i f_i with p its row of the walk.  That holds
 * as it stands where f obeys the walk.  Where it obeys S = D^-1/2 A D^-1/2 the
 * walk carries D^-1/2 f, where it obeys W^T = A D^-1 it carries D^-1 f: the
 * same numbers times row_factor.  What is left of the new row's own degree, and g,
 * are factors common to all classes and vanish from the scores.
 */
#ifndef LABEL_MODEL_H
#define LABEL_MODEL_H

#include "learn/model.h"
#include "learn/propagate.h"

/*
 * Fill all of a model but its ids, class labels and fingerprint; the arrays
 * are in host memory and become the caller's.  Failures, time and memory as
 * propagate_fit().
 */
extern GlStatus label_model_fit(GlHost *host, const Graph *graph,
								const LabelSeeds *seeds,
								const PropagateOptions *options,
								Model *out, PropagateReport *report);

/* Give back what label_model_fit() allocated. */
extern void label_model_release(GlHost *host, Model *model);

/* How f becomes scores; borrows from the model. */
extern ClassPrior label_model_prior(const Model *model);

/*
 * The scores of a row (C), its winner (-1: no label reaches it) and the
 * winner's score: the same bits as propagate_run() gives.  O(C).
 */
extern void label_model_row(const Model *model, const ClassPrior *prior,
							int64_t row, double *scores, int32_t *winner,
							double *confidence);

/* The C values f of one row to scores, in place; winner and confidence. */
extern void label_model_score(const ClassPrior *prior, double *f,
							  int32_t *winner, double *confidence);

#endif							/* LABEL_MODEL_H */
