/*
 * symmetric_form.c
 *		Symmetric weights, their walk and their Laplacian as products.
 */
#include "embed/symmetric_form.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* pi: its accuracy bounds that of every distance; and the work it may take. */
#define STATIONARY_TOLERANCE	1e-12
#define STATIONARY_LIMIT		20000

/*
 * Below this part of an even share a node's mass is what the search for pi
 * has not yet carried off, and eigenvectors divided by its root are noise.
 */
#define MASS_FLOOR	1e-9

static GlStatus
stationary_mass(GlHost *host, const Graph *graph, const char *learner,
				SymmetricForm *form)
{
	int64_t		n = graph->node_count;

	GL_TRY(reversible_begin(host, graph, form->max_columns,
							STATIONARY_TOLERANCE, STATIONARY_LIMIT,
							&form->reversible, &form->report));
	for (int64_t i = 0; i < n; i++)
	{
		double		mass = form->reversible.stationary[i];

		GL_TRY(gl_work(host, 1));
		if (mass * (double) n < MASS_FLOOR &&
			form->reversible.walk.degree[i] > 0)
		{
			gl_fail(host, GL_ERR_DATA,
					"%s needs a walk that comes back, but none returns to "
					"id %" PRId64, learner, graph->ids[i]);
			gl_hint(host, "Build the graph with another symmetry than "
					"'directed', or with gl_edge_graph.");
			return GL_ERR_DATA;
		}
		form->mass[i] = mass;
	}
	return GL_OK;
}

GlStatus
symmetric_form_begin(GlHost *host, const Graph *graph, int32_t max_columns,
					 const char *learner, SymmetricForm *out)
{
	SymmetricForm form = {
		.graph = graph,
		.max_columns = max_columns,
		.report = {.converged = true}
	};
	int64_t		n = graph->node_count;

	memset(out, 0, sizeof(*out));
	GL_TRY(graph_require_similarity(host, graph, learner));
	GL_NEW(host, form.mass, n);
	GL_NEW(host, form.root, n);
	GL_NEW(host, form.inverse_root, n);
	form.scaled = gl_allocate(host, (size_t) n,
							  (size_t) max_columns * sizeof(double));
	if (form.scaled == NULL)
		return host->status;
	if (graph->is_symmetric)
		GL_TRY(graph_row_sums(host, graph, form.mass));
	else
		GL_TRY(stationary_mass(host, graph, learner, &form));
	for (int64_t i = 0; i < n; i++)
	{
		double		mass = form.mass[i];

		GL_TRY(gl_work(host, 4));
		form.root[i] = sqrt(mass);
		form.inverse_root[i] = mass > 0 ? 1 / form.root[i] : 0;
		if (!(mass >= 0) || !isfinite(mass) || !isfinite(form.inverse_root[i]))
			return gl_fail(host, GL_ERR_DATA,
						   "the weights at id %" PRId64
						   " do not sum to a usable degree", graph->ids[i]);
		form.total += mass;
		form.largest = fmax(form.largest, mass);
	}
	*out = form;
	return GL_OK;
}

void
symmetric_form_end(GlHost *host, SymmetricForm *form)
{
	if (form->reversible.stationary != NULL)
		reversible_end(host, &form->reversible);
	gl_release(host, form->mass);
	gl_release(host, form->root);
	gl_release(host, form->inverse_root);
	gl_release(host, form->scaled);
	memset(form, 0, sizeof(*form));
}

static GlStatus
require_columns(GlHost *host, const SymmetricForm *form, int32_t columns)
{
	if (columns > form->max_columns)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "product with %d columns, prepared for %d", columns,
					   form->max_columns);
	return GL_OK;
}

GlStatus
symmetric_form_walk(GlHost *host, const SymmetricForm *form, const double *x,
					double *y, int32_t columns)
{
	int64_t		n = form->graph->node_count;

	GL_TRY(require_columns(host, form, columns));
	if (!form->graph->is_symmetric)
		return reversible_apply(host, &form->reversible, x, y, columns);
	GL_TRY(normalised_scale_rows(host, form->inverse_root, n, columns, x,
								 form->scaled));
	GL_TRY(graph_apply(host, form->graph, form->scaled, y, columns));
	return normalised_scale_rows(host, form->inverse_root, n, columns, y, y);
}

GlStatus
symmetric_form_laplacian(GlHost *host, const SymmetricForm *form,
						 const double *x, double *y, int32_t columns)
{
	int64_t		n = form->graph->node_count;

	GL_TRY(require_columns(host, form, columns));
	if (form->graph->is_symmetric)
		GL_TRY(graph_apply(host, form->graph, x, y, columns));
	else
	{
		/* C = M^1/2 S M^1/2 */
		GL_TRY(normalised_scale_rows(host, form->root, n, columns, x,
									 form->scaled));
		GL_TRY(reversible_apply(host, &form->reversible, form->scaled, y,
								columns));
		GL_TRY(normalised_scale_rows(host, form->root, n, columns, y, y));
	}
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			y[i * columns + c] = form->mass[i] * x[i * columns + c] -
				y[i * columns + c];
	}
	return GL_OK;
}
