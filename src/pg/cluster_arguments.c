/*
 * cluster_arguments.c
 *		Clusters of a call before, counts, and rows of clusters.
 */
#include "cluster_arguments.h"
#include "options.h"
#include "rows.h"

#include "utils/memutils.h"

static const OptionWord method_words[] = {
	{"njw", CLUSTER_NJW},
	{"ncut", CLUSTER_NCUT},
	{"weighted_ncut", CLUSTER_WEIGHTED_NCUT},
	{"pic", CLUSTER_PIC},
	{"kwalks", CLUSTER_KWALKS},
	{NULL, 0}
};

static const OptionWord start_words[] = {
	{"random", POWER_RANDOM},
	{"normal", POWER_NORMAL},
	{"degree", POWER_DEGREE},
	{"pagerank", POWER_PAGERANK},
	{NULL, 0}
};

static const OptionWord stop_words[] = {
	{"acceleration", CLUSTER_STOP_ACCELERATION},
	{"cut", CLUSTER_STOP_CUT},
	{"modularity", CLUSTER_STOP_MODULARITY},
	{"count", CLUSTER_STOP_COUNT},
	{NULL, 0}
};

void
cluster_options_argument(FunctionCallInfo fcinfo, const ClusterArguments *at,
						 ClusterOptions *options)
{
	cluster_defaults(options);
	options->cluster_count = count_argument(fcinfo, at->k, "k", 0);
	options->method = option_word(fcinfo, at->method, "method", method_words,
								  options->method);
	options->dimensions = count_argument(fcinfo, at->dims, "dims", 0);
	options->start = option_word(fcinfo, at->start, "start", start_words,
								 options->start);
	options->stop = option_word(fcinfo, at->stop, "stop", stop_words,
								options->stop);
	options->steps = option_float8(fcinfo, at->steps, "steps", options->steps);
	options->damping = option_float8(fcinfo, at->damping, "damping",
									 options->damping);
	options->iteration_limit = count_argument(fcinfo, at->iterations,
											  "iterations", 0);
	options->tolerance = option_float8(fcinfo, at->tolerance, "tolerance",
									   options->tolerance);
	options->restarts = count_argument(fcinfo, at->restarts, "restarts",
									   options->restarts);
	options->seed = option_bigint(fcinfo, at->seed, options->seed);
}

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
