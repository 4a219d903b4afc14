/*
 * damped_walk.h
 *		The equation behind the propagation methods: f = g N f + b.
 *
 * Reads:	a graph, seeds, the damping g, and the normalisation N to walk on.
 * Yields:	f, n x C, with the residual that counts measured on f itself.
 *
 *		walk		N = W = D^-1 A: each row the average of those it leads to.
 *					Clamped: seeds keep their one-hot rows and every other row
 *					obeys f_i = g sum_j W_ij f_j.  With row gains the rows of W
 *					are multiplied by numbers in (0,1]
 *		spread		N = W^T: each row hands its value on along its edges, so
 *					the columns of N sum to 1
 *		symmetric	N = S = D^-1/2 A D^-1/2, for symmetric graphs
 *
 * A row is settled when its residual is small beside the largest b, and small
 * beside the row itself: labels are decided within a row, and a row fifty
 * edges from the nearest seed may hold nothing above 1e-5.  See damped_walk.c.
 */
#ifndef DAMPED_WALK_H
#define DAMPED_WALK_H

#include "graph/normalised.h"
#include "learn/linear_solver.h"
#include "learn/propagate.h"

typedef struct DampedWalk
{
	const Graph *graph;
	Normalisation normalisation;	/* N: not NORMALISE_NONE */
	double		damping;		/* g, in (0,1] */
	const double *row_gain;		/* n numbers; NULL: all 1.  Walk only */
	const LabelSeeds *seeds;
	bool		clamped;		/* seed rows are held at 1 in their class */
	double		source;			/* not clamped: b = source on the seeds */
	const double *seed_source;	/* b of each seed in place of source, or NULL */
	double		start;			/* f of the seeds before the first step */
	double		upper;			/* the solution lies in [0, upper] */
	LinearMethod method;		/* 0: conjugate where the graph allows it */
	double		tolerance;		/* settled: residual <= tolerance * max |b| */
	int64_t		product_limit;	/* beside the product that forms b */
	int64_t		steps;			/* not 0: so many plain steps and no more */
} DampedWalk;

typedef struct DampedWalkReport
{
	int64_t		products;		/* beside the one that forms b */
	double		residual;		/* max |f - g N f - b| over rows not clamped */
	double		error_bound;	/* on max |f - solution|; infinite at g = 1 */
	bool		converged;		/* residual <= tolerance * max |b|, or only
								 * rounding is left */
	int64_t		unsettled;		/* rows that fail either test */
	int32_t		rounds;			/* calls of the linear solver */
	int64_t		breakdowns;
} DampedWalkReport;

/*
 * Fill f (n x C, C >= 1).  A row no seed can reach is exactly 0; so is one
 * whose value would be below 1e-290.  Failures: GL_ERR_MEMORY,
 * GL_ERR_INTERRUPTED, GL_ERR_DATA for a graph that cannot be normalised.
 * Memory: beside f another n x C, and 4 blocks n x min(C, 8) with conjugate
 * gradients, 6 with BiCGStab (one more if C > 8), and 4 numbers per node.
 */
extern GlStatus damped_walk_solve(GlHost *host, const DampedWalk *walk,
								  double *f, DampedWalkReport *report);

/*
 * The same as the last act of a propagation method: walk says what is special
 * to it (normalisation, gains, sources, upper, start, steps); graph, seeds,
 * damping and limits are put in here.  Fills scores and the report but for
 * unreached_count.
 */
extern GlStatus damped_walk_propagate(GlHost *host, const Graph *graph,
									  const LabelSeeds *seeds,
									  const PropagateOptions *options,
									  DampedWalk *walk, double *scores,
									  PropagateReport *report);

#endif							/* DAMPED_WALK_H */
