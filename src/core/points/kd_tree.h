/*
 * kd_tree.h
 *		A flat 16-way tree of axis boxes over float rows, and its walk.
 *
 * Reads:	row-major floats (images of rows, see screen.h).
 * Yields:	leaves of at most KD_LEAF_LARGE rows, for a query nearest first.
 *
 * A range of rows is cut at the mean of its column of largest variance, the
 * largest part first, until there are sixteen parts; the boxes of the sixteen
 * lie side by side so that one pass of vectors tests them all.  The mean, not
 * the median: a median cuts through dense regions and leaves long thin boxes,
 * which costs up to twenty times more distances on real data.  Mean cuts can
 * be lopsided, so below a depth that even data never reach ranges are halved,
 * which bounds the depth and with it every stack.
 *
 * Rows are stored once, leaf by leaf, column-major within a leaf and padded
 * with infinities to a multiple of SCREEN_LANES rows.
 *
 * Invariants, checked by kd_tree_check():
 *	 K1	order is a permutation of 0 .. row_count-1; leaf l holds positions
 *		leaf_start[l] .. leaf_start[l+1]-1, at least one
 *	 K2	every node and leaf but the root is the child of exactly one node, and
 *		nodes come after their parents
 *	 K3	every row lies in the box its leaf has in each ancestor
 *	 K4	no leaf lies deeper than KD_MAX_DEPTH
 */
#ifndef KD_TREE_H
#define KD_TREE_H

#include "points/distance.h"

#define KD_LEAF_SMALL	32		/* rows per leaf for few columns */
#define KD_LEAF_LARGE	64		/* and for many */
#define KD_LARGE_FROM	25		/* the d from which leaves are large */

#define KD_MAX_DEPTH	192
#define KD_STACK_SIZE	(KD_MAX_DEPTH * (SCREEN_BOXES - 1) + SCREEN_BOXES)

typedef struct KdTree
{
	int64_t		row_count;
	int32_t		dimension_count;
	int32_t		leaf_count;
	int32_t		node_count;
	int32_t    *order;			/* position -> row */
	int32_t    *leaf_start;		/* leaf_count + 1 positions */
	int64_t    *leaf_lane;		/* leaf_count + 1: padded rows before it */
	float	   *blocks;			/* leaf l at leaf_lane[l] * d */
	int32_t    *child;			/* 16 a node: node, or ~leaf; 0: none */
	float	   *boxes;			/* 16 a node, as screen_boxes() reads them */
} KdTree;

/*
 * rows (row_count x d) is permuted and then released: the tree keeps its own
 * copy.  row_count >= 1.  O(n d log n) time; about 6 d + 4 bytes a row, 4 d
 * more (the rows) while building.
 */
extern GlStatus kd_tree_build(GlHost *host, float *rows, int64_t row_count,
							  int32_t dimension_count, KdTree *out);

extern void kd_tree_release(GlHost *host, KdTree *tree);

/* Verify K1-K4; GL_ERR_CORRUPT.  O(n d depth). */
extern GlStatus kd_tree_check(GlHost *host, const KdTree *tree);

/*
 * The leaves within reach of a query, nearest box first.  The caller lowers
 * `limit` as it learns; what lies beyond is never visited.
 */
typedef struct KdWalk
{
	const KdTree *tree;
	const DistanceKernels *kernels;
	const float *query;
	float		limit;			/* as screen_limit() gives it */

	/*
	 * Where child_label is given (one per child slot), children whose label
	 * is own_label are not entered.
	 */
	const int32_t *child_label;
	int32_t		own_label;

	int32_t		stack_size;
	uint64_t	stack[KD_STACK_SIZE];	/* box distance, child */
} KdWalk;

extern void kd_walk_begin(KdWalk *walk, const KdTree *tree,
						  const DistanceKernels *kernels, const float *query,
						  float limit);

/* The next leaf, or -1 when none is left within the limit. */
extern GlStatus kd_walk_next(GlHost *host, KdWalk *walk, int32_t *leaf);

/*
 * The rows of a leaf within the walk's limit, one bit each, and their float
 * squared distances (room for SCREEN_MAX_WIDTH).
 */
static inline uint64_t
kd_walk_screen(const KdWalk *walk, int32_t leaf, float *squared)
{
	const KdTree *tree = walk->tree;
	int64_t		lane = tree->leaf_lane[leaf];
	int32_t		width = (int32_t) (tree->leaf_lane[leaf + 1] - lane);

	return walk->kernels->screen_block(walk->query, tree->blocks +
									   lane * tree->dimension_count,
									   width, tree->dimension_count,
									   walk->limit, squared);
}

/* The image of the row at a position of a leaf. */
static inline void
kd_tree_image(const KdTree *tree, int32_t leaf, int64_t position,
			  float *image)
{
	int64_t		lane = tree->leaf_lane[leaf];
	int64_t		width = tree->leaf_lane[leaf + 1] - lane;
	const float *block = tree->blocks + lane * tree->dimension_count +
		(position - tree->leaf_start[leaf]);

	for (int32_t j = 0; j < tree->dimension_count; j++)
		image[j] = block[j * width];
}

#endif							/* KD_TREE_H */
