/*
 * test_reversible.c
 *		If this fails, spectral methods on directed and block graphs work on an
 *		operator that is not symmetric, or on the wrong one.
 */
#include "dense_graph.h"

#include "graph/reversible.h"

#define SIZE	7

/* A connected directed graph with random weights, some of them missing. */
static void
random_matrix(int64_t seed, double *matrix)
{
	GlRandom	random;

	gl_random_begin(&random, seed);
	for (int i = 0; i < SIZE; i++)
		for (int j = 0; j < SIZE; j++)
			matrix[i * SIZE + j] =
				i == j || (gl_random_unit(&random) < 0.3 &&
						   j != (i + 1) % SIZE) ?
				0 : gl_random_unit(&random) + 0.1;
}

/* S as a matrix, by applying it to the unit vectors all at once. */
static void
expand(GlHost *host, const ReversibleWalk *reversible, int64_t n, double *s)
{
	double		identity[SIZE * SIZE] = {0};

	for (int64_t i = 0; i < n; i++)
		identity[i * n + i] = 1;
	EXPECT_OK(host, reversible_apply(host, reversible, identity, s,
									 (int32_t) n));
}

static void
test_against_definition(void)
{
	for (int64_t seed = 0; seed < 20; seed++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		double		matrix[SIZE * SIZE];
		double		s[SIZE * SIZE];
		DenseGraph	dense;
		ReversibleWalk reversible;
		ReversibleReport report;

		random_matrix(seed, matrix);
		EXPECT_OK(host, dense_graph_begin(host, SIZE, matrix, &dense));
		EXPECT_OK(host, reversible_begin(host, &dense.graph, SIZE, 1e-14,
										 100000, &reversible, &report));
		EXPECT(report.converged && report.residual <= 1e-14);
		expand(host, &reversible, SIZE, s);
		for (int i = 0; i < SIZE; i++)
		{
			const double *pi = reversible.stationary;
			double		top = 0;
			double		flow = 0;

			for (int j = 0; j < SIZE; j++)
			{
				double		w_ij = matrix[i * SIZE + j] / reversible.walk.degree[i];
				double		w_ji = matrix[j * SIZE + i] / reversible.walk.degree[j];

				EXPECT_NEAR(s[i * SIZE + j],
							(sqrt(pi[i] / pi[j]) * w_ij +
							 sqrt(pi[j] / pi[i]) * w_ji) / 2, 1e-13);
				EXPECT_NEAR(s[i * SIZE + j], s[j * SIZE + i], 1e-14);
				top += s[i * SIZE + j] * sqrt(pi[j]);
				flow += pi[j] * w_ji;
			}
			EXPECT_NEAR(flow, pi[i], 1e-13);	/* stationary */
			EXPECT_NEAR(top, sqrt(pi[i]), 1e-12);	/* S pi^1/2 = pi^1/2 */
		}
		reversible_end(host, &reversible);
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* On a symmetric graph it is D^-1/2 A D^-1/2, also a bipartite one. */
static void
test_symmetric_graph(void)
{
	static const double path[16] = {0, 1, 0, 0, 1, 0, 2, 0, 0, 2, 0, 3, 0, 0, 3, 0};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		s[16];
	DenseGraph	dense;
	ReversibleWalk reversible;
	ReversibleReport report;

	EXPECT_OK(host, dense_graph_begin(host, 4, path, &dense));
	EXPECT_OK(host, reversible_begin(host, &dense.graph, 4, 1e-15, 100000,
									 &reversible, &report));
	EXPECT(report.converged);
	expand(host, &reversible, 4, s);
	for (int i = 0; i < 4; i++)
	{
		EXPECT_NEAR(reversible.stationary[i],
					reversible.walk.degree[i] / 12, 1e-14);
		for (int j = 0; j < 4; j++)
			EXPECT_NEAR(s[i * 4 + j], path[i * 4 + j] /
						sqrt(reversible.walk.degree[i] *
							 reversible.walk.degree[j]), 1e-13);
	}
	reversible_end(host, &reversible);
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Too few products: reported, not hidden; and too many columns refused. */
static void
test_limits(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[SIZE * SIZE];
	double		x[SIZE * 2] = {0};
	double		y[SIZE * 2];
	DenseGraph	dense;
	ReversibleWalk reversible;
	ReversibleReport report;

	random_matrix(1, matrix);
	EXPECT_OK(host, dense_graph_begin(host, SIZE, matrix, &dense));
	EXPECT_OK(host, reversible_begin(host, &dense.graph, 1, 1e-14, 3,
									 &reversible, &report));
	EXPECT(!report.converged && report.iterations == 3);
	EXPECT(report.residual > 1e-14);
	EXPECT(reversible_apply(host, &reversible, x, y, 2) == GL_ERR_INTERNAL);
	test_host_end(&test);
}

static GlStatus
reversible_job(GlHost *host)
{
	double		matrix[SIZE * SIZE];
	double		x[SIZE] = {1};
	double		y[SIZE];
	DenseGraph	dense;
	ReversibleWalk reversible;
	ReversibleReport report;

	random_matrix(2, matrix);
	GL_TRY(dense_graph_begin(host, SIZE, matrix, &dense));
	GL_TRY(reversible_begin(host, &dense.graph, 1, 1e-3, 50, &reversible,
							&report));
	GL_TRY(reversible_apply(host, &reversible, x, y, 1));
	reversible_end(host, &reversible);
	graph_release(host, &dense.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(reversible_job);
}

int
main(void)
{
	RUN(test_against_definition);
	RUN(test_symmetric_graph);
	RUN(test_limits);
	RUN(test_refused);
	UNIT_TEST_END();
}
