/*
 * block_solver.h
 *		The best walk that is constant on blocks, in closed form.
 *
 * Reads:	a tree, a symmetric block partition as unordered pairs {A, B} of
 *			its nodes, and the mean divergence of each ordered pair.
 * Yields:	log q(A,B) and log q(B,A), maximising
 *
 *		l = c + sum over blocks of |A||B| q (G - log q),	G = -beta delta,
 *		subject to sum over the blocks of a row of |B| q = 1.
 *
 * Two passes over the tree in the log domain, O(blocks) (spec seed000 section
 * 2.6): up, log Z_A = logsumexp(log|B| + G_AB for A's blocks, the weighted
 * mean of the children's log Z); down, the mass left for each subtree.  The
 * optimum is c + n log Z_root.
 *
 * Rows sum to 1 however small the bandwidth: exponents are compared with the
 * largest of their node, never through log Z itself, in whose rounding log|B|
 * would vanish (for a row 10^9 bandwidths from all others).
 */
#ifndef BLOCK_SOLVER_H
#define BLOCK_SOLVER_H

#include "graph/partition_tree.h"

/* A symmetric partition: pair e covers (a, b) and (b, a). */
typedef struct BlockPairs
{
	int64_t		count;
	const int32_t *a;			/* node numbers */
	const int32_t *b;
	const double *delta_ab;		/* mean divergences */
	const double *delta_ba;
} BlockPairs;

/* The coarsest partition: the children of every inner node, n-1 pairs. */
static inline BlockPairs
block_pairs_coarsest(const TreeLinks *links, const double *delta_ab,
					 const double *delta_ba)
{
	return (BlockPairs)
	{
		.count = links->leaf_count - 1,
		.a = links->left,
		.b = links->right,
		.delta_ab = delta_ab,
		.delta_ba = delta_ba
	};
}

typedef struct BlockSolution
{
	double	   *log_q_ab;		/* per pair */
	double	   *log_q_ba;
	double	   *log_z;			/* per node: lambda */
	double	   *log_mass;		/* per node: rho */
	double	   *peak;			/* per node: the largest term of log_z */
	double	   *log_sum;		/* per node: log_z - peak, not rounded away */
	double		log_z_root;		/* the optimum is c + n * this */
	double		divergence_sum; /* sum of |A||B| q delta, for the bandwidth */
} BlockSolution;

/* Room for a solution of so many pairs. */
extern GlStatus block_solution_begin(GlHost *host, int64_t leaf_count,
									 int64_t pair_count,
									 BlockSolution *out);
extern void block_solution_end(GlHost *host, BlockSolution *solution);

/* Solve for one bandwidth; beta = 1 / (2 sigma^2).  n >= 2. */
extern GlStatus block_solver_run(GlHost *host, const TreeLinks *links,
								 const BlockPairs *pairs, double bandwidth,
								 BlockSolution *solution);

/*
 * Alternate solving with sigma^2 = sum q D / (n d) until sigma moves by less
 * than 1e-6 of itself, at most 100 times, never below floor.  The bound never
 * falls.  *bandwidth is the start and the result.
 */
extern GlStatus block_solver_learn(GlHost *host, const TreeLinks *links,
								   const BlockPairs *pairs,
								   int32_t dimension_count, double floor,
								   double *bandwidth,
								   BlockSolution *solution);

#endif							/* BLOCK_SOLVER_H */
