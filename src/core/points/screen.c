/*
 * screen.c
 *		Float images of rows: scale, centre, principal axes and limits.
 *
 * The margins are argued in screen.h; this file only has to keep the promise
 * that an image is within u |X| of what it stands for.  Centring subtracts in
 * double (relative error 2^-53), scaling by a power of two is exact, the
 * rotation sums d products in double (error d^1.5 2^-53 |X|, below 2^-38 |X|
 * for every d it is used with), and the cast to float rounds once.
 */
#include "points/screen.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/blas.h"
#include "points/distance.h"

/* Rows that pass through the rotation together. */
#define BLOCK_ROWS		256

/* Rows from which axes are learnt; the axes are a heuristic, not a claim. */
#define SAMPLE_ROWS		2000

/* Larger rows stay where they are: subtracting a centre might overflow. */
#define MAX_CENTRED		1e300

typedef struct ColumnRange
{
	double		low;
	double		high;
	double		mean;
} ColumnRange;

/*
 * Widen the ranges by the rows of one matrix, each counting `share` for the
 * means; *exact: all fit in a float.
 */
static GlStatus
scan_columns(GlHost *host, const PointMatrix *points, double share,
			 ColumnRange *range, bool *exact)
{
	int32_t		d = points->dimension_count;

	for (int64_t row = 0; row < points->row_count; row++)
	{
		GL_TRY(gl_work(host, d));
		if (points->scalar == SCALAR_FLOAT4)
		{
			const float *values = point_matrix_at(points, row);

			for (int32_t j = 0; j < d; j++)
			{
				double		value = (double) values[j];

				range[j].low = value < range[j].low ? value : range[j].low;
				range[j].high = value > range[j].high ? value : range[j].high;
				range[j].mean += value * share;
			}
		}
		else
		{
			const double *values = point_matrix_at(points, row);
			uint64_t	long_bits = 0;

			for (int32_t j = 0; j < d; j++)
			{
				double		value = values[j];
				uint64_t	bits;

				memcpy(&bits, &value, sizeof(bits));
				long_bits |= bits;
				range[j].low = value < range[j].low ? value : range[j].low;
				range[j].high = value > range[j].high ? value : range[j].high;
				range[j].mean += value * share;
			}
			/* a float's mantissa is 29 bits shorter */
			if ((long_bits & ((UINT64_C(1) << 29) - 1)) != 0)
				*exact = false;
		}
	}
	return GL_OK;
}

/* The largest |x - c|. */
static double
largest_magnitude(const ColumnRange *range, const double *centre, int32_t d)
{
	double		magnitude = 0.0;

	for (int32_t j = 0; j < d; j++)
	{
		double		middle = centre != NULL ? centre[j] : 0.0;

		magnitude = fmax(magnitude, fmax(fabs(range[j].high - middle),
										 fabs(range[j].low - middle)));
	}
	return magnitude;
}

/* A power of two that brings `magnitude` near 2^60 / sqrt d. */
static double
choose_scale(double magnitude, int32_t dimension_count)
{
	int			exponent;
	int			shift = 60;

	if (!(magnitude > 0.0))
		return 1.0;
	frexp(magnitude, &exponent);
	for (int64_t d = 1; d < dimension_count; d *= 4)
		shift--;
	shift -= exponent;
	shift = shift > 1000 ? 1000 : shift < -1000 ? -1000 : shift;
	return ldexp(1.0, shift);
}

/* One row as s (x - c) in double. */
static void
shift_row(const Screen *screen, const PointMatrix *points, int64_t row,
		  double *out)
{
	int32_t		d = screen->dimension_count;
	double		scale = screen->scale;

	distance_widen(points, row, out);
	if (screen->centre != NULL)
		for (int32_t j = 0; j < d; j++)
			out[j] = (out[j] - screen->centre[j]) * scale;
	else
		for (int32_t j = 0; j < d; j++)
			out[j] *= scale;
}

/* The largest `count` of d numbers, summed; sorts them on the way. */
static double
sum_largest(double *values, int32_t d, int32_t count)
{
	double		sum = 0.0;

	for (int32_t i = 0; i < count; i++)
	{
		int32_t		largest = i;
		double		value;

		for (int32_t j = i + 1; j < d; j++)
			if (values[j] > values[largest])
				largest = j;
		value = values[largest];
		values[largest] = values[i];
		values[i] = value;
		sum += value;
	}
	return sum;
}

/* |A A' - I| in the Frobenius norm, for the rows of a square matrix. */
static GlStatus
measure_stretch(GlHost *host, const double *axes, int32_t d, double *scratch,
				double *stretch)
{
	double		sum = 0.0;

	GL_TRY(gl_dgemm(host, false, true, d, d, d, 1.0, axes, d, axes, d,
					0.0, scratch, d));
	for (int32_t i = 0; i < d; i++)
		for (int32_t j = 0; j < d; j++)
		{
			double		entry = scratch[(size_t) i * d + j] - (i == j);

			sum += entry * entry;
		}
	*stretch = sqrt(sum);
	return GL_OK;
}

/*
 * Principal axes of a sample, widest first, kept only if their widest quarter
 * holds clearly more of the variance than the widest quarter of the columns:
 * a heuristic that decides about speed alone.
 */
static GlStatus
find_axes(GlHost *host, const PointMatrix *points, Screen *screen)
{
	int32_t		d = screen->dimension_count;
	int64_t		n = points->row_count;
	int64_t		sample = n < SAMPLE_ROWS ? n : SAMPLE_ROWS;
	double	   *covariance;
	double	   *scratch;
	double	   *values;
	double		by_column;
	double		by_axis;

	GL_NEW_ZEROED(host, covariance, (size_t) d * d);
	GL_NEW(host, scratch, (size_t) d * d);
	GL_NEW(host, values, d);
	GL_NEW(host, screen->buffer, (size_t) BLOCK_ROWS * d);
	GL_NEW(host, screen->rotated, (size_t) BLOCK_ROWS * d);
	for (int64_t first = 0; first < sample; first += BLOCK_ROWS)
	{
		int64_t		rows = sample - first < BLOCK_ROWS ? sample - first :
			BLOCK_ROWS;

		for (int64_t i = 0; i < rows; i++)
		{
			GL_TRY(gl_work(host, d));
			shift_row(screen, points, (first + i) * n / sample,
					  screen->buffer + i * d);
		}
		GL_TRY(gl_dgemm(host, true, false, d, d, rows, 1.0, screen->buffer,
						d, screen->buffer, d, 1.0, covariance, d));
	}
	for (int32_t j = 0; j < d; j++)
		values[j] = covariance[(size_t) j * d + j];
	by_column = sum_largest(values, d, (d + 3) / 4);
	GL_TRY(gl_symmetric_eigen(host, d, covariance, values));
	by_axis = sum_largest(values, d, (d + 3) / 4);
	/* eigenvalues came ascending: turn the rows round */
	for (int32_t i = 0; i < d / 2; i++)
		for (int32_t j = 0; j < d; j++)
		{
			double	   *high = covariance + (size_t) i * d + j;
			double	   *low = covariance + (size_t) (d - 1 - i) * d + j;
			double		swap = *high;

			*high = *low;
			*low = swap;
		}
	GL_TRY(measure_stretch(host, covariance, d, scratch, &screen->stretch));
	gl_release(host, scratch);
	gl_release(host, values);
	if (by_axis > 1.1 * by_column && screen->stretch < 1e-9)
	{
		/* both for |V z| against |z| and for |X| against its image */
		screen->stretch *= 2.0;
		screen->axes = covariance;
		return GL_OK;
	}
	screen->stretch = 0.0;
	gl_release(host, covariance);
	gl_release(host, screen->rotated);
	gl_release(host, screen->buffer);
	screen->rotated = NULL;
	screen->buffer = NULL;
	return GL_OK;
}

GlStatus
screen_begin(GlHost *host, const PointMatrix *points,
			 const PointMatrix *queries, ScreenKind kind, Screen *out)
{
	Screen		screen = {0};
	int32_t		d = points->dimension_count;
	int64_t		n = points->row_count;
	bool		exact = true;
	double		magnitude;
	ColumnRange *range;

	memset(out, 0, sizeof(*out));
	screen.dimension_count = d;
	GL_NEW(host, range, d);
	for (int32_t j = 0; j < d; j++)
		range[j] = (ColumnRange) {INFINITY, -INFINITY, 0.0};
	GL_TRY(scan_columns(host, points, 1.0 / (double) n, range, &exact));
	if (kind != SCREEN_PLAIN || !exact)
		GL_NEW(host, screen.centre, d);
	for (int32_t j = 0; j < d && screen.centre != NULL; j++)
		screen.centre[j] = range[j].mean;
	if (queries != NULL)
		GL_TRY(scan_columns(host, queries, 0.0, range, &exact));
	if (!exact && screen.centre == NULL)
		GL_NEW_ZEROED(host, screen.centre, d);
	magnitude = largest_magnitude(range, screen.centre, d);
	if (!(magnitude <= MAX_CENTRED) && screen.centre != NULL)
	{
		memset(screen.centre, 0, (size_t) d * sizeof(*screen.centre));
		magnitude = largest_magnitude(range, NULL, d);
	}
	gl_release(host, range);
	screen.scale = choose_scale(magnitude, d);
	screen.unit = screen.centre != NULL ? 1.02 * 0x1p-24 : 0.0;
	screen.slack = 1.5 * (d + 4.0) * 0x1p-24 + 0x1p-22;
	screen.tiny_root = 4.0 * sqrt(d) * 0x1p-149;
	screen.tiny = 4.0 * d * 0x1p-149;
	if (kind == SCREEN_ROTATED && d <= SCREEN_MAX_ROTATED && n > d)
		GL_TRY(find_axes(host, points, &screen));
	*out = screen;
	return GL_OK;
}

void
screen_release(GlHost *host, Screen *screen)
{
	gl_release(host, screen->rotated);
	gl_release(host, screen->buffer);
	gl_release(host, screen->axes);
	gl_release(host, screen->centre);
	memset(screen, 0, sizeof(*screen));
}

/* Images without a rotation: one pass, no buffer. */
static void
cast_row(const Screen *screen, const PointMatrix *points, int64_t row,
		 float *image)
{
	int32_t		d = screen->dimension_count;
	double		scale = screen->scale;
	const double *centre = screen->centre;

	if (points->scalar == SCALAR_FLOAT4)
	{
		const float *values = point_matrix_at(points, row);

		for (int32_t j = 0; j < d; j++)
			image[j] = (float) (((double) values[j] -
								 (centre != NULL ? centre[j] : 0.0)) * scale);
	}
	else
	{
		const double *values = point_matrix_at(points, row);

		for (int32_t j = 0; j < d; j++)
			image[j] = (float) ((values[j] -
								 (centre != NULL ? centre[j] : 0.0)) * scale);
	}
}

GlStatus
screen_images(GlHost *host, const Screen *screen, const PointMatrix *points,
			  const DuplicateGroups *groups, int64_t first, int64_t count,
			  float *images)
{
	int32_t		d = screen->dimension_count;

	if (screen->axes == NULL)
	{
		for (int64_t i = 0; i < count; i++)
		{
			GL_TRY(gl_work(host, d));
			cast_row(screen, points, groups == NULL ? first + i :
					 duplicate_groups_first(groups, first + i),
					 images + i * d);
		}
		return GL_OK;
	}
	for (int64_t block = 0; block < count; block += BLOCK_ROWS)
	{
		int64_t		rows = count - block < BLOCK_ROWS ? count - block :
			BLOCK_ROWS;

		for (int64_t i = 0; i < rows; i++)
		{
			int64_t		at = first + block + i;

			GL_TRY(gl_work(host, d));
			shift_row(screen, points, groups == NULL ? at :
					  duplicate_groups_first(groups, at),
					  screen->buffer + i * d);
		}
		GL_TRY(gl_dgemm(host, false, true, rows, d, d, 1.0, screen->buffer,
						d, screen->axes, d, 0.0, screen->rotated, d));
		for (int64_t i = 0; i < rows * d; i++)
			images[block * d + i] = (float) screen->rotated[i];
	}
	return GL_OK;
}

double
screen_norm(const Screen *screen, const float *image)
{
	double		sum = 0.0;

	for (int32_t j = 0; j < screen->dimension_count; j++)
		sum += (double) image[j] * (double) image[j];
	return sqrt(sum);
}

double
screen_reach(const Screen *screen, double tau, double norm)
{
	double		root;

	if (!(tau < INFINITY))
		return FLT_MAX;

	/*
	 * Squares of differences below 1e-154 vanish or lose digits in double:
	 * each by less than DBL_MIN, so that tiny data is searched slowly but
	 * still right.
	 */
	tau += screen->dimension_count * DBL_MIN;
	/* (r + a)^2 <= r^2 (1 + 2^-30) + a^2 (1 + 2^30), the latter below tiny */
	if (screen->unit == 0.0)
		return tau * screen->scale * screen->scale * (1.0 + 0x1p-29) +
			screen->tiny;
	root = sqrt(tau) * screen->scale * (1.0 + screen->stretch);
	/* the excess of unit over 2^-24 covers the rounding of these lines */
	root += screen->unit * (2.0 * norm + root) + screen->tiny_root;
	return root * root;
}

float
screen_limit(const Screen *screen, double tau, double norm)
{
	double		limit = screen_reach(screen, tau, norm) *
		(1.0 + screen->slack) + screen->tiny;

	return limit < FLT_MAX ? (float) limit : FLT_MAX;
}

double
screen_bound(const Screen *screen, double image_squared, double norm)
{
	double		root;

	/*
	 * r <= |x~ - y~| + e r + u (2 |X| + r) + tiny, solved for r; the last
	 * factor also covers the rounding of these lines
	 */
	root = sqrt(image_squared > 0.0 ? image_squared : 0.0) +
		2.0 * screen->unit * norm + screen->tiny_root;
	root *= 1.0 + 2.0 * (screen->stretch + screen->unit) + 0x1p-40;
	root /= screen->scale;
	/* an underflow must not make the bound smaller than the distance */
	return root * root * (1.0 + 0x1p-50) +
		screen->dimension_count * DBL_MIN;
}
