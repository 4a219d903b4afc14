/*
 * eigen_basis.c
 *		Projection, orthonormalisation and deflation of tall blocks.
 *
 * A block is made orthonormal through its Gram matrix G = B^T B = U L U^T,
 * B <- B U L^-1/2, columns scaled to length 1 first: two products with BLAS
 * for any width, where a QR factorisation of so tall a block would be one
 * call that cannot be interrupted.  Directions with an eigenvalue in the noise
 * are dropped and drawn afresh.  One such pass loses digits where the block is
 * nearly dependent, so projection and pass are repeated until a pass found
 * nothing to repair.
 */
#include "embed/eigen_basis.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/blas.h"

#define PANEL_ROWS	4096		/* rows of one product */
#define PASS_LIMIT	8			/* two are the rule */

/* A column shorter than this part of what it was is rounding noise. */
#define NOISE		1e-12

/* Eigenvalues of a scaled Gram matrix above this need no second pass. */
#define WELL_CONDITIONED	0.5

GlStatus
eigen_basis_begin(GlHost *host, const EigenProblem *problem, int32_t stride,
				  int32_t widest, int64_t seed, EigenBasis *out)
{
	EigenBasis	basis = {
		.row_count = problem->row_count,
		.stride = stride,
		.problem = problem
	};

	memset(out, 0, sizeof(*out));
	basis.columns = gl_allocate(host, (size_t) problem->row_count,
								(size_t) stride * sizeof(double));
	if (basis.columns == NULL)
		return host->status;
	gl_random_begin(&basis.random, seed);
	if (problem->known_vector != NULL)
	{
		GL_NEW_ZEROED(host, basis.known_inverse, problem->group_count);
		basis.known_sums = gl_allocate(host, (size_t) problem->group_count,
									   (size_t) widest * sizeof(double));
		if (basis.known_sums == NULL)
			return host->status;
		for (int64_t i = 0; i < problem->row_count; i++)
		{
			int32_t		group = problem->group ? problem->group[i] : 0;
			double		value = problem->known_vector[i];

			GL_TRY(gl_work(host, 1));
			basis.known_inverse[group] += value * value;
		}
		for (int32_t g = 0; g < problem->group_count; g++)
			if (basis.known_inverse[g] > 0)
				basis.known_inverse[g] = 1 / basis.known_inverse[g];
		GL_TRY(gl_work(host, problem->group_count));
	}
	*out = basis;
	return GL_OK;
}

void
eigen_basis_end(GlHost *host, EigenBasis *basis)
{
	gl_release(host, basis->columns);
	gl_release(host, basis->known_inverse);
	gl_release(host, basis->known_sums);
	memset(basis, 0, sizeof(*basis));
}

GlStatus
eigen_basis_gram(GlHost *host, int64_t row_count, const double *a,
				 int64_t a_stride, int32_t a_columns, const double *b,
				 int64_t b_stride, int32_t b_columns, double *out)
{
	for (int64_t row = 0; row < row_count; row += PANEL_ROWS)
	{
		int64_t		rows = row_count - row < PANEL_ROWS ?
			row_count - row : PANEL_ROWS;

		GL_TRY(gl_dgemm(host, true, false, a_columns, b_columns, rows, 1,
						a + row * a_stride, a_stride,
						b + row * b_stride, b_stride,
						row == 0 ? 0 : 1, out, b_columns));
	}
	return GL_OK;
}

GlStatus
eigen_basis_deflate(GlHost *host, EigenBasis *basis, double *block,
					int32_t columns)
{
	const EigenProblem *problem = basis->problem;
	const double *known = problem->known_vector;
	double	   *sums = basis->known_sums;

	if (known == NULL)
		return GL_OK;
	GL_TRY(gl_zero(host, sums, (size_t) problem->group_count,
				   (size_t) columns * sizeof(double)));
	for (int64_t i = 0; i < basis->row_count; i++)
	{
		double	   *sum = sums +
			(problem->group ? (int64_t) problem->group[i] * columns : 0);

		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			sum[c] += known[i] * block[i * columns + c];
	}
	for (int32_t g = 0; g < problem->group_count; g++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			sums[(int64_t) g * columns + c] *= basis->known_inverse[g];
	}
	for (int64_t i = 0; i < basis->row_count; i++)
	{
		const double *sum = sums +
			(problem->group ? (int64_t) problem->group[i] * columns : 0);

		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			block[i * columns + c] -= known[i] * sum[c];
	}
	return GL_OK;
}

GlStatus
eigen_basis_randomise(GlHost *host, EigenBasis *basis, double *block,
					  int32_t first, int32_t columns)
{
	for (int64_t i = 0; i < basis->row_count; i++)
	{
		GL_TRY(gl_work(host, 16 * (columns - first) + 1));
		for (int32_t c = first; c < columns; c++)
			block[i * columns + c] =
				2 * gl_random_unit(&basis->random) - 1;
	}
	return GL_OK;
}

GlStatus
eigen_basis_coordinates(GlHost *host, const EigenBasis *basis,
						const double *block, int32_t columns,
						double *coordinates)
{
	return eigen_basis_gram(host, basis->row_count, basis->columns,
							basis->stride, basis->used, block, columns,
							columns, coordinates);
}

GlStatus
eigen_basis_combine(GlHost *host, const EigenBasis *basis,
					const double *factors, int32_t columns, double *out)
{
	return gl_dgemm(host, false, false, basis->row_count, columns,
					basis->used, 1, basis->columns, basis->stride,
					factors, columns, 0, out, columns);
}

/* Squared length of every column. */
static GlStatus
column_lengths(GlHost *host, int64_t row_count, const double *block,
			   int32_t columns, double *lengths)
{
	memset(lengths, 0, (size_t) columns * sizeof(double));
	for (int64_t i = 0; i < row_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			lengths[c] += block[i * columns + c] * block[i * columns + c];
	}
	return GL_OK;
}

/* What a pass of orthonormalisation needs beside the block itself. */
typedef struct Pass
{
	double	   *gram;			/* columns x columns */
	double	   *values;			/* its eigenvalues */
	double	   *transform;		/* columns x columns */
	double	   *lengths;		/* squared, before projection */
	double	   *coordinates;	/* used x columns */
	int32_t		rank;			/* directions that survived */
	bool		clean;			/* nothing was nearly dependent */
} Pass;

/*
 * The factors that turn the block into an orthonormal one, from its Gram
 * matrix: transform[:, r] for the directions above the noise, zero for others.
 */
static GlStatus
find_transform(GlHost *host, Pass *pass, int32_t columns)
{
	double		smallest = 1;

	for (int32_t c = 0; c < columns; c++)
	{
		double		length = pass->gram[c * columns + c];

		if (!isfinite(length))
			return gl_fail(host, GL_ERR_DATA,
						   "a product with the graph is not finite");
		pass->values[c] = length > NOISE * NOISE * pass->lengths[c] &&
			length > 0 ? 1 / sqrt(length) : 0;
	}
	for (int32_t r = 0; r < columns; r++)
		for (int32_t c = 0; c < columns; c++)
		{
			pass->gram[r * columns + c] *= pass->values[r] * pass->values[c];
			pass->transform[r * columns + c] = 0;
		}
	/* lengths is free now: keep the scaling there */
	memcpy(pass->lengths, pass->values, (size_t) columns * sizeof(double));
	GL_TRY(gl_symmetric_eigen(host, columns, pass->gram, pass->values));
	pass->rank = 0;
	for (int32_t r = columns - 1; r >= 0; r--)
	{
		const double *direction = pass->gram + (int64_t) r * columns;
		double		value = pass->values[r];

		if (!(value > 64 * columns * DBL_EPSILON))
			break;
		smallest = value;
		for (int32_t c = 0; c < columns; c++)
			pass->transform[c * columns + pass->rank] =
				pass->lengths[c] * direction[c] / sqrt(value);
		pass->rank++;
	}
	pass->clean = pass->rank == columns && smallest > WELL_CONDITIONED;
	return GL_OK;
}

/* One projection against the basis and one orthonormalisation within. */
static GlStatus
run_pass(GlHost *host, EigenBasis *basis, double *block, int32_t columns,
		 double *scratch, Pass *pass)
{
	int64_t		n = basis->row_count;

	GL_TRY(column_lengths(host, n, block, columns, pass->lengths));
	GL_TRY(eigen_basis_deflate(host, basis, block, columns));
	if (basis->used > 0)
	{
		GL_TRY(eigen_basis_coordinates(host, basis, block, columns,
									   pass->coordinates));
		GL_TRY(gl_dgemm(host, false, false, n, columns, basis->used, -1,
						basis->columns, basis->stride, pass->coordinates,
						columns, 1, block, columns));
	}
	GL_TRY(eigen_basis_gram(host, n, block, columns, columns, block, columns,
							columns, pass->gram));
	GL_TRY(find_transform(host, pass, columns));
	GL_TRY(gl_dgemm(host, false, false, n, columns, columns, 1, block,
					columns, pass->transform, columns, 0, scratch, columns));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, columns));
		memcpy(block + i * columns, scratch + i * columns,
			   (size_t) columns * sizeof(double));
	}
	return GL_OK;
}

GlStatus
eigen_basis_append(GlHost *host, EigenBasis *basis, double *block,
				   int32_t columns, double *scratch)
{
	Pass		pass = {0};
	int			passes = 0;

	GL_NEW(host, pass.gram, (int64_t) columns * columns);
	GL_NEW(host, pass.transform, (int64_t) columns * columns);
	GL_NEW(host, pass.values, columns);
	GL_NEW(host, pass.lengths, columns);
	GL_NEW(host, pass.coordinates, (int64_t) (basis->used + 1) * columns);
	do
	{
		if (passes > 0 && pass.rank < columns)
			GL_TRY(eigen_basis_randomise(host, basis, block, pass.rank,
										 columns));
		GL_TRY(run_pass(host, basis, block, columns, scratch, &pass));
		passes++;
	} while ((passes < 2 || !pass.clean) && passes < PASS_LIMIT);
	if (!pass.clean)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "a basis of %d columns has no room for %d more",
					   (int) basis->used, (int) columns);
	for (int64_t i = 0; i < basis->row_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		memcpy(basis->columns + i * basis->stride + basis->used,
			   block + i * columns, (size_t) columns * sizeof(double));
	}
	basis->used += columns;
	gl_release(host, pass.gram);
	gl_release(host, pass.transform);
	gl_release(host, pass.values);
	gl_release(host, pass.lengths);
	gl_release(host, pass.coordinates);
	return GL_OK;
}
