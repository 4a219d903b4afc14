/*
 * mds_arguments.c
 *		Read the options of MDS and lists of positions.
 */
#include "mds_arguments.h"

#include <math.h>

#include "catalog/pg_type.h"
#include "utils/array.h"

#include "node_arguments.h"

const OptionWord mds_method_words[] = {
	{"place", MDS_PLACE}, {"smacof", MDS_SMACOF},
	{"classical", MDS_CLASSICAL}, {"landmark", MDS_LANDMARK},
	{"pivot", MDS_PIVOT}, {"fastmap", MDS_FASTMAP}, {"stream", MDS_METHOD_STREAM},
	{NULL, 0}
};

const OptionWord mds_loss_words[] = {
	{"stress", MDS_STRESS}, {"absolute", MDS_ABSOLUTE}, {"power", MDS_POWER},
	{"squared_absolute", MDS_SQUARED_ABSOLUTE}, {NULL, 0}
};

const OptionWord mds_space_words[] = {
	{"flat", MDS_FLAT}, {"sphere", MDS_GEODESIC}, {"chordal", MDS_CHORDAL},
	{NULL, 0}
};

static const OptionWord sweep_words[] = {
	{"sequential", MDS_SEQUENTIAL}, {"parallel", MDS_PARALLEL}, {NULL, 0}
};

static const OptionWord policy_words[] = {
	{"random", STREAM_RANDOM}, {"maxmin", STREAM_MAXMIN},
	{"fixed", STREAM_FIXED}, {"kmeans", STREAM_KMEANS}, {NULL, 0}
};

/* An int option that must be positive where it is given. */
static int64
positive_option(FunctionCallInfo fcinfo, int argument, const char *name,
				int64 default_value)
{
	int64		given = PG_ARGISNULL(argument) ? default_value :
		PG_GETARG_INT32(argument);

	if (!PG_ARGISNULL(argument) && given < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be at least 1", name)));
	return given;
}

static void
read_place_options(FunctionCallInfo fcinfo, const MdsArguments *at,
				   PlaceOptions *place)
{
	place->loss = option_word(fcinfo, at->loss, "loss", mds_loss_words,
							  place->loss);
	place->power = option_float8(fcinfo, at->power, "power", place->power);
	if (!PG_ARGISNULL(at->power) && place->loss != MDS_POWER)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("power is for loss => 'power' only")));
	place->space = option_word(fcinfo, at->space, "space", mds_space_words,
							   place->space);
	place->radius = option_float8(fcinfo, at->radius, "radius",
								  place->radius);
	place->sweep = option_word(fcinfo, at->sweep, "sweep", sweep_words,
							   place->sweep);
	place->sweep_limit = positive_option(fcinfo, at->iterations,
										 "iterations", place->sweep_limit);
	place->tolerance = option_float8(fcinfo, at->tolerance, "tolerance",
									 place->tolerance);
	place->seed = option_bigint(fcinfo, at->seed, 0);
}

void
mds_options_argument(FunctionCallInfo fcinfo, const MdsArguments *at,
					 MdsRequest *request)
{
	MdsOptions *options = &request->options;
	int			method;

	mds_defaults(options);
	options->dimensions = (int32_t) positive_option(fcinfo, at->dims, "dims",
													options->dimensions);
	method = option_word(fcinfo, at->method, "method", mds_method_words,
						 options->method);
	read_place_options(fcinfo, at, &options->place);
	options->landmark_count = positive_option(fcinfo, at->landmarks,
											  "landmarks", 0);
	request->stream = method == MDS_METHOD_STREAM;
	if (!request->stream)
	{
		options->method = method;
		return;
	}
	request->stream_options = (StreamOptions) {
		.place = options->place,
		.dimensions = options->dimensions,
		.landmark_count = options->landmark_count > 0 ?
			options->landmark_count : STREAM_LANDMARKS,
		.passes = positive_option(fcinfo, at->passes, "passes",
								  STREAM_PASSES),
		.policy = option_word(fcinfo, at->policy, "policy", policy_words,
							  STREAM_RANDOM)
	};
}

double
mds_request_run(GlHost *host, const MdsRequest *request,
				const PointSet *points, GraphMetric metric, GraphScale scale,
				Layout *layout, MdsReport *report)
{
	DistanceRows rows;

	*report = (MdsReport) {.component_count = 1};
	if (request->stream)
	{
		pg_check(host, mds_stream_run(host, points, metric, scale,
									  &request->stream_options, layout,
									  &report->place));
		return 1;
	}
	pg_check(host, distance_rows_from_points(host, points, metric, scale,
											 &rows));
	pg_check(host, mds_run(host, &rows, &request->options, layout, report));
	return rows.space.column_spread;
}

void
warn_not_settled(const PlaceReport *report)
{
	if (!report->converged)
		ereport(WARNING,
				(errmsg_plural("the layout had not settled after %d iteration",
							   "the layout had not settled after %d iterations",
							   report->sweeps, (int) report->sweeps),
				 errhint("Use more iterations, or a larger tolerance.")));
}

/* --- positions ------------------------------------------------------------- */

typedef struct Entry
{
	int32_t		point;
	int32_t		order;			/* position in the arguments */
} Entry;

static int
compare_entries(const void *a, const void *b)
{
	int32_t		x = ((const Entry *) a)->point;
	int32_t		y = ((const Entry *) b)->point;

	return (x > y) - (x < y);
}

/* The numbers of a float8[] of one or two dimensions. */
static const float8 *
coordinate_array(FunctionCallInfo fcinfo, int argument, const char *name,
				 int wanted)
{
	ArrayType  *array = PG_GETARG_ARRAYTYPE_P(argument);
	int			count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
	const float8 *numbers = (const float8 *) ARR_DATA_PTR(array);

	if (ARR_HASNULL(array) && array_contains_nulls(array))
		ereport(ERROR,
				(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
				 errmsg("%s contains a NULL", name)));
	if (ARR_NDIM(array) > 2 || count != wanted)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s has %d numbers, but %d are needed", name, count,
						wanted),
				 errhint("array_agg(coords) over the same rows as the ids gives them.")));
	for (int i = 0; i < count; i++)
		if (!isfinite(numbers[i]))
			ereport(ERROR,
					(errcode(ERRCODE_DATA_EXCEPTION),
					 errmsg("%s contains a number that is not finite", name)));
	return numbers;
}

KnownPositions
positions_argument(FunctionCallInfo fcinfo, int ids, const char *name_ids,
				   const char *name_coords, const int64_t *all_ids,
				   int64_t point_count, int32_t axes)
{
	KnownPositions known = {0};
	ElementList list = element_list_argument(fcinfo, ids, name_ids);
	Entry	   *entries = palloc(sizeof(Entry) * Max(list.count, 1));
	int32_t    *points = palloc(sizeof(int32_t) * Max(list.count, 1));
	double	   *coordinates;
	const float8 *numbers;

	if (PG_ARGISNULL(ids) != PG_ARGISNULL(ids + 1))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s and %s must be given together", name_ids,
						name_coords)));
	if (PG_ARGISNULL(ids))
		return known;
	numbers = coordinate_array(fcinfo, ids + 1, name_coords,
							   list.count * axes);
	for (int i = 0; i < list.count; i++)
	{
		int64_t		id = list.nulls[i] ? 0 : DatumGetInt64(list.values[i]);
		int64_t		point = list.nulls[i] ? -1 :
			point_set_find(all_ids, point_count, id);

		if (list.nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("element %d of %s is NULL", i + 1, name_ids)));
		if (point < 0)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s names id " INT64_FORMAT ", which has no distances",
							name_ids, id)));
		entries[i] = (Entry) {(int32_t) point, i};
	}
	qsort(entries, list.count, sizeof(Entry), compare_entries);
	coordinates = palloc(sizeof(double) * Max(list.count * axes, 1));
	for (int i = 0; i < list.count; i++)
	{
		if (i > 0 && entries[i].point == entries[i - 1].point)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s names id " INT64_FORMAT " twice", name_ids,
							all_ids[entries[i].point])));
		points[i] = entries[i].point;
		for (int32_t a = 0; a < axes; a++)
			coordinates[i * axes + a] = numbers[entries[i].order * axes + a];
	}
	known.count = list.count;
	known.point = points;
	known.coordinates = coordinates;
	return known;
}
