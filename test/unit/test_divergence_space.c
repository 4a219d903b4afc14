/*
 * test_divergence_space.c
 *		If this fails, rows outside the domain of a divergence get through, or
 *		the Mahalanobis distance depends on the units of the features.
 */
#include "dense_graph.h"

#include "graph/divergence_space.h"

#define MAX_N	60
#define MAX_D	8

typedef struct Sample
{
	PointSet	points;
	int64_t		ids[MAX_N];
	double		values[MAX_N * MAX_D];
	float		small[MAX_N * MAX_D];
} Sample;

static void
sample_begin(Sample *sample, int n, int d)
{
	memset(sample, 0, sizeof(*sample));
	sample->points.ids = sample->ids;
	sample->points.matrix = (PointMatrix)
	{
		n, d, SCALAR_FLOAT8, sample->values
	};
	for (int i = 0; i < n; i++)
		sample->ids[i] = 700 + 10 * i;
}

/* Numbers in (0,1), which every metric takes, as columns that depend. */
static void
sample_random(Sample *sample, GlRandom *random, int n, int d)
{
	sample_begin(sample, n, d);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < d; j++)
			sample->values[i * d + j] = j > 0 && j % 3 == 0 ?
				0.5 * sample->values[i * d + j - 1] +
				0.4 * gl_random_unit(random) + 0.01 :
				0.01 + 0.98 * gl_random_unit(random);
}

/* The same rows as real[] holds them. */
static void
sample_narrow(Sample *sample)
{
	int			count = (int) sample->points.matrix.row_count *
		sample->points.matrix.dimension_count;

	for (int v = 0; v < count; v++)
	{
		sample->small[v] = (float) sample->values[v];
		sample->values[v] = sample->small[v];
	}
	sample->points.matrix.scalar = SCALAR_FLOAT4;
	sample->points.matrix.values = sample->small;
}

/* Valgrind computes long double as double: no room for extremes then. */
static bool
reference_is_wide(void)
{
	volatile long double large = 1e300L;

	return large * large / large == large;
}

/* What the header says of counts, kl, Itakura-Saito and logistic. */
static void
test_rows(void)
{
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 1);
	for (int trial = 0; trial < 24; trial++)
	{
		GraphMetric metric = METRIC_COUNTS + trial % 4;
		double		smoothing = trial % 3 == 0 ? 0 : 0.25 * (trial % 3);
		int			n = 1 + (int) gl_random_below(&random, MAX_N);
		int			d = 1 + (int) gl_random_below(&random, MAX_D);
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSpace	space;
		const double *rows;

		sample_random(&sample, &random, n, d);
		if (metric <= METRIC_KL)
			for (int v = 0; v < n * d; v++)
				sample.values[v] *= smoothing > 0 && v % 5 == 0 ? 0 : 20;
		if (trial % 2)
			sample_narrow(&sample);
		EXPECT_OK(host, divergence_space_begin(host, &sample.points, metric,
											   smoothing, &space));
		EXPECT(space.matrix.scalar == SCALAR_FLOAT8 && space.owns_values);
		EXPECT(space.matrix.row_count == n);
		EXPECT(space.matrix.dimension_count == d);
		EXPECT(space.metric == metric && space.exponent == 0);
		EXPECT(space.column_spread == 1 && space.column_scale == NULL);
		rows = space.matrix.values;
		for (int i = 0; i < n; i++)
		{
			double		sum = 0;
			double		wanted_sum = 0;

			for (int j = 0; j < d; j++)
				wanted_sum += sample.values[i * d + j] + smoothing;
			for (int j = 0; j < d; j++)
			{
				double		given = sample.values[i * d + j];
				double		found = rows[i * d + j];

				sum += found;
				if (metric == METRIC_COUNTS)
					EXPECT(found == given + smoothing);
				else if (metric == METRIC_KL)
					EXPECT_NEAR(found, (given + smoothing) / wanted_sum,
								1e-15);
				else
					EXPECT(found == given);
			}
			if (metric == METRIC_KL)
				EXPECT_NEAR(sum, 1, 1e-15);
		}
		point_space_end(host, &space);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Frequencies have no unit, and the largest doubles still sum to 1. */
static void
test_kl_extremes(void)
{
	static const double unit[] = {1e-300, 1e-10, 1e10, 1.7e308};

	for (int u = 0; u < 4; u++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		static Sample sample;
		PointSpace	space;
		const double *rows;

		sample_begin(&sample, 2, 4);
		for (int v = 0; v < 8; v++)
			sample.values[v] = (v % 4 + 1) * 0.25 * unit[u];
		EXPECT_OK(host, divergence_space_begin(host, &sample.points,
											   METRIC_KL, 0, &space));
		rows = space.matrix.values;
		for (int v = 0; v < 8; v++)
			EXPECT_NEAR(rows[v], (v % 4 + 1) * 0.1, 1e-15);
		point_space_end(host, &space);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A row outside the domain: the message has its id, feature and number. */
static void
test_domain(void)
{
	static const struct
	{
		GraphMetric metric;
		double		value;
		double		smoothing;
		const char *wanted;
		bool		has_hint;
	}			cases[] = {
		{METRIC_COUNTS, -1, 0.5, "is -1, ", false},
		{METRIC_COUNTS, -0.25, 0.5, "is -0.25, ", false},
		{METRIC_COUNTS, 0, 0, "is 0, ", true},
		{METRIC_COUNTS, -0.0, 0, "0, ", true},
		{METRIC_KL, -3, 0.5, "is -3, ", false},
		{METRIC_KL, 0, 0, "> 0 when smoothing is 0", true},
		{METRIC_ITAKURA_SAITO, 0, 0.5, "is 0, ", false},
		{METRIC_ITAKURA_SAITO, -2, 0.5, "> 0", false},
		{METRIC_LOGISTIC, 0, 0.5, "between 0 and 1", false},
		{METRIC_LOGISTIC, 1, 0.5, "is 1, ", false},
		{METRIC_LOGISTIC, 1.5, 0.5, "is 1.5, ", false},
		{METRIC_LOGISTIC, -0.5, 0.5, "is -0.5, ", false},
	};
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 2);
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSpace	space;

		sample_random(&sample, &random, 9, 5);
		EXPECT_OK(host, divergence_space_begin(host, &sample.points,
											   cases[c].metric,
											   cases[c].smoothing, &space));
		point_space_end(host, &space);
		sample.values[4 * 5 + 2] = cases[c].value;
		EXPECT(divergence_space_begin(host, &sample.points, cases[c].metric,
									  cases[c].smoothing, &space) ==
			   GL_ERR_DATA);
		EXPECT(strstr(host->message, "feature 3 ") != NULL);
		EXPECT(strstr(host->message, "id 740 ") != NULL);
		EXPECT(strstr(host->message, cases[c].wanted) != NULL);
		EXPECT((host->hint[0] != '\0') == cases[c].has_hint);
		EXPECT(space.matrix.values == NULL);
		test_host_end(&test);
	}
}

/* (x - y)' S^-1 (x - y) for rows a and b, S the sample covariance. */
static double
reference_mahalanobis(const Sample *sample, int a, int b)
{
	int			n = (int) sample->points.matrix.row_count;
	int			d = sample->points.matrix.dimension_count;
	const double *x = sample->values;
	long double mean[MAX_D] = {0};
	long double s[MAX_D * MAX_D] = {0};
	long double difference[MAX_D];
	long double solved[MAX_D];
	long double sum = 0;

	/* relative to the first row: an offset must not cost digits here */
	for (int i = 0; i < n; i++)
		for (int j = 0; j < d; j++)
			mean[j] += ((long double) x[i * d + j] - x[j]) / n;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < d; j++)
			for (int k = 0; k < d; k++)
				s[j * d + k] +=
					((long double) x[i * d + j] - x[j] - mean[j]) *
					((long double) x[i * d + k] - x[k] - mean[k]) / (n - 1);
	for (int j = 0; j < d; j++)
		solved[j] = difference[j] = (long double) x[a * d + j] - x[b * d + j];
	EXPECT(reference_solve(d, 1, s, solved));
	for (int j = 0; j < d; j++)
		sum += difference[j] * solved[j];
	return (double) sum;
}

/* Every pair of rows through the space and by the definition. */
static void
expect_mahalanobis(const Sample *sample, double tolerance)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int			n = (int) sample->points.matrix.row_count;
	int			d = sample->points.matrix.dimension_count;
	PointSpace	space;

	EXPECT_OK(host, divergence_space_begin(host, &sample->points,
										   METRIC_MAHALANOBIS, 0.5, &space));
	for (int a = 0; a < n && host->status == GL_OK; a++)
		for (int b = 0; b < a; b++)
		{
			const double *rows = space.matrix.values;
			double		wanted = reference_mahalanobis(sample, a, b);
			double		squares = 0;

			for (int j = 0; j < d; j++)
				squares += (rows[a * d + j] - rows[b * d + j]) *
					(rows[a * d + j] - rows[b * d + j]);
			EXPECT_NEAR(squares, wanted, tolerance * wanted);
		}
	point_space_end(host, &space);
	if (host->status == GL_OK)
		EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_mahalanobis(void)
{
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 3);
	for (int trial = 0; trial < 16; trial++)
	{
		int			d = 1 + trial % MAX_D;
		int			n = d + 1 + (int) gl_random_below(&random, 12);

		sample_random(&sample, &random, n, d);
		if (trial % 3 == 0)
			sample_narrow(&sample);
		expect_mahalanobis(&sample, n == d + 1 ? 1e-9 : 1e-11);
	}
}

/* Units and offsets of the features do not matter, however extreme. */
static void
test_mahalanobis_units(void)
{
	static const double unit[] = {1e-300, 1e-160, 1, 1e160, 1e300, 1.7e308};
	static const double offset[] = {0, 1e8, -1e12};
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 4);
	for (int u = 0; u < 6 && reference_is_wide(); u++)
	{
		sample_random(&sample, &random, 12, 3);
		for (int i = 0; i < 12; i++)
			sample.values[i * 3 + 1] *= unit[u];
		expect_mahalanobis(&sample, 1e-11);
	}
	for (int o = 0; o < 3; o++)
	{
		sample_random(&sample, &random, 12, 3);
		/* steps of 2^-12 survive the offset exactly */
		for (int v = 0; v < 36; v++)
			sample.values[v] = floor(sample.values[v] * 4096) / 4096 +
				(v % 3 == 0 ? offset[o] : 0);
		expect_mahalanobis(&sample, 1e-10);
	}
}

/* A feature that varies with nothing of its own has no distance. */
static void
test_singular(void)
{
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 5);
	for (int way = 0; way < 7; way++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSpace	space;
		int			n = way == 5 ? 4 : way == 6 ? 2 : 30;

		sample_random(&sample, &random, n, 4);
		for (int i = 0; i < n; i++)
		{
			double	   *row = sample.values + i * 4;

			switch (way)
			{
				case 0:
					row[2] = 0;
					break;
				case 1:			/* rounding of the mean must not hide it */
					row[2] = 0.1;
					break;
				case 2:
					row[2] = 3e7 * row[1] + 1e8;
					break;
				case 3:
					row[2] = row[0] - row[1];
					break;
				case 4:
					row[2] = 1e300;
					break;
			}
		}
		EXPECT(divergence_space_begin(host, &sample.points,
									  METRIC_MAHALANOBIS, 0.5, &space) ==
			   GL_ERR_DATA);
		EXPECT(strstr(host->message, "singular at feature ") != NULL);
		/* n rows have rank n - 1 at most */
		EXPECT(strstr(host->message, way == 5 ? "feature 4" : way == 6 ?
					  "feature 2" : "feature 3") != NULL);
		EXPECT(host->hint[0] != '\0' && space.matrix.values == NULL);
		test_host_end(&test);
	}
}

/* A single row is left as it is; too many features are refused. */
static void
test_limits(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static Sample sample;
	static double wide[2 * 1025];
	PointSpace	space;

	sample_begin(&sample, 1, 3);
	sample.values[1] = 7;
	EXPECT_OK(host, divergence_space_begin(host, &sample.points,
										   METRIC_MAHALANOBIS, 0.5, &space));
	EXPECT(((const double *) space.matrix.values)[1] == 7);
	point_space_end(host, &space);
	EXPECT_NOTHING_LEFT(&test);
	sample_begin(&sample, 2, 1025);
	sample.points.matrix.values = wide;
	EXPECT(divergence_space_begin(host, &sample.points, METRIC_MAHALANOBIS,
								  0.5, &space) == GL_ERR_TOO_LARGE);
	EXPECT(space.matrix.values == NULL);
	test_host_end(&test);
}

static GlStatus
space_job(GlHost *host)
{
	static Sample sample;
	GlRandom	random;
	PointSpace	space;

	gl_random_begin(&random, 6);
	sample_random(&sample, &random, 6, 3);
	for (GraphMetric metric = METRIC_COUNTS; metric <= METRIC_MAHALANOBIS;
		 metric++)
	{
		GL_TRY(divergence_space_begin(host, &sample.points, metric, 0.5,
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
	RUN(test_rows);
	RUN(test_kl_extremes);
	RUN(test_domain);
	RUN(test_mahalanobis);
	RUN(test_mahalanobis_units);
	RUN(test_singular);
	RUN(test_limits);
	RUN(test_refused);
	UNIT_TEST_END();
}
