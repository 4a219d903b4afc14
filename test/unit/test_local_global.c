/*
 * test_local_global.c
 *		If this fails, method => 'lgc' gives wrong labels.
 */
#include "method_reference.h"

#include "learn/local_global.h"

#define MAX_N	60

static PropagateOptions
options_with(double damping)
{
	PropagateOptions options;

	propagate_defaults(&options);
	options.method = PROPAGATE_LGC;
	options.damping = damping;
	options.tolerance = 1e-12;
	options.iteration_limit = 20000;
	return options;
}

/* K2, g = 1/2, one seed: F = (2/3, 1/3). */
static void
test_pair(void)
{
	double		matrix[4] = {0, 7, 7, 0};
	double		f[2];
	int32_t		node[1] = {0};
	int32_t		label_class[1] = {0};
	LabelSeeds	seeds = {1, 1, node, label_class};
	PropagateOptions options = options_with(0.5);
	PropagateReport report;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;

	EXPECT_OK(host, dense_graph_begin(host, 2, matrix, &dense));
	EXPECT_OK(host, local_global_solve(host, &dense.graph, &seeds, &options,
									   f, &report));
	EXPECT(report.converged);
	EXPECT(report.damping == 0.5);
	EXPECT_NEAR(f[0], 2 / 3.0, 1e-15);
	EXPECT_NEAR(f[1], 1 / 3.0, 1e-15);
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Several classes on one seed, random graphs, S and W, both graph kinds. */
static void
test_against_elimination(void)
{
	static double matrix[MAX_N * MAX_N];
	static double f[MAX_N * 3];
	static double again[MAX_N * 3];
	static double wanted[MAX_N * 3];
	double		dampings[3] = {0.5, 0.9, 0.99};
	GlRandom	random;

	gl_random_begin(&random, 31);
	for (int trial = 0; trial < 60; trial++)
	{
		int			n = 5 + (int) gl_random_below(&random, MAX_N - 4);
		int32_t		node[4] = {0, 1, 1, n - 1};
		int32_t		label_class[4] = {0, 0, 2, 1};
		LabelSeeds	seeds = {3, 4, node, label_class};
		PropagateOptions options = options_with(dampings[trial % 3]);
		PropagateReport report;
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		DenseGraph	dense;
		SparseGraph sparse;

		matrix_random(&random, n, (trial % 5 + 1.5) / n, trial % 2, matrix);
		EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
		EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
		reference_propagate(&dense, &seeds, options.damping, false, wanted);
		EXPECT_OK(host, local_global_solve(host, &dense.graph, &seeds,
										   &options, f, &report));
		EXPECT(report.converged);
		EXPECT(report.residual <= 1e-12 * (1 - options.damping));
		EXPECT_OK(host, local_global_solve(host, &sparse.graph, &seeds,
										   &options, again, &report));
		EXPECT(largest_difference(f, wanted, n * 3) <= 1e-10);
		EXPECT(largest_difference(again, wanted, n * 3) <= 1e-10);
		for (int v = 0; v < n * 3; v++)
			EXPECT(f[v] >= 0 && (f[v] == 0) == (wanted[v] == 0));
		graph_release(host, &dense.graph);
		graph_release(host, &sparse.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* The row and the column variant on graphs of both sorts. */
static void
test_variants(void)
{
	static double matrix[MAX_N * MAX_N];
	static double f[MAX_N * 3];
	static double wanted[MAX_N * 3];
	GlRandom	random;

	gl_random_begin(&random, 32);
	for (int trial = 0; trial < 60; trial++)
	{
		int			n = 5 + (int) gl_random_below(&random, MAX_N - 4);
		int32_t		node[4] = {0, 1, 1, n - 1};
		int32_t		label_class[4] = {0, 0, 2, 1};
		LabelSeeds	seeds = {3, 4, node, label_class};
		PropagateOptions options = options_with(trial % 3 ? 0.9 : 0.5);
		PropagateReport report;
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		DenseGraph	dense;

		matrix_random(&random, n, (trial % 5 + 1.5) / n, trial % 2, matrix);
		EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
		for (Normalisation kind = NORMALISE_WALK; kind <= NORMALISE_SYMMETRIC;
			 kind++)
		{
			double		allowed;

			options.normalisation = kind;
			if (kind == NORMALISE_SYMMETRIC && !dense.graph.is_symmetric)
			{
				EXPECT(local_global_solve(host, &dense.graph, &seeds,
										  &options, f, &report) ==
					   GL_ERR_OPTION);
				EXPECT(strstr(host->hint, "'walk' or 'spread'") != NULL);
				continue;
			}
			reference_method(&dense, &seeds, &options, wanted);
			EXPECT_OK(host, local_global_solve(host, &dense.graph, &seeds,
											   &options, f, &report));
			EXPECT(report.converged);
			/* the bound holds, and is not idle */
			allowed = report.error_bound + 1e-15;
			EXPECT(largest_difference(f, wanted, n * 3) <= allowed);
			EXPECT(allowed < 1e-10);
			for (int v = 0; v < n * 3; v++)
				EXPECT(f[v] >= 0);
		}
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Rows whose degree is 1e-130 hold tiny values, but the right quotients. */
static void
test_tiny_degrees(void)
{
	TestEdge	edges[] = {
		{0, 1, 1}, {1, 2, 1}, {2, 3, 1e-60}, {3, 4, 1e-130}, {4, 5, 1e-130},
		{3, 5, 1e-130}
	};
	double		matrix[36];
	double		f[12];
	double		wanted[12];
	int32_t		node[2] = {0, 1};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	PropagateOptions options = options_with(0.9);
	PropagateReport report;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;

	options.tolerance = 1e-5;
	matrix_of_edges(6, edges, 6, matrix);
	EXPECT_OK(host, dense_graph_begin(host, 6, matrix, &dense));
	reference_propagate(&dense, &seeds, 0.9, false, wanted);
	EXPECT_OK(host, local_global_solve(host, &dense.graph, &seeds, &options,
									   f, &report));
	EXPECT(report.converged);
	for (int v = 0; v < 12; v++)
	{
		EXPECT(wanted[v] > 0 && f[v] > 0);
		EXPECT_NEAR(f[v] / wanted[v], 1, 0.01);
	}
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	double		matrix[9];
	double		f[6];
	int32_t		node[3] = {0, 0, 2};
	int32_t		label_class[3] = {0, 1, 1};
	LabelSeeds	seeds = {2, 3, node, label_class};
	PropagateOptions options = options_with(0.9);
	PropagateReport report;
	DenseGraph	dense;

	matrix_of_path(3, matrix);
	matrix[1] = 2;				/* directed */
	GL_TRY(dense_graph_begin(host, 3, matrix, &dense));
	GL_TRY(local_global_solve(host, &dense.graph, &seeds, &options, f,
							  &report));
	graph_release(host, &dense.graph);
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
	RUN(test_pair);
	RUN(test_against_elimination);
	RUN(test_variants);
	RUN(test_tiny_degrees);
	RUN(test_refused);
	UNIT_TEST_END();
}
