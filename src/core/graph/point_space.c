/*
 * point_space.c
 *		Column statistics, scaling, unit rows.
 *
 * All sums run over the rows in order of id, in double, about the column
 * mean: no cancellation, and no dependence on the order of the table.
 */
#include "graph/point_space.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"

/*
 * Squares of numbers up to 2^300, and sums of a million of them, stay far
 * inside the range of a double; beyond that the rows are rescaled.
 */
#define SAFE_EXPONENT	300

/* Where the squares of a new row, and sums of them, could overflow: 1e120. */
#define FARTHEST_EXPONENT	398

/*
 * Per column, of column * 2^-exponent: each column has a unit of its own, so
 * that one of 1e300 does not make one of 1 look constant.
 */
typedef struct ColumnStatistics
{
	int		   *exponent;		/* 0 unless the column is extreme */
	bool		any_exponent;	/* some are not 0 */
	double	   *deviation;		/* population standard deviation */
	double	   *low;
	double	   *high;
	double	   *mean;
	double	   *row;			/* scratch: one row as doubles */
} ColumnStatistics;

static GlStatus
statistics_begin(GlHost *host, int32_t d, ColumnStatistics *statistics)
{
	GL_NEW_ZEROED(host, statistics->exponent, d);
	GL_NEW_ZEROED(host, statistics->deviation, d);
	GL_NEW(host, statistics->low, d);
	GL_NEW_ZEROED(host, statistics->high, d);
	GL_NEW_ZEROED(host, statistics->mean, d);
	GL_NEW(host, statistics->row, d);
	return GL_OK;
}

static void
statistics_end(GlHost *host, ColumnStatistics *statistics)
{
	gl_release(host, statistics->exponent);
	gl_release(host, statistics->deviation);
	gl_release(host, statistics->low);
	gl_release(host, statistics->high);
	gl_release(host, statistics->mean);
	gl_release(host, statistics->row);
}

/* The power of two that brings a magnitude near 1; 0 if none is needed. */
static int
exponent_of(double magnitude)
{
	int			power = 0;

	if (magnitude > 0)
		frexp(magnitude, &power);
	return power > SAFE_EXPONENT || power < -SAFE_EXPONENT ? power : 0;
}

/* Exponents of the columns, and the one of the matrix as a whole. */
static GlStatus
find_exponents(GlHost *host, const PointMatrix *matrix,
			   ColumnStatistics *statistics, int *exponent)
{
	int32_t		d = matrix->dimension_count;
	double	   *row = statistics->row;
	double	   *largest = statistics->high;
	double		overall = 0;

	for (int64_t i = 0; i < matrix->row_count; i++)
	{
		GL_TRY(gl_work(host, d));
		point_matrix_row(matrix, i, row);
		for (int32_t j = 0; j < d; j++)
			largest[j] = fabs(row[j]) > largest[j] ?
				fabs(row[j]) : largest[j];
	}
	for (int32_t j = 0; j < d; j++)
	{
		overall = largest[j] > overall ? largest[j] : overall;
		statistics->exponent[j] = exponent_of(largest[j]);
		if (statistics->exponent[j] != 0)
			statistics->any_exponent = true;
	}
	*exponent = exponent_of(overall);
	return GL_OK;
}

/* A row with each column in its own unit. */
static void
load_row(const PointMatrix *matrix, int64_t row,
		 const ColumnStatistics *statistics, double *out)
{
	point_matrix_row(matrix, row, out);
	if (statistics->any_exponent)
		for (int32_t j = 0; j < matrix->dimension_count; j++)
			out[j] = ldexp(out[j], -statistics->exponent[j]);
}

/* Two passes: the mean and the range, then the squares about the mean. */
static GlStatus
measure_columns(GlHost *host, const PointMatrix *matrix,
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
		load_row(matrix, i, statistics, row);
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
		load_row(matrix, i, statistics, row);
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

/* Deviation of a column in user units. */
static double
user_deviation(const ColumnStatistics *statistics, int32_t column)
{
	return ldexp(statistics->deviation[column],
				 statistics->exponent[column]);
}

/* Largest deviation over the median one, constant columns left out. */
static GlStatus
column_spread(GlHost *host, const ColumnStatistics *statistics, int32_t d,
			  double *spread)
{
	int64_t    *keys;
	int32_t    *order;
	int32_t		varying = 0;

	GL_NEW(host, keys, d);
	GL_NEW(host, order, d);
	for (int32_t j = 0; j < d; j++)
		keys[j] = gl_sort_key(user_deviation(statistics, j));
	GL_TRY(gl_sort_order(host, keys, d, order));
	while (varying < d &&
		   user_deviation(statistics, order[d - 1 - varying]) > 0)
		varying++;
	*spread = 1;
	if (varying > 0)
		*spread = user_deviation(statistics, order[d - 1]) /
			user_deviation(statistics, order[d - 1 - varying / 2]);
	gl_release(host, order);
	gl_release(host, keys);
	return GL_OK;
}

/*
 * Bring a row to unit length; false if it is zero.  Rows may differ in length
 * as much as doubles can, so each is brought near 1 before it is squared.
 */
static bool
make_unit(double *row, int32_t d)
{
	double		largest = 0;
	double		squares = 0;
	int			exponent;

	for (int32_t j = 0; j < d; j++)
		largest = fabs(row[j]) > largest ? fabs(row[j]) : largest;
	if (largest == 0)
		return false;
	exponent = exponent_of(largest);
	if (exponent != 0)
		for (int32_t j = 0; j < d; j++)
			row[j] = ldexp(row[j], -exponent);
	for (int32_t j = 0; j < d; j++)
		squares += row[j] * row[j];
	squares = sqrt(squares);
	for (int32_t j = 0; j < d; j++)
		row[j] /= squares;
	return true;
}

/* In place: column * 2^-shift / divisor, where there are any. */
static void
scale_row(const PointSpace *space, double *row)
{
	int32_t		d = space->matrix.dimension_count;
	const int  *shift = space->column_shift;
	const double *divisor = space->column_divisor;

	if (shift != NULL)
		for (int32_t j = 0; j < d; j++)
			row[j] = shift[j] == 0 ? row[j] : ldexp(row[j], -shift[j]);
	if (divisor != NULL)
		for (int32_t j = 0; j < d; j++)
			row[j] /= divisor[j];
}

/* Fill the scaled copy, of unit length if asked. */
static GlStatus
fill_matrix(GlHost *host, const PointSet *points, const PointSpace *space,
			bool unit_rows, double *values)
{
	int32_t		d = points->matrix.dimension_count;

	for (int64_t i = 0; i < points->matrix.row_count; i++)
	{
		double	   *row = values + i * d;

		GL_TRY(gl_work(host, 2 * d));
		point_matrix_row(&points->matrix, i, row);
		scale_row(space, row);
		if (unit_rows && !make_unit(row, d))
			return gl_fail(host, GL_ERR_DATA,
						   "%s is a zero vector, its cosine is not defined",
						   gl_row_name(host, points->ids[i]).text);
	}
	return GL_OK;
}

/*
 * What the columns are shifted and divided by.  A constant column is divided
 * by nothing; it may be shifted unless rows are to be of unit length, as it
 * adds nothing to a distance.
 */
static GlStatus
prepare_columns(GlHost *host, int32_t d, GraphScale scale,
				const ColumnStatistics *statistics, PointSpace *space)
{
	bool		unit_rows = space->metric == METRIC_COSINE;

	if (scale != SCALE_STANDARD)
	{
		if (unit_rows || space->exponent == 0)
			return GL_OK;		/* make_unit() cares for itself */
		GL_NEW(host, space->column_shift, d);
		for (int32_t j = 0; j < d; j++)
			space->column_shift[j] = space->exponent;
		return GL_OK;
	}
	GL_NEW(host, space->column_shift, d);
	GL_NEW(host, space->column_divisor, d);
	GL_NEW(host, space->column_scale, d);
	for (int32_t j = 0; j < d; j++)
	{
		bool		varies = user_deviation(statistics, j) > 0;

		space->column_shift[j] = varies || !unit_rows ?
			statistics->exponent[j] : 0;
		space->column_divisor[j] = varies ? statistics->deviation[j] : 1;
		space->column_scale[j] = varies ? user_deviation(statistics, j) : 1;
	}
	return GL_OK;
}

/* Make the copy that scaling, cosine or extreme numbers call for. */
static GlStatus
copy_matrix(GlHost *host, const PointSet *points, GraphScale scale,
			const ColumnStatistics *statistics, PointSpace *space)
{
	int32_t		d = points->matrix.dimension_count;
	bool		unit_rows = space->metric == METRIC_COSINE;
	double	   *values;

	GL_TRY(prepare_columns(host, d, scale, statistics, space));
	values = gl_allocate(host, (size_t) points->matrix.row_count,
						 (size_t) d * sizeof(double));
	if (values == NULL)
		return host->status;
	GL_TRY(fill_matrix(host, points, space, unit_rows, values));
	space->matrix.scalar = SCALAR_FLOAT8;
	space->matrix.values = values;
	space->owns_values = true;
	if (scale == SCALE_STANDARD || unit_rows)
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
	GL_TRY(find_exponents(host, &points->matrix, &statistics,
						  &space.exponent));
	GL_TRY(measure_columns(host, &points->matrix, &statistics));
	GL_TRY(column_spread(host, &statistics, points->matrix.dimension_count,
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
	gl_release(host, space->column_shift);
	gl_release(host, space->column_divisor);
	gl_release(host, space->column_origin);
	gl_release(host, space->column_mean);
	gl_release(host, space->factor);
	memset(space, 0, sizeof(*space));
}

GlStatus
point_space_require_points(GlHost *host, const Graph *graph)
{
	if (graph->points != NULL)
		return GL_OK;
	gl_fail(host, GL_ERR_OPTION,
			"this graph does not keep the points it was built from");
	gl_hint(host, "Build it from points with keep_points => true.");
	return GL_ERR_OPTION;
}

GlStatus
point_space_check_row(GlHost *host, const PointSpace *space,
					  const double *features, int64_t feature_count)
{
	int32_t		d = space->matrix.dimension_count;

	if (feature_count != d)
		return gl_fail(host, GL_ERR_DATA,
					   "the new row has %" PRId64
					   " features, but the rows of the graph have %d",
					   feature_count, d);
	for (int32_t j = 0; j < d; j++)
		if (!isfinite(features[j]))
			return gl_fail(host, GL_ERR_DATA,
						   "feature %d of the new row is %s", j + 1,
						   isnan(features[j]) ? "NaN" : "infinite");
	return GL_OK;
}

GlStatus
point_space_map_row(GlHost *host, const PointSpace *space,
					const double *features, int64_t feature_count,
					double *out)
{
	int32_t		d = space->matrix.dimension_count;
	bool		unit_rows = space->metric == METRIC_COSINE;
	double		limit = unit_rows ? DBL_MAX : ldexp(1, FARTHEST_EXPONENT);

	GL_TRY(point_space_check_row(host, space, features, feature_count));
	memcpy(out, features, (size_t) d * sizeof(double));
	scale_row(space, out);
	for (int32_t j = 0; j < d; j++)
		if (!(fabs(out[j]) <= limit))
			return gl_fail(host, GL_ERR_DATA,
						   "feature %d of the new row is %g, too far from the rows of the graph to be compared",
						   j + 1, features[j]);
	if (unit_rows && !make_unit(out, d))
		return gl_fail(host, GL_ERR_DATA,
					   "the new row is a zero vector, its cosine is not defined");
	return GL_OK;
}

double
point_space_chord(const PointSpace *space, double squared_distance)
{
	return ldexp(sqrt(squared_distance), space->exponent);
}

double
point_space_log_volume(const PointSpace *space)
{
	int32_t		d = space->matrix.dimension_count;
	double		sum = 0;

	if (space->metric == METRIC_COSINE)
		return 0;
	for (int32_t j = 0; j < d; j++)
	{
		if (space->column_shift != NULL)
			sum += space->column_shift[j] * log(2);
		if (space->column_divisor != NULL)
			sum += log(space->column_divisor[j]);
		if (space->factor != NULL)
			sum += log(space->factor[(int64_t) j * d + j]);
	}
	return sum;
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
