/*
 * test_label_candidates.c
 *		If this fails, people are asked to label rows that tell little, or rows
 *		that have a label already.
 */
#include "method_reference.h"

#include "learn/label_candidates.h"
#include "learn/page_rank.h"

#define MAX_N	60

static const CandidateMethod methods[4] = {
	CANDIDATES_PAGERANK, CANDIDATES_DEGREE, CANDIDATES_RANDOM,
	CANDIDATES_FARTHEST
};

/* Returns how many were chosen. */
static int
choose(int n, const double *matrix, CandidateMethod method, int64_t count,
	   const int32_t *labelled, int labelled_count, int64_t seed,
	   int32_t *chosen)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	CandidateOptions options;
	DenseGraph	dense;
	int32_t    *result;
	int64_t		result_count;

	label_candidates_defaults(&options);
	EXPECT(options.method == CANDIDATES_PAGERANK && options.count == 10);
	options.method = method;
	options.count = count;
	options.seed = seed;
	EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
	EXPECT_OK(host, label_candidates_run(host, &dense.graph, labelled,
										 labelled_count, &options, &result,
										 &result_count));
	memcpy(chosen, result, (size_t) result_count * sizeof(int32_t));
	gl_release(host, result);
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	return (int) result_count;
}

/* The hub of a star comes first, unless it is known; leaves by number. */
static void
test_star(void)
{
	double		matrix[25];
	int32_t		chosen[5];
	int32_t		hub[2] = {0, 0};
	CandidateMethod ranked[3] = {
		CANDIDATES_PAGERANK, CANDIDATES_DEGREE, CANDIDATES_FARTHEST
	};

	matrix_of_star(5, matrix);
	for (int m = 0; m < 3; m++)
	{
		EXPECT(choose(5, matrix, ranked[m], 3, NULL, 0, 0, chosen) == 3);
		EXPECT(chosen[0] == 0 && chosen[1] == 1 && chosen[2] == 2);
		EXPECT(choose(5, matrix, ranked[m], 9, hub, 2, 0, chosen) == 4);
		for (int k = 0; k < 4; k++)
			EXPECT(chosen[k] == k + 1);
	}
}

/* The other end, then the middle; parts without a label before all. */
static void
test_farthest(void)
{
	double		matrix[121];
	int32_t		chosen[11];
	int32_t		labelled[1] = {0};
	TestEdge	edges[] = {
		{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1},		/* a path */
		{5, 6, 1}, {6, 7, 1}, {6, 8, 1},	/* a star around 6 */
		{9, 10, 1}
	};

	matrix_of_path(9, matrix);
	EXPECT(choose(9, matrix, CANDIDATES_FARTHEST, 2, labelled, 1, 0,
				  chosen) == 2);
	EXPECT(chosen[0] == 8 && chosen[1] == 4);
	/* nothing labelled: the first of the highest degree, then its antipodes */
	EXPECT(choose(9, matrix, CANDIDATES_FARTHEST, 2, NULL, 0, 0, chosen) == 2);
	EXPECT(chosen[0] == 1 && chosen[1] == 8);

	matrix_of_edges(11, edges, 8, matrix);
	EXPECT(choose(11, matrix, CANDIDATES_FARTHEST, 3, labelled, 1, 0,
				  chosen) == 3);
	EXPECT(chosen[0] == 6 && chosen[1] == 9 && chosen[2] == 4);
}

/* Each farthest row against a harmonic solution by elimination. */
static void
test_farthest_by_elimination(void)
{
	static double matrix[MAX_N * MAX_N];
	static double reach[MAX_N];
	GlRandom	random;

	gl_random_begin(&random, 121);
	for (int trial = 0; trial < 20; trial++)
	{
		int			n = 20 + (int) gl_random_below(&random, MAX_N - 19);
		int32_t		labelled[2] = {3, 7};
		int32_t		chosen[5];
		bool		taken[MAX_N] = {false};
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		DenseGraph	dense;

		matrix_random(&random, n, 4.0 / n, trial % 2, matrix);
		EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
		EXPECT(choose(n, matrix, CANDIDATES_FARTHEST, 5, labelled, 2, 0,
					  chosen) == 5);
		taken[3] = taken[7] = true;
		for (int k = 0; k < 5; k++)
		{
			int32_t		node[MAX_N];
			int32_t		zeros[MAX_N] = {0};
			LabelSeeds	seeds = {1, 0, node, zeros};
			double		least = 1;

			for (int i = 0; i < n; i++)
				if (taken[i])
					node[seeds.seed_count++] = i;
			reference_from_seeds(&dense, &seeds, NORMALISE_WALK, 0.98, true,
								 reach);
			for (int i = 0; i < n; i++)
				least = taken[i] ? least : fmin(least, reach[i]);
			EXPECT(!taken[chosen[k]]);
			EXPECT(reach[chosen[k]] <= 1.011 * least);
			taken[chosen[k]] = true;
		}
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Sorted by what they are said to be sorted by; direction counts arrivals. */
static void
test_order(void)
{
	static double matrix[MAX_N * MAX_N];
	GlRandom	random;

	gl_random_begin(&random, 122);
	for (int trial = 0; trial < 20; trial++)
	{
		int			n = 20 + (int) gl_random_below(&random, MAX_N - 19);
		int32_t		chosen[MAX_N];
		double		score[2][MAX_N] = {{0}};
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		DenseGraph	dense;
		DampedWalkReport report;

		matrix_random(&random, n, 3.0 / n, trial % 2, matrix);
		EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
		EXPECT_OK(host, page_rank_run(host, &dense.graph, NULL, 0, 0.85,
									  score[0], &report));
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				score[1][i] += matrix[j * n + i];
		for (int m = 0; m < 2; m++)
		{
			EXPECT(choose(n, matrix, methods[m], n, NULL, 0, 0, chosen) == n);
			for (int k = 1; k < n; k++)
			{
				double		before = score[m][chosen[k - 1]];
				double		here = score[m][chosen[k]];

				EXPECT(before >= here - 1e-14);
				EXPECT(before != here || chosen[k - 1] < chosen[k]);
			}
		}
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A short list is the head of a long one; labelled rows never appear. */
static void
test_lists(void)
{
	static double matrix[MAX_N * MAX_N];
	int32_t		labelled[4] = {5, 17, 5, 2};
	int32_t		all[MAX_N];
	int32_t		few[MAX_N];
	int32_t		other[MAX_N];
	int			n = 40;
	GlRandom	random;

	gl_random_begin(&random, 123);
	matrix_random(&random, n, 0.1, true, matrix);
	for (int m = 0; m < 4; m++)
	{
		bool		seen[MAX_N] = {false};

		EXPECT(choose(n, matrix, methods[m], 1000, labelled, 4, 9, all) ==
			   n - 3);
		EXPECT(choose(n, matrix, methods[m], 7, labelled, 4, 9, few) == 7);
		EXPECT(memcmp(all, few, 7 * sizeof(int32_t)) == 0);
		EXPECT(choose(n, matrix, methods[m], 0, labelled, 4, 9, few) == 0);
		for (int k = 0; k < n - 3; k++)
		{
			EXPECT(!seen[all[k]]);
			EXPECT(all[k] != 5 && all[k] != 17 && all[k] != 2);
			seen[all[k]] = true;
		}
		/* the seed matters where it should */
		EXPECT(choose(n, matrix, methods[m], 1000, labelled, 4, 10, other) ==
			   n - 3);
		EXPECT((memcmp(all, other, (size_t) (n - 3) * sizeof(int32_t)) != 0)
			   == (methods[m] == CANDIDATES_RANDOM));
	}
}

/* Each row is as likely as any other to come first. */
static void
test_random(void)
{
	double		matrix[25];
	int			first[5] = {0};
	int32_t		chosen[5];

	matrix_of_path(5, matrix);
	for (int seed = 0; seed < 1000; seed++)
	{
		EXPECT(choose(5, matrix, CANDIDATES_RANDOM, 1, NULL, 0, seed,
					  chosen) == 1);
		first[chosen[0]]++;
	}
	for (int i = 0; i < 5; i++)
		EXPECT(first[i] > 140 && first[i] < 260);
}

static void
test_bad_options(void)
{
	double		matrix[4] = {0, 1, 1, 0};
	CandidateOptions options;
	int32_t    *chosen;
	int64_t		count;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;

	EXPECT_OK(host, dense_graph_begin(host, 2, matrix, &dense));
	label_candidates_defaults(&options);
	options.count = -1;
	EXPECT(label_candidates_run(host, &dense.graph, NULL, 0, &options,
								&chosen, &count) == GL_ERR_OPTION);
	options.count = 1;
	dense.graph.meaning = GRAPH_LENGTH;
	EXPECT(label_candidates_run(host, &dense.graph, NULL, 0, &options,
								&chosen, &count) == GL_ERR_OPTION);
	EXPECT(chosen == NULL && count == 0);
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	double		matrix[16];
	CandidateOptions options;
	DenseGraph	dense;

	matrix_of_path(4, matrix);
	matrix[1] = 2;				/* directed */
	GL_TRY(dense_graph_begin(host, 4, matrix, &dense));
	label_candidates_defaults(&options);
	for (int m = 0; m < 4; m++)
	{
		int32_t    *chosen;
		int64_t		count;

		options.method = methods[m];
		options.count = 2;
		GL_TRY(label_candidates_run(host, &dense.graph, NULL, 0, &options,
									&chosen, &count));
		gl_release(host, chosen);
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
	RUN(test_star);
	RUN(test_farthest);
	RUN(test_farthest_by_elimination);
	RUN(test_order);
	RUN(test_lists);
	RUN(test_random);
	RUN(test_bad_options);
	RUN(test_refused);
	UNIT_TEST_END();
}
