/*
 * divergence.h
 *		Bregman divergences, a table row each: what a block graph measures by.
 *
 *		d(x, y) = phi(x) - phi(y) - (x - y) . grad phi(y)	>= 0, not symmetric
 *
 * phi is a sum over coordinates, so a divergence is four functions of single
 * numbers.  x is the row that looks, y the row it looks at (spec seed000
 * section 2.11, with the corrected table).  Other metrics are one of these on
 * changed rows: cosine and mahalanobis are squared Euclidean distance on unit
 * and on whitened rows, kl is the generalised I-divergence on rows that sum
 * to 1; point_space.h makes the rows.
 */
#ifndef DIVERGENCE_H
#define DIVERGENCE_H

#include "graph/graph.h"

typedef struct Divergence
{
	bool		is_symmetric;	/* squared Euclidean distance */
	double		(*phi) (double t);
	double		(*gradient) (double t);
	double		(*inverse) (double u);	/* of the gradient */
	double		(*between) (double x, double y);	/* d of one coordinate */
} Divergence;

/* The divergence of a metric; never NULL for a metric of points. */
extern const Divergence *divergence_of(GraphMetric metric);

/* d(x, y) over all coordinates, summed in order. */
extern double divergence_between(const Divergence *divergence,
								 const double *x, const double *y,
								 int32_t dimension_count);

#endif							/* DIVERGENCE_H */
