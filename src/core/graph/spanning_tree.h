/*
 * spanning_tree.h
 *		The minimum spanning tree of the rows of a matrix, without an n x n matrix.
 *
 * Edges are compared by (squared distance, smaller row, larger row), a total
 * order, so the tree is unique and does not depend on the method.
 */
#ifndef SPANNING_TREE_H
#define SPANNING_TREE_H

#include "points/neighbours.h"

typedef struct SpanningTree
{
	int64_t		edge_count;		/* n - 1 */
	int32_t    *source;			/* smaller row of each edge, ascending */
	int32_t    *target;			/* larger row; ascending within a source */
	double	   *squared_distance;
} SpanningTree;

/*
 * n >= 1 (GL_ERR_DATA otherwise).  Memory O(n) beyond the search structure.
 * Time: a search for six neighbours a row, and for clusters that lie apart a
 * search of all but the largest cluster's rows in each of at most log2 n
 * rounds.
 */
extern GlStatus spanning_tree_build(GlHost *host, const PointMatrix *points,
									NeighbourMethod method,
									SpanningTree *out);

extern void spanning_tree_release(GlHost *host, SpanningTree *tree);

#endif							/* SPANNING_TREE_H */
