/*
 * test_damped_walk.c
 *		If this fails, labels are wrong where weights are tiny, where rows are
 *		far from every seed, or where the first solver gives up.
 */
#include "method_reference.h"

#include "learn/damped_walk.h"

#define MAX_N	60

static void
walk_defaults(const Graph *graph, const LabelSeeds *seeds, double damping,
			  DampedWalk *walk)
{
	memset(walk, 0, sizeof(*walk));
	walk->graph = graph;
	walk->normalisation = NORMALISE_WALK;
	walk->damping = damping;
	walk->seeds = seeds;
	walk->clamped = true;
	walk->upper = 1;
	walk->tolerance = 1e-10;
	walk->product_limit = 20000;
}

/*
 * Conjugate gradients, BiCGStab and plain steps give one answer; also with
 * more columns than are solved together.
 */
static void
test_methods_agree(void)
{
	static double matrix[MAX_N * MAX_N];
	static double f[4][MAX_N * 19];
	GlRandom	random;

	gl_random_begin(&random, 11);
	for (int trial = 0; trial < 60; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 8 + (int) gl_random_below(&random, MAX_N - 7);
		bool		symmetric = trial % 2 == 0;
		double		damping = trial % 3 == 0 ? 0.98 : 0.7;
		int			classes = trial % 5 < 3 ? 3 : 8 * (trial % 5 - 2) + 3;
		DenseGraph	dense;
		SparseGraph sparse;
		LabelSeeds	seeds;
		int32_t		node[MAX_N];
		int32_t		label_class[MAX_N];
		DampedWalk	walk;
		DampedWalkReport report;

		/* sparse enough that some rows are isolated or unreached */
		matrix_random(&random, n, 2.0 / n, symmetric, matrix);
		seeds_random(&random, n, classes, classes + 2, node, label_class,
					 &seeds);
		EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
		EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
		reference_propagate(&dense, &seeds, damping, true, f[0]);
		for (LinearMethod m = LINEAR_CONJUGATE; m <= LINEAR_PLAIN; m++)
		{
			if (m == LINEAR_CONJUGATE && !symmetric)
				continue;
			walk_defaults(m == LINEAR_PLAIN ? &sparse.graph : &dense.graph,
						  &seeds, damping, &walk);
			walk.method = m;
			EXPECT_OK(host, damped_walk_solve(host, &walk, f[m], &report));
			EXPECT(report.converged && report.unsettled == 0);
			EXPECT(largest_difference(f[0], f[m], n * classes) <= 1e-8);
			for (int v = 0; v < n * classes; v++)
				EXPECT((f[0][v] == 0) == (f[m][v] == 0));
		}
		graph_release(host, &dense.graph);
		graph_release(host, &sparse.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/*
 * A path much longer than the products that settle b: with two seeds at the
 * ends, each row must know which end is nearer, at values down to 1e-30.
 */
static void
test_long_path(void)
{
	int			n = 601;
	double	   *matrix = malloc(sizeof(double) * (size_t) (n * n));
	double	   *f = malloc(sizeof(double) * (size_t) (n * 2));
	int32_t		node[2] = {0, 600};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;
	SparseGraph sparse;
	DampedWalk	walk;
	DampedWalkReport report;
	double		root = (1 - sqrt(1 - 0.98 * 0.98)) / 0.98;

	matrix_of_path(n, matrix);
	EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
	EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
	walk_defaults(&sparse.graph, &seeds, 0.98, &walk);
	walk.tolerance = 1e-5;
	walk.product_limit = 2000;
	for (int directed = 0; directed < 2; directed++)
	{
		sparse.graph.is_symmetric = !directed;
		EXPECT_OK(host, damped_walk_solve(host, &walk, f, &report));
		EXPECT(report.converged && report.unsettled == 0);
		EXPECT(report.products < 2000);
		for (int i = 0; i < n; i++)
		{
			double		near = i < 300 ? f[2 * i] : f[2 * i + 1];

			/* f = (root^i - root^(2L-i)) / (1 - root^2L) */
			if (i % 600 != 0)
				EXPECT_NEAR(near / pow(root, i < 300 ? i : 600 - i), 1, 0.1);
			if (i < 299)
				EXPECT(f[2 * i] > f[2 * i + 1]);
			if (i > 301)
				EXPECT(f[2 * i] < f[2 * i + 1]);
		}
	}
	graph_release(host, &dense.graph);
	graph_release(host, &sparse.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(matrix);
	free(f);
}

/*
 * Groups whose inner weights are 1, 1e-10, ..., 1e-130, each joined to the
 * one before by a single edge of its own size, seeds in the first: the
 * reference, computed row by row, must be met on the scale of f.
 */
static void
test_degree_decades(void)
{
	static double matrix[56 * 56];
	static double f[56 * 2];
	static double wanted[56 * 2];
	int			n = 56;
	int32_t		node[2] = {0, 1};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	double		dampings[3] = {0.9, 0.98, 1};

	memset(matrix, 0, sizeof(matrix));
	for (int group = 0; group < 14; group++)
	{
		double		size = pow(10, -10 * group);
		int			first = 4 * group;

		for (int a = 0; a < 4; a++)
			for (int b = 0; b < 4; b++)
				if (a != b)
					matrix[(first + a) * n + first + b] =
						size * (1 + 0.1 * (a + b));
		if (group > 0)
			matrix[first * n + first - 1 - group % 3] =
				matrix[(first - 1 - group % 3) * n + first] = size;
	}
	for (int k = 0; k < 3; k++)
		for (int directed = 0; directed < 2; directed++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			DenseGraph	dense;
			DampedWalk	walk;
			DampedWalkReport report;

			EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
			EXPECT(dense.graph.is_symmetric);
			dense.graph.is_symmetric = !directed;
			reference_propagate(&dense, &seeds, dampings[k], true, wanted);
			walk_defaults(&dense.graph, &seeds, dampings[k], &walk);
			walk.product_limit = 3000;
			EXPECT_OK(host, damped_walk_solve(host, &walk, f, &report));
			EXPECT(report.converged && report.unsettled == 0);
			EXPECT(largest_difference(f, wanted, n * 2) <= 1e-7);
			/* conjugate gradients see one band of degrees a round */
			EXPECT(directed || report.rounds > 1);
			graph_release(host, &dense.graph);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/*
 * The bound on the error holds in every form of the walk, also when solving
 * stops early, and shrinks with the tolerance.
 */
static void
test_error_bound(void)
{
	static double matrix[MAX_N * MAX_N];
	static double f[MAX_N * 2];
	static double wanted[MAX_N * 2];
	int32_t		node[3] = {0, 1, 2};
	int32_t		label_class[3] = {0, 1, 1};
	LabelSeeds	seeds = {2, 3, node, label_class};
	long double b[MAX_N * 2] = {0};
	GlRandom	random;

	for (int s = 0; s < 3; s++)
		b[2 * node[s] + label_class[s]] = 1;
	gl_random_begin(&random, 12);
	for (int trial = 0; trial < 120; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 8 + (int) gl_random_below(&random, MAX_N - 7);
		bool		symmetric = trial % 2 == 0;
		int			form = trial / 2 % 3;
		DenseGraph	dense;
		DampedWalk	walk;
		DampedWalkReport report;

		if (form == 2 && !symmetric)
			form = 1;
		matrix_random(&random, n, 3.0 / n, symmetric, matrix);
		EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
		walk_defaults(&dense.graph, &seeds, 0.9, &walk);
		walk.clamped = false;
		walk.source = 1;
		walk.upper = 1e10;
		walk.normalisation = form == 2 ? NORMALISE_SYMMETRIC :
			form == 1 ? NORMALISE_SPREAD : NORMALISE_WALK;
		reference_equation(&dense, walk.normalisation, 0.9,
						   NULL, NULL, 2, b, wanted);
		for (int k = 0; k < 4; k++)
		{
			double		difference;

			walk.tolerance = k == 3 ? 1e-12 : 1e-10;
			walk.steps = k == 0 ? 3 : 0;
			walk.product_limit = k == 1 ? 5 : 20000;
			EXPECT_OK(host, damped_walk_solve(host, &walk, f, &report));
			difference = largest_difference(f, wanted, 2 * n);
			EXPECT(difference <= report.error_bound + 1e-14);
			EXPECT(k < 3 || report.error_bound < 1e-7);
		}
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A seed behind an edge of 1e-130 still decides a group that has no other. */
static void
test_weak_link(void)
{
	TestEdge	edges[] = {
		{0, 1, 1}, {1, 2, 1}, {2, 3, 1e-130}, {3, 4, 1}, {4, 5, 1}, {3, 5, 1}
	};
	double		matrix[36];
	double		f[12];
	double		wanted[12];
	int32_t		node[2] = {0, 1};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;
	DampedWalk	walk;
	DampedWalkReport report;

	matrix_of_edges(6, edges, 6, matrix);
	EXPECT_OK(host, dense_graph_begin(host, 6, matrix, &dense));
	for (int directed = 0; directed < 2; directed++)
	{
		dense.graph.is_symmetric = !directed;
		walk_defaults(&dense.graph, &seeds, 0.98, &walk);
		reference_propagate(&dense, &seeds, 0.98, true, wanted);
		EXPECT_OK(host, damped_walk_solve(host, &walk, f, &report));
		EXPECT(report.converged && report.unsettled == 0);
		for (int i = 2; i < 6; i++)
		{
			EXPECT(f[2 * i] == 0);
			EXPECT(wanted[2 * i + 1] > 0);
			EXPECT_NEAR(f[2 * i + 1] / wanted[2 * i + 1], 1, 0.05);
		}
	}
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/*
 * Conjugate gradients on a directed graph are the wrong method: rounds make no
 * progress, and plain steps must bring the answer home.  Stopped early, f is
 * still in its box.
 */
static void
test_fallback(void)
{
	static double matrix[40 * 40];
	static double f[40 * 2];
	static double wanted[40 * 2];
	GlRandom	random;

	gl_random_begin(&random, 51);
	for (int trial = 0; trial < 20; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int32_t		node[2] = {0, 20};
		int32_t		label_class[2] = {0, 1};
		LabelSeeds	seeds = {2, 2, node, label_class};
		DenseGraph	dense;
		DampedWalk	walk;
		DampedWalkReport report;

		matrix_random(&random, 40, 0.06, false, matrix);
		for (int i = 0; i < 40; i++)
			matrix[i * 40 + (i + 1) % 40] = 1;
		EXPECT_OK(host, dense_graph_begin(host, 40, matrix, &dense));
		reference_propagate(&dense, &seeds, 0.9, true, wanted);
		walk_defaults(&dense.graph, &seeds, 0.9, &walk);
		walk.method = LINEAR_CONJUGATE;
		walk.product_limit = 2000;
		EXPECT_OK(host, damped_walk_solve(host, &walk, f, &report));
		EXPECT(report.converged && report.products <= 2000);
		EXPECT(largest_difference(f, wanted, 80) <= 1e-8);
		walk.product_limit = 5 + trial % 5;
		EXPECT_OK(host, damped_walk_solve(host, &walk, f, &report));
		EXPECT(report.products <= walk.product_limit);
		for (int v = 0; v < 80; v++)
			EXPECT(f[v] >= 0 && f[v] <= 1);
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A directed chain has no cycle at all: the inverse is a finite sum. */
static void
test_directed_chain(void)
{
	static double matrix[50 * 50];
	static double f[50];
	int32_t		node[1] = {49};
	int32_t		label_class[1] = {0};
	LabelSeeds	seeds = {1, 1, node, label_class};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DenseGraph	dense;
	DampedWalk	walk;
	DampedWalkReport report;

	memset(matrix, 0, sizeof(matrix));
	for (int i = 0; i < 49; i++)
		matrix[i * 50 + i + 1] = 2;
	EXPECT_OK(host, dense_graph_begin(host, 50, matrix, &dense));
	for (int exact = 0; exact < 2; exact++)
	{
		double		damping = exact ? 1 : 0.9;

		walk_defaults(&dense.graph, &seeds, damping, &walk);
		EXPECT_OK(host, damped_walk_solve(host, &walk, f, &report));
		EXPECT(report.converged && report.unsettled == 0);
		for (int i = 0; i < 50; i++)
			EXPECT_NEAR(f[i], pow(damping, 49 - i), 1e-7);
	}
	graph_release(host, &dense.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	double		matrix[25];
	double		f[50];
	int32_t		node[2] = {0, 4};
	int32_t		label_class[2] = {0, 1};
	LabelSeeds	seeds = {2, 2, node, label_class};
	DenseGraph	dense;
	DampedWalk	walk;
	DampedWalkReport report;

	matrix_of_path(5, matrix);
	GL_TRY(dense_graph_begin(host, 5, matrix, &dense));
	for (int directed = 0; directed < 2; directed++)
	{
		dense.graph.is_symmetric = !directed;
		/* once with more columns than are solved together */
		seeds.class_count = directed ? 2 : 10;
		label_class[1] = seeds.class_count - 1;
		walk_defaults(&dense.graph, &seeds, 0.9, &walk);
		GL_TRY(damped_walk_solve(host, &walk, f, &report));
	}
	graph_release(host, &dense.graph);
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
	RUN(test_methods_agree);
	RUN(test_long_path);
	RUN(test_degree_decades);
	RUN(test_error_bound);
	RUN(test_weak_link);
	RUN(test_fallback);
	RUN(test_directed_chain);
	RUN(test_refused);
	UNIT_TEST_END();
}
