/*
 * label_candidates.c
 *		Rows ranked by what a label there would tell.
 *
 * Three methods give every row a number and sort.  The fourth looks again
 * after each choice: with the rows that have a label as the only class of the
 * harmonic equation, f_i is the chance that a walk from i finds a label before
 * it ends, and the row with the lowest one is the farthest in the eyes of the
 * learner that will use the labels.
 */
#include "learn/label_candidates.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "base/sort.h"
#include "learn/damped_walk.h"
#include "learn/page_rank.h"

/* That of method harmonic. */
#define REACH_DAMPING	0.98
#define REACH_TOLERANCE	1e-6

/*
 * Heuristic: rows whose chances differ by less are equally far, and the one
 * with more weight arriving is chosen.  The solver promises no more digits in
 * a row, and a mirror image must not be decided by rounding.
 */
#define SAME_DISTANCE	1.01

void
label_candidates_defaults(CandidateOptions *options)
{
	memset(options, 0, sizeof(*options));
	options->method = CANDIDATES_PAGERANK;
	options->count = 10;
}

/* A^T 1: degrees, and where direction matters the arriving weight. */
static GlStatus
arriving_weight(GlHost *host, const Graph *graph, double *weight)
{
	double	   *ones;

	if (graph->is_symmetric)
		return graph_row_sums(host, graph, weight);
	GL_NEW(host, ones, graph->node_count);
	for (int64_t i = 0; i < graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		ones[i] = 1;
	}
	GL_TRY(graph_apply_transpose(host, graph, ones, weight, 1));
	gl_release(host, ones);
	return GL_OK;
}

static GlStatus
random_numbers(GlHost *host, int64_t count, int64_t seed, double *number)
{
	GlRandom	random;

	gl_random_begin(&random, seed);
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 1));
		number[i] = gl_random_unit(&random);
	}
	return GL_OK;
}

/* The number by which a row is ranked, larger first. */
static GlStatus
score_rows(GlHost *host, const Graph *graph, const CandidateOptions *options,
		   double *score)
{
	DampedWalkReport report;

	if (options->method == CANDIDATES_RANDOM)
		return random_numbers(host, graph->node_count, options->seed, score);
	if (options->method == CANDIDATES_DEGREE)
		return arriving_weight(host, graph, score);
	return page_rank_run(host, graph, NULL, 0, PAGE_RANK_DAMPING, score,
						 &report);
}

/* The best rows by score that are not taken. */
static GlStatus
choose_by_score(GlHost *host, const Graph *graph,
				const CandidateOptions *options, const bool *is_taken,
				int64_t wanted, int32_t *chosen)
{
	int64_t		n = graph->node_count;
	int64_t		count = 0;
	double	   *score;
	int64_t    *key;
	int32_t    *order;

	GL_NEW(host, score, n);
	GL_NEW(host, key, n);
	GL_NEW(host, order, n);
	GL_TRY(score_rows(host, graph, options, score));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		key[i] = gl_sort_key(-score[i]);
	}
	GL_TRY(gl_sort_order(host, key, n, order));
	for (int64_t rank = 0; rank < n && count < wanted; rank++)
	{
		GL_TRY(gl_work(host, 1));
		if (!is_taken[order[rank]])
			chosen[count++] = order[rank];
	}
	gl_release(host, score);
	gl_release(host, key);
	gl_release(host, order);
	return GL_OK;
}

/* reach[i] <- the chance that a walk from i finds a row that is taken. */
static GlStatus
measure_reach(GlHost *host, const Graph *graph, const bool *is_taken,
			  int32_t *node, const int32_t *zeros, double *reach)
{
	LabelSeeds	seeds = {.class_count = 1, .node = node, .label_class = zeros};
	DampedWalk	walk = {
		.graph = graph,
		.normalisation = NORMALISE_WALK,
		.damping = REACH_DAMPING,
		.seeds = &seeds,
		.clamped = true,
		.upper = 1,
		.tolerance = REACH_TOLERANCE,
		.product_limit = PROPAGATE_ITERATION_LIMIT
	};
	DampedWalkReport report;

	for (int64_t i = 0; i < graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (is_taken[i])
			node[seeds.seed_count++] = (int32_t) i;
	}
	if (seeds.seed_count == 0)
		return gl_zero(host, reach, (size_t) graph->node_count,
					   sizeof(double));
	return damped_walk_solve(host, &walk, reach, &report);
}

/* The row of least reach; of about equal ones that of most weight. */
static GlStatus
find_farthest(GlHost *host, int64_t node_count, const bool *is_taken,
			  const double *reach, const double *weight, int32_t *farthest)
{
	double		least = INFINITY;

	*farthest = -1;
	for (int64_t i = 0; i < node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (!is_taken[i])
			least = fmin(least, reach[i]);
	}
	for (int64_t i = 0; i < node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (!is_taken[i] && reach[i] <= SAME_DISTANCE * least &&
			(*farthest < 0 || weight[i] > weight[*farthest]))
			*farthest = (int32_t) i;
	}
	return GL_OK;
}

static GlStatus
choose_farthest(GlHost *host, const Graph *graph, bool *is_taken,
				int64_t wanted, int32_t *chosen)
{
	int64_t		n = graph->node_count;
	double	   *weight;
	double	   *reach;
	int32_t    *node;
	int32_t    *zeros;

	GL_NEW(host, weight, n);
	GL_NEW(host, reach, n);
	GL_NEW(host, node, n);
	GL_NEW_ZEROED(host, zeros, n);
	GL_TRY(arriving_weight(host, graph, weight));
	for (int64_t k = 0; k < wanted; k++)
	{
		GL_TRY(measure_reach(host, graph, is_taken, node, zeros, reach));
		GL_TRY(find_farthest(host, n, is_taken, reach, weight, &chosen[k]));
		is_taken[chosen[k]] = true;
	}
	gl_release(host, weight);
	gl_release(host, reach);
	gl_release(host, node);
	gl_release(host, zeros);
	return GL_OK;
}

GlStatus
label_candidates_run(GlHost *host, const Graph *graph,
					 const int32_t *labelled, int64_t labelled_count,
					 const CandidateOptions *options, int32_t **chosen,
					 int64_t *chosen_count)
{
	int64_t		left = graph->node_count;
	int64_t		wanted;
	bool	   *is_taken;
	int32_t    *result;

	*chosen = NULL;
	*chosen_count = 0;
	GL_TRY(graph_require_similarity(host, graph, "gl_label_candidates"));
	if (options->count < 0)
		return gl_fail(host, GL_ERR_OPTION,
					   "n must not be negative, but is %" PRId64,
					   options->count);
	GL_NEW_ZEROED(host, is_taken, graph->node_count);
	for (int64_t k = 0; k < labelled_count; k++)
	{
		GL_TRY(gl_work(host, 1));
		left -= !is_taken[labelled[k]];
		is_taken[labelled[k]] = true;
	}
	wanted = options->count < left ? options->count : left;
	GL_NEW(host, result, wanted);
	if (wanted == 0)
		;						/* nothing to choose, or nobody to ask */
	else if (options->method == CANDIDATES_FARTHEST)
		GL_TRY(choose_farthest(host, graph, is_taken, wanted, result));
	else
		GL_TRY(choose_by_score(host, graph, options, is_taken, wanted,
							   result));
	gl_release(host, is_taken);
	*chosen = result;
	*chosen_count = wanted;
	return GL_OK;
}
