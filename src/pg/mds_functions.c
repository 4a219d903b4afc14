/*
 * mds_functions.c
 *		gl_mds of points and of distances, gl_stress.
 */
#include "value.h"
#include "mds_arguments.h"
#include "rows.h"

#include "utils/memutils.h"

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

PG_FUNCTION_INFO_V1(graphlearn_mds_points);
Datum
graphlearn_mds_points(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	MdsRequest	request;
	MdsReport	report;
	Layout		layout;
	double		spread;
	const PointSet *points;
	GraphMetric metric;
	GraphScale	scale;

	if (PG_ARGISNULL(ARG_DATA))
	{
		put_nothing(fcinfo);
		return (Datum) 0;
	}
	arena = pg_host_begin(&host, "graphlearn mds");
	mds_options_argument(fcinfo, &mds_at, &request);
	refuse_stream(fcinfo, &request, true);
	metric = option_word(fcinfo, ARG_METRIC, "metric", metric_words,
						 METRIC_EUCLIDEAN);
	scale = option_word(fcinfo, ARG_SCALE, "scale", scale_words, SCALE_NONE);
	points = points_argument(&host, PG_GETARG_DATUM(ARG_DATA));
	if (!request.stream)
		read_positions(fcinfo, points->ids, points->matrix.row_count,
					   &request.options);
	spread = mds_request_run(&host, &request, points, metric, scale, &layout,
							 &report);
	notice_column_spread(spread, PG_ARGISNULL(ARG_SCALE));
	tell(&report);
	put_layout(fcinfo, points->ids, &layout);
	MemoryContextDelete(arena);
	return (Datum) 0;
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

PG_FUNCTION_INFO_V1(graphlearn_mds_graph);
Datum
graphlearn_mds_graph(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	MdsRequest	request;
	MdsReport	report;
	DistanceRows rows;
	Layout		layout;
	const Graph *graph;

	if (PG_ARGISNULL(ARG_DATA))
	{
		put_nothing(fcinfo);
		return (Datum) 0;
	}
	arena = pg_host_begin(&host, "graphlearn mds");
	mds_options_argument(fcinfo, &mds_at, &request);
	refuse_stream(fcinfo, &request, false);
	graph = graph_argument(&host, PG_GETARG_DATUM(ARG_DATA));
	read_positions(fcinfo, graph->ids, graph->node_count, &request.options);
	read_distances(fcinfo, &host, graph, &request.options, &rows);
	pg_check(&host, mds_run(&host, &rows, &request.options, &layout,
							&report));
	tell(&report);
	put_layout(fcinfo, graph->ids, &layout);
	MemoryContextDelete(arena);
	return (Datum) 0;
}
