/*
 * layout.c
 *		See layout.h.
 */
#include "embed/layout.h"

#include <math.h>

#include "base/blas.h"
#include "base/random.h"

GlStatus
layout_begin(GlHost *host, int64_t point_count, int32_t axes, Layout *out)
{
	Layout		layout = {.point_count = point_count,.axes = axes};

	*out = (Layout) {0};
	GL_NEW_ZEROED(host, layout.coordinates,
				  (size_t) point_count * (size_t) axes);
	*out = layout;
	return GL_OK;
}

void
layout_release(GlHost *host, Layout *layout)
{
	gl_release(host, layout->coordinates);
	*layout = (Layout) {0};
}

void
layout_get(const Layout *layout, int64_t point, double *out)
{
	for (int32_t a = 0; a < layout->axes; a++)
		out[a] = layout->coordinates[a * layout->point_count + point];
}

void
layout_set(Layout *layout, int64_t point, const double *position)
{
	for (int32_t a = 0; a < layout->axes; a++)
		layout->coordinates[a * layout->point_count + point] = position[a];
}

/* --- the standard position ------------------------------------------------- */

static GlStatus
centre(GlHost *host, Layout *layout)
{
	int64_t		n = layout->point_count;

	for (int32_t a = 0; a < layout->axes; a++)
	{
		double	   *axis = layout->coordinates + a * n;
		double		sum = 0;

		for (int64_t i = 0; i < n; i++)
			sum += axis[i];
		for (int64_t i = 0; i < n; i++)
			axis[i] -= sum / (double) n;
		GL_TRY(gl_work(host, 2 * n));
	}
	return GL_OK;
}

/* Products of axes, scatter[a][b] = sum_i x_ia x_ib. */
static GlStatus
measure_scatter(GlHost *host, const Layout *layout, double *scatter)
{
	int64_t		n = layout->point_count;
	int32_t		axes = layout->axes;

	for (int32_t a = 0; a < axes; a++)
		for (int32_t b = a; b < axes; b++)
		{
			const double *x = layout->coordinates + a * n;
			const double *y = layout->coordinates + b * n;
			double		sum = 0;

			for (int64_t i = 0; i < n; i++)
				sum += x[i] * y[i];
			scatter[a * axes + b] = scatter[b * axes + a] = sum;
			GL_TRY(gl_work(host, n));
		}
	return GL_OK;
}

/* x <- the components of x along the rows of `direction`, the last first. */
static GlStatus
turn(GlHost *host, Layout *layout, const double *direction)
{
	int32_t		axes = layout->axes;
	double		before[LAYOUT_MAX_AXES];
	double		after[LAYOUT_MAX_AXES];

	for (int64_t i = 0; i < layout->point_count; i++)
	{
		layout_get(layout, i, before);
		for (int32_t a = 0; a < axes; a++)
		{
			const double *row = direction + (axes - 1 - a) * axes;

			after[a] = 0;
			for (int32_t b = 0; b < axes; b++)
				after[a] += row[b] * before[b];
		}
		layout_set(layout, i, after);
		GL_TRY(gl_work(host, axes * axes));
	}
	return GL_OK;
}

/*
 * The side of an axis that is positive.  Magnitudes within rounding of the
 * largest count as equal, so that the choice does not hang on a last bit.
 */
static void
choose_side(double *axis, int64_t n)
{
	double		largest = 0;

	for (int64_t i = 0; i < n; i++)
		if (fabs(axis[i]) > largest)
			largest = fabs(axis[i]);
	for (int64_t i = 0; i < n; i++)
	{
		if (fabs(axis[i]) < largest * (1 - 1e-9))
			continue;
		if (axis[i] < 0)
			for (int64_t j = 0; j < n; j++)
				axis[j] = 0.0 - axis[j];
		return;
	}
}

GlStatus
layout_standardise(GlHost *host, Layout *layout, bool about_origin)
{
	int32_t		axes = layout->axes;
	int64_t		n = layout->point_count;
	double		value[LAYOUT_MAX_AXES];
	double	   *scatter;

	if (!about_origin)
		GL_TRY(centre(host, layout));
	GL_NEW(host, scatter, (size_t) axes * (size_t) axes);
	GL_TRY(measure_scatter(host, layout, scatter));
	GL_TRY(gl_symmetric_eigen(host, axes, scatter, value));
	GL_TRY(turn(host, layout, scatter));
	gl_release(host, scatter);
	for (int32_t a = 0; a < axes; a++)
	{
		choose_side(layout->coordinates + a * n, n);
		GL_TRY(gl_work(host, 2 * n));
	}
	return GL_OK;
}

/* The extent of an axis is not even a billionth of size. */
static bool
axis_is_flat(const double *axis, int64_t n, double size)
{
	double		low = INFINITY;
	double		high = -INFINITY;

	for (int64_t i = 0; i < n; i++)
	{
		low = axis[i] < low ? axis[i] : low;
		high = axis[i] > high ? axis[i] : high;
	}
	return !(high - low > 1e-9 * size);
}

bool
layout_is_flat(const Layout *layout, double size)
{
	for (int32_t a = 0; a < layout->axes; a++)
		if (axis_is_flat(layout->coordinates + a * layout->point_count,
						 layout->point_count, size))
			return true;
	return false;
}

GlStatus
layout_thicken(GlHost *host, Layout *layout, double size, int64_t seed)
{
	GlRandom	random;
	int64_t		n = layout->point_count;

	gl_random_begin(&random, seed);
	for (int32_t a = 0; a < layout->axes; a++)
	{
		double	   *axis = layout->coordinates + a * n;

		GL_TRY(gl_work(host, n));
		if (!axis_is_flat(axis, n, size))
			continue;
		for (int64_t i = 0; i < n; i++)
			axis[i] += size * gl_random_normal(&random);
		GL_TRY(gl_work(host, 32 * n));
	}
	return GL_OK;
}

/* --- one picture over another ---------------------------------------------- */

static void
mean_position(int32_t axes, int64_t count, const double *points, double *mean)
{
	for (int32_t a = 0; a < axes; a++)
	{
		mean[a] = 0;
		for (int64_t i = 0; i < count; i++)
			mean[a] += points[i * axes + a];
		mean[a] /= (double) count;
	}
}

/*
 * cross = sum (y - to) (x - from)^T, and both sums of squares.
 */
static GlStatus
compare_about_centres(GlHost *host, int64_t count, const double *moving,
					  const double *fixed, LayoutMotion *motion,
					  double *cross, double *moving_spread)
{
	int32_t		axes = motion->axes;

	*moving_spread = 0;
	motion->spread = 0;
	for (int32_t e = 0; e < axes * axes; e++)
		cross[e] = 0;
	for (int64_t i = 0; i < count; i++)
	{
		for (int32_t a = 0; a < axes; a++)
		{
			double		x = moving[i * axes + a] - motion->from[a];
			double		y = fixed[i * axes + a] - motion->to[a];

			*moving_spread += x * x;
			motion->spread += y * y;
			for (int32_t b = 0; b < axes; b++)
				cross[a * axes + b] += y * (moving[i * axes + b] -
											motion->from[b]);
		}
		GL_TRY(gl_work(host, axes * axes));
	}
	return GL_OK;
}

GlStatus
layout_match(GlHost *host, int32_t axes, int64_t count, const double *moving,
			 const double *fixed, bool allow_scale, LayoutMotion *motion)
{
	double		singular[LAYOUT_MAX_AXES];
	double		moving_spread;
	double		trace = 0;
	double	   *cross;
	double	   *left;
	double	   *right;
	size_t		square = (size_t) axes * (size_t) axes;

	motion->axes = axes;
	mean_position(axes, count, moving, motion->from);
	mean_position(axes, count, fixed, motion->to);
	GL_NEW(host, cross, square);
	GL_NEW(host, left, square);
	GL_NEW(host, right, square);
	GL_TRY(compare_about_centres(host, count, moving, fixed, motion, cross,
								 &moving_spread));
	/* cross = left diag(singular) right: the best rotation is left right */
	GL_TRY(gl_small_svd(host, axes, cross, singular, left, right));
	for (int32_t a = 0; a < axes; a++)
		trace += singular[a];
	for (int32_t a = 0; a < axes; a++)
		for (int32_t b = 0; b < axes; b++)
		{
			double		sum = 0;

			for (int32_t c = 0; c < axes; c++)
				sum += left[a * axes + c] * right[c * axes + b];
			motion->rotation[a * axes + b] = sum;
		}
	motion->scale = allow_scale && moving_spread > 0 ?
		trace / moving_spread : 1;
	motion->residual = motion->spread - 2 * motion->scale * trace +
		motion->scale * motion->scale * moving_spread;
	if (motion->residual < 0)
		motion->residual = 0;
	gl_release(host, right);
	gl_release(host, left);
	gl_release(host, cross);
	return GL_OK;
}

void
layout_move(const LayoutMotion *motion, const double *position, double *out)
{
	int32_t		axes = motion->axes;
	double		centred[LAYOUT_MAX_AXES];

	for (int32_t a = 0; a < axes; a++)
		centred[a] = position[a] - motion->from[a];
	for (int32_t a = 0; a < axes; a++)
	{
		double		sum = 0;

		for (int32_t b = 0; b < axes; b++)
			sum += motion->rotation[a * axes + b] * centred[b];
		out[a] = motion->to[a] + motion->scale * sum;
	}
}
