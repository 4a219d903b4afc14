/*
 * rank_functions.c
 *		gl_rank and gl_label_candidates: which rows of a graph matter.
 */
#include "value.h"
#include "node_arguments.h"
#include "options.h"
#include "rows.h"

#include "utils/memutils.h"

#include "learn/label_candidates.h"
#include "learn/page_rank.h"

static int
compare_nodes(const void *a, const void *b)
{
	int32_t		left = *(const int32_t *) a;
	int32_t		right = *(const int32_t *) b;

	return left < right ? -1 : left > right;
}

/* Sort, and drop repeats; returns how many are left. */
static int
distinct_nodes(int32_t *nodes, int count)
{
	int			kept = 0;

	qsort(nodes, count, sizeof(int32_t), compare_nodes);
	for (int i = 0; i < count; i++)
		if (i == 0 || nodes[i] != nodes[i - 1])
			nodes[kept++] = nodes[i];
	return kept;
}

PG_FUNCTION_INFO_V1(graphlearn_rank);
Datum
graphlearn_rank(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	ResultRows	rows;
	DampedWalkReport report;
	const Graph *graph;
	int32_t    *nodes;
	int			count;
	double		damping;
	double	   *score;

	if (PG_ARGISNULL(0))
	{
		rows_begin(fcinfo, &rows);
		return rows_end(&rows);
	}
	arena = pg_host_begin(&host, "graphlearn rank");
	damping = option_float8(fcinfo, 2, "damping", PAGE_RANK_DAMPING);
	graph = graph_argument(&host, PG_GETARG_DATUM(0));
	nodes = node_list_argument(fcinfo, 1, "ids", graph, &count);
	count = distinct_nodes(nodes, count);
	score = pg_allocate(&host, graph->node_count, sizeof(double));
	pg_check(&host, page_rank_run(&host, graph, nodes, count, damping, score,
								  &report));
	if (!report.converged)
		ereport(WARNING,
				(errmsg("ranking stopped after %lld iterations with a residual of %g",
						(long long) report.products, report.residual),
				 errhint("Use less damping.")));
	rows_begin(fcinfo, &rows);
	for (int64 i = 0; i < graph->node_count; i++)
	{
		rows.values[0] = Int64GetDatum(graph->ids[i]);
		rows.values[1] = Float8GetDatum(score[i]);
		rows_put(&rows);
	}
	rows_end(&rows);
	MemoryContextDelete(arena);
	return (Datum) 0;
}

static const OptionWord candidate_words[] = {
	{"pagerank", CANDIDATES_PAGERANK},
	{"degree", CANDIDATES_DEGREE},
	{"random", CANDIDATES_RANDOM},
	{"farthest", CANDIDATES_FARTHEST},
	{NULL, 0}
};

PG_FUNCTION_INFO_V1(graphlearn_label_candidates);
Datum
graphlearn_label_candidates(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	ResultRows	rows;
	CandidateOptions options;
	const Graph *graph;
	int32_t    *labelled;
	int			labelled_count;
	int32_t    *chosen;
	int64_t		chosen_count;

	if (PG_ARGISNULL(0))
	{
		rows_begin(fcinfo, &rows);
		return rows_end(&rows);
	}
	arena = pg_host_begin(&host, "graphlearn label candidates");
	label_candidates_defaults(&options);
	if (!PG_ARGISNULL(1))
		options.count = PG_GETARG_INT32(1);
	options.method = option_word(fcinfo, 2, "method", candidate_words,
								 options.method);
	options.seed = option_bigint(fcinfo, 4, options.seed);
	graph = graph_argument(&host, PG_GETARG_DATUM(0));
	labelled = node_list_argument(fcinfo, 3, "labelled", graph,
								  &labelled_count);
	pg_check(&host, label_candidates_run(&host, graph, labelled,
										 labelled_count, &options, &chosen,
										 &chosen_count));
	rows_begin(fcinfo, &rows);
	for (int64 k = 0; k < chosen_count; k++)
	{
		rows.values[0] = Int64GetDatum(graph->ids[chosen[k]]);
		rows.values[1] = Int32GetDatum((int32) k + 1);
		rows_put(&rows);
	}
	rows_end(&rows);
	MemoryContextDelete(arena);
	return (Datum) 0;
}
