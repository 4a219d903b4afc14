/*
 * harmonic.c
 *		Learner H as a clamped damped walk.
 *
 * On a symmetric graph I - g W_UU is self-adjoint in the inner product of the
 * degrees, and conjugate gradients there are those on the symmetric form
 * (I - g S_UU) x_U = g S_UL x_L with x = d^1/2 f; the condition is at most
 * (1+g)/(1-g).  On others BiCGStab works on W itself: a graph is never
 * silently made symmetric.  Either way the residual that counts is the one
 * of the walk, max |f - g W f - b|, which no tiny degree can hide.
 */
#include "learn/harmonic.h"

#include "learn/damped_walk.h"

GlStatus
harmonic_solve(GlHost *host, const Graph *graph, const LabelSeeds *seeds,
			   const PropagateOptions *options, double *scores,
			   PropagateReport *report)
{
	DampedWalk	walk = {
		.normalisation = NORMALISE_WALK,
		.clamped = true,
		.upper = 1				/* an absorption probability */
	};

	return damped_walk_propagate(host, graph, seeds, options, &walk, scores,
								 report);
}
