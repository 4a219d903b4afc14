/*
 * point_shapes.h
 *		Awkward sets of points for the tests of neighbour searches.
 */
#ifndef POINT_SHAPES_H
#define POINT_SHAPES_H

#include "unit_test.h"

#include "points/distance.h"

typedef enum PointShape
{
	POINTS_NORMAL,				/* nothing special */
	POINTS_GRID,				/* small integers: ties everywhere */
	POINTS_TENTHS,				/* the same in tenths: near ties in float */
	POINTS_DUPLICATES,			/* few distinct rows, some very frequent */
	POINTS_EQUAL,				/* one row, many times */
	POINTS_OFFSET,				/* tiny differences on a huge offset */
	POINTS_SCALES,				/* magnitudes from 1e-60 to 1e60 in one set */
	POINTS_TINY,				/* all near 1e-115 */
	POINTS_HUGE,				/* all near 1e115 */
	POINTS_LINE,				/* collinear */
	POINTS_OUTLIER,				/* one row far from all others */
	POINTS_CORRELATED,			/* few principal axes */
	POINTS_FLOAT_EDGES,			/* the largest and the smallest floats */
	POINTS_SHAPES
} PointShape;

/* n x d values of a shape, as doubles. */
static inline void
point_shape_fill(GlRandom *random, PointShape shape, int n, int d,
				 double *values)
{
	for (int i = 0; i < n; i++)
	{
		double		row_scale = pow(10.0, (double) (i * 7 % 121) - 60.0);
		double		along = gl_random_normal(random);
		double		across = gl_random_normal(random);
		int			copy = i > 4 ? (int) gl_random_below(random, 5) : -1;

		for (int j = 0; j < d; j++)
		{
			double		normal = gl_random_normal(random);
			double	   *value = &values[(int64_t) i * d + j];

			switch (shape)
			{
				case POINTS_GRID:
					*value = (double) gl_random_below(random, 4);
					break;
				case POINTS_TENTHS:
					*value = (double) gl_random_below(random, 4) * 0.1;
					break;
				case POINTS_DUPLICATES:
					*value = copy >= 0 && i % 3 != 0 ? values[copy * d + j] :
						(double) gl_random_below(random, 7) - 3.0;
					if (*value == 0.0 && i % 2)
						*value = -0.0;
					break;
				case POINTS_EQUAL:
					*value = 0.7;
					break;
				case POINTS_OFFSET:
					*value = 1e9 + normal * 1e-3;
					break;
				case POINTS_SCALES:
					*value = normal * row_scale;
					break;
				case POINTS_TINY:
					*value = normal * 1e-115;
					break;
				case POINTS_HUGE:
					*value = normal * 1e115;
					break;
				case POINTS_LINE:
					*value = (j + 1) * along;
					break;
				case POINTS_OUTLIER:
					*value = i == n / 2 ? 1e20 : normal;
					break;
				case POINTS_CORRELATED:
					*value = along * cos(j) + across * sin(2.0 * j) +
						0.05 * normal;
					break;
				case POINTS_FLOAT_EDGES:
					*value = i % 2 ? 1e38 * cos(i + j) : 1e-42 * normal;
					break;
				default:
					*value = normal;
					break;
			}
		}
	}
}

/*
 * The shape as a matrix on malloc; floats are what the doubles round to.
 * Extreme shapes exist in double only.
 */
static inline PointMatrix
point_shape_make(GlRandom *random, PointShape shape, int n, int d,
				 bool as_float)
{
	double	   *values = malloc(sizeof(double) * (size_t) n * (size_t) d);
	PointMatrix points = {n, d, SCALAR_FLOAT8, values};

	point_shape_fill(random, shape, n, d, values);
	if (as_float && shape != POINTS_TINY && shape != POINTS_HUGE &&
		shape != POINTS_SCALES)
	{
		float	   *narrow = malloc(sizeof(float) * (size_t) n * (size_t) d);

		for (int64_t i = 0; i < (int64_t) n * d; i++)
			narrow[i] = (float) values[i];
		free(values);
		points.scalar = SCALAR_FLOAT4;
		points.values = narrow;
	}
	return points;
}

static inline double
point_shape_distance(const PointMatrix *points, int a, int b)
{
	double		widened[256];

	distance_widen(points, a, widened);
	return distance_squared(distance_kernels(), points, widened, b);
}

#endif							/* POINT_SHAPES_H */
