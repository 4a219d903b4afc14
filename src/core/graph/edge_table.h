/*
 * edge_table.h
 *		Graphs from rows of an edge table.
 *
 * Reads:	(source, target, number) rows in any order, appended one by one.
 * Yields:	a SparseGraph over the ids that occur.
 *
 *		edges		undirected: (a,b) and (b,a) are one edge, repeated rows
 *					add up, a self-loop counts once
 *		arcs		directed: (a,b) is stored in row a, repeated rows add up
 *		distances	lengths: one direction stands for both; a repeated row
 *					must repeat its distance
 *
 * Sums are taken in ascending order of the numbers, so that the result does
 * not depend on the order of the table.
 */
#ifndef EDGE_TABLE_H
#define EDGE_TABLE_H

#include "graph/sparse_graph.h"

typedef struct EdgeTable
{
	int64_t		edge_count;
	int64_t		capacity;
	int64_t    *source;			/* ids */
	int64_t    *target;
	double	   *number;			/* weight or distance; < 0: none, see below */
	double	   *importance;		/* distances with weights only, else NULL */
} EdgeTable;

/* The number of a row that names two nodes but joins them not. */
#define EDGE_TABLE_NO_EDGE	(-1.0)

/*
 * Append a row.  kind is GRAPH_EDGES, GRAPH_ARCS or GRAPH_DISTANCES and must
 * be the same in every call, and so must has_importance.  GL_ERR_DATA, naming
 * the pair, for a number that is negative, NaN or infinite; a weight of 0, or
 * joined = false, adds the two nodes without an edge.
 */
extern GlStatus edge_table_add(GlHost *host, EdgeTable *table,
							   GraphKind kind, int64_t source,
							   int64_t target, bool joined, double number,
							   bool has_importance, double importance);

/*
 * Build the graph; the table is emptied.  GL_ERR_DATA for a sum that is not
 * finite, for two different distances from a to b, and for a distance from a
 * to itself that is not 0.  O(m) time (radix sorts), about 60 bytes a row.
 */
extern GlStatus edge_table_build(GlHost *host, EdgeTable *table,
								 GraphKind kind, SparseGraph *out);

#endif							/* EDGE_TABLE_H */
