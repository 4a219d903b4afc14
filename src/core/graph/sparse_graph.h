/*
 * sparse_graph.h
 *		A graph held as compressed rows: the kind behind every edge-based builder.
 *
 * Reads:	edge lists, or neighbour lists with weights.
 * Yields:	a Graph (graph.h) whose operator is a sparse matrix.
 *
 * A symmetric graph stores both directions of an edge, so that a product
 * reads the matrix once, front to back, and only gathers.
 *
 * Invariants, checked by sparse_graph_check():
 *	 S1	row_start[0] = 0, non-decreasing, row_start[n] = entry_count
 *	 S2	within a row, neighbours are strictly ascending and in 0 .. n-1
 *	 S3	weights are finite and >= 0 (> 0 unless the meaning is length)
 *	 S4	is_symmetric: entry (i,j) is present iff (j,i) is, with the same bits
 *	 S5	importance, where present, is finite, > 0 and symmetric as in S4
 */
#ifndef SPARSE_GRAPH_H
#define SPARSE_GRAPH_H

#include "graph/graph.h"

typedef struct SparseGraph
{
	Graph		graph;			/* must be first */
	int64_t		entry_count;	/* stored numbers, row_start[n] */
	const int64_t *row_start;	/* n + 1 */
	const int32_t *neighbour;
	const double *weight;
	const double *importance;	/* distance graphs: how much an entry counts;
								 * one per entry, or NULL: all the same */
} SparseGraph;

/* Set the operations table; the caller has filled the fields. */
extern void sparse_graph_bind(SparseGraph *sparse);

/* Verify S1-S4; GL_ERR_CORRUPT if violated.  O(entries). */
extern GlStatus sparse_graph_check(GlHost *host, const SparseGraph *sparse);

#endif							/* SPARSE_GRAPH_H */
