/*
 * test_kmeans.c
 *		If this fails, clusters are not what k-means promises: rows with their
 *		nearest centre, centres in the middle, the same again for the same seed.
 */
#include "point_shapes.h"

#include "learn/kmeans.h"

static KmeansOptions
options_with(int32_t k)
{
	KmeansOptions options;

	kmeans_defaults(&options);
	options.cluster_count = k;
	options.tolerance = 0;
	return options;
}

/* Two pairs on a line; every number known. */
static void
test_two_pairs(void)
{
	double		values[4] = {0, 1, 10, 11};
	PointMatrix rows = {4, 1, SCALAR_FLOAT8, values};
	KmeansOptions options = options_with(2);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	KmeansResult result;
	KmeansReport report;

	for (int seeding = KMEANS_PLUS_PLUS; seeding <= KMEANS_QUANTILE; seeding++)
	{
		options.seeding = (KmeansSeeding) seeding;
		EXPECT_OK(host, kmeans_run(host, &rows, &options, &result, &report));
		EXPECT(result.cluster[0] == result.cluster[1]);
		EXPECT(result.cluster[2] == result.cluster[3]);
		EXPECT(result.cluster[0] != result.cluster[2]);
		EXPECT(result.centre[result.cluster[0]] == 0.5);
		EXPECT(result.centre[result.cluster[2]] == 10.5);
		EXPECT(report.inertia == 1 && result.squared[3] == 0.25);
		EXPECT(report.converged && report.empty_count == 0);
		kmeans_result_release(host, &result);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* The smallest sum over all assignments of n rows to k clusters. */
static double
reference_optimum(const PointMatrix *rows, int k)
{
	int			n = (int) rows->row_count;
	int			d = rows->dimension_count;
	const double *values = rows->values;
	int			assignments = 1;
	double		best = INFINITY;

	for (int i = 0; i < n; i++)
		assignments *= k;
	for (int a = 0; a < assignments; a++)
	{
		double		total = 0;

		for (int c = 0; c < k; c++)
			for (int j = 0; j < d; j++)
			{
				double		sum = 0;
				double		squares = 0;
				int			count = 0;
				int			digits = a;

				for (int i = 0; i < n; i++, digits /= k)
					if (digits % k == c)
					{
						sum += values[i * d + j];
						squares += values[i * d + j] * values[i * d + j];
						count++;
					}
				if (count > 0)
					total += squares - sum * sum / count;
			}
		best = fmin(best, total);
	}
	return best;
}

/* With restarts the optimum of small problems is found. */
static void
test_optimum(void)
{
	GlRandom	random;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	gl_random_begin(&random, 31);
	for (int trial = 0; trial < 30; trial++)
	{
		int			k = 2 + trial % 2;
		int			d = 1 + trial % 3;
		PointMatrix rows = point_shape_make(&random, POINTS_NORMAL, 8, d,
											false);
		KmeansOptions options = options_with(k);
		KmeansResult result;
		KmeansReport report;

		options.restarts = 40;
		options.seed = trial;
		EXPECT_OK(host, kmeans_run(host, &rows, &options, &result, &report));
		EXPECT_NEAR(report.inertia, reference_optimum(&rows, k), 1e-12);
		kmeans_result_release(host, &result);
		free((void *) rows.values);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Every row is with its nearest centre, every centre is its rows' mean. */
static void
expect_fixed_point(const PointMatrix *rows, const KmeansResult *result,
				   const KmeansReport *report)
{
	int32_t		d = rows->dimension_count;
	int32_t		k = result->cluster_count;
	double		total = 0;
	double		row[64];

	for (int64_t i = 0; i < rows->row_count; i++)
	{
		double		own = result->squared[i];

		total += own;
		for (int32_t c = 0; c < k; c++)
			EXPECT(distance_squared(distance_kernels(), rows,
									result->centre + (int64_t) c * d, i) >=
				   own);
	}
	EXPECT(total == report->inertia);
	for (int32_t c = 0; c < k; c++)
	{
		long double sum = 0;
		long double size = 0;
		int64_t		count = 0;

		for (int64_t i = 0; i < rows->row_count; i++)
			if (result->cluster[i] == c)
			{
				distance_widen(rows, i, row);
				sum += row[0];
				size = fmaxl(size, fabsl((long double) row[0]));
				count++;
			}
		if (count > 0)
			EXPECT(fabsl(result->centre[(int64_t) c * d] - sum / count) <=
				   1e-12L * size);
	}
}

/* Fewer than six distinct rows; floats cannot tell 1e9 from 1e9 + 1e-3. */
static bool
has_few_values(const PointMatrix *rows, int shape)
{
	if (rows->dimension_count == 1 &&
		(shape == POINTS_GRID || shape == POINTS_TENTHS))
		return true;
	return shape == POINTS_EQUAL ||
		(shape == POINTS_OFFSET && rows->scalar == SCALAR_FLOAT4);
}

static void
test_fixed_point(void)
{
	GlRandom	random;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	gl_random_begin(&random, 32);
	for (int shape = 0; shape < POINTS_SHAPES; shape++)
		for (int variant = 0; variant < 3; variant++)
		{
			int			d = (int[]) {1, 2, 30}[variant];
			PointMatrix rows = point_shape_make(&random, (PointShape) shape,
												400, d, variant == 2);
			KmeansOptions options = options_with(6);
			KmeansResult result;
			KmeansResult again;
			KmeansReport report;

			options.restarts = 2;
			EXPECT_OK(host, kmeans_run(host, &rows, &options, &result,
									   &report));
			EXPECT(report.converged);
			expect_fixed_point(&rows, &result, &report);
			EXPECT((report.empty_count > 0) == has_few_values(&rows, shape));
			EXPECT_OK(host, kmeans_run(host, &rows, &options, &again,
									   &report));
			EXPECT(memcmp(result.cluster, again.cluster,
						  400 * sizeof(int32_t)) == 0);
			EXPECT(memcmp(result.squared, again.squared,
						  400 * sizeof(double)) == 0);
			kmeans_result_release(host, &again);
			kmeans_result_release(host, &result);
			free((void *) rows.values);
		}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* More iterations and more restarts never make the sum larger. */
static void
test_never_worse(void)
{
	GlRandom	random;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointMatrix rows;
	double		last = INFINITY;

	gl_random_begin(&random, 33);
	rows = point_shape_make(&random, POINTS_NORMAL, 600, 5, false);
	for (int step = 1; step <= 24; step++)
	{
		KmeansOptions options = options_with(9);
		KmeansResult result;
		KmeansReport report;

		options.restarts = step <= 12 ? 1 : step - 11;
		options.iteration_limit = step <= 12 ? step : 12;
		EXPECT_OK(host, kmeans_run(host, &rows, &options, &result, &report));
		EXPECT(report.inertia <= last);
		EXPECT(report.iterations <= options.iteration_limit);
		last = report.inertia;
		kmeans_result_release(host, &result);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free((void *) rows.values);
}

/* k = 1: the mean.  k = n: every row for itself.  Equal rows: one cluster. */
static void
test_extreme_k(void)
{
	double		values[10] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
	double		equal[6] = {4, 4, 4, 4, 4, 4};
	PointMatrix rows = {5, 2, SCALAR_FLOAT8, values};
	PointMatrix same = {3, 2, SCALAR_FLOAT8, equal};
	KmeansOptions options = options_with(1);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	KmeansResult result;
	KmeansReport report;

	EXPECT_OK(host, kmeans_run(host, &rows, &options, &result, &report));
	EXPECT_NEAR(result.centre[0], 17.6, 1e-14);
	EXPECT_NEAR(result.centre[1], 28.6, 1e-14);
	kmeans_result_release(host, &result);
	options.cluster_count = 5;
	EXPECT_OK(host, kmeans_run(host, &rows, &options, &result, &report));
	EXPECT(report.inertia == 0 && report.empty_count == 0);
	kmeans_result_release(host, &result);
	options.cluster_count = 3;
	EXPECT_OK(host, kmeans_run(host, &same, &options, &result, &report));
	EXPECT(report.inertia == 0 && report.empty_count == 2);
	EXPECT(result.cluster[0] == 0 && result.cluster[2] == 0);
	kmeans_result_release(host, &result);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* A centre nobody is near to takes the farthest row. */
static void
test_empty_cluster(void)
{
	double		values[5] = {0, 1, 2, 10, 30};
	double		given[3] = {1, 20, 1000};
	PointMatrix rows = {5, 1, SCALAR_FLOAT8, values};
	KmeansOptions options = options_with(3);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	KmeansResult result;
	KmeansReport report;

	options.given = given;
	options.given_count = 3;
	EXPECT_OK(host, kmeans_run(host, &rows, &options, &result, &report));
	EXPECT(report.empty_count == 0);
	/* 10 and 30 are equally far from 20: the first moves out */
	EXPECT(result.cluster[2] == 0 && result.cluster[3] == 2 &&
		   result.cluster[4] == 1);
	EXPECT(result.centre[0] == 1 && result.centre[1] == 30 &&
		   result.centre[2] == 10);
	kmeans_result_release(host, &result);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Centres given keep their numbers. */
static void
test_warm_start(void)
{
	double		values[6] = {0, 1, 10, 11, 20, 21};
	double		given[2] = {19, 0};
	PointMatrix rows = {6, 1, SCALAR_FLOAT8, values};
	KmeansOptions options = options_with(3);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	KmeansResult result;
	KmeansReport report;

	options.given = given;
	options.given_count = 2;
	EXPECT_OK(host, kmeans_run(host, &rows, &options, &result, &report));
	EXPECT(result.centre[0] == 20.5 && result.centre[1] == 0.5 &&
		   result.centre[2] == 10.5);
	kmeans_result_release(host, &result);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* On the sphere centres have length 1 and opposite rows do not cancel out. */
static void
test_spherical(void)
{
	double		values[12] = {1, 0, 0.8, 0.6, 0, 1, -0.6, 0.8, 0, -1, 0.6, -0.8};
	double		opposite[4] = {1, 0, -1, 0};
	PointMatrix rows = {6, 2, SCALAR_FLOAT8, values};
	PointMatrix pair = {2, 2, SCALAR_FLOAT8, opposite};
	KmeansOptions options = options_with(3);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	KmeansResult result;
	KmeansReport report;

	options.spherical = true;
	EXPECT_OK(host, kmeans_run(host, &rows, &options, &result, &report));
	for (int c = 0; c < 3; c++)
		EXPECT_NEAR(hypot(result.centre[2 * c], result.centre[2 * c + 1]), 1,
					1e-15);
	kmeans_result_release(host, &result);
	options.cluster_count = 1;
	EXPECT_OK(host, kmeans_run(host, &pair, &options, &result, &report));
	EXPECT(fabs(result.centre[0]) == 1);
	kmeans_result_release(host, &result);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Numbers follow the first members; -1 is left alone. */
static void
test_renumber(void)
{
	int32_t		cluster[7] = {4, -1, 2, 4, 0, 2, -1};
	int32_t		wanted[7] = {0, -1, 1, 0, 2, 1, -1};
	int32_t		number[5];
	int32_t		used;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	EXPECT_OK(host, kmeans_renumber(host, 7, 5, cluster, number, &used));
	EXPECT(memcmp(cluster, wanted, sizeof(cluster)) == 0);
	EXPECT(used == 3 && number[4] == 0 && number[2] == 1 && number[0] == 2 &&
		   number[1] == -1);
	EXPECT_OK(host, kmeans_renumber(host, 7, 5, cluster, NULL, &used));
	EXPECT(memcmp(cluster, wanted, sizeof(cluster)) == 0);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
expect_refused(KmeansOptions options, const char *word)
{
	double		values[3] = {1, 2, 3};
	PointMatrix rows = {3, 1, SCALAR_FLOAT8, values};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	KmeansResult result;
	KmeansReport report;

	EXPECT(kmeans_run(host, &rows, &options, &result,
					  &report) == GL_ERR_OPTION);
	EXPECT(strstr(host->message, word) != NULL);
	EXPECT(result.cluster == NULL);
	test_host_end(&test);
}

static void
test_options(void)
{
	KmeansOptions options = options_with(0);

	expect_refused(options, "k must be");
	options = options_with(4);
	expect_refused(options, "only 3 rows");
	options = options_with(2);
	options.restarts = 0;
	expect_refused(options, "restarts");
	options = options_with(2);
	options.iteration_limit = 0;
	expect_refused(options, "iterations");
	options = options_with(2);
	options.tolerance = -1;
	expect_refused(options, "tolerance");
	options.tolerance = NAN;
	expect_refused(options, "tolerance");
}

static GlStatus
refusal_job(GlHost *host)
{
	double		values[8] = {0, 0, 0, 0, 7, 7, 1, 0};
	double		given[3] = {0, 100, 200};
	PointMatrix rows = {8, 1, SCALAR_FLOAT8, values};
	KmeansOptions options = options_with(3);
	KmeansResult result;
	KmeansReport report;
	int32_t		used;

	options.restarts = 2;
	GL_TRY(kmeans_run(host, &rows, &options, &result, &report));
	GL_TRY(kmeans_renumber(host, 8, 3, result.cluster, NULL, &used));
	kmeans_result_release(host, &result);
	options.given = given;
	options.given_count = 3;
	GL_TRY(kmeans_run(host, &rows, &options, &result, &report));
	kmeans_result_release(host, &result);
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
	RUN(test_two_pairs);
	RUN(test_optimum);
	RUN(test_fixed_point);
	RUN(test_never_worse);
	RUN(test_extreme_k);
	RUN(test_empty_cluster);
	RUN(test_warm_start);
	RUN(test_spherical);
	RUN(test_renumber);
	RUN(test_options);
	RUN(test_refused);
	UNIT_TEST_END();
}
