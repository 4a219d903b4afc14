/*
 * cluster_graphs.h
 *		Small graphs whose clusters are known.
 */
#ifndef CLUSTER_GRAPHS_H
#define CLUSTER_GRAPHS_H

#include "dense_graph.h"

/* The barbell B6 of the spec: two triangles and a bridge. */
static const TestEdge barbell_edges[] = {
	{0, 1, 1}, {0, 2, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}, {3, 5, 1}, {4, 5, 1}
};
#define BARBELL_EDGES	7

/* A sparse graph of a matrix; ids are 100, 110, ... */
static inline GlStatus
sparse_graph_of(GlHost *host, int n, const double *matrix, SparseGraph *out)
{
	DenseGraph	dense;

	GL_TRY(dense_graph_begin(host, n, matrix, &dense));
	GL_TRY(sparse_graph_from_dense(host, &dense, out));
	dense_release(host, &dense.graph);
	return GL_OK;
}

static inline GlStatus
sparse_graph_of_edges(GlHost *host, int n, const TestEdge *edges, int count,
					  SparseGraph *out)
{
	double	   *matrix = malloc(sizeof(double) * (size_t) (n * n));
	GlStatus	status;

	matrix_of_edges(n, edges, count, matrix);
	status = sparse_graph_of(host, n, matrix, out);
	free(matrix);
	return status;
}

/*
 * A ring of cliques: `cliques` of `size` nodes each, one weak edge from each
 * to the next.
 */
static inline void
matrix_of_cliques(int cliques, int size, double bridge, double *matrix)
{
	int			n = cliques * size;

	memset(matrix, 0, sizeof(double) * (size_t) (n * n));
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (i != j && i / size == j / size)
				matrix[i * n + j] = 1;
	for (int c = 0; c < cliques; c++)
	{
		int			from = c * size;
		int			to = (c + 1) % cliques * size + 1;

		matrix[from * n + to] = matrix[to * n + from] = bridge;
	}
}

/* Points on two circles of radius 1 and 4, Gaussian similarities, sigma 1. */
static inline void
matrix_of_circles(int each, double *matrix)
{
	int			n = 2 * each;

	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
		{
			double		r = i < each ? 1 : 4;
			double		s = j < each ? 1 : 4;
			double		angle = 2 * M_PI * (i - j) / each;

			matrix[i * n + j] = i == j ? 0 :
				exp(-(r * r + s * s - 2 * r * s * cos(angle)) / 2);
		}
}

/* Two blocks of n/2 nodes; an edge crosses with probability 0.2. */
static inline void
matrix_planted(GlRandom *random, int n, int edges, double *matrix)
{
	int			half = n / 2;

	memset(matrix, 0, sizeof(double) * (size_t) (n * n));
	for (int e = 0; e < edges; e++)
	{
		int			block = (int) gl_random_below(random, 2);
		int			other = gl_random_unit(random) < 0.2 ? 1 - block : block;
		int			a = block * half + (int) gl_random_below(random, half);
		int			b = other * half + (int) gl_random_below(random, half);

		if (a != b)
			matrix[a * n + b] = matrix[b * n + a] = 1;
	}
}

#endif							/* CLUSTER_GRAPHS_H */
