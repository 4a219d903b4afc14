/*
 * stress_functions.c
 *		gl_stress: how well given coordinates show given distances.
 */
#include "value.h"
#include "mds_arguments.h"

#include "funcapi.h"
#include "utils/array.h"
#include "utils/memutils.h"

#include "embed/mds_stress.h"

/* Positions of the arguments of gl_stress. */
enum
{
	ARG_DATA, ARG_IDS, ARG_COORDS, ARG_SPACE, ARG_RADIUS, ARG_OWN
};

enum
{
	ARG_METRIC = ARG_OWN, ARG_SCALE
};

enum
{
	ARG_PATHS = ARG_OWN, ARG_SYMMETRIZE
};

/* How many coordinates a point has: the numbers shared among the ids. */
static int32_t
axes_argument(FunctionCallInfo fcinfo)
{
	ArrayType  *ids = PG_GETARG_ARRAYTYPE_P(ARG_IDS);
	ArrayType  *coords = PG_GETARG_ARRAYTYPE_P(ARG_COORDS);
	int			id_count = ArrayGetNItems(ARR_NDIM(ids), ARR_DIMS(ids));
	int			count = ArrayGetNItems(ARR_NDIM(coords), ARR_DIMS(coords));

	if (id_count == 0)
		return 1;
	if (count % id_count != 0 || count / id_count < 1 ||
		count / id_count > LAYOUT_MAX_AXES)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("coords has %d numbers, which %d ids cannot share",
						count, id_count),
				 errhint("array_agg(coords) over the same rows as the ids gives them.")));
	return count / id_count;
}

static Datum
stress_datum(FunctionCallInfo fcinfo, double stress, double normalised)
{
	TupleDesc	descriptor;
	Datum		values[2];
	bool		nulls[2] = {false, false};

	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "gl_stress must return a row");
	values[0] = Float8GetDatum(stress);
	values[1] = Float8GetDatum(normalised);
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(descriptor),
											 values, nulls));
}

static Datum
stress_of(FunctionCallInfo fcinfo, GlHost *host, DistanceRows *rows,
		  const int64_t *ids)
{
	int32_t		axes = axes_argument(fcinfo);
	PlaceRule	rule = {
		.loss = MDS_STRESS,
		.space = option_word(fcinfo, ARG_SPACE, "space", mds_space_words,
							 MDS_FLAT),
		.radius = option_float8(fcinfo, ARG_RADIUS, "radius", 1)
	};
	KnownPositions known = positions_argument(fcinfo, ARG_IDS, "ids",
											  "coords", ids,
											  rows->point_count, axes);
	double		stress;
	double		normalised;

	pg_check(host, mds_stress_measure(host, &rule, rows, &known, axes,
									  &stress, &normalised));
	return stress_datum(fcinfo, stress, normalised);
}

static bool
lacks_argument(FunctionCallInfo fcinfo)
{
	return PG_ARGISNULL(ARG_DATA) || PG_ARGISNULL(ARG_IDS) ||
		PG_ARGISNULL(ARG_COORDS);
}

PG_FUNCTION_INFO_V1(graphlearn_stress_points);
Datum
graphlearn_stress_points(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	DistanceRows rows;
	const PointSet *points;
	Datum		result;

	if (lacks_argument(fcinfo))
		PG_RETURN_NULL();
	arena = pg_host_begin(&host, "graphlearn stress");
	points = points_argument(&host, PG_GETARG_DATUM(ARG_DATA));
	pg_check(&host,
			 distance_rows_from_points(&host, points,
									   option_word(fcinfo, ARG_METRIC,
												   "metric", metric_words,
												   METRIC_EUCLIDEAN),
									   option_word(fcinfo, ARG_SCALE, "scale",
												   scale_words, SCALE_NONE),
									   &rows));
	result = stress_of(fcinfo, &host, &rows, points->ids);
	MemoryContextDelete(arena);
	return result;
}

PG_FUNCTION_INFO_V1(graphlearn_stress_graph);
Datum
graphlearn_stress_graph(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	DistanceRows rows;
	const Graph *graph;
	Datum		result;

	if (lacks_argument(fcinfo))
		PG_RETURN_NULL();
	arena = pg_host_begin(&host, "graphlearn stress");
	graph = graph_argument(&host, PG_GETARG_DATUM(ARG_DATA));
	if (option_bool(fcinfo, ARG_PATHS, false))
		pg_check(&host, distance_rows_from_paths(&host, graph, &rows));
	else
		pg_check(&host,
				 distance_rows_from_graph(&host, graph,
										  option_bool(fcinfo, ARG_SYMMETRIZE,
													  false), &rows));
	result = stress_of(fcinfo, &host, &rows, graph->ids);
	MemoryContextDelete(arena);
	return result;
}
