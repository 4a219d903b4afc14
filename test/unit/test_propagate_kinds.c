/*
 * test_propagate_kinds.c
 *		If this fails, a method gives other labels on one kind of graph than its
 *		definition says, or depends on the order or the scale of a graph.
 */
#include "method_reference.h"

#include "graph/block_build.h"
#include "graph/point_graph.h"

#define MAX_N		60
#define CLASSES		3
#define KIND_COUNT	6

static const char *const kind_names[KIND_COUNT] = {
	"knn", "directed knn", "tree", "full", "blocks", "forest"
};

/* Three blobs of points in the plane. */
static void
fill_points(GlRandom *random, int n, int64_t *ids, double *values,
			PointSet *points)
{
	*points = (PointSet)
	{
		{n, 2, SCALAR_FLOAT8, values}, ids
	};
	for (int i = 0; i < n; i++)
	{
		ids[i] = 3 * i;
		values[2 * i] = 4 * (i % 3) + gl_random_normal(random);
		values[2 * i + 1] = (i % 3 == 1) * 3 + gl_random_normal(random);
	}
}

typedef union AnyGraph
{
	SparseGraph sparse;
	BlockGraph	blocks;
} AnyGraph;

static GlStatus
build_kind(GlHost *host, int kind, const PointSet *points, AnyGraph *any,
		   const Graph **graph)
{
	if (kind < 4)
	{
		GraphKind	kinds[4] = {GRAPH_KNN, GRAPH_KNN, GRAPH_TREE, GRAPH_FULL};
		PointGraphOptions options;
		PointGraphReport report;

		point_graph_defaults(&options);
		options.kind = kinds[kind];
		options.k = 5;
		if (kind == 1)
			options.symmetry = SYMMETRY_DIRECTED;
		*graph = &any->sparse.graph;
		return point_graph_build(host, points, &options, &any->sparse,
								 &report);
	}
	else
	{
		BlockGraphOptions options;
		BlockGraphReport report;

		block_graph_defaults(&options);
		options.tree_count = kind == 4 ? 1 : 3;
		*graph = &any->blocks.graph;
		return block_graph_build(host, points, &options, &any->blocks,
								 &report);
	}
}

/* The matrix a graph stands for, by its products with unit vectors. */
static void
expand(GlHost *host, const Graph *graph, DenseGraph *dense)
{
	int			n = (int) graph->node_count;
	double	   *identity = calloc((size_t) (n * n), sizeof(double));
	double	   *matrix = calloc((size_t) (n * n), sizeof(double));

	for (int i = 0; i < n; i++)
		identity[i * n + i] = 1;
	EXPECT_OK(host, graph_apply(host, graph, identity, matrix, n));
	EXPECT_OK(host, dense_graph_begin(host, n, matrix, dense));
	dense->graph.is_symmetric = graph->is_symmetric;
	free(identity);
	free(matrix);
}

/*
 * The values behind scores are good to some digits, so scores of rows that
 * hold next to nothing are less so: within a row values are good to 1/1000.
 */
static bool
scores_agree(int n, const double *values, double digits,
			 const double *scores)
{
	bool		agree = true;

	for (int i = 0; i < n; i++)
	{
		double		total = 0;
		double		allowed;

		for (int c = 0; c < CLASSES; c++)
			total += values[i * CLASSES + c];
		allowed = total > 0 ? fmin(2e-3, digits / total) : 0;
		for (int c = 0; c < CLASSES; c++)
		{
			double		wanted = total > 0 ?
				values[i * CLASSES + c] / total : 0;

			agree = agree && fabs(scores[i * CLASSES + c] - wanted) <=
				allowed;
		}
	}
	return agree;
}

/* Every method on every kind, with its default damping, by elimination. */
static void
test_every_kind(void)
{
	static double wanted[MAX_N * CLASSES];
	static int64_t ids[MAX_N];
	static double values[MAX_N * 2];
	double		dampings[METHOD_COUNT] = {0.98, 0.9, 0.95, 1, 0.98, 0.5};
	GlRandom	random;

	gl_random_begin(&random, 111);
	for (int trial = 0; trial < 4 * KIND_COUNT; trial++)
		for (int m = 0; m < METHOD_COUNT; m++)
		{
			int			n = 12 + (int) gl_random_below(&random, MAX_N - 11);
			int			kind = trial % KIND_COUNT;
			PropagateOptions options = exact_options(all_methods[m],
													 dampings[m]);
			int32_t		node[6];
			int32_t		label_class[6];
			LabelSeeds	seeds;
			PropagateResult result;
			PropagateReport report;
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			PointSet	points;
			AnyGraph	any;
			const Graph *graph;
			DenseGraph	dense;

			fill_points(&random, n, ids, values, &points);
			seeds_random(&random, n, CLASSES, 6, node, label_class, &seeds);
			EXPECT_OK(host, build_kind(host, kind, &points, &any, &graph));
			expand(host, graph, &dense);
			reference_method(&dense, &seeds, &options, wanted);
			options.damping = NAN;
			options.tolerance = 1e-12;
			options.iteration_limit = options.method == PROPAGATE_WALK ||
				options.method == PROPAGATE_WVRN ? 0 : 20000;
			EXPECT_OK(host, propagate_run(host, graph, &seeds, &options,
										  &result, &report));
			EXPECT(report.converged && report.damping == dampings[m]);
			/* without damping nothing bounds the error by the residual */
			if (!scores_agree(n, wanted, dampings[m] < 1 ? 1e-10 : 1e-6,
							  result.scores))
			{
				printf("# %s on %s\n", method_names[m], kind_names[kind]);
				EXPECT(false);
			}
			propagate_result_release(host, &result);
			graph_release(host, (Graph *) graph);
			graph_release(host, &dense.graph);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

static void
run_on_matrix(int n, const double *matrix, const LabelSeeds *seeds,
			  const PropagateOptions *options, double *scores)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;
	PropagateResult result;
	PropagateReport report;

	EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
	EXPECT_OK(host, propagate_run(host, &dense.graph, seeds, options,
								  &result, &report));
	EXPECT(report.converged);
	memcpy(scores, result.scores,
		   (size_t) (n * seeds->class_count) * sizeof(double));
	propagate_result_release(host, &result);
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* All weights times a number: the same walk, so the same scores. */
static void
test_scaling(void)
{
	static double matrix[MAX_N * MAX_N];
	static double scaled[MAX_N * MAX_N];
	static double a[MAX_N * CLASSES];
	static double b[MAX_N * CLASSES];
	double		factors[4] = {3, 1e-100, 1e100, 1024};
	GlRandom	random;

	gl_random_begin(&random, 112);
	for (int trial = 0; trial < 8; trial++)
		for (int m = 0; m < METHOD_COUNT; m++)
		{
			int			n = 30;
			PropagateOptions options = exact_options(all_methods[m], NAN);
			int32_t		node[6];
			int32_t		label_class[6];
			LabelSeeds	seeds;

			options.prior = PRIOR_SEEDS;
			options.tolerance = 1e-12;
			matrix_random(&random, n, 4.0 / n, trial % 2, matrix);
			for (int v = 0; v < n * n; v++)
				scaled[v] = matrix[v] * factors[trial % 4];
			seeds_random(&random, n, CLASSES, 6, node, label_class, &seeds);
			run_on_matrix(n, matrix, &seeds, &options, a);
			run_on_matrix(n, scaled, &seeds, &options, b);
			EXPECT(largest_difference(a, b, n * CLASSES) <= 1e-7);
		}
}

/* Renumbering the rows renumbers the answers and changes nothing else. */
static void
test_permutation(void)
{
	static double matrix[MAX_N * MAX_N];
	static double permuted[MAX_N * MAX_N];
	static double a[MAX_N * CLASSES];
	static double b[MAX_N * CLASSES];
	GlRandom	random;

	gl_random_begin(&random, 113);
	for (int trial = 0; trial < 6; trial++)
		for (int m = 0; m < METHOD_COUNT; m++)
		{
			int			n = 31;
			int			step = 12;	/* i -> 12 i mod 31 is a permutation */
			PropagateOptions options = exact_options(all_methods[m], NAN);
			int32_t		node[6];
			int32_t		label_class[6];
			int32_t		class_at[31];
			int32_t		new_node[6];
			int32_t		new_class[6];
			LabelSeeds	seeds;
			LabelSeeds	new_seeds = {CLASSES, 0, new_node, new_class};
			double		difference = 0;

			options.prior = PRIOR_SEEDS;
			options.tolerance = 1e-12;
			matrix_random(&random, n, 4.0 / n, trial % 2, matrix);
			for (int i = 0; i < n; i++)
				for (int j = 0; j < n; j++)
					permuted[step * i % n * n + step * j % n] =
						matrix[i * n + j];
			seeds_random(&random, n, CLASSES, 6, node, label_class, &seeds);
			memset(class_at, -1, sizeof(class_at));
			for (int s = 0; s < 6; s++)
				class_at[step * node[s] % n] = label_class[s];
			for (int i = 0; i < n; i++)
				if (class_at[i] >= 0)
				{
					new_node[new_seeds.seed_count] = i;
					new_class[new_seeds.seed_count++] = class_at[i];
				}
			run_on_matrix(n, matrix, &seeds, &options, a);
			run_on_matrix(n, permuted, &new_seeds, &options, b);
			for (int i = 0; i < n; i++)
				difference = fmax(difference, largest_difference(
					a + CLASSES * i, b + CLASSES * (step * i % n), CLASSES));
			EXPECT(difference <= 1e-7);
		}
}

/*
 * A part without a label, a row without edges, and a bipartite part with one
 * label, where a walk never rests: NULL there, an answer here.
 */
static void
test_parts(void)
{
	TestEdge	edges[] = {
		{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1},		/* bipartite */
		{4, 5, 2}, {5, 6, 1}, {6, 4, 1},	/* no label */
		{8, 9, 1e-200}			/* one label, hardly joined */
	};
	double		matrix[100];
	int32_t		node[3] = {0, 1, 8};
	int32_t		label_class[3] = {0, 1, 1};
	LabelSeeds	seeds = {2, 3, node, label_class};

	matrix_of_edges(10, edges, 8, matrix);
	for (int m = 0; m < METHOD_COUNT; m++)
		for (int prior = PRIOR_SEEDS; prior <= PRIOR_NONE; prior++)
		{
			PropagateOptions options = exact_options(all_methods[m], NAN);
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			DenseGraph	dense;
			PropagateResult result;
			PropagateReport report;

			options.prior = prior;
			options.teleport = all_methods[m] == PROPAGATE_MRW ? 0.01 : 0;
			options.tolerance = 1e-9;
			EXPECT_OK(host, dense_graph_begin(host, 10, matrix, &dense));
			EXPECT_OK(host, propagate_run(host, &dense.graph, &seeds,
										  &options, &result, &report));
			EXPECT(report.converged && report.unreached_count == 4);
			for (int i = 0; i < 10; i++)
			{
				bool		unreached = i >= 4 && i <= 7;

				EXPECT((result.winner[i] < 0) == unreached);
				EXPECT((result.confidence[i] == 0) == unreached);
			}
			/*
			 * With a prior the masses of the other part have a say; with mrw
			 * the other seed of class 1 has half of its restarts.
			 */
			EXPECT(prior != PRIOR_NONE || all_methods[m] == PROPAGATE_MRW ||
				   (result.winner[0] == 0 && result.winner[1] == 1 &&
					result.winner[2] == 1 && result.winner[3] == 0));
			EXPECT(result.winner[8] == 1 && result.winner[9] == 1);
			propagate_result_release(host, &result);
			graph_release(host, &dense.graph);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

int
main(void)
{
	RUN(test_every_kind);
	RUN(test_scaling);
	RUN(test_permutation);
	RUN(test_parts);
	UNIT_TEST_END();
}
