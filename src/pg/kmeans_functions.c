/*
 * kmeans_functions.c
 *		gl_kmeans: clusters of points as they are, without a graph.
 */
#include "value.h"
#include "cluster_arguments.h"
#include "options.h"
#include "rows.h"

#include "utils/memutils.h"

#include "learn/point_clusters.h"

/* Positions of the arguments of gl_kmeans. */
enum
{
	ARG_POINTS, ARG_K, ARG_METRIC, ARG_SCALE, ARG_RESTARTS, ARG_ITERATIONS,
	ARG_TOLERANCE, ARG_SEED, ARG_INIT_IDS, ARG_INIT_CLUSTERS
};

static void
read_options(FunctionCallInfo fcinfo, PointClustersOptions *options)
{
	KmeansOptions *kmeans = &options->kmeans;

	point_clusters_defaults(options);
	if (PG_ARGISNULL(ARG_K))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("k must not be NULL")));
	kmeans->cluster_count = PG_GETARG_INT32(ARG_K);
	options->metric = option_word(fcinfo, ARG_METRIC, "metric", metric_words,
								  options->metric);
	options->scale = option_word(fcinfo, ARG_SCALE, "scale", scale_words,
								 options->scale);
	kmeans->restarts = count_argument(fcinfo, ARG_RESTARTS, "restarts",
									  kmeans->restarts);
	kmeans->iteration_limit = count_argument(fcinfo, ARG_ITERATIONS,
											 "iterations",
											 (int32) kmeans->iteration_limit);
	kmeans->tolerance = option_float8(fcinfo, ARG_TOLERANCE, "tolerance",
									  kmeans->tolerance);
	kmeans->seed = option_bigint(fcinfo, ARG_SEED, kmeans->seed);
}

static void
tell_report(const PointClustersReport *report, int32 cluster_count,
			bool scale_not_given)
{
	notice_column_spread(report->column_spread, scale_not_given);
	if (report->kmeans.empty_count > 0)
		ereport(NOTICE,
				(errmsg("only %d of %d clusters have rows, because no more rows differ",
						cluster_count - report->kmeans.empty_count,
						cluster_count)));
	if (!report->kmeans.converged)
		ereport(WARNING,
				(errmsg("k-means stopped after %lld iterations before the centres had settled",
						(long long) report->kmeans.iterations),
				 errhint("Allow more iterations or a larger tolerance.")));
}

PG_FUNCTION_INFO_V1(graphlearn_kmeans);
Datum
graphlearn_kmeans(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	MemoryContext outer;
	PointClustersOptions options;
	PointClustersReport report;
	PointClusters clusters;
	ClusterStart start;
	const PointSet *points;
	IdSet		set = {.place = "among the points", .from_points = true};

	if (PG_ARGISNULL(ARG_POINTS))
	{
		ResultRows	rows;

		rows_begin(fcinfo, &rows);
		return rows_end(&rows);
	}
	arena = pg_host_begin(&host, "graphlearn kmeans");
	outer = MemoryContextSwitchTo(arena);
	read_options(fcinfo, &options);
	points = points_argument(&host, PG_GETARG_DATUM(ARG_POINTS));
	set.ids = points->ids;
	set.count = points->matrix.row_count;
	cluster_start_argument(fcinfo, ARG_INIT_IDS, &set, &start);
	pg_check(&host, point_clusters_run(&host, points, &options, &start,
									   &clusters, &report));
	MemoryContextSwitchTo(outer);
	tell_report(&report, clusters.kmeans.cluster_count,
				PG_ARGISNULL(ARG_SCALE));
	cluster_rows_result(fcinfo, points->ids, points->matrix.row_count,
						clusters.kmeans.cluster, clusters.distance);
	MemoryContextDelete(arena);
	return (Datum) 0;
}
