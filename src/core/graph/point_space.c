/*
 * point_space.c
 *		Column statistics, scaling, unit rows.
 *
 * All sums run over the rows in order of id, in double, about the column
 * mean: no cancellation, and no dependence on the order of the table.
 */
#include "graph/point_space.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"

/*
 * Squares of numbers up to 2^300, and sums of a million of them, stay far
 * inside the range of a double; beyond that the rows are rescaled.
 */
#define SAFE_EXPONENT	300

/* Per column, of rows * 2^-exponent. */
typedef struct ColumnStatistics
{
	double	   *deviation;		/* population standard deviation */
	double	   *low;
	double	   *high;
	double	   *mean;
	double	   *row;			/* scratch: one row as doubles */
} ColumnStatistics;

static GlStatus
statistics_begin(GlHost *host, int32_t d, ColumnStatistics *statistics)
{
	GL_NEW_ZEROED(host, statistics->deviation, d);
	GL_NEW(host, statistics->low, d);
	GL_NEW(host, statistics->high, d);
	GL_NEW_ZEROED(host, statistics->mean, d);
	GL_NEW(host, statistics->row, d);
	return GL_OK;
}

static void
statistics_end(GlHost *host, ColumnStatistics *statistics)
{
	gl_release(host, statistics->deviation);
	gl_release(host, statistics->low);
	gl_release(host, statistics->high);
	gl_release(host, statistics->mean);
	gl_release(host, statistics->row);
}

/* The power of two that brings the largest value near 1; 0 if none needed. */
static GlStatus
find_exponent(GlHost *host, const PointMatrix *matrix, double *row,
			  int *exponent)
{
	double		largest = 0;
	int			power = 0;

	for (int64_t i = 0; i < matrix->row_count; i++)
	{
		GL_TRY(gl_work(host, matrix->dimension_count));
		point_matrix_row(matrix, i, row);
		for (int32_t j = 0; j < matrix->dimension_count; j++)
			largest = fabs(row[j]) > largest ? fabs(row[j]) : largest;
	}
	if (largest > 0)
		frexp(largest, &power);
	*exponent = power > SAFE_EXPONENT || power < -SAFE_EXPONENT ? power : 0;
	return GL_OK;
}

static void
load_row(const PointMatrix *matrix, int64_t row, int exponent, double *out)
{
	point_matrix_row(matrix, row, out);
	if (exponent != 0)
		for (int32_t j = 0; j < matrix->dimension_count; j++)
			out[j] = ldexp(out[j], -exponent);
}

/* Two passes: the mean and the range, then the squares about the mean. */
static GlStatus
measure_columns(GlHost *host, const PointMatrix *matrix, int exponent,
				ColumnStatistics *statistics)
{
	int32_t		d = matrix->dimension_count;
	double		n = (double) matrix->row_count;
	double	   *row = statistics->row;

	for (int32_t j = 0; j < d; j++)
	{
		statistics->low[j] = INFINITY;
		statistics->high[j] = -INFINITY;
	}
	for (int64_t i = 0; i < matrix->row_count; i++)
	{
		GL_TRY(gl_work(host, 2 * d));
		load_row(matrix, i, exponent, row);
		for (int32_t j = 0; j < d; j++)
		{
			statistics->mean[j] += row[j];
			statistics->low[j] = row[j] < statistics->low[j] ?
				row[j] : statistics->low[j];
			statistics->high[j] = row[j] > statistics->high[j] ?
				row[j] : statistics->high[j];
		}
	}
	for (int32_t j = 0; j < d; j++)
		statistics->mean[j] /= n;
	for (int64_t i = 0; i < matrix->row_count; i++)
	{
		GL_TRY(gl_work(host, 2 * d));
		load_row(matrix, i, exponent, row);
		for (int32_t j = 0; j < d; j++)
		{
			double		difference = row[j] - statistics->mean[j];

			statistics->deviation[j] += difference * difference;
		}
	}
	for (int32_t j = 0; j < d; j++)
	{
		statistics->deviation[j] = sqrt(statistics->deviation[j] / n);
		/* rounding of the mean must not make a constant column vary */
		if (statistics->low[j] == statistics->high[j])
			statistics->deviation[j] = 0;
	}
	return GL_OK;
}

/* Largest deviation over the median one, constant columns left out. */
static GlStatus
column_spread(GlHost *host, const double *deviation, int32_t d,
			  double *spread)
{
	int64_t    *keys;
	int32_t    *order;
	int32_t		varying = 0;

	GL_NEW(host, keys, d);
	GL_NEW(host, order, d);
	for (int32_t j = 0; j < d; j++)
		keys[j] = gl_sort_key(deviation[j]);
	GL_TRY(gl_sort_order(host, keys, d, order));
	while (varying < d && deviation[order[d - 1 - varying]] > 0)
		varying++;
	*spread = 1;
	if (varying > 0)
		*spread = deviation[order[d - 1]] /
			deviation[order[d - 1 - varying / 2]];
	gl_release(host, order);
	gl_release(host, keys);
	return GL_OK;
}

/* Fill the scaled copy: rows * 2^-exponent / divisor, of unit length. */
static GlStatus
fill_matrix(GlHost *host, const PointSet *points, int exponent,
			const double *divisor, bool unit_rows, double *values)
{
	int32_t		d = points->matrix.dimension_count;

	for (int64_t i = 0; i < points->matrix.row_count; i++)
	{
		double	   *row = values + i * d;
		double		squares = 0;

		GL_TRY(gl_work(host, 2 * d));
		load_row(&points->matrix, i, exponent, row);
		if (divisor != NULL)
			for (int32_t j = 0; j < d; j++)
				row[j] /= divisor[j];
		if (!unit_rows)
			continue;
		for (int32_t j = 0; j < d; j++)
			squares += row[j] * row[j];
		if (squares == 0)
			return gl_fail(host, GL_ERR_DATA,
						   "the row with id %" PRId64
						   " is a zero vector, its cosine is not defined",
						   points->ids[i]);
		squares = sqrt(squares);
		for (int32_t j = 0; j < d; j++)
			row[j] /= squares;
	}
	return GL_OK;
}

/* Make the copy that scaling, cosine or extreme numbers call for. */
static GlStatus
copy_matrix(GlHost *host, const PointSet *points, GraphScale scale,
			const ColumnStatistics *statistics, PointSpace *space)
{
	int32_t		d = points->matrix.dimension_count;
	double	   *divisor = NULL;
	double	   *values;

	if (scale == SCALE_STANDARD)
	{
		GL_NEW(host, divisor, d);
		GL_NEW(host, space->column_scale, d);
		for (int32_t j = 0; j < d; j++)
		{
			bool		varies = statistics->deviation[j] > 0;

			divisor[j] = varies ? statistics->deviation[j] : 1;
			space->column_scale[j] =
				varies ? ldexp(divisor[j], space->exponent) : 1;
		}
	}
	values = gl_allocate(host, (size_t) points->matrix.row_count,
						 (size_t) d * sizeof(double));
	if (values == NULL)
		return host->status;
	GL_TRY(fill_matrix(host, points, space->exponent, divisor,
					   space->metric == METRIC_COSINE, values));
	gl_release(host, divisor);
	space->matrix.scalar = SCALAR_FLOAT8;
	space->matrix.values = values;
	space->owns_values = true;
	if (scale == SCALE_STANDARD || space->metric == METRIC_COSINE)
		space->exponent = 0;	/* these spaces have no unit */
	return GL_OK;
}

GlStatus
point_space_begin(GlHost *host, const PointSet *points, GraphMetric metric,
				  GraphScale scale, PointSpace *out)
{
	PointSpace	space = {.matrix = points->matrix, .metric = metric};
	ColumnStatistics statistics = {0};

	memset(out, 0, sizeof(*out));
	GL_TRY(statistics_begin(host, points->matrix.dimension_count,
							&statistics));
	GL_TRY(find_exponent(host, &points->matrix, statistics.row,
						 &space.exponent));
	GL_TRY(measure_columns(host, &points->matrix, space.exponent,
						   &statistics));
	GL_TRY(column_spread(host, statistics.deviation,
						 points->matrix.dimension_count,
						 &space.column_spread));
	if (scale != SCALE_NONE || metric == METRIC_COSINE || space.exponent != 0)
		GL_TRY(copy_matrix(host, points, scale, &statistics, &space));
	statistics_end(host, &statistics);
	*out = space;
	return GL_OK;
}

void
point_space_end(GlHost *host, PointSpace *space)
{
	if (space->owns_values)
		gl_release(host, space->matrix.values);
	gl_release(host, space->column_scale);
	memset(space, 0, sizeof(*space));
}

double
point_space_chord(const PointSpace *space, double squared_distance)
{
	return ldexp(sqrt(squared_distance), space->exponent);
}

double
point_space_distance(const PointSpace *space, double squared_distance)
{
	if (space->metric == METRIC_COSINE)
		return squared_distance / 2;
	return point_space_chord(space, squared_distance);
}

double
point_space_squared(const PointSpace *space, double distance)
{
	double		length;

	if (space->metric == METRIC_COSINE)
		return 2 * distance;
	length = ldexp(distance, -space->exponent);
	return length * length;
}
