/*
 * mds_functions.c
 *		gl_mds and gl_mds_model of points and of distances.
 */
#include "value.h"
#include "mds_arguments.h"
#include "rows.h"

#include "utils/memutils.h"

#include "embed/mds_model.h"

/* Positions of the arguments that both forms of gl_mds share. */
enum
{
	ARG_DATA, ARG_DIMS, ARG_METHOD, ARG_LOSS, ARG_POWER, ARG_SPACE,
	ARG_RADIUS, ARG_SWEEP, ARG_LANDMARKS, ARG_PASSES, ARG_POLICY,
	ARG_INIT_IDS, ARG_INIT_COORDS, ARG_ANCHOR_IDS, ARG_ANCHOR_COORDS,
	ARG_ITERATIONS, ARG_TOLERANCE, ARG_SEED, ARG_OWN
};

/* The last ones, of points; */
enum
{
	ARG_METRIC = ARG_OWN, ARG_SCALE
};

/* and of distances. */
enum
{
	ARG_PATHS = ARG_OWN, ARG_SYMMETRIZE
};

static const MdsArguments mds_at = {
	.dims = ARG_DIMS, .method = ARG_METHOD, .loss = ARG_LOSS,
	.power = ARG_POWER, .space = ARG_SPACE, .radius = ARG_RADIUS,
	.sweep = ARG_SWEEP, .landmarks = ARG_LANDMARKS, .passes = ARG_PASSES,
	.policy = ARG_POLICY, .iterations = ARG_ITERATIONS,
	.tolerance = ARG_TOLERANCE, .seed = ARG_SEED
};

/* --- results --------------------------------------------------------------- */

static void
put_layout(FunctionCallInfo fcinfo, const int64_t *ids, const Layout *layout)
{
	ResultRows	rows;
	double		position[LAYOUT_MAX_AXES];

	rows_begin(fcinfo, &rows);
	for (int64 i = 0; i < layout->point_count; i++)
	{
		rows.values[0] = Int64GetDatum(ids[i]);
		layout_get(layout, i, position);
		rows.values[1] = rows_float8_array(position, layout->axes);
		rows_put(&rows);
	}
	rows_end(&rows);
}

static void
put_nothing(FunctionCallInfo fcinfo)
{
	ResultRows	rows;

	rows_begin(fcinfo, &rows);
	rows_end(&rows);
}

static void
tell(const MdsReport *report)
{
	if (report->component_count > 1)
		ereport(NOTICE,
				(errmsg("the known distances fall apart into %d components, each placed by itself",
						report->component_count),
				 errhint("Coordinates of different components cannot be compared; gl_components tells them.")));
	warn_not_settled(&report->place);
}

/* --- gl_mds ---------------------------------------------------------------- */

static void
read_positions(FunctionCallInfo fcinfo, const int64_t *ids, int64_t count,
			   MdsOptions *options)
{
	int32_t		axes = options->dimensions +
		(options->place.space == MDS_FLAT ? 0 : 1);

	options->initial = positions_argument(fcinfo, ARG_INIT_IDS, "init_ids",
										  "init_coords", ids, count, axes);
	options->anchors = positions_argument(fcinfo, ARG_ANCHOR_IDS,
										  "anchor_ids", "anchor_coords", ids,
										  count, axes);
}

static void
refuse_stream(FunctionCallInfo fcinfo, const MdsRequest *request,
			  bool of_points)
{
	if (!request->stream)
		return;
	if (!of_points)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("method => 'stream' places points, not distances"),
				 errhint("Use gl_mds(points), or method => 'landmark'.")));
	if (!PG_ARGISNULL(ARG_INIT_IDS) || !PG_ARGISNULL(ARG_ANCHOR_IDS))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("method => 'stream' takes no known positions"),
				 errhint("Use method => 'place'.")));
}

/* A map as the arguments ask for it, and what it was made of. */
typedef struct DrawnMap
{
	MdsRequest	request;
	GraphMetric metric;			/* METRIC_NONE: from a table */
	GraphScale	scale;
	const int64_t *ids;
	Layout		layout;
	MdsReport	report;
} DrawnMap;

static void
draw_points(FunctionCallInfo fcinfo, GlHost *host, const PointSet *points,
			DrawnMap *map)
{
	double		spread;

	mds_options_argument(fcinfo, &mds_at, &map->request);
	refuse_stream(fcinfo, &map->request, true);
	map->metric = option_word(fcinfo, ARG_METRIC, "metric", metric_words,
							  METRIC_EUCLIDEAN);
	map->scale = option_word(fcinfo, ARG_SCALE, "scale", scale_words,
							 SCALE_NONE);
	map->ids = points->ids;
	if (!map->request.stream)
		read_positions(fcinfo, points->ids, points->matrix.row_count,
					   &map->request.options);
	spread = mds_request_run(host, &map->request, points, map->metric,
							 map->scale, &map->layout, &map->report);
	notice_column_spread(spread, PG_ARGISNULL(ARG_SCALE));
	tell(&map->report);
}

/* A table as it is, or every pair by its paths where the method needs that. */
static void
read_distances(FunctionCallInfo fcinfo, GlHost *host, const Graph *graph,
			   const MdsOptions *options, DistanceRows *rows)
{
	bool		paths = option_bool(fcinfo, ARG_PATHS, false);
	bool		few_rows = options->method == MDS_LANDMARK ||
		options->method == MDS_PIVOT || options->method == MDS_FASTMAP;

	if (paths && !few_rows)
		pg_check(host, distance_rows_from_paths(host, graph, rows));
	else
		pg_check(host, distance_rows_from_graph(host, graph,
												option_bool(fcinfo,
															ARG_SYMMETRIZE,
															false), rows));
}

static void
draw_graph(FunctionCallInfo fcinfo, GlHost *host, const Graph *graph,
		   DrawnMap *map)
{
	MdsOptions *options = &map->request.options;
	DistanceRows rows;

	mds_options_argument(fcinfo, &mds_at, &map->request);
	refuse_stream(fcinfo, &map->request, false);
	map->metric = METRIC_NONE;
	map->scale = SCALE_NONE;
	map->ids = graph->ids;
	read_positions(fcinfo, graph->ids, graph->node_count, options);
	read_distances(fcinfo, host, graph, options, &rows);
	pg_check(host, mds_run(host, &rows, options, &map->layout,
						   &map->report));
	distance_rows_release(host, &rows);
	tell(&map->report);
}

PG_FUNCTION_INFO_V1(graphlearn_mds_points);
Datum
graphlearn_mds_points(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	DrawnMap	map;

	if (PG_ARGISNULL(ARG_DATA))
	{
		put_nothing(fcinfo);
		return (Datum) 0;
	}
	arena = pg_host_begin(&host, "graphlearn mds");
	draw_points(fcinfo, &host,
				points_argument(&host, PG_GETARG_DATUM(ARG_DATA)), &map);
	put_layout(fcinfo, map.ids, &map.layout);
	MemoryContextDelete(arena);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(graphlearn_mds_graph);
Datum
graphlearn_mds_graph(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	DrawnMap	map;

	if (PG_ARGISNULL(ARG_DATA))
	{
		put_nothing(fcinfo);
		return (Datum) 0;
	}
	arena = pg_host_begin(&host, "graphlearn mds");
	draw_graph(fcinfo, &host,
			   graph_argument(&host, PG_GETARG_DATUM(ARG_DATA)), &map);
	put_layout(fcinfo, map.ids, &map.layout);
	MemoryContextDelete(arena);
	return (Datum) 0;
}

/* --- gl_mds_model ---------------------------------------------------------- */

/*
 * The model of a map; what was only needed to draw it is in the arena, the
 * rest in the value.
 */
static Datum
map_model(GlHost *host, ExpandedValue *expanded, const DrawnMap *map,
		  const GlValue *kept)
{
	Model		model;
	int			method = map->request.stream ? MDS_METHOD_STREAM :
		(int) map->request.options.method;

	pg_check(host, mds_model_fit(host, &map->layout,
								 &map->request.options.place, map->metric,
								 map->scale, method, &map->report, &model));
	if (kept == NULL)
	{
		int64_t    *ids = pg_allocate(host, model.row_count, sizeof(int64_t));

		memcpy(ids, map->ids, model.row_count * sizeof(int64_t));
		model.ids = ids;
	}
	return model_result(host, expanded, kept, &model);
}

PG_FUNCTION_INFO_V1(graphlearn_mds_model_points);
Datum
graphlearn_mds_model_points(PG_FUNCTION_ARGS)
{
	GlHost		work;
	GlHost		host;
	MemoryContext arena;
	ExpandedValue *expanded;
	const GlValue *value;
	DrawnMap	map;
	Datum		result;

	if (PG_ARGISNULL(ARG_DATA))
		PG_RETURN_NULL();
	arena = pg_host_begin(&work, "graphlearn mds");
	value = value_argument(&work, VALUE_POINTS, PG_GETARG_DATUM(ARG_DATA));
	draw_points(fcinfo, &work, &value->points, &map);
	expanded = value_begin(&host, VALUE_MODEL, "graphlearn mds model");
	result = map_model(&host, expanded, &map, value);
	MemoryContextDelete(arena);
	return result;
}

PG_FUNCTION_INFO_V1(graphlearn_mds_model_graph);
Datum
graphlearn_mds_model_graph(PG_FUNCTION_ARGS)
{
	GlHost		work;
	GlHost		host;
	MemoryContext arena;
	ExpandedValue *expanded;
	DrawnMap	map;
	Datum		result;

	if (PG_ARGISNULL(ARG_DATA))
		PG_RETURN_NULL();
	arena = pg_host_begin(&work, "graphlearn mds");
	draw_graph(fcinfo, &work,
			   graph_argument(&work, PG_GETARG_DATUM(ARG_DATA)), &map);
	expanded = value_begin(&host, VALUE_MODEL, "graphlearn mds model");
	result = map_model(&host, expanded, &map, NULL);
	MemoryContextDelete(arena);
	return result;
}
