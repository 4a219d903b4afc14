/*
 * propagate_arguments.c
 *		Read the options of label propagation.
 */
#include "propagate_arguments.h"
#include "node_arguments.h"

#include <math.h>

const OptionWord propagate_method_words[] = {
	{"harmonic", PROPAGATE_HARMONIC},
	{"lgc", PROPAGATE_LGC},
	{"mrw", PROPAGATE_MRW},
	{"wvrn", PROPAGATE_WVRN},
	{"adsorption", PROPAGATE_ADSORPTION},
	{"walk", PROPAGATE_WALK},
	{NULL, 0}
};

static const OptionWord normalise_words[] = {
	{"symmetric", NORMALISE_SYMMETRIC},
	{"walk", NORMALISE_WALK},
	{"spread", NORMALISE_SPREAD},
	{NULL, 0}
};

const OptionWord propagate_prior_words[] = {
	{"seeds", PRIOR_SEEDS},
	{"uniform", PRIOR_UNIFORM},
	{"none", PRIOR_NONE},
	{NULL, 0}
};

static void
read_class_prior(FunctionCallInfo fcinfo, int argument,
				 PropagateOptions *options)
{
	ElementList given = element_list_argument(fcinfo, argument,
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

/* One weight into its place; a place that is NaN is free. */
static void
put_injection(double weight, int64 id, double *place)
{
	if (!(weight > 0) || isinf(weight))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("injection must be positive and finite, but is %s at id " INT64_FORMAT,
						isnan(weight) ? "NaN" : isinf(weight) ?
						(weight > 0 ? "Infinity" : "-Infinity") :
						psprintf("%g", weight), id)));
	if (!isnan(*place) && *place != weight)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("id " INT64_FORMAT " has two different weights in injection",
						id)));
	*place = weight;
}

void
injection_argument(FunctionCallInfo fcinfo, int argument, int ids,
				   const Graph *graph, PropagateOptions *options)
{
	ElementList id_list;
	ElementList weights;
	double	   *injection;

	if (PG_ARGISNULL(argument))
		return;
	weights = element_list_argument(fcinfo, argument, "injection");
	id_list = element_list_argument(fcinfo, ids, "ids");
	if (weights.count != 1)
		check_same_length(fcinfo, ids, "ids", id_list.count, argument,
						  "injection", weights.count);
	injection = palloc(sizeof(double) * Max(graph->node_count, 1));
	for (int64 i = 0; i < graph->node_count; i++)
		injection[i] = NAN;
	for (int i = 0; i < id_list.count; i++)
	{
		int			w = weights.count == 1 ? 0 : i;
		int64		id = DatumGetInt64(id_list.values[i]);
		int64		node = point_set_find(graph->ids, graph->node_count, id);

		/* an id without a label need not be in the graph */
		if (node >= 0 && !weights.nulls[w])
			put_injection(DatumGetFloat8(weights.values[w]), id,
						  &injection[node]);
	}
	options->injection = injection;
}

void
propagate_options_argument(FunctionCallInfo fcinfo,
						   const PropagateArguments *at,
						   PropagateOptions *options)
{
	propagate_defaults(options);
	options->method = option_word(fcinfo, at->method, "method",
								  propagate_method_words, options->method);
	options->prior = option_word(fcinfo, at->prior, "prior",
								 propagate_prior_words, options->prior);
	options->prior_weight = option_float8(fcinfo, at->prior_weight,
										  "prior_weight",
										  options->prior_weight);
	if (at->multilabel > 0)
		options->multilabel = option_bool(fcinfo, at->multilabel, false);
	if (at->normalise > 0)
		options->normalisation = option_word(fcinfo, at->normalise,
											 "normalise", normalise_words,
											 options->normalisation);
	if (at->teleport > 0)
		options->teleport = option_float8(fcinfo, at->teleport, "teleport",
										  options->teleport);
	options->tolerance = option_float8(fcinfo, at->tolerance, "tolerance",
									   options->tolerance);
	/* the core's word for "not given" is NaN, which no user can say */
	options->damping = option_float8(fcinfo, at->damping, "damping",
									 options->damping);
	if (!PG_ARGISNULL(at->iterations))
	{
		options->iteration_limit = PG_GETARG_INT32(at->iterations);
		if (options->iteration_limit < 1)
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("iterations must be at least 1, not %d",
							PG_GETARG_INT32(at->iterations))));
	}
	if (!PG_ARGISNULL(at->class_prior))
		read_class_prior(fcinfo, at->class_prior, options);
}

void
warn_not_converged(const PropagateReport *report)
{
	if (!report->converged && !report->stepped)
		ereport(WARNING,
				(errmsg("label propagation stopped after %lld iterations with a residual of %g",
						(long long) report->iterations, report->residual),
				 errhint("Allow more iterations, a larger tolerance or less damping.")));
}
