/*
 * options.c
 *		Option arguments: defaults for NULL, words checked against their table.
 */
#include "options.h"

#include <math.h>

#include "lib/stringinfo.h"
#include "utils/builtins.h"

#include "graph/partition_tree.h"
#include "learn/model.h"

const OptionWord metric_words[] = {
	{"euclidean", METRIC_EUCLIDEAN},
	{"cosine", METRIC_COSINE},
	{NULL, 0}
};

const OptionWord block_metric_words[] = {
	{"euclidean", METRIC_EUCLIDEAN},
	{"cosine", METRIC_COSINE},
	{"counts", METRIC_COUNTS},
	{"kl", METRIC_KL},
	{"itakura_saito", METRIC_ITAKURA_SAITO},
	{"logistic", METRIC_LOGISTIC},
	{"mahalanobis", METRIC_MAHALANOBIS},
	{NULL, 0}
};

const OptionWord tree_words[] = {
	{"bisect", TREE_BISECT},
	{"random", TREE_RANDOM},
	{"anchor", TREE_ANCHOR},
	{NULL, 0}
};

const OptionWord weights_words[] = {
	{"adaptive", WEIGHTS_ADAPTIVE},
	{"gaussian", WEIGHTS_GAUSSIAN},
	{"binary", WEIGHTS_BINARY},
	{"distance", WEIGHTS_DISTANCE},
	{"similarity", WEIGHTS_SIMILARITY},
	{NULL, 0}
};

const OptionWord symmetry_words[] = {
	{"sum", SYMMETRY_SUM},
	{"union", SYMMETRY_UNION},
	{"mutual", SYMMETRY_MUTUAL},
	{"directed", SYMMETRY_DIRECTED},
	{NULL, 0}
};

const OptionWord scale_words[] = {
	{"none", SCALE_NONE},
	{"standard", SCALE_STANDARD},
	{NULL, 0}
};

const OptionWord model_kind_words[] = {
	{"label", MODEL_LABEL},
	{"cluster", MODEL_CLUSTER},
	{"embedding", MODEL_EMBEDDING},
	{"mds", MODEL_MDS},
	{NULL, 0}
};

static void
fail_word(const char *name, const char *given, const OptionWord *words)
{
	StringInfoData list;

	initStringInfo(&list);
	for (const OptionWord *w = words; w->word != NULL; w++)
		appendStringInfo(&list, "%s'%s'", w == words ? "" : ", ", w->word);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s cannot be '%s'", name, given),
			 errhint("%s takes one of: %s.", name, list.data)));
}

int
option_word(FunctionCallInfo fcinfo, int argument, const char *name,
			const OptionWord *words, int default_value)
{
	char	   *given;

	if (PG_ARGISNULL(argument))
		return default_value;
	given = text_to_cstring(PG_GETARG_TEXT_PP(argument));
	for (const OptionWord *w = words; w->word != NULL; w++)
		if (strcmp(w->word, given) == 0)
			return w->value;
	fail_word(name, given, words);
	return default_value;		/* not reached */
}

const char *
option_word_of(const OptionWord *words, int value)
{
	for (const OptionWord *w = words; w->word != NULL; w++)
		if (w->value == value)
			return w->word;
	return "?";
}

int64
option_bigint(FunctionCallInfo fcinfo, int argument, int64 default_value)
{
	return PG_ARGISNULL(argument) ? default_value : PG_GETARG_INT64(argument);
}

double
option_float8(FunctionCallInfo fcinfo, int argument, const char *name,
			  double default_value)
{
	double		given;

	if (PG_ARGISNULL(argument))
		return default_value;
	given = PG_GETARG_FLOAT8(argument);
	if (isnan(given) || isinf(given))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s must be a finite number, not %s", name,
						isnan(given) ? "NaN" :
						given > 0 ? "Infinity" : "-Infinity")));
	return given;
}

bool
option_bool(FunctionCallInfo fcinfo, int argument, bool default_value)
{
	return PG_ARGISNULL(argument) ? default_value : PG_GETARG_BOOL(argument);
}

/* Beyond this ratio of column deviations the user hears of scale. */
#define WIDE_COLUMN_SPREAD	10.0

bool
column_spread_is_wide(double column_spread)
{
	return column_spread > WIDE_COLUMN_SPREAD;
}

void
notice_column_spread(double column_spread, bool scale_not_given)
{
	if (column_spread_is_wide(column_spread) && scale_not_given)
		ereport(NOTICE,
				(errmsg("columns differ in scale: the largest standard deviation is %.0f times the median one",
						column_spread),
				 errhint("Use scale => 'standard' to give every column the same weight, or scale => 'none' if the units are meant.")));
}
