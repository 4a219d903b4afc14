/*
 * test_edge_weights.c
 *		If this fails, edges have other weights than documented, or vanish
 *		where rows lie far out.
 */
#include "unit_test.h"

#include <float.h>

#include "graph/edge_weights.h"

/* A space whose squared distances are given by hand. */
static PointSpace
plain_space(GraphMetric metric, int exponent)
{
	return (PointSpace) {.metric = metric, .exponent = exponent};
}

static void
test_formulas(void)
{
	PointSpace	euclidean = plain_space(METRIC_EUCLIDEAN, 0);
	PointSpace	cosine = plain_space(METRIC_COSINE, 0);
	double		scale[] = {2, 0.5, 4};
	EdgeWeights weights = {.space = &euclidean, .node_scale = scale,
	.bandwidth = 1.5};

	weights.weights = WEIGHTS_BINARY;
	EXPECT(edge_weights_of(&weights, 0, 1, 9) == 1);
	weights.weights = WEIGHTS_DISTANCE;
	EXPECT(edge_weights_of(&weights, 0, 1, 9) == 3);
	weights.weights = WEIGHTS_GAUSSIAN;
	EXPECT_NEAR(edge_weights_of(&weights, 0, 1, 9), exp(-2), 1e-16);
	EXPECT_NEAR(edge_weights_gaussian(3, 1.5), exp(-2), 1e-16);
	weights.weights = WEIGHTS_ADAPTIVE;
	EXPECT_NEAR(edge_weights_of(&weights, 0, 1, 3), exp(-6), 1e-16);
	EXPECT_NEAR(edge_weights_of(&weights, 2, 0, 4), exp(-1), 1e-15);

	/* cosine: kernels see the chord, the distance is half its square */
	weights.space = &cosine;
	EXPECT_NEAR(edge_weights_of(&weights, 0, 1, 0.5), exp(-1), 1e-15);
	weights.weights = WEIGHTS_DISTANCE;
	EXPECT(edge_weights_of(&weights, 0, 1, 0.5) == 0.25);
	weights.weights = WEIGHTS_SIMILARITY;
	EXPECT(edge_weights_of(&weights, 0, 1, 0.5) == 0.75);
	EXPECT(edge_weights_of(&weights, 0, 1, 2) == 0);
	EXPECT(edge_weights_of(&weights, 0, 1, 3.9) == 0);
	EXPECT(!signbit(edge_weights_of(&weights, 0, 1, 3.9)));
}

/* (i, j) and (j, i) have the same bits: S4 depends on it. */
static void
test_symmetric_bits(void)
{
	PointSpace	space = plain_space(METRIC_EUCLIDEAN, 0);
	double		scale[50];
	EdgeWeights weights = {.weights = WEIGHTS_ADAPTIVE, .space = &space,
	.node_scale = scale};
	GlRandom	random;

	gl_random_begin(&random, 1);
	for (int i = 0; i < 50; i++)
		scale[i] = exp(gl_random_normal(&random));
	for (int i = 0; i < 50; i++)
		for (int j = 0; j < i; j++)
		{
			double		squared = 3 * gl_random_unit(&random);

			EXPECT(edge_weights_of(&weights, i, j, squared) ==
				   edge_weights_of(&weights, j, i, squared));
		}
}

/* Kernels stop falling at exp(-300), so that degrees can be inverted. */
static void
test_floor(void)
{
	PointSpace	space = plain_space(METRIC_EUCLIDEAN, 0);
	double		scale[] = {DBL_MIN, 1e-300, 1e300};
	EdgeWeights weights = {.weights = WEIGHTS_ADAPTIVE, .space = &space,
	.node_scale = scale};

	EXPECT(edge_weights_gaussian(1e300, 1e-300) == exp(-300));
	EXPECT(edge_weights_gaussian(25, 1) == exp(-300));
	EXPECT(edge_weights_gaussian(24, 1) == exp(-288));
	EXPECT(edge_weights_gaussian(0, 1e-300) == 1);
	EXPECT(edge_weights_of(&weights, 0, 1, 1) == exp(-300));
	EXPECT(edge_weights_of(&weights, 0, 1, 0) == 1);
	/* s_i s_j would underflow here, the ratios do not */
	EXPECT_NEAR(edge_weights_of(&weights, 0, 1, 0), 1, 0);
	EXPECT_NEAR(edge_weights_of(&weights, 1, 2, 1), exp(-2), 1e-15);
	/* equal rows far below any scale */
	scale[0] = 1e-200;
	EXPECT_NEAR(edge_weights_of(&weights, 0, 0, 0), 1, 0);
}

/* The min(7, k)-th chord, no smaller than 1e-3 of the mean chord. */
static void
test_local_scales(void)
{
	for (int32_t k = 1; k <= 12; k++)
		for (int exponent = -1000; exponent <= 1000; exponent += 500)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			PointSpace	space = plain_space(METRIC_EUCLIDEAN, exponent);
			EdgeWeights weights = {.weights = WEIGHTS_ADAPTIVE,
			.space = &space};
			double		squared[3 * 12];
			NeighbourLists lists = {.row_count = 3, .k = k,
			.squared_distance = squared};
			int32_t		rank = k < 7 ? k : 7;
			double		sum = 0;
			double		floor;

			/* row 0: all equal rows; 1: chords 1, 2, ...; 2: ten times */
			for (int32_t r = 0; r < k; r++)
			{
				squared[r] = 0;
				squared[k + r] = (r + 1) * (r + 1);
				squared[2 * k + r] = 100 * (r + 1) * (r + 1);
				sum += 11 * (r + 1);
			}
			floor = ldexp(1e-3 * sum / (3 * k), exponent);
			EXPECT_OK(host, edge_weights_local_scales(host, &lists,
													  &weights));
			EXPECT_NEAR(weights.node_scale[0], floor,
						1e-14 * floor + 2.3e-308);
			EXPECT(weights.node_scale[1] == ldexp(rank, exponent));
			EXPECT(weights.node_scale[2] == ldexp(10 * rank, exponent));
			edge_weights_end(host, &weights);
			EXPECT(weights.node_scale == NULL);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* Means near the end of the range, where a sum of them overflows. */
static void
test_local_scales_overflow(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSpace	space = plain_space(METRIC_EUCLIDEAN, 1023);
	EdgeWeights weights = {.weights = WEIGHTS_ADAPTIVE, .space = &space};
	double		squared[] = {1, 1, 1, 1, 1, 1};
	NeighbourLists lists = {.row_count = 3, .k = 2,
	.squared_distance = squared};

	EXPECT_OK(host, edge_weights_local_scales(host, &lists, &weights));
	for (int i = 0; i < 3; i++)
		EXPECT(weights.node_scale[i] == 0x1p1023);
	EXPECT_NEAR(edge_weights_of(&weights, 0, 1, 1), exp(-2), 1e-15);
	edge_weights_end(host, &weights);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_equal_rows(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSpace	space = plain_space(METRIC_EUCLIDEAN, 0);
	EdgeWeights weights = {.weights = WEIGHTS_ADAPTIVE, .space = &space};
	double		squared[4] = {0, 0, 0, 0};
	NeighbourLists lists = {.row_count = 2, .k = 2,
	.squared_distance = squared};

	EXPECT_OK(host, edge_weights_local_scales(host, &lists, &weights));
	EXPECT(weights.node_scale[0] > 0);
	EXPECT(edge_weights_of(&weights, 0, 1, 0) == 1);
	edge_weights_end(host, &weights);
	test_host_end(&test);
}

/* Rows on a line: the default bandwidth can be told by hand. */
static double
bandwidth_of_line(GlHost *host, int n, double step, int64_t seed,
				  NeighbourMethod method)
{
	double	   *values;
	PointSpace	space = plain_space(METRIC_EUCLIDEAN, 0);
	EdgeWeights weights = {.weights = WEIGHTS_GAUSSIAN, .space = &space};

	values = gl_allocate(host, (size_t) n, sizeof(double));
	for (int i = 0; i < n; i++)
		values[i] = step * i;
	space.matrix = (PointMatrix) {n, 1, SCALAR_FLOAT8, values};
	EXPECT_OK(host, edge_weights_choose_bandwidth(host, method, seed,
												  &weights));
	EXPECT(weights.node_scale == NULL);
	gl_release(host, values);
	return weights.bandwidth;
}

static void
test_bandwidth(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	/* fewer than eleven rows: the last neighbour */
	EXPECT(bandwidth_of_line(host, 1, 1, 0, NEIGHBOURS_AUTO) == 1);
	EXPECT(bandwidth_of_line(host, 2, 8, 0, NEIGHBOURS_AUTO) == 2);
	EXPECT_NEAR(bandwidth_of_line(host, 3, 8, 0, NEIGHBOURS_AUTO),
				(16 + 8 + 16) / 3.0 / 4, 1e-14);
	EXPECT(bandwidth_of_line(host, 50, 0, 0, NEIGHBOURS_AUTO) == 1);

	/*
	 * n rows one apart: the 10th neighbour is 5 away inside; at the ends 10,
	 * 9, 8, 7, 6 away.
	 */
	EXPECT_NEAR(bandwidth_of_line(host, 100, 1, 0, NEIGHBOURS_AUTO),
				(90 * 5 + 2 * (10 + 9 + 8 + 7 + 6)) / 100.0 / 4, 1e-14);
	EXPECT_NEAR(bandwidth_of_line(host, 1000, 1, 7, NEIGHBOURS_AUTO),
				(990 * 5 + 80) / 1000.0 / 4, 1e-13);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Beyond 1000 rows a sample, named by the seed, each against all rows. */
static void
test_bandwidth_sample(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		bandwidth[3];

	for (int64_t seed = 0; seed < 3; seed++)
	{
		GlRandom	random;
		int32_t		chosen[1000];
		double		sum = 0;

		gl_random_begin(&random, seed);
		EXPECT_OK(host, gl_random_sample(host, &random, 1100, 1000, chosen));
		for (int s = 0; s < 1000; s++)
		{
			int			from_end = chosen[s] < 550 ?
				chosen[s] : 1099 - chosen[s];

			sum += from_end < 5 ? 10 - from_end : 5;
		}
		bandwidth[seed] = bandwidth_of_line(host, 1100, 1, seed,
											NEIGHBOURS_AUTO);
		EXPECT_NEAR(bandwidth[seed], sum / 4000, 1e-13);
		EXPECT(bandwidth[seed] ==
			   bandwidth_of_line(host, 1100, 1, seed, NEIGHBOURS_TREE));
		EXPECT(bandwidth[seed] ==
			   bandwidth_of_line(host, 1100, 1, seed, NEIGHBOURS_GEMM));
	}
	EXPECT(bandwidth[0] != bandwidth[1] || bandwidth[1] != bandwidth[2]);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
weights_job(GlHost *host)
{
	double		values[6] = {1, 2, 4, 8, 16, 32};
	PointSpace	space = plain_space(METRIC_EUCLIDEAN, 0);
	EdgeWeights weights = {.weights = WEIGHTS_ADAPTIVE, .space = &space};
	NeighbourLists lists = {.row_count = 3, .k = 2,
	.squared_distance = values};

	space.matrix = (PointMatrix) {6, 1, SCALAR_FLOAT8, values};
	GL_TRY(edge_weights_choose_bandwidth(host, NEIGHBOURS_TREE, 0, &weights));
	GL_TRY(edge_weights_local_scales(host, &lists, &weights));
	edge_weights_end(host, &weights);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(weights_job);
}

int
main(void)
{
	RUN(test_formulas);
	RUN(test_symmetric_bits);
	RUN(test_floor);
	RUN(test_local_scales);
	RUN(test_local_scales_overflow);
	RUN(test_equal_rows);
	RUN(test_bandwidth);
	RUN(test_bandwidth_sample);
	RUN(test_refused);
	UNIT_TEST_END();
}
