/*
 * test_label_walk.c
 *		If this fails, method => 'walk' gives wrong labels, or takes another
 *		number of steps than it was told.
 */
#include "method_reference.h"

#include "learn/label_walk.h"

#define MAX_N	40

/* F(t+1) = g W F(t) + (1-g) Y from F(0) = Y, by hand, and its bound g^t. */
static void
test_steps(void)
{
	static double matrix[MAX_N * MAX_N];
	static double f[MAX_N * 2];
	static double limit[MAX_N * 2];
	static double wanted[2][MAX_N * 2];
	double		dampings[3] = {0.01, 0.5, 0.9};
	GlRandom	random;

	gl_random_begin(&random, 91);
	for (int trial = 0; trial < 36; trial++)
	{
		int			n = 8 + (int) gl_random_below(&random, MAX_N - 7);
		int			steps = 1 + trial % 6;
		int32_t		node[2] = {1, n - 1};
		int32_t		label_class[2] = {1, 0};
		LabelSeeds	seeds = {2, 2, node, label_class};
		PropagateOptions options = exact_options(PROPAGATE_WALK,
												 dampings[trial % 3]);
		PropagateReport report;
		int			now = 0;

		options.iteration_limit = steps;
		matrix_random(&random, n, 3.0 / n, trial % 2, matrix);
		memset(wanted, 0, sizeof(wanted));
		wanted[0][2 * 1 + 1] = wanted[0][2 * (n - 1)] = 1;
		for (int t = 0; t < steps; t++, now = 1 - now)
			for (int i = 0; i < n; i++)
				for (int c = 0; c < 2; c++)
				{
					double		sum = 0;
					double		degree = 0;
					double		y = (i == 1 && c == 1) ||
						(i == n - 1 && c == 0);

					for (int j = 0; j < n; j++)
					{
						sum += matrix[i * n + j] * wanted[now][2 * j + c];
						degree += matrix[i * n + j];
					}
					wanted[1 - now][2 * i + c] = (1 - options.damping) * y +
						(degree > 0 ? options.damping * sum / degree : 0);
				}
		solve_on_matrix(label_walk_solve, n, matrix, &seeds, &options, f,
						&report);
		EXPECT(report.stepped && report.iterations <= steps);
		EXPECT(largest_difference(f, wanted[now], 2 * n) <= 1e-13);

		options.iteration_limit = 0;
		solve_on_matrix(label_walk_solve, n, matrix, &seeds, &options, limit,
						&report);
		EXPECT(report.converged && !report.stepped);
		EXPECT(largest_difference(f, limit, 2 * n) <=
			   pow(options.damping, steps) + 1e-12);
	}
}

/* The limit against elimination; an isolated seed keeps 1 - g. */
static void
test_limit(void)
{
	static double matrix[MAX_N * MAX_N];
	static double f[MAX_N * 3];
	static double wanted[MAX_N * 3];
	double		dampings[4] = {0.01, 0.5, 0.9, 0.99};
	GlRandom	random;

	gl_random_begin(&random, 92);
	for (int trial = 0; trial < 40; trial++)
	{
		int			n = 5 + (int) gl_random_below(&random, MAX_N - 4);
		int32_t		node[MAX_N];
		int32_t		label_class[MAX_N];
		LabelSeeds	seeds;
		PropagateOptions options = exact_options(PROPAGATE_WALK,
												 dampings[trial % 4]);
		PropagateReport report;
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		DenseGraph	dense;

		options.tolerance = 1e-12;
		matrix_random(&random, n, (trial % 5 + 0.5) / n, trial % 2, matrix);
		seeds_random(&random, n, 3, 5, node, label_class, &seeds);
		EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
		reference_method(&dense, &seeds, &options, wanted);
		EXPECT_OK(host, label_walk_solve(host, &dense.graph, &seeds,
										 &options, f, &report));
		EXPECT(report.converged);
		EXPECT(report.error_bound <= 1.001e-12);
		EXPECT(largest_difference(f, wanted, n * 3) <= 2e-12);
		for (int i = 0; i < n; i++)
			EXPECT((f[3 * i] + f[3 * i + 1] + f[3 * i + 2] == 0) ==
				   (wanted[3 * i] + wanted[3 * i + 1] + wanted[3 * i + 2] == 0));
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

static GlStatus
refusal_job(GlHost *host)
{
	double		matrix[16];
	double		f[8];
	int32_t		node[2] = {0, 3};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	PropagateOptions options = exact_options(PROPAGATE_WALK, 0.5);
	PropagateReport report;
	DenseGraph	dense;

	matrix_of_path(4, matrix);
	GL_TRY(dense_graph_begin(host, 4, matrix, &dense));
	GL_TRY(label_walk_solve(host, &dense.graph, &seeds, &options, f,
							&report));
	options.iteration_limit = 4;
	GL_TRY(label_walk_solve(host, &dense.graph, &seeds, &options, f,
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
	RUN(test_steps);
	RUN(test_limit);
	RUN(test_refused);
	UNIT_TEST_END();
}
