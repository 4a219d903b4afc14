/*
 * scatter_marks.h
 *		The marks of a plot, thinned where they would cover each other.
 *
 * Reads:	the rows of a plot and the size of its area.
 * Yields:	at most `limit` marks at whole grid positions, in an order that
 *			mixes the groups, so that none is always on top.
 *
 * Rows of one group at one position are one mark.  If there are still too
 * many marks, the area is divided into squares.  Of the c marks of a group in
 * a square, about alpha sqrt(c) stay, all of them if that is more, but at
 * least one: lone marks and small groups are never lost, and dense places
 * still look denser.  Those that stay are chosen as if by lot.  The result
 * depends on the set of rows, not on their order.
 */
#ifndef SCATTER_MARKS_H
#define SCATTER_MARKS_H

#include "picture/scatter.h"

#define SCATTER_MAX_POSITIONS	16384	/* per axis */

typedef struct ScatterMark
{
	int32_t		x;				/* from the left */
	int32_t		y;				/* from the top */
	int32_t		group;			/* of the plan */
} ScatterMark;

typedef struct ScatterMarks
{
	int64_t		mark_count;
	ScatterMark *mark;
	bool		is_thinned;		/* some position lost its mark */
} ScatterMarks;

/*
 * Place the rows on a grid of width x height positions and thin them to at
 * most limit marks; the limit is raised to two per group where it is lower.
 * O(n) time, 60 bytes a row while running.
 */
extern GlStatus scatter_marks_place(GlHost *host, const Scatter *scatter,
									const ScatterPlan *plan, int32_t width,
									int32_t height, int64_t limit,
									ScatterMarks *out);

extern void scatter_marks_release(GlHost *host, ScatterMarks *marks);

#endif							/* SCATTER_MARKS_H */
