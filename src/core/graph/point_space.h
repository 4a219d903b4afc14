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

	/* how a row came here, so that new rows can follow; NULL: not so */
	int		   *column_shift;	/* column * 2^-shift, first of all */
	double	   *column_divisor; /* then divided; the shift is not in it */
	double	   *column_origin;	/* mahalanobis: then less this, */
	double	   *column_mean;	/* and less this, */
	double	   *factor;			/* and solved with this d x d triangle */
	double		smoothing;		/* counts and kl */
} PointSpace;

/*
 * GL_ERR_DATA for a zero row under cosine, naming its id.  O(n d) time; a
 * copy of n x d doubles unless the rows serve as they are.
 */
extern GlStatus point_space_begin(GlHost *host, const PointSet *points,
								  GraphMetric metric, GraphScale scale,
								  PointSpace *out);

extern void point_space_end(GlHost *host, PointSpace *space);

/*
 * A row never seen, as the metrics 'euclidean' and 'cosine' measure it: what
 * point_space_begin() would have made of it with the same column statistics.
 * out has d numbers.  GL_ERR_DATA if feature_count is not d, for a number
 * that is not finite, for a zero row under cosine, and for a row so far out
 * that its squared distances would overflow.  O(d), no memory.
 */
extern GlStatus point_space_map_row(GlHost *host, const PointSpace *space,
									const double *features,
									int64_t feature_count, double *out);

/* The part of it that does not depend on the metric: length, finite. */
extern GlStatus point_space_check_row(GlHost *host, const PointSpace *space,
									  const double *features,
									  int64_t feature_count);

/*
 * Log of the volume, in user units, of a unit cube of the space: what turns a
 * density over the space into one over the user's rows.  0 for cosine, whose
 * rows have lost their length, and for divergences without volume.  O(d).
 */
extern double point_space_log_volume(const PointSpace *space);

/* GL_ERR_OPTION naming keep_points unless the graph keeps its points. */
extern GlStatus point_space_require_points(GlHost *host, const Graph *graph);

/* Distance in user units: |x - y|, or 1 - cos. */
extern double point_space_distance(const PointSpace *space,
								   double squared_distance);

/* The length kernels see, in user units: |x - y|, or the chord. */
extern double point_space_chord(const PointSpace *space,
								double squared_distance);

/* A squared distance of the matrix that bounds a distance in user units. */
extern double point_space_squared(const PointSpace *space, double distance);

#endif							/* POINT_SPACE_H */
