/*
 * normalised.c
 *		D^-1 A, A^T D^-1 and D^-1/2 A D^-1/2 from the operator contract alone.
 *
 * With L and R the diagonal factors, N = L M R and N^T = R M^T L, M being A or
 * A^T, so one routine serves every normalisation and its transpose: scale the
 * input, apply, scale the output.
 */
#include "graph/normalised.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Each factor to its power: 1/d, or d^-1/2, and 0 for an isolated node. */
static GlStatus
compute_factors(GlHost *host, NormalisedGraph *normalised)
{
	const Graph *graph = normalised->graph;
	bool		root = normalised->normalisation == NORMALISE_SYMMETRIC;

	for (int64_t i = 0; i < graph->node_count; i++)
	{
		double		degree = normalised->degree[i];

		GL_TRY(gl_work(host, 1));
		if (!(degree >= 0) || !isfinite(degree))
			return gl_fail(host, GL_ERR_DATA,
						   "the weights at id %" PRId64
						   " do not sum to a finite degree", graph->ids[i]);
		if (degree == 0)
			normalised->factor[i] = 0;
		else
			normalised->factor[i] = root ? 1.0 / sqrt(degree) : 1.0 / degree;
		if (!isfinite(normalised->factor[i]))
			return gl_fail(host, GL_ERR_DATA,
						   "the weights at id %" PRId64
						   " are too small to be normalised", graph->ids[i]);
	}
	return GL_OK;
}

GlStatus
normalised_begin(GlHost *host, const Graph *graph,
				 Normalisation normalisation, int32_t max_columns,
				 NormalisedGraph *out)
{
	NormalisedGraph normalised = {
		.graph = graph,
		.normalisation = normalisation,
		.max_columns = max_columns
	};

	memset(out, 0, sizeof(*out));
	if (normalisation != NORMALISE_NONE)
	{
		GL_NEW(host, normalised.degree, graph->node_count);
		GL_NEW(host, normalised.factor, graph->node_count);
		normalised.scaled = gl_allocate(host, (size_t) graph->node_count,
										(size_t) max_columns * sizeof(double));
		if (normalised.scaled == NULL)
			return host->status;
		GL_TRY(graph_row_sums(host, graph, normalised.degree));
		GL_TRY(compute_factors(host, &normalised));
	}
	*out = normalised;
	return GL_OK;
}

void
normalised_end(GlHost *host, NormalisedGraph *normalised)
{
	gl_release(host, normalised->degree);
	gl_release(host, normalised->factor);
	gl_release(host, normalised->scaled);
	memset(normalised, 0, sizeof(*normalised));
}

GlStatus
normalised_scale_rows(GlHost *host, const double *factor, int64_t node_count,
					  int32_t columns, const double *from, double *to)
{
	for (int64_t i = 0; i < node_count; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			to[i * columns + c] = factor[i] * from[i * columns + c];
	}
	return GL_OK;
}

typedef GlStatus (*Product) (GlHost *host, const Graph *graph,
							 const double *x, double *y, int32_t columns);

/* y <- L M R x, with L and R present or the identity. */
static GlStatus
sandwich(GlHost *host, const NormalisedGraph *normalised, Product product,
		 bool scale_input, bool scale_output, const double *x, double *y,
		 int32_t columns)
{
	const Graph *graph = normalised->graph;

	if (columns > normalised->max_columns &&
		normalised->normalisation != NORMALISE_NONE)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "product with %d columns, prepared for %d", columns,
					   normalised->max_columns);
	if (scale_input)
	{
		GL_TRY(normalised_scale_rows(host, normalised->factor,
									 graph->node_count, columns, x,
									 normalised->scaled));
		x = normalised->scaled;
	}
	GL_TRY(product(host, graph, x, y, columns));
	if (scale_output)
		GL_TRY(normalised_scale_rows(host, normalised->factor,
									 graph->node_count, columns, y, y));
	return GL_OK;
}

GlStatus
normalised_apply(GlHost *host, const NormalisedGraph *normalised,
				 const double *x, double *y, int32_t columns)
{
	Normalisation kind = normalised->normalisation;

	return sandwich(host, normalised,
					kind == NORMALISE_SPREAD ? graph_apply_transpose :
					graph_apply,
					kind == NORMALISE_SPREAD || kind == NORMALISE_SYMMETRIC,
					kind == NORMALISE_WALK || kind == NORMALISE_SYMMETRIC,
					x, y, columns);
}

GlStatus
normalised_apply_transpose(GlHost *host, const NormalisedGraph *normalised,
						   const double *x, double *y, int32_t columns)
{
	Normalisation kind = normalised->normalisation;

	return sandwich(host, normalised,
					kind == NORMALISE_SPREAD ? graph_apply :
					graph_apply_transpose,
					kind == NORMALISE_WALK || kind == NORMALISE_SYMMETRIC,
					kind == NORMALISE_SPREAD || kind == NORMALISE_SYMMETRIC,
					x, y, columns);
}
