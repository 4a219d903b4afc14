/*
 * test_blas.c
 *		If this fails, cutting a product into short calls changed its value.
 */
#include "unit_test.h"

#include "base/blas.h"

static double *
random_matrix(GlRandom *random, int64_t count)
{
	double	   *values = malloc(sizeof(double) * (size_t) count);

	for (int64_t i = 0; i < count; i++)
		values[i] = gl_random_normal(random);
	return values;
}

/* Shapes on both sides of the limit of one call, with strides. */
static void
test_products_in_pieces(void)
{
	const int	shape[][3] = {{1, 1, 1}, {3, 5, 7}, {300, 270, 300},
	{2, 3, 40000}, {70, 4100, 90}, {0, 3, 3}};
	GlRandom	random;

	gl_random_begin(&random, 41);
	for (int s = 0; s < 6; s++)
		for (int flags = 0; flags < 4; flags++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			int			m = shape[s][0];
			int			n = shape[s][1];
			int			k = shape[s][2];
			bool		ta = flags & 1;
			bool		tb = flags & 2;
			int			a_stride = (ta ? m : k) + 3;
			int			b_stride = (tb ? k : n) + 2;
			double	   *a = random_matrix(&random, (int64_t) a_stride *
										  (ta ? k : m) + 1);
			double	   *b = random_matrix(&random, (int64_t) b_stride *
										  (tb ? n : k) + 1);
			double	   *c = random_matrix(&random, (int64_t) m * n + 1);
			double	   *before = malloc(sizeof(double) *
										((size_t) m * n + 1));

			memcpy(before, c, sizeof(double) * ((size_t) m * n + 1));
			EXPECT_OK(host, gl_dgemm(host, ta, tb, m, n, k, 2.0, a, a_stride,
									 b, b_stride, 0.5, c, n));
			for (int i = 0; i < m; i += 1 + m / 9)
				for (int j = 0; j < n; j += 1 + n / 9)
				{
					double		sum = 0.5 * before[(int64_t) i * n + j];

					for (int64_t l = 0; l < k; l++)
						sum += 2.0 * a[ta ? l * a_stride + i :
									   i * a_stride + l] *
							b[tb ? j * b_stride + l : l * b_stride + j];
					EXPECT_NEAR(c[(int64_t) i * n + j], sum, 1e-9 * k + 1e-9);
				}
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
			free(before);
			free(c);
			free(b);
			free(a);
		}
}

static void
test_float_products_in_pieces(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int			m = 130,
				n = 520,
				k = 700;
	float	   *a = malloc(sizeof(float) * (size_t) (m * k));
	float	   *b = malloc(sizeof(float) * (size_t) (n * k));
	float	   *c = malloc(sizeof(float) * (size_t) (m * n));

	/* integers small enough that every order of summation is exact */
	for (int i = 0; i < m * k; i++)
		a[i] = (float) (i * 7 % 9 - 4);
	for (int i = 0; i < n * k; i++)
		b[i] = (float) (i * 5 % 11 - 5);
	EXPECT_OK(host, gl_sgemm_transposed(host, m, n, k, -2.0f, a, k, b, k,
										0.0f, c, n));
	for (int i = 0; i < m; i += 7)
		for (int j = 0; j < n; j += 13)
		{
			float		sum = 0;

			for (int l = 0; l < k; l++)
				sum += a[i * k + l] * b[j * k + l];
			EXPECT(c[i * n + j] == -2.0f * sum);
		}
	/* more than one call's worth of work must have asked the host */
	EXPECT(test.polls > 1);
	free(c);
	free(b);
	free(a);
	test_host_end(&test);
}

static void
test_eigenvectors_are_rows(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[] = {2, 1, 0, 1, 2, 0, 0, 0, 7};
	double		values[3];

	EXPECT_OK(host, gl_symmetric_eigen(host, 3, matrix, values));
	EXPECT_NEAR(values[0], 1, 1e-12);
	EXPECT_NEAR(values[1], 3, 1e-12);
	EXPECT_NEAR(values[2], 7, 1e-12);
	EXPECT_NEAR(matrix[0] + matrix[1], 0, 1e-12);
	EXPECT_NEAR(matrix[3] - matrix[4], 0, 1e-12);
	EXPECT_NEAR(fabs(matrix[8]), 1, 1e-12);
	EXPECT(gl_symmetric_eigen(host, GL_EIGEN_LIMIT + 1, NULL, NULL) ==
		   GL_ERR_TOO_LARGE);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
blas_job(GlHost *host)
{
	double		matrix[] = {2, 1, 1, 2};
	double		values[2];
	double		product[4];

	GL_TRY(gl_dgemm(host, false, false, 2, 2, 2, 1.0, matrix, 2, matrix, 2,
					0.0, product, 2));
	return gl_symmetric_eigen(host, 2, matrix, values);
}

static void
test_refused_calls(void)
{
	test_refusals(blas_job);
}

int
main(void)
{
	RUN(test_products_in_pieces);
	RUN(test_float_products_in_pieces);
	RUN(test_eigenvectors_are_rows);
	RUN(test_refused_calls);
	UNIT_TEST_END();
}
