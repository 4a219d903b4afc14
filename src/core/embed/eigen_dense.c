/*
 * eigen_dense.c
 *		Small operators written out and given to LAPACK.
 */
#include "embed/eigen_dense.h"

#include <math.h>
#include <string.h>

#include "base/blas.h"

/*
 * Write the operator out, with the known vectors moved to an eigenvalue below
 * all others, so that they come first of the ascending spectrum.
 */
static GlStatus
write_matrix(GlHost *host, const EigenProblem *problem, const double *lengths,
			 double *matrix, EigenReport *report)
{
	int32_t		n = (int32_t) problem->row_count;
	int32_t		width = n < EIGEN_DENSE_COLUMNS ? n : EIGEN_DENSE_COLUMNS;
	double		scale = fmax(fabs(problem->lower_bound),
							 fabs(problem->upper_bound));
	double		shift = -4 * (scale > 0 ? scale : 1);
	double	   *x;
	double	   *y;

	GL_NEW(host, x, (int64_t) n * width);
	GL_NEW(host, y, (int64_t) n * width);
	for (int32_t first = 0; first < n; first += width)
	{
		int32_t		columns = n - first < width ? n - first : width;

		memset(x, 0, (size_t) n * (size_t) columns * sizeof(double));
		for (int32_t c = 0; c < columns; c++)
			x[(int64_t) (first + c) * columns + c] = 1;
		GL_TRY(problem->apply(host, problem->state, x, y, columns));
		report->products++;
		for (int32_t i = 0; i < n; i++)
			memcpy(matrix + (int64_t) i * n + first, y + (int64_t) i * columns,
				   (size_t) columns * sizeof(double));
		GL_TRY(gl_work(host, (int64_t) n * columns));
	}
	for (int32_t i = 0; i < n; i++)
		for (int32_t j = 0; j <= i; j++)
		{
			double		value = (matrix[(int64_t) i * n + j] +
								 matrix[(int64_t) j * n + i]) / 2;
			int32_t		group = problem->group ? problem->group[i] : 0;

			if (!isfinite(value))
				return gl_fail(host, GL_ERR_DATA,
							   "a product with the graph is not finite");
			if (lengths != NULL && lengths[group] > 0 &&
				(problem->group == NULL || problem->group[j] == group))
				value += shift * problem->known_vector[i] *
					problem->known_vector[j] / lengths[group];
			matrix[(int64_t) i * n + j] = matrix[(int64_t) j * n + i] = value;
		}
	gl_release(host, x);
	gl_release(host, y);
	return GL_OK;
}

GlStatus
eigen_dense_run(GlHost *host, const EigenProblem *problem,
				const EigenOptions *options, const double *lengths,
				int64_t dimensions, int32_t count, EigenPairs *out,
				EigenReport *report)
{
	int32_t		n = (int32_t) problem->row_count;
	int32_t		known = n - (int32_t) dimensions;
	int32_t		width = n < EIGEN_DENSE_COLUMNS ? n : EIGEN_DENSE_COLUMNS;
	int32_t		asked = count < dimensions ? count + 1 : count;
	double	   *matrix;
	double	   *spectrum;
	double	   *x;
	double	   *y;
	int32_t    *chosen;

	GL_NEW(host, matrix, (int64_t) n * n);
	GL_NEW(host, spectrum, n);
	GL_NEW(host, chosen, n);
	GL_TRY(write_matrix(host, problem, lengths, matrix, report));
	GL_TRY(gl_symmetric_eigen(host, n, matrix, spectrum));
	eigen_pairs_choose(options->order, spectrum + known, n - known, asked,
					   chosen);
	GL_TRY(eigen_pairs_begin(host, n, count, out));
	GL_NEW(host, x, (int64_t) n * width);
	GL_NEW(host, y, (int64_t) n * width);
	for (int32_t first = 0; first < count; first += width)
	{
		int32_t		columns = count - first < width ? count - first : width;

		for (int32_t c = 0; c < columns; c++)
		{
			int32_t		from = chosen[first + c] + known;

			out->values[first + c] = spectrum[from];
			for (int32_t i = 0; i < n; i++)
			{
				double		value = matrix[(int64_t) from * n + i];

				x[(int64_t) i * columns + c] = value;
				out->vectors[(int64_t) i * count + first + c] = value;
			}
			GL_TRY(gl_work(host, n));
		}
		GL_TRY(problem->apply(host, problem->state, x, y, columns));
		report->products++;
		GL_TRY(eigen_pairs_measure(host, n, columns, x, y,
								   out->values + first,
								   out->residuals + first));
	}
	report->next_value = asked > count ? spectrum[chosen[count] + known] : NAN;
	gl_release(host, x);
	gl_release(host, y);
	gl_release(host, chosen);
	gl_release(host, spectrum);
	gl_release(host, matrix);
	return GL_OK;
}
