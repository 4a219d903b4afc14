/*
 * landmark_mds.c
 *		See landmark_mds.h.
 *
 * Squared distances are double-centred only over the landmarks: with delta
 * the squared distances of a point to them and mu their mean columns, the
 * point's place along eigenvector v is -1/2 v (delta - mu) / sqrt(lambda).
 */
#include "embed/landmark_mds.h"

#include <math.h>

#include "base/blas.h"

/* An eigenvalue below this part of the largest is rounding. */
#define NEGLIGIBLE		1e-10

/* Walks to the other end of the data while looking for a far pair. */
#define PIVOT_WALKS		5

/* --- choosing landmarks ---------------------------------------------------- */

static int64_t
farthest(const double *length, int64_t n)
{
	int64_t		best = 0;

	for (int64_t j = 1; j < n; j++)
		if (length[j] > length[best])
			best = j;
	return best;
}

GlStatus
landmark_mds_choose(GlHost *host, DistanceRows *rows, int64_t count,
					int32_t *landmark, double *lengths)
{
	int64_t		n = rows->point_count;
	double	   *nearest;		/* distance to the landmarks so far */
	int64_t		next;

	GL_NEW(host, nearest, n);
	GL_TRY(distance_rows_full(host, rows, 0, nearest));
	next = farthest(nearest, n);
	for (int64_t j = 0; j < n; j++)
		nearest[j] = INFINITY;
	for (int64_t l = 0; l < count; l++)
	{
		double	   *length = lengths + l * n;

		landmark[l] = (int32_t) next;
		GL_TRY(distance_rows_full(host, rows, next, length));
		for (int64_t j = 0; j < n; j++)
			if (length[j] < nearest[j])
				nearest[j] = length[j];
		nearest[next] = -1;		/* never twice, not even among equal points */
		next = farthest(nearest, n);
		GL_TRY(gl_work(host, 3 * n));
	}
	gl_release(host, nearest);
	return GL_OK;
}

/* --- the landmark Gram matrix ---------------------------------------------- */

/* What a distance contributes to a Gram matrix. */
static double
gram_entry(MdsSpace space, double radius, double length)
{
	if (space == MDS_GEODESIC)
		return cos(length / radius);
	if (space == MDS_CHORDAL)
		return 1 - length * length / (2 * radius * radius);
	return -0.5 * length * length;
}

/* Take the means of columns (kept in mean) and of rows away. */
static void
centre_twice(double *gram, int64_t count, double *mean)
{
	double		total = 0;

	for (int64_t b = 0; b < count; b++)
	{
		mean[b] = 0;
		for (int64_t a = 0; a < count; a++)
			mean[b] += gram[a * count + b];
		mean[b] /= (double) count;
		total += mean[b];
	}
	total /= (double) count;
	for (int64_t a = 0; a < count; a++)
		for (int64_t b = 0; b < count; b++)
			gram[a * count + b] += total - mean[a] - mean[b];
}

static GlStatus
landmark_gram(GlHost *host, MdsSpace space, double radius, int64_t n,
			  const double *lengths, const int32_t *landmark, int64_t count,
			  double *gram, double *mean)
{
	for (int64_t a = 0; a < count; a++)
	{
		/* read the upper triangle only: paths may round otherwise back */
		for (int64_t b = a; b < count; b++)
			gram[a * count + b] = gram[b * count + a] =
				gram_entry(space, radius, lengths[a * n + landmark[b]]);
		mean[a] = 0;
		GL_TRY(gl_work(host, 4 * count));
	}
	if (space == MDS_FLAT)
		centre_twice(gram, count, mean);
	return GL_OK;
}

/* Rows of a spherical layout brought to the radius. */
static void
project_to_sphere(Layout *layout, int64_t point, double radius)
{
	double		position[LAYOUT_MAX_AXES];
	double		norm = 0;

	layout_get(layout, point, position);
	for (int32_t a = 0; a < layout->axes; a++)
		norm += position[a] * position[a];
	norm = sqrt(norm);
	if (!(norm > 0))
	{
		position[0] = norm = 1;
	}
	for (int32_t a = 0; a < layout->axes; a++)
		position[a] *= radius / norm;
	layout_set(layout, point, position);
}

/*
 * Axis a of every point: direction . (its Gram entries with the landmarks,
 * less the means) / sqrt(value).
 */
static GlStatus
fill_axis(GlHost *host, MdsSpace space, double radius, const double *lengths,
		  int64_t count, const double *direction, const double *mean,
		  double value, int32_t a, Layout *layout)
{
	int64_t		n = layout->point_count;
	double	   *axis = layout->coordinates + a * n;

	for (int64_t l = 0; l < count; l++)
	{
		const double *length = lengths + l * n;
		double		share = direction[l] / sqrt(value);

		for (int64_t j = 0; j < n; j++)
			axis[j] += share * (gram_entry(space, radius, length[j]) -
								mean[l]);
		GL_TRY(gl_work(host, 4 * n));
	}
	return GL_OK;
}

/* No path, no place: a landmark row with a gap cannot be used. */
static GlStatus
require_finite(GlHost *host, const double *lengths, int64_t n)
{
	for (int64_t j = 0; j < n; j++)
		if (!isfinite(lengths[j]))
			return gl_fail(host, GL_ERR_DATA,
						   "the known distances do not join all points");
	return GL_OK;
}

GlStatus
landmark_mds_run(GlHost *host, DistanceRows *rows, MdsSpace space,
				 double radius, int64_t landmark_count, Layout *layout)
{
	int64_t		n = rows->point_count;
	int64_t		count = landmark_count;
	double	   *lengths;
	double	   *gram;
	double	   *mean;
	double	   *value;
	int32_t    *landmark;

	GL_TRY(gl_require(host, (size_t) (n + count), (size_t) count * 8,
					  "Use fewer landmarks."));
	GL_NEW(host, lengths, (size_t) n * (size_t) count);
	GL_NEW(host, landmark, count);
	GL_NEW(host, gram, (size_t) count * (size_t) count);
	GL_NEW(host, mean, count);
	GL_NEW(host, value, count);
	GL_TRY(landmark_mds_choose(host, rows, count, landmark, lengths));
	GL_TRY(require_finite(host, lengths, n));
	GL_TRY(landmark_gram(host, space, radius, n, lengths, landmark, count,
						 gram, mean));
	GL_TRY(gl_symmetric_eigen(host, (int32_t) count, gram, value));
	GL_TRY(gl_zero(host, layout->coordinates, (size_t) n *
				   (size_t) layout->axes, sizeof(double)));
	for (int32_t a = 0; a < layout->axes && a < count; a++)
	{
		int64_t		e = count - 1 - a;

		if (!(value[e] > NEGLIGIBLE * value[count - 1]))
			break;
		GL_TRY(fill_axis(host, space, radius, lengths, count,
						 gram + e * count, mean, value[e], a, layout));
	}
	if (space != MDS_FLAT)
		for (int64_t j = 0; j < n; j++)
			project_to_sphere(layout, j, radius);
	gl_release(host, value);
	gl_release(host, mean);
	gl_release(host, gram);
	gl_release(host, landmark);
	gl_release(host, lengths);
	return GL_OK;
}

/* --- pivots ---------------------------------------------------------------- */

/* block (L x n) <- -1/2 of the squared lengths, means of both sides gone. */
static GlStatus
centre_block(GlHost *host, double *block, int64_t count, int64_t n)
{
	double	   *column;
	double		total = 0;

	GL_NEW_ZEROED(host, column, n);
	for (int64_t l = 0; l < count; l++)
	{
		for (int64_t j = 0; j < n; j++)
		{
			block[l * n + j] = gram_entry(MDS_FLAT, 1, block[l * n + j]);
			column[j] += block[l * n + j] / (double) count;
		}
		GL_TRY(gl_work(host, 2 * n));
	}
	for (int64_t j = 0; j < n; j++)
		total += column[j] / (double) n;
	for (int64_t l = 0; l < count; l++)
	{
		double		mean = 0;

		for (int64_t j = 0; j < n; j++)
			mean += block[l * n + j] / (double) n;
		for (int64_t j = 0; j < n; j++)
			block[l * n + j] += total - mean - column[j];
		GL_TRY(gl_work(host, 3 * n));
	}
	gl_release(host, column);
	return GL_OK;
}

GlStatus
landmark_mds_pivot(GlHost *host, DistanceRows *rows, int64_t landmark_count,
				   Layout *layout)
{
	int64_t		n = rows->point_count;
	int64_t		count = landmark_count;
	double	   *block;
	double	   *gram;
	double	   *value;
	int32_t    *pivot;

	GL_TRY(gl_require(host, (size_t) (n + count), (size_t) count * 8,
					  "Use fewer landmarks."));
	GL_NEW(host, block, (size_t) n * (size_t) count);
	GL_NEW(host, pivot, count);
	GL_NEW(host, gram, (size_t) count * (size_t) count);
	GL_NEW(host, value, count);
	GL_TRY(landmark_mds_choose(host, rows, count, pivot, block));
	GL_TRY(require_finite(host, block, n));
	GL_TRY(centre_block(host, block, count, n));
	GL_TRY(gl_dgemm(host, false, true, count, count, n, 1.0, block, n, block,
					n, 0.0, gram, count));
	GL_TRY(gl_symmetric_eigen(host, (int32_t) count, gram, value));
	GL_TRY(gl_zero(host, layout->coordinates, (size_t) n *
				   (size_t) layout->axes, sizeof(double)));
	for (int32_t a = 0; a < layout->axes && a < count; a++)
	{
		int64_t		e = count - 1 - a;
		double		singular;

		if (!(value[e] > NEGLIGIBLE * value[count - 1]))
			break;
		/* block = U s V: the eigenvalue over all n is about s sqrt(n/L) */
		singular = sqrt(value[e]);
		GL_TRY(gl_dgemm(host, false, false, 1, n, count,
						sqrt(sqrt((double) n / (double) count) / singular),
						gram + e * count, count, block, n, 0.0,
						layout->coordinates + a * n, n));
	}
	gl_release(host, value);
	gl_release(host, gram);
	gl_release(host, pivot);
	gl_release(host, block);
	return GL_OK;
}

/* --- fastmap --------------------------------------------------------------- */

/* What the axes found so far leave of a row of squared distances. */
static GlStatus
residual_row(GlHost *host, DistanceRows *rows, const Layout *layout,
			 int32_t axes, int64_t point, double *square)
{
	int64_t		n = rows->point_count;

	GL_TRY(distance_rows_full(host, rows, point, square));
	GL_TRY(require_finite(host, square, n));
	for (int64_t j = 0; j < n; j++)
		square[j] *= square[j];
	for (int32_t a = 0; a < axes; a++)
	{
		const double *axis = layout->coordinates + a * n;

		for (int64_t j = 0; j < n; j++)
		{
			double		shown = axis[j] - axis[point];

			square[j] -= shown * shown;
		}
	}
	for (int64_t j = 0; j < n; j++)
		if (square[j] < 0)
			square[j] = 0;
	return gl_work(host, n * (axes + 2));
}

GlStatus
landmark_mds_fastmap(GlHost *host, DistanceRows *rows, Layout *layout)
{
	int64_t		n = rows->point_count;
	double	   *from_a;
	double	   *from_b;

	GL_NEW(host, from_a, n);
	GL_NEW(host, from_b, n);
	GL_TRY(gl_zero(host, layout->coordinates, (size_t) n *
				   (size_t) layout->axes, sizeof(double)));
	for (int32_t axis = 0; axis < layout->axes; axis++)
	{
		int64_t		a = 0;
		int64_t		b = 0;
		double		span;

		GL_TRY(residual_row(host, rows, layout, axis, b, from_b));
		for (int walk = 0; walk < PIVOT_WALKS; walk++)
		{
			double	   *swap = from_a;
			int64_t		far = farthest(from_b, n);

			if (walk > 0 && from_b[far] <= from_b[a])
				break;			/* the pair is each other's farthest */
			a = b;
			b = far;
			from_a = from_b;
			from_b = swap;
			GL_TRY(residual_row(host, rows, layout, axis, b, from_b));
		}
		span = from_a[b];
		if (!(span > 0))
			break;				/* nothing left to show */
		for (int64_t j = 0; j < n; j++)
			layout->coordinates[axis * n + j] =
				(from_a[j] + span - from_b[j]) / (2 * sqrt(span));
		GL_TRY(gl_work(host, 4 * n));
	}
	gl_release(host, from_b);
	gl_release(host, from_a);
	return GL_OK;
}
