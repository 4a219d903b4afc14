/*
 * mds_window.c
 *		gl_mds as a window function: a map of the rows of a partition.
 */
#include "mds_arguments.h"
#include "rows.h"
#include "window_points.h"

/* Positions of the arguments. */
enum
{
	ARG_FEATURES, ARG_DIMS, ARG_METHOD, ARG_LOSS, ARG_POWER, ARG_SPACE,
	ARG_RADIUS, ARG_SWEEP, ARG_LANDMARKS, ARG_PASSES, ARG_POLICY,
	ARG_ITERATIONS, ARG_TOLERANCE, ARG_SEED, ARG_METRIC, ARG_SCALE
};

static const MdsArguments mds_at = {
	.dims = ARG_DIMS, .method = ARG_METHOD, .loss = ARG_LOSS,
	.power = ARG_POWER, .space = ARG_SPACE, .radius = ARG_RADIUS,
	.sweep = ARG_SWEEP, .landmarks = ARG_LANDMARKS, .passes = ARG_PASSES,
	.policy = ARG_POLICY, .iterations = ARG_ITERATIONS,
	.tolerance = ARG_TOLERANCE, .seed = ARG_SEED
};

/* What is kept of a partition, in its memory. */
typedef struct MapAnswers
{
	bool		is_ready;
	const int32 *node_of_row;
	Layout		layout;
} MapAnswers;

static void
draw(WindowPoints *rows, const MdsRequest *request, MapAnswers *answers)
{
	FunctionCallInfo fcinfo = rows->fcinfo;
	GraphMetric metric = option_word(fcinfo, ARG_METRIC, "metric",
									 metric_words, METRIC_EUCLIDEAN);
	GraphScale	scale = option_word(fcinfo, ARG_SCALE, "scale", scale_words,
									SCALE_NONE);
	MdsReport	report;
	Layout		layout;
	double		spread;
	Size		bytes;

	spread = mds_request_run(&rows->host, request, &rows->points, metric,
							 scale, &layout, &report);
	if (window_first_notice(fcinfo, WINDOW_COLUMN_SPREAD))
		notice_column_spread(spread, PG_ARGISNULL(ARG_SCALE));
	if (!report.place.converged &&
		window_first_notice(fcinfo, WINDOW_NOT_CONVERGED))
		warn_not_settled(&report.place);
	bytes = sizeof(double) * (Size) layout.point_count * (Size) layout.axes;
	answers->layout = layout;
	answers->layout.coordinates =
		memcpy(MemoryContextAllocHuge(rows->partition, bytes),
			   layout.coordinates, bytes);
}

static void
answer_partition(FunctionCallInfo fcinfo, MapAnswers *answers)
{
	WindowPoints rows;
	MdsRequest	request;
	MemoryContext old;

	window_points_begin(&rows, fcinfo, ARG_DIMS, answers);
	old = MemoryContextSwitchTo(rows.work);
	mds_options_argument(fcinfo, &mds_at, &request);
	while (window_points_next(&rows))
		;
	window_points_sort(&rows, NULL);
	answers->node_of_row = rows.node_of_row;
	if (rows.points.matrix.row_count > 0)
		draw(&rows, &request, answers);
	MemoryContextSwitchTo(old);
	window_points_end(&rows);
	answers->is_ready = true;
}

PG_FUNCTION_INFO_V1(graphlearn_mds_window);
Datum
graphlearn_mds_window(PG_FUNCTION_ARGS)
{
	WindowObject window = PG_WINDOW_OBJECT();
	MapAnswers *answers = WinGetPartitionLocalMemory(window,
													 sizeof(MapAnswers));
	double		position[LAYOUT_MAX_AXES];
	int32		node;

	if (!answers->is_ready)
		answer_partition(fcinfo, answers);
	node = answers->node_of_row[WinGetCurrentPosition(window)];
	if (node < 0)
		PG_RETURN_NULL();
	layout_get(&answers->layout, node, position);
	PG_RETURN_DATUM(rows_float8_array(position, answers->layout.axes));
}
