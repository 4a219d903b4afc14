/*
 * label_walk.c
 *		A walk with sources by plain steps from Y, or its limit.
 */
#include "learn/label_walk.h"

#include "learn/damped_walk.h"

GlStatus
label_walk_solve(GlHost *host, const Graph *graph, const LabelSeeds *seeds,
				 const PropagateOptions *options, double *scores,
				 PropagateReport *report)
{
	DampedWalk	walk = {
		.normalisation = NORMALISE_WALK,
		.source = 1 - options->damping,
		.start = options->iteration_limit > 0 ? 1 : 0,
		.upper = 1,				/* an average of zeros and ones */
		.steps = options->iteration_limit
	};

	return damped_walk_propagate(host, graph, seeds, options, &walk, scores,
								 report);
}
