/*
 * test_point_space.c
 *		If this fails, one column or one row drowns the others, or numbers far
 *		from 1 lose their distances.
 */
#include "unit_test.h"

#include "graph/point_space.h"
#include "points/distance.h"

#define MAX_N	30
#define MAX_D	12

typedef struct Sample
{
	PointSet	points;
	int64_t		ids[MAX_N];
	double		values[MAX_N * MAX_D];
	float		small[MAX_N * MAX_D];
} Sample;

static void
sample_begin(Sample *sample, int n, int d, ScalarType scalar)
{
	memset(sample, 0, sizeof(*sample));
	sample->points.ids = sample->ids;
	sample->points.matrix.row_count = n;
	sample->points.matrix.dimension_count = d;
	sample->points.matrix.scalar = scalar;
	sample->points.matrix.values = scalar == SCALAR_FLOAT8 ?
		(const void *) sample->values : (const void *) sample->small;
	for (int i = 0; i < n; i++)
		sample->ids[i] = 100 + i;
}

static void
sample_random(Sample *sample, GlRandom *random, int n, int d,
			  ScalarType scalar)
{
	sample_begin(sample, n, d, scalar);
	for (int v = 0; v < n * d; v++)
	{
		sample->values[v] = 3 + gl_random_normal(random) * (1 + v % d);
		sample->small[v] = (float) sample->values[v];
		if (scalar == SCALAR_FLOAT4)
			sample->values[v] = sample->small[v];
	}
}

/*
 * Valgrind computes long double as double; then the reference has no room for
 * extreme numbers, and ordinary ones must do.
 */
static inline bool
reference_is_wide(void)
{
	volatile long double large = 1e300L;

	return large * large / large == large;
}

/* Population deviation in long double; 0 for a constant column. */
static long double
reference_deviation(const Sample *sample, int j)
{
	int			n = (int) sample->points.matrix.row_count;
	int			d = sample->points.matrix.dimension_count;
	long double mean = 0;
	long double sum = 0;
	bool		constant = true;

	for (int i = 0; i < n; i++)
	{
		mean += (long double) sample->values[i * d + j] / n;
		constant = constant && sample->values[i * d + j] == sample->values[j];
	}
	for (int i = 0; i < n; i++)
		sum += (sample->values[i * d + j] - mean) *
			(sample->values[i * d + j] - mean);
	return constant ? 0 : sqrtl(sum / n);
}

/*
 * Distance in user units by the definition, in long double, whose range makes
 * care for overflow needless.
 */
static long double
reference_distance(const Sample *sample, GraphMetric metric, GraphScale scale,
				   int a, int b)
{
	int			d = sample->points.matrix.dimension_count;
	long double squares = 0;
	long double aa = 0;
	long double ab = 0;
	long double bb = 0;

	for (int j = 0; j < d; j++)
	{
		long double x = sample->values[a * d + j];
		long double y = sample->values[b * d + j];

		if (scale == SCALE_STANDARD && reference_deviation(sample, j) > 0)
		{
			x /= reference_deviation(sample, j);
			y /= reference_deviation(sample, j);
		}
		squares += (x - y) * (x - y);
		aa += x * x;
		ab += x * y;
		bb += y * y;
	}
	return metric == METRIC_COSINE ?
		1 - ab / (sqrtl(aa) * sqrtl(bb)) : sqrtl(squares);
}

/* Every pair, through the space and by the definition. */
static void
expect_space(const Sample *sample, GraphMetric metric, GraphScale scale)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int			n = (int) sample->points.matrix.row_count;
	PointSpace	space;
	double		query[MAX_D];
	double		largest = 0;

	EXPECT_OK(host, point_space_begin(host, &sample->points, metric, scale,
									  &space));
	if (host->status != GL_OK)
	{
		test_host_end(&test);
		return;
	}
	EXPECT((space.column_scale != NULL) == (scale == SCALE_STANDARD));
	for (int a = 0; a < n; a++)
		for (int b = 0; b < n; b++)
		{
			long double wanted = reference_distance(sample, metric, scale,
													a, b);
			double		squared;
			double		distance;

			point_matrix_row(&space.matrix, a, query);
			squared = distance_squared(distance_kernels(), &space.matrix,
									   query, b);
			distance = point_space_distance(&space, squared);
			largest = fmax(largest, (double) wanted);
			/* cosine: 1 - cos of the reference cancels itself */
			EXPECT_NEAR(distance, (double) wanted, metric == METRIC_COSINE ?
						1e-15 : 1e-13 * (double) wanted);
			/* a limit and a distance are each other's inverse */
			EXPECT_NEAR(point_space_squared(&space, distance), squared,
						1e-14 * squared);
			if (metric == METRIC_COSINE)
				EXPECT(point_space_chord(&space, squared) == sqrt(squared));
			else
				EXPECT(point_space_chord(&space, squared) == distance);
		}
	EXPECT(largest > 0);
	point_space_end(host, &space);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_distances(void)
{
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 1);
	for (int trial = 0; trial < 20; trial++)
	{
		int			n = 2 + (int) gl_random_below(&random, 15);
		int			d = 2 + (int) gl_random_below(&random, MAX_D - 1);

		sample_random(&sample, &random, n, d,
					  trial % 2 ? SCALAR_FLOAT4 : SCALAR_FLOAT8);
		for (GraphMetric metric = METRIC_EUCLIDEAN; metric <= METRIC_COSINE;
			 metric++)
			for (GraphScale scale = SCALE_NONE; scale <= SCALE_STANDARD;
				 scale++)
				expect_space(&sample, metric, scale);
	}
}

/* Ordinary numbers, as they are, are not copied. */
static void
test_no_copy(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	static Sample sample;
	PointSpace	space;

	gl_random_begin(&random, 2);
	sample_random(&sample, &random, 5, 3, SCALAR_FLOAT4);
	EXPECT_OK(host, point_space_begin(host, &sample.points, METRIC_EUCLIDEAN,
									  SCALE_NONE, &space));
	EXPECT(space.matrix.values == sample.small && !space.owns_values);
	EXPECT(space.exponent == 0 && space.column_scale == NULL);
	EXPECT_NOTHING_LEFT(&test);
	point_space_end(host, &space);
	EXPECT(space.matrix.values == NULL);
	test_host_end(&test);
}

/* Exact: deviations of {0,2,4,6} and {5,5,1,1}; a constant column stays. */
static void
test_standard_small(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static Sample sample;
	static const double rows[] = {0, 5, 0.1, 2, 5, 0.1, 4, 1, 0.1, 6, 1, 0.1};
	PointSpace	space;
	const double *scaled;

	sample_begin(&sample, 4, 3, SCALAR_FLOAT8);
	memcpy(sample.values, rows, sizeof(rows));
	EXPECT_OK(host, point_space_begin(host, &sample.points, METRIC_EUCLIDEAN,
									  SCALE_STANDARD, &space));
	EXPECT(space.column_scale[0] == sqrt(5));
	EXPECT(space.column_scale[1] == 2);
	EXPECT(space.column_scale[2] == 1);
	scaled = space.matrix.values;
	EXPECT(scaled[9] == 6 / sqrt(5) && scaled[1] == 2.5);
	EXPECT(scaled[2] == 0.1 && scaled[11] == 0.1);
	point_space_end(host, &space);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_zero_row(void)
{
	for (int scale = SCALE_NONE; scale <= SCALE_STANDARD; scale++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GlRandom	random;
		static Sample sample;
		PointSpace	space;

		gl_random_begin(&random, 3);
		sample_random(&sample, &random, 6, 4, SCALAR_FLOAT8);
		memset(sample.values + 12, 0, 4 * sizeof(double));
		sample.values[13] = -0.0;
		EXPECT_OK(host, point_space_begin(host, &sample.points,
										  METRIC_EUCLIDEAN, scale, &space));
		point_space_end(host, &space);
		EXPECT(point_space_begin(host, &sample.points, METRIC_COSINE, scale,
								 &space) == GL_ERR_DATA);
		EXPECT(strstr(host->message, "id 103") != NULL);
		EXPECT(space.matrix.values == NULL);
		test_host_end(&test);
	}
}

/* All numbers large or all small, for every metric and scaling. */
static void
test_extreme_scale(void)
{
	static const double factor[] = {1e-300, 1e-160, 1e-100, 1e100, 1e160,
	1e300};
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 4);
	for (int f = 0; f < 6; f++)
	{
		if (!reference_is_wide() && f != 2 && f != 3)
			continue;
		for (GraphMetric metric = METRIC_EUCLIDEAN; metric <= METRIC_COSINE;
			 metric++)
			for (GraphScale scale = SCALE_NONE; scale <= SCALE_STANDARD;
				 scale++)
			{
				sample_random(&sample, &random, 8, 5, SCALAR_FLOAT8);
				for (int v = 0; v < 40; v++)
					sample.values[v] *= factor[f];
				expect_space(&sample, metric, scale);
			}
	}
}

/* A power of two changes no bit but the exponent. */
static void
test_powers_of_two(void)
{
	static const int exponent[] = {-1000, -500, 500, 1000};
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 5);
	for (int e = 0; e < 4; e++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSpace	plain;
		PointSpace	scaled;
		double		query[MAX_D];
		double		distance[9];

		sample_random(&sample, &random, 9, 4, SCALAR_FLOAT8);
		EXPECT_OK(host, point_space_begin(host, &sample.points,
										  METRIC_EUCLIDEAN, SCALE_NONE,
										  &plain));
		point_matrix_row(&plain.matrix, 0, query);
		for (int b = 1; b < 9; b++)
			distance[b] =
				point_space_distance(&plain,
									 distance_squared(distance_kernels(),
													  &plain.matrix, query,
													  b));
		for (int v = 0; v < 36; v++)
			sample.values[v] = ldexp(sample.values[v], exponent[e]);
		EXPECT_OK(host, point_space_begin(host, &sample.points,
										  METRIC_EUCLIDEAN, SCALE_NONE,
										  &scaled));
		point_matrix_row(&scaled.matrix, 0, query);
		for (int b = 1; b < 9; b++)
			EXPECT(point_space_distance(&scaled,
										distance_squared(distance_kernels(),
														 &scaled.matrix,
														 query, b)) ==
				   ldexp(distance[b], exponent[e]));
		point_space_end(host, &scaled);
		point_space_end(host, &plain);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Columns of units far apart: scaling must bring all of them to 1. */
static void
test_mixed_columns(void)
{
	static const double factor[] = {1e-300, 1, 1e-170, 1e300, 1e170};
	GlRandom	random;
	static Sample sample;

	if (!reference_is_wide())
		return;
	gl_random_begin(&random, 6);
	for (int trial = 0; trial < 4; trial++)
	{
		sample_random(&sample, &random, 10, 5, SCALAR_FLOAT8);
		for (int v = 0; v < 50; v++)
			sample.values[v] *= factor[(v + trial) % 5];
		expect_space(&sample, METRIC_EUCLIDEAN, SCALE_STANDARD);
		expect_space(&sample, METRIC_COSINE, SCALE_STANDARD);
	}
	/* with a constant column among them, however large */
	for (int i = 0; i < 10; i++)
		sample.values[i * 5] = 1e299;
	expect_space(&sample, METRIC_EUCLIDEAN, SCALE_STANDARD);
	/* under cosine it counts as it is: here next to nothing */
	for (int i = 0; i < 10; i++)
		sample.values[i * 5] = 1e-299;
	expect_space(&sample, METRIC_COSINE, SCALE_STANDARD);
}

/* Under cosine the length of a row does not matter, however short. */
static void
test_mixed_rows(void)
{
	static const double factor[] = {1e-300, 1, 1e-170, 1e300, 1e170};
	GlRandom	random;
	static Sample sample;

	if (!reference_is_wide())
		return;
	gl_random_begin(&random, 7);
	sample_random(&sample, &random, 10, 5, SCALAR_FLOAT8);
	for (int i = 0; i < 10; i++)
		for (int j = 0; j < 5; j++)
			sample.values[i * 5 + j] *= factor[i % 5];
	expect_space(&sample, METRIC_COSINE, SCALE_NONE);
}

/* Largest deviation over the (lower) median one; constant columns left out. */
static void
test_column_spread(void)
{
	static const struct
	{
		double		deviation[5];
		double		spread;
	}			cases[] = {
		{{3, 0, 0, 0, 0}, 1},
		{{0, 0, 0, 0, 0}, 1},
		{{3, 12, 0, 0, 0}, 4},
		{{100, 1, 2, 0, 0}, 50},
		{{1, 2, 4, 8, 0}, 4},
		{{16, 1, 4, 8, 2}, 4},
		{{7, 7, 7, 7, 7}, 1}
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		static Sample sample;
		PointSpace	space;

		/* two rows, mean 1: the deviation is half the difference */
		sample_begin(&sample, 2, 5, SCALAR_FLOAT8);
		for (int j = 0; j < 5; j++)
		{
			sample.values[j] = 1 + cases[c].deviation[j];
			sample.values[5 + j] = 1 - cases[c].deviation[j];
		}
		EXPECT_OK(host, point_space_begin(host, &sample.points,
										  METRIC_EUCLIDEAN, SCALE_NONE,
										  &space));
		EXPECT_NEAR(space.column_spread, cases[c].spread, 1e-12);
		point_space_end(host, &space);
		test_host_end(&test);
	}
}

/* One row, equal rows, and a mean that rounding would move. */
static void
test_constant(void)
{
	for (int n = 1; n < MAX_N; n++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		static Sample sample;
		PointSpace	space;

		sample_begin(&sample, n, 3, SCALAR_FLOAT8);
		for (int v = 0; v < 3 * n; v++)
			sample.values[v] = 0.1 * (1 + v % 3);
		EXPECT_OK(host, point_space_begin(host, &sample.points,
										  METRIC_EUCLIDEAN, SCALE_STANDARD,
										  &space));
		EXPECT(space.column_spread == 1);
		for (int j = 0; j < 3; j++)
			EXPECT(space.column_scale[j] == 1);
		EXPECT(memcmp(space.matrix.values, sample.values,
					  (size_t) (3 * n) * sizeof(double)) == 0);
		point_space_end(host, &space);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

static GlStatus
space_job(GlHost *host)
{
	static Sample sample;
	GlRandom	random;
	PointSpace	space;

	gl_random_begin(&random, 8);
	sample_random(&sample, &random, 6, 3, SCALAR_FLOAT4);
	for (GraphMetric metric = METRIC_EUCLIDEAN; metric <= METRIC_COSINE;
		 metric++)
		for (GraphScale scale = SCALE_NONE; scale <= SCALE_STANDARD; scale++)
		{
			GL_TRY(point_space_begin(host, &sample.points, metric, scale,
									 &space));
			point_space_end(host, &space);
		}
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(space_job);
}

int
main(void)
{
	RUN(test_distances);
	RUN(test_no_copy);
	RUN(test_standard_small);
	RUN(test_zero_row);
	RUN(test_extreme_scale);
	RUN(test_powers_of_two);
	RUN(test_mixed_columns);
	RUN(test_mixed_rows);
	RUN(test_column_spread);
	RUN(test_constant);
	RUN(test_refused);
	UNIT_TEST_END();
}
