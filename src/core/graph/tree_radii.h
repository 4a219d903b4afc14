/*
 * tree_radii.h
 *		Balls about the means of a partition tree's nodes that hold their rows.
 *
 * A row x and a node with mean mu and radius r are at least |x - mu| - r
 * apart, which bounds what a node may hide: the descent of a new row
 * (row_descent.h) and the optimistic key of refinement (block_gains.h) ask
 * for it.  The tighter the radius the earlier they stop, and radii added up
 * from those of children grow with the depth, so every radius is the distance
 * of the farthest row, down to a depth that ordinary trees do not reach:
 * below it, where a chain of n nodes would cost n^2 distances, it is the
 * larger of |mean of child - mean| + radius of child.
 */
#ifndef TREE_RADII_H
#define TREE_RADII_H

#include "graph/partition_tree.h"

/*
 * Radii of all 2n-1 nodes, Euclidean, never too small; 0 for leaves, and for
 * the root, which no pair of blocks and no descent names.  `mean` holds n-1
 * rows, one for each inner node.  At most 64 n distances, O(n d log n) for
 * trees of ordinary depth.
 */
extern GlStatus tree_radii(GlHost *host, const PointMatrix *points,
						   const PartitionTree *tree, const TreeLinks *links,
						   const PointMatrix *mean, double **radius);

#endif							/* TREE_RADII_H */
