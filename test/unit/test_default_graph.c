/*
 * test_default_graph.c
 *		If this fails, the recommended graph is another one than documented, or
 *		depends on something else than the numbers of rows and columns.
 */
#include "unit_test.h"

#include "graph/block_build.h"
#include "graph/default_graph.h"

static void
test_the_rule(void)
{
	static const struct
	{
		int64_t		n;
		int32_t		d;
		bool		searched;
	}			cases[] = {
		{1, 1, true}, {INT32_MAX, 15, true}, {790569, 16, true},
		{790570, 16, false}, {3162, 1000000, true}, {3163, 1000000, false},
		{100000, 1000, true}, {100001, 1000, false}
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++)
	{
		PointMatrix points = {cases[c].n, cases[c].d, SCALAR_FLOAT8, NULL};

		EXPECT(default_graph_is_searched(&points) == cases[c].searched);
	}
}

static void
fill_points(double *values, int64_t *ids, int n, int d, PointSet *points)
{
	GlRandom	random;

	gl_random_begin(&random, 5);
	for (int i = 0; i < n * d; i++)
		values[i] = (double) gl_random_below(&random, 1000);
	for (int i = 0; i < n; i++)
		ids[i] = 10 * i;
	*points = (PointSet) {{n, d, SCALAR_FLOAT8, values}, ids};
}

/* Few rows: the graph of gl_knn_graph with the same options. */
static void
test_the_neighbour_graph(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		values[40 * 20];
	int64_t		ids[40];
	PointSet	points;
	PointGraphOptions options;
	PointGraphReport report;
	SparseGraph wanted;
	SparseGraph sparse;
	BlockGraph	forest;
	Graph	   *graph;
	double		column_spread;

	fill_points(values, ids, 40, 20, &points);
	point_graph_defaults(&options);
	EXPECT_OK(host, point_graph_build(host, &points, &options, &wanted,
									  &report));
	for (DefaultGraphChoice choice = CHOICE_BY_SIZE;
		 choice <= CHOICE_NEIGHBOURS; choice++)
	{
		EXPECT_OK(host, default_graph_build(host, &points, &options, choice,
											&sparse, &forest, &graph,
											&column_spread));
		EXPECT(graph == &sparse.graph);
		EXPECT(column_spread == report.column_spread);
		EXPECT(sparse.entry_count == wanted.entry_count);
		EXPECT(memcmp(sparse.weight, wanted.weight,
					  (size_t) wanted.entry_count * sizeof(double)) == 0);
		graph_release(host, graph);
	}
	graph_release(host, &wanted.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* A forest of eight trees with the metric, scale and seed asked for. */
static void
test_the_forest(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		values[60 * 16];
	int64_t		ids[60];
	PointSet	points;
	PointGraphOptions options;
	BlockGraphOptions block_options;
	BlockGraphReport report;
	BlockGraph	wanted;
	SparseGraph sparse;
	BlockGraph	forest;
	Graph	   *graph;
	double		column_spread;
	double		x[60];
	double		y[60];
	double		wanted_y[60];

	fill_points(values, ids, 60, 16, &points);
	point_graph_defaults(&options);
	options.metric = METRIC_COSINE;
	options.scale = SCALE_STANDARD;
	options.keep_points = false;
	options.seed = 3;
	block_graph_defaults(&block_options);
	block_options.tree_count = 8;
	block_options.metric = METRIC_COSINE;
	block_options.scale = SCALE_STANDARD;
	block_options.keep_points = false;
	block_options.seed = 3;
	EXPECT_OK(host, block_graph_build(host, &points, &block_options, &wanted,
									  &report));
	EXPECT_OK(host, default_graph_build(host, &points, &options,
										CHOICE_FOREST, &sparse, &forest,
										&graph, &column_spread));
	EXPECT(graph == &forest.graph && graph->points == NULL);
	EXPECT(forest.recipe.tree_count == 8);
	EXPECT(column_spread == report.column_spread);
	for (int i = 0; i < 60; i++)
		x[i] = i;
	EXPECT_OK(host, graph_apply(host, graph, x, y, 1));
	EXPECT_OK(host, graph_apply(host, &wanted.graph, x, wanted_y, 1));
	EXPECT(memcmp(y, wanted_y, sizeof(y)) == 0);
	graph_release(host, graph);
	graph_release(host, &wanted.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
build_job(GlHost *host)
{
	double		values[12 * 2];
	int64_t		ids[12];
	PointSet	points;
	PointGraphOptions options;
	SparseGraph sparse;
	BlockGraph	forest;
	Graph	   *graph;
	double		column_spread;

	fill_points(values, ids, 12, 2, &points);
	point_graph_defaults(&options);
	for (DefaultGraphChoice choice = CHOICE_BY_SIZE; choice <= CHOICE_FOREST;
		 choice++)
	{
		GL_TRY(default_graph_build(host, &points, &options, choice, &sparse,
								   &forest, &graph, &column_spread));
		graph_release(host, graph);
	}
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(build_job);
}

int
main(void)
{
	RUN(test_the_rule);
	RUN(test_the_neighbour_graph);
	RUN(test_the_forest);
	RUN(test_refused);
	UNIT_TEST_END();
}
