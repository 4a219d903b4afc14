/*
 * power_iteration.h
 *		A few steps of the walk from vectors of chance: v <- W v, stopped early.
 *
 * Reads:	any graph of similarities or transitions, through the walk W.
 * Yields:	the vectors after t steps, W^t R: run to the end they would all be
 *			constant, but on the way rows of the same cluster agree long
 *			before rows of different ones.  (Spec seed001 sections 2.2, 2.3.)
 *
 * The walk stops when it no longer accelerates: with each column scaled to
 * sum |v| = 1,
 *
 *		max_i | (v_t - v_t-1) - (v_t-1 - v_t-2) | <= tolerance
 *
 * in every column.  All columns stop together, so the vectors are W^t R for
 * one t.  A column of both signs is scaled by its first sum for good: later
 * sums may come near 0.
 *
 * Two traps.  A start that is the same everywhere is a fixed point; it is
 * noticed and drawn anew.  On a bipartite graph the vectors swing to and fro
 * for ever; power_swing() measures it, and a lazy walk (I + W) / 2 cures it.
 *
 * What is held are the vectors less a constant, their mean in the long run:
 * W leaves constants alone, and what tells rows apart keeps its digits while
 * it shrinks beside the constant.
 *
 * A node of degree 0 takes no part; its numbers mean nothing.
 */
#ifndef POWER_ITERATION_H
#define POWER_ITERATION_H

#include "graph/normalised.h"

typedef enum PowerStart
{
	POWER_RANDOM = 1,			/* uniform on [0,1) */
	POWER_NORMAL,				/* standard normal */
	POWER_DEGREE,				/* the degrees; further columns random */
	POWER_PAGERANK				/* 2^(32 - rank) for the 32 nodes of the
								 * highest PageRank; further columns random */
} PowerStart;

typedef struct PowerOptions
{
	int32_t		columns;		/* d, at least 1 */
	PowerStart	start;
	bool		lazy;			/* walk with (I + W) / 2 */
	int64_t		seed;
} PowerOptions;

typedef struct PowerIteration
{
	NormalisedGraph walk;		/* W */
	const Graph *graph;
	int32_t		columns;
	bool		lazy;
	bool		is_signed;		/* sums of |v| are those of the start */
	bool		was_flat;		/* a start was constant and drawn anew */
	int64_t		steps;			/* t */
	double	   *offset;			/* d: the constant taken off */
	double	   *value;			/* n x d: v_t less the offset */
	double	   *previous;		/* v_t-1 */
	double	   *before;			/* v_t-2 */
	double	   *sum;			/* 3 x d: sum |v| of the three */
} PowerIteration;

/*
 * Draw the start.  GL_ERR_DATA for a graph that cannot be normalised.  One
 * product; for PageRank some fifty more.  Memory n (2 + 4 d) numbers.
 */
extern GlStatus power_begin(GlHost *host, const Graph *graph,
							const PowerOptions *options, PowerIteration *out);

/* The same from a start of the caller's, n x d numbers. */
extern GlStatus power_begin_from(GlHost *host, const Graph *graph,
								 int32_t columns, bool lazy,
								 const double *start, PowerIteration *out);

extern void power_end(GlHost *host, PowerIteration *power);

/* One step, which is one product. */
extern GlStatus power_step(GlHost *host, PowerIteration *power);

/* The acceleration of the last step; infinite before the second. */
extern GlStatus power_acceleration(GlHost *host, const PowerIteration *power,
								   double *acceleration);

/*
 * How much of what tells rows apart swings to and fro: the squares of (v_t -
 * 2 v_t-1 + v_t-2) / 4, which is all of v where W has the eigenvalue -1 and
 * nothing where it has 1, and those of (v_t + 2 v_t-1 + v_t-2) / 4 around its
 * mean, the other way round.  Both 0 before the second step.
 */
extern GlStatus power_swing(GlHost *host, const PowerIteration *power,
							double *swinging, double *standing);

/* v_t itself, the offset back on, into n x d. */
extern GlStatus power_vectors(GlHost *host, const PowerIteration *power,
							  double *vectors);

#endif							/* POWER_ITERATION_H */
