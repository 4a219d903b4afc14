/*
 * test_edge_table.c
 *		If this fails, a graph from an edge table depends on the order of its
 *		rows, counts an edge twice, or swallows bad numbers.
 */
#include "unit_test.h"

#include "graph/edge_table.h"

#define MAX_NODES	12
#define MAX_ROWS	120

typedef struct EdgeRow
{
	int64_t		source;
	int64_t		target;
	double		number;
	double		importance;
} EdgeRow;

/* A row whose number is NULL in the table. */
#define NO_NUMBER	(-99.0)

static GlStatus
build(GlHost *host, GraphKind kind, const EdgeRow *rows, int count,
	  bool has_importance, SparseGraph *out)
{
	EdgeTable	table = {0};

	memset(out, 0, sizeof(*out));
	for (int r = 0; r < count; r++)
		GL_TRY(edge_table_add(host, &table, kind, rows[r].source,
							  rows[r].target, rows[r].number != NO_NUMBER,
							  rows[r].number, has_importance,
							  rows[r].importance));
	GL_TRY(edge_table_build(host, &table, kind, out));
	EXPECT(table.edge_count == 0 && table.source == NULL);
	return GL_OK;
}

/* The entry between two ids, or -1. */
static double
entry_of(const SparseGraph *sparse, const double *numbers, int64_t source,
		 int64_t target)
{
	int64_t		n = sparse->graph.node_count;
	int64_t		a = point_set_find(sparse->graph.ids, n, source);
	int64_t		b = point_set_find(sparse->graph.ids, n, target);

	EXPECT(a >= 0 && b >= 0);
	if (a >= 0)
		for (int64_t e = sparse->row_start[a]; e < sparse->row_start[a + 1];
			 e++)
			if (sparse->neighbour[e] == b)
				return numbers[e];
	return -1;
}

static void
test_undirected(void)
{
	static const EdgeRow rows[] = {
		{30, 10, 1, 0}, {10, 30, 2, 0}, {10, 20, 4, 0}, {20, 20, 8, 0},
		{20, 20, 16, 0}, {40, 50, 0, 0}, {60, 10, NO_NUMBER, 0},
		{-7, -7, 0, 0}
	};
	static const int64_t ids[] = {-7, 10, 20, 30, 40, 50, 60};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph sparse;

	EXPECT_OK(host, build(host, GRAPH_EDGES, rows, 8, false, &sparse));
	EXPECT_OK(host, sparse_graph_check(host, &sparse));
	EXPECT(sparse.graph.node_count == 7);
	EXPECT(memcmp(sparse.graph.ids, ids, sizeof(ids)) == 0);
	EXPECT(sparse.graph.is_symmetric);
	EXPECT(sparse.graph.meaning == GRAPH_SIMILARITY);
	EXPECT(sparse.graph.recipe.kind == GRAPH_EDGES);
	EXPECT(sparse.entry_count == 5 && sparse.importance == NULL);
	EXPECT(entry_of(&sparse, sparse.weight, 10, 30) == 3);
	EXPECT(entry_of(&sparse, sparse.weight, 30, 10) == 3);
	EXPECT(entry_of(&sparse, sparse.weight, 20, 10) == 4);
	EXPECT(entry_of(&sparse, sparse.weight, 20, 20) == 24);
	EXPECT(entry_of(&sparse, sparse.weight, 40, 50) == -1);
	EXPECT(entry_of(&sparse, sparse.weight, 10, 60) == -1);
	graph_release(host, &sparse.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_directed(void)
{
	static const EdgeRow rows[] = {
		{3, 1, 1, 0}, {1, 3, 2, 0}, {3, 1, 4, 0}, {2, 2, 8, 0}, {1, 2, 0, 0}
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph sparse;

	EXPECT_OK(host, build(host, GRAPH_ARCS, rows, 5, false, &sparse));
	EXPECT_OK(host, sparse_graph_check(host, &sparse));
	EXPECT(!sparse.graph.is_symmetric && sparse.entry_count == 3);
	EXPECT(sparse.graph.recipe.symmetry == SYMMETRY_DIRECTED);
	EXPECT(entry_of(&sparse, sparse.weight, 3, 1) == 5);
	EXPECT(entry_of(&sparse, sparse.weight, 1, 3) == 2);
	EXPECT(entry_of(&sparse, sparse.weight, 2, 2) == 8);
	EXPECT(entry_of(&sparse, sparse.weight, 1, 2) == -1);
	graph_release(host, &sparse.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_distances(void)
{
	static const EdgeRow rows[] = {
		{1, 2, 5, 1}, {2, 1, 5, 3}, {1, 3, 0, 7}, {3, 2, 4, 1}, {3, 2, 4, 2},
		{4, 4, 0, 1}, {5, 1, 9, 0}, {6, 1, NO_NUMBER, NAN}
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph sparse;

	for (int has_importance = 0; has_importance <= 1; has_importance++)
	{
		EXPECT_OK(host, build(host, GRAPH_DISTANCES, rows, 8, has_importance,
							  &sparse));
		EXPECT_OK(host, sparse_graph_check(host, &sparse));
		EXPECT(sparse.graph.is_symmetric && sparse.graph.node_count == 6);
		EXPECT(sparse.graph.meaning == GRAPH_LENGTH);
		EXPECT(entry_of(&sparse, sparse.weight, 2, 1) == 5);
		EXPECT(entry_of(&sparse, sparse.weight, 1, 3) == 0);
		EXPECT(entry_of(&sparse, sparse.weight, 2, 3) == 4);
		EXPECT(entry_of(&sparse, sparse.weight, 4, 4) == -1);
		EXPECT(entry_of(&sparse, sparse.weight, 1, 6) == -1);
		EXPECT((sparse.importance != NULL) == has_importance);
		if (has_importance)
		{
			/* both ways averaged, repeats added, 0 is no distance */
			EXPECT(entry_of(&sparse, sparse.importance, 1, 2) == 2);
			EXPECT(entry_of(&sparse, sparse.importance, 3, 1) == 7);
			EXPECT(entry_of(&sparse, sparse.importance, 2, 3) == 3);
			EXPECT(entry_of(&sparse, sparse.weight, 1, 5) == -1);
		}
		else
			EXPECT(entry_of(&sparse, sparse.weight, 1, 5) == 9);
		graph_release(host, &sparse.graph);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Where the two ways differ both are kept, and the graph says so. */
static void
test_asymmetric_distances(void)
{
	static const EdgeRow rows[] = {
		{1, 4, 10, 1}, {4, 1, 11, 3}, {2, 4, 12, 1}, {4, 2, 13, 1},
		{4, 3, 14, 5}, {2, 1, 15, 1}, {3, 4, 14, 5}, {5, 4, 0, 1},
		{4, 5, 2, 1}
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph sparse;

	EXPECT_OK(host, build(host, GRAPH_DISTANCES, rows, 9, true, &sparse));
	EXPECT_OK(host, sparse_graph_check(host, &sparse));
	EXPECT(!sparse.graph.is_symmetric);
	EXPECT(sparse.graph.recipe.symmetry == SYMMETRY_DIRECTED);
	for (int r = 0; r < 9; r++)
		EXPECT(entry_of(&sparse, sparse.weight, rows[r].source,
						rows[r].target) == rows[r].number);
	EXPECT(entry_of(&sparse, sparse.weight, 1, 2) == 15);
	EXPECT(entry_of(&sparse, sparse.importance, 1, 4) == 2);
	EXPECT(entry_of(&sparse, sparse.importance, 4, 1) == 2);
	EXPECT(entry_of(&sparse, sparse.importance, 3, 4) == 5);
	EXPECT(sparse.entry_count == 10);
	graph_release(host, &sparse.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
shuffle(GlRandom *random, EdgeRow *rows, int count)
{
	for (int i = count - 1; i > 0; i--)
	{
		int			j = (int) gl_random_below(random, i + 1);
		EdgeRow		swap = rows[i];

		rows[i] = rows[j];
		rows[j] = swap;
	}
}

/* A table with repeats; distances agree within a direction. */
static int
rows_random(GlRandom *random, GraphKind kind, EdgeRow *rows)
{
	int			count = 1 + (int) gl_random_below(random, MAX_ROWS);
	int			nodes = 1 + (int) gl_random_below(random, MAX_NODES);
	double		distance[MAX_NODES * MAX_NODES];

	for (int v = 0; v < MAX_NODES * MAX_NODES; v++)
		distance[v] = gl_random_below(random, 5) == 0 ?
			0 : gl_random_unit(random);
	for (int r = 0; r < count; r++)
	{
		int64_t		a = gl_random_below(random, nodes);
		int64_t		b = gl_random_below(random, nodes);

		rows[r].source = 7 * a - 20;
		rows[r].target = 7 * b - 20;
		rows[r].importance = gl_random_below(random, 6) == 0 ?
			0 : gl_random_unit(random);
		if (gl_random_below(random, 8) == 0)
			rows[r].number = NO_NUMBER;
		else if (kind == GRAPH_DISTANCES)
			rows[r].number = a == b ? 0 : distance[a * nodes + b];
		else
			rows[r].number = gl_random_below(random, 8) == 0 ?
				0 : gl_random_unit(random);
		/* two spellings of zero are one number */
		if (rows[r].number == 0 && gl_random_below(random, 2) == 0)
			rows[r].number = -0.0;
	}
	return count;
}

static bool
same_bits(const SparseGraph *a, const SparseGraph *b)
{
	int64_t		n = a->graph.node_count;
	int64_t		m = a->entry_count;

	return n == b->graph.node_count && m == b->entry_count &&
		a->graph.is_symmetric == b->graph.is_symmetric &&
		memcmp(a->graph.ids, b->graph.ids, (size_t) n * 8) == 0 &&
		memcmp(a->row_start, b->row_start, (size_t) (n + 1) * 8) == 0 &&
		memcmp(a->neighbour, b->neighbour, (size_t) m * 4) == 0 &&
		memcmp(a->weight, b->weight, (size_t) m * 8) == 0 &&
		(a->importance == NULL) == (b->importance == NULL) &&
		(a->importance == NULL ||
		 memcmp(a->importance, b->importance, (size_t) m * 8) == 0);
}

/* Any order of the rows gives the same bits. */
static void
test_any_order(void)
{
	GlRandom	random;

	gl_random_begin(&random, 1);
	for (int trial = 0; trial < 150; trial++)
		for (GraphKind kind = GRAPH_EDGES; kind <= GRAPH_DISTANCES; kind++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			EdgeRow		rows[MAX_ROWS];
			int			count = rows_random(&random, kind, rows);
			bool		has_importance = kind == GRAPH_DISTANCES &&
				trial % 2;
			SparseGraph first;
			SparseGraph other;

			EXPECT_OK(host, build(host, kind, rows, count, has_importance,
								  &first));
			EXPECT_OK(host, sparse_graph_check(host, &first));
			for (int order = 0; order < 4; order++)
			{
				shuffle(&random, rows, count);
				EXPECT_OK(host, build(host, kind, rows, count,
									  has_importance, &other));
				EXPECT(same_bits(&first, &other));
				graph_release(host, &other.graph);
			}
			graph_release(host, &first.graph);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* Undirected rows may also be turned round. */
static void
test_any_direction(void)
{
	GlRandom	random;

	gl_random_begin(&random, 2);
	for (int trial = 0; trial < 60; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		EdgeRow		rows[MAX_ROWS];
		int			count = rows_random(&random, GRAPH_EDGES, rows);
		SparseGraph first;
		SparseGraph other;

		EXPECT_OK(host, build(host, GRAPH_EDGES, rows, count, false,
							  &first));
		for (int r = 0; r < count; r++)
			if (gl_random_below(&random, 2) == 0)
			{
				int64_t		swap = rows[r].source;

				rows[r].source = rows[r].target;
				rows[r].target = swap;
			}
		EXPECT_OK(host, build(host, GRAPH_EDGES, rows, count, false,
							  &other));
		EXPECT(same_bits(&first, &other));
		graph_release(host, &first.graph);
		graph_release(host, &other.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Sums against a dense table. */
static void
test_sums(void)
{
	GlRandom	random;

	gl_random_begin(&random, 3);
	for (int trial = 0; trial < 60; trial++)
		for (GraphKind kind = GRAPH_EDGES; kind <= GRAPH_ARCS; kind++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			EdgeRow		rows[MAX_ROWS];
			int			count = rows_random(&random, kind, rows);
			long double sum[MAX_NODES][MAX_NODES] = {{0}};
			SparseGraph sparse;
			int64_t		entries = 0;

			for (int r = 0; r < count; r++)
			{
				int64_t		a = (rows[r].source + 20) / 7;
				int64_t		b = (rows[r].target + 20) / 7;

				if (rows[r].number <= 0)
					continue;
				sum[a][b] += rows[r].number;
				if (kind == GRAPH_EDGES && a != b)
					sum[b][a] += rows[r].number;
			}
			EXPECT_OK(host, build(host, kind, rows, count, false, &sparse));
			for (int r = 0; r < count; r++)
			{
				int64_t		a = (rows[r].source + 20) / 7;
				int64_t		b = (rows[r].target + 20) / 7;
				double		found = entry_of(&sparse, sparse.weight,
											 rows[r].source, rows[r].target);

				if (sum[a][b] == 0)
					EXPECT(found == -1);
				else
					EXPECT_NEAR(found, (double) sum[a][b], 1e-13);
			}
			for (int a = 0; a < MAX_NODES; a++)
				for (int b = 0; b < MAX_NODES; b++)
					entries += sum[a][b] > 0;
			EXPECT(entries == sparse.entry_count);
			graph_release(host, &sparse.graph);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

static void
test_bad_numbers(void)
{
	static const double bad[] = {-1, NAN, INFINITY, -INFINITY, -5e-324};
	static const char *const word[] = {"negative", "NaN", "infinite",
	"infinite", "negative"};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (GraphKind kind = GRAPH_EDGES; kind <= GRAPH_DISTANCES; kind++)
		for (int b = 0; b < 5; b++)
		{
			EdgeTable	table = {0};

			EXPECT(edge_table_add(host, &table, kind, 17, 23, true, bad[b],
								  false, 0) == GL_ERR_DATA);
			EXPECT(strstr(host->message, "from id 17 to id 23") != NULL);
			EXPECT(strstr(host->message, word[b]) != NULL);
			EXPECT(strstr(host->message, kind == GRAPH_DISTANCES ?
						  "distance" : "weight") != NULL);
			EXPECT(table.edge_count == 0);
			/* a number nobody gave is not looked at */
			EXPECT_OK(host, edge_table_add(host, &table, kind, 17, 23, false,
										   bad[b], false, 0));
			if (kind != GRAPH_DISTANCES)
				continue;
			memset(&table, 0, sizeof(table));
			EXPECT(edge_table_add(host, &table, kind, 17, 23, true, 1, true,
								  bad[b]) == GL_ERR_DATA);
			EXPECT(strstr(host->message, "weight of the distance") != NULL);
		}
	test_host_end(&test);
}

static void
test_contradictions(void)
{
	static const EdgeRow twice[] = {{1, 2, 3, 1}, {2, 1, 5, 1}, {1, 2, 4, 1}};
	static const EdgeRow back[] = {{2, 1, 3, 1}, {5, 6, 1, 1}, {2, 1, 4, 1}};
	static const EdgeRow self[] = {{3, 3, 2, 1}};
	static const EdgeRow heavy[] = {{1, 2, 1.7e308, 1}, {2, 1, 1.7e308, 1}};
	static const EdgeRow weighty[] = {
		{1, 2, 3, 1.7e308}, {1, 2, 3, 1.7e308}
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph sparse;

	EXPECT(build(host, GRAPH_DISTANCES, twice, 3, false, &sparse) ==
		   GL_ERR_DATA);
	EXPECT(strstr(host->message, "from id 1 to id 2: 3 and 4") != NULL);
	EXPECT(sparse.graph.ids == NULL);
	EXPECT(build(host, GRAPH_DISTANCES, back, 3, false, &sparse) ==
		   GL_ERR_DATA);
	EXPECT(strstr(host->message, "from id 2 to id 1: 3 and 4") != NULL);
	EXPECT(build(host, GRAPH_DISTANCES, self, 1, false, &sparse) ==
		   GL_ERR_DATA);
	EXPECT(strstr(host->message, "id 3 to itself is 2") != NULL);
	EXPECT(build(host, GRAPH_EDGES, heavy, 2, false, &sparse) == GL_ERR_DATA);
	EXPECT(strstr(host->message, "id 1 to id 2") != NULL);
	EXPECT_OK(host, build(host, GRAPH_ARCS, heavy, 2, false, &sparse));
	EXPECT(build(host, GRAPH_DISTANCES, weighty, 2, true, &sparse) ==
		   GL_ERR_DATA);
	EXPECT(strstr(host->message, "id 1 to id 2") != NULL);
	test_host_end(&test);
}

/* Extreme ids, and a table without a single edge. */
static void
test_degenerate(void)
{
	static const EdgeRow extreme[] = {
		{INT64_MIN, INT64_MAX, 2, 0}, {0, INT64_MIN, 3, 0}
	};
	static const EdgeRow nothing[] = {{4, 4, 0, 0}, {5, 6, NO_NUMBER, 0}};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph sparse;

	for (GraphKind kind = GRAPH_EDGES; kind <= GRAPH_DISTANCES; kind++)
	{
		EXPECT_OK(host, build(host, kind, extreme, 2, false, &sparse));
		EXPECT_OK(host, sparse_graph_check(host, &sparse));
		EXPECT(sparse.graph.node_count == 3);
		EXPECT(entry_of(&sparse, sparse.weight, INT64_MIN, INT64_MAX) == 2);
		graph_release(host, &sparse.graph);
		EXPECT_OK(host, build(host, kind, nothing, 2, false, &sparse));
		EXPECT_OK(host, sparse_graph_check(host, &sparse));
		EXPECT(sparse.graph.node_count == 3 && sparse.entry_count == 0);
		graph_release(host, &sparse.graph);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
edges_job(GlHost *host)
{
	for (GraphKind kind = GRAPH_EDGES; kind <= GRAPH_DISTANCES; kind++)
	{
		EdgeTable	table = {0};
		SparseGraph sparse;

		/* more than the first room; the two ways of 0 and 1 differ */
		for (int r = 0; r < 70; r++)
			GL_TRY(edge_table_add(host, &table, kind, r % 7, (r + 1) % 7,
								  true, 1 + r % 7, kind == GRAPH_DISTANCES,
								  1));
		GL_TRY(edge_table_add(host, &table, kind, 1, 0, true, 3,
							  kind == GRAPH_DISTANCES, 1));
		GL_TRY(edge_table_build(host, &table, kind, &sparse));
		GL_TRY(sparse_graph_check(host, &sparse));
		graph_release(host, &sparse.graph);
	}
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(edges_job);
}

int
main(void)
{
	RUN(test_undirected);
	RUN(test_directed);
	RUN(test_distances);
	RUN(test_asymmetric_distances);
	RUN(test_any_order);
	RUN(test_any_direction);
	RUN(test_sums);
	RUN(test_bad_numbers);
	RUN(test_contradictions);
	RUN(test_degenerate);
	RUN(test_refused);
	UNIT_TEST_END();
}
