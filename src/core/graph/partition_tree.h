/*
 * partition_tree.h
 *		A binary tree over the rows of a matrix, as two flat arrays.
 *
 * Reads:	rows and a divergence.
 * Yields:	a tree with one row per leaf, which block graphs pair up.
 *
 * The n-1 inner nodes are numbered in preorder.  A node with m leaves is
 * followed by the m-2 inner nodes below it, so one number per node, the
 * number of leaves of its left child, holds the whole shape: the left child
 * of inner node p is p+1 if it is inner, the right child is p + left_size[p].
 * The leaves below a node are a contiguous range of positions.
 *
 * In node numbers that cover both, inner nodes come first and the leaf at
 * position i is n-1+i.  Children have larger numbers than their parents, so
 * bottom-up is a descending loop and top-down an ascending one; nothing here
 * recurses, however deep the tree.
 *
 * Invariants, checked by partition_tree_check():
 *	 T1	leaf_row is a permutation of 0 .. n-1
 *	 T2	1 <= left_size[p] < leaves of p, for every inner node
 *	 T3	1 <= n <= PARTITION_TREE_MAX_LEAVES: 2n-1 node numbers are int32_t
 */
#ifndef PARTITION_TREE_H
#define PARTITION_TREE_H

#include "graph/divergence.h"

#define PARTITION_TREE_MAX_LEAVES	((int64_t) 1 << 30)

typedef struct PartitionTree
{
	int64_t		leaf_count;		/* n */
	int32_t    *left_size;		/* n - 1, preorder */
	int32_t    *leaf_row;		/* n: the row at each leaf position */
} PartitionTree;

/* How nodes are split; the numbers are part of the stored format. */
typedef enum TreeKind
{
	TREE_BISECT = 1,			/* two means */
	TREE_RANDOM = 2,			/* a random pair of rows */
	TREE_ANCHOR = 3				/* anchors, then agglomeration */
} TreeKind;

/* Where each inner node's children are: derived from left_size. */
typedef struct TreeLinks
{
	int64_t		leaf_count;
	int32_t    *left;			/* node numbers, n - 1 each */
	int32_t    *right;
	int32_t    *size;			/* leaves below the inner node */
	int32_t    *first;			/* position of its first leaf */
} TreeLinks;

/*
 * Build a tree over the rows of a double matrix, n >= 1.  O(n d log n)
 * expected for bisect and random, whatever the data; the copy of the rows in
 * leaf order (n x d) is scratch.  Deterministic for rows and seed.  Fails
 * with GL_ERR_TOO_LARGE beyond T3.
 */
extern GlStatus partition_tree_build(GlHost *host, const PointMatrix *points,
									 const Divergence *divergence,
									 TreeKind kind, int64_t seed,
									 PartitionTree *out);

extern void partition_tree_release(GlHost *host, PartitionTree *tree);

/* T3 of rows about to become a tree; GL_ERR_TOO_LARGE. */
extern GlStatus partition_tree_limit(GlHost *host, int64_t row_count);

/* Verify T1 to T3; GL_ERR_CORRUPT if violated.  O(n). */
extern GlStatus partition_tree_check(GlHost *host, const PartitionTree *tree);

extern GlStatus tree_links_begin(GlHost *host, const PartitionTree *tree,
								 TreeLinks *out);

extern void tree_links_end(GlHost *host, TreeLinks *links);

#endif							/* PARTITION_TREE_H */
