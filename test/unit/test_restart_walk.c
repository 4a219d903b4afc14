/*
 * test_restart_walk.c
 *		If this fails, walks with restart do not end where they should.
 */
#include "cluster_graphs.h"

#include "learn/restart_walk.h"

/* Walk from the columns of restart; then compare with wanted. */
static void
expect_walk(int n, const TestEdge *edges, int edge_count, int columns,
			const double *restart, double alpha, const double *wanted)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph graph;
	NormalisedGraph spread;
	RestartWalkReport report;
	double		v[32];

	EXPECT_OK(host, sparse_graph_of_edges(host, n, edges, edge_count, &graph));
	EXPECT_OK(host, normalised_begin(host, &graph.graph, NORMALISE_SPREAD,
									 columns, &spread));
	/* the answer does not depend on where the iteration begins */
	for (int begin = 0; begin <= 1; begin++)
	{
		double		sum[4] = {0};

		for (int i = 0; i < n * columns; i++)
			v[i] = begin ? 0 : restart[i];
		EXPECT_OK(host, restart_walk_run(host, &spread, restart, columns,
										 1 - alpha, 1e-14, 500, v, &report));
		EXPECT(report.converged && report.change <= 1e-14);
		for (int i = 0; i < n * columns; i++)
		{
			EXPECT_NEAR(v[i], wanted[i], 1e-12);
			EXPECT(v[i] >= alpha * restart[i]);
			sum[i % columns] += v[i];
		}
		for (int c = 0; c < columns; c++)
			EXPECT_NEAR(sum[c], 1, 1e-12);
	}
	/* after t steps the error is at most 2 g^t */
	for (int i = 0; i < n * columns; i++)
		v[i] = restart[i];
	EXPECT_OK(host, restart_walk_run(host, &spread, restart, columns,
									 1 - alpha, 1e-14, 10, v, &report));
	EXPECT(!report.converged && report.products == 10);
	for (int i = 0; i < n * columns; i++)
		EXPECT(fabs(v[i] - wanted[i]) <= 2 * pow(1 - alpha, 10));
	normalised_end(host, &spread);
	graph_release(host, &graph.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* The exact rationals of the spec: a path of four from both ends. */
static void
test_path(void)
{
	TestEdge	edges[3] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}};
	double		restart[8] = {1, 0, 0, 0, 0, 0, 0, 1};
	double		quarter[4] = {148 / 385.0, 138 / 385.0, 72 / 385.0, 27 / 385.0};
	double		three[4] = {14660 / 48507.0, 17374 / 48507.0, 11560 / 48507.0,
	4913 / 48507.0};
	double		wanted[8];

	for (int i = 0; i < 4; i++)
	{
		wanted[2 * i] = quarter[i];
		wanted[2 * i + 1] = quarter[3 - i];
	}
	expect_walk(4, edges, 3, 2, restart, 0.25, wanted);
	for (int i = 0; i < 4; i++)
	{
		wanted[2 * i] = three[i];
		wanted[2 * i + 1] = three[3 - i];
	}
	expect_walk(4, edges, 3, 2, restart, 0.15, wanted);
}

static void
test_barbell(void)
{
	double		restart[6] = {1, 0, 0, 0, 0, 0};
	double		wanted[6] = {244 / 627.0, 130 / 627.0, 14 / 57.0, 5 / 57.0,
	2 / 57.0, 2 / 57.0};

	expect_walk(6, barbell_edges, BARBELL_EDGES, 1, restart, 0.25, wanted);
}

/* A star of three leaves at damping 0.85; weights scaled change nothing. */
static void
test_pagerank(void)
{
	for (int k = 0; k < 2; k++)
	{
		double		w = k ? 1024 : 1;
		TestEdge	edges[3] = {{0, 1, w}, {0, 2, w}, {0, 3, w}};
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		SparseGraph graph;
		RestartWalkReport report;
		double		rank[4];

		EXPECT_OK(host, sparse_graph_of_edges(host, 4, edges, 3, &graph));
		EXPECT_OK(host, restart_walk_pagerank(host, &graph.graph, 0.85, 1e-12,
											  500, rank, &report));
		EXPECT(report.converged);
		EXPECT_NEAR(rank[0], 0.479730, 5e-7);
		EXPECT_NEAR(rank[1], 0.173423, 5e-7);
		EXPECT(rank[1] == rank[2] && rank[2] == rank[3]);
		graph_release(host, &graph.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

static GlStatus
refusal_job(GlHost *host)
{
	SparseGraph graph;
	RestartWalkReport report;
	double		rank[6];

	GL_TRY(sparse_graph_of_edges(host, 6, barbell_edges, BARBELL_EDGES,
								 &graph));
	GL_TRY(restart_walk_pagerank(host, &graph.graph, 0.5, 1e-2, 50, rank,
								 &report));
	graph_release(host, &graph.graph);
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
	RUN(test_pagerank);
	RUN(test_refused);
	UNIT_TEST_END();
}
