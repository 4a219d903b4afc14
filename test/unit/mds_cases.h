/*
 * mds_cases.h
 *		Small distance problems for the tests of MDS.
 */
#ifndef MDS_CASES_H
#define MDS_CASES_H

#include "unit_test.h"

#include "embed/distance_rows.h"
#include "embed/layout.h"

#define CASE_MAX	64

/* Rows of a full n x n matrix (copied). */
static inline DistanceRows
case_from_matrix(GlHost *host, int n, const double *matrix)
{
	DistanceRows rows = {.point_count = n,.is_complete = true};

	rows.matrix = gl_allocate(host, (size_t) n * (size_t) n, sizeof(double));
	memcpy(rows.matrix, matrix, (size_t) n * (size_t) n * sizeof(double));
	return rows;
}

/*
 * Rows of the pairs with weight > 0; weight may be NULL: pairs with a length
 * that is not negative, all counting 1.
 */
static inline DistanceRows
case_from_pairs(GlHost *host, int n, const double *length,
				const double *weight)
{
	DistanceRows rows = {.point_count = n};
	int64_t		total = 0;

	rows.row_start = gl_allocate(host, (size_t) n + 1, sizeof(int64_t));
	rows.target = gl_allocate(host, (size_t) n * (size_t) n, sizeof(int32_t));
	rows.table_length = gl_allocate(host, (size_t) n * (size_t) n,
									sizeof(double));
	if (weight != NULL)
		rows.table_weight = gl_allocate(host, (size_t) n * (size_t) n,
										sizeof(double));
	for (int i = 0; i < n; i++)
	{
		rows.row_start[i] = total;
		for (int j = 0; j < n; j++)
		{
			bool		known = weight != NULL ? weight[i * n + j] > 0 :
				length[i * n + j] >= 0;

			if (i == j || !known)
				continue;
			rows.target[total] = j;
			rows.table_length[total] = length[i * n + j];
			if (weight != NULL)
				rows.table_weight[total] = weight[i * n + j];
			total++;
		}
	}
	rows.row_start[n] = total;
	return rows;
}

/* Distances between random points in `axes` dimensions, n x n. */
static inline void
case_distances(const double *points, int n, int axes, double *matrix)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
		{
			double		sum = 0;

			for (int a = 0; a < axes; a++)
			{
				double		difference = points[i * axes + a] -
					points[j * axes + a];

				sum += difference * difference;
			}
			matrix[i * n + j] = sqrt(sum);
		}
}

static inline void
case_random(GlRandom *random, double *numbers, int count)
{
	for (int e = 0; e < count; e++)
		numbers[e] = gl_random_normal(random);
}

/* A layout from row-major coordinates. */
static inline Layout
case_layout(GlHost *host, int n, int axes, const double *points)
{
	Layout		layout = {.point_count = n,.axes = axes};

	layout.coordinates = gl_allocate(host, (size_t) n * (size_t) axes,
									 sizeof(double));
	for (int i = 0; i < n; i++)
		layout_set(&layout, i, points + i * axes);
	return layout;
}

/* The largest difference between shown and wanted distances. */
static inline double
case_worst(const Layout *layout, const double *matrix)
{
	int			n = (int) layout->point_count;
	double		worst = 0;
	double		a[LAYOUT_MAX_AXES];
	double		b[LAYOUT_MAX_AXES];

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
		{
			double		sum = 0;

			layout_get(layout, i, a);
			layout_get(layout, j, b);
			for (int k = 0; k < layout->axes; k++)
				sum += (a[k] - b[k]) * (a[k] - b[k]);
			worst = fmax(worst, fabs(sqrt(sum) - matrix[i * n + j]));
		}
	return worst;
}

#endif							/* MDS_CASES_H */
