/*
 * local_global.c
 *		Local and global consistency as a damped walk with sources.
 *
 * S has norm at most 1, so |F_c| <= |Y_c|: no value exceeds the square root
 * of the number of seeds, nor 1 where N is the walk.  That is the box the
 * solver keeps F in.
 */
#include "learn/local_global.h"

#include <math.h>

#include "learn/damped_walk.h"

GlStatus
local_global_solve(GlHost *host, const Graph *graph,
				   const LabelSeeds *seeds, const PropagateOptions *options,
				   double *scores, PropagateReport *report)
{
	DampedWalk	walk = {
		.graph = graph,
		.normalisation = graph->is_symmetric ?
			NORMALISE_SYMMETRIC : NORMALISE_WALK,
		.damping = options->damping,
		.seeds = seeds,
		.source = 1 - options->damping,
		.upper = graph->is_symmetric ? sqrt((double) seeds->seed_count) : 1,
		.tolerance = options->tolerance,
		.product_limit = options->iteration_limit
	};
	DampedWalkReport solved;

	GL_TRY(damped_walk_solve(host, &walk, scores, &solved));
	report->normalisation = walk.normalisation;
	report->damping = options->damping;
	report->iterations = solved.products;
	report->residual = solved.residual;
	report->converged = solved.converged;
	return GL_OK;
}
