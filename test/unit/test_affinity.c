/*
 * test_affinity.c
 *		If this fails, graphs of distances turn into wrong similarities, or
 *		lose the points they were built from.
 */
#include "unit_test.h"

#include "graph/affinity.h"
#include "graph/edge_table.h"
#include "graph/point_graph.h"

/* A star: id 0 at the centre, leaves 1 .. count at distance unit * id. */
static GlStatus
star(GlHost *host, int leaves, double unit, SparseGraph *out)
{
	EdgeTable	table = {0};

	for (int leaf = 1; leaf <= leaves; leaf++)
		GL_TRY(edge_table_add(host, &table, GRAPH_DISTANCES, 0, leaf, true,
							  unit * leaf, true, 2));
	/* a node that nothing is known of */
	GL_TRY(edge_table_add(host, &table, GRAPH_DISTANCES, 99, 99, true, 0,
						  true, 1));
	return edge_table_build(host, &table, GRAPH_DISTANCES, out);
}

static void
test_given_bandwidth(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph lengths;
	SparseGraph sparse;
	double		bandwidth = 1.5;

	EXPECT_OK(host, star(host, 60, 1, &lengths));
	EXPECT_OK(host, affinity_build(host, &lengths, &bandwidth, &sparse));
	EXPECT_OK(host, sparse_graph_check(host, &sparse));
	EXPECT(sparse.graph.meaning == GRAPH_SIMILARITY);
	EXPECT(sparse.graph.is_symmetric);
	EXPECT(sparse.graph.recipe.kind == GRAPH_AFFINITY);
	EXPECT(sparse.graph.recipe.weights == WEIGHTS_GAUSSIAN);
	EXPECT(sparse.graph.recipe.bandwidth == 1.5);
	EXPECT(sparse.graph.node_count == 62 && sparse.entry_count == 120);
	EXPECT(sparse.importance == NULL);
	EXPECT(memcmp(sparse.neighbour, lengths.neighbour, 120 * 4) == 0);
	for (int e = 0; e < 120; e++)
	{
		double		exponent = lengths.weight[e] * lengths.weight[e] / 4.5;

		/* falls no further than exp(-300) */
		EXPECT_NEAR(log(sparse.weight[e]), -fmin(exponent, 300), 1e-12);
	}
	graph_release(host, &lengths.graph);
	graph_release(host, &sparse.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/*
 * A quarter of the mean 10th (or last) length: the centre has its 10th leaf,
 * each leaf only the centre, the lonely node does not count.
 */
static void
test_default_bandwidth(void)
{
	static const double unit[] = {1, 1e-300, 1e300};

	for (int u = 0; u < 3; u++)
		for (int leaves = 1; leaves <= 25; leaves++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			SparseGraph lengths;
			SparseGraph sparse;
			double		sum = leaves < 10 ? leaves : 10;
			double		wanted;

			for (int leaf = 1; leaf <= leaves; leaf++)
				sum += leaf;
			wanted = 0.25 * sum / (leaves + 1);
			EXPECT_OK(host, star(host, leaves, unit[u], &lengths));
			EXPECT_OK(host, affinity_build(host, &lengths, NULL, &sparse));
			EXPECT_NEAR(sparse.graph.recipe.bandwidth / unit[u], wanted,
						1e-13 * wanted);
			EXPECT_NEAR(log(sparse.weight[0]), -0.5 / (wanted * wanted),
						1e-12);
			graph_release(host, &lengths.graph);
			graph_release(host, &sparse.graph);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* No distance but 0, and no distance at all. */
static void
test_degenerate(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph lengths;
	SparseGraph sparse;

	EXPECT_OK(host, star(host, 3, 0, &lengths));
	EXPECT_OK(host, affinity_build(host, &lengths, NULL, &sparse));
	EXPECT(sparse.graph.recipe.bandwidth == 1 && sparse.entry_count == 6);
	for (int e = 0; e < 6; e++)
		EXPECT(sparse.weight[e] == 1);
	graph_release(host, &lengths.graph);
	graph_release(host, &sparse.graph);
	EXPECT_OK(host, star(host, 0, 1, &lengths));
	EXPECT_OK(host, affinity_build(host, &lengths, NULL, &sparse));
	EXPECT_OK(host, sparse_graph_check(host, &sparse));
	EXPECT(sparse.graph.node_count == 1 && sparse.entry_count == 0);
	graph_release(host, &lengths.graph);
	graph_release(host, &sparse.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_errors(void)
{
	static const double bad[] = {0, -1, NAN, INFINITY};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph lengths;
	SparseGraph sparse;

	EXPECT_OK(host, star(host, 3, 1, &lengths));
	for (int b = 0; b < 4; b++)
	{
		EXPECT(affinity_build(host, &lengths, &bad[b], &sparse) ==
			   GL_ERR_OPTION);
		EXPECT(strstr(host->message, "bandwidth") != NULL);
		EXPECT(sparse.weight == NULL);
	}
	lengths.graph.meaning = GRAPH_SIMILARITY;
	EXPECT(affinity_build(host, &lengths, NULL, &sparse) == GL_ERR_OPTION);
	EXPECT(strstr(host->message, "distances") != NULL);
	graph_release(host, &lengths.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Points and scaling come along, as copies. */
static void
test_points_are_kept(void)
{
	static const int64_t ids[] = {3, 5, 8, 9};
	static const double values[] = {0, 0, 1, 5, 2, 9, 4, 4};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points = {{4, 2, SCALAR_FLOAT8, values}, ids};
	PointGraphOptions options;
	PointGraphReport report;

	point_graph_defaults(&options);
	options.weights = WEIGHTS_DISTANCE;
	for (int symmetry = SYMMETRY_SUM; symmetry <= SYMMETRY_DIRECTED;
		 symmetry++)
		for (int keep = 0; keep <= 1; keep++)
			for (int scale = SCALE_NONE; scale <= SCALE_STANDARD; scale++)
			{
				SparseGraph lengths;
				SparseGraph sparse;

				options.symmetry = symmetry;
				options.keep_points = keep;
				options.scale = scale;
				options.k = 2;
				EXPECT_OK(host, point_graph_build(host, &points, &options,
												  &lengths, &report));
				EXPECT_OK(host, affinity_build(host, &lengths, NULL,
											   &sparse));
				EXPECT_OK(host, sparse_graph_check(host, &sparse));
				EXPECT(sparse.graph.is_symmetric ==
					   lengths.graph.is_symmetric);
				EXPECT((sparse.graph.points != NULL) == keep);
				if (keep)
				{
					EXPECT(sparse.graph.points->matrix.values !=
						   lengths.graph.points->matrix.values);
					EXPECT(memcmp(sparse.graph.points->matrix.values, values,
								  sizeof(values)) == 0);
					EXPECT((sparse.graph.column_scale != NULL) ==
						   (scale == SCALE_STANDARD));
				}
				graph_release(host, &lengths.graph);
				EXPECT(sparse.graph.ids[3] == 9);
				if (sparse.graph.column_scale != NULL)
					EXPECT(sparse.graph.column_scale[1] > 0);
				graph_release(host, &sparse.graph);
			}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
affinity_job(GlHost *host)
{
	static const int64_t ids[] = {3, 5, 8, 9};
	static const double values[] = {0, 0, 1, 5, 2, 9, 4, 4};
	PointSet	points = {{4, 2, SCALAR_FLOAT8, values}, ids};
	PointGraphOptions options;
	PointGraphReport report;
	SparseGraph lengths;
	SparseGraph sparse;

	GL_TRY(star(host, 4, 1, &lengths));
	GL_TRY(affinity_build(host, &lengths, NULL, &sparse));
	graph_release(host, &lengths.graph);
	graph_release(host, &sparse.graph);
	point_graph_defaults(&options);
	options.weights = WEIGHTS_DISTANCE;
	options.scale = SCALE_STANDARD;
	GL_TRY(point_graph_build(host, &points, &options, &lengths, &report));
	GL_TRY(affinity_build(host, &lengths, NULL, &sparse));
	graph_release(host, &lengths.graph);
	graph_release(host, &sparse.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(affinity_job);
}

int
main(void)
{
	RUN(test_given_bandwidth);
	RUN(test_default_bandwidth);
	RUN(test_degenerate);
	RUN(test_errors);
	RUN(test_points_are_kept);
	RUN(test_refused);
	UNIT_TEST_END();
}
