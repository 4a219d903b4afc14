/*
 * scatter.h
 *		What a scatter plot shows: rows of (x, y, group), collected in any order.
 *
 * Reads:	rows; a group is a text, or none.
 * Yields:	a ScatterPlan: the axes and the groups as they will be drawn, for
 *			scatter_svg.h and scatter_text.h.
 *
 * Groups are shown in the order of their texts, numbers by value.  If there are more than SCATTER_MAX_GROUPS, the largest are shown
 * and the rest is one group, "other".  Rows without a group are one, too.
 * Nothing depends on the order of the rows.
 */
#ifndef SCATTER_H
#define SCATTER_H

#include "base/text_table.h"
#include "picture/axis.h"

#define SCATTER_MAX_GROUPS	20
#define SCATTER_MAX_ROWS	((int64_t) INT32_MAX)

/* The state of the aggregates.  Begin with a zeroed struct. */
typedef struct Scatter
{
	int64_t		row_count;
	int64_t		row_capacity;
	double	   *x;
	double	   *y;
	int32_t    *text;			/* number of the group's text, -1: none */
	TextTable	texts;
} Scatter;

/*
 * Add a row; group NULL: it has none.  GL_ERR_DATA if a number is not finite,
 * GL_ERR_TOO_LARGE, GL_ERR_MEMORY; the rows before remain.  O(1) amortised.
 */
extern GlStatus scatter_add(GlHost *host, Scatter *scatter, double x,
							double y, const char *group, int64_t group_bytes);

extern void scatter_release(GlHost *host, Scatter *scatter);

/*
 * Numbers first and by value; then texts by bytes, but for numbers in them,
 * so that "part 2" comes before "part 10".
 */
extern int	scatter_order_texts(const char *a, int64_t a_count,
								const char *b, int64_t b_count);

typedef struct ScatterGroup
{
	const char *text;			/* NULL: "other", or rows without a group */
	int64_t		length;
	int64_t		row_count;
} ScatterGroup;

typedef struct ScatterPlan
{
	Axis		x;
	Axis		y;
	int32_t		group_count;	/* named groups, in order; then come the two
								 * below, where there are such rows */
	int32_t		other;			/* index of "other", -1: all are shown */
	int32_t		none;			/* index of rows without a group, or -1 */
	int32_t		all_count;		/* with those two */
	int64_t		other_text_count;	/* groups in "other" */
	ScatterGroup group[SCATTER_MAX_GROUPS + 2];
	int32_t    *group_of_text;	/* by number of text */
} ScatterPlan;

/*
 * Plan a plot of at least one row.  x_ticks, y_ticks: how many ticks there
 * should be about.  GL_ERR_DATA as axis_fit().  O(n + t log t) for t texts.
 */
extern GlStatus scatter_plan_begin(GlHost *host, const Scatter *scatter,
								   int32_t x_ticks, int32_t y_ticks,
								   ScatterPlan *out);

extern void scatter_plan_end(GlHost *host, ScatterPlan *plan);

/*
 * What a group without a name of its own is called: "other (3 groups)",
 * "(none)", "(empty)".  False if it has a name.
 */
#define SCATTER_WORD_SIZE	40
extern bool scatter_plan_word(const ScatterPlan *plan, int32_t group,
							  char word[SCATTER_WORD_SIZE]);

/* The group of a row. */
static inline int32_t
scatter_plan_group(const ScatterPlan *plan, const Scatter *scatter,
				   int64_t row)
{
	return scatter->text[row] < 0 ? plan->none :
		plan->group_of_text[scatter->text[row]];
}

#endif							/* SCATTER_H */
