/*
 * propagate_arguments.h
 *		The options of label propagation, wherever a function takes them.
 */
#ifndef GRAPHLEARN_PROPAGATE_ARGUMENTS_H
#define GRAPHLEARN_PROPAGATE_ARGUMENTS_H

#include "options.h"

#include "learn/propagate.h"

extern const OptionWord propagate_method_words[];
extern const OptionWord propagate_prior_words[];

/*
 * Where a function finds its options; from multilabel on 0 (which is never an
 * option) or less says that it does not take that one.
 */
typedef struct PropagateArguments
{
	int			method;
	int			damping;
	int			prior;
	int			prior_weight;
	int			class_prior;
	int			iterations;
	int			tolerance;
	int			multilabel;
	int			normalise;
	int			teleport;
} PropagateArguments;

/* Read them; what they point to is in CurrentMemoryContext. */
extern void propagate_options_argument(FunctionCallInfo fcinfo,
									   const PropagateArguments *at,
									   PropagateOptions *options);

/*
 * Read injection, one weight per id or one for all, into the options, as a
 * number per node; NULL is the default.  ids are those of argument `ids`,
 * which label_seeds_argument() has checked.
 */
extern void injection_argument(FunctionCallInfo fcinfo, int argument, int ids,
							   const Graph *graph, PropagateOptions *options);

/* The WARNING of a run that did not converge. */
extern void warn_not_converged(const PropagateReport *report);

#endif							/* GRAPHLEARN_PROPAGATE_ARGUMENTS_H */
