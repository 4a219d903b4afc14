/*
 * reversible.c
 *		Stationary distribution by lazy steps, and the symmetrised product.
 */
#include "graph/reversible.h"

#include <math.h>
#include <string.h>

/* One lazy step; *change is the residual sum |W^T pi - pi| before it. */
static GlStatus
lazy_step(GlHost *host, const NormalisedGraph *walk, double *stationary,
		  double *moved, double *change)
{
	int64_t		n = walk->graph->node_count;
	double		sum = 0;

	GL_TRY(normalised_apply_transpose(host, walk, stationary, moved, 1));
	*change = 0;
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 2));
		*change += fabs(moved[i] - stationary[i]);
		stationary[i] = (stationary[i] + moved[i]) / 2;
		sum += stationary[i];
	}
	/* mass leaks where a node has no way out, and by rounding */
	for (int64_t i = 0; i < n && sum > 0; i++)
		stationary[i] /= sum;
	return gl_work(host, n);
}

static GlStatus
find_stationary(GlHost *host, ReversibleWalk *reversible, double tolerance,
				int64_t limit, ReversibleReport *report)
{
	int64_t		n = reversible->walk.graph->node_count;
	double	   *moved;

	GL_NEW(host, moved, n);
	for (int64_t i = 0; i < n; i++)
		reversible->stationary[i] = 1 / (double) n;
	while (report->iterations < limit && !report->converged)
	{
		GL_TRY(lazy_step(host, &reversible->walk, reversible->stationary,
						 moved, &report->residual));
		report->iterations++;
		report->converged = report->residual <= tolerance;
	}
	gl_release(host, moved);
	return GL_OK;
}

GlStatus
reversible_begin(GlHost *host, const Graph *graph, int32_t max_columns,
				 double tolerance, int64_t limit, ReversibleWalk *out,
				 ReversibleReport *report)
{
	ReversibleWalk reversible = {0};
	int64_t		n = graph->node_count;

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	GL_TRY(normalised_begin(host, graph, NORMALISE_WALK,
							max_columns > 1 ? max_columns : 1,
							&reversible.walk));
	GL_NEW(host, reversible.stationary, n);
	GL_NEW(host, reversible.root, n);
	GL_NEW(host, reversible.inverse_root, n);
	reversible.scaled = gl_allocate(host, (size_t) n,
									(size_t) max_columns * sizeof(double));
	if (reversible.scaled == NULL)
		return host->status;
	reversible.product = gl_allocate(host, (size_t) n,
									 (size_t) max_columns * sizeof(double));
	if (reversible.product == NULL)
		return host->status;
	GL_TRY(find_stationary(host, &reversible, tolerance, limit, report));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 4));
		reversible.root[i] = sqrt(reversible.stationary[i]);
		reversible.inverse_root[i] = reversible.root[i] > 0 ?
			1 / reversible.root[i] : 0;
	}
	*out = reversible;
	return GL_OK;
}

void
reversible_end(GlHost *host, ReversibleWalk *reversible)
{
	normalised_end(host, &reversible->walk);
	gl_release(host, reversible->stationary);
	gl_release(host, reversible->root);
	gl_release(host, reversible->inverse_root);
	gl_release(host, reversible->scaled);
	gl_release(host, reversible->product);
	memset(reversible, 0, sizeof(*reversible));
}

GlStatus
reversible_apply(GlHost *host, const ReversibleWalk *reversible,
				 const double *x, double *y, int32_t columns)
{
	int64_t		n = reversible->walk.graph->node_count;

	if (columns > reversible->walk.max_columns)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "product with %d columns, prepared for %d", columns,
					   reversible->walk.max_columns);
	GL_TRY(normalised_scale_rows(host, reversible->inverse_root, n, columns,
								 x, reversible->scaled));
	GL_TRY(normalised_apply(host, &reversible->walk, reversible->scaled, y,
							columns));
	GL_TRY(normalised_scale_rows(host, reversible->root, n, columns, x,
								 reversible->scaled));
	GL_TRY(normalised_apply_transpose(host, &reversible->walk,
									  reversible->scaled,
									  reversible->product, columns));
	for (int64_t i = 0; i < n; i++)
	{
		double		root = reversible->root[i];
		double		inverse = reversible->inverse_root[i];

		GL_TRY(gl_work(host, 2 * columns));
		for (int32_t c = 0; c < columns; c++)
			y[i * columns + c] = (root * y[i * columns + c] +
								  inverse * reversible->product[i * columns + c]) / 2;
	}
	return GL_OK;
}
