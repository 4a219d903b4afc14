/*
 * label_model.c
 *		From the values of a propagation to a model, and from it to scores.
 */
#include "learn/label_model.h"

#include <string.h>

#include "learn/class_prior.h"

/*
 * D^-1/2 or D^-1 where f obeys another normalisation than the walk.  A row
 * without edges counts as if its degree were 1: it keeps its own label for
 * those who find it.
 */
static GlStatus
make_row_factor(GlHost *host, const Graph *graph, Normalisation normalisation,
				const double **row_factor)
{
	NormalisedGraph normalised;

	*row_factor = NULL;
	if (normalisation == NORMALISE_WALK || normalisation == NORMALISE_NONE)
		return GL_OK;
	GL_TRY(normalised_begin(host, graph, normalisation, 1, &normalised));
	for (int64_t i = 0; i < graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (normalised.degree[i] == 0)
			normalised.factor[i] = 1;
	}
	*row_factor = normalised.factor;
	normalised.factor = NULL;
	normalised_end(host, &normalised);
	return GL_OK;
}

static GlStatus
make_parameters(GlHost *host, const LabelSeeds *seeds,
				const PropagateOptions *options, const ClassPrior *prior,
				const PropagateReport *report, Model *model)
{
	int32_t		class_count = seeds->class_count;
	int64_t		count = LABEL_PARAMETERS + 2 * (int64_t) class_count;
	double	   *parameters;

	GL_NEW_ZEROED(host, parameters, count);
	parameters[LABEL_DAMPING] = report->damping;
	parameters[LABEL_TOLERANCE] = options->tolerance;
	parameters[LABEL_PRIOR] = options->class_prior != NULL ? 0 :
		options->prior;
	parameters[LABEL_PRIOR_WEIGHT] = options->prior_weight;
	parameters[LABEL_SEED_COUNT] = (double) seeds->seed_count;
	parameters[LABEL_UNREACHED_COUNT] = (double) report->unreached_count;
	if (prior->share != NULL)
	{
		memcpy(parameters + LABEL_PARAMETERS, prior->share,
			   (size_t) class_count * sizeof(double));
		memcpy(parameters + LABEL_PARAMETERS + class_count, prior->mass,
			   (size_t) class_count * sizeof(double));
	}
	model->parameter_count = count;
	model->parameters = parameters;
	return GL_OK;
}

GlStatus
label_model_fit(GlHost *host, const Graph *graph, const LabelSeeds *seeds,
				const PropagateOptions *options, Model *out,
				PropagateReport *report)
{
	Model		model = {
		.kind = MODEL_LABEL,
		.method = options->method,
		.row_count = graph->node_count,
		.class_count = seeds->class_count,
		.column_count = seeds->class_count
	};
	PropagateField field;

	memset(out, 0, sizeof(*out));
	GL_TRY(propagate_fit(host, graph, seeds, options, &field, report));
	GL_TRY(make_row_factor(host, graph, report->normalisation,
						   &model.row_factor));
	GL_TRY(make_parameters(host, seeds, options, &field.prior, report,
						   &model));
	model.iterations = report->iterations;
	model.residual = report->residual;
	model.converged = report->converged;
	model.values = field.values;
	field.values = NULL;
	propagate_field_release(host, &field);
	*out = model;
	return GL_OK;
}

void
label_model_release(GlHost *host, Model *model)
{
	gl_release(host, model->values);
	gl_release(host, model->row_factor);
	gl_release(host, model->parameters);
	memset(model, 0, sizeof(*model));
}

ClassPrior
label_model_prior(const Model *model)
{
	ClassPrior	prior = {.class_count = model->class_count};

	if (model->parameters[LABEL_PRIOR] != PRIOR_NONE &&
		model->parameters[LABEL_SEED_COUNT] > 0)
	{
		prior.share = model->parameters + LABEL_PARAMETERS;
		prior.mass = prior.share + model->class_count;
	}
	return prior;
}

void
label_model_score(const ClassPrior *prior, double *f, int32_t *winner,
				  double *confidence)
{
	class_prior_score(prior, f);
	class_prior_winner(f, prior->class_count, winner, confidence);
}

void
label_model_row(const Model *model, const ClassPrior *prior, int64_t row,
				double *scores, int32_t *winner, double *confidence)
{
	memcpy(scores, model->values + row * model->class_count,
		   (size_t) model->class_count * sizeof(double));
	label_model_score(prior, scores, winner, confidence);
}
