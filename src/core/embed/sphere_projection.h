/*
 * sphere_projection.h
 *		Directions in many dimensions as directions in few.
 *
 * Reads:	a row of d numbers, of which only the direction counts.
 * Yields:	a point on the unit sphere in k + 1 dimensions: x = A y / |A y|
 *			with A a random matrix that the seed fixes.
 *
 * Angles between rows survive: with k in the order of log(n / delta) / eps^2
 * all angles between n rows change by a factor within 1 - eps .. 1 + eps, with
 * probability 1 - delta (a Johnson-Lindenstrauss bound for spheres).  Opposite
 * rows stay opposite.
 */
#ifndef SPHERE_PROJECTION_H
#define SPHERE_PROJECTION_H

#include "base/host.h"

typedef struct SphereProjection
{
	int32_t		dimension_count;	/* d */
	int32_t		axes;			/* k + 1 */
	int64_t		seed;
	double	   *matrix;			/* axes x d, normal */
} SphereProjection;

/* The matrix.  O(d k) time and memory. */
extern GlStatus sphere_projection_begin(GlHost *host, int32_t dimension_count,
										int32_t axes, int64_t seed,
										SphereProjection *out);

extern void sphere_projection_end(GlHost *host, SphereProjection *projection);

/*
 * out has `axes` numbers.  GL_ERR_DATA for a row that is zero or not finite.
 * The length of the row may be anything.  O(d k), no memory.
 */
extern GlStatus sphere_projection_row(GlHost *host,
									  const SphereProjection *projection,
									  const double *row, double *out);

#endif							/* SPHERE_PROJECTION_H */
