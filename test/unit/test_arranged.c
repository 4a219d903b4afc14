/*
 * If this fails, a graph rewritten for many products is another graph, and
 * whatever is computed on it belongs to the wrong rows.
 */
#include "dense_graph.h"

#include "graph/arranged.h"

#define MAX_N	40

/* Every edge once, where it should be; components in order and apart. */
static void
expect_same_graph(GlHost *host, const DenseGraph *dense,
				  const SparseGraph *sparse)
{
	int64_t		n = sparse->graph.node_count;
	ArrangedGraph arranged;
	int32_t		component[MAX_N];
	int32_t		component_count;
	int64_t		ids[MAX_N];
	const int64_t *own_ids;
	bool		seen[MAX_N] = {false};

	EXPECT_OK(host, arranged_begin(host, &sparse->graph, &arranged));
	EXPECT_OK(host, graph_components(host, &sparse->graph, component,
									 &component_count));
	EXPECT(arranged.component_count == component_count);
	EXPECT(arranged.component_start[component_count] == n);
	for (int32_t c = 0; c < component_count; c++)
		for (int64_t p = arranged.component_start[c];
			 p < arranged.component_start[c + 1]; p++)
		{
			EXPECT(component[arranged.node[p]] == c);
			EXPECT(!seen[arranged.node[p]]);
			seen[arranged.node[p]] = true;
			EXPECT(arranged.sparse.graph.ids[p] ==
				   sparse->graph.ids[arranged.node[p]]);
		}
	EXPECT(arranged.sparse.entry_count == sparse->entry_count);
	for (int64_t p = 0; p < n; p++)
	{
		const int64_t *row = arranged.sparse.row_start;

		for (int64_t e = row[p]; e < row[p + 1]; e++)
			EXPECT(arranged.sparse.weight[e] ==
				   dense->matrix[arranged.node[p] * n +
								 arranged.node[arranged.sparse.neighbour[e]]]);
	}
	/* a sound graph, but for the order of ids */
	for (int64_t p = 0; p < n; p++)
		ids[p] = p;
	own_ids = arranged.sparse.graph.ids;
	arranged.sparse.graph.ids = ids;
	EXPECT_OK(host, sparse_graph_check(host, &arranged.sparse));
	arranged.sparse.graph.ids = own_ids;
	for (int32_t c = 0; c < component_count; c++)
	{
		SparseGraph part;
		int64_t		first = arranged.component_start[c];

		EXPECT_OK(host, arranged_part(host, &arranged, c, &part));
		EXPECT(part.graph.node_count ==
			   arranged.component_start[c + 1] - first);
		for (int64_t i = 0; i < part.graph.node_count; i++)
		{
			EXPECT(part.graph.ids[i] == arranged.sparse.graph.ids[first + i]);
			for (int64_t e = part.row_start[i]; e < part.row_start[i + 1];
				 e++)
				EXPECT(part.weight[e] ==
					   dense->matrix[arranged.node[first + i] * n +
									 arranged.node[first +
												   part.neighbour[e]]]);
		}
		own_ids = part.graph.ids;
		part.graph.ids = ids;
		EXPECT_OK(host, sparse_graph_check(host, &part));
		part.graph.ids = own_ids;
		graph_release(host, &part.graph);
	}
	arranged_end(host, &arranged);
}

static void
test_random_graphs(void)
{
	GlRandom	random;

	gl_random_begin(&random, 4);
	for (int trial = 0; trial < 80; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 1 + (int) gl_random_below(&random, MAX_N);
		double		matrix[MAX_N * MAX_N];
		DenseGraph	dense;
		SparseGraph sparse;

		matrix_random(&random, n, trial % 4 < 2 ? 1.0 / n : 4.0 / n,
					  trial % 2 == 0, matrix);
		if (trial % 3 == 0)
			matrix[0] = 2;		/* a loop */
		EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
		dense.graph.is_symmetric = trial % 2 == 0;
		EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
		expect_same_graph(host, &dense, &sparse);
		graph_release(host, &sparse.graph);
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A path with shuffled nodes comes out as a path from one end to the other. */
static void
test_path_is_unrolled(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[MAX_N * MAX_N] = {0};
	DenseGraph	dense;
	SparseGraph sparse;
	ArrangedGraph arranged;

	for (int i = 0; i + 1 < 37; i++)
	{
		int			a = i * 11 % 37;
		int			b = (i + 1) * 11 % 37;

		matrix[a * 37 + b] = matrix[b * 37 + a] = 1;
	}
	EXPECT_OK(host, dense_graph_begin(host, 37, matrix, &dense));
	EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
	EXPECT_OK(host, arranged_begin(host, &sparse.graph, &arranged));
	for (int p = 0; p + 1 < 37; p++)
		EXPECT(matrix[arranged.node[p] * 37 + arranged.node[p + 1]] == 1);
	arranged_end(host, &arranged);
	graph_release(host, &sparse.graph);
	/* the harness's dense kind has no edges to visit */
	EXPECT(arranged_begin(host, &dense.graph, &arranged) == GL_ERR_INTERNAL);
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
arranged_job(GlHost *host)
{
	static const double matrix[16] = {
		0, 1, 0, 0,
		1, 0, 0, 0,
		0, 0, 0, 2,
		0, 0, 2, 0
	};
	DenseGraph	dense;
	SparseGraph sparse;
	SparseGraph part;
	ArrangedGraph arranged;

	GL_TRY(dense_graph_begin(host, 4, matrix, &dense));
	GL_TRY(sparse_graph_from_dense(host, &dense, &sparse));
	GL_TRY(arranged_begin(host, &sparse.graph, &arranged));
	GL_TRY(arranged_part(host, &arranged, 1, &part));
	graph_release(host, &part.graph);
	arranged_end(host, &arranged);
	graph_release(host, &sparse.graph);
	graph_release(host, &dense.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(arranged_job);
}

int
main(void)
{
	RUN(test_random_graphs);
	RUN(test_path_is_unrolled);
	RUN(test_refused);
	UNIT_TEST_END();
}
