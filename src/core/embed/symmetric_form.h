/*
 * symmetric_form.h
 *		A graph as spectral methods want it: symmetric, with a mass per node.
 *
 * Reads:	any Graph of similarities or transitions, by the operator contract.
 * Yields:	weights C = C^T between nodes and the mass m = C 1, as products:
 *
 *		walk		S = M^-1/2 C M^-1/2, the spectrum of the walk M^-1 C
 *		laplacian	L = M - C
 *
 * A symmetric graph is its own C, and m are its degrees.  Otherwise (block
 * graphs, directed edges) C = (Pi W + W^T Pi) / 2 with W the walk and Pi its
 * stationary distribution: the reversible walk nearest to W, m = pi.
 *
 * The trivial eigenvectors, one for each component, are known exactly: m^1/2
 * for S with eigenvalue 1, constant for L with eigenvalue 0.
 */
#ifndef SYMMETRIC_FORM_H
#define SYMMETRIC_FORM_H

#include "graph/reversible.h"

typedef struct SymmetricForm
{
	const Graph *graph;			/* borrowed */
	int32_t		max_columns;
	double	   *mass;			/* m, n numbers */
	double	   *root;			/* m^1/2 */
	double	   *inverse_root;	/* m^-1/2; 0 where m is 0 */
	double		total;			/* sum of m */
	double		largest;		/* of m */
	double	   *scaled;			/* scratch, n x max_columns */
	ReversibleWalk reversible;	/* where the graph is not symmetric */
	ReversibleReport report;	/* of the search for pi; converged if none */
} SymmetricForm;

/*
 * Prepare products with up to max_columns columns.  learner is the SQL name,
 * for messages.  GL_ERR_OPTION where the numbers are lengths; GL_ERR_DATA if
 * a degree is not finite, or if the walk never returns to some node, which
 * then has no mass.  One product, or those that pi takes; memory
 * n (3 + max_columns), or n (8 + 4 max_columns).
 */
extern GlStatus symmetric_form_begin(GlHost *host, const Graph *graph,
									 int32_t max_columns, const char *learner,
									 SymmetricForm *out);

extern void symmetric_form_end(GlHost *host, SymmetricForm *form);

/* y <- S x for n x columns blocks, y != x. */
extern GlStatus symmetric_form_walk(GlHost *host, const SymmetricForm *form,
									const double *x, double *y,
									int32_t columns);

/* y <- L x. */
extern GlStatus symmetric_form_laplacian(GlHost *host,
										 const SymmetricForm *form,
										 const double *x, double *y,
										 int32_t columns);

#endif							/* SYMMETRIC_FORM_H */
