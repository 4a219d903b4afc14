/*
 * space_volume.h
 *		The user's volume of a unit cube after scaling or whitening, by
 *		definition, in long double: what densities are compared with.
 */
#ifndef SPACE_VOLUME_H
#define SPACE_VOLUME_H

#include "unit_test.h"

#include "graph/graph.h"

#define VOLUME_MAX_D	12

/* Covariance of the columns, divided by n, or by n - 1 for a sample's. */
static inline void
volume_covariance(const PointMatrix *points, int divisor,
				  long double matrix[VOLUME_MAX_D][VOLUME_MAX_D])
{
	const double *values = points->values;
	int			d = points->dimension_count;
	long double mean[VOLUME_MAX_D] = {0};

	for (int64_t i = 0; i < points->row_count; i++)
		for (int j = 0; j < d; j++)
			mean[j] += values[i * d + j] / (long double) points->row_count;
	for (int j = 0; j < d; j++)
		for (int k = 0; k < d; k++)
		{
			matrix[j][k] = 0;
			for (int64_t i = 0; i < points->row_count; i++)
				matrix[j][k] += (values[i * d + j] - mean[j]) *
					(values[i * d + k] - mean[k]) / divisor;
		}
}

/* Log of the determinant by elimination; the matrix is used up. */
static inline long double
volume_log_determinant(long double matrix[VOLUME_MAX_D][VOLUME_MAX_D], int d)
{
	long double sum = 0;

	for (int p = 0; p < d; p++)
	{
		sum += logl(matrix[p][p]);
		for (int i = p + 1; i < d; i++)
			for (int j = d - 1; j >= p; j--)
				matrix[i][j] -= matrix[p][j] * matrix[i][p] / matrix[p][p];
	}
	return sum;
}

static inline double
reference_log_volume(const PointMatrix *points, GraphMetric metric,
					 GraphScale scale)
{
	int			d = points->dimension_count;
	int			n = (int) points->row_count;
	long double matrix[VOLUME_MAX_D][VOLUME_MAX_D];
	long double sum = 0;

	if (metric == METRIC_MAHALANOBIS)
	{
		volume_covariance(points, n - 1, matrix);
		return (double) (volume_log_determinant(matrix, d) / 2);
	}
	if (metric != METRIC_EUCLIDEAN || scale != SCALE_STANDARD)
		return 0;
	volume_covariance(points, n, matrix);
	for (int j = 0; j < d; j++)
		sum += matrix[j][j] > 0 ? logl(matrix[j][j]) / 2 : 0;
	return (double) sum;
}

#endif							/* SPACE_VOLUME_H */
