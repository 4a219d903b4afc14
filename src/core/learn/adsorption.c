/*
 * adsorption.c
 *		Adsorption as a damped walk whose seed rows follow their edges less.
 *
 * With p_i = s_i / (s_i + d_i), the chance that a walk at i steps over to the
 * shadow, f_i = p_i y_i + g (1 - p_i) sum_j W_ij f_j.  On a symmetric graph
 * that is self-adjoint in the inner product weighted by s_i + d_i, so
 * conjugate gradients apply.
 */
#include "learn/adsorption.h"

#include <inttypes.h>
#include <math.h>

#include "learn/damped_walk.h"

/*
 * A seed follows its edges with at least this chance.  Beyond, the label is
 * held as fast as the digits of f can tell, and weights would overflow.
 */
#define SMALLEST_GAIN	1e-13

/* Sources and gains of the seeds; other gains are 1 already. */
static GlStatus
weigh_seeds(GlHost *host, const Graph *graph, const LabelSeeds *seeds,
			const double *injection, const double *degree, double *source,
			double *gain)
{
	for (int64_t s = 0; s < seeds->seed_count; s++)
	{
		int32_t		node = seeds->node[s];
		bool		given = injection != NULL && !isnan(injection[node]);
		double		ratio;		/* d / s */

		GL_TRY(gl_work(host, 1));
		if (given && !(injection[node] > 0 && isfinite(injection[node])))
			return gl_fail(host, GL_ERR_OPTION,
						   "injection must be positive and finite, but is "
						   "%g at id %" PRId64, injection[node],
						   graph->ids[node]);
		if (degree[node] == 0)
			ratio = 0;			/* the label is all it has */
		else
			ratio = given ? degree[node] / injection[node] : 1;
		/* 1 / (1 + s/d), with care for a quotient beyond all numbers */
		gain[node] = fmax(isinf(ratio) ? 1 : ratio / (1 + ratio),
						  SMALLEST_GAIN);
		source[s] = 1 / (1 + ratio);
	}
	return GL_OK;
}

GlStatus
adsorption_solve(GlHost *host, const Graph *graph, const LabelSeeds *seeds,
				 const PropagateOptions *options, double *scores,
				 PropagateReport *report)
{
	int64_t		n = graph->node_count;
	double	   *degree;
	double	   *gain;
	double	   *source;
	DampedWalk	walk = {
		.normalisation = NORMALISE_WALK,
		.upper = 1				/* an absorption probability */
	};

	GL_NEW(host, degree, n);
	GL_NEW(host, gain, n);
	GL_NEW(host, source, seeds->seed_count);
	GL_TRY(graph_row_sums(host, graph, degree));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		gain[i] = 1;
	}
	GL_TRY(weigh_seeds(host, graph, seeds, options->injection, degree,
					   source, gain));
	gl_release(host, degree);
	walk.row_gain = gain;
	walk.seed_source = source;
	GL_TRY(damped_walk_propagate(host, graph, seeds, options, &walk, scores,
								 report));
	gl_release(host, gain);
	gl_release(host, source);
	return GL_OK;
}
