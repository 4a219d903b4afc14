/*
 * test_relational_neighbour.c
 *		If this fails, method => 'wvrn' gives wrong labels, or stops elsewhere
 *		than it was told.
 */
#include "method_reference.h"

#include "learn/relational_neighbour.h"

#define MAX_N	40

/* Path of five: the votes of steps 1, 2, 3, 5, 10 (spec seed001 6.5). */
static void
test_steps(void)
{
	double		matrix[25];
	double		f[10];
	int64_t		steps[5] = {1, 2, 3, 5, 10};
	double		wanted[5][5] = {
		{0, 0, 0, 1 / 2.0, 1},
		{0, 0, 1 / 4.0, 1 / 2.0, 1},
		{0, 1 / 8.0, 1 / 4.0, 5 / 8.0, 1},
		{0, 3 / 16.0, 3 / 8.0, 11 / 16.0, 1},
		{0, 15 / 64.0, 31 / 64.0, 47 / 64.0, 1}
	};
	int32_t		node[2] = {0, 4};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	PropagateOptions options = exact_options(PROPAGATE_WVRN, 1);
	PropagateReport report;

	matrix_of_path(5, matrix);
	for (int k = 0; k < 5; k++)
	{
		options.iteration_limit = steps[k];
		solve_on_matrix(relational_neighbour_solve, 5, matrix, &seeds,
						&options, f, &report);
		EXPECT(report.stepped && !report.converged);
		EXPECT(report.iterations == steps[k]);
		for (int i = 0; i < 5; i++)
		{
			EXPECT_NEAR(f[2 * i + 1], wanted[k][i], 1e-15);
			EXPECT_NEAR(f[2 * i], wanted[k][4 - i], 1e-15);
		}
	}
}

/* The limit on a path and on the barbell is the harmonic function. */
static void
test_limit(void)
{
	double		matrix[36];
	double		f[12];
	double		barbell[6] = {0, 1 / 7.0, 2 / 7.0, 5 / 7.0, 6 / 7.0, 1};
	int32_t		node[2] = {0, 4};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	PropagateOptions options = exact_options(PROPAGATE_WVRN, 1);
	PropagateReport report;

	matrix_of_path(5, matrix);
	for (int stepped = 0; stepped < 2; stepped++)
	{
		options.iteration_limit = stepped ? 10000 : 0;
		solve_on_matrix(relational_neighbour_solve, 5, matrix, &seeds,
						&options, f, &report);
		EXPECT(report.converged && report.stepped == (stepped == 1));
		EXPECT(report.iterations < 1000);
		EXPECT(isinf(report.error_bound));
		for (int i = 0; i < 5; i++)
			EXPECT_NEAR(f[2 * i + 1], i / 4.0, 1e-12);
	}
	matrix_of_barbell(matrix);
	options.iteration_limit = 0;
	node[1] = 5;
	solve_on_matrix(relational_neighbour_solve, 6, matrix, &seeds, &options,
					f, &report);
	for (int i = 0; i < 6; i++)
		EXPECT_NEAR(f[2 * i + 1], barbell[i], 1e-13);
}

/* Steps by hand on random graphs, directed and not. */
static void
test_against_loop(void)
{
	static double matrix[MAX_N * MAX_N];
	static double f[MAX_N * 2];
	static double wanted[2][MAX_N * 2];
	GlRandom	random;

	gl_random_begin(&random, 71);
	for (int trial = 0; trial < 30; trial++)
	{
		int			n = 8 + (int) gl_random_below(&random, MAX_N - 7);
		int			steps = 1 + trial % 7;
		int32_t		node[2] = {1, n - 1};
		int32_t		label_class[2] = {1, 0};
		LabelSeeds	seeds = {2, 2, node, label_class};
		PropagateOptions options = exact_options(PROPAGATE_WVRN,
												 trial % 3 ? 1 : 0.9);
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

					for (int j = 0; j < n; j++)
					{
						sum += matrix[i * n + j] * wanted[now][2 * j + c];
						degree += matrix[i * n + j];
					}
					wanted[1 - now][2 * i + c] =
						i == 1 || i == n - 1 ? wanted[now][2 * i + c] :
						degree > 0 ? options.damping * sum / degree : 0;
				}
		solve_on_matrix(relational_neighbour_solve, n, matrix, &seeds,
						&options, f, &report);
		EXPECT(largest_difference(f, wanted[now], 2 * n) <= 1e-14);
		/* a row that no seed reaches in so many steps is 0, not nearly */
		for (int v = 0; v < 2 * n; v++)
			EXPECT((f[v] == 0) == (wanted[now][v] == 0));
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
	PropagateOptions options = exact_options(PROPAGATE_WVRN, 1);
	PropagateReport report;
	DenseGraph	dense;

	options.iteration_limit = 3;
	matrix_of_path(4, matrix);
	GL_TRY(dense_graph_begin(host, 4, matrix, &dense));
	GL_TRY(relational_neighbour_solve(host, &dense.graph, &seeds, &options,
									  f, &report));
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
	RUN(test_against_loop);
	RUN(test_refused);
	UNIT_TEST_END();
}
