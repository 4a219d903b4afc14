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
		.graph = graph,
		.normalisation = NORMALISE_WALK,
		.damping = options->damping,
		.seeds = seeds,
		.clamped = true,
		.upper = 1,				/* an absorption probability */
		.tolerance = options->tolerance,
		.product_limit = options->iteration_limit
	};
	DampedWalkReport solved;

	GL_TRY(damped_walk_solve(host, &walk, scores, &solved));
	report->damping = options->damping;
	report->iterations = solved.products;
	report->residual = solved.residual;
	report->converged = solved.converged;
	return GL_OK;
}
