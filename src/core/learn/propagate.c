/*
 * propagate.c
 *		What all propagation methods share: options, seeds, winners, report.
 *
 * A method is a row of propagate_rules: its name, its damping and a function
 * that fills n x C values >= 0.  Everything before (is the call sensible?)
 * and after (class prior, winner, confidence, unreached nodes) is here, so
 * that a new method is one file and one row.
 */
#include "learn/propagate.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "learn/adsorption.h"
#include "learn/class_prior.h"
#include "learn/harmonic.h"
#include "learn/label_walk.h"
#include "learn/local_global.h"
#include "learn/multi_rank_walk.h"
#include "learn/relational_neighbour.h"

/* Fill scores (n x C) and the report but for unreached_count. */
typedef GlStatus (*PropagateSolver) (GlHost *host, const Graph *graph,
									 const LabelSeeds *seeds,
									 const PropagateOptions *options,
									 double *scores,
									 PropagateReport *report);

typedef struct PropagateRule
{
	PropagateMethod method;
	const char *name;			/* the word in SQL */
	double		default_damping;
	bool		damping_may_be_one;
	bool		clamps_seeds;	/* seeds keep their class, whatever happens */
	bool		allows_multilabel;
	bool		takes_steps;	/* iterations asks for so many steps */
	PropagateSolver solve;
} PropagateRule;

static const PropagateRule propagate_rules[] = {
	{PROPAGATE_HARMONIC, "harmonic", 0.98,
	.damping_may_be_one = true, .clamps_seeds = true,
	.solve = harmonic_solve},
	{PROPAGATE_LGC, "lgc", 0.9,
	.allows_multilabel = true,
	.solve = local_global_solve},
	{PROPAGATE_MRW, "mrw", 0.95,
	.allows_multilabel = true,
	.solve = multi_rank_walk_solve},
	{PROPAGATE_WVRN, "wvrn", 1,
	.damping_may_be_one = true, .clamps_seeds = true, .takes_steps = true,
	.solve = relational_neighbour_solve},
	{PROPAGATE_ADSORPTION, "adsorption", 0.98,
	.damping_may_be_one = true, .allows_multilabel = true,
	.solve = adsorption_solve},
	{PROPAGATE_WALK, "walk", 0.5,
	.takes_steps = true,
	.solve = label_walk_solve},
};

#define RULE_COUNT \
	((int) (sizeof(propagate_rules) / sizeof(propagate_rules[0])))

void
propagate_defaults(PropagateOptions *options)
{
	memset(options, 0, sizeof(*options));
	options->method = PROPAGATE_HARMONIC;
	options->damping = NAN;
	options->prior = PRIOR_SEEDS;
	options->prior_weight = 10;
	options->tolerance = 1e-5;
}

/* "a, b, c" of the methods that allow multilabel. */
static void
list_multilabel_methods(char *list, size_t size)
{
	size_t		length = 0;

	list[0] = '\0';
	for (int m = 0; m < RULE_COUNT; m++)
	{
		const char *name = propagate_rules[m].name;
		size_t		name_length = strlen(name);

		if (!propagate_rules[m].allows_multilabel ||
			length + name_length + 3 > size)
			continue;
		if (length > 0)
		{
			memcpy(list + length, ", ", 2);
			length += 2;
		}
		memcpy(list + length, name, name_length + 1);
		length += name_length;
	}
}

static const PropagateRule *
find_rule(PropagateMethod method)
{
	for (int m = 0; m < RULE_COUNT; m++)
		if (propagate_rules[m].method == method)
			return &propagate_rules[m];
	return NULL;
}

static GlStatus
check_damping(GlHost *host, const PropagateRule *rule, double damping)
{
	if (damping > 0 && (damping < 1 ||
						(damping == 1 && rule->damping_may_be_one)))
		return GL_OK;
	gl_fail(host, GL_ERR_OPTION,
			"damping must be greater than 0 and %s 1 for method \"%s\", "
			"not %g", rule->damping_may_be_one ? "at most" : "less than",
			rule->name, damping);
	gl_hint(host, "The default of method \"%s\" is %g.", rule->name,
			rule->default_damping);
	return GL_ERR_OPTION;
}

/* An option that belongs to one method, given with another. */
static GlStatus
fail_foreign_option(GlHost *host, const PropagateRule *rule,
					const char *option, const char *owner)
{
	gl_fail(host, GL_ERR_OPTION, "method \"%s\" does not take %s",
			rule->name, option);
	gl_hint(host, "%s is an option of method \"%s\".", option, owner);
	return GL_ERR_OPTION;
}

/* normalise, teleport and injection: of the right method, and in range. */
static GlStatus
check_own_options(GlHost *host, const PropagateRule *rule,
				  const PropagateOptions *options, double damping)
{
	if (options->normalisation != NORMALISE_NONE &&
		rule->method != PROPAGATE_LGC)
		return fail_foreign_option(host, rule, "normalise", "lgc");
	if (options->teleport != 0 && rule->method != PROPAGATE_MRW)
		return fail_foreign_option(host, rule, "teleport", "mrw");
	if (options->injection != NULL && rule->method != PROPAGATE_ADSORPTION)
		return fail_foreign_option(host, rule, "injection", "adsorption");
	if (options->teleport == 0 ||
		(options->teleport > 0 && options->teleport < 1 - damping))
		return GL_OK;
	gl_fail(host, GL_ERR_OPTION,
			"teleport must be at least 0 and less than 1 - damping = %g, "
			"not %g", 1 - damping, options->teleport);
	gl_hint(host, "What damping and teleport leave of 1 is the chance to "
			"begin again at a label.");
	return GL_ERR_OPTION;
}

static GlStatus
fail_multilabel(GlHost *host, const PropagateRule *rule)
{
	char		list[128];

	list_multilabel_methods(list, sizeof(list));
	gl_fail(host, GL_ERR_OPTION, "method \"%s\" does not allow multilabel",
			rule->name);
	gl_hint(host, "Methods that do: %s.", list);
	return GL_ERR_OPTION;
}

/* Check the options, and put the defaults in place. */
static GlStatus
resolve_options(GlHost *host, int32_t class_count,
				const PropagateOptions *options, PropagateOptions *resolved,
				const PropagateRule **rule)
{
	*resolved = *options;
	*rule = find_rule(options->method);
	if (*rule == NULL)
		return gl_fail(host, GL_ERR_INTERNAL, "unknown propagation method %d",
					   (int) options->method);
	if (isnan(options->damping))
		resolved->damping = (*rule)->default_damping;
	GL_TRY(check_damping(host, *rule, resolved->damping));
	GL_TRY(check_own_options(host, *rule, options, resolved->damping));
	GL_TRY(class_prior_check(host, options, class_count));
	if (options->multilabel && !(*rule)->allows_multilabel)
		return fail_multilabel(host, *rule);
	if (options->iteration_limit < 0)
		return gl_fail(host, GL_ERR_OPTION,
					   "iterations must be positive, not %" PRId64,
					   options->iteration_limit);
	if (options->iteration_limit == 0 && !(*rule)->takes_steps)
		resolved->iteration_limit = PROPAGATE_ITERATION_LIMIT;
	if (!(options->tolerance > 0 && options->tolerance < 1))
		return gl_fail(host, GL_ERR_OPTION,
					   "tolerance must be between 0 and 1, not %g",
					   options->tolerance);
	return GL_OK;
}

static GlStatus
fail_two_classes(GlHost *host, const Graph *graph, int32_t node)
{
	char		list[128];

	list_multilabel_methods(list, sizeof(list));
	gl_fail(host, GL_ERR_DATA, "id %" PRId64 " has two different labels",
			graph->ids[node]);
	gl_hint(host, "Give one label per id, or set multilabel with one of the "
			"methods: %s.", list);
	return GL_ERR_DATA;
}

/* Nodes and classes in range, strictly ascending, one class per node. */
static GlStatus
check_seeds(GlHost *host, const Graph *graph, const LabelSeeds *seeds,
			bool multilabel)
{
	if (seeds->class_count < 0 || seeds->seed_count < 0)
		return gl_fail(host, GL_ERR_INTERNAL, "a negative number of seeds");
	for (int64_t s = 0; s < seeds->seed_count; s++)
	{
		int32_t		node = seeds->node[s];
		int32_t		label_class = seeds->label_class[s];

		GL_TRY(gl_work(host, 1));
		if (node < 0 || node >= graph->node_count)
			return gl_fail(host, GL_ERR_DATA,
						   "a seed names node %d, but the graph has %" PRId64
						   " nodes", node, graph->node_count);
		if (label_class < 0 || label_class >= seeds->class_count)
			return gl_fail(host, GL_ERR_DATA,
						   "the seed at id %" PRId64 " has class %d, but "
						   "there are %d classes", graph->ids[node],
						   label_class, seeds->class_count);
		if (s == 0 || seeds->node[s - 1] < node)
			continue;
		if (seeds->node[s - 1] > node ||
			seeds->label_class[s - 1] >= label_class)
			return gl_fail(host, GL_ERR_INTERNAL,
						   "seeds are not sorted by node and class");
		if (!multilabel)
			return fail_two_classes(host, graph, node);
	}
	return GL_OK;
}

/* Which nodes keep their class; NULL where the method clamps none. */
static GlStatus
mark_clamped(GlHost *host, const PropagateRule *rule, int64_t node_count,
			 const LabelSeeds *seeds, bool **is_clamped)
{
	*is_clamped = NULL;
	if (!rule->clamps_seeds)
		return GL_OK;
	GL_NEW_ZEROED(host, *is_clamped, node_count);
	for (int64_t s = 0; s < seeds->seed_count; s++)
	{
		GL_TRY(gl_work(host, 1));
		(*is_clamped)[seeds->node[s]] = true;
	}
	return GL_OK;
}

/* The highest score of each row, ties to the lower class. */
static GlStatus
choose_winners(GlHost *host, PropagateResult *result,
			   PropagateReport *report)
{
	for (int64_t i = 0; i < result->node_count; i++)
	{
		GL_TRY(gl_work(host, result->class_count + 1));
		class_prior_winner(result->scores + i * result->class_count,
						   result->class_count, &result->winner[i],
						   &result->confidence[i]);
		if (result->winner[i] < 0)
			report->unreached_count++;
	}
	return GL_OK;
}

/*
 * Everything up to f: is the call sensible, and the method's values (n x C in
 * host memory, all 0 without seeds).
 */
static GlStatus
solve(GlHost *host, const Graph *graph, const LabelSeeds *seeds,
	  const PropagateOptions *options, PropagateOptions *resolved,
	  const PropagateRule **rule, double **values, PropagateReport *report)
{
	size_t		n = (size_t) graph->node_count;

	GL_TRY(graph_require_similarity(host, graph, "gl_propagate"));
	GL_TRY(resolve_options(host, seeds->class_count, options, resolved,
						   rule));
	GL_TRY(check_seeds(host, graph, seeds, resolved->multilabel));
	GL_TRY(gl_require(host, n, (size_t) seeds->class_count * sizeof(double),
					  "There is a score per row and class. Use fewer classes, or raise graphlearn.max_memory."));
	*report = (PropagateReport)
	{
		.damping = resolved->damping, .converged = true,
		.normalisation = NORMALISE_WALK
	};
	GL_NEW_ZEROED(host, *values, n * (size_t) seeds->class_count);
	if (seeds->seed_count == 0)
		return GL_OK;
	return (*rule)->solve(host, graph, seeds, resolved, *values, report);
}

GlStatus
propagate_run(GlHost *host, const Graph *graph, const LabelSeeds *seeds,
			  const PropagateOptions *options, PropagateResult *out,
			  PropagateReport *report)
{
	PropagateResult result = {
		.node_count = graph->node_count, .class_count = seeds->class_count
	};
	PropagateReport progress;
	PropagateOptions resolved;
	const PropagateRule *rule;
	bool	   *is_clamped;

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	GL_TRY(solve(host, graph, seeds, options, &resolved, &rule,
				 &result.scores, &progress));
	GL_NEW(host, result.winner, result.node_count);
	GL_NEW(host, result.confidence, result.node_count);
	GL_TRY(mark_clamped(host, rule, graph->node_count, seeds, &is_clamped));
	GL_TRY(class_prior_apply(host, seeds, &resolved, graph->node_count,
							 is_clamped, result.scores));
	gl_release(host, is_clamped);
	GL_TRY(choose_winners(host, &result, &progress));
	*out = result;
	*report = progress;
	return GL_OK;
}

GlStatus
propagate_fit(GlHost *host, const Graph *graph, const LabelSeeds *seeds,
			  const PropagateOptions *options, PropagateField *out,
			  PropagateReport *report)
{
	PropagateField field = {
		.node_count = graph->node_count, .class_count = seeds->class_count
	};
	PropagateReport progress;
	PropagateOptions resolved;
	const PropagateRule *rule;

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	GL_TRY(solve(host, graph, seeds, options, &resolved, &rule, &field.values,
				 &progress));
	GL_TRY(class_prior_measure(host, seeds, &resolved, field.node_count,
							   field.values, &field.prior));
	for (int64_t i = 0; i < field.node_count; i++)
	{
		const double *row = field.values + i * field.class_count;
		bool		reached = false;

		GL_TRY(gl_work(host, field.class_count + 1));
		for (int32_t c = 0; c < field.class_count; c++)
			reached |= row[c] > 0;
		progress.unreached_count += !reached;
	}
	*out = field;
	*report = progress;
	return GL_OK;
}

void
propagate_field_release(GlHost *host, PropagateField *field)
{
	gl_release(host, field->values);
	class_prior_release(host, &field->prior);
	memset(field, 0, sizeof(*field));
}

void
propagate_result_release(GlHost *host, PropagateResult *result)
{
	gl_release(host, result->scores);
	gl_release(host, result->winner);
	gl_release(host, result->confidence);
	memset(result, 0, sizeof(*result));
}
