/*
 * test_power_iteration.c
 *		If this fails, the vectors of power iteration are not W^t R, or its
 *		traps (flat starts, bipartite graphs) are not seen.
 */
#include "cluster_graphs.h"

#include "learn/power_iteration.h"

/* The vectors scaled to sum 1 after each of `count` steps. */
static void
expect_steps(const double *start, int count, const double *wanted)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph graph;
	PowerIteration power;
	double		v[6];

	EXPECT_OK(host, sparse_graph_of_edges(host, 6, barbell_edges,
										  BARBELL_EDGES, &graph));
	EXPECT_OK(host, power_begin_from(host, &graph.graph, 1, false, start,
									 &power));
	for (int t = 0; t < count; t++)
	{
		double		sum = 0;

		EXPECT_OK(host, power_step(host, &power));
		EXPECT_OK(host, power_vectors(host, &power, v));
		for (int i = 0; i < 6; i++)
			sum += v[i];
		EXPECT_NEAR(power.sum[0], sum, 1e-14);
		for (int i = 0; i < 6; i++)
			EXPECT_NEAR(v[i] / sum, wanted[6 * t + i], 1e-15);
	}
	EXPECT(power.steps == count && !power.is_signed);
	power_end(host, &power);
	graph_release(host, &graph.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* The exact rationals of the spec on the barbell. */
static void
test_barbell(void)
{
	double		ramp[6];
	double		first[6] = {1, 0, 0, 0, 0, 0};
	double		from_ramp[24] = {
		5 / 42.0, 2 / 21.0, 1 / 9.0, 2 / 9.0, 5 / 21.0, 3 / 14.0,
		13 / 126.0, 29 / 252.0, 55 / 378.0, 71 / 378.0, 55 / 252.0, 29 / 126.0,
		197 / 1512.0, 47 / 378.0, 307 / 2268.0, 449 / 2268.0, 79 / 378.0,
		307 / 1512.0,
		589 / 4536.0, 1205 / 9072.0, 2053 / 13608.0, 2483 / 13608.0,
		1819 / 9072.0, 923 / 4536.0
	};
	double		from_first[18] = {
		0, 3 / 5.0, 2 / 5.0, 0, 0, 0,
		15 / 31.0, 6 / 31.0, 6 / 31.0, 4 / 31.0, 0, 0,
		36 / 185.0, 63 / 185.0, 50 / 185.0, 12 / 185.0, 12 / 185.0, 12 / 185.0
	};

	for (int i = 0; i < 6; i++)
		ramp[i] = (i + 1) / 21.0;
	expect_steps(ramp, 4, from_ramp);
	expect_steps(first, 3, from_first);
}

/*
 * W^t R of a dense matrix, plain or lazy, to the last digits; every number
 * stays between the smallest and the largest of its start.
 */
static void
test_dense_power(void)
{
	enum
	{
		N = 30, D = 3
	};
	GlRandom	random;
	double		matrix[N * N];
	double		start[N * D];
	double		got[N * D];

	gl_random_begin(&random, 41);
	for (int trial = 0; trial < 8; trial++)
	{
		bool		lazy = trial % 2 == 1;
		long double v[N * D];
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		SparseGraph graph;
		PowerIteration power;

		matrix_random(&random, N, 0.3, trial < 4, matrix);
		for (int i = 0; i < N; i++)
			matrix[i * N + (i + 1) % N] = matrix[(i + 1) % N * N + i] = 1;
		for (int i = 0; i < N * D; i++)
			v[i] = start[i] = trial % 3 ? gl_random_unit(&random) :
				gl_random_normal(&random);
		EXPECT_OK(host, sparse_graph_of(host, N, matrix, &graph));
		EXPECT_OK(host, power_begin_from(host, &graph.graph, D, lazy, start,
										 &power));
		EXPECT(power.is_signed == (trial % 3 == 0));
		for (int t = 0; t < 12; t++)
		{
			long double next[N * D];

			for (int i = 0; i < N; i++)
			{
				long double degree = 0;

				for (int j = 0; j < N; j++)
					degree += matrix[i * N + j];
				for (int c = 0; c < D; c++)
				{
					long double sum = 0;

					for (int j = 0; j < N; j++)
						sum += matrix[i * N + j] * v[j * D + c];
					next[i * D + c] = lazy ? (sum / degree + v[i * D + c]) / 2 :
						sum / degree;
				}
			}
			memcpy(v, next, sizeof(v));
			EXPECT_OK(host, power_step(host, &power));
		}
		EXPECT_OK(host, power_vectors(host, &power, got));
		for (int i = 0; i < N * D; i++)
			EXPECT_NEAR(got[i], (double) v[i], 1e-13);
		power_end(host, &power);
		graph_release(host, &graph.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Two triangles apart: each tends to its own mean, 2/21 and 5/21. */
static void
test_disconnected(void)
{
	TestEdge	edges[6] = {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {3, 4, 1},
	{3, 5, 1}, {4, 5, 1}};
	double		start[6];
	double		v[6];
	double		acceleration;
	double		swinging;
	double		standing;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph graph;
	PowerIteration power;

	for (int i = 0; i < 6; i++)
		start[i] = (i + 1) / 21.0;
	EXPECT_OK(host, sparse_graph_of_edges(host, 6, edges, 6, &graph));
	EXPECT_OK(host, power_begin_from(host, &graph.graph, 1, false, start,
									 &power));
	EXPECT_OK(host, power_acceleration(host, &power, &acceleration));
	EXPECT(acceleration == INFINITY);
	for (int t = 0; t < 60; t++)
		EXPECT_OK(host, power_step(host, &power));
	EXPECT_OK(host, power_vectors(host, &power, v));
	for (int i = 0; i < 6; i++)
		EXPECT_NEAR(v[i], (i < 3 ? 2 : 5) / 21.0, 1e-15);
	EXPECT_OK(host, power_acceleration(host, &power, &acceleration));
	EXPECT(acceleration < 1e-15);
	EXPECT_OK(host, power_swing(host, &power, &swinging, &standing));
	EXPECT(swinging < 1e-30 && fabs(standing - 13.5 / 441) < 1e-14);
	power_end(host, &power);
	graph_release(host, &graph.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Two nodes and an edge: v swings for ever, the lazy walk settles at once. */
static void
test_swinging(void)
{
	TestEdge	edge = {0, 1, 1};
	double		start[2] = {0.75, 0.25};
	double		v[2];
	double		acceleration;
	double		swinging;
	double		standing;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph graph;
	PowerIteration power;

	EXPECT_OK(host, sparse_graph_of_edges(host, 2, &edge, 1, &graph));
	EXPECT_OK(host, power_begin_from(host, &graph.graph, 1, false, start,
									 &power));
	for (int t = 1; t <= 9; t++)
	{
		EXPECT_OK(host, power_step(host, &power));
		EXPECT_OK(host, power_acceleration(host, &power, &acceleration));
		EXPECT(t < 2 || fabs(acceleration - 1) < 1e-15);
		EXPECT_OK(host, power_swing(host, &power, &swinging, &standing));
		EXPECT(swinging == (t >= 2 ? 0.125 : 0) && standing == 0);
	}
	power_end(host, &power);
	EXPECT_OK(host, power_begin_from(host, &graph.graph, 1, true, start,
									 &power));
	EXPECT_OK(host, power_step(host, &power));
	EXPECT_OK(host, power_vectors(host, &power, v));
	EXPECT(v[0] == 0.5 && v[1] == 0.5);
	power_end(host, &power);
	graph_release(host, &graph.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* A constant start is a fixed point, and the walk stops at step 2. */
static void
test_constant(void)
{
	double		start[6] = {3, 3, 3, 3, 3, 3};
	double		acceleration;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph graph;
	PowerIteration power;

	EXPECT_OK(host, sparse_graph_of_edges(host, 6, barbell_edges,
										  BARBELL_EDGES, &graph));
	EXPECT_OK(host, power_begin_from(host, &graph.graph, 1, false, start,
									 &power));
	EXPECT_OK(host, power_step(host, &power));
	EXPECT_OK(host, power_step(host, &power));
	EXPECT_OK(host, power_acceleration(host, &power, &acceleration));
	EXPECT(acceleration < 1e-15);
	power_end(host, &power);
	graph_release(host, &graph.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/*
 * Starts: seeded, degrees unless the graph is regular, 2^31, 2^30 ... by
 * PageRank; further columns are random and differ.
 */
static void
test_starts(void)
{
	double		matrix[40 * 40];
	double		v[40 * 2];
	double		again[40 * 2];
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph barbell;
	SparseGraph clique;
	SparseGraph path;
	PowerIteration power;

	matrix_of_cliques(1, 40, 1, matrix);
	EXPECT_OK(host, sparse_graph_of(host, 40, matrix, &clique));
	matrix_of_path(40, matrix);
	EXPECT_OK(host, sparse_graph_of(host, 40, matrix, &path));
	EXPECT_OK(host, sparse_graph_of_edges(host, 6, barbell_edges,
										  BARBELL_EDGES, &barbell));
	for (int start = POWER_RANDOM; start <= POWER_PAGERANK; start++)
	{
		PowerOptions options = {.columns = 2, .start = (PowerStart) start,
			.seed = 3};
		bool		same = true;
		double		low = INFINITY;

		for (int k = 0; k < 2; k++)
		{
			EXPECT_OK(host, power_begin(host, &path.graph, &options, &power));
			EXPECT(!power.was_flat);
			EXPECT(power.is_signed == (start == POWER_NORMAL));
			EXPECT_OK(host, power_vectors(host, &power, k ? again : v));
			power_end(host, &power);
		}
		EXPECT(memcmp(v, again, sizeof(v)) == 0);
		for (int i = 0; i < 40; i++)
		{
			same &= v[2 * i] == v[2 * i + 1];
			low = fmin(low, v[2 * i]);
		}
		EXPECT(!same && (low < 0) == (start == POWER_NORMAL));
		if (start == POWER_DEGREE)
			EXPECT(fabs(v[0] - 1) < 1e-14 && fabs(v[2] - 2) < 1e-14 &&
				   fabs(v[78] - 1) < 1e-14);
		if (start == POWER_PAGERANK)
		{
			/* nodes 1 and 38 of a path rank first, the ends last */
			EXPECT_NEAR(v[2], 2147483648.0, 1);
			EXPECT_NEAR(v[76], 1073741824.0, 1);
			EXPECT_NEAR(v[0], 0, 1);
			EXPECT_NEAR(v[78], 0, 1);
		}
		/* all nodes of a clique have the same degree; ranks still differ */
		if (start >= POWER_DEGREE)
		{
			options.columns = 1;
			EXPECT_OK(host, power_begin(host, &clique.graph, &options, &power));
			EXPECT(power.was_flat == (start == POWER_DEGREE));
			power_end(host, &power);
		}
	}
	graph_release(host, &barbell.graph);
	graph_release(host, &clique.graph);
	graph_release(host, &path.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	SparseGraph graph;
	PowerIteration power;
	double		v[12];
	double		acceleration;
	double		swinging;
	double		standing;

	GL_TRY(sparse_graph_of_edges(host, 6, barbell_edges, BARBELL_EDGES,
								 &graph));
	for (int start = POWER_RANDOM; start <= POWER_PAGERANK; start++)
	{
		PowerOptions options = {.columns = 2, .start = (PowerStart) start,
			.lazy = true};

		GL_TRY(power_begin(host, &graph.graph, &options, &power));
		for (int t = 0; t < 2; t++)
			GL_TRY(power_step(host, &power));
		GL_TRY(power_acceleration(host, &power, &acceleration));
		GL_TRY(power_swing(host, &power, &swinging, &standing));
		GL_TRY(power_vectors(host, &power, v));
		power_end(host, &power);
	}
	graph_release(host, &graph.graph);
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
	RUN(test_barbell);
	RUN(test_dense_power);
	RUN(test_disconnected);
	RUN(test_swinging);
	RUN(test_constant);
	RUN(test_starts);
	RUN(test_refused);
	UNIT_TEST_END();
}
