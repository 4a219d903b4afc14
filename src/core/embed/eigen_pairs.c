/*
 * eigen_pairs.c
 *		Eigenvalues with their vectors: memory, order, residuals, signs.
 */
#include "embed/eigen_pairs.h"

#include <math.h>
#include <string.h>

/* Does a come before b? */
static bool
comes_first(EigenOrder order, double a, double b)
{
	if (order == EIGEN_LARGEST || fabs(a) == fabs(b))
		return a > b;
	return fabs(a) > fabs(b);
}

void
eigen_pairs_choose(EigenOrder order, const double *ascending,
				   int32_t value_count, int32_t count, int32_t *chosen)
{
	int32_t		low = 0;
	int32_t		high = value_count - 1;

	for (int32_t c = 0; c < count; c++)
		chosen[c] = comes_first(order, ascending[low], ascending[high]) ?
			low++ : high--;
}

GlStatus
eigen_pairs_measure(GlHost *host, int64_t row_count, int32_t columns,
					const double *vectors, const double *images,
					const double *values, double *residuals)
{
	memset(residuals, 0, (size_t) columns * sizeof(double));
	for (int64_t i = 0; i < row_count; i++)
	{
		GL_TRY(gl_work(host, 2 * columns));
		for (int32_t c = 0; c < columns; c++)
		{
			double		part = images[i * columns + c] -
				values[c] * vectors[i * columns + c];

			residuals[c] += part * part;
		}
	}
	for (int32_t c = 0; c < columns; c++)
		residuals[c] = sqrt(residuals[c]);
	return GL_OK;
}

GlStatus
eigen_pairs_begin(GlHost *host, int64_t row_count, int32_t count,
				  EigenPairs *out)
{
	EigenPairs	pairs = {.row_count = row_count,.count = count};

	GL_NEW(host, pairs.values, count);
	GL_NEW(host, pairs.residuals, count);
	pairs.vectors = gl_allocate(host, (size_t) row_count,
								(size_t) count * sizeof(double));
	if (pairs.vectors == NULL)
		return host->status;
	*out = pairs;
	return GL_OK;
}

void
eigen_pairs_release(GlHost *host, EigenPairs *pairs)
{
	gl_release(host, pairs->values);
	gl_release(host, pairs->residuals);
	gl_release(host, pairs->vectors);
	memset(pairs, 0, sizeof(*pairs));
}

GlStatus
eigen_pairs_fix_signs(GlHost *host, EigenPairs *pairs)
{
	for (int32_t c = 0; c < pairs->count; c++)
	{
		double		largest = 0;
		double		sign = 1;

		for (int64_t i = 0; i < pairs->row_count; i++)
		{
			GL_TRY(gl_work(host, 1));
			largest = fmax(largest, fabs(pairs->vectors[i * pairs->count + c]));
		}
		for (int64_t i = 0; i < pairs->row_count; i++)
		{
			double		value = pairs->vectors[i * pairs->count + c];

			GL_TRY(gl_work(host, 1));
			if (fabs(value) >= largest * (1 - 1e-6))
			{
				sign = value < 0 ? -1 : 1;
				break;
			}
		}
		for (int64_t i = 0; i < pairs->row_count && sign < 0; i++)
		{
			GL_TRY(gl_work(host, 1));
			pairs->vectors[i * pairs->count + c] *= sign;
		}
	}
	return GL_OK;
}
