/*
 * stress_functions.c
 *		gl_stress: how well given coordinates show given distances.
 */
#include "value.h"
#include "mds_arguments.h"

#include <math.h>

#include "funcapi.h"
#include "utils/array.h"
#include "utils/memutils.h"

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

typedef struct StressSums
{
	double		squares;		/* sum w r^2 over unordered pairs */
	double		wanted;			/* sum w d^2 */
} StressSums;

/* Pairs of the known points only; place[i] is a point's position or -1. */
static void
sum_stress(GlHost *host, const PlaceRule *rule, DistanceRows *rows,
		   const KnownPositions *known, int32_t axes, StressSums *sums)
{
	int32_t    *place = gl_allocate(host, rows->point_count, sizeof(int32_t));

	if (place == NULL)
		pg_host_raise(host, host->status);
	for (int64 i = 0; i < rows->point_count; i++)
		place[i] = -1;
	for (int64 k = 0; k < known->count; k++)
		place[known->point[k]] = (int32_t) k;
	*sums = (StressSums) {0};
	for (int64 k = 0; k < known->count; k++)
	{
		DistanceRow row;

		pg_check(host, distance_rows_get(host, rows, known->point[k], &row));
		for (int64 e = 0; e < row.count; e++)
		{
			int32_t		other = place[row.target == NULL ? e : row.target[e]];
			double		weight = row.weight == NULL ? 1 : row.weight[e];
			double		residual;

			if (other <= k)
				continue;
			residual = place_step_distance(rule, axes,
										   known->coordinates + k * axes,
										   known->coordinates + other * axes) -
				row.length[e];
			sums->squares += weight * residual * residual;
			sums->wanted += weight * row.length[e] * row.length[e];
		}
		pg_check(host, gl_work(host, row.count * (axes + 4)));
	}
}

static Datum
stress_datum(FunctionCallInfo fcinfo, const StressSums *sums)
{
	TupleDesc	descriptor;
	Datum		values[2];
	bool		nulls[2] = {false, false};

	if (get_call_result_type(fcinfo, NULL, &descriptor) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "gl_stress must return a row");
	values[0] = Float8GetDatum(sums->squares);
	values[1] = Float8GetDatum(sums->wanted > 0 ?
							   sqrt(sums->squares / sums->wanted) : 0);
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
	StressSums	sums;

	sum_stress(host, &rule, rows, &known, axes, &sums);
	return stress_datum(fcinfo, &sums);
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
