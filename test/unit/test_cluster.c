/*
 * test_cluster.c
 *		If this fails, a graph whose clusters anybody can see is divided wrongly,
 *		or clusters get the wrong numbers.
 */
#include "cluster_graphs.h"

#include "learn/cluster.h"

#define MOST	400

static const ClusterMethod methods[] = {
	CLUSTER_NJW, CLUSTER_NCUT, CLUSTER_WEIGHTED_NCUT, CLUSTER_PIC,
	CLUSTER_KWALKS
};
#define METHODS		5

static ClusterOptions
options_with(ClusterMethod method, int32_t k)
{
	ClusterOptions options;

	cluster_defaults(&options);
	options.method = method;
	options.cluster_count = k;
	return options;
}

/* Cluster a matrix; clusters go to `cluster`, the report is returned. */
static ClusterReport
run_matrix(int n, const double *matrix, const ClusterOptions *options,
		   const ClusterStart *start, int32_t *cluster)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph graph;
	ClusterResult result;
	ClusterReport report = {0};

	EXPECT_OK(host, sparse_graph_of(host, n, matrix, &graph));
	EXPECT_OK(host, cluster_run(host, &graph.graph, options, start, &result,
								&report));
	for (int i = 0; i < n; i++)
	{
		cluster[i] = result.cluster[i];
		EXPECT(result.distance[i] >= 0 && isfinite(result.distance[i]));
	}
	cluster_result_release(host, &result);
	graph_release(host, &graph.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	return report;
}

/* Nodes are together exactly where wanted says so, numbered by first node. */
static bool
same_clusters(int n, const int32_t *cluster, const int32_t *wanted)
{
	int32_t		next = 0;

	for (int i = 0; i < n; i++)
	{
		if (cluster[i] == next)
			next++;
		if (cluster[i] > next)
			return false;
		for (int j = 0; j < i; j++)
			if ((cluster[i] == cluster[j]) != (wanted[i] == wanted[j]))
				return false;
	}
	return true;
}

/* Two triangles and a bridge, by every method, every seed, every start. */
static void
test_barbell(void)
{
	double		matrix[36];
	int32_t		wanted[6] = {0, 0, 0, 1, 1, 1};
	int32_t		cluster[6];

	matrix_of_edges(6, barbell_edges, BARBELL_EDGES, matrix);
	for (int m = 0; m < METHODS; m++)
		for (int64_t seed = 0; seed < 20; seed++)
		{
			ClusterOptions options = options_with(methods[m], 2);
			ClusterReport report;

			options.seed = seed;
			report = run_matrix(6, matrix, &options, NULL, cluster);
			EXPECT(memcmp(cluster, wanted, sizeof(wanted)) == 0);
			EXPECT(report.converged && report.found_count == 2);
			EXPECT(!report.was_lazy && !report.was_flat);
		}
	for (int start = POWER_RANDOM; start <= POWER_PAGERANK; start++)
		for (int stop = CLUSTER_STOP_ACCELERATION; stop <= CLUSTER_STOP_COUNT;
			 stop++)
		{
			ClusterOptions options = options_with(CLUSTER_PIC, 2);

			/* the degrees of the barbell are symmetric: nothing to see */
			if (start == POWER_DEGREE)
				continue;
			options.start = (PowerStart) start;
			options.stop = (ClusterStop) stop;
			options.seed = 1;
			run_matrix(6, matrix, &options, NULL, cluster);
			EXPECT(memcmp(cluster, wanted, sizeof(wanted)) == 0);
		}
}

/* A ring of cliques; k is also found by the eigengap. */
static void
test_cliques(void)
{
	enum
	{
		CLIQUES = 5, SIZE = 8, N = CLIQUES * SIZE
	};
	static double matrix[N * N];
	static double scaled[N * N];
	int32_t		wanted[N];
	int32_t		cluster[N];
	int32_t		again[N];

	matrix_of_cliques(CLIQUES, SIZE, 0.1, matrix);
	for (int i = 0; i < N; i++)
		wanted[i] = i / SIZE;
	for (int i = 0; i < N * N; i++)
		scaled[i] = matrix[i] * 0x1p-30;
	for (int m = 0; m < METHODS; m++)
	{
		ClusterOptions options = options_with(methods[m], CLIQUES);
		ClusterReport report;

		/* walks from random nodes may begin two in one clique */
		if (methods[m] == CLUSTER_KWALKS)
			continue;
		report = run_matrix(N, matrix, &options, NULL, cluster);
		EXPECT(memcmp(cluster, wanted, sizeof(wanted)) == 0);
		/* the size of the weights does not matter */
		run_matrix(N, scaled, &options, NULL, again);
		EXPECT(memcmp(cluster, again, sizeof(again)) == 0);
		options.cluster_count = 0;
		report = run_matrix(N, matrix, &options, NULL, cluster);
		EXPECT(report.cluster_count == CLIQUES);
		EXPECT(memcmp(cluster, wanted, sizeof(wanted)) == 0);
	}
}

/* Clusters do not depend on how nodes are called, only their numbers do. */
static void
test_relabelled(void)
{
	enum
	{
		CLIQUES = 4, SIZE = 7, N = CLIQUES * SIZE
	};
	double		matrix[N * N];
	double		permuted[N * N];
	int32_t		wanted[N];
	int32_t		cluster[N];

	matrix_of_cliques(CLIQUES, SIZE, 0.2, matrix);
	for (int i = 0; i < N; i++)
	{
		wanted[i * 11 % N] = i / SIZE;
		for (int j = 0; j < N; j++)
			permuted[i * 11 % N * N + j * 11 % N] = matrix[i * N + j];
	}
	for (int m = 0; m < METHODS - 1; m++)
	{
		ClusterOptions options = options_with(methods[m], CLIQUES);

		run_matrix(N, permuted, &options, NULL, cluster);
		EXPECT(same_clusters(N, cluster, wanted));
	}
}

/* Two circles, one inside the other. */
static void
test_circles(void)
{
	enum
	{
		EACH = 80, N = 2 * EACH
	};
	static double matrix[N * N];
	int32_t		wanted[N];
	int32_t		cluster[N];

	matrix_of_circles(EACH, matrix);
	for (int i = 0; i < N; i++)
		wanted[i] = i / EACH;
	for (int m = 0; m < METHODS; m++)
	{
		ClusterOptions options = options_with(methods[m], 2);

		/* one centre for each half of a circle is as good for walks */
		if (methods[m] == CLUSTER_KWALKS)
			continue;
		/* five coordinates of a circle are more than its name */
		if (methods[m] == CLUSTER_WEIGHTED_NCUT)
			options.steps = 1000;
		/* similarities fall off fast: many steps around a circle */
		if (methods[m] == CLUSTER_PIC)
			options.iteration_limit = 100;
		run_matrix(N, matrix, &options, NULL, cluster);
		EXPECT(memcmp(cluster, wanted, sizeof(wanted)) == 0);
	}
}

/* Two blocks in noise: 0.99 of the nodes, as the source has it. */
static void
test_planted(void)
{
	double	   *matrix = malloc(sizeof(double) * MOST * MOST);
	int32_t    *cluster = malloc(sizeof(int32_t) * MOST);
	GlRandom	random;

	gl_random_begin(&random, 51);
	matrix_planted(&random, MOST, MOST * MOST / 25, matrix);
	for (int m = 0; m < METHODS; m++)
	{
		ClusterOptions options = options_with(methods[m], 2);
		int			right = 0;

		/* walks tell 80 % of edges from 20 % less well */
		if (methods[m] == CLUSTER_KWALKS ||
			methods[m] == CLUSTER_WEIGHTED_NCUT)
			continue;
		run_matrix(MOST, matrix, &options, NULL, cluster);
		for (int i = 0; i < MOST; i++)
			right += cluster[i] == i / (MOST / 2);
		EXPECT(right >= 0.99 * MOST);
	}
	free(cluster);
	free(matrix);
}

/*
 * Two stars whose hubs are joined, and an even path: bipartite, so that plain
 * power iteration swings for ever.
 */
static void
test_bipartite(void)
{
	TestEdge	stars[11] = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {0, 4, 1},
	{0, 5, 1}, {6, 7, 1}, {6, 8, 1}, {6, 9, 1}, {6, 10, 1}, {6, 11, 1},
	{0, 6, 0.1}};
	double		matrix[144];
	int32_t		wanted[12] = {0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1};
	int32_t		cluster[12];

	matrix_of_edges(12, stars, 11, matrix);
	for (int64_t seed = 0; seed < 10; seed++)
		for (int stop = CLUSTER_STOP_ACCELERATION; stop <= CLUSTER_STOP_COUNT;
			 stop++)
		{
			ClusterOptions options = options_with(CLUSTER_PIC, 2);
			ClusterReport report;

			options.seed = seed;
			options.stop = (ClusterStop) stop;
			report = run_matrix(12, matrix, &options, NULL, cluster);
			EXPECT(report.was_lazy);
			EXPECT(memcmp(cluster, wanted, sizeof(wanted)) == 0 ||
				   stop == CLUSTER_STOP_CUT ||
				   stop == CLUSTER_STOP_MODULARITY);
		}
	for (int m = 0; m < METHODS; m++)
	{
		ClusterOptions options = options_with(methods[m], 2);

		run_matrix(12, matrix, &options, NULL, cluster);
		EXPECT(memcmp(cluster, wanted, sizeof(wanted)) == 0);
	}
}

/*
 * Pieces: triangles 0-2, 5-7 and a pair 3-4; node 8 has no edge.  With k = 2
 * the largest piece is a cluster and all others are one.
 */
static void
test_pieces(void)
{
	TestEdge	edges[7] = {{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {3, 4, 1},
	{5, 6, 1}, {5, 7, 1}, {6, 7, 1}};
	double		matrix[81];
	double		without_lone[64];
	int32_t		three[9] = {0, 0, 0, 1, 1, 2, 2, 2, -1};
	int32_t		two[9] = {0, 0, 0, 1, 1, 1, 1, 1, -1};
	int32_t		cluster[9];
	ClusterReport report;

	matrix_of_edges(9, edges, 7, matrix);
	matrix_of_edges(8, edges, 7, without_lone);
	for (int m = 0; m < 3; m++)
	{
		ClusterOptions options = options_with(methods[m], 3);

		report = run_matrix(9, matrix, &options, NULL, cluster);
		EXPECT(memcmp(cluster, three, sizeof(three)) == 0);
		EXPECT(report.component_count == 3 && report.lone_count == 1);
		options.cluster_count = 2;
		run_matrix(9, matrix, &options, NULL, cluster);
		EXPECT(memcmp(cluster, two, sizeof(two)) == 0);
		/* four clusters: one of the pieces is divided, none are joined */
		options.cluster_count = 4;
		report = run_matrix(8, without_lone, &options, NULL, cluster);
		EXPECT(report.found_count == 4 && report.converged);
		EXPECT(cluster[0] != cluster[3] && cluster[0] != cluster[5] &&
			   cluster[3] != cluster[5]);
	}
	/* walks reach no other piece than their centre's */
	for (int64_t seed = 0; seed < 10; seed++)
	{
		ClusterOptions options = options_with(CLUSTER_KWALKS, 2);

		options.seed = seed;
		run_matrix(9, matrix, &options, NULL, cluster);
		EXPECT(cluster[8] == -1);
		EXPECT((cluster[3] == -1) == (cluster[4] == -1));
		EXPECT(cluster[5] == cluster[6] || cluster[5] != -1);
	}
	for (int64_t seed = 0; seed < 10; seed++)
	{
		ClusterOptions options = options_with(CLUSTER_PIC, 3);

		options.seed = seed;
		options.dimensions = 6;
		options.iteration_limit = 60;
		report = run_matrix(9, matrix, &options, NULL, cluster);
		EXPECT(memcmp(cluster, three, sizeof(three)) == 0);
	}
	{
		ClusterOptions options = options_with(CLUSTER_NCUT, 0);

		report = run_matrix(9, matrix, &options, NULL, cluster);
		EXPECT(report.cluster_count == 3);
		EXPECT(memcmp(cluster, three, sizeof(three)) == 0);
	}
}

/* More pieces than choices of k: as many clusters as pieces. */
static void
test_many_pieces(void)
{
	enum
	{
		PIECES = 20, N = 2 * PIECES + 1
	};
	double		matrix[N * N];
	int32_t		cluster[N];
	ClusterOptions options = options_with(CLUSTER_NJW, 0);
	ClusterReport report;

	memset(matrix, 0, sizeof(matrix));
	for (int i = 0; i < 2 * PIECES; i++)
		matrix[i * N + (i ^ 1)] = 1;
	report = run_matrix(N, matrix, &options, NULL, cluster);
	EXPECT(report.cluster_count == PIECES && report.found_count == PIECES);
	for (int i = 0; i < 2 * PIECES; i++)
		EXPECT(cluster[i] == i / 2);
	EXPECT(cluster[N - 1] == -1);
}

/* k = 1, k = n, graphs without nodes or edges. */
static void
test_extreme_k(void)
{
	double		matrix[36];
	double		empty[9] = {0};
	double		pair[4] = {0, 1, 1, 0};
	int32_t		cluster[6];

	matrix_of_edges(6, barbell_edges, BARBELL_EDGES, matrix);
	for (int m = 0; m < METHODS; m++)
	{
		ClusterOptions options = options_with(methods[m], 1);
		ClusterReport report;

		report = run_matrix(6, matrix, &options, NULL, cluster);
		for (int i = 0; i < 6; i++)
			EXPECT(cluster[i] == 0);
		options.cluster_count = 6;
		report = run_matrix(6, matrix, &options, NULL, cluster);
		for (int i = 0; i < 6; i++)
			EXPECT(cluster[i] == i);
		EXPECT(report.found_count == 6);
		options.cluster_count = 0;
		report = run_matrix(3, empty, &options, NULL, cluster);
		EXPECT(report.cluster_count == 0 && report.lone_count == 3);
		EXPECT(cluster[0] == -1 && cluster[2] == -1);
		report = run_matrix(2, pair, &options, NULL, cluster);
		EXPECT(report.cluster_count == 1 && cluster[1] == 0);
		/* 5 of 6 nodes: more than most methods have coordinates for */
		options.cluster_count = 5;
		report = run_matrix(6, matrix, &options, NULL, cluster);
		EXPECT(report.found_count >= 2 && report.found_count <= 5);
	}
}

/* Clusters of before keep their numbers. */
static void
test_start(void)
{
	enum
	{
		N = 15
	};
	double		matrix[(N + 1) * (N + 1)];
	int32_t		row[4] = {14, 6, 1, 15};
	int32_t		number[4] = {0, 2, 1, 0};
	ClusterStart start = {4, row, number};
	int32_t		cluster[N + 1];

	memset(matrix, 0, sizeof(matrix));
	for (int i = 0; i < N; i++)
		for (int j = 0; j < N; j++)
			if (i != j)
				matrix[i * (N + 1) + j] = i / 5 == j / 5 ? 1 : 0.01;
	for (int m = 0; m < METHODS; m++)
		for (int stop = CLUSTER_STOP_ACCELERATION; stop <= CLUSTER_STOP_COUNT;
			 stop++)
		{
			ClusterOptions options = options_with(methods[m], 3);

			options.stop = (ClusterStop) stop;
			run_matrix(N + 1, matrix, &options, &start, cluster);
			for (int i = 0; i < N; i++)
				EXPECT(cluster[i] == (i < 5 ? 1 : i < 10 ? 2 : 0));
			EXPECT(cluster[N] == -1);
		}
}

/* A walk that is not symmetric: two groups of arcs. */
static void
test_directed(void)
{
	enum
	{
		N = 12
	};
	double		matrix[N * N];
	int32_t		wanted[N];
	int32_t		cluster[N];

	memset(matrix, 0, sizeof(matrix));
	for (int i = 0; i < N; i++)
	{
		wanted[i] = i / 6;
		for (int step = 1; step <= 3; step++)
			matrix[i * N + i / 6 * 6 + (i + step) % 6] = step;
	}
	matrix[0 * N + 7] = 0.1;
	matrix[8 * N + 3] = 0.2;
	for (int m = 0; m < METHODS; m++)
	{
		ClusterOptions options = options_with(methods[m], 2);

		run_matrix(N, matrix, &options, NULL, cluster);
		EXPECT(memcmp(cluster, wanted, sizeof(wanted)) == 0);
	}
}

static void
expect_refused(ClusterOptions options, const ClusterStart *start,
			   const char *word)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph graph;
	ClusterResult result;
	ClusterReport report;

	EXPECT_OK(host, sparse_graph_of_edges(host, 7, barbell_edges,
										  BARBELL_EDGES, &graph));
	EXPECT(cluster_run(host, &graph.graph, &options, start, &result,
					   &report) == GL_ERR_OPTION);
	EXPECT(strstr(host->message, word) != NULL);
	EXPECT(result.cluster == NULL);
	graph.graph.meaning = GRAPH_LENGTH;
	options = options_with(CLUSTER_NJW, 2);
	EXPECT(cluster_run(host, &graph.graph, &options, NULL, &result,
					   &report) == GL_ERR_OPTION);
	test_host_end(&test);
}

static void
test_options(void)
{
	int32_t		row[1] = {1};
	int32_t		number[1] = {2};
	ClusterStart start = {1, row, number};
	ClusterOptions options = options_with(CLUSTER_PIC, -1);

	expect_refused(options, NULL, "k must be");
	options = options_with(CLUSTER_PIC, 7);
	expect_refused(options, NULL, "only 6 nodes with edges");
	options = options_with(CLUSTER_PIC, 2);
	expect_refused(options, &start, "cluster 3");
	options.dimensions = 257;
	expect_refused(options, NULL, "dims");
	options = options_with(CLUSTER_PIC, 2);
	options.restarts = 0;
	expect_refused(options, NULL, "restarts");
	options = options_with(CLUSTER_PIC, 2);
	options.iteration_limit = -1;
	expect_refused(options, NULL, "iterations");
	options = options_with(CLUSTER_PIC, 2);
	options.steps = -1;
	expect_refused(options, NULL, "steps");
	options = options_with(CLUSTER_PIC, 2);
	options.damping = 1;
	expect_refused(options, NULL, "damping");
	options = options_with(CLUSTER_PIC, 2);
	options.tolerance = 0;
	expect_refused(options, NULL, "tolerance");
}

static ClusterMethod refused_method;
static ClusterStop refused_stop;

static GlStatus
refusal_job(GlHost *host)
{
	int32_t		row[2] = {0, 5};
	int32_t		number[2] = {1, 0};
	ClusterStart start = {2, row, number};
	ClusterOptions options = options_with(refused_method, 2);
	SparseGraph graph;
	ClusterResult result;
	ClusterReport report;

	options.stop = refused_stop;
	options.iteration_limit = 3;
	options.tolerance = 0.01;
	options.restarts = 1;
	GL_TRY(sparse_graph_of_edges(host, 7, barbell_edges, BARBELL_EDGES,
								 &graph));
	GL_TRY(cluster_run(host, &graph.graph, &options, &start, &result,
					   &report));
	cluster_result_release(host, &result);
	options.cluster_count = refused_method == CLUSTER_NCUT ? 0 : 2;
	GL_TRY(cluster_run(host, &graph.graph, &options, NULL, &result, &report));
	cluster_result_release(host, &result);
	graph_release(host, &graph.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	refused_stop = CLUSTER_STOP_ACCELERATION;
	for (int m = 0; m < METHODS; m++)
	{
		refused_method = methods[m];
		test_refusals(refusal_job);
	}
	refused_method = CLUSTER_PIC;
	refused_stop = CLUSTER_STOP_CUT;
	test_refusals(refusal_job);
}

int
main(void)
{
	RUN(test_barbell);
	RUN(test_cliques);
	RUN(test_relabelled);
	RUN(test_circles);
	RUN(test_planted);
	RUN(test_bipartite);
	RUN(test_pieces);
	RUN(test_many_pieces);
	RUN(test_extreme_k);
	RUN(test_start);
	RUN(test_directed);
	RUN(test_options);
	RUN(test_refused);
	UNIT_TEST_END();
}
