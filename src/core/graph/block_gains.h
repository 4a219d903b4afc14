/*
 * block_gains.h
 *		What splitting a pair of blocks would win, in the log domain.
 *
 * Splitting node B of the pair {A, B} into its children cuts the columns of
 * the block (A, B) and the rows of the block (B, A).  With Z, r (mass) and G
 * as in block_solver.h, the new constants of the two nodes are
 *
 *		columns:	Z'_A = Z_A - |B| e^G_AB + sum over children c of |c| e^G_Ac
 *		rows:		Z'_B = Z_B - |A| e^G_BA - Z_ch + Z'_ch, where
 *					log Z'_c = log(Z_c + |A| e^G_cA) for each child
 *
 * and because log Z_root is convex in the log Z of disjoint subtrees, the
 * bound rises by at least
 *
 *		|A| r_A log(Z'_A / Z_A) + |B| r_B log(Z'_B / Z_B)
 *
 * (spec seed000 section 2.10).  That looks one level down, so a block whose
 * mean is far but which hides a close pair seems worthless.  The optimistic
 * key looks all the way: squared distances t of the block lie between low and
 * high (from covering radii) with mean delta, and e^(-beta t) is convex, so
 * its mean is at most the chord's value at delta,
 *
 *		top = (1 - s) e^(-beta low) + s e^(-beta high),
 *		s = (delta - low) / (high - low),
 *
 * and the key is |A| r_A log(1 + |B| (top - e^G_AB) / Z_A) plus the same of
 * (B, A).  It is 0 for a block without extent, where the plain optimistic key
 * of the spec (low alone, nothing taken off) still asks for splits.  A
 * heuristic; test_keys_reach_exact guards it.
 */
#ifndef BLOCK_GAINS_H
#define BLOCK_GAINS_H

#include "graph/block_solver.h"
#include "graph/block_statistics.h"

/* One pair of blocks and its two mean divergences. */
typedef struct BlockCell
{
	int32_t		a;
	int32_t		b;
	double		delta_ab;
	double		delta_ba;
} BlockCell;

/* What gains are computed from. */
typedef struct BlockGains
{
	const TreeLinks *links;
	const NodeStatistics *node; /* all 2n-1 */
	const Divergence *divergence;
	int32_t		dimension_count;
	double		beta;
	BlockSolution *solution;	/* constants of the nodes */
	const double *radius;		/* per node; NULL: gains, not optimistic keys */
} BlockGains;

/* Which side to split and how much it is worth. */
typedef struct BlockChoice
{
	double		log_gain;		/* -infinity: nothing; never NaN */
	bool		split_a;
} BlockChoice;

/* -beta delta, finite where the product is not, as the solver has it. */
extern double block_gains_exponent(double beta, double delta);

/*
 * log of the chord's value above: an upper bound of log mean e^(-beta t) over
 * squared distances with the given mean whose roots are at most `reach` from
 * `distance`.  Exact for reach 0.
 */
extern double block_gains_chord(double beta, double distance, double reach,
								double mean);

/* One side has children. */
extern bool block_gains_can_split(const BlockGains *gains,
								  const BlockCell *cell);

/* The better side, by gain or by optimistic key.  O(d). */
extern BlockChoice block_gains_choose(const BlockGains *gains,
									  const BlockCell *cell);

/* The gain of splitting one side, whatever the key.  O(d). */
extern double block_gains_log_gain(const BlockGains *gains,
								   const BlockCell *cell, bool split_a);

/*
 * The two pairs that take a pair's place.  The constants of the nodes
 * concerned follow, those further up and down wait for the next solution.
 */
extern void block_gains_split(const BlockGains *gains, const BlockCell *cell,
							  bool split_a, BlockCell child[2]);

#endif							/* BLOCK_GAINS_H */
