/*
 * tree_refine.h
 *		Refining the partition of one tree, see block_refine.h.
 *
 * Set options and pair_limit, then begin, grow, read the pairs and their
 * solution, end.
 */
#ifndef TREE_REFINE_H
#define TREE_REFINE_H

#include "graph/block_density.h"
#include "graph/block_gains.h"
#include "graph/block_refine.h"

/* A pair that can be split, and by which side. */
typedef struct HeapEntry
{
	double		key;
	int32_t		pair;
	bool		split_a;
} HeapEntry;

/* One tree on its way. */
typedef struct TreeRefinement
{
	const BlockRefineOptions *options;
	const BlockTree *tree;
	const PointSpace *space;
	const Divergence *divergence;
	bool		learns;
	int64_t		pair_limit;
	int64_t		gain_limit;		/* pairs from which on hope leads */
	TreeStatistics statistics;
	double	   *radius;			/* per node, or NULL */
	double		bandwidth;		/* in units of the space */
	double		bandwidth_floor;
	double		bound;			/* of the mean KL per row */
	BlockGains	gains;
	BlockSolution solution;

	/* the pairs */
	int64_t		count;
	int64_t		capacity;
	int32_t    *a;
	int32_t    *b;
	double	   *delta_ab;
	double	   *delta_ba;

	HeapEntry  *heap;			/* capacity */
	int64_t		heap_count;
} TreeRefinement;

/* Statistics of all nodes and the pairs of tree t.  O(n d + pairs d). */
extern GlStatus tree_refinement_begin(GlHost *host, const BlockGraph *block,
									  int32_t t, const PointSpace *space,
									  TreeRefinement *work);

/* Split until the limit or the tolerance is reached, or nothing is left. */
extern GlStatus tree_refinement_grow(GlHost *host, TreeRefinement *work);

/* Log density of every row under the refined tree.  O(rows of all blocks). */
extern GlStatus tree_refinement_density(GlHost *host,
										const TreeRefinement *work,
										double *density);

extern void tree_refinement_end(GlHost *host, TreeRefinement *work);

#endif							/* TREE_REFINE_H */
