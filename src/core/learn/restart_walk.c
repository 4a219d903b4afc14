/*
 * restart_walk.c
 *		Random walks with restart, many at a time, by plain iteration.
 */
#include "learn/restart_walk.h"

#include <math.h>
#include <string.h>

/* v <- (1 - g) r + g p; change[c] <- sum |v' - v| of each column. */
static GlStatus
blend(GlHost *host, int64_t node_count, int32_t columns, double damping,
	  const double *restart, const double *product, double *v,
	  double *change)
{
	for (int32_t c = 0; c < columns; c++)
		change[c] = 0;
	for (int64_t i = 0; i < node_count; i++)
	{
		GL_TRY(gl_work(host, 2 * columns));
		for (int32_t c = 0; c < columns; c++)
		{
			int64_t		at = i * columns + c;
			double		next = (1 - damping) * restart[at] +
				damping * product[at];

			change[c] += fabs(next - v[at]);
			v[at] = next;
		}
	}
	return GL_OK;
}

GlStatus
restart_walk_run(GlHost *host, const NormalisedGraph *spread,
				 const double *restart, int32_t columns, double damping,
				 double tolerance, int64_t product_limit, double *v,
				 RestartWalkReport *report)
{
	int64_t		n = spread->graph->node_count;
	double	   *product;
	double	   *change;

	memset(report, 0, sizeof(*report));
	GL_NEW(host, product, n * columns);
	GL_NEW(host, change, columns);
	while (!report->converged && report->products < product_limit)
	{
		GL_TRY(normalised_apply(host, spread, v, product, columns));
		GL_TRY(blend(host, n, columns, damping, restart, product, v, change));
		report->products++;
		report->change = 0;
		for (int32_t c = 0; c < columns; c++)
			if (change[c] > report->change)
				report->change = change[c];
		report->converged = report->change <= tolerance;
	}
	gl_release(host, change);
	gl_release(host, product);
	return GL_OK;
}

GlStatus
restart_walk_pagerank(GlHost *host, const Graph *graph, double damping,
					  double tolerance, int64_t product_limit, double *rank,
					  RestartWalkReport *report)
{
	int64_t		n = graph->node_count;
	NormalisedGraph spread;
	double	   *restart;

	GL_TRY(normalised_begin(host, graph, NORMALISE_SPREAD, 1, &spread));
	GL_NEW(host, restart, n);
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		restart[i] = rank[i] = 1.0 / (double) n;
	}
	GL_TRY(restart_walk_run(host, &spread, restart, 1, damping, tolerance,
							product_limit, rank, report));
	gl_release(host, restart);
	normalised_end(host, &spread);
	return GL_OK;
}
