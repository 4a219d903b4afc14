/*
 * label_model_functions.c
 *		gl_label_model: label propagation whose result is kept for rows to come.
 */
#include "value.h"
#include "label_arguments.h"
#include "model_labels.h"
#include "propagate_arguments.h"

#include "graph/new_row.h"
#include "learn/label_model.h"

/* Positions of the arguments of gl_label_model: those of gl_propagate. */
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

PG_FUNCTION_INFO_V1(graphlearn_label_model);
Datum
graphlearn_label_model(PG_FUNCTION_ARGS)
{
	GlHost		host;
	ExpandedValue *expanded;
	PropagateOptions options;
	PropagateReport report;
	LabelSeeds	seeds;
	LabelClasses classes;
	const GlValue *value;
	const Graph *graph;
	Model		model;

	if (PG_ARGISNULL(ARG_GRAPH))
		PG_RETURN_NULL();
	expanded = value_begin(&host, VALUE_MODEL, "graphlearn label model");
	propagate_options_argument(fcinfo, &option_arguments, &options);
	value = value_argument(&host, VALUE_GRAPH, PG_GETARG_DATUM(ARG_GRAPH));
	graph = value_graph(value);
	pg_check(&host, new_row_require(&host, graph));
	label_seeds_argument(fcinfo, ARG_IDS, graph, &seeds, &classes);
	injection_argument(fcinfo, ARG_INJECTION, ARG_IDS, graph, &options);
	if (seeds.seed_count == 0)
		ereport(NOTICE,
				(errmsg("no labels were given, so the model knows none")));
	pg_check(&host, label_model_fit(&host, graph, &seeds, &options, &model,
									&report));
	warn_not_converged(&report);
	model_labels_set(&classes, expanded->header.eoh_context, &model);
	return model_result(&host, expanded, value, &model);
}
