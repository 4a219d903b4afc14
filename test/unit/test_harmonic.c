/*
 * test_harmonic.c
 *		If this fails, the default labels of gl_propagate are wrong.
 */
#include "dense_graph.h"

#include "learn/harmonic.h"

#define MAX_N	60

static PropagateOptions
options_with(double damping)
{
	PropagateOptions options;

	propagate_defaults(&options);
	options.damping = damping;
	options.tolerance = 1e-12;
	options.iteration_limit = 20000;
	return options;
}

/* Solve on a matrix as dense and as sparse graph; both must agree. */
static void
solve_matrix(int n, const double *matrix, const LabelSeeds *seeds,
			 const PropagateOptions *options, double *f,
			 PropagateReport *report)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double	   *again = malloc(sizeof(double) *
							   (size_t) (n * seeds->class_count));
	DenseGraph	dense;
	SparseGraph sparse;

	memset(report, 0, sizeof(*report));
	EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
	EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
	EXPECT_OK(host, harmonic_solve(host, &sparse.graph, seeds, options,
								   again, report));
	EXPECT_OK(host, harmonic_solve(host, &dense.graph, seeds, options, f,
								   report));
	EXPECT(largest_difference(f, again, n * seeds->class_count) <=
		   100 * options->tolerance + 1e-12);
	graph_release(host, &dense.graph);
	graph_release(host, &sparse.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(again);
}

/* Path of five, ends 0 and 1: f = (0, 1/4, 1/2, 3/4, 1). */
static void
test_path(void)
{
	double		matrix[25];
	double		f[10];
	int32_t		node[2] = {0, 4};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	PropagateOptions options = options_with(1);
	PropagateReport report;

	matrix_of_path(5, matrix);
	solve_matrix(5, matrix, &seeds, &options, f, &report);
	EXPECT(report.converged && report.residual <= 1e-12);
	for (int i = 0; i < 5; i++)
	{
		EXPECT_NEAR(f[2 * i + 1], i / 4.0, 1e-14);
		EXPECT_NEAR(f[2 * i], 1 - i / 4.0, 1e-14);
	}
}

/* Two triangles joined by an edge: f = (0, 1/7, 2/7, 5/7, 6/7, 1). */
static void
test_barbell(void)
{
	TestEdge	edges[] = {
		{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {3, 5, 1},
		{4, 5, 1}
	};
	double		wanted[6] = {0, 1 / 7.0, 2 / 7.0, 5 / 7.0, 6 / 7.0, 1};
	double		matrix[36];
	double		f[12];
	int32_t		node[2] = {0, 5};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	PropagateOptions options = options_with(1);
	PropagateReport report;

	for (int scaled = 0; scaled < 3; scaled++)
	{
		matrix_of_edges(6, edges, 7, matrix);
		for (int v = 0; v < 36; v++)
			matrix[v] *= scaled == 0 ? 1 : scaled == 1 ? 1e-290 : 1e290;
		solve_matrix(6, matrix, &seeds, &options, f, &report);
		EXPECT(report.converged);
		for (int i = 0; i < 6; i++)
		{
			EXPECT_NEAR(f[2 * i + 1], wanted[i], 1e-13);
			EXPECT_NEAR(f[2 * i], 1 - wanted[i], 1e-13);
		}
	}
}

/* With a small limit the steps are the plain ones of the definition. */
static void
test_few_steps(void)
{
	double		matrix[25];
	double		f[10];
	double		first[5] = {0, 0, 0, 0.5, 1};
	double		second[5] = {0, 0, 0.25, 0.5, 1};
	double		third[5] = {0, 1 / 8.0, 0.25, 5 / 8.0, 1};
	const double *steps[3] = {first, second, third};
	int32_t		node[2] = {0, 4};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	PropagateOptions options = options_with(1);
	PropagateReport report;

	matrix_of_path(5, matrix);
	for (int limit = 1; limit <= 3; limit++)
	{
		options.iteration_limit = limit;
		solve_matrix(5, matrix, &seeds, &options, f, &report);
		EXPECT(!report.converged);
		EXPECT(report.iterations == limit);
		EXPECT(report.residual > 0.1 && report.residual < 1);
		for (int i = 0; i < 5; i++)
			EXPECT_NEAR(f[2 * i + 1], steps[limit - 1][i], 1e-15);
	}
}

/*
 * Random graphs, symmetric and directed, damped and not: the elimination's
 * answer, the maximum principle, rows that sum to at most 1, exact zeros
 * where no seed can be reached.
 */
static void
test_against_elimination(void)
{
	static double matrix[MAX_N * MAX_N];
	static double f[MAX_N * 4];
	static double wanted[MAX_N * 4];
	double		dampings[4] = {0.5, 0.98, 0.999, 1};
	GlRandom	random;

	gl_random_begin(&random, 21);
	for (int trial = 0; trial < 120; trial++)
	{
		int			n = 5 + (int) gl_random_below(&random, MAX_N - 4);
		int32_t		node[MAX_N];
		int32_t		label_class[MAX_N];
		LabelSeeds	seeds;
		PropagateOptions options = options_with(dampings[trial % 4]);
		PropagateReport report;
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		DenseGraph	dense;

		matrix_random(&random, n, (trial % 5 + 1.5) / n, trial % 8 < 4,
					  matrix);
		seeds_random(&random, n, 4, 4 + trial % 3, node, label_class,
					 &seeds);
		EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
		reference_propagate(&dense, &seeds, options.damping, true, wanted);
		test_host_end(&test);
		solve_matrix(n, matrix, &seeds, &options, f, &report);
		EXPECT(report.converged);
		EXPECT(largest_difference(f, wanted, n * 4) <= 1e-8);
		for (int i = 0; i < n; i++)
		{
			double		sum = 0;

			for (int c = 0; c < 4; c++)
			{
				EXPECT(f[i * 4 + c] >= 0 && f[i * 4 + c] <= 1);
				EXPECT((wanted[i * 4 + c] == 0) == (f[i * 4 + c] == 0));
				sum += f[i * 4 + c];
			}
			EXPECT(sum <= 1 + 1e-8);
			/* nothing leaks from a symmetric walk with g = 1 */
			if (options.damping == 1 && dense.graph.is_symmetric)
				EXPECT(sum == 0 || fabs(sum - 1) <= 1e-8);
		}
	}
}

/* A directed walk that cannot come back to a seed has no label. */
static void
test_directed_reach(void)
{
	/* 0 seed; 1 -> 0; 2 -> 1 and 2 -> 3; 3 <-> 4; 0 -> 5; 6 alone */
	double		matrix[49] = {0};
	double		f[7];
	double		wanted[7] = {1, 1, 0.5, 0, 0, 0, 0};
	int32_t		node[1] = {0};
	int32_t		label_class[1] = {0};
	LabelSeeds	seeds = {1, 1, node, label_class};
	PropagateOptions options = options_with(1);
	PropagateReport report;

	matrix[1 * 7 + 0] = 3;
	matrix[2 * 7 + 1] = matrix[2 * 7 + 3] = 2;
	matrix[3 * 7 + 4] = matrix[4 * 7 + 3] = 1;
	matrix[0 * 7 + 5] = 1;
	solve_matrix(7, matrix, &seeds, &options, f, &report);
	EXPECT(report.converged);
	for (int i = 0; i < 7; i++)
		EXPECT_NEAR(f[i], wanted[i], 1e-12);
	EXPECT(f[3] == 0 && f[4] == 0 && f[5] == 0 && f[6] == 0);
}

/* Every node a seed: nothing to solve, nothing to report. */
static void
test_all_seeds(void)
{
	double		matrix[25];
	double		f[10];
	int32_t		node[5] = {0, 1, 2, 3, 4};
	int32_t		label_class[5] = {0, 1, 1, 0, 1};
	LabelSeeds	seeds = {2, 5, node, label_class};
	PropagateOptions options = options_with(0.98);
	PropagateReport report;

	matrix_of_path(5, matrix);
	solve_matrix(5, matrix, &seeds, &options, f, &report);
	EXPECT(report.converged && report.residual == 0);
	EXPECT(report.iterations == 0);
	for (int i = 0; i < 5; i++)
		for (int c = 0; c < 2; c++)
			EXPECT(f[2 * i + c] == (c == label_class[i]));
}

static GlStatus
refusal_job(GlHost *host)
{
	double		matrix[9];
	double		f[6];
	int32_t		node[2] = {0, 2};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	PropagateOptions options = options_with(0.9);
	PropagateReport report;
	DenseGraph	dense;

	matrix_of_path(3, matrix);
	GL_TRY(dense_graph_begin(host, 3, matrix, &dense));
	GL_TRY(harmonic_solve(host, &dense.graph, &seeds, &options, f, &report));
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
	RUN(test_path);
	RUN(test_barbell);
	RUN(test_few_steps);
	RUN(test_against_elimination);
	RUN(test_directed_reach);
	RUN(test_all_seeds);
	RUN(test_refused);
	UNIT_TEST_END();
}
