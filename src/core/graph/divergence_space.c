/*
 * divergence_space.c
 *		Domain checks, smoothing, and whitening for the Mahalanobis distance.
 */
#include "graph/divergence_space.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/blas.h"

/* A pivot of the covariance this much below its column's variance is 0. */
#define SINGULAR_SHARE	1e-10

/* 2^20 numbers, the most a row has, sum to less than 2^20 times the largest. */
#define SUM_EXPONENT	20

/* Where the square of a whitened new row would overflow. */
#define FARTHEST	1e120

/* Which row is at fault: a new one has no id. */
static GlStatus
fail_domain(GlHost *host, const int64_t *id, int32_t column, double value,
			const char *wanted)
{
	if (id == NULL)
		return gl_fail(host, GL_ERR_DATA,
					   "feature %d of the new row is %g, but this metric needs numbers %s",
					   column + 1, value, wanted);
	return gl_fail(host, GL_ERR_DATA,
				   "feature %d of %s is %g, but this metric needs numbers %s",
				   column + 1, gl_row_name(host, *id).text, value, wanted);
}

/* Make a row sum to 1. */
static void
divide_by_sum(double *row, int32_t d, double sum)
{
	if (isinf(sum))
	{
		/* the largest doubles: a power of two less of each */
		sum = 0;
		for (int32_t j = 0; j < d; j++)
		{
			row[j] = ldexp(row[j], -SUM_EXPONENT);
			sum += row[j];
		}
	}
	for (int32_t j = 0; j < d; j++)
		row[j] /= sum;
}

/* One row of counts: smoothed, and summing to 1 for kl. */
static GlStatus
smooth_row(GlHost *host, const int64_t *id, const PointSpace *space,
		   double *row)
{
	int32_t		d = space->matrix.dimension_count;
	double		sum = 0;

	for (int32_t j = 0; j < d; j++)
	{
		if (row[j] < 0)
			return fail_domain(host, id, j, row[j], ">= 0");
		row[j] += space->smoothing;
		if (row[j] == 0)
		{
			fail_domain(host, id, j, row[j], "> 0 when smoothing is 0");
			gl_hint(host, "Use smoothing => 0.5, or another positive number.");
			return GL_ERR_DATA;
		}
		sum += row[j];
	}
	if (space->metric == METRIC_KL)
		divide_by_sum(row, d, sum);
	return GL_OK;
}

/* Bring one row, in place, into the domain of the metric, or refuse it. */
static GlStatus
enter_domain(GlHost *host, const int64_t *id, const PointSpace *space,
			 double *row)
{
	GraphMetric metric = space->metric;

	if (metric == METRIC_COUNTS || metric == METRIC_KL)
		return smooth_row(host, id, space, row);
	for (int32_t j = 0; j < space->matrix.dimension_count; j++)
	{
		if (metric == METRIC_ITAKURA_SAITO && !(row[j] > 0))
			return fail_domain(host, id, j, row[j], "> 0");
		if (metric == METRIC_LOGISTIC && !(row[j] > 0 && row[j] < 1))
			return fail_domain(host, id, j, row[j], "between 0 and 1");
	}
	return GL_OK;
}

static GlStatus
fill_domain(GlHost *host, const PointSet *points, const PointSpace *space,
			double *values)
{
	int32_t		d = points->matrix.dimension_count;

	for (int64_t i = 0; i < points->matrix.row_count; i++)
	{
		GL_TRY(gl_work(host, 4 * d));
		point_matrix_row(&points->matrix, i, values + i * d);
		GL_TRY(enter_domain(host, &points->ids[i], space, values + i * d));
	}
	return GL_OK;
}

/* The sample covariance of rows that are centred already. */
static GlStatus
covariance(GlHost *host, const double *centred, int64_t n, int32_t d,
		   double **out)
{
	double	   *matrix = gl_allocate(host, (size_t) d,
									 (size_t) d * sizeof(double));

	if (matrix == NULL)
		return host->status;
	GL_TRY(gl_dgemm(host, true, false, d, d, n, 1.0 / (double) (n - 1),
					centred, d, centred, d, 0, matrix, d));
	*out = matrix;
	return GL_OK;
}

/*
 * Cholesky factor L of a d x d matrix in place, lower triangle.  Small enough
 * to write out, and a zero pivot must be told from rounding: it is compared
 * with the variance of its column.
 */
static GlStatus
factorise(GlHost *host, double *matrix, int32_t d)
{
	for (int32_t j = 0; j < d; j++)
	{
		double		variance = matrix[(int64_t) j * d + j];
		double		pivot = variance;

		GL_TRY(gl_work(host, (int64_t) (d - j) * j + 1));
		for (int32_t k = 0; k < j; k++)
			pivot -= matrix[(int64_t) j * d + k] * matrix[(int64_t) j * d + k];
		if (!(pivot > SINGULAR_SHARE * variance))
		{
			gl_fail(host, GL_ERR_DATA,
					"the covariance of the features is singular at feature %d",
					j + 1);
			gl_hint(host, "Leave out constant features and those that depend on others.");
			return GL_ERR_DATA;
		}
		pivot = sqrt(pivot);
		matrix[(int64_t) j * d + j] = pivot;
		for (int32_t i = j + 1; i < d; i++)
		{
			double		sum = matrix[(int64_t) i * d + j];

			for (int32_t k = 0; k < j; k++)
				sum -= matrix[(int64_t) i * d + k] * matrix[(int64_t) j * d + k];
			matrix[(int64_t) i * d + j] = sum / pivot;
		}
	}
	return GL_OK;
}

/*
 * Columns near 1 by a power of two, of which the Mahalanobis distance knows
 * nothing, so that no square leaves the range of a double; then relative to
 * the first row, which makes a constant column exactly 0 and the sum for the
 * mean one of small numbers; then about the mean.
 */
static GlStatus
centre(GlHost *host, double *values, int64_t n, int32_t d, PointSpace *space)
{
	double	   *first;
	double	   *mean;
	int		   *exponent;

	GL_NEW_ZEROED(host, space->column_origin, d);
	GL_NEW_ZEROED(host, space->column_mean, d);
	GL_NEW(host, space->column_shift, d);
	first = space->column_origin;
	mean = space->column_mean;
	exponent = space->column_shift;
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, d));
		for (int32_t j = 0; j < d; j++)
			first[j] = fmax(first[j], fabs(values[i * d + j]));
	}
	for (int32_t j = 0; j < d; j++)
	{
		frexp(first[j], &exponent[j]);
		first[j] = ldexp(values[j], -exponent[j]);
	}
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 2 * d));
		for (int32_t j = 0; j < d; j++)
		{
			values[i * d + j] = ldexp(values[i * d + j], -exponent[j]) -
				first[j];
			mean[j] += values[i * d + j] / (double) n;
		}
	}
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, d));
		for (int32_t j = 0; j < d; j++)
			values[i * d + j] -= mean[j];
	}
	return GL_OK;
}

/* Solve L y = x in place. */
static void
solve_factor(const double *factor, int32_t d, double *row)
{
	for (int32_t j = 0; j < d; j++)
	{
		for (int32_t k = 0; k < j; k++)
			row[j] -= factor[(int64_t) j * d + k] * row[k];
		row[j] /= factor[(int64_t) j * d + j];
	}
}

/* Centre the rows, then solve L y = x for each. */
static GlStatus
whiten(GlHost *host, const PointSet *points, double *values,
	   PointSpace *space)
{
	int32_t		d = points->matrix.dimension_count;
	int64_t		n = points->matrix.row_count;

	if (d > GL_EIGEN_LIMIT)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "metric 'mahalanobis' takes at most %d features, not %d",
					   GL_EIGEN_LIMIT, d);
	if (n < 2)
		return GL_OK;
	GL_TRY(centre(host, values, n, d, space));
	GL_TRY(covariance(host, values, n, d, &space->factor));
	GL_TRY(factorise(host, space->factor, d));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, (int64_t) d * d / 2 + 1));
		solve_factor(space->factor, d, values + i * d);
	}
	return GL_OK;
}

GlStatus
divergence_space_begin(GlHost *host, const PointSet *points,
					   GraphMetric metric, double smoothing, PointSpace *out)
{
	PointSpace	space = {
		.matrix = points->matrix,
		.metric = metric,
		.owns_values = true,
		.column_spread = 1,		/* these metrics have their own scale */
		.smoothing = smoothing
	};
	double	   *values;

	memset(out, 0, sizeof(*out));
	values = gl_allocate(host, (size_t) points->matrix.row_count,
						 (size_t) points->matrix.dimension_count *
						 sizeof(double));
	if (values == NULL)
		return host->status;
	GL_TRY(fill_domain(host, points, &space, values));
	if (metric == METRIC_MAHALANOBIS)
		GL_TRY(whiten(host, points, values, &space));
	space.matrix.scalar = SCALAR_FLOAT8;
	space.matrix.values = values;
	*out = space;
	return GL_OK;
}

GlStatus
divergence_space_map_row(GlHost *host, const PointSpace *space,
						 const double *features, int64_t feature_count,
						 double *out)
{
	int32_t		d = space->matrix.dimension_count;

	GL_TRY(point_space_check_row(host, space, features, feature_count));
	memcpy(out, features, (size_t) d * sizeof(double));
	GL_TRY(enter_domain(host, NULL, space, out));
	if (space->factor == NULL)
		return GL_OK;
	GL_TRY(gl_work(host, (int64_t) d * d / 2 + 1));
	/* in two steps, as centre() does it: the same bits for the same row */
	for (int32_t j = 0; j < d; j++)
		out[j] = (ldexp(out[j], -space->column_shift[j]) -
				  space->column_origin[j]) - space->column_mean[j];
	solve_factor(space->factor, d, out);
	for (int32_t j = 0; j < d; j++)
		if (!(fabs(out[j]) <= FARTHEST))
			return gl_fail(host, GL_ERR_DATA,
						   "the new row is too far from the rows of the graph to be compared");
	return GL_OK;
}
