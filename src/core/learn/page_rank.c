/*
 * page_rank.c
 *		PageRank as a damped walk on W^T with a source at every restart node.
 *
 * W^T is a contraction in the sum of absolute values, so a solution exists on
 * every graph: no need for it to be connected or free of cycles.
 */
#include "learn/page_rank.h"

#include <math.h>
#include <string.h>

/* Ranks are compared with each other, so they are computed to many digits. */
#define RANK_TOLERANCE	1e-10

GlStatus
page_rank_scale(GlHost *host, int64_t node_count, int32_t columns,
				double *values)
{
	double	   *total;

	GL_NEW_ZEROED(host, total, columns);
	for (int64_t i = 0; i < node_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			total[c] += values[i * columns + c];
	}
	for (int64_t i = 0; i < node_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			if (total[c] > 0)
				values[i * columns + c] /= total[c];
	}
	gl_release(host, total);
	return GL_OK;
}

/* Restart nodes as seeds of one class: those given, or all. */
static GlStatus
restart_seeds(GlHost *host, const Graph *graph, const int32_t *nodes,
			  int64_t node_count, LabelSeeds *seeds, int32_t **scratch)
{
	int64_t		count = node_count > 0 ? node_count : graph->node_count;
	int32_t    *node;

	GL_NEW_ZEROED(host, *scratch, 2 * count);	/* classes, then nodes */
	node = *scratch + count;
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 1));
		node[i] = node_count > 0 ? nodes[i] : (int32_t) i;
	}
	seeds->class_count = 1;
	seeds->seed_count = count;
	seeds->node = node;
	seeds->label_class = *scratch;
	return GL_OK;
}

GlStatus
page_rank_solve(GlHost *host, const Graph *graph, const int32_t *nodes,
				int64_t node_count, double damping, double tolerance,
				double *score, DampedWalkReport *report)
{
	LabelSeeds	seeds;
	int32_t    *scratch;
	DampedWalk	walk = {
		.graph = graph,
		.normalisation = NORMALISE_SPREAD,
		.damping = damping,
		.seeds = &seeds,
		.upper = 1,				/* a probability */
		.tolerance = tolerance,
		.product_limit = PROPAGATE_ITERATION_LIMIT
	};

	GL_TRY(restart_seeds(host, graph, nodes, node_count, &seeds, &scratch));
	walk.source = (1 - damping) / (double) seeds.seed_count;
	GL_TRY(damped_walk_solve(host, &walk, score, report));
	gl_release(host, scratch);
	return GL_OK;
}

GlStatus
page_rank_run(GlHost *host, const Graph *graph, const int32_t *nodes,
			  int64_t node_count, double damping, double *score,
			  DampedWalkReport *report)
{
	memset(report, 0, sizeof(*report));
	GL_TRY(graph_require_similarity(host, graph, "gl_rank"));
	if (!(damping > 0 && damping < 1))
		return gl_fail(host, GL_ERR_OPTION,
					   "damping must be greater than 0 and less than 1, "
					   "not %g", damping);
	report->converged = true;
	if (graph->node_count == 0)
		return GL_OK;
	GL_TRY(page_rank_solve(host, graph, nodes, node_count, damping,
						   RANK_TOLERANCE, score, report));
	return page_rank_scale(host, graph->node_count, 1, score);
}
