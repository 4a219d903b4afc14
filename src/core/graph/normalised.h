/*
 * normalised.h
 *		The walks of a graph, written once for every graph kind.
 *
 *		walk		W = D^-1 A			rows sum to 1, one backward step
 *		spread		P = A^T D^-1 = W^T	columns sum to 1, one forward step
 *		symmetric	S = D^-1/2 A D^-1/2	same spectrum as W if A = A^T
 *
 * with D = diag(A 1).  P is A D^-1 where A is symmetric; elsewhere A D^-1
 * would neither sum to 1 nor lead where the arcs lead.  A node of degree 0 has
 * no row in W and no column in P: its inverse degree counts as 0, never as
 * infinity (spec seed000 T-13), so it hands on nothing.
 */
#ifndef NORMALISED_H
#define NORMALISED_H

#include "graph/graph.h"

typedef enum Normalisation
{
	NORMALISE_NONE = 0,			/* A itself */
	NORMALISE_WALK,
	NORMALISE_SPREAD,
	NORMALISE_SYMMETRIC
} Normalisation;

typedef struct NormalisedGraph
{
	const Graph *graph;			/* borrowed; must outlive us */
	Normalisation normalisation;
	double	   *degree;			/* A 1 */
	double	   *factor;			/* 1/d, or d^-1/2 for symmetric; 0 at d = 0 */
	int32_t		max_columns;
	double	   *scaled;			/* scratch for a scaled input, n x max_columns */
} NormalisedGraph;

/*
 * Prepare products with up to max_columns columns.  GL_ERR_DATA if a degree
 * is negative or not finite.  One product; memory n * (2 + max_columns).
 */
extern GlStatus normalised_begin(GlHost *host, const Graph *graph,
								 Normalisation normalisation,
								 int32_t max_columns, NormalisedGraph *out);

extern void normalised_end(GlHost *host, NormalisedGraph *normalised);

/* y <- N x for n x columns blocks, y != x. */
extern GlStatus normalised_apply(GlHost *host,
								 const NormalisedGraph *normalised,
								 const double *x, double *y,
								 int32_t columns);

/* y <- N^T x. */
extern GlStatus normalised_apply_transpose(GlHost *host,
										   const NormalisedGraph *normalised,
										   const double *x, double *y,
										   int32_t columns);

/* to[i,:] <- factor[i] * from[i,:]; in place is allowed. */
extern GlStatus normalised_scale_rows(GlHost *host, const double *factor,
									  int64_t node_count, int32_t columns,
									  const double *from, double *to);

#endif							/* NORMALISED_H */
