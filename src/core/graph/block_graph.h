/*
 * block_graph.h
 *		The compact walk: a random walk over n rows as a tree and O(n) blocks.
 *
 * Reads:	points, a divergence, a bandwidth.
 * Yields:	a Graph (graph.h) whose operator Q is row-stochastic: where a walk
 *			at row i goes next.
 *
 * Idea.  Far from a row many destinations are nearly alike, so the n x n
 * matrix of transition probabilities is cut into blocks: a pair of disjoint
 * tree nodes {A, B}, such that all moves from a row of A to a row of B share
 * one probability, and all moves back another.  The coarsest partition pairs
 * the two children of every inner node: n-1 pairs, 2(n-1) numbers.  The best
 * probabilities have a closed form (block_solver.h), and a product takes one
 * pass up the tree (sums) and one pass down (block_graph.c).
 *
 * A forest is the mean of several such walks over differently split trees; a
 * mean of row-stochastic operators is one, so it is the same kind.
 *
 * Invariants, checked by block_graph_check():
 *	 B1	every tree satisfies partition_tree_check()
 *	 B2	pairs name nodes that share no leaf, and together cover every ordered
 *		pair of different rows exactly once
 *	 B3	log q <= 0 or -infinity, never NaN
 *	 B4	the blocks of every row sum to 1 in each tree, up to
 *		BLOCK_ROW_SUM_TOLERANCE; a single row has none
 *
 * Sources: spec seed000 section 2, DESIGN section 4; the variational
 * dual-tree framework of Amizadeh, Thiesson and Hauskrecht for the idea.
 */
#ifndef BLOCK_GRAPH_H
#define BLOCK_GRAPH_H

#include "graph/block_solver.h"
#include "graph/graph.h"

#define BLOCK_ROW_SUM_TOLERANCE		1e-9

/*
 * One tree of the graph as the products use it: views into the graph's arrays
 * and what is derived from them.
 */
typedef struct BlockTree
{
	PartitionTree tree;			/* views */
	int64_t		pair_count;
	const int32_t *pair_a;		/* node numbers; NULL: the coarsest, where */
	const int32_t *pair_b;		/* pair p joins the children of node p */
	const double *log_q_ab;		/* per pair */
	const double *log_q_ba;

	/* derived, never stored */
	TreeLinks	links;
	double	   *q_ab;			/* exp(log_q_ab) */
	double	   *q_ba;
} BlockTree;

/* What the builder was told, beside the recipe of the graph. */
typedef struct BlockRecipe
{
	TreeKind	tree_kind;
	int32_t		tree_count;		/* T */
	bool		learn_bandwidth;
	double		smoothing;		/* added to counts; 0 where not used */
} BlockRecipe;

/* The arrays of all trees lie one behind the other, as they are stored. */
typedef struct BlockGraph
{
	Graph		graph;			/* must be first */
	BlockRecipe recipe;
	int64_t		pair_total;		/* sum of pair_count */
	const int32_t *left_size;	/* T (n-1) */
	const int32_t *leaf_row;	/* T n */
	const int64_t *pair_count;	/* T */
	const int32_t *pair_a;		/* pair_total, or NULL: all coarsest */
	const int32_t *pair_b;
	const double *log_q_ab;		/* pair_total */
	const double *log_q_ba;
	const double *bandwidth;	/* T: sigma each tree was solved for */
	const double *log_likelihood;	/* T: lower bounds of log p(rows) */
	const double *log_density;	/* n, see block_build.h */
	BlockTree  *trees;			/* T, made by block_graph_bind() */
} BlockGraph;

/*
 * Set the operations and make the trees, in host memory.  The counts and the
 * shapes of the trees are checked on the way (GL_ERR_CORRUPT), for links are
 * only as good as the bytes they come from; node numbers of pairs are not,
 * see block_graph_check().  O(pairs) time, about 32 bytes a pair.
 */
extern GlStatus block_graph_bind(GlHost *host, BlockGraph *block);

/* Give back what bind made, and nothing else. */
extern void block_graph_unbind(GlHost *host, BlockGraph *block);

/* Verify B1-B4; for values that come in.  O(pairs). */
extern GlStatus block_graph_check(GlHost *host, const BlockGraph *block);

/* The pairs of a tree as node numbers, coarsest or not. */
static inline const int32_t *
block_tree_a(const BlockTree *tree)
{
	return tree->pair_a != NULL ? tree->pair_a : tree->links.left;
}

static inline const int32_t *
block_tree_b(const BlockTree *tree)
{
	return tree->pair_b != NULL ? tree->pair_b : tree->links.right;
}

#endif							/* BLOCK_GRAPH_H */
