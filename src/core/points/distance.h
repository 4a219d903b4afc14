/*
 * distance.h
 *		The one squared distance of the core, and the float tests before it.
 *
 * Every distance that reaches a result is computed here, in double, by one
 * definition, whatever search proposed the pair:
 *
 *	 d < 8		(x0-y0)^2 + (x1-y1)^2 + ...  from left to right;
 *	 d >= 8		eight lanes, lane l summing the columns l, l+8, l+16 ... of the
 *				whole groups of eight; the lanes are added as
 *				((0+4)+(2+6)) + ((1+5)+(3+7)); the columns left over are then
 *				added from left to right.
 *
 * Rows stored as float are widened first, which is exact.  No product is
 * fused with an addition (-ffp-contract=off), so every instruction set gives
 * the same bits.  The distance is symmetric to the bit.
 *
 * The squared distance neither overflows nor vanishes while magnitudes stay
 * within 1e-120 .. 1e120 (zero allowed); callers scale beyond that.
 *
 * The screening kernels work in float on images of the rows (screen.h).  They
 * sum column by column, one lane per row, so they too give the same bits at
 * every level; but nothing they say reaches a result: they only reject.
 */
#ifndef DISTANCE_H
#define DISTANCE_H

#include "points/point_set.h"

#define DISTANCE_LANES		8	/* also the d from which lanes are used */

/* Rows of a screening block are padded to a multiple of this. */
#define SCREEN_LANES		8
#define SCREEN_MAX_WIDTH	64
#define SCREEN_BOXES		16

typedef enum DistanceLevel
{
	DISTANCE_BASELINE = 0,		/* what every machine of this kind runs */
	DISTANCE_AVX2
} DistanceLevel;

typedef struct DistanceKernels
{
	/* the definition above for d >= DISTANCE_LANES; query widened already */
	double		(*squared_float) (const double *query, const float *row,
								  int32_t dimension_count);
	double		(*squared_double) (const double *query, const double *row,
								   int32_t dimension_count);

	/*
	 * Which of `width` rows (a multiple of SCREEN_LANES, at most
	 * SCREEN_MAX_WIDTH) have a float squared distance <= limit.  block is
	 * column-major: column j of all rows at block + j * width.  squared[i] is
	 * valid for the rows in the answer.  May stop early once no row can
	 * qualify.
	 */
	uint64_t	(*screen_block) (const float *query, const float *block,
								 int32_t width, int32_t dimension_count,
								 float limit, float *squared);

	/*
	 * The same for SCREEN_BOXES axis boxes: per column 16 lower bounds, then
	 * 16 upper bounds.  squared[b] is valid for the boxes in the answer.
	 */
	uint32_t	(*screen_boxes) (const float *query, const float *boxes,
								 int32_t dimension_count, float limit,
								 float *squared);

	/*
	 * One row of a tile of products: bit j of mask is set when products[j] +
	 * column_norm[j] <= row_limit, or products[j] + row_norm <=
	 * column_limit[j].  count is a multiple of 64.  True if any bit is set.
	 */
	bool		(*screen_products) (const float *products,
									const float *column_norm,
									const float *column_limit,
									float row_norm, float row_limit,
									int32_t count, uint64_t *mask);
} DistanceKernels;

/* The best level this machine runs, or a level asked for (tests). */
extern const DistanceKernels *distance_kernels(void);
extern bool distance_level_supported(DistanceLevel level);
extern const DistanceKernels *distance_kernels_at(DistanceLevel level);

/* Address of a row. */
static inline const void *
point_matrix_at(const PointMatrix *points, int64_t row)
{
	size_t		offset = (size_t) row * (size_t) points->dimension_count;

	return (const char *) points->values +
		offset * scalar_size(points->scalar);
}

/* THE squared distance between a widened query and a stored row. */
static inline double
distance_squared(const DistanceKernels *kernels, const PointMatrix *points,
				 const double *query, int64_t row)
{
	int32_t		d = points->dimension_count;
	double		sum = 0.0;

	if (points->scalar == SCALAR_FLOAT4)
	{
		const float *values = point_matrix_at(points, row);

		if (d >= DISTANCE_LANES)
			return kernels->squared_float(query, values, d);
		for (int32_t j = 0; j < d; j++)
		{
			double		difference = query[j] - (double) values[j];

			sum += difference * difference;
		}
	}
	else
	{
		const double *values = point_matrix_at(points, row);

		if (d >= DISTANCE_LANES)
			return kernels->squared_double(query, values, d);
		for (int32_t j = 0; j < d; j++)
		{
			double		difference = query[j] - values[j];

			sum += difference * difference;
		}
	}
	return sum;
}

/* A stored row as doubles. */
static inline void
distance_widen(const PointMatrix *points, int64_t row, double *query)
{
	int32_t		d = points->dimension_count;

	if (points->scalar == SCALAR_FLOAT4)
	{
		const float *values = point_matrix_at(points, row);

		for (int32_t j = 0; j < d; j++)
			query[j] = (double) values[j];
	}
	else
	{
		const double *values = point_matrix_at(points, row);

		for (int32_t j = 0; j < d; j++)
			query[j] = values[j];
	}
}

#endif							/* DISTANCE_H */
