/*
 * cluster_arguments.c
 *		Clusters of a call before, counts, and rows of clusters.
 */
#include "cluster_arguments.h"
#include "rows.h"

#include "utils/memutils.h"

void
cluster_start_argument(FunctionCallInfo fcinfo, int init_ids,
					   const IdSet *set, ClusterStart *start)
{
	ElementList clusters;
	int32_t    *rows = id_pairs_argument(fcinfo, init_ids, "init_ids",
										 "init_clusters", set, &clusters);
	int32_t    *numbers = MemoryContextAllocHuge(CurrentMemoryContext,
												 sizeof(int32_t) *
												 (Size) Max(clusters.count, 1));
	int			kept = 0;

	for (int i = 0; i < clusters.count; i++)
	{
		int32		cluster;

		if (clusters.nulls[i])
			continue;
		cluster = DatumGetInt32(clusters.values[i]);
		rows[kept] = rows[i];
		/* no cluster has the number 0; neither may the subtraction wrap */
		numbers[kept++] = cluster < 0 ? -1 : cluster - 1;
	}
	start->count = kept;
	start->row = rows;
	start->cluster = numbers;
}

int32
count_argument(FunctionCallInfo fcinfo, int argument, const char *name,
			   int32 default_value)
{
	int32		given;

	if (PG_ARGISNULL(argument))
		return default_value;
	given = PG_GETARG_INT32(argument);
	if (given < 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be at least 1, not %d", name, given)));
	return given;
}

void
cluster_rows_result(FunctionCallInfo fcinfo, const int64_t *ids, int64 count,
					const int32_t *cluster, const double *distance)
{
	ResultRows	rows;

	rows_begin(fcinfo, &rows);
	for (int64 i = 0; i < count; i++)
	{
		rows.values[0] = Int64GetDatum(ids[i]);
		rows.nulls[1] = rows.nulls[2] = cluster[i] < 0;
		rows.values[1] = Int32GetDatum(cluster[i] + 1);
		rows.values[2] = Float8GetDatum(distance[i]);
		rows_put(&rows);
	}
	rows_end(&rows);
}
