/*
 * label_predict.h
 *		Labels of rows never seen, from a label model.
 *
 * Reads:	a Model of kind MODEL_LABEL, the graph it keeps, features.
 * Yields:	scores per class, the winner and its score.
 *
 * f(x) = sum_i p_i r_i f_i over the row of the new point (row_field.h), then
 * the class masses of the fit: the new row is scored as one of the rows that
 * nobody labelled (label_model.h).  A row's prediction depends on the model
 * and its features alone.
 */
#ifndef LABEL_PREDICT_H
#define LABEL_PREDICT_H

#include "graph/row_field.h"
#include "learn/label_model.h"

typedef struct LabelPredictor
{
	const Model *model;			/* borrowed */
	ClassPrior	prior;
	RowField	field;
	double	   *scores;			/* C: of the last row */
} LabelPredictor;

/*
 * Prepare; failures and memory as row_field_begin().  The predictor must not
 * move, and model and graph must outlive it.
 */
extern GlStatus label_predict_begin(GlHost *host, const Model *model,
									const Graph *graph, LabelPredictor *out);

extern void label_predict_end(GlHost *host, LabelPredictor *predictor);

/*
 * The winner (-1: no label reaches the row) and its score; all scores are in
 * predictor->scores.  exclude, tolerance, report and failures as
 * row_field_query().
 */
extern GlStatus label_predict_row(GlHost *host, LabelPredictor *predictor,
								  const double *features,
								  int64_t feature_count, int32_t exclude,
								  double tolerance, int32_t *winner,
								  double *confidence,
								  RowFieldReport *report);

#endif							/* LABEL_PREDICT_H */
