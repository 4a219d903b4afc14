/*
 * propagate_functions.c
 *		gl_propagate: label propagation on any graph, for labels of any type.
 */
#include "value.h"
#include "label_arguments.h"
#include "node_arguments.h"
#include "options.h"
#include "rows.h"

#include "catalog/pg_type.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

static const OptionWord method_words[] = {
	{"harmonic", PROPAGATE_HARMONIC},
	{"lgc", PROPAGATE_LGC},
	{NULL, 0}
};

static const OptionWord prior_words[] = {
	{"seeds", PRIOR_SEEDS},
	{"uniform", PRIOR_UNIFORM},
	{"none", PRIOR_NONE},
	{NULL, 0}
};

/* Positions of the arguments of gl_propagate. */
enum
{
	ARG_GRAPH, ARG_IDS, ARG_LABELS, ARG_METHOD, ARG_DAMPING, ARG_PRIOR,
	ARG_PRIOR_WEIGHT, ARG_CLASS_PRIOR, ARG_MULTILABEL, ARG_ITERATIONS,
	ARG_TOLERANCE
};

static void
read_options(FunctionCallInfo fcinfo, PropagateOptions *options)
{
	propagate_defaults(options);
	options->method = option_word(fcinfo, ARG_METHOD, "method", method_words,
								  options->method);
	options->prior = option_word(fcinfo, ARG_PRIOR, "prior", prior_words,
								 options->prior);
	options->prior_weight = option_float8(fcinfo, ARG_PRIOR_WEIGHT,
										  "prior_weight",
										  options->prior_weight);
	options->multilabel = option_bool(fcinfo, ARG_MULTILABEL, false);
	options->tolerance = option_float8(fcinfo, ARG_TOLERANCE, "tolerance",
									   options->tolerance);
	/* the core's word for "not given" is NaN, which no user can say */
	options->damping = option_float8(fcinfo, ARG_DAMPING, "damping",
									 options->damping);
	if (!PG_ARGISNULL(ARG_ITERATIONS))
	{
		options->iteration_limit = PG_GETARG_INT32(ARG_ITERATIONS);
		if (options->iteration_limit < 1)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("iterations must be at least 1, not %d",
							PG_GETARG_INT32(ARG_ITERATIONS))));
	}
	if (!PG_ARGISNULL(ARG_CLASS_PRIOR))
	{
		ElementList given = element_list_argument(fcinfo, ARG_CLASS_PRIOR,
												  "class_prior");
		double	   *prior = palloc(sizeof(double) * Max(given.count, 1));

		for (int i = 0; i < given.count; i++)
		{
			if (given.nulls[i])
				ereport(ERROR,
						(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
						 errmsg("element %d of class_prior is NULL", i + 1)));
			prior[i] = DatumGetFloat8(given.values[i]);
		}
		options->class_prior = prior;
		options->class_prior_count = given.count;
	}
}

static Datum
scores_datum(const double *scores, int32 count)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(count, 1));

	for (int32 c = 0; c < count; c++)
		elements[c] = Float8GetDatum(scores[c]);
	return PointerGetDatum(construct_array(elements, count, FLOAT8OID,
										   sizeof(float8), FLOAT8PASSBYVAL,
										   TYPALIGN_DOUBLE));
}

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
			scores_datum(result->scores + i * result->class_count,
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
	read_options(fcinfo, &options);
	graph = graph_argument(&host, PG_GETARG_DATUM(ARG_GRAPH));
	label_seeds_argument(fcinfo, ARG_IDS, graph, &seeds, &classes);
	if (seeds.seed_count == 0)
		ereport(NOTICE,
				(errmsg("no labels were given, so no row gets one")));
	pg_check(&host, propagate_run(&host, graph, &seeds, &options, &result,
								  &report));
	if (!report.converged)
		ereport(WARNING,
				(errmsg("label propagation stopped after %lld iterations with a residual of %g",
						(long long) report.iterations, report.residual),
				 errhint("Allow more iterations, a larger tolerance or less damping.")));
	put_rows(fcinfo, graph, &result, &classes);
	MemoryContextDelete(arena);
	return (Datum) 0;
}
