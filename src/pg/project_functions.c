/*
 * project_functions.c
 *		gl_project: the place of a row never seen on a map that was kept.
 */
#include "bound_model.h"
#include "feature_arrays.h"
#include "rows.h"

#include "embed/mds_model.h"

/* Positions of the arguments. */
enum
{
	ARG_MODEL, ARG_FEATURES
};

/* A map, ready. */
typedef struct ReadyMap
{
	MdsProjector projector;
	int			axes;
	int			dimension_count;
	double	   *features;		/* d */
} ReadyMap;

static void *
bind_map(GlHost *host, const GlValue *value)
{
	ReadyMap   *ready = palloc0(sizeof(ReadyMap));

	if (value->kept_type != VALUE_POINTS)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("the map was made of distances, so it has no place for a new row"),
				 errhint("Make it of points: gl_mds_model(points).")));
	ready->axes = value->model.coordinate_count;
	ready->dimension_count = value->points.matrix.dimension_count;
	ready->features = palloc(sizeof(double) * ready->dimension_count);
	pg_check(host, mds_model_begin(host, &value->model, &value->points,
								   &ready->projector));
	return ready;
}

PG_FUNCTION_INFO_V1(graphlearn_project);
Datum
graphlearn_project(PG_FUNCTION_ARGS)
{
	BoundModel *bound = bound_model_argument(fcinfo, ARG_MODEL, MODEL_MDS,
											 "gl_project", bind_map);
	ReadyMap   *ready = bound->state;
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(ARG_FEATURES);
	int			count = feature_array_count(&bound->host, array, NULL);
	double		position[LAYOUT_MAX_AXES];
	GlStatus	status;

	/* another number of features is refused before they are looked at */
	if (count == ready->dimension_count)
		feature_array_load_float8(&bound->host, array, count, NULL,
								  ready->features);
	bound_model_enter(bound);
	status = mds_model_place(&bound->host, &ready->projector,
							 ready->features, count, position);
	bound_model_leave(bound, status);
	PG_FREE_IF_COPY(array, ARG_FEATURES);
	PG_RETURN_DATUM(rows_float8_array(position, ready->axes));
}
