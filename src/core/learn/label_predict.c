/*
 * label_predict.c
 *		Carry f to a new row and score it.
 */
#include "learn/label_predict.h"

#include <string.h>

GlStatus
label_predict_begin(GlHost *host, const Model *model, const Graph *graph,
					LabelPredictor *out)
{
	memset(out, 0, sizeof(*out));
	out->model = model;
	out->prior = label_model_prior(model);
	GL_NEW(host, out->scores, model->class_count);
	return row_field_begin(host, graph, model->values, model->row_factor,
						   model->class_count, &out->field);
}

void
label_predict_end(GlHost *host, LabelPredictor *predictor)
{
	row_field_end(host, &predictor->field);
	gl_release(host, predictor->scores);
	memset(predictor, 0, sizeof(*predictor));
}

GlStatus
label_predict_row(GlHost *host, LabelPredictor *predictor,
				  const double *features, int64_t feature_count,
				  int32_t exclude, double tolerance, int32_t *winner,
				  double *confidence, RowFieldReport *report)
{
	*winner = -1;
	*confidence = 0;
	GL_TRY(row_field_query(host, &predictor->field, features, feature_count,
						   exclude, tolerance, predictor->scores, report));
	label_model_score(&predictor->prior, predictor->scores, winner,
					  confidence);
	return GL_OK;
}
