/*
 * block_refine.h
 *		More blocks where they matter: a block graph closer to the exact walk.
 *
 * Reads:	a block graph that kept its points.
 * Yields:	a block graph over the same trees with a finer partition.
 *
 * Idea.  Splitting one node of a pair {A, B} into its children gives two
 * pairs and can only raise the likelihood bound, that is lower the mean
 * divergence from the exact walk P, p_ij ~ e^(-beta delta(x_i, x_j)).  The
 * pair that promises most (block_gains.h) is split first; each time the pairs
 * have grown by 15 % the probabilities are solved for again.  What a pair
 * promises is the gain of one split; beyond 5 blocks a row, where there are
 * covering radii (squared Euclidean distance), every other time the
 * optimistic key: gains miss close pairs in far blocks, hope squanders a small
 * budget.  With every pair of rows in a block of its own the walk is exact.
 *
 * The guarantee behind tolerance.  For the best q of a partition
 *
 *		sum_i KL(q_i || p_i) = sum_i log Z_i - n log Z_root,
 *		Z_i = sum over j != i of e^(-beta |x_i - x_j|^2),
 *
 * exactly (spec seed000 sections 2.5, 2.6), and only Z_i is not known.  Of a
 * block B of row i the mean of t = |x_i - x_j|^2 is |x_i - mu_B|^2 + SS_B/|B|,
 * and t lies between (|x_i - mu_B| -+ r_B)^2 by the covering radius.  As
 * e^(-beta t) is convex, its mean over B is at most the chord's value at the
 * mean of t, so the sum over the blocks of row i of |B| times that is an upper
 * bound Y_i >= Z_i, and
 *
 *		mean KL per row <= mean of log Y_i - log Z_root,
 *
 * with equality once all blocks are pairs of rows; up to rounding.  A forest
 * is the mean of its trees, and KL(. || p) is convex, so it is no worse than
 * the mean of its trees' bounds.  With a learnt bandwidth each tree is
 * compared with the exact walk of its own bandwidth.
 */
#ifndef BLOCK_REFINE_H
#define BLOCK_REFINE_H

#include "graph/block_graph.h"

#define BLOCK_REFINE_MAX_PAIRS	(((int64_t) 1 << 30) - 1)

typedef struct BlockRefineOptions
{
	double		blocks_per_row; /* 0: as many as the tolerance needs */
	bool		has_tolerance;
	double		tolerance;		/* mean KL per row in nats, euclidean only */
	bool		drop_points;	/* the result is not to keep them */
} BlockRefineOptions;

typedef struct BlockRefineReport
{
	double		divergence_bound;	/* of the worst tree; if has_tolerance */
	bool		tolerance_reached;
	bool		bandwidth_floored;	/* learning ran into sigma -> 0 */
} BlockRefineReport;

/*
 * Refine each tree to at most blocks_per_row * (n-1) blocks, so 2 is the
 * coarsest partition and n the exact walk, or until the bound is at most
 * tolerance, whichever comes first.  Out owns copies of ids and points.
 *
 * GL_ERR_OPTION: neither given, fewer blocks than there are, a tolerance for
 * another metric than euclidean, or a graph without its points;
 * GL_ERR_TOO_LARGE beyond BLOCK_REFINE_MAX_PAIRS; GL_ERR_MEMORY.
 * O(d + log pairs) a pair, and for tolerance O(n d blocks of a row) at each
 * solution.  Deterministic.
 */
extern GlStatus block_graph_refine(GlHost *host, const BlockGraph *block,
								   const BlockRefineOptions *options,
								   BlockGraph *out,
								   BlockRefineReport *report);

#endif							/* BLOCK_REFINE_H */
