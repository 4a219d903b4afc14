/*
 * block_gains.c
 *		Gains and optimistic keys of splits.
 *
 * Shares of a node can be as small as e^(-10^9), so everything is a log, and
 * every ratio Z'/Z is kept as log x with Z'/Z = 1 + x.
 */
#include "graph/block_gains.h"

#include <math.h>

#define LOWEST_EXPONENT		(-1e300)

/* Beyond this, 1 + e^t is e^t and e^t - 1 is e^t in double precision. */
#define LARGE_EXPONENT		37.0

double
block_gains_exponent(double beta, double delta)
{
	double		exponent = -beta * delta;

	return exponent > LOWEST_EXPONENT ? exponent : LOWEST_EXPONENT;
}

/* log(1 + e^t) */
static double
soft_plus(double t)
{
	return t > LARGE_EXPONENT ? t : log1p(exp(t));
}

/* log(log(1 + e^t)), also where e^t underflows. */
static double
log_soft_plus(double t)
{
	return t < -LARGE_EXPONENT ? t : log(soft_plus(t));
}

/* log(e^t - 1), t >= 0 */
static double
log_expm1(double t)
{
	return t > LARGE_EXPONENT ? t : log(expm1(t));
}

/* log(e^a + e^b), either may be -infinity. */
static double
log_add(double a, double b)
{
	double		high = a > b ? a : b;
	double		low = a > b ? b : a;

	return isinf(low) ? high : high + log1p(exp(low - high));
}

/* log(e^a - e^b), -infinity unless a > b. */
static double
log_subtract(double a, double b)
{
	if (!(a > b))
		return -INFINITY;
	return isinf(b) ? a : a + log1p(-exp(b - a));
}

static inline bool
is_inner(const BlockGains *gains, int32_t node)
{
	return node < gains->links->leaf_count - 1;
}

double
block_gains_chord(double beta, double distance, double reach, double mean)
{
	double		nearest = distance > reach ? distance - reach : 0;
	double		low = nearest * nearest;
	double		high = (distance + reach) * (distance + reach);
	double		share = (mean - low) / (high - low);
	double		exponent;

	if (reach == 0)
		return block_gains_exponent(beta, mean);
	/* rounding, or numbers too large to tell: stay on the safe side */
	if (!(share > 0))
		share = 0;
	if (share > 1)
		share = 1;
	exponent = block_gains_exponent(beta, low);
	return exponent +
		log1p(share * expm1(block_gains_exponent(beta, high) - exponent));
}

/* log of a block's share of Z of its row node; G its exponent. */
static double
log_share(const BlockGains *gains, int32_t row_node, int32_t column_node,
		  double exponent)
{
	return log(gains->node[column_node].count) +
		(exponent - gains->solution->peak[row_node]) -
		gains->solution->log_sum[row_node];
}

/* log(|A| r_A log(1 + x)) */
static double
log_worth(const BlockGains *gains, int32_t node, double log_x)
{
	return log(gains->node[node].count) + gains->solution->log_mass[node] +
		log_soft_plus(log_x);
}

/* One split, measured: `node` of the pair {other, node} into its children. */
typedef struct Split
{
	int32_t		child[2];
	double		to_child[2];	/* delta(other, child) */
	double		from_child[2];	/* delta(child, other) */
	double		log_x_other;	/* Z'/Z = 1 + x of the other node: columns */
	double		log_x_node;		/* of the node split: rows */
	double		rise[2];		/* of the children's log Z */
	double		offer;			/* log Z'_ch */
} Split;

/*
 * log(sum over children of share e^g), less 1; g are the children's exponents
 * relative to the block's.  Small g cancel to first order, so not as a log
 * sum.
 */
static double
log_excess(const double share[2], const double g[2])
{
	double		high = g[0] > g[1] ? g[0] : g[1];
	double		sum;

	if (high < 0.5)
	{
		sum = share[0] * expm1(g[0]) + share[1] * expm1(g[1]);
		return sum > 0 ? log(sum) : -INFINITY;
	}
	sum = high + log(share[0] * exp(g[0] - high) +
					 share[1] * exp(g[1] - high));
	return sum > 0 ? log_expm1(sum) : -INFINITY;
}

static void
measure_columns(const BlockGains *gains, int32_t other, int32_t node,
				double delta, Split *split)
{
	double		whole = block_gains_exponent(gains->beta, delta);
	double		share[2];
	double		g[2];

	for (int s = 0; s < 2; s++)
	{
		share[s] = (double) gains->node[split->child[s]].count /
			gains->node[node].count;
		g[s] = block_gains_exponent(gains->beta, split->to_child[s]) - whole;
	}
	split->log_x_other = log_share(gains, other, node, whole) +
		log_excess(share, g);
}

static void
measure_rows(const BlockGains *gains, int32_t other, int32_t node,
			 double delta, Split *split)
{
	const BlockSolution *solution = gains->solution;
	double		whole = block_gains_exponent(gains->beta, delta);
	double		share = (double) gains->node[split->child[1]].count /
		gains->node[node].count;
	const double *log_z = solution->log_z;
	double		offer = log_z[split->child[0]] + share *
		(log_z[split->child[1]] - log_z[split->child[0]]);
	double		rise;

	for (int s = 0; s < 2; s++)
		split->rise[s] =
			soft_plus(log_share(gains, split->child[s], other,
								block_gains_exponent(gains->beta,
													 split->from_child[s])));
	rise = split->rise[0] + (split->rise[1] - split->rise[0]) * share;
	split->offer = offer + rise;
	split->log_x_node =
		log_subtract(offer - solution->peak[node] - solution->log_sum[node] +
					 log_expm1(rise),
					 log_share(gains, node, other, whole));
}

static void
measure_split(const BlockGains *gains, const BlockCell *cell, bool split_a,
			  Split *split)
{
	int32_t		node = split_a ? cell->a : cell->b;
	int32_t		other = split_a ? cell->b : cell->a;

	split->child[0] = gains->links->left[node];
	split->child[1] = gains->links->right[node];
	for (int s = 0; s < 2; s++)
	{
		const NodeStatistics *from = &gains->node[other];
		const NodeStatistics *to = &gains->node[split->child[s]];

		split->to_child[s] =
			block_statistics_divergence(gains->divergence,
										gains->dimension_count, from, to);
		split->from_child[s] = gains->divergence->is_symmetric ?
			split->to_child[s] :
			block_statistics_divergence(gains->divergence,
										gains->dimension_count, to, from);
	}
	measure_columns(gains, other, node,
					split_a ? cell->delta_ba : cell->delta_ab, split);
	measure_rows(gains, other, node,
				 split_a ? cell->delta_ab : cell->delta_ba, split);
}

double
block_gains_log_gain(const BlockGains *gains, const BlockCell *cell,
					 bool split_a)
{
	int32_t		node = split_a ? cell->a : cell->b;
	int32_t		other = split_a ? cell->b : cell->a;
	Split		split;
	double		gain;

	if (!is_inner(gains, node))
		return -INFINITY;
	measure_split(gains, cell, split_a, &split);
	gain = log_add(log_worth(gains, other, split.log_x_other),
				   log_worth(gains, node, split.log_x_node));
	return isnan(gain) ? -INFINITY : gain;
}

bool
block_gains_can_split(const BlockGains *gains, const BlockCell *cell)
{
	return is_inner(gains, cell->a) || is_inner(gains, cell->b);
}

static BlockChoice
choose_by_gain(const BlockGains *gains, const BlockCell *cell)
{
	double		gain_a = block_gains_log_gain(gains, cell, true);
	double		gain_b = block_gains_log_gain(gains, cell, false);
	bool		split_a = gain_a == gain_b ? is_inner(gains, cell->a) :
		gain_a > gain_b;

	return (BlockChoice)
	{
		split_a ? gain_a : gain_b, split_a
	};
}

/* The node of larger radius; among equals the one with more rows. */
static bool
wider_is_a(const BlockGains *gains, const BlockCell *cell)
{
	double		radius_a = gains->radius[cell->a];
	double		radius_b = gains->radius[cell->b];

	if (!is_inner(gains, cell->a) || !is_inner(gains, cell->b))
		return is_inner(gains, cell->a);
	if (radius_a != radius_b)
		return radius_a > radius_b;
	return gains->node[cell->a].count >= gains->node[cell->b].count;
}

static BlockChoice
choose_by_hope(const BlockGains *gains, const BlockCell *cell)
{
	const NodeStatistics *a = &gains->node[cell->a];
	const NodeStatistics *b = &gains->node[cell->b];
	double		whole = block_gains_exponent(gains->beta, cell->delta_ab);
	double		distance = sqrt(divergence_between(gains->divergence,
												   a->mean, b->mean,
												   gains->dimension_count));
	double		top = block_gains_chord(gains->beta, distance,
										gains->radius[cell->a] +
										gains->radius[cell->b],
										cell->delta_ab);
	double		excess = top > whole ? log_expm1(top - whole) : -INFINITY;
	double		key;

	key = log_add(log_worth(gains, cell->a, excess +
							log_share(gains, cell->a, cell->b, whole)),
				  log_worth(gains, cell->b, excess +
							log_share(gains, cell->b, cell->a, whole)));
	return (BlockChoice)
	{
		isnan(key) ? -INFINITY : key, wider_is_a(gains, cell)
	};
}

BlockChoice
block_gains_choose(const BlockGains *gains, const BlockCell *cell)
{
	return gains->radius != NULL ? choose_by_hope(gains, cell) :
		choose_by_gain(gains, cell);
}

/* Raise log Z of a node, one of whose terms is now `term`. */
static void
raise_node(BlockSolution *solution, int32_t node, double term, double rise)
{
	double		peak = solution->peak[node];
	double		high = term > peak ? term : peak;

	solution->log_sum[node] += (peak - high) + rise;
	solution->peak[node] = high;
	solution->log_z[node] = high + solution->log_sum[node];
}

void
block_gains_split(const BlockGains *gains, const BlockCell *cell,
				  bool split_a, BlockCell child[2])
{
	int32_t		node = split_a ? cell->a : cell->b;
	int32_t		other = split_a ? cell->b : cell->a;
	BlockSolution *solution = gains->solution;
	Split		split;

	measure_split(gains, cell, split_a, &split);
	raise_node(solution, node, split.offer, soft_plus(split.log_x_node));
	for (int s = 0; s < 2; s++)
	{
		int32_t		part = split.child[s];
		double		to = split.to_child[s];
		double		from = split.from_child[s];

		child[s] = split_a ?
			(BlockCell) {part, other, from, to} :
			(BlockCell) {other, part, to, from};
		raise_node(solution, part, block_gains_exponent(gains->beta, from),
				   split.rise[s]);
		raise_node(solution, other, block_gains_exponent(gains->beta, to),
				   s == 0 ? soft_plus(split.log_x_other) : 0);
		solution->log_mass[part] = solution->log_mass[node] +
			(split.offer - solution->peak[node]) - solution->log_sum[node];
	}
}
