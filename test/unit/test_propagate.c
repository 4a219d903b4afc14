/*
 * test_propagate.c
 *		If this fails, gl_propagate accepts what it should refuse, or names the
 *		wrong winner.
 */
#include "method_reference.h"

#define MAX_N	60

/* Two paths 0-1-2-3 and 4-5-6, and 7 alone. */
static void
small_matrix(double *matrix)
{
	TestEdge	edges[] = {
		{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {4, 5, 1}, {5, 6, 1}
	};

	matrix_of_edges(8, edges, 5, matrix);
}

typedef struct Run
{
	TestHost	test;
	GlHost	   *host;
	DenseGraph	dense;
	PropagateOptions options;
	PropagateResult result;
	PropagateReport report;
} Run;

static void
run_begin(Run *run, int n, const double *matrix)
{
	memset(run, 0, sizeof(*run));
	run->host = test_host_begin(&run->test);
	EXPECT_OK(run->host, dense_graph_begin(run->host, n, matrix,
										   &run->dense));
	propagate_defaults(&run->options);
}

static GlStatus
run_go(Run *run, int32_t class_count, int64_t seed_count,
	   const int32_t *node, const int32_t *label_class)
{
	LabelSeeds	seeds = {class_count, seed_count, node, label_class};

	return propagate_run(run->host, &run->dense.graph, &seeds,
						 &run->options, &run->result, &run->report);
}

static void
run_end(Run *run)
{
	propagate_result_release(run->host, &run->result);
	graph_release(run->host, &run->dense.graph);
	EXPECT_NOTHING_LEFT(&run->test);
	test_host_end(&run->test);
}

/* Methods that hold the seeds at their class. */
static bool
clamps(PropagateMethod method)
{
	return method == PROPAGATE_HARMONIC || method == PROPAGATE_WVRN;
}

/* Winners, confidence, scores, unreached nodes: every method. */
static void
test_labels(void)
{
	double		matrix[64];
	int32_t		node[2] = {0, 3};
	int32_t		label_class[2] = {0, 1};
	int32_t		winner[8] = {0, 0, 1, 1, -1, -1, -1, -1};
	double		dampings[METHOD_COUNT] = {0.98, 0.9, 0.95, 1, 0.98, 0.5};

	small_matrix(matrix);
	for (PropagateMethod m = PROPAGATE_HARMONIC; m <= PROPAGATE_WALK; m++)
	{
		Run			run;

		run_begin(&run, 8, matrix);
		run.options.method = m;
		EXPECT_OK(run.host, run_go(&run, 2, 2, node, label_class));
		EXPECT(run.report.converged);
		EXPECT(run.report.damping == dampings[m - PROPAGATE_HARMONIC]);
		EXPECT(m == PROPAGATE_WVRN ? isinf(run.report.error_bound) :
			   run.report.error_bound >= run.report.residual);
		EXPECT(run.report.unreached_count == 4);
		EXPECT(run.result.node_count == 8 && run.result.class_count == 2);
		for (int i = 0; i < 8; i++)
		{
			double	   *row = run.result.scores + 2 * i;

			EXPECT(run.result.winner[i] == winner[i]);
			EXPECT(winner[i] < 0 || run.result.confidence[i] ==
				   row[winner[i]]);
			EXPECT_NEAR(row[0] + row[1], winner[i] < 0 ? 0 : 1, 1e-15);
			EXPECT(winner[i] >= 0 || run.result.confidence[i] == 0);
		}
		/* mirror: the masses are equal, so the prior changes nothing */
		EXPECT_NEAR(run.result.scores[2], run.result.scores[5], 1e-9);
		if (clamps(m))
		{
			EXPECT(run.result.confidence[0] == 1);
			EXPECT(run.result.scores[0] == 1 && run.result.scores[1] == 0);
			EXPECT(run.result.confidence[1] < 1);
		}
		else
			EXPECT(run.result.confidence[0] < 1);
		run_end(&run);
	}
}

/* Seeds 0, one class, all labelled, one node. */
static void
test_degenerate(void)
{
	double		matrix[64];
	int32_t		node[8] = {0, 1, 2, 3, 4, 5, 6, 7};
	int32_t		label_class[8] = {0, 1, 0, 1, 2, 2, 0, 1};
	int32_t		zeros[8] = {0};
	Run			run;

	small_matrix(matrix);
	for (PropagateMethod m = PROPAGATE_HARMONIC; m <= PROPAGATE_WALK; m++)
	{
		for (int classes = 0; classes < 3; classes++)
		{
			run_begin(&run, 8, matrix);
			run.options.method = m;
			EXPECT_OK(run.host, run_go(&run, classes, 0, NULL, NULL));
			EXPECT(run.report.converged && run.report.iterations == 0);
			EXPECT(run.report.unreached_count == 8);
			for (int i = 0; i < 8; i++)
				EXPECT(run.result.winner[i] == -1 &&
					   run.result.confidence[i] == 0);
			for (int v = 0; v < 8 * classes; v++)
				EXPECT(run.result.scores[v] == 0);
			run_end(&run);
		}

		run_begin(&run, 8, matrix);
		run.options.method = m;
		EXPECT_OK(run.host, run_go(&run, 1, 1, node, zeros));
		EXPECT(run.report.converged && run.report.unreached_count == 4);
		for (int i = 0; i < 8; i++)
			EXPECT(run.result.scores[i] == (i < 4) &&
				   run.result.winner[i] == (i < 4 ? 0 : -1));
		run_end(&run);

		run_begin(&run, 8, matrix);
		run.options.method = m;
		EXPECT_OK(run.host, run_go(&run, 3, 8, node, label_class));
		EXPECT(run.report.converged && run.report.unreached_count == 0);
		for (int i = 0; i < 8; i++)
			EXPECT(!clamps(m) ||
				   (run.result.winner[i] == label_class[i] &&
					run.result.confidence[i] == 1));
		/* an isolated seed knows itself */
		EXPECT(run.result.winner[7] == 1 && run.result.confidence[7] == 1);
		run_end(&run);

		for (int n = 0; n < 2; n++)
		{
			run_begin(&run, n, matrix);
			run.options.method = m;
			EXPECT_OK(run.host, run_go(&run, 1, n, node, zeros));
			EXPECT(run.report.converged && run.report.unreached_count == 0);
			EXPECT(n == 0 || run.result.winner[0] == 0);
			run_end(&run);
		}
	}
}

/* Three classes meet in the middle of a star: ties go to the lower class. */
static void
test_tie(void)
{
	TestEdge	edges[] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}};
	double		matrix[16];
	int32_t		node[3] = {1, 2, 3};
	int32_t		label_class[3] = {2, 1, 0};
	Run			run;

	matrix_of_edges(4, edges, 3, matrix);
	run_begin(&run, 4, matrix);
	EXPECT_OK(run.host, run_go(&run, 3, 3, node, label_class));
	EXPECT(run.result.winner[0] == 0);
	EXPECT_NEAR(run.result.confidence[0], 1 / 3.0, 1e-15);
	run_end(&run);
}

/* Renaming the classes renames the answers and changes nothing else. */
static void
test_class_permutation(void)
{
	static double matrix[MAX_N * MAX_N];
	int32_t		permutation[3] = {2, 0, 1};
	GlRandom	random;

	gl_random_begin(&random, 41);
	for (int trial = 0; trial < 60; trial++)
	{
		int			n = 10 + (int) gl_random_below(&random, MAX_N - 9);
		int32_t		node[MAX_N];
		int32_t		label_class[MAX_N];
		int32_t		permuted[MAX_N];
		LabelSeeds	seeds;
		Run			a;
		Run			b;

		matrix_random(&random, n, 4.0 / n, trial % 2, matrix);
		seeds_random(&random, n, 3, 6, node, label_class, &seeds);
		for (int s = 0; s < 6; s++)
			permuted[s] = permutation[label_class[s]];
		run_begin(&a, n, matrix);
		run_begin(&b, n, matrix);
		a.options.method = b.options.method =
			all_methods[trial / 2 % METHOD_COUNT];
		EXPECT_OK(a.host, run_go(&a, 3, 6, node, label_class));
		EXPECT_OK(b.host, run_go(&b, 3, 6, node, permuted));
		EXPECT(a.report.iterations == b.report.iterations);
		EXPECT(a.report.unreached_count == b.report.unreached_count);
		for (int i = 0; i < n; i++)
		{
			for (int c = 0; c < 3; c++)
				EXPECT_NEAR(a.result.scores[3 * i + c],
							b.result.scores[3 * i + permutation[c]], 1e-14);
			if (a.result.winner[i] >= 0)
				EXPECT(b.result.winner[i] ==
					   permutation[a.result.winner[i]]);
		}
		run_end(&a);
		run_end(&b);
	}
}

/* The prior moves the border; a given one overrides the seeds. */
static void
test_priors(void)
{
	double		matrix[25];
	double		given[2] = {1, 1000};
	int32_t		node[2] = {0, 4};
	int32_t		label_class[2] = {0, 1};
	Run			run;

	matrix_of_path(5, matrix);
	run_begin(&run, 5, matrix);
	run.options.damping = 1;
	run.options.prior = PRIOR_NONE;
	run.options.tolerance = 1e-12;
	EXPECT_OK(run.host, run_go(&run, 2, 2, node, label_class));
	for (int i = 0; i < 5; i++)
		EXPECT_NEAR(run.result.scores[2 * i + 1], i / 4.0, 1e-12);
	EXPECT(run.result.winner[1] == 0);
	propagate_result_release(run.host, &run.result);
	run.options.class_prior = given;
	run.options.class_prior_count = 2;
	EXPECT_OK(run.host, run_go(&run, 2, 2, node, label_class));
	EXPECT(run.result.winner[0] == 0 && run.result.winner[1] == 1);
	EXPECT_NEAR(run.result.scores[2], 3 / 1003.0, 1e-12);
	run_end(&run);
}

/* One step is not enough, and the report says so. */
static void
test_not_converged(void)
{
	double		matrix[64];
	int32_t		node[1] = {0};
	int32_t		label_class[1] = {0};

	small_matrix(matrix);
	for (PropagateMethod m = PROPAGATE_HARMONIC; m <= PROPAGATE_WALK; m++)
	{
		Run			run;

		run_begin(&run, 8, matrix);
		run.options.method = m;
		run.options.iteration_limit = 1;
		EXPECT_OK(run.host, run_go(&run, 1, 1, node, label_class));
		EXPECT(!run.report.converged);
		EXPECT(run.report.stepped ==
			   (m == PROPAGATE_WALK || m == PROPAGATE_WVRN));
		EXPECT(run.report.iterations == 1);
		EXPECT(run.report.residual > 1e-3);
		EXPECT(run.result.winner[0] == 0);
		run_end(&run);
	}
}

/* multilabel: several classes on one node, for the methods that allow it. */
static void
test_multilabel(void)
{
	double		matrix[64];
	int32_t		node[3] = {0, 0, 3};
	int32_t		label_class[3] = {0, 1, 1};
	Run			run;

	small_matrix(matrix);
	run_begin(&run, 8, matrix);
	EXPECT(run_go(&run, 2, 3, node, label_class) == GL_ERR_DATA);
	EXPECT(strstr(run.host->message, "id 100 ") != NULL);
	EXPECT(run.result.scores == NULL && run.result.winner == NULL);
	run.options.multilabel = true;
	EXPECT(run_go(&run, 2, 3, node, label_class) == GL_ERR_OPTION);
	EXPECT(strstr(run.host->message, "harmonic") != NULL);
	EXPECT(strstr(run.host->hint, "lgc, mrw, adsorption") != NULL);
	run.options.prior = PRIOR_NONE;
	for (int m = 0; m < METHOD_COUNT; m++)
	{
		PropagateMethod method = all_methods[m];

		run.options.method = method;
		if (clamps(method) || method == PROPAGATE_WALK)
		{
			EXPECT(run_go(&run, 2, 3, node, label_class) == GL_ERR_OPTION);
			EXPECT(strstr(run.host->message, method_names[m]) != NULL);
			continue;
		}
		EXPECT_OK(run.host, run_go(&run, 2, 3, node, label_class));
		EXPECT(run.result.scores[0] > 0.3 && run.result.scores[1] > 0.3);
		EXPECT(run.result.scores[6] < run.result.scores[7]);
		propagate_result_release(run.host, &run.result);
	}
	run_end(&run);
}

/* Every option out of range is refused, with the value in the message. */
static void
test_bad_options(void)
{
	double		matrix[64];
	double		dampings[4] = {0, -0.5, 1.5, INFINITY};
	double		tolerances[5] = {0, -1, 1, INFINITY, NAN};
	int32_t		node[1] = {0};
	int32_t		label_class[1] = {0};
	Run			run;
	PropagateOptions good;

	small_matrix(matrix);
	run_begin(&run, 8, matrix);
	good = run.options;
	for (int k = 0; k < 4; k++)
	{
		run.options.damping = dampings[k];
		EXPECT(run_go(&run, 1, 1, node, label_class) == GL_ERR_OPTION);
	}
	EXPECT(strstr(run.host->message, "inf") != NULL);
	run.options.damping = 1;
	run.options.method = PROPAGATE_LGC;
	EXPECT(run_go(&run, 1, 1, node, label_class) == GL_ERR_OPTION);
	EXPECT(strstr(run.host->message, "less than 1") != NULL);
	EXPECT(strstr(run.host->hint, "0.9") != NULL);
	for (int k = 0; k < 5; k++)
	{
		run.options = good;
		run.options.tolerance = tolerances[k];
		EXPECT(run_go(&run, 1, 1, node, label_class) == GL_ERR_OPTION);
	}
	run.options = good;
	run.options.iteration_limit = -7;
	EXPECT(run_go(&run, 1, 1, node, label_class) == GL_ERR_OPTION);
	EXPECT(strstr(run.host->message, "-7") != NULL);
	run.options = good;
	run.options.prior_weight = -2;
	EXPECT(run_go(&run, 1, 1, node, label_class) == GL_ERR_OPTION);
	run.options = good;
	run.options.method = (PropagateMethod) 77;
	EXPECT(run_go(&run, 1, 1, node, label_class) == GL_ERR_INTERNAL);
	run.options = good;
	run.dense.graph.meaning = GRAPH_LENGTH;
	EXPECT(run_go(&run, 1, 1, node, label_class) == GL_ERR_OPTION);
	EXPECT(run.result.node_count == 0 && run.report.damping == 0);
	run_end(&run);
}

/* An option of one method is refused by the others, naming its owner. */
static void
test_foreign_options(void)
{
	double		matrix[64];
	double		injection[8] = {1, 1, 1, 1, 1, 1, 1, 1};
	int32_t		node[2] = {0, 3};
	int32_t		label_class[2] = {0, 1};
	Run			run;
	PropagateOptions good;

	small_matrix(matrix);
	run_begin(&run, 8, matrix);
	good = run.options;
	for (int m = 0; m < METHOD_COUNT; m++)
		for (int option = 0; option < 3; option++)
		{
			const char *owners[3] = {"lgc", "mrw", "adsorption"};
			const char *names[3] = {"normalise", "teleport", "injection"};
			GlStatus	status;

			run.options = good;
			run.options.method = all_methods[m];
			if (option == 0)
				run.options.normalisation = NORMALISE_WALK;
			else if (option == 1)
				run.options.teleport = 0.01;
			else
				run.options.injection = injection;
			status = run_go(&run, 2, 2, node, label_class);
			if (strcmp(owners[option], method_names[m]) == 0)
			{
				EXPECT_OK(run.host, status);
				propagate_result_release(run.host, &run.result);
				continue;
			}
			EXPECT(status == GL_ERR_OPTION);
			EXPECT(strstr(run.host->message, names[option]) != NULL);
			EXPECT(strstr(run.host->hint, owners[option]) != NULL);
		}
	run.options = good;
	run.options.method = PROPAGATE_MRW;
	run.options.damping = 0.9;
	for (int k = 0; k < 4; k++)
	{
		double		bad[4] = {-0.01, 0.1, 0.5, NAN};

		run.options.teleport = bad[k];
		EXPECT(run_go(&run, 2, 2, node, label_class) == GL_ERR_OPTION);
		EXPECT(strstr(run.host->message, "0.1") != NULL);
	}
	run_end(&run);
}

/* Seeds outside the graph, unknown classes and disorder are refused. */
static void
test_bad_seeds(void)
{
	double		matrix[64];
	int32_t		outside[1] = {8};
	int32_t		negative[1] = {-1};
	int32_t		node[2] = {1, 1};
	int32_t		descending[2] = {3, 1};
	int32_t		label_class[2] = {0, 0};
	int32_t		bad_class[2] = {2, 2};
	Run			run;

	small_matrix(matrix);
	run_begin(&run, 8, matrix);
	EXPECT(run_go(&run, 1, 1, outside, label_class) == GL_ERR_DATA);
	EXPECT(run_go(&run, 1, 1, negative, label_class) == GL_ERR_DATA);
	EXPECT(run_go(&run, 2, 1, node, bad_class) == GL_ERR_DATA);
	EXPECT(strstr(run.host->message, "id 110 ") != NULL);
	EXPECT(run_go(&run, 1, 2, node, label_class) == GL_ERR_INTERNAL);
	EXPECT(run_go(&run, 1, 2, descending, label_class) == GL_ERR_INTERNAL);
	run_end(&run);
}

/* A budget too small is told before any product. */
static void
test_budget(void)
{
	double		matrix[64];
	int32_t		node[1] = {0};
	int32_t		label_class[1] = {0};
	Run			run;

	small_matrix(matrix);
	run_begin(&run, 8, matrix);
	run.host->bytes_limit = run.host->bytes_used + 60000;
	EXPECT(run_go(&run, 500, 1, node, label_class) == GL_ERR_MEMORY);
	EXPECT(strstr(run.host->hint, "classes") != NULL);
	/* nor do the scores themselves fit */
	run.host->bytes_limit = run.host->bytes_used + 10000;
	run.host->bytes_peak = run.host->bytes_used;
	EXPECT(run_go(&run, 500, 1, node, label_class) == GL_ERR_MEMORY);
	EXPECT(strstr(run.host->hint, "fewer classes") != NULL);
	EXPECT(run.host->bytes_peak == run.host->bytes_used);
	test_host_end(&run.test);
}

static GlStatus
refusal_job(GlHost *host)
{
	double		matrix[64];
	int32_t		node[2] = {0, 3};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	PropagateOptions options;
	DenseGraph	dense;

	small_matrix(matrix);
	propagate_defaults(&options);
	GL_TRY(dense_graph_begin(host, 8, matrix, &dense));
	for (PropagateMethod m = PROPAGATE_HARMONIC; m <= PROPAGATE_WALK; m++)
	{
		PropagateResult result;
		PropagateReport report;
		GlStatus	status;

		options.method = m;
		status = propagate_run(host, &dense.graph, &seeds, &options, &result,
							   &report);
		EXPECT(status == GL_OK ||
			   (result.scores == NULL && result.node_count == 0));
		GL_TRY(status);
		propagate_result_release(host, &result);
	}
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
	RUN(test_labels);
	RUN(test_degenerate);
	RUN(test_tie);
	RUN(test_class_permutation);
	RUN(test_priors);
	RUN(test_not_converged);
	RUN(test_multilabel);
	RUN(test_bad_options);
	RUN(test_foreign_options);
	RUN(test_bad_seeds);
	RUN(test_budget);
	RUN(test_refused);
	UNIT_TEST_END();
}
