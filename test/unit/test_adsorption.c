/*
 * test_adsorption.c
 *		If this fails, method => 'adsorption' trusts labels more or less than it
 *		was told.
 */
#include "method_reference.h"

#include "learn/adsorption.h"
#include "learn/harmonic.h"

#define MAX_N	50

/* Path of five, weight 1 at both ends, no leak: (1, 2, 3, 4, 5) / 6. */
static void
test_path(void)
{
	double		matrix[25];
	double		f[10];
	double		ones[5] = {1, 1, 1, 1, 1};
	int32_t		node[2] = {0, 4};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	PropagateOptions options = exact_options(PROPAGATE_ADSORPTION, 1);
	PropagateReport report;

	matrix_of_path(5, matrix);
	/* the ends have degree 1, so that weight is the default, too */
	for (int given = 0; given < 2; given++)
	{
		options.injection = given ? ones : NULL;
		solve_on_matrix(adsorption_solve, 5, matrix, &seeds, &options, f,
						&report);
		EXPECT(report.converged);
		for (int i = 0; i < 5; i++)
		{
			EXPECT_NEAR(f[2 * i + 1], (i + 1) / 6.0, 1e-14);
			EXPECT_NEAR(f[2 * i], (5 - i) / 6.0, 1e-14);
		}
	}
}

/* Labels beyond doubt: the harmonic function, also where s/d overflows. */
static void
test_harmonic_limit(void)
{
	static double matrix[MAX_N * MAX_N];
	static double f[MAX_N * 2];
	static double wanted[MAX_N * 2];
	double		sizes[3] = {1e12, 1e200, 1e308};
	double		injection[MAX_N];
	int32_t		node[3] = {0, 7, 20};
	int32_t		label_class[3] = {0, 1, 1};
	LabelSeeds	seeds = {2, 3, node, label_class};
	GlRandom	random;

	gl_random_begin(&random, 81);
	for (int k = 0; k < 6; k++)
	{
		PropagateOptions options = exact_options(PROPAGATE_ADSORPTION, 0.98);
		PropagateReport report;

		matrix_random(&random, MAX_N, 0.12, k < 3, matrix);
		for (int i = 0; i < MAX_N; i++)
			injection[i] = sizes[k % 3];
		options.injection = injection;
		options.tolerance = 1e-11;
		options.iteration_limit = 2000;
		solve_on_matrix(harmonic_solve, MAX_N, matrix, &seeds, &options,
						wanted, &report);
		solve_on_matrix(adsorption_solve, MAX_N, matrix, &seeds, &options, f,
						&report);
		EXPECT(report.converged);
		EXPECT(largest_difference(f, wanted, 2 * MAX_N) <= 1e-9);
	}
}

/* Random graphs, weights over many decades, several classes on a seed. */
static void
test_against_elimination(void)
{
	static double matrix[MAX_N * MAX_N];
	static double f[MAX_N * 3];
	static double wanted[MAX_N * 3];
	double		injection[MAX_N];
	double		dampings[3] = {0.5, 0.98, 1};
	GlRandom	random;

	gl_random_begin(&random, 82);
	for (int trial = 0; trial < 60; trial++)
	{
		int			n = 5 + (int) gl_random_below(&random, MAX_N - 4);
		int32_t		node[4] = {0, 1, 1, n - 1};
		int32_t		label_class[4] = {0, 0, 2, 1};
		LabelSeeds	seeds = {3, 4, node, label_class};
		PropagateOptions options = exact_options(PROPAGATE_ADSORPTION,
												 dampings[trial % 3]);
		PropagateReport report;
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		DenseGraph	dense;

		for (int i = 0; i < n; i++)
			injection[i] = pow(10, 6 * gl_random_unit(&random) - 3);
		injection[1] = trial % 8 == 0 ? NAN : injection[1];
		options.injection = trial % 4 < 2 ? injection : NULL;
		options.tolerance = 1e-12;
		options.iteration_limit = 20000;
		matrix_random(&random, n, (trial % 5 + 1.5) / n, trial % 2, matrix);
		EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
		reference_method(&dense, &seeds, &options, wanted);
		EXPECT_OK(host, adsorption_solve(host, &dense.graph, &seeds,
										 &options, f, &report));
		EXPECT(report.converged);
		EXPECT(options.damping == 1 || report.error_bound < 1e-9);
		/* at damping 1 a weak label is far from the answer it decides */
		EXPECT(largest_difference(f, wanted, n * 3) <=
			   (options.damping == 1 ? 1e-6 : 1e-9));
		for (int v = 0; v < n * 3; v++)
			EXPECT(f[v] >= 0 && (f[v] == 0) == (wanted[v] == 0));
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A label in doubt is overruled, one that is trusted is not. */
static void
test_overruled(void)
{
	double		matrix[49];
	double		f[14];
	double		injection[7] = {0.01, 1, 1, 1, 1, 1, 1};
	int32_t		node[4] = {0, 1, 2, 3};
	int32_t		label_class[4] = {1, 0, 0, 0};
	LabelSeeds	seeds = {2, 4, node, label_class};
	PropagateOptions options = exact_options(PROPAGATE_ADSORPTION, 0.98);
	PropagateReport report;

	matrix_of_star(7, matrix);
	options.injection = injection;
	solve_on_matrix(adsorption_solve, 7, matrix, &seeds, &options, f,
					&report);
	EXPECT(f[0] > f[1]);
	injection[0] = 100;
	solve_on_matrix(adsorption_solve, 7, matrix, &seeds, &options, f,
					&report);
	EXPECT(f[0] < f[1]);
}

static void
test_bad_injection(void)
{
	double		matrix[4] = {0, 1, 1, 0};
	double		f[2];
	double		bad[3] = {0, -1, INFINITY};
	int32_t		node[1] = {1};
	int32_t		label_class[1] = {0};
	LabelSeeds	seeds = {1, 1, node, label_class};
	PropagateOptions options = exact_options(PROPAGATE_ADSORPTION, 0.98);
	PropagateReport report;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;

	EXPECT_OK(host, dense_graph_begin(host, 2, matrix, &dense));
	for (int k = 0; k < 3; k++)
	{
		double		injection[2] = {1, bad[k]};

		options.injection = injection;
		EXPECT(adsorption_solve(host, &dense.graph, &seeds, &options, f,
								&report) == GL_ERR_OPTION);
		EXPECT(strstr(host->message, "id 110") != NULL);
	}
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	double		matrix[16];
	double		f[8];
	int32_t		node[3] = {0, 3, 3};
	int32_t		label_class[3] = {0, 0, 1};
	LabelSeeds	seeds = {2, 3, node, label_class};
	PropagateOptions options = exact_options(PROPAGATE_ADSORPTION, 0.98);
	PropagateReport report;
	DenseGraph	dense;

	matrix_of_path(4, matrix);
	GL_TRY(dense_graph_begin(host, 4, matrix, &dense));
	GL_TRY(adsorption_solve(host, &dense.graph, &seeds, &options, f,
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
	RUN(test_path);
	RUN(test_harmonic_limit);
	RUN(test_against_elimination);
	RUN(test_overruled);
	RUN(test_bad_injection);
	RUN(test_refused);
	UNIT_TEST_END();
}
