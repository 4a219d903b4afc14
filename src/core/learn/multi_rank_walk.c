/*
 * multi_rank_walk.c
 *		C personalised PageRanks at once, and one plain PageRank to mix in.
 *
 * The equation is linear in its sources, so the walk with teleport is a mix
 *
 *		V_c = (a U_c + b u) / (1-g)
 *
 * of U_c, the walk that restarts at the seeds of c alone, and u, the one that
 * restarts anywhere.  Keeping them apart tells which rows a seed can reach:
 * those where U is not 0.  Added to the walk itself, b would give every row
 * the same score for all classes, and the first class would win.
 */
#include "learn/multi_rank_walk.h"

#include <math.h>
#include <string.h>

#include "learn/damped_walk.h"
#include "learn/page_rank.h"

/* (1-g) / n_c for each seed of class c. */
static GlStatus
share_restarts(GlHost *host, const LabelSeeds *seeds, double damping,
			   double *source)
{
	int64_t    *count;

	GL_NEW_ZEROED(host, count, seeds->class_count);
	for (int64_t s = 0; s < seeds->seed_count; s++)
	{
		GL_TRY(gl_work(host, 1));
		count[seeds->label_class[s]]++;
	}
	for (int64_t s = 0; s < seeds->seed_count; s++)
	{
		GL_TRY(gl_work(host, 1));
		source[s] = (1 - damping) / (double) count[seeds->label_class[s]];
	}
	gl_release(host, count);
	return GL_OK;
}

/* scores <- (a scores + b anywhere) / (1-g) on the rows that are not 0. */
static GlStatus
mix_in(GlHost *host, int64_t node_count, int32_t class_count,
	   const PropagateOptions *options, const double *anywhere,
	   double *scores)
{
	double		share = options->teleport / (1 - options->damping);

	for (int64_t i = 0; i < node_count; i++)
	{
		double	   *row = scores + i * class_count;
		bool		is_reached = false;

		GL_TRY(gl_work(host, 2 * class_count));
		for (int32_t c = 0; c < class_count; c++)
			is_reached = is_reached || row[c] > 0;
		for (int32_t c = 0; c < class_count && is_reached; c++)
			row[c] = (1 - share) * row[c] + share * anywhere[i];
	}
	return GL_OK;
}

static GlStatus
add_teleport(GlHost *host, const Graph *graph, int32_t class_count,
			 const PropagateOptions *options, double *scores,
			 PropagateReport *report)
{
	DampedWalkReport solved;
	double	   *anywhere;

	GL_NEW(host, anywhere, graph->node_count);
	GL_TRY(page_rank_solve(host, graph, NULL, 0, options->damping,
						   options->tolerance, anywhere, &solved));
	GL_TRY(mix_in(host, graph->node_count, class_count, options, anywhere,
				  scores));
	gl_release(host, anywhere);
	report->iterations += solved.products;
	report->residual = fmax(report->residual, solved.residual);
	report->error_bound = fmax(report->error_bound, solved.error_bound);
	report->converged = report->converged && solved.converged;
	return GL_OK;
}

GlStatus
multi_rank_walk_solve(GlHost *host, const Graph *graph,
					  const LabelSeeds *seeds,
					  const PropagateOptions *options, double *scores,
					  PropagateReport *report)
{
	DampedWalk	walk = {
		.normalisation = NORMALISE_SPREAD,
		.upper = 1				/* a probability */
	};
	double	   *source;

	GL_NEW(host, source, seeds->seed_count);
	GL_TRY(share_restarts(host, seeds, options->damping, source));
	walk.seed_source = source;
	GL_TRY(damped_walk_propagate(host, graph, seeds, options, &walk, scores,
								 report));
	gl_release(host, source);
	if (options->teleport > 0)
		GL_TRY(add_teleport(host, graph, seeds->class_count, options, scores,
							report));
	return page_rank_scale(host, graph->node_count, seeds->class_count,
						   scores);
}
