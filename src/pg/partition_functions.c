/*
 * partition_functions.c
 *		gl_modularity and gl_conductance: how well clusters fit a graph.
 *
 * A node that the arrays do not name, or whose cluster is NULL, is in no
 * cluster: its edges count in the totals and as leaving the other end's
 * cluster.
 */
#include "value.h"
#include "node_arguments.h"

#include "utils/memutils.h"

#include "measure/partition_quality.h"

typedef GlStatus (*PartitionMeasure) (GlHost *host, const Graph *graph,
									  const Partition *partition,
									  bool *is_defined, double *value);

/* The assignment that arguments 1 (ids) and 2 (clusters) describe. */
static void
partition_argument(FunctionCallInfo fcinfo, GlHost *host, const Graph *graph,
				   Partition *partition)
{
	ElementList clusters;
	int32_t    *nodes = node_pairs_argument(fcinfo, 1, graph, "clusters",
											&clusters);
	int32_t    *labels = MemoryContextAllocHuge(CurrentMemoryContext,
												sizeof(int32_t) *
												(Size) Max(clusters.count, 1));

	for (int i = 0; i < clusters.count; i++)
		labels[i] = clusters.nulls[i] ? 0 : DatumGetInt32(clusters.values[i]);
	pg_check(host, partition_build(host, graph, nodes, labels, clusters.nulls,
								   clusters.count, partition));
}

static Datum
partition_measure(FunctionCallInfo fcinfo, PartitionMeasure measure)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn partition");
	MemoryContext outer = MemoryContextSwitchTo(arena);
	const Graph *graph = graph_argument(&host, PG_GETARG_DATUM(0));
	Partition	partition;
	bool		is_defined;
	double		value;

	partition_argument(fcinfo, &host, graph, &partition);
	pg_check(&host, measure(&host, graph, &partition, &is_defined, &value));
	MemoryContextSwitchTo(outer);
	MemoryContextDelete(arena);
	if (!is_defined)
		PG_RETURN_NULL();
	PG_RETURN_FLOAT8(value);
}

PG_FUNCTION_INFO_V1(graphlearn_modularity);
Datum
graphlearn_modularity(PG_FUNCTION_ARGS)
{
	return partition_measure(fcinfo, partition_modularity);
}

PG_FUNCTION_INFO_V1(graphlearn_conductance);
Datum
graphlearn_conductance(PG_FUNCTION_ARGS)
{
	return partition_measure(fcinfo, partition_conductance);
}
