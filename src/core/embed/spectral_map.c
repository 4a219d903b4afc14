/*
 * spectral_map.c
 *		Eigenvectors to coordinates, one component after the other.
 */
#include "embed/spectral_map.h"

#include <math.h>
#include <string.h>

#include "embed/spectrum.h"
#include "graph/arranged.h"

bool
spectral_map_is_walk(SpectralMethod method)
{
	return method == SPECTRAL_DIFFUSION || method == SPECTRAL_LAPLACIAN;
}

double
spectral_map_factor(SpectralMethod method, double time, double value)
{
	switch (method)
	{
		case SPECTRAL_DIFFUSION:
			/* the sign of lambda^t is that of a whole axis: left out */
			return pow(fabs(value), time);
		case SPECTRAL_LAPLACIAN:
			return 1;
		case SPECTRAL_HEAT:
			return exp(-time * value);
		case SPECTRAL_RESISTANCE:
			return value > 0 ? 1 / sqrt(value) : 0;
		case SPECTRAL_BIHARMONIC:
			return value > 0 ? 1 / value : 0;
	}
	return 0;
}

/*
 * Coordinates of a connected graph, into the rows of `coordinates` that
 * node[] names (NULL: in order).
 */
static GlStatus
map_component(GlHost *host, const Graph *graph,
			  const SpectralMapOptions *options, const int32_t *node,
			  double *coordinates, SpectralMapReport *report)
{
	bool		walk = spectral_map_is_walk(options->method);
	SpectrumOptions search = {
		.matrix = walk ? SPECTRUM_WALK : SPECTRUM_LAPLACIAN,
		.order = options->method == SPECTRAL_DIFFUSION ?
		EIGEN_MAGNITUDE : EIGEN_LARGEST,
		.wanted = options->dimensions,
		.seed = options->seed,
		.learner = options->learner
	};
	Spectrum	spectrum;
	double		total;
	int32_t		count;

	GL_TRY(spectrum_find_here(host, graph, &search, &spectrum));
	count = spectrum.pairs.count;
	/* sum pi psi^2 = 1 for diffusion, sum m psi^2 = 1 for laplacian */
	total = options->method == SPECTRAL_DIFFUSION ? spectrum.total : 1;
	for (int32_t c = 0; c < count; c++)
		spectrum.pairs.values[c] = spectral_map_factor(options->method,
													   options->time,
													   spectrum.pairs.values[c]);
	for (int64_t i = 0; i < graph->node_count; i++)
	{
		double	   *to = coordinates +
			(node ? node[i] : i) * options->dimensions;
		double		scale = !walk ? 1 :
			spectrum.mass[i] > 0 ? sqrt(total / spectrum.mass[i]) : 0;

		GL_TRY(gl_work(host, count + 1));
		for (int32_t c = 0; c < count; c++)
			to[c] = scale * spectrum.pairs.values[c] *
				spectrum.pairs.vectors[i * count + c];
	}
	report->products += spectrum.report.products;
	report->residual = fmax(report->residual, spectrum.report.residual);
	report->converged = report->converged && spectrum.report.converged;
	spectrum_release(host, &spectrum);
	return GL_OK;
}

/* Every component of more than one node, as a graph of its own. */
static GlStatus
map_components(GlHost *host, const Graph *graph,
			   const SpectralMapOptions *options, double *coordinates,
			   SpectralMapReport *report)
{
	ArrangedGraph arranged;

	GL_TRY(arranged_begin(host, graph, &arranged));
	report->component_count = arranged.component_count;
	for (int32_t c = 0; c < arranged.component_count; c++)
	{
		int64_t		first = arranged.component_start[c];
		SparseGraph part;

		GL_TRY(gl_work(host, 1));
		if (arranged.component_start[c + 1] - first < 2)
			continue;
		if (arranged.component_count == 1)
		{
			GL_TRY(map_component(host, &arranged.sparse.graph, options,
								 arranged.node, coordinates, report));
			break;
		}
		GL_TRY(arranged_part(host, &arranged, c, &part));
		GL_TRY(map_component(host, &part.graph, options,
							 arranged.node + first, coordinates, report));
		graph_release(host, &part.graph);
	}
	arranged_end(host, &arranged);
	return GL_OK;
}

/*
 * Signs by the order of the nodes, which arranging has changed: by component,
 * the first entry near the largest magnitude is positive, as of eigenvectors.
 */
static GlStatus
fix_signs(GlHost *host, const int32_t *component, int32_t component_count,
		  SpectralMap *map)
{
	double	   *largest;
	int8_t	   *sign;

	GL_NEW(host, largest, component_count);
	GL_NEW(host, sign, component_count);
	for (int32_t d = 0; d < map->dimensions; d++)
	{
		double	   *axis = map->coordinates + d;
		int64_t		stride = map->dimensions;

		GL_TRY(gl_zero(host, largest, (size_t) component_count,
					   sizeof(double)));
		GL_TRY(gl_zero(host, sign, (size_t) component_count, sizeof(int8_t)));
		for (int64_t i = 0; i < map->node_count; i++)
		{
			GL_TRY(gl_work(host, 2));
			largest[component[i]] = fmax(largest[component[i]],
										 fabs(axis[i * stride]));
		}
		for (int64_t i = 0; i < map->node_count; i++)
		{
			int32_t		c = component[i];

			GL_TRY(gl_work(host, 2));
			if (sign[c] == 0 &&
				fabs(axis[i * stride]) >= largest[c] * (1 - 1e-6))
				sign[c] = axis[i * stride] < 0 ? -1 : 1;
		}
		for (int64_t i = 0; i < map->node_count; i++)
		{
			GL_TRY(gl_work(host, 1));
			axis[i * stride] *= sign[component[i]];
		}
	}
	gl_release(host, largest);
	gl_release(host, sign);
	return GL_OK;
}

GlStatus
spectral_map_find(GlHost *host, const Graph *graph,
				  const SpectralMapOptions *options, SpectralMap *out,
				  SpectralMapReport *report)
{
	int64_t		n = graph->node_count;
	SpectralMap map = {.node_count = n,.dimensions = options->dimensions};
	int32_t    *component;

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	report->converged = true;
	GL_TRY(graph_require_similarity(host, graph, options->learner));
	map.coordinates = gl_allocate_zeroed(host, (size_t) n,
										 (size_t) options->dimensions *
										 sizeof(double));
	if (map.coordinates == NULL)
		return host->status;
	GL_NEW(host, component, n);
	GL_TRY(graph_components(host, graph, component,
							&report->component_count));
	if (graph->operations->visit_edges != NULL)
		GL_TRY(map_components(host, graph, options, map.coordinates, report));
	else if (n > 1)
		GL_TRY(map_component(host, graph, options, NULL, map.coordinates,
							 report));
	GL_TRY(fix_signs(host, component, report->component_count, &map));
	gl_release(host, component);
	*out = map;
	return GL_OK;
}

void
spectral_map_release(GlHost *host, SpectralMap *map)
{
	gl_release(host, map->coordinates);
	memset(map, 0, sizeof(*map));
}
