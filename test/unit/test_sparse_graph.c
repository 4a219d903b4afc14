/*
 * test_sparse_graph.c
 *		If this fails, every product of a stored graph is wrong, or a broken
 *		graph is taken for a sound one.
 */
#include "dense_graph.h"

#define MAX_N		30
#define MAX_COLUMNS 7

/* A random graph in both forms, with a loop here and there. */
static void
graphs_random(GlHost *host, GlRandom *random, int n, bool symmetric,
			  DenseGraph *dense, SparseGraph *sparse)
{
	double		matrix[MAX_N * MAX_N];

	matrix_random(random, n, 3.0 / n, symmetric, matrix);
	for (int i = 0; i < n; i++)
		if (gl_random_below(random, 5) == 0)
			matrix[i * n + i] = 1 + gl_random_unit(random);
	EXPECT_OK(host, dense_graph_begin(host, n, matrix, dense));
	dense->graph.is_symmetric = symmetric;
	EXPECT_OK(host, sparse_graph_from_dense(host, dense, sparse));
	EXPECT_OK(host, sparse_graph_check(host, sparse));
}

static void
test_products(void)
{
	GlRandom	random;
	double		x[MAX_N * MAX_COLUMNS];
	double		y[MAX_N * MAX_COLUMNS];
	double		wanted[MAX_N * MAX_COLUMNS];

	gl_random_begin(&random, 1);
	for (int trial = 0; trial < 60; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 1 + (int) gl_random_below(&random, MAX_N);
		DenseGraph	dense;
		SparseGraph sparse;

		graphs_random(host, &random, n, trial % 2 == 0, &dense, &sparse);
		for (int32_t columns = 1; columns <= MAX_COLUMNS; columns++)
		{
			for (int v = 0; v < n * columns; v++)
				x[v] = gl_random_normal(&random);
			for (int transpose = 0; transpose <= 1; transpose++)
			{
				memset(y, 0xFF, sizeof(y));	/* NaN: all must be written */
				EXPECT_OK(host, dense_product(host, &dense.graph, x, wanted,
											  columns, transpose));
				EXPECT_OK(host, transpose ?
						  graph_apply_transpose(host, &sparse.graph, x, y,
												columns) :
						  graph_apply(host, &sparse.graph, x, y, columns));
				EXPECT(!(largest_difference(y, wanted, n * columns) > 1e-12));
				for (int v = 0; v < n * columns; v++)
					EXPECT(isfinite(y[v]));
			}
		}
		graph_release(host, &sparse.graph);
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A column's product has the same bits alone and among others. */
static void
test_columns_are_independent(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	DenseGraph	dense;
	SparseGraph sparse;
	double		x[MAX_N * MAX_COLUMNS];
	double		y[MAX_N * MAX_COLUMNS];
	double		one[MAX_N];
	double		alone[MAX_N];

	gl_random_begin(&random, 2);
	for (int symmetric = 0; symmetric <= 1; symmetric++)
	{
		graphs_random(host, &random, MAX_N, symmetric, &dense, &sparse);
		for (int32_t columns = 2; columns <= MAX_COLUMNS; columns++)
			for (int32_t c = 0; c < columns; c++)
			{
				for (int v = 0; v < MAX_N * columns; v++)
					x[v] = gl_random_normal(&random);
				for (int i = 0; i < MAX_N; i++)
					one[i] = x[i * columns + c];
				for (int transpose = 0; transpose <= 1; transpose++)
				{
					EXPECT_OK(host, transpose ?
							  graph_apply_transpose(host, &sparse.graph, x, y,
													columns) :
							  graph_apply(host, &sparse.graph, x, y,
										  columns));
					EXPECT_OK(host, transpose ?
							  graph_apply_transpose(host, &sparse.graph, one,
													alone, 1) :
							  graph_apply(host, &sparse.graph, one, alone,
										  1));
					for (int i = 0; i < MAX_N; i++)
						EXPECT(alone[i] == y[i * columns + c]);
				}
			}
		graph_release(host, &sparse.graph);
		graph_release(host, &dense.graph);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

typedef struct Visit
{
	double		seen[MAX_N * MAX_N];
	int			n;
	int			count;
	int			stop_after;
	int64_t		last;
	bool		ascending;
} Visit;

static GlStatus
visit(void *state, int32_t source, int32_t target, double weight)
{
	Visit	   *visited = state;
	int64_t		place = (int64_t) source * visited->n + target;

	if (visited->count == visited->stop_after)
		return GL_ERR_DATA;
	visited->ascending = visited->ascending && place > visited->last;
	visited->last = place;
	visited->seen[place] += weight;
	visited->count++;
	return GL_OK;
}

/* Labels by repeated smallest neighbour, directions ignored. */
static int
reference_components(const double *matrix, int n, int32_t *component)
{
	int32_t		smallest[MAX_N];
	int			count = 0;

	for (int i = 0; i < n; i++)
		smallest[i] = i;
	for (int round = 0; round < n; round++)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
				if ((matrix[i * n + j] != 0 || matrix[j * n + i] != 0) &&
					smallest[j] < smallest[i])
					smallest[i] = smallest[j];
	for (int i = 0; i < n; i++)
		component[i] = smallest[i] == i ? count++ : component[smallest[i]];
	return count;
}

static void
expect_inspected(GlHost *host, const DenseGraph *dense,
				 const SparseGraph *sparse)
{
	const Graph *graph = &sparse->graph;
	const double *matrix = dense->matrix;
	int			n = (int) graph->node_count;
	double		sums[MAX_N];
	double		diagonal[MAX_N];
	int32_t		component[MAX_N];
	int32_t		wanted[MAX_N];
	int32_t		component_count = -1;
	Visit		visited = {.n = n, .stop_after = -1, .last = -1,
	.ascending = true};

	EXPECT_OK(host, graph_row_sums(host, graph, sums));
	EXPECT_OK(host, graph->operations->diagonal(host, graph, diagonal));
	EXPECT_OK(host, graph_components(host, graph, component,
									 &component_count));
	EXPECT(component_count == reference_components(matrix, n, wanted));
	EXPECT(memcmp(component, wanted, (size_t) n * sizeof(int32_t)) == 0);
	EXPECT_OK(host, graph->operations->visit_edges(host, graph, visit,
												   &visited));
	EXPECT(visited.ascending);
	for (int i = 0; i < n; i++)
	{
		GraphEntry *entries;
		int64_t		count;
		int64_t		found = 0;
		double		sum = 0;

		EXPECT_OK(host, graph->operations->row(host, graph, i, &entries,
											   &count));
		for (int j = 0; j < n; j++)
		{
			double		weight = matrix[i * n + j];

			sum += weight;
			if (weight != 0)
			{
				EXPECT(found < count && entries[found].node == j &&
					   entries[found].value == weight);
				found++;
			}
			/* an undirected edge once, from its smaller end */
			EXPECT(visited.seen[i * n + j] ==
				   (graph->is_symmetric && j < i ? 0 : weight));
		}
		EXPECT(found == count);
		EXPECT_NEAR(sums[i], sum, 1e-12);
		EXPECT(diagonal[i] == matrix[i * n + i]);
		gl_release(host, entries);
	}
	/* a visitor that fails stops the visit, and its word is passed on */
	if (visited.count > 1)
	{
		visited.stop_after = visited.count + 1;
		visited.last = -1;
		EXPECT(graph->operations->visit_edges(host, graph, visit, &visited) ==
			   GL_ERR_DATA);
		EXPECT(visited.count == visited.stop_after);
	}
}

static void
test_inspection(void)
{
	GlRandom	random;

	gl_random_begin(&random, 3);
	for (int trial = 0; trial < 80; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 1 + (int) gl_random_below(&random, MAX_N);
		DenseGraph	dense;
		SparseGraph sparse;

		graphs_random(host, &random, n, trial % 2 == 0, &dense, &sparse);
		expect_inspected(host, &dense, &sparse);
		graph_release(host, &sparse.graph);
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Chains joined from the far end: the deepest trees union-find can meet. */
static void
test_components_of_chains(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[MAX_N * MAX_N] = {0};
	DenseGraph	dense;
	SparseGraph sparse;

	/* three interleaved chains, directed downwards */
	for (int i = 3; i < MAX_N; i++)
		matrix[i * MAX_N + i - 3] = 1;
	EXPECT_OK(host, dense_graph_begin(host, MAX_N, matrix, &dense));
	EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
	expect_inspected(host, &dense, &sparse);
	graph_release(host, &sparse.graph);
	graph_release(host, &dense.graph);
	test_host_end(&test);
}

/*
 * The graph of the check: 0 - 1 and 1 - 2, a loop at 2, and importances.
 * Rows: {1}, {0, 2}, {1, 2}.
 */
typedef struct Sample
{
	SparseGraph sparse;
	int64_t		ids[3];
	int64_t		row_start[4];
	int32_t		neighbour[5];
	double		weight[5];
	double		importance[5];
} Sample;

static void
sample_begin(Sample *sample)
{
	*sample = (Sample) {
		.ids = {5, 6, 9},
		.row_start = {0, 1, 3, 5},
		.neighbour = {1, 0, 2, 1, 2},
		.weight = {2, 2, 3, 3, 4},
		.importance = {1, 1, 7, 7, 8}
	};
	sample->sparse.graph.node_count = 3;
	sample->sparse.graph.ids = sample->ids;
	sample->sparse.graph.is_symmetric = true;
	sample->sparse.graph.meaning = GRAPH_SIMILARITY;
	sample->sparse.entry_count = 5;
	sample->sparse.row_start = sample->row_start;
	sample->sparse.neighbour = sample->neighbour;
	sample->sparse.weight = sample->weight;
	sample->sparse.importance = sample->importance;
	sparse_graph_bind(&sample->sparse);
}

#define EXPECT_VIOLATION(change) \
	do { \
		Sample		s; \
		sample_begin(&s); \
		EXPECT_OK(host, sparse_graph_check(host, &s.sparse)); \
		change; \
		EXPECT(sparse_graph_check(host, &s.sparse) == GL_ERR_CORRUPT); \
	} while (0)

#define EXPECT_ALLOWED(change) \
	do { \
		Sample		s; \
		sample_begin(&s); \
		change; \
		EXPECT_OK(host, sparse_graph_check(host, &s.sparse)); \
	} while (0)

static void
test_check(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	/* shape and ids */
	EXPECT_VIOLATION(s.sparse.graph.node_count = 0);
	EXPECT_VIOLATION(s.sparse.graph.node_count = -1);
	EXPECT_VIOLATION(s.ids[1] = 5);
	EXPECT_VIOLATION(s.ids[2] = -9);
	/* S1 */
	EXPECT_VIOLATION(s.row_start[0] = 1);
	EXPECT_VIOLATION(s.row_start[0] = -1);
	EXPECT_VIOLATION(s.row_start[1] = 4);
	EXPECT_VIOLATION(s.row_start[1] = -1);
	EXPECT_VIOLATION(s.row_start[3] = 4);
	EXPECT_VIOLATION(s.sparse.entry_count = 4);
	EXPECT_VIOLATION(s.sparse.entry_count = 6);
	/* S2 */
	EXPECT_VIOLATION(s.neighbour[0] = 3);
	EXPECT_VIOLATION(s.neighbour[0] = -1);
	EXPECT_VIOLATION(s.neighbour[0] = INT32_MAX);
	EXPECT_VIOLATION(s.neighbour[1] = 2);
	EXPECT_VIOLATION((s.neighbour[1] = 2, s.neighbour[2] = 0));
	EXPECT_VIOLATION((s.sparse.graph.is_symmetric = false,
					  s.neighbour[4] = 1));
	/* S3 */
	EXPECT_VIOLATION(s.weight[4] = -4);
	EXPECT_VIOLATION(s.weight[4] = 0);
	EXPECT_VIOLATION(s.weight[4] = NAN);
	EXPECT_VIOLATION(s.weight[4] = INFINITY);
	EXPECT_VIOLATION((s.weight[4] = -1,
					  s.sparse.graph.meaning = GRAPH_LENGTH));
	EXPECT_ALLOWED((s.weight[4] = 0, s.sparse.graph.meaning = GRAPH_LENGTH));
	/* S4 */
	EXPECT_VIOLATION(s.weight[0] = 2.5);
	EXPECT_VIOLATION(s.weight[2] = nextafter(3, 4));
	EXPECT_VIOLATION(s.neighbour[0] = 2);
	EXPECT_VIOLATION(s.neighbour[0] = 0);
	EXPECT_ALLOWED((s.weight[0] = 2.5, s.sparse.graph.is_symmetric = false));
	EXPECT_ALLOWED((s.neighbour[0] = 2,
					s.sparse.graph.is_symmetric = false));
	/* S5 */
	EXPECT_VIOLATION(s.importance[4] = 0);
	EXPECT_VIOLATION(s.importance[4] = -1);
	EXPECT_VIOLATION(s.importance[4] = NAN);
	EXPECT_VIOLATION(s.importance[4] = INFINITY);
	EXPECT_VIOLATION(s.importance[0] = 2);
	EXPECT_ALLOWED(s.sparse.importance = NULL);
	test_host_end(&test);
}

static void
test_meaning(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Graph		graph = {.meaning = GRAPH_SIMILARITY};

	EXPECT_OK(host, graph_require_similarity(host, &graph, "gl_x"));
	graph.meaning = GRAPH_TRANSITION;
	EXPECT_OK(host, graph_require_similarity(host, &graph, "gl_x"));
	graph.meaning = GRAPH_LENGTH;
	EXPECT(graph_require_similarity(host, &graph, "gl_x") == GL_ERR_OPTION);
	EXPECT(strstr(host->message, "gl_x") != NULL);
	EXPECT(strstr(host->hint, "gl_affinity") != NULL);
	memset(&graph, 0, sizeof(graph));
	graph_release(host, &graph);	/* what failed to be built */
	test_host_end(&test);
}

static GlStatus
count_edge(void *state, int32_t source, int32_t target, double weight)
{
	(void) source, (void) target, (void) weight;
	++*(int *) state;
	return GL_OK;
}

static GlStatus
operations_job(GlHost *host)
{
	double		matrix[36];
	double		x[36];
	double		y[36];
	int32_t		component[6];
	int32_t		component_count;
	int			edges = 0;
	GlRandom	random;
	DenseGraph	dense;
	SparseGraph sparse;
	GraphEntry *entries;
	int64_t		entry_count;

	gl_random_begin(&random, 4);
	for (int symmetric = 0; symmetric <= 1; symmetric++)
	{
		matrix_random(&random, 6, 0.4, symmetric, matrix);
		memset(x, 0, sizeof(x));
		GL_TRY(dense_graph_begin(host, 6, matrix, &dense));
		GL_TRY(sparse_graph_from_dense(host, &dense, &sparse));
		graph_release(host, &dense.graph);
		GL_TRY(sparse_graph_check(host, &sparse));
		for (int32_t columns = 1; columns <= 6; columns++)
		{
			GL_TRY(graph_apply(host, &sparse.graph, x, y, columns));
			GL_TRY(graph_apply_transpose(host, &sparse.graph, x, y,
										 columns));
		}
		GL_TRY(graph_row_sums(host, &sparse.graph, y));
		GL_TRY(sparse.graph.operations->diagonal(host, &sparse.graph, y));
		GL_TRY(graph_components(host, &sparse.graph, component,
								&component_count));
		GL_TRY(sparse.graph.operations->visit_edges(host, &sparse.graph,
													count_edge, &edges));
		GL_TRY(sparse.graph.operations->row(host, &sparse.graph, 2, &entries,
											&entry_count));
		gl_release(host, entries);
		graph_release(host, &sparse.graph);
	}
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(operations_job);
}

int
main(void)
{
	RUN(test_products);
	RUN(test_columns_are_independent);
	RUN(test_inspection);
	RUN(test_components_of_chains);
	RUN(test_check);
	RUN(test_meaning);
	RUN(test_refused);
	UNIT_TEST_END();
}
