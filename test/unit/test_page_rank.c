/*
 * test_page_rank.c
 *		If this fails, gl_rank ranks rows wrongly, and with it those that are
 *		proposed for labelling.
 */
#include "method_reference.h"

#include "learn/page_rank.h"

#define MAX_N	50

static void
rank_on_matrix(int n, const double *matrix, const int32_t *nodes, int count,
			   double damping, double *score)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;
	DampedWalkReport report;

	EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
	EXPECT_OK(host, page_rank_run(host, &dense.graph, nodes, count, damping,
								  score, &report));
	EXPECT(report.converged);
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Star of three leaves: centre 71/148, leaves 77/444 (spec seed001 6.4). */
static void
test_star(void)
{
	double		matrix[16];
	double		score[4];

	matrix_of_star(4, matrix);
	rank_on_matrix(4, matrix, NULL, 0, 0.85, score);
	EXPECT_NEAR(score[0], 71 / 148.0, 1e-13);
	EXPECT_NEAR(score[0], 0.479730, 5e-7);
	for (int i = 1; i < 4; i++)
	{
		EXPECT_NEAR(score[i], 77 / 444.0, 1e-13);
		EXPECT_NEAR(score[i], 0.173423, 5e-7);
	}
}

/* Path of four, restart at one end: the column of the MRW answer. */
static void
test_personalised(void)
{
	double		matrix[16];
	double		score[4];
	double		wanted[4] = {148 / 385.0, 138 / 385.0, 72 / 385.0, 27 / 385.0};
	int32_t		nodes[1] = {0};

	matrix_of_path(4, matrix);
	rank_on_matrix(4, matrix, nodes, 1, 0.75, score);
	for (int i = 0; i < 4; i++)
		EXPECT_NEAR(score[i], wanted[i], 1e-13);
}

/*
 * Random graphs with dead ends against the definition: the walk that begins
 * again at a dead end, by plain iteration in long double.
 */
static void
test_against_iteration(void)
{
	static double matrix[MAX_N * MAX_N];
	static double score[MAX_N];
	GlRandom	random;

	gl_random_begin(&random, 101);
	for (int trial = 0; trial < 40; trial++)
	{
		int			n = 4 + (int) gl_random_below(&random, MAX_N - 3);
		int			count = trial % 3 == 0 ? 0 : 2;
		int32_t		nodes[2] = {1, 3};
		double		damping = trial % 4 ? 0.85 : 0.95;
		long double v[2][MAX_N] = {{0}};
		long double r[MAX_N] = {0};

		matrix_random(&random, n, (trial % 4 + 0.7) / n, trial % 2, matrix);
		for (int i = 0; i < n; i++)
			r[i] = count == 0 ? 1.0L / n : 0;
		for (int k = 0; k < count; k++)
			r[nodes[k]] = 1.0L / count;
		memcpy(v[0], r, sizeof(r));
		for (int t = 0; t < 1200; t++)
		{
			long double *now = v[t % 2];
			long double *next = v[1 - t % 2];
			long double stuck = 0;

			memset(next, 0, sizeof(v[0]));
			for (int i = 0; i < n; i++)
			{
				long double degree = 0;

				for (int j = 0; j < n; j++)
					degree += matrix[i * n + j];
				if (degree == 0)
					stuck += now[i];
				for (int j = 0; j < n && degree > 0; j++)
					next[j] += damping * now[i] * matrix[i * n + j] / degree;
			}
			for (int i = 0; i < n; i++)
				next[i] += (1 - damping + damping * stuck) * r[i];
		}
		rank_on_matrix(n, matrix, count > 0 ? nodes : NULL, count, damping,
					   score);
		for (int i = 0; i < n; i++)
		{
			EXPECT_NEAR(score[i], (double) v[0][i], 1e-10);
			EXPECT((score[i] == 0) == (v[0][i] == 0));
		}
	}
}

static void
test_refusals_of_options(void)
{
	double		matrix[4] = {0, 1, 1, 0};
	double		bad[5] = {0, 1, -0.5, 1.5, NAN};
	double		score[2];
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;
	DampedWalkReport report;

	EXPECT_OK(host, dense_graph_begin(host, 2, matrix, &dense));
	for (int k = 0; k < 5; k++)
		EXPECT(page_rank_run(host, &dense.graph, NULL, 0, bad[k], score,
							 &report) == GL_ERR_OPTION);
	dense.graph.meaning = GRAPH_LENGTH;
	EXPECT(page_rank_run(host, &dense.graph, NULL, 0, 0.85, score,
						 &report) == GL_ERR_OPTION);
	dense.graph.meaning = GRAPH_SIMILARITY;
	dense.graph.node_count = 0;
	EXPECT_OK(host, page_rank_run(host, &dense.graph, NULL, 0, 0.85, score,
								  &report));
	EXPECT(report.converged);
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	double		matrix[16];
	double		score[4];
	DenseGraph	dense;
	DampedWalkReport report;

	matrix_of_path(4, matrix);
	GL_TRY(dense_graph_begin(host, 4, matrix, &dense));
	GL_TRY(page_rank_run(host, &dense.graph, NULL, 0, 0.85, score, &report));
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
	RUN(test_star);
	RUN(test_personalised);
	RUN(test_against_iteration);
	RUN(test_refusals_of_options);
	RUN(test_refused);
	UNIT_TEST_END();
}
