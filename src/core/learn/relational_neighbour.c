/*
 * relational_neighbour.c
 *		A clamped walk by plain steps, or its limit.
 */
#include "learn/relational_neighbour.h"

#include "learn/damped_walk.h"

GlStatus
relational_neighbour_solve(GlHost *host, const Graph *graph,
						   const LabelSeeds *seeds,
						   const PropagateOptions *options, double *scores,
						   PropagateReport *report)
{
	DampedWalk	walk = {
		.normalisation = NORMALISE_WALK,
		.clamped = true,
		.upper = 1,				/* an absorption probability */
		.steps = options->iteration_limit
	};

	return damped_walk_propagate(host, graph, seeds, options, &walk, scores,
								 report);
}
