/*
 * walk_state.h
 *		The equation f = g N f + b while it is being solved: products with it,
 *		the residual of f, and which rows are settled.
 *
 * The half of damped_walk.c that knows the equation; the other half knows how
 * to solve it.
 *
 * Products see a block of columns at a time (column_block.h).  Rows are judged
 * over all columns, so blocks change which columns share a product and
 * nothing else.
 */
#ifndef WALK_STATE_H
#define WALK_STATE_H

#include "learn/column_block.h"
#include "learn/damped_walk.h"

typedef struct WalkState
{
	const DampedWalk *walk;
	int64_t		node_count;
	int32_t		columns;
	ColumnBlock block;			/* the columns at work */
	NormalisedGraph normalised;
	bool	   *is_fixed;		/* clamped rows; their residual is 0 */
	double	   *f;
	double	   *r;				/* g N f + b - f */
	double	   *room_a;			/* for a block; NULL: f and r are one */
	double	   *room_b;			/* for another */
	double		settled_size;	/* tolerance * max |b| */
	int64_t		unsettled;		/* rows */
	double		unsettled_size; /* their largest residual */
	DampedWalkReport *report;
} WalkState;

/*
 * Prepare, put f at its start and evaluate it; f and report are the caller's.
 * Memory: n x C, two blocks n x min(C, 8) (three if C > 8), and 3 numbers per
 * node.
 */
extern GlStatus walk_state_begin(GlHost *host, const DampedWalk *walk,
								 double *f, DampedWalkReport *report,
								 WalkState *state);

extern void walk_state_end(GlHost *host, WalkState *state);

/* A LinearApply for a block: y <- x - g N x on free rows, 0 on fixed ones. */
extern GlStatus walk_state_apply(GlHost *host, void *state, const double *x,
								 double *y);

/*
 * r <- g N f + b - f on free rows; then see which rows are settled, and
 * whether all of them meet the tolerance (in the report).
 */
extern GlStatus walk_state_evaluate(GlHost *host, WalkState *state);

/* One plain step f <- f + r = g N f + b, judged. */
extern GlStatus walk_state_step(GlHost *host, WalkState *state);

/* Is row i still to be worked on? */
extern bool walk_state_is_unsettled(const WalkState *state, int64_t i);

/*
 * A bound on max |f - solution| from the residual at hand, in the norm in
 * which g N is a contraction; infinite where it is none (g = 1).  O(n C).
 */
extern GlStatus walk_state_error_bound(GlHost *host, const WalkState *state,
									   double *bound);

/*
 * The weight of row i in the inner product that makes I - g N self-adjoint on
 * a symmetric graph, up to a common factor; 0 for a row without edges.
 */
extern double walk_state_weight(const WalkState *state, int64_t i);

#endif							/* WALK_STATE_H */
