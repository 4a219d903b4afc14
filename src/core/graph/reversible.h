/*
 * reversible.h
 *		The symmetric operator nearest to a walk that is not reversible.
 *
 * Reads:	any Graph with similarities or transitions, through the operator
 *			contract.
 * Yields:	S = 1/2 [ Pi^1/2 W Pi^-1/2 + Pi^-1/2 W^T Pi^1/2 ], symmetric,
 *
 * with W the walk of the graph and pi its stationary distribution, W^T pi =
 * pi.  S has the top eigenvalue 1 with eigenvector pi^1/2, so spectral methods
 * that want symmetry can use directed graphs and block graphs.  Where the
 * graph is symmetric, pi is proportional to the degrees and S is D^-1/2 A
 * D^-1/2 itself: use normalised.h.  (Spec seed000 section 2.14.)
 *
 * No graph kind knows of this form; it needs apply and apply_transpose only.
 */
#ifndef REVERSIBLE_H
#define REVERSIBLE_H

#include "graph/normalised.h"

typedef struct ReversibleReport
{
	int64_t		iterations;		/* products spent on pi */
	double		residual;		/* sum |W^T pi - pi| at the end */
	bool		converged;		/* residual <= tolerance */
} ReversibleReport;

typedef struct ReversibleWalk
{
	NormalisedGraph walk;		/* W */
	double	   *stationary;		/* pi, sums to 1 */
	double	   *root;			/* pi^1/2 */
	double	   *inverse_root;	/* pi^-1/2, 0 where pi is 0 */
	double	   *scaled;			/* scratch, n x max_columns */
	double	   *product;
} ReversibleWalk;

/*
 * Find pi by steps of the lazy walk, pi <- (pi + W^T pi) / 2, which does not
 * oscillate, from the uniform distribution, until the residual is at most
 * tolerance or limit products are spent; not converging is in the report.
 * Memory n (5 + 3 max_columns).
 */
extern GlStatus reversible_begin(GlHost *host, const Graph *graph,
								 int32_t max_columns, double tolerance,
								 int64_t limit, ReversibleWalk *out,
								 ReversibleReport *report);

extern void reversible_end(GlHost *host, ReversibleWalk *reversible);

/* y <- S x for n x columns blocks, y != x; two products with the graph. */
extern GlStatus reversible_apply(GlHost *host,
								 const ReversibleWalk *reversible,
								 const double *x, double *y,
								 int32_t columns);

#endif							/* REVERSIBLE_H */
