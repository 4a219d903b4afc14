/*
 * propagate_arguments.c
 *		Read the options of label propagation.
 */
#include "propagate_arguments.h"
#include "node_arguments.h"

const OptionWord propagate_method_words[] = {
	{"harmonic", PROPAGATE_HARMONIC},
	{"lgc", PROPAGATE_LGC},
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
	if (at->multilabel >= 0)
		options->multilabel = option_bool(fcinfo, at->multilabel, false);
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
	if (!report->converged)
		ereport(WARNING,
				(errmsg("label propagation stopped after %lld iterations with a residual of %g",
						(long long) report->iterations, report->residual),
				 errhint("Allow more iterations, a larger tolerance or less damping.")));
}
