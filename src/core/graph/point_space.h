/*
 * point_space.h
 *		The rows of a point set as the graph builders measure them.
 *
 * Reads:	a PointSet, a metric and a scaling rule.
 * Yields:	a PointMatrix whose plain Euclidean squared distances are what the
 *			metric needs, and the functions that turn them back.
 *
 *		euclidean	the rows themselves, distance |x - y|
 *		cosine		rows of unit length; |x - y|^2 = 2 (1 - cos), so the
 *					distance 1 - cos is half the squared one, and kernels see
 *					the chord |x - y|
 *		standard	columns divided by their population standard deviation
 *					first; a constant column stays as it is
 *
 * Numbers so large or small that a square would leave the range of a double
 * are brought near 1 by a power of two, which changes no bit of the mantissa;
 * `exponent` remembers it.
 */
#ifndef POINT_SPACE_H
#define POINT_SPACE_H

#include "graph/graph.h"

typedef struct PointSpace
{
	PointMatrix matrix;			/* the rows of the set, or a scaled copy */
	bool		owns_values;
	GraphMetric metric;
	int			exponent;		/* matrix = rows * 2^-exponent */
	double	   *column_scale;	/* d divisors in user units, or NULL */
	double		column_spread;	/* largest column deviation / median one */
} PointSpace;

/*
 * GL_ERR_DATA for a zero row under cosine, naming its id.  O(n d) time; a
 * copy of n x d doubles unless the rows serve as they are.
 */
extern GlStatus point_space_begin(GlHost *host, const PointSet *points,
								  GraphMetric metric, GraphScale scale,
								  PointSpace *out);

extern void point_space_end(GlHost *host, PointSpace *space);

/* Distance in user units: |x - y|, or 1 - cos. */
extern double point_space_distance(const PointSpace *space,
								   double squared_distance);

/* The length kernels see, in user units: |x - y|, or the chord. */
extern double point_space_chord(const PointSpace *space,
								double squared_distance);

/* A squared distance of the matrix that bounds a distance in user units. */
extern double point_space_squared(const PointSpace *space, double distance);

#endif							/* POINT_SPACE_H */
