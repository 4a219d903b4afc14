/*
 * window_graph.c
 *		Build the graph of a window partition.
 */
#include "window_graph.h"
#include "options.h"

void
window_graph_build(WindowPoints *rows, const BuilderArguments *at,
				   WindowGraph *out)
{
	FunctionCallInfo fcinfo = rows->fcinfo;
	PointGraphOptions options;
	Graph	   *graph;
	double		column_spread;

	builder_options_argument(fcinfo, at, &options);
	options.lower_k = true;
	options.keep_points = false;
	pg_check(&rows->host,
			 default_graph_build(&rows->host, &rows->points, &options,
								 builder_options_need_neighbours(fcinfo, at,
																 &options) ?
								 CHOICE_NEIGHBOURS : CHOICE_BY_SIZE,
								 &out->sparse, &out->forest, &graph,
								 &column_spread));
	out->graph = graph;
	if (column_spread_is_wide(column_spread) && PG_ARGISNULL(at->scale) &&
		window_first_notice(fcinfo, WINDOW_COLUMN_SPREAD))
		notice_column_spread(column_spread, true);
}
