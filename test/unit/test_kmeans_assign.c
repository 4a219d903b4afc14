/*
 * test_kmeans_assign.c
 *		If this fails, a row joins a centre that is not its nearest, or the
 *		answer depends on whether BLAS was asked.
 */
#include "point_shapes.h"

#include "learn/kmeans_assign.h"

/* Every third row moved a little, so that centres are near but not on rows. */
static double *
make_centres(GlRandom *random, const PointMatrix *rows, int k)
{
	int32_t		d = rows->dimension_count;
	double	   *centres = malloc(sizeof(double) * (size_t) k * (size_t) d);

	for (int c = 0; c < k; c++)
	{
		distance_widen(rows, gl_random_below(random, rows->row_count),
					   centres + (int64_t) c * d);
		for (int32_t j = 0; j < d && c % 3 == 0; j++)
			centres[(int64_t) c * d + j] *= 1 + 1e-9 * gl_random_normal(random);
	}
	return centres;
}

/* The definition: the first of the nearest. */
static int32_t
reference_nearest(const PointMatrix *rows, const double *centres, int k,
				  int64_t row)
{
	int32_t		d = rows->dimension_count;
	int32_t		nearest = 0;
	double		best = INFINITY;

	for (int c = 0; c < k; c++)
	{
		double		squared = distance_squared(distance_kernels(), rows,
											   centres + (int64_t) c * d,
											   row);

		if (squared < best)
		{
			best = squared;
			nearest = c;
		}
	}
	return nearest;
}

/* Sums per cluster belong to the assignment: recomputed in long double. */
static void
expect_sums(const KmeansSearch *search, const double *centres,
			const int32_t *cluster)
{
	const PointMatrix *rows = search->rows;
	int32_t		d = rows->dimension_count;
	double	   *row = malloc(sizeof(double) * (size_t) d);

	for (int32_t c = 0; c < search->cluster_count; c++)
	{
		long double sum = 0;
		long double size = 0;
		double		last = centres[(int64_t) c * d + d - 1];
		int64_t		count = 0;

		for (int64_t i = 0; i < rows->row_count; i++)
		{
			if (cluster[i] != c)
				continue;
			distance_widen(rows, i, row);
			sum += (long double) row[d - 1] - last;
			size += fabsl((long double) row[d - 1]) +
				fabsl((long double) last);
			count++;
		}
		EXPECT(search->count[c] == count);
		EXPECT(fabsl(sum - search->sum[(int64_t) c * d + d - 1]) <=
			   1e-13L * size);
	}
	free(row);
}

static void
expect_assignment(const PointMatrix *rows, int k, int how, GlRandom *random)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	KmeansSearch search;
	int64_t		n = rows->row_count;
	double	   *centres = make_centres(random, rows, k);
	double	   *squared = malloc(sizeof(double) * (size_t) n);
	int32_t    *cluster = calloc((size_t) n, sizeof(int32_t));
	double		total;
	double		sum = 0;
	int64_t		moved = 0;
	int64_t		changed;
	bool		same = true;

	/* how 2: products without room for the images */
	if (how == 2)
		test.host.bytes_limit = 1 << 21;
	EXPECT_OK(host, kmeans_search_begin_by(host, rows, k, how > 0, &search));
	if (how == 2 && n * rows->dimension_count > 1 << 18)
		EXPECT(!search.keeps_images);
	EXPECT_OK(host, kmeans_assign(host, &search, centres, cluster, &changed));
	for (int64_t i = 0; i < n; i++)
	{
		same &= cluster[i] == reference_nearest(rows, centres, k, i);
		moved += cluster[i] != 0;
	}
	EXPECT(same);
	EXPECT(moved == changed);
	expect_sums(&search, centres, cluster);
	EXPECT_OK(host, kmeans_assign(host, &search, centres, cluster, &changed));
	EXPECT(changed == 0);
	EXPECT_OK(host, kmeans_measure(host, &search, centres, cluster, squared,
								   &total));
	for (int64_t i = 0; i < n; i++)
		sum += squared[i];
	EXPECT(sum == total);
	EXPECT(n == 0 ||
		   squared[n - 1] == distance_squared(distance_kernels(), rows,
											  centres + (int64_t) cluster[n - 1] *
											  rows->dimension_count, n - 1));
	kmeans_search_end(host, &search);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(cluster);
	free(squared);
	free(centres);
}

/* Awkward rows, each with few and many columns, floats and doubles. */
static void
test_shapes(void)
{
	GlRandom	random;

	gl_random_begin(&random, 11);
	for (int shape = 0; shape < POINTS_SHAPES; shape++)
		for (int variant = 0; variant < 12; variant++)
		{
			int			d = (int[]) {1, 3, 9, 40}[variant % 4];
			int			k = (int[]) {1, 5, 33}[variant % 3];
			PointMatrix rows = point_shape_make(&random, (PointShape) shape,
												340, d, variant % 2);

			for (int how = 0; how <= 2; how++)
				expect_assignment(&rows, k, how, &random);
			free((void *) rows.values);
		}
}

/* Several chunks, and too little memory to keep the images. */
static void
test_chunks(void)
{
	GlRandom	random;

	gl_random_begin(&random, 12);
	for (int as_float = 0; as_float <= 1; as_float++)
	{
		PointMatrix rows = point_shape_make(&random, POINTS_CORRELATED, 5003,
											70, as_float);

		for (int how = 0; how <= 2; how++)
			expect_assignment(&rows, 21, how, &random);
		free((void *) rows.values);
	}
}

/* Means and variance of the columns. */
static void
test_columns(void)
{
	double		values[6] = {1, 10, 3, 10, 5, 10};
	PointMatrix rows = {3, 2, SCALAR_FLOAT8, values};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	KmeansSearch search;

	EXPECT_OK(host, kmeans_search_begin(host, &rows, 2, &search));
	EXPECT_NEAR(search.origin[0], 3, 1e-15);
	EXPECT_NEAR(search.origin[1], 10, 1e-14);
	EXPECT_NEAR(search.variance, 4 / 3.0, 1e-15);
	EXPECT(!search.by_products);
	kmeans_search_end(host, &search);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	double		values[40];
	int32_t		cluster[8] = {0};
	double		squared[8];
	PointMatrix rows = {8, 5, SCALAR_FLOAT8, values};
	KmeansSearch search;
	double		total;
	int64_t		changed;

	for (int i = 0; i < 40; i++)
		values[i] = i * 7 % 11;
	GL_TRY(kmeans_search_begin_by(host, &rows, 3, true, &search));
	GL_TRY(kmeans_assign(host, &search, values, cluster, &changed));
	GL_TRY(kmeans_measure(host, &search, values, cluster, squared, &total));
	kmeans_search_end(host, &search);
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
	RUN(test_shapes);
	RUN(test_chunks);
	RUN(test_columns);
	RUN(test_refused);
	UNIT_TEST_END();
}
