/*
 * local_global.c
 *		Local and global consistency as a damped walk with sources.
 */
#include "learn/local_global.h"

#include <math.h>

#include "learn/damped_walk.h"

static GlStatus
choose_normalisation(GlHost *host, const Graph *graph, Normalisation asked,
					 Normalisation *chosen)
{
	*chosen = asked != NORMALISE_NONE ? asked :
		graph->is_symmetric ? NORMALISE_SYMMETRIC : NORMALISE_WALK;
	if (*chosen != NORMALISE_SYMMETRIC || graph->is_symmetric)
		return GL_OK;
	gl_fail(host, GL_ERR_OPTION,
			"the symmetric form needs a symmetric graph");
	gl_hint(host, "On this graph normalise can be 'walk' or 'spread'.");
	return GL_ERR_OPTION;
}

/*
 * The box the solver keeps F in.  W: an average of Y.  S has norm at most 1,
 * so |F_c| <= |Y_c| in length; W^T in sum.
 */
static double
largest_value(Normalisation normalisation, int64_t seed_count)
{
	if (normalisation == NORMALISE_WALK)
		return 1;
	if (normalisation == NORMALISE_SYMMETRIC)
		return sqrt((double) seed_count);
	return (double) seed_count;
}

GlStatus
local_global_solve(GlHost *host, const Graph *graph,
				   const LabelSeeds *seeds, const PropagateOptions *options,
				   double *scores, PropagateReport *report)
{
	DampedWalk	walk = {.source = 1 - options->damping};

	GL_TRY(choose_normalisation(host, graph, options->normalisation,
								&walk.normalisation));
	walk.upper = largest_value(walk.normalisation, seeds->seed_count);
	return damped_walk_propagate(host, graph, seeds, options, &walk, scores,
								 report);
}
