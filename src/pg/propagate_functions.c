/*
 * propagate_functions.c
 *		gl_propagate: label propagation on any graph, for labels of any type.
 */
#include "value.h"
#include "label_arguments.h"
#include "propagate_arguments.h"
#include "rows.h"

#include "utils/builtins.h"
#include "utils/memutils.h"

/* Positions of the arguments of gl_propagate. */
enum
{
	ARG_GRAPH, ARG_IDS, ARG_LABELS, ARG_METHOD, ARG_DAMPING, ARG_PRIOR,
	ARG_PRIOR_WEIGHT, ARG_CLASS_PRIOR, ARG_MULTILABEL, ARG_ITERATIONS,
	ARG_TOLERANCE, ARG_NORMALISE, ARG_TELEPORT, ARG_INJECTION
};

static const PropagateArguments option_arguments = {
	.method = ARG_METHOD, .damping = ARG_DAMPING, .prior = ARG_PRIOR,
	.prior_weight = ARG_PRIOR_WEIGHT, .class_prior = ARG_CLASS_PRIOR,
	.iterations = ARG_ITERATIONS, .tolerance = ARG_TOLERANCE,
	.multilabel = ARG_MULTILABEL, .normalise = ARG_NORMALISE,
	.teleport = ARG_TELEPORT
};

static void
put_rows(FunctionCallInfo fcinfo, const Graph *graph,
		 const PropagateResult *result, const LabelClasses *classes)
{
	ResultRows	rows;

	rows_begin(fcinfo, &rows);
	for (int64 i = 0; i < graph->node_count; i++)
	{
		int32_t		winner = result->winner[i];

		rows.values[0] = Int64GetDatum(graph->ids[i]);
		rows.nulls[1] = winner < 0;
		rows.values[1] = winner < 0 ? (Datum) 0 : classes->label[winner];
		rows.values[2] = Float8GetDatum(result->confidence[i]);
		rows.values[3] =
			rows_float8_array(result->scores + i * result->class_count,
							  result->class_count);
		rows_put(&rows);
	}
	rows_end(&rows);
}

PG_FUNCTION_INFO_V1(graphlearn_propagate);
Datum
graphlearn_propagate(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	PropagateOptions options;
	PropagateReport report;
	PropagateResult result;
	LabelSeeds	seeds;
	LabelClasses classes;
	const Graph *graph;

	if (PG_ARGISNULL(ARG_GRAPH))
	{
		ResultRows	rows;

		rows_begin(fcinfo, &rows);
		return rows_end(&rows);
	}
	arena = pg_host_begin(&host, "graphlearn propagate");
	propagate_options_argument(fcinfo, &option_arguments, &options);
	graph = graph_argument(&host, PG_GETARG_DATUM(ARG_GRAPH));
	label_seeds_argument(fcinfo, ARG_IDS, graph, &seeds, &classes);
	injection_argument(fcinfo, ARG_INJECTION, ARG_IDS, graph, &options);
	if (seeds.seed_count == 0)
		ereport(NOTICE,
				(errmsg("no labels were given, so no row gets one")));
	pg_check(&host, propagate_run(&host, graph, &seeds, &options, &result,
								  &report));
	warn_not_converged(&report);
	put_rows(fcinfo, graph, &result, &classes);
	MemoryContextDelete(arena);
	return (Datum) 0;
}
