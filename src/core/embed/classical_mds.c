/*
 * classical_mds.c
 *		See classical_mds.h.
 */
#include "embed/classical_mds.h"

#include <math.h>

#include "base/blas.h"
#include "embed/eigen_solver.h"
#include "embed/landmark_mds.h"
#include "points/distance.h"

/* Rows turned into centred doubles at a time. */
#define BATCH			256

/* An eigenvalue below this part of the largest is rounding. */
#define NEGLIGIBLE		1e-10

/* --- principal components -------------------------------------------------- */

static GlStatus
column_means(GlHost *host, const PointMatrix *matrix, double *row,
			 double *mean)
{
	int32_t		d = matrix->dimension_count;

	for (int32_t j = 0; j < d; j++)
		mean[j] = 0;
	for (int64_t i = 0; i < matrix->row_count; i++)
	{
		distance_widen(matrix, i, row);
		for (int32_t j = 0; j < d; j++)
			mean[j] += row[j];
		GL_TRY(gl_work(host, d));
	}
	for (int32_t j = 0; j < d; j++)
		mean[j] /= (double) matrix->row_count;
	return GL_OK;
}

/* Rows first .. first+count-1, less the mean. */
static void
centred_batch(const PointMatrix *matrix, int64_t first, int64_t count,
			  const double *mean, double *batch)
{
	int32_t		d = matrix->dimension_count;

	for (int64_t i = 0; i < count; i++)
	{
		distance_widen(matrix, first + i, batch + i * d);
		for (int32_t j = 0; j < d; j++)
			batch[i * d + j] -= mean[j];
	}
}

static int64_t
batch_size(int64_t n, int64_t first)
{
	return n - first < BATCH ? n - first : BATCH;
}

static GlStatus
principal_components(GlHost *host, const DistanceRows *rows, Layout *layout)
{
	const PointMatrix *matrix = &rows->space.matrix;
	int64_t		n = matrix->row_count;
	int32_t		d = matrix->dimension_count;
	int32_t		axes = layout->axes < d ? layout->axes : d;
	double	   *mean;
	double	   *batch;
	double	   *scatter;
	double	   *value;
	double	   *shown;

	GL_NEW(host, mean, d);
	GL_NEW(host, value, d);
	GL_NEW(host, batch, (size_t) BATCH * (size_t) d);
	GL_NEW(host, shown, (size_t) BATCH * (size_t) axes);
	GL_NEW_ZEROED(host, scatter, (size_t) d * (size_t) d);
	GL_TRY(column_means(host, matrix, batch, mean));
	for (int64_t first = 0; first < n; first += BATCH)
	{
		int64_t		count = batch_size(n, first);

		centred_batch(matrix, first, count, mean, batch);
		GL_TRY(gl_work(host, count * d));
		GL_TRY(gl_dgemm(host, true, false, d, d, count, 1.0, batch, d, batch,
						d, 1.0, scatter, d));
	}
	GL_TRY(gl_symmetric_eigen(host, d, scatter, value));
	for (int64_t first = 0; first < n; first += BATCH)
	{
		int64_t		count = batch_size(n, first);

		centred_batch(matrix, first, count, mean, batch);
		GL_TRY(gl_work(host, count * d));
		/* eigenvectors are rows, the largest last */
		GL_TRY(gl_dgemm(host, false, true, count, axes, d, 1.0, batch, d,
						scatter + (size_t) (d - axes) * (size_t) d, d, 0.0,
						shown, axes));
		for (int64_t i = 0; i < count; i++)
			for (int32_t a = 0; a < axes; a++)
				layout->coordinates[a * n + first + i] =
					value[d - 1 - a] > NEGLIGIBLE * value[d - 1] ?
					ldexp(shown[i * axes + axes - 1 - a],
						  rows->space.exponent) : 0;
	}
	gl_release(host, scatter);
	gl_release(host, shown);
	gl_release(host, batch);
	gl_release(host, value);
	gl_release(host, mean);
	return GL_OK;
}

/* --- any distances --------------------------------------------------------- */

/* B as an operator; x is centred into a copy. */
typedef struct CentredGram
{
	DistanceRows *rows;
	double	   *centred;		/* n x columns */
} CentredGram;

/* Take the mean of each column away. */
static GlStatus
centre_columns(GlHost *host, const double *x, int64_t n, int32_t columns,
			   double *out)
{
	for (int32_t c = 0; c < columns; c++)
	{
		double		mean = 0;

		for (int64_t i = 0; i < n; i++)
			mean += x[i * columns + c];
		mean /= (double) n;
		for (int64_t i = 0; i < n; i++)
			out[i * columns + c] = x[i * columns + c] - mean;
		GL_TRY(gl_work(host, 2 * n));
	}
	return GL_OK;
}

static GlStatus
apply_gram(GlHost *host, void *state, const double *x, double *y,
		   int32_t columns)
{
	CentredGram *gram = state;
	int64_t		n = gram->rows->point_count;

	GL_TRY(centre_columns(host, x, n, columns, gram->centred));
	for (int64_t i = 0; i < n; i++)
	{
		double	   *out = y + i * columns;
		DistanceRow row;

		GL_TRY(distance_rows_get(host, gram->rows, i, &row));
		for (int32_t c = 0; c < columns; c++)
			out[c] = 0;
		for (int64_t j = 0; j < n; j++)
		{
			const double *in = gram->centred + j * columns;
			double		entry = -0.5 * row.length[j] * row.length[j];

			for (int32_t c = 0; c < columns; c++)
				out[c] += entry * in[c];
		}
		GL_TRY(gl_work(host, n * columns));
	}
	return centre_columns(host, y, n, columns, y);
}

/*
 * No eigenvalue of B is larger in magnitude than the Frobenius norm of
 * -1/2 D^2, since centring is a projection on both sides.
 */
static GlStatus
gram_bound(GlHost *host, DistanceRows *rows, double *bound)
{
	double		sum = 0;

	for (int64_t i = 0; i < rows->point_count; i++)
	{
		DistanceRow row;

		GL_TRY(distance_rows_get(host, rows, i, &row));
		for (int64_t j = 0; j < row.count; j++)
		{
			double		entry = 0.5 * row.length[j] * row.length[j];

			sum += entry * entry;
		}
		GL_TRY(gl_work(host, row.count));
	}
	*bound = sqrt(sum);
	return GL_OK;
}

static GlStatus
leading_eigenvectors(GlHost *host, DistanceRows *rows, int64_t seed,
					 Layout *layout)
{
	int64_t		n = rows->point_count;
	CentredGram gram = {.rows = rows};
	EigenProblem problem = {
		.apply = apply_gram,
		.state = &gram,
		.row_count = n
	};
	EigenOptions options = {
		.wanted = layout->axes,
		.order = EIGEN_LARGEST,
		.tolerance = 1e-9,
		.seed = seed
	};
	EigenPairs	pairs;
	EigenReport report;

	GL_TRY(gram_bound(host, rows, &problem.upper_bound));
	problem.lower_bound = -problem.upper_bound;
	if (problem.upper_bound == 0)
		return GL_OK;			/* all points at one place */
	GL_NEW(host, gram.centred, (size_t) n *
		   (size_t) eigen_solver_columns(n, layout->axes));
	GL_TRY(eigen_solver_run(host, &problem, &options, &pairs, &report));
	for (int32_t a = 0; a < pairs.count; a++)
	{
		if (!(pairs.values[a] > NEGLIGIBLE * problem.upper_bound))
			break;
		for (int64_t i = 0; i < n; i++)
			layout->coordinates[a * n + i] = sqrt(pairs.values[a]) *
				pairs.vectors[i * pairs.count + a];
		GL_TRY(gl_work(host, n));
	}
	eigen_pairs_release(host, &pairs);
	gl_release(host, gram.centred);
	return GL_OK;
}

GlStatus
classical_mds_run(GlHost *host, DistanceRows *rows, int64_t seed,
				  Layout *layout)
{
	if (rows->points != NULL && rows->space.metric == METRIC_EUCLIDEAN &&
		rows->space.matrix.dimension_count <= GL_EIGEN_LIMIT)
		return principal_components(host, rows, layout);
	if (rows->point_count <= LANDMARK_LIMIT)
		return landmark_mds_run(host, rows, MDS_FLAT, 1, rows->point_count,
								layout);
	return leading_eigenvectors(host, rows, seed, layout);
}
