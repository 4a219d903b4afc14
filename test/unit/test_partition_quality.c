/*
 * test_partition_quality.c
 *		Modularity and conductance of assignments, through the contract only.
 *
 * What breaks if this fails: gl_modularity and gl_conductance are wrong, or
 * work for one kind of graph only.
 *
 * The graph of these tests is a dense matrix of our own behind the
 * operations table, once with a list of edges and once without.
 */
#include "unit_test.h"

#include "../reference/measures_answers.h"
#include "measure/partition_quality.h"

#define MOST	40

typedef struct DenseGraph
{
	Graph		graph;
	double		a[MOST][MOST];
	int64_t		ids[MOST];
} DenseGraph;

static GlStatus
multiply(const Graph *graph, const double *x, double *y, int32_t columns,
		 bool transpose)
{
	const DenseGraph *dense = (const DenseGraph *) graph;
	int			n = (int) graph->node_count;

	memset(y, 0, sizeof(double) * (size_t) (n * columns));
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int c = 0; c < columns; c++)
				y[i * columns + c] += x[j * columns + c] *
					(transpose ? dense->a[j][i] : dense->a[i][j]);
	return GL_OK;
}

static GlStatus
dense_apply(GlHost *host, const Graph *graph, const double *x, double *y,
			int32_t columns)
{
	GL_TRY(gl_work(host, 1));
	return multiply(graph, x, y, columns, false);
}

static GlStatus
dense_apply_transpose(GlHost *host, const Graph *graph, const double *x,
					  double *y, int32_t columns)
{
	GL_TRY(gl_work(host, 1));
	return multiply(graph, x, y, columns, true);
}

static GlStatus
dense_row_sums(GlHost *host, const Graph *graph, double *sums)
{
	double		ones[MOST];

	for (int i = 0; i < MOST; i++)
		ones[i] = 1;
	return dense_apply(host, graph, ones, sums, 1);
}

static GlStatus
dense_diagonal(GlHost *host, const Graph *graph, double *diagonal)
{
	GL_TRY(gl_work(host, 1));
	for (int64_t i = 0; i < graph->node_count; i++)
		diagonal[i] = ((const DenseGraph *) graph)->a[i][i];
	return GL_OK;
}

static GlStatus
dense_visit_edges(GlHost *host, const Graph *graph, GraphEdgeVisitor visitor,
				  void *state)
{
	const DenseGraph *dense = (const DenseGraph *) graph;
	int32_t		n = (int32_t) graph->node_count;

	for (int32_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		for (int32_t j = graph->is_symmetric ? i : 0; j < n; j++)
			if (dense->a[i][j] != 0)
				GL_TRY(visitor(state, i, j, dense->a[i][j]));
	}
	return GL_OK;
}

static const GraphOperations listing_operations = {
	.apply = dense_apply,
	.apply_transpose = dense_apply_transpose,
	.row_sums = dense_row_sums,
	.diagonal = dense_diagonal,
	.visit_edges = dense_visit_edges
};

static const GraphOperations silent_operations = {
	.apply = dense_apply,
	.apply_transpose = dense_apply_transpose,
	.row_sums = dense_row_sums,
	.diagonal = dense_diagonal
};

/* Ids are 10, 20, 30 ...; a self-loop stands once on the diagonal. */
static void
dense_begin(DenseGraph *dense, int nodes, bool is_symmetric, bool lists)
{
	memset(dense, 0, sizeof(*dense));
	dense->graph.operations = lists ? &listing_operations :
		&silent_operations;
	dense->graph.node_count = nodes;
	dense->graph.ids = dense->ids;
	dense->graph.is_symmetric = is_symmetric;
	dense->graph.meaning = GRAPH_SIMILARITY;
	for (int i = 0; i < nodes; i++)
		dense->ids[i] = 10 * (i + 1);
}

static void
dense_add(DenseGraph *dense, int source, int target, double weight)
{
	dense->a[source][target] += weight;
	if (dense->graph.is_symmetric && source != target)
		dense->a[target][source] += weight;
}

/* Every node named; a negative label is a NULL. */
static GlStatus
measure(GlHost *host, const DenseGraph *dense, const int *labels,
		bool *is_defined, double *modularity, double *conductance)
{
	Partition	partition;
	int32_t		nodes[MOST];
	int32_t		clusters[MOST];
	bool		is_null[MOST];
	int64_t		n = dense->graph.node_count;

	for (int64_t i = 0; i < n; i++)
	{
		nodes[i] = (int32_t) i;
		clusters[i] = labels[i];
		is_null[i] = labels[i] < 0;
	}
	GL_TRY(partition_build(host, &dense->graph, nodes, clusters, is_null, n,
						   &partition));
	GL_TRY(partition_modularity(host, &dense->graph, &partition, is_defined,
								modularity));
	GL_TRY(partition_conductance(host, &dense->graph, &partition, is_defined,
								 conductance));
	partition_release(host, &partition);
	return GL_OK;
}

/* igraph's modularity, of graphs with self-loops, both ways of reading */
static void
test_reference_answers(void)
{
	static DenseGraph dense;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (size_t a = 0;
		 a < sizeof(modularity_answers) / sizeof(ModularityAnswer); a++)
	{
		const ModularityAnswer *answer = &modularity_answers[a];

		for (int lists = 0; lists <= 1; lists++)
		{
			bool		is_defined;
			double		modularity;
			double		conductance;

			dense_begin(&dense, answer->node_count, !answer->is_directed,
						lists);
			for (int e = 0; e < answer->edge_count; e++)
				dense_add(&dense, answer->source[e], answer->target[e],
						  answer->weight[e]);
			EXPECT_OK(host, measure(host, &dense, answer->cluster,
									&is_defined, &modularity, &conductance));
			EXPECT(is_defined);
			EXPECT_NEAR(modularity, answer->modularity, 1e-14);
		}
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Mean of cut / min(vol, rest) with A + A^T, straight from its definition. */
static double
brute_conductance(const DenseGraph *dense, const int *labels)
{
	int			n = (int) dense->graph.node_count;
	int			clusters = 0;
	double		sum = 0;

	for (int c = 0; c < MOST; c++)
	{
		double		cut = 0;
		double		volume = 0;
		double		rest = 0;
		bool		occurs = false;

		for (int i = 0; i < n; i++)
		{
			occurs |= labels[i] == c;
			for (int j = 0; j < n; j++)
			{
				double		both = dense->a[i][j] + dense->a[j][i];

				if (labels[i] == c)
					volume += both;
				else
					rest += both;
				if (labels[i] == c && labels[j] != c)
					cut += both;
			}
		}
		clusters += occurs;
		if (occurs && cut > 0)
			sum += cut / fmin(volume, rest);
	}
	return sum / clusters;
}

/* Sum of cut / vol, by the operator and from its definition. */
static void
expect_normalised_cut(GlHost *host, const DenseGraph *dense,
					  const int *labels)
{
	int			n = (int) dense->graph.node_count;
	int32_t		cluster[MOST];
	Partition	partition = {n, MOST, cluster};
	bool		is_defined;
	double		got;
	double		wanted = 0;

	for (int c = 0; c < MOST; c++)
	{
		double		cut = 0;
		double		volume = 0;

		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++)
			{
				double		both = dense->a[i][j] + dense->a[j][i];

				if (labels[i] == c)
					volume += both;
				if (labels[i] == c && labels[j] != c)
					cut += both;
			}
		wanted += cut > 0 ? cut / volume : 0;
	}
	for (int i = 0; i < n; i++)
		cluster[i] = labels[i];
	EXPECT_OK(host, partition_normalised_cut(host, &dense->graph, &partition,
											 &is_defined, &got));
	EXPECT(is_defined);
	EXPECT_NEAR(got, wanted, 1e-12);
}

/* sum over i, j of one cluster of A_ij - k_i k_j / m, loops counted twice */
static double
brute_modularity(const DenseGraph *dense, const int *labels)
{
	int			n = (int) dense->graph.node_count;
	double		out[MOST] = {0};
	double		in[MOST] = {0};
	double		total = 0;
	double		sum = 0;

	for (int pass = 0; pass < 2; pass++)
	{
		for (int i = 0; i < n; i++)
		{
			for (int j = 0; j < n; j++)
			{
				double		a = dense->a[i][j];

				if (i == j && dense->graph.is_symmetric)
					a *= 2;
				if (pass == 0)
				{
					out[i] += a;
					in[j] += a;
					total += a;
				}
				else if (labels[i] >= 0 && labels[i] == labels[j])
					sum += a / total - out[i] * in[j] / total / total;
			}
		}
	}
	return sum;
}

/* Random graphs and assignments with gaps, more clusters than one pass. */
static void
test_against_definitions(void)
{
	static DenseGraph dense;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;

	gl_random_begin(&random, 21);
	for (int round = 0; round < 300; round++)
	{
		int			labels[MOST];
		int			nodes = 2 + (int) gl_random_below(&random, MOST - 2);
		int64_t		range = 2 + gl_random_below(&random, MOST - 2);
		bool		is_defined;
		double		modularity;
		double		conductance;

		dense_begin(&dense, nodes, round % 2 == 0, round % 4 < 2);
		for (int e = 0; e < 3 * nodes; e++)
			dense_add(&dense, (int) gl_random_below(&random, nodes),
					  (int) gl_random_below(&random, nodes),
					  gl_random_unit(&random) + 0.01);
		for (int i = 0; i < nodes; i++)
			labels[i] = (int) gl_random_below(&random, range) - 1;
		labels[0] = 1;
		EXPECT_OK(host, measure(host, &dense, labels, &is_defined,
								&modularity, &conductance));
		EXPECT(is_defined);
		EXPECT_NEAR(modularity, brute_modularity(&dense, labels), 1e-13);
		EXPECT_NEAR(conductance, brute_conductance(&dense, labels), 1e-12);
		EXPECT(conductance >= 0 && conductance <= 1);
		expect_normalised_cut(host, &dense, labels);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Two triangles joined by one edge: 5/14 and 1/7, known by hand. */
static void
test_two_triangles(void)
{
	static const int edges[][2] = {
		{0, 1}, {1, 2}, {0, 2}, {3, 4}, {4, 5}, {3, 5}, {2, 3}
	};
	static const int labels[] = {7, 7, 7, 2, 2, 2};
	static DenseGraph dense;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	/* scales at which a product of two weights is 0 or infinite */
	for (int scale = -1; scale <= 1; scale++)
	{
		bool		is_defined;
		double		modularity;
		double		conductance;

		dense_begin(&dense, 6, true, true);
		for (int e = 0; e < 7; e++)
			dense_add(&dense, edges[e][0], edges[e][1],
					  pow(10, 300 * scale));
		EXPECT_OK(host, measure(host, &dense, labels, &is_defined,
								&modularity, &conductance));
		EXPECT_NEAR(modularity, 5.0 / 14.0, 1e-14);
		EXPECT_NEAR(conductance, 1.0 / 7.0, 1e-14);
	}
	test_host_end(&test);
}

/* One cluster, no cluster, no edge, an isolated node. */
static void
test_degenerate(void)
{
	static const int one[] = {1, 1, 1};
	static const int none[] = {-1, -1, -1};
	static const int apart[] = {0, 0, 1};
	static DenseGraph dense;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	bool		is_defined;
	double		modularity;
	double		conductance;

	dense_begin(&dense, 3, true, true);
	EXPECT_OK(host, measure(host, &dense, one, &is_defined, &modularity,
							&conductance));
	EXPECT(!is_defined && modularity == 0 && conductance == 0);

	dense_add(&dense, 0, 1, 2);
	EXPECT_OK(host, measure(host, &dense, one, &is_defined, &modularity,
							&conductance));
	EXPECT(is_defined && modularity == 0 && conductance == 0);
	EXPECT_OK(host, measure(host, &dense, apart, &is_defined, &modularity,
							&conductance));
	EXPECT(is_defined && modularity == 0 && conductance == 0);
	EXPECT_OK(host, measure(host, &dense, none, &is_defined, &modularity,
							&conductance));
	EXPECT(!is_defined);

	/* weights whose sum is not a number */
	dense_add(&dense, 1, 2, 1.7e308);
	dense_add(&dense, 2, 2, 1.7e308);
	EXPECT(measure(host, &dense, one, &is_defined, &modularity,
				   &conductance) == GL_ERR_DATA);
	test_host_end(&test);
}

static void
test_building_partitions(void)
{
	static DenseGraph dense;
	static const int32_t nodes[] = {2, 0};
	static const int32_t labels[] = {INT32_MAX, INT32_MIN};
	static const int32_t twice[] = {1, 0, 1};
	static const int32_t zeros[3];
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Partition	partition;

	dense_begin(&dense, 3, true, true);
	EXPECT_OK(host, partition_build(host, &dense.graph, nodes, labels, NULL,
									2, &partition));
	EXPECT(partition.cluster_count == 2);
	EXPECT(partition.cluster_of_node[0] == 0);
	EXPECT(partition.cluster_of_node[1] == PARTITION_NO_CLUSTER);
	EXPECT(partition.cluster_of_node[2] == 1);
	partition_release(host, &partition);
	EXPECT_NOTHING_LEFT(&test);

	EXPECT(partition_build(host, &dense.graph, twice, zeros, NULL, 3,
						   &partition) == GL_ERR_OPTION);
	EXPECT(strcmp(host->message, "id 20 is named twice") == 0);
	EXPECT(partition.cluster_of_node == NULL);
	test_host_end(&test);
}

/* Distances are not similarities; an assignment of another graph is a bug. */
static void
test_wrong_graph(void)
{
	static DenseGraph dense;
	static const int32_t nodes[] = {0, 1, 2};
	static const int32_t labels[] = {0, 0, 1};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Partition	partition;
	bool		is_defined;
	double		value;

	dense_begin(&dense, 3, true, true);
	EXPECT_OK(host, partition_build(host, &dense.graph, nodes, labels, NULL,
									3, &partition));
	dense.graph.meaning = GRAPH_LENGTH;
	EXPECT(partition_modularity(host, &dense.graph, &partition, &is_defined,
								&value) == GL_ERR_OPTION);
	EXPECT(partition_conductance(host, &dense.graph, &partition, &is_defined,
								 &value) == GL_ERR_OPTION);
	dense.graph.meaning = GRAPH_TRANSITION;
	dense.graph.node_count = 2;
	EXPECT(partition_modularity(host, &dense.graph, &partition, &is_defined,
								&value) == GL_ERR_INTERNAL);
	test_host_end(&test);
}

static GlStatus
refused_job(GlHost *host)
{
	static DenseGraph dense;
	static const int labels[] = {0, 1, 0, -1, 1};

	for (int kind = 0; kind < 4; kind++)
	{
		bool		is_defined;
		double		modularity;
		double		conductance;

		dense_begin(&dense, 5, kind % 2 == 0, kind < 2);
		for (int i = 0; i < 5; i++)
			dense_add(&dense, i, (i + 1) % 5, 1);
		GL_TRY(measure(host, &dense, labels, &is_defined, &modularity,
					   &conductance));
	}
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(refused_job);
}

int
main(void)
{
	RUN(test_reference_answers);
	RUN(test_against_definitions);
	RUN(test_two_triangles);
	RUN(test_degenerate);
	RUN(test_building_partitions);
	RUN(test_wrong_graph);
	RUN(test_refused);
	UNIT_TEST_END();
}
