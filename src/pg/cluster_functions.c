/*
 * cluster_functions.c
 *		gl_cluster: which nodes of a graph belong together.
 */
#include "value.h"
#include "cluster_arguments.h"
#include "rows.h"

#include "utils/memutils.h"

/* Positions of the arguments of gl_cluster. */
enum
{
	ARG_GRAPH, ARG_K, ARG_METHOD, ARG_DIMS, ARG_START, ARG_STOP, ARG_STEPS,
	ARG_DAMPING, ARG_ITERATIONS, ARG_TOLERANCE, ARG_RESTARTS, ARG_SEED,
	ARG_INIT_IDS, ARG_INIT_CLUSTERS
};

static const ClusterArguments arguments = {
	.k = ARG_K, .method = ARG_METHOD, .dims = ARG_DIMS, .start = ARG_START,
	.stop = ARG_STOP, .steps = ARG_STEPS, .damping = ARG_DAMPING,
	.iterations = ARG_ITERATIONS, .tolerance = ARG_TOLERANCE,
	.restarts = ARG_RESTARTS, .seed = ARG_SEED
};

static void
tell_report(const ClusterOptions *options, const ClusterReport *report)
{
	int			alone = report->cluster_count - 1;

	if (options->cluster_count == 0 && report->cluster_count > 0)
		ereport(NOTICE,
				(errmsg("k = %d, where the eigenvalues of the graph fall most",
						report->cluster_count)));
	if (report->component_count > report->cluster_count)
		ereport(NOTICE,
				(errmsg("the graph is in %d pieces, more than clusters",
						report->component_count),
				 alone == 1 ?
				 errdetail("The largest piece is a cluster, all others together are one.") :
				 errdetail("The %d largest pieces are clusters, all others together are one.",
						   alone),
				 errhint("A graph with more edges may hang together.")));
	else if (report->found_count < report->cluster_count)
		ereport(NOTICE,
				(errmsg("only %d of %d clusters have nodes",
						report->found_count, report->cluster_count)));
	if (report->was_flat)
		ereport(NOTICE,
				(errmsg("the start is the same at all nodes, so a random one was taken")));
	if (!report->converged)
		ereport(WARNING,
				(errmsg("clustering stopped after %lld iterations with a residual of %g",
						(long long) report->iterations, report->residual),
				 errhint("Allow a larger tolerance.")));
}

PG_FUNCTION_INFO_V1(graphlearn_cluster);
Datum
graphlearn_cluster(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	MemoryContext outer;
	ClusterOptions options;
	ClusterReport report;
	ClusterResult result;
	ClusterStart start;
	IdSet		set;
	const Graph *graph;

	if (PG_ARGISNULL(ARG_GRAPH))
	{
		ResultRows	rows;

		rows_begin(fcinfo, &rows);
		return rows_end(&rows);
	}
	arena = pg_host_begin(&host, "graphlearn cluster");
	outer = MemoryContextSwitchTo(arena);
	cluster_options_argument(fcinfo, &arguments, &options);
	graph = graph_argument(&host, PG_GETARG_DATUM(ARG_GRAPH));
	set = graph_ids(graph);
	cluster_start_argument(fcinfo, ARG_INIT_IDS, &set, &start);
	if (start.count > 0 && options.cluster_count == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("k must be given where init_clusters are")));
	pg_check(&host, cluster_run(&host, graph, &options, &start, &result,
								&report));
	MemoryContextSwitchTo(outer);
	tell_report(&options, &report);
	cluster_rows_result(fcinfo, graph->ids, graph->node_count,
						result.cluster, result.distance);
	MemoryContextDelete(arena);
	return (Datum) 0;
}
