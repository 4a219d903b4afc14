/*
 * block_problem.h
 *		Rows, a tree, blocks and their solution, with walks as matrices: for
 *		the tests of the block solver.
 */
#ifndef BLOCK_PROBLEM_H
#define BLOCK_PROBLEM_H

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

static inline void
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
static inline void
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
static inline void
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

static inline void
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

static inline BlockPairs
pairs_of(const Problem *problem)
{
	return (BlockPairs)
	{
		problem->count, problem->a, problem->b, problem->delta_ab,
			problem->delta_ba
	};
}

static inline void
solve(Problem *problem, double bandwidth)
{
	BlockPairs	pairs = pairs_of(problem);

	EXPECT_OK(problem->host, block_solver_run(problem->host, &problem->links,
											  &pairs, bandwidth,
											  &problem->solution));
}

static inline double
leaves(const Problem *problem, int32_t node)
{
	return node_leaves(&problem->links, node);
}

static inline bool
is_inner(const Problem *problem, int32_t node)
{
	return node < problem->points.row_count - 1;
}

/* Split pair e at one of its sides; false if that is a leaf. */
static inline bool
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
static inline void
split_all(Problem *problem)
{
	for (int e = 0; e < problem->count; e++)
		while (split_pair(problem, e, false) || split_pair(problem, e, true))
			continue;
}

/* The walk as a matrix over rows. */
typedef double Matrix[MAX_ROWS][MAX_ROWS];

static inline void
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

static inline void
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

static inline const double *
row_values(const Problem *problem, int row)
{
	return (const double *) problem->points.values +
		row * problem->points.dimension_count;
}

/* The exact walk, and the sum over rows of log sum over others of kernel. */
static inline double
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

static inline void
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

/* l = this + n log Z_root for Euclidean rows. */
static inline double
bound_constant(double n, double d, double bandwidth)
{
	return -n * (d / 2 * log(2 * M_PI) + d * log(bandwidth) + log(n - 1));
}

/* The rows and the tree of golden vector G1. */
static const double line_values[] = {0, 1, 3, 7, 8, 14};
static const int32_t line_sizes[] = {3, 2, 1, 2, 1};

static inline void
line_begin(Problem *problem)
{
	PointMatrix points = {6, 1, SCALAR_FLOAT8, line_values};

	problem_begin(problem, &points, METRIC_EUCLIDEAN, line_sizes, NULL);
}

#endif							/* BLOCK_PROBLEM_H */
