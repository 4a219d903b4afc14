/*
 * options.h
 *		Reading the named arguments of SQL functions.
 *
 * A NULL option means its default everywhere.  A word is checked against a
 * table, and the error lists the accepted ones.
 */
#ifndef GRAPHLEARN_OPTIONS_H
#define GRAPHLEARN_OPTIONS_H

#include "compat.h"

typedef struct OptionWord
{
	const char *word;			/* NULL ends the table */
	int			value;
} OptionWord;

extern int	option_word(FunctionCallInfo fcinfo, int argument,
						const char *name, const OptionWord *words,
						int default_value);

/* The word for a value, for gl_info; "?" if there is none. */
extern const char *option_word_of(const OptionWord *words, int value);

extern int64 option_bigint(FunctionCallInfo fcinfo, int argument,
						   int64 default_value);
/* Refuses NaN and infinity, naming the option. */
extern double option_float8(FunctionCallInfo fcinfo, int argument,
							const char *name, double default_value);
extern bool option_bool(FunctionCallInfo fcinfo, int argument,
						bool default_value);

/*
 * Tell the user when columns differ widely in scale (the largest deviation is
 * more than ten times the median one) and nothing was said about scale.
 */
extern void notice_column_spread(double column_spread, bool scale_not_given);
extern bool column_spread_is_wide(double column_spread);

/* The vocabulary of graphs, shared by builders and gl_info. */
extern const OptionWord metric_words[];
extern const OptionWord block_metric_words[];	/* those and divergences */
extern const OptionWord weights_words[];
extern const OptionWord symmetry_words[];
extern const OptionWord scale_words[];
extern const OptionWord tree_words[];

extern const OptionWord model_kind_words[];

#endif							/* GRAPHLEARN_OPTIONS_H */
