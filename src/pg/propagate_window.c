/*
 * propagate_window.c
 *		gl_propagate and gl_propagate_scores as window functions: labels for
 *		the rows of a partition from those of the same partition.
 *
 * The classes of a partition are the labels in it.  A partition without any
 * label has no classes, its rows no answer, and nothing is built for it.
 */
#include "label_set.h"
#include "label_text.h"
#include "propagate_arguments.h"
#include "score_json.h"
#include "window_graph.h"

#include "utils/datum.h"
#include "utils/lsyscache.h"

/* Positions of the arguments of both. */
enum
{
	ARG_FEATURES, ARG_LABEL, ARG_METHOD, ARG_DAMPING, ARG_PRIOR,
	ARG_PRIOR_WEIGHT, ARG_CLASS_PRIOR, ARG_ITERATIONS, ARG_TOLERANCE, ARG_K,
	ARG_METRIC, ARG_WEIGHTS, ARG_SYMMETRY, ARG_BANDWIDTH, ARG_SCALE, ARG_SEED
};

static const PropagateArguments learner_arguments = {
	.method = ARG_METHOD, .damping = ARG_DAMPING, .prior = ARG_PRIOR,
	.prior_weight = ARG_PRIOR_WEIGHT, .class_prior = ARG_CLASS_PRIOR,
	.multilabel = -1, .iterations = ARG_ITERATIONS,
	.tolerance = ARG_TOLERANCE
};

static const BuilderArguments graph_arguments = {
	.k = ARG_K, .radius = -1, .metric = ARG_METRIC, .weights = ARG_WEIGHTS,
	.symmetry = ARG_SYMMETRY, .bandwidth = ARG_BANDWIDTH, .scale = ARG_SCALE,
	.keep_points = -1, .seed = ARG_SEED
};

/* What is kept of a partition, in its memory. */
typedef struct LabelAnswers
{
	bool		is_ready;
	const int32 *node_of_row;
	int32		class_count;	/* 0: no label in the partition */
	Datum	   *label;			/* by class */
	ScoreKey   *key;			/* by class; for scores only */
	int32	   *winner;			/* by node; -1: no label reaches it */
	double	   *scores;			/* node x class; for scores only */
} LabelAnswers;

/* The labels of a partition, as its rows are read. */
typedef struct LabelColumn
{
	LabelSet   *set;
	int32	   *number;			/* by collected row; -1: no label */
} LabelColumn;

static void
read_rows(WindowPoints *rows, LabelColumn *column)
{
	column->set = label_set_begin(get_fn_expr_argtype(rows->fcinfo->flinfo,
													  ARG_LABEL),
								  rows->work);
	column->number = pg_allocate(&rows->host, rows->row_count,
								 sizeof(int32));
	while (window_points_next(rows))
	{
		bool		is_null;
		Datum		label = window_points_argument(rows, ARG_LABEL, &is_null);

		column->number[rows->collected_count - 1] = is_null ? -1 :
			label_set_number(column->set, label);
	}
}

/*
 * Sort the rows by features, then label, unlabelled ones last: a row whose
 * neighbours are as many equal ones as it can have sees those with a label.
 */
static void
sort_rows(WindowPoints *rows, const LabelColumn *column,
		  LabelClasses *classes, LabelSeeds *seeds)
{
	int32	   *class_of = label_set_classes(column->set, classes);
	int32	   *tie = column->number;
	int32	   *node;
	int32	   *label_class;
	int64		seed_count = 0;

	for (int64 i = 0; i < rows->collected_count; i++)
	{
		tie[i] = tie[i] < 0 ? classes->count : class_of[tie[i]];
		seed_count += tie[i] < classes->count;
	}
	window_points_sort(rows, tie);
	node = pg_allocate(&rows->host, seed_count, sizeof(int32));
	label_class = pg_allocate(&rows->host, seed_count, sizeof(int32));
	seeds->class_count = classes->count;
	seeds->seed_count = 0;
	for (int64 i = 0; i < rows->order.row_count; i++)
	{
		int32		given = tie[rows->order.row[i]];

		if (given == classes->count)
			continue;
		node[seeds->seed_count] = (int32) i;
		label_class[seeds->seed_count++] = given;
	}
	seeds->node = node;
	seeds->label_class = label_class;
}

static void
keep_labels(const WindowPoints *rows, const LabelClasses *classes,
			bool as_keys, LabelAnswers *answers)
{
	Oid			type = get_fn_expr_argtype(rows->fcinfo->flinfo, ARG_LABEL);
	MemoryContext old = MemoryContextSwitchTo(rows->partition);
	LabelReader reader;
	int16		length;
	bool		by_value;

	get_typlenbyval(type, &length, &by_value);
	answers->class_count = classes->count;
	answers->label = palloc(sizeof(Datum) * classes->count);
	for (int32 c = 0; c < classes->count; c++)
		answers->label[c] = datumCopy(classes->label[c], by_value, length);
	if (as_keys)
	{
		answers->key = palloc(sizeof(ScoreKey) * classes->count);
		label_reader_begin(&reader, type, rows->partition);
		for (int32 c = 0; c < classes->count; c++)
		{
			int64		bytes;

			answers->key[c].text = label_text(&reader, answers->label[c],
											  &bytes);
			answers->key[c].length = (int) bytes;
		}
	}
	MemoryContextSwitchTo(old);
}

static void *
keep_array(const WindowPoints *rows, const void *array, Size bytes)
{
	return memcpy(MemoryContextAllocHuge(rows->partition, bytes), array,
				  bytes);
}

static void
learn(WindowPoints *rows, const PropagateOptions *options,
	  const LabelClasses *classes, const LabelSeeds *seeds, bool with_scores,
	  LabelAnswers *answers)
{
	WindowGraph graph;
	PropagateResult result;
	PropagateReport report;

	window_graph_build(rows, &graph_arguments, &graph);
	pg_check(&rows->host, propagate_run(&rows->host, graph.graph, seeds,
										options, &result, &report));
	if (!report.converged &&
		window_first_notice(rows->fcinfo, WINDOW_NOT_CONVERGED))
		warn_not_converged(&report);
	keep_labels(rows, classes, with_scores, answers);
	answers->winner = keep_array(rows, result.winner,
								 sizeof(int32) * (Size) result.node_count);
	if (with_scores)
		answers->scores = keep_array(rows, result.scores, sizeof(double) *
									 (Size) result.node_count *
									 (Size) result.class_count);
}

static void
answer_partition(FunctionCallInfo fcinfo, bool with_scores,
				 LabelAnswers *answers)
{
	WindowPoints rows;
	PropagateOptions options;
	LabelColumn column;
	LabelClasses classes;
	LabelSeeds	seeds;
	MemoryContext old;

	window_points_begin(&rows, fcinfo, ARG_METHOD, answers);
	old = MemoryContextSwitchTo(rows.work);
	propagate_options_argument(fcinfo, &learner_arguments, &options);
	read_rows(&rows, &column);
	sort_rows(&rows, &column, &classes, &seeds);
	answers->node_of_row = rows.node_of_row;
	if (seeds.seed_count > 0)
		learn(&rows, &options, &classes, &seeds, with_scores, answers);
	MemoryContextSwitchTo(old);
	window_points_end(&rows);
	answers->is_ready = true;
}

/* The node whose answer the current row has; -1: none. */
static int32
answered_node(FunctionCallInfo fcinfo, bool with_scores,
			  LabelAnswers **answers)
{
	WindowObject window = PG_WINDOW_OBJECT();
	int32		node;

	*answers = WinGetPartitionLocalMemory(window, sizeof(LabelAnswers));
	if (!(*answers)->is_ready)
		answer_partition(fcinfo, with_scores, *answers);
	node = (*answers)->node_of_row[WinGetCurrentPosition(window)];
	if ((*answers)->class_count == 0 || node < 0 ||
		(*answers)->winner[node] < 0)
		return -1;
	return node;
}

PG_FUNCTION_INFO_V1(graphlearn_propagate_window);
Datum
graphlearn_propagate_window(PG_FUNCTION_ARGS)
{
	LabelAnswers *answers;
	int32		node = answered_node(fcinfo, false, &answers);

	if (node < 0)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(answers->label[answers->winner[node]]);
}

PG_FUNCTION_INFO_V1(graphlearn_propagate_scores_window);
Datum
graphlearn_propagate_scores_window(PG_FUNCTION_ARGS)
{
	LabelAnswers *answers;
	int32		node = answered_node(fcinfo, true, &answers);

	if (node < 0)
		PG_RETURN_NULL();
	PG_RETURN_DATUM(score_json(answers->key, answers->scores + (Size) node *
							   answers->class_count, answers->class_count));
}
