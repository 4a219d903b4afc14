/*
 * predict_functions.c
 *		gl_predict and gl_predict_scores: labels of rows never seen.
 */
#include "bound_model.h"
#include "feature_arrays.h"
#include "model_labels.h"
#include "options.h"
#include "score_json.h"

#include "learn/label_predict.h"

/* Positions of the arguments of both. */
enum
{
	ARG_MODEL, ARG_FEATURES, ARG_TOLERANCE
};

/* A label model, ready. */
typedef struct ReadyLabels
{
	LabelPredictor predictor;
	int			dimension_count;
	double	   *features;		/* d */
	text	  **labels;			/* C */
	ScoreKey   *keys;			/* C: the same */
} ReadyLabels;

/* What a prediction found. */
typedef struct Prediction
{
	const ReadyLabels *ready;
	int32_t		winner;
	double		confidence;
} Prediction;

static void *
bind_labels(GlHost *host, const GlValue *value)
{
	ReadyLabels *ready = palloc0(sizeof(ReadyLabels));
	const Model *model = &value->model;
	const Graph *graph = value_graph(value);

	ready->dimension_count = graph->points->matrix.dimension_count;
	ready->features = palloc(sizeof(double) * ready->dimension_count);
	ready->labels = palloc(sizeof(text *) * Max(model->class_count, 1));
	ready->keys = palloc(sizeof(ScoreKey) * Max(model->class_count, 1));
	for (int32 c = 0; c < model->class_count; c++)
	{
		ready->labels[c] = model_label(model, c);
		ready->keys[c].text = VARDATA_ANY(ready->labels[c]);
		ready->keys[c].length = VARSIZE_ANY_EXHDR(ready->labels[c]);
	}
	pg_check(host, label_predict_begin(host, model, graph,
									   &ready->predictor));
	return ready;
}

static Prediction
predict(FunctionCallInfo fcinfo, const char *function)
{
	BoundModel *bound = bound_model_argument(fcinfo, ARG_MODEL, MODEL_LABEL,
											 function, bind_labels);
	ReadyLabels *ready = bound->state;
	double		tolerance = option_float8(fcinfo, ARG_TOLERANCE, "tolerance",
										  BLOCK_ROW_DEFAULT_TOLERANCE);
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(ARG_FEATURES);
	int			count = feature_array_count(&bound->host, array, NULL);
	Prediction	found = {.ready = ready};
	GlStatus	status;

	/* another number of features is refused before they are looked at */
	if (count == ready->dimension_count)
		feature_array_load_float8(&bound->host, array, count, NULL,
								  ready->features);
	bound_model_enter(bound);
	status = label_predict_row(&bound->host, &ready->predictor,
							   ready->features, count, -1, tolerance,
							   &found.winner, &found.confidence, NULL);
	bound_model_leave(bound, status);
	PG_FREE_IF_COPY(array, ARG_FEATURES);
	return found;
}

PG_FUNCTION_INFO_V1(graphlearn_predict);
Datum
graphlearn_predict(PG_FUNCTION_ARGS)
{
	Prediction	found = predict(fcinfo, "gl_predict");
	const text *label;
	text	   *copy;

	if (found.winner < 0)
		PG_RETURN_NULL();
	/* a copy: the model may be let go before the row is out */
	label = found.ready->labels[found.winner];
	copy = palloc(VARSIZE_ANY(label));
	memcpy(copy, label, VARSIZE_ANY(label));
	PG_RETURN_TEXT_P(copy);
}

PG_FUNCTION_INFO_V1(graphlearn_predict_scores);
Datum
graphlearn_predict_scores(PG_FUNCTION_ARGS)
{
	Prediction	found = predict(fcinfo, "gl_predict_scores");
	const LabelPredictor *predictor = &found.ready->predictor;

	return score_json(found.ready->keys, predictor->scores,
					  predictor->model->class_count);
}
