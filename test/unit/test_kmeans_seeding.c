/*
 * test_kmeans_seeding.c
 *		If this fails, k-means begins in the wrong places: every answer is still
 *		a clustering, but a worse one, or one that differs between machines.
 */
#include "point_shapes.h"

#include "learn/kmeans_seeding.h"

/* Centres are rows, all different while rows differ, however they are found. */
static void
test_plus_plus(void)
{
	GlRandom	shapes;

	gl_random_begin(&shapes, 21);
	for (int shape = 0; shape < POINTS_SHAPES; shape++)
		for (int variant = 0; variant < 4; variant++)
		{
			int			k = variant < 2 ? 7 : 20;
			int			d = variant % 2 ? 12 : 3;
			double		centres[2][20 * 12];
			PointMatrix rows = point_shape_make(&shapes, (PointShape) shape,
												300, d, variant == 3);
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);

			for (int by = 0; by <= 1; by++)
			{
				KmeansSearch search;
				GlRandom	random;

				gl_random_begin(&random, 5);
				EXPECT_OK(host, kmeans_search_begin_by(host, &rows, k, by,
													   &search));
				EXPECT_OK(host, kmeans_seed(host, &search, KMEANS_PLUS_PLUS,
											&random, 0, centres[by]));
				kmeans_search_end(host, &search);
			}
			EXPECT(memcmp(centres[0], centres[1],
						  sizeof(double) * (size_t) (k * d)) == 0);
			for (int c = 0; c < k; c++)
			{
				bool		is_row = false;

				for (int64_t i = 0; i < rows.row_count && !is_row; i++)
					is_row = distance_squared(distance_kernels(), &rows,
											  centres[0] + c * d, i) == 0;
				EXPECT(is_row);
				for (int b = 0; b < c && shape == POINTS_NORMAL; b++)
					EXPECT(memcmp(centres[0] + c * d, centres[0] + b * d,
								  sizeof(double) * (size_t) d) != 0);
			}
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
			free((void *) rows.values);
		}
}

/* Three places far apart, one of them crowded: each gets one centre. */
static void
test_far_apart(void)
{
	double		values[100];
	PointMatrix rows = {100, 1, SCALAR_FLOAT8, values};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (int i = 0; i < 100; i++)
		values[i] = i < 97 ? 0.001 * i : i == 97 ? 1000 : -1000;
	for (int64_t seed = 0; seed < 50; seed++)
	{
		KmeansSearch search;
		GlRandom	random;
		double		centres[3];
		double		product;

		gl_random_begin(&random, seed);
		EXPECT_OK(host, kmeans_search_begin(host, &rows, 3, &search));
		EXPECT_OK(host, kmeans_seed(host, &search, KMEANS_PLUS_PLUS, &random,
									0, centres));
		product = fmin(centres[0], fmin(centres[1], centres[2]));
		EXPECT(product == -1000);
		EXPECT(fmax(centres[0], fmax(centres[1], centres[2])) == 1000);
		kmeans_search_end(host, &search);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Centres that are given stay, and are not drawn again. */
static void
test_given(void)
{
	double		values[6] = {0, 0, 5, 5, 9, 9};
	PointMatrix rows = {6, 1, SCALAR_FLOAT8, values};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (int64_t seed = 0; seed < 20; seed++)
	{
		KmeansSearch search;
		GlRandom	random;
		double		centres[4] = {9, 0};

		gl_random_begin(&random, seed);
		EXPECT_OK(host, kmeans_search_begin(host, &rows, 4, &search));
		EXPECT_OK(host, kmeans_seed(host, &search, KMEANS_PLUS_PLUS, &random,
									2, centres));
		EXPECT(centres[0] == 9 && centres[1] == 0 && centres[2] == 5);
		/* only three places exist, so the fourth repeats one */
		EXPECT(centres[3] == 5);
		kmeans_search_end(host, &search);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Interpolated quantiles, as numpy.quantile gives them. */
static void
test_quantiles(void)
{
	double		values[5] = {40, 10, 30, 0, 20};
	double		centres[4] = {-7};
	double		pair[4] = {0, 1, 2, 3};
	PointMatrix rows = {5, 1, SCALAR_FLOAT8, values};
	PointMatrix two = {2, 2, SCALAR_FLOAT8, pair};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	KmeansSearch search;

	EXPECT_OK(host, kmeans_search_begin(host, &rows, 4, &search));
	EXPECT_OK(host, kmeans_seed(host, &search, KMEANS_QUANTILE, NULL, 0,
								centres));
	for (int q = 0; q < 4; q++)
		EXPECT_NEAR(centres[q], 40 * (2 * q + 1) / 8.0, 1e-13);
	centres[0] = -7;
	EXPECT_OK(host, kmeans_seed(host, &search, KMEANS_QUANTILE, NULL, 1,
								centres));
	EXPECT(centres[0] == -7);
	kmeans_search_end(host, &search);
	EXPECT_OK(host, kmeans_search_begin(host, &two, 1, &search));
	EXPECT(kmeans_seed(host, &search, KMEANS_QUANTILE, NULL, 0,
					   centres) == GL_ERR_INTERNAL);
	kmeans_search_end(host, &search);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	double		values[12] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8};
	double		centres[4];
	PointMatrix rows = {12, 1, SCALAR_FLOAT8, values};
	KmeansSearch search;
	GlRandom	random;

	gl_random_begin(&random, 0);
	for (int by = 0; by <= 1; by++)
	{
		GL_TRY(kmeans_search_begin_by(host, &rows, 4, by, &search));
		GL_TRY(kmeans_seed(host, &search, KMEANS_PLUS_PLUS, &random, 0,
						   centres));
		GL_TRY(kmeans_seed(host, &search, KMEANS_QUANTILE, NULL, 0, centres));
		kmeans_search_end(host, &search);
	}
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(refusal_job);
}

int
main(void)
{
	RUN(test_plus_plus);
	RUN(test_far_apart);
	RUN(test_given);
	RUN(test_quantiles);
	RUN(test_refused);
	UNIT_TEST_END();
}
