/*
 * block_solver.c
 *		Two log-domain passes over the tree; alternation for the bandwidth.
 *
 * A node's own blocks are gathered pair by pair: first the largest exponent
 * per node, then the sums, so that no list of blocks per node is needed.
 * Exponents can be as large as (distance / bandwidth)^2; only differences to
 * the peak of a node are ever taken, so nothing of order 1 is rounded away.
 */
#include "graph/block_solver.h"

#include <math.h>
#include <string.h>

/* Exponents and bandwidths beyond these count as these: no infinities. */
#define LOWEST_EXPONENT		(-1e300)
#define HIGHEST_BETA		1e300

#define LEARN_TOLERANCE		1e-6
#define LEARN_LIMIT			100

GlStatus
block_solution_begin(GlHost *host, int64_t leaf_count, int64_t pair_count,
					 BlockSolution *out)
{
	BlockSolution solution = {0};

	memset(out, 0, sizeof(*out));
	GL_NEW(host, solution.log_q_ab, pair_count);
	GL_NEW(host, solution.log_q_ba, pair_count);
	GL_NEW(host, solution.log_z, 2 * leaf_count - 1);
	GL_NEW(host, solution.log_mass, 2 * leaf_count - 1);
	GL_NEW(host, solution.peak, 2 * leaf_count - 1);
	GL_NEW(host, solution.log_sum, 2 * leaf_count - 1);
	*out = solution;
	return GL_OK;
}

void
block_solution_end(GlHost *host, BlockSolution *solution)
{
	gl_release(host, solution->log_q_ab);
	gl_release(host, solution->log_q_ba);
	gl_release(host, solution->log_z);
	gl_release(host, solution->log_mass);
	gl_release(host, solution->peak);
	gl_release(host, solution->log_sum);
	memset(solution, 0, sizeof(*solution));
}

static inline double
node_size(const TreeLinks *links, int32_t node)
{
	return node < links->leaf_count - 1 ? links->size[node] : 1;
}

/*
 * G = -beta delta, kept finite: where the product overflows (or is 0 times
 * infinity) all that matters is that the block is as good as forbidden.
 */
static inline double
block_exponent(double beta, double delta)
{
	double		exponent = -beta * delta;

	return exponent > LOWEST_EXPONENT ? exponent : LOWEST_EXPONENT;
}

/*
 * The blocks of each node alone: peak <- the largest G, log_sum <- the log of
 * the sum of |B| exp(G - peak); -infinity and 0 for a node without blocks.
 */
static GlStatus
gather_blocks(GlHost *host, const TreeLinks *links, const BlockPairs *pairs,
			  double beta, double *peak, double *log_sum)
{
	int64_t		node_count = 2 * links->leaf_count - 1;

	for (int64_t v = 0; v < node_count; v++)
	{
		GL_TRY(gl_work(host, 1));
		peak[v] = -INFINITY;
		log_sum[v] = 0;
	}
	for (int pass = 0; pass < 2; pass++)
		for (int64_t e = 0; e < pairs->count; e++)
		{
			int32_t		a = pairs->a[e];
			int32_t		b = pairs->b[e];
			double		exponent_a = block_exponent(beta, pairs->delta_ab[e]);
			double		exponent_b = block_exponent(beta, pairs->delta_ba[e]);

			GL_TRY(gl_work(host, 40));
			if (pass == 0)
			{
				peak[a] = exponent_a > peak[a] ? exponent_a : peak[a];
				peak[b] = exponent_b > peak[b] ? exponent_b : peak[b];
			}
			else
			{
				log_sum[a] += node_size(links, b) * exp(exponent_a - peak[a]);
				log_sum[b] += node_size(links, a) * exp(exponent_b - peak[b]);
			}
		}
	for (int64_t v = 0; v < node_count; v++)
	{
		GL_TRY(gl_work(host, 20));
		log_sum[v] = isinf(peak[v]) ? 0 : log(log_sum[v]);
	}
	return GL_OK;
}

/* What the children offer their parent: the weighted mean of their log Z. */
static inline double
children_log_z(const TreeLinks *links, int32_t node, const double *log_z)
{
	int32_t		left = links->left[node];
	int32_t		right = links->right[node];
	double		share = node_size(links, right) / links->size[node];

	return log_z[left] + (log_z[right] - log_z[left]) * share;
}

/* Up: the children's offer joins a node's own blocks. */
static GlStatus
collect_sums(GlHost *host, const TreeLinks *links, BlockSolution *solution)
{
	double	   *peak = solution->peak;
	double	   *log_sum = solution->log_sum;

	for (int64_t v = 2 * links->leaf_count - 2; v >= 0; v--)
	{
		GL_TRY(gl_work(host, 40));
		if (v < links->leaf_count - 1)
		{
			double		offer = children_log_z(links, (int32_t) v,
											   solution->log_z);
			double		high = offer > peak[v] ? offer : peak[v];

			log_sum[v] = log(exp(peak[v] - high + log_sum[v]) +
							 exp(offer - high));
			peak[v] = high;
		}
		solution->log_z[v] = peak[v] + log_sum[v];
	}
	solution->log_z_root = solution->log_z[0];
	return GL_OK;
}

/* Down: the log mass each subtree may spend, then q of every block. */
static GlStatus
share_mass(GlHost *host, const TreeLinks *links, const BlockPairs *pairs,
		   double beta, BlockSolution *solution)
{
	const double *peak = solution->peak;
	const double *log_sum = solution->log_sum;
	double	   *log_mass = solution->log_mass;

	log_mass[0] = 0;
	for (int32_t p = 0; p < links->leaf_count - 1; p++)
	{
		double		offer = children_log_z(links, p, solution->log_z);
		double		left_over = log_mass[p] + (offer - peak[p]) - log_sum[p];

		GL_TRY(gl_work(host, 4));
		log_mass[links->left[p]] = left_over;
		log_mass[links->right[p]] = left_over;
	}
	solution->divergence_sum = 0;
	for (int64_t e = 0; e < pairs->count; e++)
	{
		int32_t		a = pairs->a[e];
		int32_t		b = pairs->b[e];
		double		area = node_size(links, a) * node_size(links, b);
		double		exponent_a = block_exponent(beta, pairs->delta_ab[e]);
		double		exponent_b = block_exponent(beta, pairs->delta_ba[e]);
		double		log_ab = log_mass[a] + (exponent_a - peak[a]) - log_sum[a];
		double		log_ba = log_mass[b] + (exponent_b - peak[b]) - log_sum[b];

		GL_TRY(gl_work(host, 40));
		solution->log_q_ab[e] = log_ab;
		solution->log_q_ba[e] = log_ba;
		solution->divergence_sum += area *
			(exp(log_ab) * pairs->delta_ab[e] +
			 exp(log_ba) * pairs->delta_ba[e]);
	}
	return GL_OK;
}

GlStatus
block_solver_run(GlHost *host, const TreeLinks *links,
				 const BlockPairs *pairs, double bandwidth,
				 BlockSolution *solution)
{
	double		beta = fmin(1 / (2 * bandwidth * bandwidth), HIGHEST_BETA);

	GL_TRY(gather_blocks(host, links, pairs, beta, solution->peak,
						 solution->log_sum));
	GL_TRY(collect_sums(host, links, solution));
	return share_mass(host, links, pairs, beta, solution);
}

GlStatus
block_solver_learn(GlHost *host, const TreeLinks *links,
				   const BlockPairs *pairs, int32_t dimension_count,
				   double floor, double *bandwidth, BlockSolution *solution)
{
	double		n = (double) links->leaf_count;

	for (int step = 0; step < LEARN_LIMIT; step++)
	{
		double		next;

		GL_TRY(block_solver_run(host, links, pairs, *bandwidth, solution));
		next = sqrt(solution->divergence_sum / (n * dimension_count));
		next = next > floor ? next : floor;
		if (fabs(next - *bandwidth) <= LEARN_TOLERANCE * *bandwidth)
			return GL_OK;
		*bandwidth = next;
	}
	return block_solver_run(host, links, pairs, *bandwidth, solution);
}
