/*
 * model.c
 *		Which parts each kind of model has, and whether they make sense.
 */
#include "learn/model.h"

#include <math.h>

static GlStatus
fail_corrupt(GlHost *host, const char *fault)
{
	return gl_fail(host, GL_ERR_CORRUPT, "invalid gl_model value: %s", fault);
}

static GlStatus
check_label_parts(GlHost *host, const Model *model, bool keeps_graph)
{
	if (!keeps_graph)
		return fail_corrupt(host, "a label model keeps no graph with points");
	if (model->column_count != model->class_count ||
		model->parameter_count != LABEL_PARAMETERS +
		2 * (int64_t) model->class_count)
		return fail_corrupt(host, "its classes, values and parameters do not match");
	if (model->coordinate_count != 0 || model->cluster_count != 0 ||
		model->cluster != NULL || model->row_number != NULL)
		return fail_corrupt(host, "a label model has parts of another kind");
	return GL_OK;
}

/* A parameter that must be one of the numbers least .. most. */
static bool
is_choice(double parameter, int least, int most)
{
	return parameter >= least && parameter <= most &&
		parameter == (int) parameter;
}

static GlStatus
check_mds_parts(GlHost *host, const Model *model)
{
	const double *parameters = model->parameters;

	if (model->coordinate_count < 1 ||
		model->coordinate_count > MODEL_MAX_MAP_AXES ||
		model->parameter_count != MDS_PARAMETERS)
		return fail_corrupt(host, "its coordinates and parameters do not match");
	if (!is_choice(parameters[MDS_METRIC], 0, 2) ||
		!is_choice(parameters[MDS_SCALE], 0, 1) ||
		!is_choice(parameters[MDS_LOSS], 1, 4) ||
		!is_choice(parameters[MDS_SPACE], 1, 3) ||
		!(parameters[MDS_RADIUS] > 0) ||
		!(parameters[MDS_POWER_OF_LOSS] > 0 &&
		  parameters[MDS_POWER_OF_LOSS] <= 2))
		return fail_corrupt(host, "a parameter is out of range");
	if (model->column_count != 0 || model->class_count != 0 ||
		model->cluster_count != 0 || model->cluster != NULL ||
		model->row_factor != NULL || model->row_number != NULL)
		return fail_corrupt(host, "a map has parts of another kind");
	return GL_OK;
}

static GlStatus
check_classes(GlHost *host, const Model *model)
{
	int64_t		end = 0;

	for (int32_t c = 0; c < model->class_count; c++)
	{
		GL_TRY(gl_work(host, 1));
		if (model->class_end[c] < end)
			return fail_corrupt(host, "class labels are not ascending");
		end = model->class_end[c];
	}
	if (end != model->text_bytes)
		return fail_corrupt(host, "class labels do not span the text");
	return GL_OK;
}

static GlStatus
check_clusters(GlHost *host, const Model *model)
{
	for (int64_t i = 0; model->cluster != NULL && i < model->row_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (model->cluster[i] < 0 ||
			model->cluster[i] > model->cluster_count)
			return fail_corrupt(host, "a cluster is out of range");
	}
	return GL_OK;
}

GlStatus
model_check(GlHost *host, const Model *model, bool keeps_graph)
{
	switch (model->kind)
	{
		case MODEL_LABEL:
			GL_TRY(check_label_parts(host, model, keeps_graph));
			break;
		case MODEL_MDS:
			GL_TRY(check_mds_parts(host, model));
			break;
		default:
			return fail_corrupt(host, "unknown kind of model");
	}
	GL_TRY(check_classes(host, model));
	return check_clusters(host, model);
}

/* Finite and at least `least`. */
static GlStatus
check_numbers(GlHost *host, const double *number, int64_t count, double least)
{
	for (int64_t i = 0; number != NULL && i < count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (!isfinite(number[i]) || number[i] < least)
			return fail_corrupt(host, "a number is out of range");
	}
	return GL_OK;
}

GlStatus
model_check_numbers(GlHost *host, const Model *model)
{
	int64_t		n = model->row_count;
	double		least = model->kind == MODEL_LABEL ? 0 : -INFINITY;

	GL_TRY(check_numbers(host, model->values, n * model->column_count,
						 least));
	GL_TRY(check_numbers(host, model->row_factor, n, 0));
	GL_TRY(check_numbers(host, model->coordinates,
						 n * model->coordinate_count, -INFINITY));
	GL_TRY(check_numbers(host, model->row_number, n, -INFINITY));
	return check_numbers(host, model->parameters, model->parameter_count,
						 least);
}
