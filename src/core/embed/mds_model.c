/*
 * mds_model.c
 *		See mds_model.h.
 */
#include "embed/mds_model.h"

#include "base/random.h"
#include "points/distance.h"

/* Rows of the map that a new row is placed against. */
#define PROJECTION_LANDMARKS	300

/* --- fitting --------------------------------------------------------------- */

static GlStatus
make_parameters(GlHost *host, const PlaceOptions *place, GraphMetric metric,
				GraphScale scale, const MdsReport *report, Model *model)
{
	double	   *parameters;

	GL_NEW(host, parameters, MDS_PARAMETERS);
	parameters[MDS_METRIC] = metric;
	parameters[MDS_SCALE] = scale;
	parameters[MDS_LOSS] = place->loss;
	parameters[MDS_POWER_OF_LOSS] = place->power;
	parameters[MDS_SPACE] = place->space;
	parameters[MDS_RADIUS] = place->radius;
	parameters[MDS_COST] = report->place.cost;
	parameters[MDS_COMPONENTS] = report->component_count;
	model->parameter_count = MDS_PARAMETERS;
	model->parameters = parameters;
	return GL_OK;
}

GlStatus
mds_model_fit(GlHost *host, const Layout *layout, const PlaceOptions *place,
			  GraphMetric metric, GraphScale scale, int32_t method,
			  const MdsReport *report, Model *out)
{
	Model		model = {
		.kind = MODEL_MDS,
		.method = method,
		.iterations = report->place.sweeps,
		.residual = report->place.normalised_stress,
		.converged = report->place.converged,
		.row_count = layout->point_count,
		.coordinate_count = layout->axes
	};
	double	   *coordinates;

	*out = (Model) {0};
	GL_NEW(host, coordinates, (size_t) layout->point_count *
		   (size_t) layout->axes);
	for (int64_t i = 0; i < layout->point_count; i++)
	{
		layout_get(layout, i, coordinates + i * layout->axes);
		GL_TRY(gl_work(host, layout->axes));
	}
	model.coordinates = coordinates;
	GL_TRY(make_parameters(host, place, metric, scale, report, &model));
	*out = model;
	return GL_OK;
}

/* --- new rows -------------------------------------------------------------- */

/* A sample of the rows, with the places they have on the map. */
static GlStatus
take_landmarks(GlHost *host, const Model *model, MdsProjector *projector)
{
	LandmarkFrame *frame = &projector->frame;
	int64_t		count = frame->layout.point_count;
	int32_t		d = frame->matrix.dimension_count;
	GlRandom	random;
	int32_t    *chosen;

	GL_NEW(host, chosen, count);
	gl_random_begin(&random, 0);
	GL_TRY(gl_random_sample(host, &random, model->row_count, count, chosen));
	for (int64_t l = 0; l < count; l++)
	{
		distance_widen(&projector->space.matrix, chosen[l],
					   frame->values + l * d);
		layout_set(&frame->layout, l, model->coordinates +
				   (size_t) chosen[l] * (size_t) model->coordinate_count);
		GL_TRY(gl_work(host, d));
	}
	gl_release(host, chosen);
	return GL_OK;
}

GlStatus
mds_model_begin(GlHost *host, const Model *model, const PointSet *points,
				MdsProjector *out)
{
	const double *parameters = model->parameters;
	int32_t		d = points->matrix.dimension_count;
	int64_t		count = model->row_count < PROJECTION_LANDMARKS ?
		model->row_count : PROJECTION_LANDMARKS;
	PlaceRule	rule = {
		.loss = (MdsLoss) parameters[MDS_LOSS],
		.power = parameters[MDS_POWER_OF_LOSS],
		.space = (MdsSpace) parameters[MDS_SPACE],
		.radius = parameters[MDS_RADIUS]
	};
	MdsProjector projector = {0};

	*out = (MdsProjector) {0};
	GL_TRY(point_space_begin(host, points,
							 (GraphMetric) parameters[MDS_METRIC],
							 (GraphScale) parameters[MDS_SCALE],
							 &projector.space));
	GL_NEW(host, projector.row, d);
	GL_TRY(landmark_frame_begin(host, &rule, count, d,
								model->coordinate_count, &projector.frame));
	GL_TRY(take_landmarks(host, model, &projector));
	GL_TRY(landmark_frame_ready(host, &projector.space, &projector.frame));
	*out = projector;
	return GL_OK;
}

void
mds_model_end(GlHost *host, MdsProjector *projector)
{
	landmark_frame_release(host, &projector->frame);
	gl_release(host, projector->row);
	point_space_end(host, &projector->space);
}

GlStatus
mds_model_place(GlHost *host, MdsProjector *projector, const double *features,
				int64_t feature_count, double *position)
{
	GL_TRY(point_space_map_row(host, &projector->space, features,
							   feature_count, projector->row));
	GL_TRY(landmark_frame_start(host, &projector->space, &projector->frame,
								projector->row, position));
	return landmark_frame_place(host, &projector->space, &projector->frame,
								projector->row, -1, position);
}
