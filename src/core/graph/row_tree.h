/*
 * row_tree.h
 *		A tree of a block graph, prepared for descents towards new rows.
 *
 * A descent is bound by memory, not by arithmetic: nodes lie far apart.  So
 * only nodes of more than ROW_TREE_BUCKET leaves keep a mean, close together
 * by node number; smaller ones are looked at leaf by leaf, in a copy of the
 * rows that lie in the order of the leaves.
 */
#ifndef ROW_TREE_H
#define ROW_TREE_H

#include "graph/block_graph.h"
#include "graph/point_space.h"

#define ROW_TREE_BUCKET		16

typedef struct RowTree
{
	const TreeLinks *links;		/* borrowed */
	const PartitionTree *tree;	/* borrowed */
	double		beta;			/* 1 / (2 sigma^2) in units of the space */
	double		log_normal;		/* log of the kernel's integral; 0 if none */
	int32_t    *position;		/* n: leaf position of each row */

	/* the rest for Euclidean spaces only */
	PointMatrix rows;			/* n, in the order of leaves */
	int32_t    *place;			/* n-1: where a node's numbers are; -1 */
	PointMatrix mean;			/* of the nodes that have a place */
	double	   *spread;			/* S, mean square about the mean */
	double	   *radius;			/* r, never too small (tree_radii.h) */
} RowTree;

/*
 * Prepare one tree of a block graph.  O(n d log n) time for trees of ordinary
 * depth, never more than 64 n distances; memory of n (d + 1) doubles and
 * less than d/8 + 1 more for each row, of n (d + 2) more meanwhile.
 */
extern GlStatus row_tree_begin(GlHost *host, const PointSpace *space,
							   const BlockTree *block_tree, double bandwidth,
							   RowTree *out);

extern void row_tree_end(GlHost *host, RowTree *tree);

#endif							/* ROW_TREE_H */
