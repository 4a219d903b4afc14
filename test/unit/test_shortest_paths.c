/*
 * test_shortest_paths.c
 *		If this fails, a path is longer than it need be.
 */
#include "mds_cases.h"

#include "graph/shortest_paths.h"

/* The pairs of a case as a graph of lengths. */
static SparseGraph
graph_of(const DistanceRows *rows)
{
	SparseGraph graph = {
		.entry_count = rows->row_start[rows->point_count],
		.row_start = rows->row_start,
		.neighbour = rows->target,
		.weight = rows->table_length
	};

	graph.graph.node_count = rows->point_count;
	return graph;
}

/* Floyd and Warshall, in place. */
static void
floyd(double *length, int n)
{
	for (int k = 0; k < n; k++)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				length[i * n + j] = fmin(length[i * n + j],
										 length[i * n + k] +
										 length[k * n + j]);
}

static void
test_paths_are_the_shortest(void)
{
	for (int64_t seed = 1; seed <= 40; seed++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GlRandom	random;
		int			n = 1 + (int) (seed % 24);
		double	   *length = malloc(sizeof(double) * (size_t) (n * n));
		double	   *wanted = malloc(sizeof(double) * (size_t) (n * n));
		double		found[32];
		DistanceRows rows;
		SparseGraph graph;
		ShortestPaths paths;

		gl_random_begin(&random, seed);
		for (int e = 0; e < n * n; e++)
		{
			/* whole numbers: ties, zeros and exact sums */
			length[e] = gl_random_unit(&random) < 0.2 ?
				(double) gl_random_below(&random, 5) : -1;
			wanted[e] = e / n == e % n ? 0 :
				length[e] < 0 ? INFINITY : length[e];
		}
		rows = case_from_pairs(host, n, length, NULL);
		graph = graph_of(&rows);
		floyd(wanted, n);
		EXPECT_OK(host, shortest_paths_begin(host, &graph, &paths));
		for (int i = 0; i < n; i++)
		{
			EXPECT_OK(host, shortest_paths_from(host, &paths, i, found));
			for (int j = 0; j < n; j++)
				EXPECT(found[j] == wanted[i * n + j]);
		}
		shortest_paths_end(host, &paths);
		distance_rows_release(host, &rows);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
		free(length);
		free(wanted);
	}
}

static GlStatus
small_search(GlHost *host)
{
	static const int64_t start[] = {0, 1, 3, 4};
	static const int32_t neighbour[] = {1, 0, 2, 1};
	static const double weight[] = {1, 1, 2, 2};
	SparseGraph graph = {
		.entry_count = 4,.row_start = start,.neighbour = neighbour,
		.weight = weight
	};
	ShortestPaths paths;
	double		found[3];

	graph.graph.node_count = 3;
	GL_TRY(shortest_paths_begin(host, &graph, &paths));
	GL_TRY(shortest_paths_from(host, &paths, 0, found));
	EXPECT(found[2] == 3);
	shortest_paths_end(host, &paths);
	return GL_OK;
}

static void
test_a_search_can_be_refused(void)
{
	test_refusals(small_search);
}

int
main(void)
{
	RUN(test_paths_are_the_shortest);
	RUN(test_a_search_can_be_refused);
	UNIT_TEST_END();
}
