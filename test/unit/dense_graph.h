/*
 * dense_graph.h
 *		A graph kind for tests, and references by Gaussian elimination.
 *
 * DenseGraph implements the operator contract on a full matrix, independently
 * of the sparse kind; learners must not notice the difference.  The reference
 * solutions are computed in long double from the definitions.
 */
#ifndef DENSE_GRAPH_H
#define DENSE_GRAPH_H

#include "unit_test.h"

#include "graph/sparse_graph.h"
#include "learn/propagate.h"

typedef struct DenseGraph
{
	Graph		graph;			/* must be first */
	double	   *matrix;			/* n x n */
} DenseGraph;

static GlStatus
dense_product(GlHost *host, const Graph *graph, const double *x, double *y,
			  int32_t columns, bool transpose)
{
	const double *matrix = ((const DenseGraph *) graph)->matrix;
	int64_t		n = graph->node_count;

	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, n * columns));
		for (int32_t c = 0; c < columns; c++)
			y[i * columns + c] = 0;
		for (int64_t j = 0; j < n; j++)
			for (int32_t c = 0; c < columns; c++)
				y[i * columns + c] += x[j * columns + c] *
					(transpose ? matrix[j * n + i] : matrix[i * n + j]);
	}
	return GL_OK;
}

static GlStatus
dense_apply(GlHost *host, const Graph *graph, const double *x, double *y,
			int32_t columns)
{
	return dense_product(host, graph, x, y, columns, false);
}

static GlStatus
dense_apply_transpose(GlHost *host, const Graph *graph, const double *x,
					  double *y, int32_t columns)
{
	return dense_product(host, graph, x, y, columns, true);
}

static GlStatus
dense_row_sums(GlHost *host, const Graph *graph, double *sums)
{
	const double *matrix = ((const DenseGraph *) graph)->matrix;
	int64_t		n = graph->node_count;

	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, n));
		sums[i] = 0;
		for (int64_t j = 0; j < n; j++)
			sums[i] += matrix[i * n + j];
	}
	return GL_OK;
}

static void
dense_release(GlHost *host, Graph *graph)
{
	gl_release(host, ((DenseGraph *) graph)->matrix);
	gl_release(host, graph->ids);
	memset(graph, 0, sizeof(DenseGraph));
}

/* What learners of labels do not call is NULL: they would crash. */
static const GraphOperations dense_operations = {
	.apply = dense_apply,
	.apply_transpose = dense_apply_transpose,
	.row_sums = dense_row_sums,
	.release = dense_release
};

/* Copies the matrix; ids are 100, 110, 120, ... */
static inline GlStatus
dense_graph_begin(GlHost *host, int64_t n, const double *matrix,
				  DenseGraph *out)
{
	int64_t    *ids;

	memset(out, 0, sizeof(*out));
	GL_NEW(host, out->matrix, n * n);
	GL_NEW(host, ids, n);
	memcpy(out->matrix, matrix, (size_t) (n * n) * sizeof(double));
	out->graph.operations = &dense_operations;
	out->graph.node_count = n;
	out->graph.ids = ids;
	out->graph.meaning = GRAPH_SIMILARITY;
	out->graph.is_symmetric = true;
	for (int64_t i = 0; i < n; i++)
	{
		ids[i] = 100 + 10 * i;
		for (int64_t j = 0; j < i; j++)
			if (matrix[i * n + j] != matrix[j * n + i])
				out->graph.is_symmetric = false;
	}
	return GL_OK;
}

/* The same graph as compressed rows. */
static inline GlStatus
sparse_graph_from_dense(GlHost *host, const DenseGraph *dense,
						SparseGraph *out)
{
	int64_t		n = dense->graph.node_count;
	int64_t    *ids;
	int64_t    *row_start;
	int32_t    *neighbour;
	double	   *weight;
	int64_t		count = 0;

	GL_NEW(host, ids, n);
	GL_NEW(host, row_start, n + 1);
	GL_NEW(host, neighbour, n * n);
	GL_NEW(host, weight, n * n);
	memset(out, 0, sizeof(*out));
	out->graph = dense->graph;
	for (int64_t i = 0; i < n; i++)
	{
		ids[i] = dense->graph.ids[i];
		row_start[i] = count;
		for (int64_t j = 0; j < n; j++)
			if (dense->matrix[i * n + j] != 0)
			{
				neighbour[count] = (int32_t) j;
				weight[count++] = dense->matrix[i * n + j];
			}
	}
	row_start[n] = count;
	out->graph.ids = ids;
	out->entry_count = count;
	out->row_start = row_start;
	out->neighbour = neighbour;
	out->weight = weight;
	sparse_graph_bind(out);
	return GL_OK;
}

/* Undirected edges (a, b, weight) into a cleared n x n matrix. */
typedef struct TestEdge
{
	int			a;
	int			b;
	double		weight;
} TestEdge;

static inline void
matrix_of_edges(int n, const TestEdge *edges, int edge_count, double *matrix)
{
	memset(matrix, 0, (size_t) (n * n) * sizeof(double));
	for (int e = 0; e < edge_count; e++)
	{
		matrix[edges[e].a * n + edges[e].b] = edges[e].weight;
		matrix[edges[e].b * n + edges[e].a] = edges[e].weight;
	}
}

/* Path 0 - 1 - ... - n-1 of unit weights. */
static inline void
matrix_of_path(int n, double *matrix)
{
	memset(matrix, 0, (size_t) (n * n) * sizeof(double));
	for (int i = 0; i + 1 < n; i++)
		matrix[i * n + i + 1] = matrix[(i + 1) * n + i] = 1;
}

/* Each pair joined with probability density; weights in (0,1]. */
static inline void
matrix_random(GlRandom *random, int n, double density, bool symmetric,
			  double *matrix)
{
	memset(matrix, 0, (size_t) (n * n) * sizeof(double));
	for (int i = 0; i < n; i++)
		for (int j = 0; j < (symmetric ? i : n); j++)
			if (i != j && gl_random_unit(random) < density)
			{
				matrix[i * n + j] = 1 - gl_random_unit(random);
				if (symmetric)
					matrix[j * n + i] = matrix[i * n + j];
			}
}

/* Solve M X = B in place by elimination with row pivots; false: singular. */
static inline bool
reference_solve(int n, int columns, long double *m, long double *b)
{
	for (int k = 0; k < n; k++)
	{
		int			pivot = k;

		for (int i = k + 1; i < n; i++)
			if (fabsl(m[i * n + k]) > fabsl(m[pivot * n + k]))
				pivot = i;
		if (m[pivot * n + k] == 0)
			return false;
		for (int j = 0; j < n; j++)
		{
			long double swap = m[k * n + j];

			m[k * n + j] = m[pivot * n + j];
			m[pivot * n + j] = swap;
		}
		for (int c = 0; c < columns; c++)
		{
			long double swap = b[k * columns + c];

			b[k * columns + c] = b[pivot * columns + c];
			b[pivot * columns + c] = swap;
		}
		for (int i = 0; i < n; i++)
		{
			long double factor = m[i * n + k] / m[k * n + k];

			if (i == k || factor == 0)
				continue;
			for (int j = k; j < n; j++)
				m[i * n + j] -= factor * m[k * n + j];
			for (int c = 0; c < columns; c++)
				b[i * columns + c] -= factor * b[k * columns + c];
		}
	}
	for (int k = 0; k < n; k++)
		for (int c = 0; c < columns; c++)
			b[k * columns + c] /= m[k * n + k];
	return true;
}

/* reaches[i]: some seed can be reached from i along edges. */
static inline void
reference_reach(const DenseGraph *dense, const LabelSeeds *seeds,
				bool *reaches)
{
	int64_t		n = dense->graph.node_count;
	bool		changed = true;

	memset(reaches, 0, (size_t) n * sizeof(bool));
	for (int64_t s = 0; s < seeds->seed_count; s++)
		reaches[seeds->node[s]] = true;
	while (changed)
	{
		changed = false;
		for (int64_t i = 0; i < n; i++)
			for (int64_t j = 0; j < n && !reaches[i]; j++)
				if (dense->matrix[i * n + j] != 0 && reaches[j])
					reaches[i] = changed = true;
	}
}

/*
 * The definitions: clamped, f_i = g sum_j W_ij f_j off the seeds; or
 * F = (1-g) (I - g N)^-1 Y with N = S on a symmetric graph, else W.
 */
static inline void
reference_propagate(const DenseGraph *dense, const LabelSeeds *seeds,
					double damping, bool clamped, double *f)
{
	int			n = (int) dense->graph.node_count;
	int			columns = seeds->class_count;
	long double *m = calloc((size_t) (n * n), sizeof(long double));
	long double *b = calloc((size_t) (n * columns), sizeof(long double));
	long double *degree = calloc((size_t) n, sizeof(long double));
	bool	   *reaches = calloc((size_t) n, sizeof(bool));
	bool	   *fixed = calloc((size_t) n, sizeof(bool));

	reference_reach(dense, seeds, reaches);
	for (int64_t s = 0; s < seeds->seed_count; s++)
	{
		fixed[seeds->node[s]] = clamped;
		b[seeds->node[s] * columns + seeds->label_class[s]] =
			clamped ? 1 : 1 - (long double) damping;
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			degree[i] += dense->matrix[i * n + j];
	for (int i = 0; i < n; i++)
	{
		m[i * n + i] = 1;
		if (fixed[i] || !reaches[i])
			continue;
		for (int j = 0; j < n; j++)
			if (dense->matrix[i * n + j] != 0)
				m[i * n + j] -= damping * (long double)
					dense->matrix[i * n + j] /
					(!clamped && dense->graph.is_symmetric ?
					 sqrtl(degree[i]) * sqrtl(degree[j]) : degree[i]);
	}
	EXPECT(reference_solve(n, columns, m, b));
	for (int v = 0; v < n * columns; v++)
		f[v] = (double) b[v];
	free(m);
	free(b);
	free(degree);
	free(reaches);
	free(fixed);
}

/* Every class once, then at random: distinct nodes, sorted. */
static inline void
seeds_random(GlRandom *random, int n, int32_t class_count, int seed_count,
			 int32_t *node, int32_t *label_class, LabelSeeds *seeds)
{
	int			chosen = 0;

	for (int i = 0; i < n && chosen < seed_count; i++)
		if (gl_random_below(random, n - i) < seed_count - chosen)
		{
			node[chosen] = i;
			label_class[chosen] = (int32_t) (chosen < class_count ? chosen :
											 gl_random_below(random,
															 class_count));
			chosen++;
		}
	seeds->class_count = class_count;
	seeds->seed_count = chosen;
	seeds->node = node;
	seeds->label_class = label_class;
}

static inline double
largest_difference(const double *a, const double *b, int count)
{
	double		largest = 0;

	for (int v = 0; v < count; v++)
		largest = fmax(largest, fabs(a[v] - b[v]));
	return largest;
}

#endif							/* DENSE_GRAPH_H */
