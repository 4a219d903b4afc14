/*
 * test_block_solver.c
 *		If this fails, block graphs are not the best walks of their kind, or
 *		not walks at all.
 */
#include "tree_samples.h"

#include "graph/block_solver.h"
#include "graph/block_statistics.h"

#define MAX_ROWS	64
#define MAX_PAIRS	(MAX_ROWS * (MAX_ROWS - 1) / 2)

/* Rows, a tree, a symmetric partition and its solution. */
typedef struct Problem
{
	TestHost	test;
	GlHost	   *host;
	GraphMetric metric;
	PointMatrix points;
	PartitionTree tree;
	TreeLinks	links;
	TreeStatistics statistics;
	int			count;			/* pairs */
	int32_t		a[MAX_PAIRS];
	int32_t		b[MAX_PAIRS];
	double		delta_ab[MAX_PAIRS];
	double		delta_ba[MAX_PAIRS];
	BlockSolution solution;
} Problem;

static void
set_pair(Problem *problem, int e, int32_t a, int32_t b)
{
	const Divergence *divergence = divergence_of(problem->metric);
	const NodeStatistics *node = problem->statistics.node;
	int32_t		d = problem->points.dimension_count;

	problem->a[e] = a;
	problem->b[e] = b;
	problem->delta_ab[e] = block_statistics_divergence(divergence, d,
													   &node[a], &node[b]);
	problem->delta_ba[e] = block_statistics_divergence(divergence, d,
													   &node[b], &node[a]);
}

/* The coarsest partition of a tree; copies the tree. */
static void
problem_begin(Problem *problem, const PointMatrix *points, GraphMetric metric,
			  const int32_t *left_size, const int32_t *leaf_row)
{
	GlHost	   *host = problem->host = test_host_begin(&problem->test);
	int64_t		n = points->row_count;

	problem->metric = metric;
	problem->points = *points;
	problem->tree.leaf_count = n;
	problem->tree.left_size = gl_allocate(host, (size_t) n, sizeof(int32_t));
	problem->tree.leaf_row = gl_allocate(host, (size_t) n, sizeof(int32_t));
	for (int i = 0; i < n; i++)
	{
		problem->tree.leaf_row[i] = leaf_row == NULL ? i : leaf_row[i];
		if (i < n - 1)
			problem->tree.left_size[i] = left_size[i];
	}
	EXPECT_OK(host, partition_tree_check(host, &problem->tree));
	EXPECT_OK(host, tree_links_begin(host, &problem->tree, &problem->links));
	EXPECT_OK(host, block_statistics_begin(host, points, &problem->tree,
										   &problem->links,
										   divergence_of(metric),
										   &problem->statistics));
	EXPECT_OK(host, block_solution_begin(host, n, MAX_PAIRS,
										 &problem->solution));
	problem->count = (int) n - 1;
	for (int p = 0; p < n - 1; p++)
		set_pair(problem, p, problem->links.left[p], problem->links.right[p]);
}

/* The same on a tree of some kind. */
static void
problem_build(Problem *problem, const PointMatrix *points, GraphMetric metric,
			  int way)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PartitionTree tree;

	EXPECT_OK(host, way_build(host, points, metric, way, 0, &tree));
	problem_begin(problem, points, metric, tree.left_size, tree.leaf_row);
	test_host_end(&test);
}

static void
problem_end(Problem *problem)
{
	GlHost	   *host = problem->host;

	block_solution_end(host, &problem->solution);
	block_statistics_end(host, &problem->statistics);
	tree_links_end(host, &problem->links);
	partition_tree_release(host, &problem->tree);
	EXPECT_NOTHING_LEFT(&problem->test);
	test_host_end(&problem->test);
}

static BlockPairs
pairs_of(const Problem *problem)
{
	return (BlockPairs)
	{
		problem->count, problem->a, problem->b, problem->delta_ab,
			problem->delta_ba
	};
}

static void
solve(Problem *problem, double bandwidth)
{
	BlockPairs	pairs = pairs_of(problem);

	EXPECT_OK(problem->host, block_solver_run(problem->host, &problem->links,
											  &pairs, bandwidth,
											  &problem->solution));
}

static double
leaves(const Problem *problem, int32_t node)
{
	return node_leaves(&problem->links, node);
}

static bool
is_inner(const Problem *problem, int32_t node)
{
	return node < problem->points.row_count - 1;
}

/* Split pair e at one of its sides; false if that is a leaf. */
static bool
split_pair(Problem *problem, int e, bool at_b)
{
	int32_t		a = problem->a[e];
	int32_t		b = problem->b[e];
	int32_t		node = at_b ? b : a;
	int32_t		other = at_b ? a : b;

	if (!is_inner(problem, node))
		return false;
	set_pair(problem, e, problem->links.left[node], other);
	set_pair(problem, problem->count++, problem->links.right[node], other);
	return true;
}

/* Split until all blocks are single pairs of rows. */
static void
split_all(Problem *problem)
{
	for (int e = 0; e < problem->count; e++)
		while (split_pair(problem, e, false) || split_pair(problem, e, true))
			continue;
}

/* The walk as a matrix over rows. */
typedef double Matrix[MAX_ROWS][MAX_ROWS];

static void
fill_block(const Problem *problem, int32_t a, int32_t b, double q,
		   Matrix matrix)
{
	const TreeLinks *links = &problem->links;
	const int32_t *leaf_row = problem->tree.leaf_row;

	for (int i = 0; i < node_leaves(links, a); i++)
		for (int j = 0; j < node_leaves(links, b); j++)
			matrix[leaf_row[node_start(links, a) + i]]
				[leaf_row[node_start(links, b) + j]] += q;
}

static void
walk_matrix(const Problem *problem, Matrix matrix)
{
	memset(matrix, 0, sizeof(Matrix));
	for (int e = 0; e < problem->count; e++)
	{
		fill_block(problem, problem->a[e], problem->b[e],
				   exp(problem->solution.log_q_ab[e]), matrix);
		fill_block(problem, problem->b[e], problem->a[e],
				   exp(problem->solution.log_q_ba[e]), matrix);
	}
}

static const double *
row_values(const Problem *problem, int row)
{
	return (const double *) problem->points.values +
		row * problem->points.dimension_count;
}

/* The exact walk, and the sum over rows of log sum over others of kernel. */
static double
exact_walk(const Problem *problem, double bandwidth, Matrix matrix)
{
	int			n = (int) problem->points.row_count;
	double		beta = 1 / (2 * bandwidth * bandwidth);
	double		total = 0;

	memset(matrix, 0, sizeof(Matrix));
	for (int i = 0; i < n; i++)
	{
		double		peak = -INFINITY;
		double		sum = 0;

		for (int j = 0; j < n; j++)
			if (j != i)
			{
				matrix[i][j] = -beta * (double)
					plain_divergence(problem->metric, row_values(problem, i),
									 row_values(problem, j),
									 problem->points.dimension_count);
				peak = fmax(peak, matrix[i][j]);
			}
		for (int j = 0; j < n; j++)
			if (j != i)
				sum += exp(matrix[i][j] - peak);
		for (int j = 0; j < n; j++)
			if (j != i)
				matrix[i][j] = exp(matrix[i][j] - peak) / sum;
		total += peak + log(sum);
	}
	return total;
}

static void
expect_rows_sum(const Problem *problem, double tolerance)
{
	int			n = (int) problem->points.row_count;
	Matrix		matrix;

	walk_matrix(problem, matrix);
	for (int i = 0; i < n; i++)
	{
		double		sum = 0;

		for (int j = 0; j < n; j++)
			sum += matrix[i][j];
		EXPECT_NEAR(sum, 1, tolerance);
		EXPECT(matrix[i][i] == 0);
	}
}

/* The sum of |A||B| q (G - log q) for given log q, by its definition. */
static double
objective(const Problem *problem, double bandwidth, const double *log_ab,
		  const double *log_ba)
{
	double		beta = 1 / (2 * bandwidth * bandwidth);
	double		sum = 0;

	for (int e = 0; e < problem->count; e++)
	{
		double		area = leaves(problem, problem->a[e]) *
			leaves(problem, problem->b[e]);

		sum += area * exp(log_ab[e]) *
			(-beta * problem->delta_ab[e] - log_ab[e]);
		sum += area * exp(log_ba[e]) *
			(-beta * problem->delta_ba[e] - log_ba[e]);
	}
	return sum;
}

/* l = this + n log Z_root for Euclidean rows. */
static double
bound_constant(double n, double d, double bandwidth)
{
	return -n * (d / 2 * log(2 * M_PI) + d * log(bandwidth) + log(n - 1));
}

/* ---- golden vectors ---- */

static const double line_values[] = {0, 1, 3, 7, 8, 14};
static const int32_t line_sizes[] = {3, 2, 1, 2, 1};

static void
line_begin(Problem *problem)
{
	PointMatrix points = {6, 1, SCALAR_FLOAT8, line_values};

	problem_begin(problem, &points, METRIC_EUCLIDEAN, line_sizes, NULL);
}

/* G1 at bandwidth 2: every number of the table. */
static void
test_golden_line(void)
{
	/* nodes: root, 123, 12, 456, 45, then the leaves */
	const double log_z[] = {
		-0.735101622098, 0.148559285661, 0.282351047254, -1.618762529857,
		-0.119429589327, -0.125, -0.125, -0.119352819440, -0.125, -0.125,
		-4.619352819440
	};
	const double log_mass[] = {
		0, 0, -0.000109527305, 0, -0.000641469507, -0.407460574559,
		-0.407460574559, -0.000109527305, -0.006211880181, -0.006211880181,
		-0.000641469507
	};
	const double q_ab[] = {
		3.65071023963e-05, 0.33455279658, 0.665337682113, 0.00555136253151,
		0.993807373659
	};
	const double q_ba[] = {
		2.13754603275e-04, 0.499945239346, 0.665337682113, 0.499679368095,
		0.993807373659
	};
	Problem		problem;
	Matrix		exact;

	line_begin(&problem);
	solve(&problem, 2);
	for (int v = 0; v < 11; v++)
	{
		EXPECT_NEAR(problem.solution.log_z[v], log_z[v], 1e-11);
		EXPECT_NEAR(problem.solution.log_mass[v], log_mass[v], 1e-11);
	}
	for (int e = 0; e < 5; e++)
	{
		EXPECT_NEAR(exp(problem.solution.log_q_ab[e]), q_ab[e],
					1e-11 * q_ab[e]);
		EXPECT_NEAR(exp(problem.solution.log_q_ba[e]), q_ba[e],
					1e-11 * q_ba[e]);
	}
	EXPECT_NEAR(6 * problem.solution.log_z_root, -4.410609732588, 1e-11);
	EXPECT_NEAR(bound_constant(6, 1, 2) + 6 * problem.solution.log_z_root,
				-23.739751489781, 1e-11);
	EXPECT_NEAR(problem.solution.divergence_sum, 57.292816418461, 1e-10);
	EXPECT_NEAR(sqrt(problem.solution.divergence_sum / 6), 3.090113709301,
				1e-11);
	EXPECT_NEAR(bound_constant(6, 1, 2) + exact_walk(&problem, 2, exact),
				-22.976275793467, 1e-11);
	problem_end(&problem);
}

/* G1 refined: 12, 14, 16 and all 30 blocks. */
static void
test_golden_refinement(void)
{
	const double bounds[] = {
		-23.436994385702, -23.367265580375, -23.349313022566, -22.976275793467
	};
	Problem		problem;

	line_begin(&problem);
	for (int step = 0; step < 4; step++)
	{
		if (step == 0)
			EXPECT(split_pair(&problem, 3, false)); /* {4,5} and 6 */
		else if (step == 1)
			EXPECT(split_pair(&problem, 1, false)); /* {1,2} and 3 */
		else if (step == 2)
			EXPECT(split_pair(&problem, 0, false)); /* {1,2,3}, {4,5,6} */
		else
			split_all(&problem);
		EXPECT(problem.count == (step == 3 ? 15 : 6 + step));
		solve(&problem, 2);
		EXPECT_NEAR(bound_constant(6, 1, 2) + 6 * problem.solution.log_z_root,
					bounds[step], 1e-11);
		expect_rows_sum(&problem, 1e-14);
	}
	problem_end(&problem);
}

static void
test_golden_three(void)
{
	const double values[] = {0, 1, 2};
	const int32_t sizes[] = {1, 1};
	PointMatrix points = {3, 1, SCALAR_FLOAT8, values};
	Problem		problem;
	Matrix		q;

	problem_begin(&problem, &points, METRIC_EUCLIDEAN, sizes, NULL);
	solve(&problem, 1);
	walk_matrix(&problem, q);
	EXPECT_NEAR(q[0][1], 0.5, 1e-15);
	EXPECT_NEAR(q[0][2], 0.5, 1e-15);
	for (int i = 1; i < 3; i++)
	{
		EXPECT_NEAR(q[i][0], 0.320821300825, 1e-12);
		EXPECT_NEAR(q[i][3 - i], 0.679178699175, 1e-12);
	}
	problem_end(&problem);
}

/* G3: beta = 1 is bandwidth sqrt(1/2). */
static void
test_golden_counts(void)
{
	const double values[] = {4, 1, 3, 2, 1, 5, 2, 6};
	const int32_t sizes[] = {2, 1, 1};
	PointMatrix points = {4, 2, SCALAR_FLOAT8, values};
	Problem		problem;
	Matrix		q;

	problem_begin(&problem, &points, METRIC_COUNTS, sizes, NULL);
	solve(&problem, sqrt(0.5));
	walk_matrix(&problem, q);
	EXPECT_NEAR(q[0][1], 0.897171725269, 1e-12);
	EXPECT_NEAR(q[1][0], 0.897171725269, 1e-12);
	EXPECT_NEAR(q[2][3], 0.960505720003, 1e-12);
	EXPECT_NEAR(q[3][2], 0.960505720003, 1e-12);
	EXPECT_NEAR(q[0][2], 0.051414137366, 1e-12);
	EXPECT_NEAR(q[3][1], 0.019747139998, 1e-12);
	EXPECT_NEAR(problem.solution.log_z_root, -0.389672831190, 1e-12);
	problem_end(&problem);
}

/* ---- laws ---- */

/* Stationarity: the leaf mean of lambda - rho below A is that of A. */
static void
expect_kkt(const Problem *problem)
{
	const double *log_z = problem->solution.log_z;
	const double *log_mass = problem->solution.log_mass;
	int32_t		n = (int32_t) problem->points.row_count;

	for (int32_t v = 0; v < 2 * n - 1; v++)
	{
		int			count = node_leaves(&problem->links, v);
		double		mean = 0;

		for (int i = 0; i < count; i++)
		{
			int32_t		leaf = n - 1 + node_start(&problem->links, v) + i;

			mean += (log_z[leaf] - log_mass[leaf]) / count;
		}
		EXPECT_NEAR(mean, log_z[v] - log_mass[v], 1e-11 * (1 + fabs(mean)));
	}
}

/* The gap to the exact value is the sum of divergences of rows. */
static void
expect_gap(const Problem *problem, double bandwidth)
{
	int			n = (int) problem->points.row_count;
	Matrix		q;
	Matrix		p;
	double		exact = exact_walk(problem, bandwidth, p);
	double		bound = n * problem->solution.log_z_root;
	double		gap = 0;

	walk_matrix(problem, q);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (q[i][j] > 0)
				gap += q[i][j] * log(q[i][j] / p[i][j]);
	EXPECT(bound <= exact + 1e-9 * fabs(exact));
	EXPECT_NEAR(exact - gap, bound, 1e-9 * (1 + fabs(exact)));
}

/* Every law at once, on one problem. */
static void
expect_laws(Problem *problem, double bandwidth)
{
	double		n = (double) problem->points.row_count;
	double		value;

	solve(problem, bandwidth);
	expect_rows_sum(problem, 1e-12);
	value = objective(problem, bandwidth, problem->solution.log_q_ab,
					  problem->solution.log_q_ba);
	EXPECT_NEAR(value, n * problem->solution.log_z_root,
				1e-11 * (1 + fabs(value)));
	expect_kkt(problem);
	expect_gap(problem, bandwidth);
}

/* Coarse and after random splits: the value never falls, the laws hold. */
static void
test_laws_under_refinement(void)
{
	GlRandom	random;

	gl_random_begin(&random, 81);
	for (int m = 0; m < SAMPLE_METRICS; m++)
		for (int way = 0; way < TREE_WAYS; way++)
		{
			static Problem problem;
			PointMatrix points;
			double		before;

			if (!way_applies(way, sample_metrics[m]))
				continue;
			points = sample_rows(&random, sample_metrics[m], 24, 2);
			problem_build(&problem, &points, sample_metrics[m], way);
			expect_laws(&problem, 0.8);
			before = problem.solution.log_z_root;
			for (int step = 0; step < 60; step++)
			{
				int			e = (int) gl_random_below(&random, problem.count);

				if (!split_pair(&problem, e, gl_random_below(&random, 2)))
					continue;
				solve(&problem, 0.8);
				EXPECT(problem.solution.log_z_root >= before - 1e-12);
				before = problem.solution.log_z_root;
			}
			expect_laws(&problem, 0.8);
			problem_end(&problem);
			free((void *) points.values);
		}
}

/* Single pairs of rows: the walk is the exact one. */
static void
test_finest_is_exact(void)
{
	GlRandom	random;

	gl_random_begin(&random, 82);
	for (int m = 0; m < SAMPLE_METRICS; m++)
	{
		static Problem problem;
		PointMatrix points = sample_rows(&random, sample_metrics[m], 20, 3);
		Matrix		q;
		Matrix		p;
		double		exact;

		problem_build(&problem, &points, sample_metrics[m], WAY_BISECT);
		split_all(&problem);
		EXPECT(problem.count == 190);
		solve(&problem, 1.1);
		exact = exact_walk(&problem, 1.1, p);
		walk_matrix(&problem, q);
		for (int i = 0; i < 20; i++)
			for (int j = 0; j < 20; j++)
				EXPECT_NEAR(q[i][j], p[i][j], 1e-13);
		EXPECT_NEAR(20 * problem.solution.log_z_root, exact,
					1e-12 * (1 + fabs(exact)));
		problem_end(&problem);
		free((void *) points.values);
	}
}

/*
 * No step towards another feasible walk raises the value.  Another walk is
 * the solution for other divergences: it is positive, and its rows sum to 1.
 */
static void
test_optimality(void)
{
	static Problem problem;
	static Problem other;
	GlRandom	random;
	PointMatrix points;

	gl_random_begin(&random, 83);
	points = sample_rows(&random, METRIC_COUNTS, 30, 3);
	problem_build(&problem, &points, METRIC_COUNTS, WAY_BISECT);
	problem_build(&other, &points, METRIC_COUNTS, WAY_BISECT);
	for (int step = 0; step < 40; step++)
	{
		int			e = (int) gl_random_below(&random, problem.count);
		bool		side = gl_random_below(&random, 2);

		EXPECT(split_pair(&problem, e, side) == split_pair(&other, e, side));
	}
	solve(&problem, 1);
	for (int t = 0; t < 100; t++)
	{
		double		value = 30 * problem.solution.log_z_root;
		double		step = pow(10, -(t % 6));

		for (int e = 0; e < other.count; e++)
		{
			other.delta_ab[e] = 9 * gl_random_unit(&random);
			other.delta_ba[e] = 9 * gl_random_unit(&random);
		}
		solve(&other, 1);
		for (int e = 0; e < other.count; e++)
		{
			double	   *ab = &other.solution.log_q_ab[e];
			double	   *ba = &other.solution.log_q_ba[e];

			*ab = log((1 - step) * exp(problem.solution.log_q_ab[e]) +
					  step * exp(*ab));
			*ba = log((1 - step) * exp(problem.solution.log_q_ba[e]) +
					  step * exp(*ba));
		}
		EXPECT(objective(&problem, 1, other.solution.log_q_ab,
						 other.solution.log_q_ba) <= value + 1e-10);
	}
	problem_end(&problem);
	problem_end(&other);
	free((void *) points.values);
}

/* d = |x-y|^2 at sigma is s^2 d at s sigma; a shift changes nothing. */
static void
test_invariance(void)
{
	static Problem problem[2];
	GlRandom	random;
	PointMatrix points;
	PointMatrix moved;
	double		values[60];

	gl_random_begin(&random, 84);
	points = sample_rows(&random, METRIC_EUCLIDEAN, 30, 2);
	moved = points;
	moved.values = values;
	for (int i = 0; i < 60; i++)
		values[i] = 100 + 7 * ((const double *) points.values)[i];
	problem_build(&problem[0], &points, METRIC_EUCLIDEAN, WAY_BISECT);
	problem_begin(&problem[1], &moved, METRIC_EUCLIDEAN,
				  problem[0].tree.left_size, problem[0].tree.leaf_row);
	solve(&problem[0], 0.3);
	solve(&problem[1], 7 * 0.3);
	for (int e = 0; e < 29; e++)
	{
		EXPECT_NEAR(problem[0].solution.log_q_ab[e],
					problem[1].solution.log_q_ab[e], 1e-9);
		EXPECT_NEAR(problem[0].solution.log_q_ba[e],
					problem[1].solution.log_q_ba[e], 1e-9);
	}
	problem_end(&problem[0]);
	problem_end(&problem[1]);
	free((void *) points.values);
}

/* ---- extremes ---- */

static void
expect_finite(const Problem *problem)
{
	EXPECT(isfinite(problem->solution.log_z_root));
	for (int v = 0; v < 2 * problem->points.row_count - 1; v++)
	{
		EXPECT(isfinite(problem->solution.log_z[v]));
		EXPECT(isfinite(problem->solution.log_mass[v]));
		EXPECT(problem->solution.log_mass[v] <= 1e-12);
	}
	for (int e = 0; e < problem->count; e++)
	{
		EXPECT(isfinite(problem->solution.log_q_ab[e]));
		EXPECT(isfinite(problem->solution.log_q_ba[e]));
	}
}

/* A huge bandwidth: all others alike; a tiny one: finite, still a walk. */
static void
test_bandwidth_limits(void)
{
	const double tiny[] = {1e-2, 1e-4, 1e-8, 1e-16, 1e-100, 1e-200, 1e-308};
	static Problem problem;
	GlRandom	random;

	gl_random_begin(&random, 85);
	for (int way = 0; way < TREE_WAYS; way++)
	{
		PointMatrix points = sample_rows(&random, METRIC_EUCLIDEAN, 40, 2);

		problem_build(&problem, &points, METRIC_EUCLIDEAN, way);
		for (double huge = 1e8; huge < 1e300; huge *= 1e95)
		{
			solve(&problem, huge);
			for (int e = 0; e < problem.count; e++)
			{
				EXPECT_NEAR(exp(problem.solution.log_q_ab[e]), 1.0 / 39,
							1e-14);
				EXPECT_NEAR(exp(problem.solution.log_q_ba[e]), 1.0 / 39,
							1e-14);
			}
		}
		for (int t = 0; t < 7; t++)
		{
			solve(&problem, tiny[t]);
			expect_finite(&problem);
			expect_rows_sum(&problem, 1e-12);
		}
		/* a row spends all on its sibling where that is the least cost */
		solve(&problem, 1e-4);
		for (int e = 0; e < problem.count; e++)
			if (!is_inner(&problem, problem.a[e]) &&
				!is_inner(&problem, problem.b[e]) &&
				problem.solution.log_mass[problem.a[e]] > -1e-12)
				EXPECT_NEAR(problem.solution.log_q_ab[e], 0, 1e-12);
		problem_end(&problem);
		free((void *) points.values);
	}
}

/*
 * One row 10^20 away: log 39 is lost in the rounding of its log Z, and its
 * row would sum to 39 if q were computed through that.
 */
static void
test_outlier(void)
{
	static Problem problem;
	GlRandom	random;
	PointMatrix points;
	double	   *values;

	gl_random_begin(&random, 86);
	points = sample_rows(&random, METRIC_EUCLIDEAN, 40, 2);
	values = (double *) points.values;
	for (double far = 1e3; far < 1e200; far *= 1e17)
	{
		values[10] = far;
		for (int way = 0; way < TREE_WAYS; way++)
		{
			problem_build(&problem, &points, METRIC_EUCLIDEAN, way);
			solve(&problem, 0.1);
			expect_finite(&problem);
			expect_rows_sum(&problem, 1e-12);
			problem_end(&problem);
		}
	}
	free(values);
}

/* Divergences that overflowed, and copies beside them. */
static void
test_infinite_divergences(void)
{
	static Problem problem;

	line_begin(&problem);
	for (int e = 0; e < problem.count; e++)
		problem.delta_ab[e] = problem.delta_ba[e] = e % 2 ? INFINITY : 0;
	for (double bandwidth = 1e-200; bandwidth < 1e250; bandwidth *= 1e100)
	{
		solve(&problem, bandwidth);
		expect_finite(&problem);
		expect_rows_sum(&problem, 1e-12);
	}
	problem_end(&problem);
}

/* Copies of one row: every other row alike, at any bandwidth. */
static void
test_duplicates(void)
{
	static Problem problem;
	double		values[33];
	PointMatrix points = {33, 1, SCALAR_FLOAT8, values};

	for (int i = 0; i < 33; i++)
		values[i] = 0.7;
	problem_build(&problem, &points, METRIC_EUCLIDEAN, WAY_BISECT);
	for (double bandwidth = 1e-300; bandwidth < 1e300; bandwidth *= 1e60)
	{
		solve(&problem, bandwidth);
		for (int e = 0; e < problem.count; e++)
			EXPECT_NEAR(exp(problem.solution.log_q_ab[e]), 1.0 / 32, 1e-14);
	}
	problem_end(&problem);
}

/* ---- bandwidth ---- */

static double
learn(Problem *problem, double start, double floor)
{
	BlockPairs	pairs = pairs_of(problem);
	double		bandwidth = start;

	EXPECT_OK(problem->host,
			  block_solver_learn(problem->host, &problem->links, &pairs,
								 problem->points.dimension_count, floor,
								 &bandwidth, &problem->solution));
	return bandwidth;
}

static double
bound_at(Problem *problem, double bandwidth)
{
	double		n = (double) problem->points.row_count;

	solve(problem, bandwidth);
	return n * problem->solution.log_z_root +
		bound_constant(n, problem->points.dimension_count, bandwidth);
}

static void
test_learn_golden(void)
{
	const double starts[] = {1e-3, 0.1, 2, 7.4, 650};
	Problem		problem;

	line_begin(&problem);
	for (int s = 0; s < 5; s++)
		EXPECT_NEAR(learn(&problem, starts[s], 1e-9), 6.426255523117, 1e-4);
	EXPECT_NEAR(bound_at(&problem, learn(&problem, 2, 1e-9)),
				-20.177916485352, 1e-9);
	/* the start of the spec: 2 SS / ((n - 1) d), and as printed */
	EXPECT_NEAR(sqrt(2 * problem.statistics.node[0].scatter / 5),
				7.416198487096, 1e-11);
	EXPECT_NEAR(sqrt(2 * problem.statistics.node[0].scatter / 6),
				6.770032003863, 1e-11);
	problem_end(&problem);
}

/* Two rows: sigma^2 = |x1 - x2|^2 / d, from any start, in any scale. */
static void
test_learn_two_rows(void)
{
	const int32_t sizes[] = {1};
	double		values[6];
	PointMatrix points = {2, 3, SCALAR_FLOAT8, values};

	for (double scale = 1e-50; scale < 1e60; scale *= 1e25)
	{
		Problem		problem;

		for (int j = 0; j < 6; j++)
			values[j] = scale * (j * j % 5);
		problem_begin(&problem, &points, METRIC_EUCLIDEAN, sizes, NULL);
		/* (0,1,4) and (4,1,0): 16 + 0 + 16 */
		EXPECT_NEAR(learn(&problem, scale, 0) / scale, sqrt(32.0 / 3), 1e-12);
		EXPECT_NEAR(problem.solution.log_q_ab[0], 0, 1e-15);
		EXPECT_NEAR(problem.solution.log_q_ba[0], 0, 1e-15);
		problem_end(&problem);
	}
}

/* Each round raises the bound, and the end is a maximum. */
static void
test_learn_ascends(void)
{
	GlRandom	random;

	gl_random_begin(&random, 87);
	for (int way = 0; way < TREE_WAYS; way++)
	{
		static Problem problem;
		PointMatrix points = sample_rows(&random, METRIC_EUCLIDEAN, 50, 3);
		double		bandwidth = 30;
		double		before;
		double		learnt;

		problem_build(&problem, &points, METRIC_EUCLIDEAN, way);
		before = bound_at(&problem, bandwidth);
		for (int round = 0; round < 12; round++)
		{
			double		now;

			bandwidth = sqrt(problem.solution.divergence_sum / (50 * 3));
			now = bound_at(&problem, bandwidth);
			EXPECT(now >= before - 1e-9);
			before = now;
		}
		learnt = learn(&problem, 30, 1e-9);
		EXPECT_NEAR(learnt * learnt * 50 * 3 /
					problem.solution.divergence_sum, 1, 1e-5);
		before = bound_at(&problem, learnt);
		EXPECT(before >= bound_at(&problem, learnt * 1.01));
		EXPECT(before >= bound_at(&problem, learnt * 0.99));
		EXPECT(before >= bound_at(&problem, learnt * 2));
		EXPECT_NEAR(learn(&problem, learnt / 50, 1e-9), learnt,
					1e-4 * learnt);
		problem_end(&problem);
		free((void *) points.values);
	}
}

/* All single pairs: the bandwidth that leave-one-out likelihood asks for. */
static void
test_learn_finest(void)
{
	static Problem problem;
	GlRandom	random;
	PointMatrix points;
	Matrix		p;
	double		learnt;
	double		value[3];

	gl_random_begin(&random, 88);
	points = sample_rows(&random, METRIC_EUCLIDEAN, 30, 2);
	problem_build(&problem, &points, METRIC_EUCLIDEAN, WAY_RANDOM);
	split_all(&problem);
	learnt = learn(&problem, 5, 1e-9);
	for (int s = 0; s < 3; s++)
	{
		double		bandwidth = learnt * (1 + 0.003 * (s - 1));

		value[s] = exact_walk(&problem, bandwidth, p) +
			bound_constant(30, 2, bandwidth);
	}
	EXPECT(value[1] > value[0] && value[1] > value[2]);
	/* the vertex of the parabola through three values is the middle one */
	EXPECT(fabs((value[2] - value[0]) /
				(2 * value[1] - value[0] - value[2])) < 0.1);
	problem_end(&problem);
	free((void *) points.values);
}

/* Every row twice: sigma falls to 0; the floor holds it. */
static void
test_learn_floor(void)
{
	static Problem problem;
	double		values[24];
	PointMatrix points = {24, 1, SCALAR_FLOAT8, values};

	for (int i = 0; i < 24; i++)
		values[i] = i / 2 * 3 + i / 2 % 5;
	problem_build(&problem, &points, METRIC_EUCLIDEAN, WAY_BISECT);
	EXPECT(learn(&problem, 1, 1e-3) == 1e-3);
	expect_rows_sum(&problem, 1e-12);
	learn(&problem, 1, 0);
	expect_finite(&problem);
	expect_rows_sum(&problem, 1e-12);
	problem_end(&problem);
}

static GlStatus
solver_job(GlHost *host)
{
	int32_t		sizes[] = {3, 2, 1, 2, 1};
	int32_t		rows[] = {0, 1, 2, 3, 4, 5};
	const double delta[] = {725.0 / 9, 6.5, 1, 42.5, 1};
	PartitionTree tree = {6, sizes, rows};
	TreeLinks	links;
	BlockPairs	pairs;
	BlockSolution solution;
	double		bandwidth = 2;

	GL_TRY(tree_links_begin(host, &tree, &links));
	pairs = block_pairs_coarsest(&links, delta, delta);
	GL_TRY(block_solution_begin(host, 6, pairs.count, &solution));
	GL_TRY(block_solver_run(host, &links, &pairs, 2, &solution));
	GL_TRY(block_solver_learn(host, &links, &pairs, 1, 1e-6, &bandwidth,
							  &solution));
	block_solution_end(host, &solution);
	tree_links_end(host, &links);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(solver_job);
}

int
main(void)
{
	RUN(test_golden_line);
	RUN(test_golden_refinement);
	RUN(test_golden_three);
	RUN(test_golden_counts);
	RUN(test_laws_under_refinement);
	RUN(test_finest_is_exact);
	RUN(test_optimality);
	RUN(test_invariance);
	RUN(test_bandwidth_limits);
	RUN(test_outlier);
	RUN(test_infinite_divergences);
	RUN(test_duplicates);
	RUN(test_learn_golden);
	RUN(test_learn_two_rows);
	RUN(test_learn_ascends);
	RUN(test_learn_finest);
	RUN(test_learn_floor);
	RUN(test_refused);
	UNIT_TEST_END();
}
