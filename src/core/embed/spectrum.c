/*
 * spectrum.c
 *		Trivial eigenpairs by components, the others by the eigen solver.
 */
#include "embed/spectrum.h"

#include <math.h>
#include <string.h>

#include "embed/symmetric_form.h"
#include "graph/arranged.h"

static GlStatus
apply_walk(GlHost *host, void *state, const double *x, double *y,
		   int32_t columns)
{
	return symmetric_form_walk(host, state, x, y, columns);
}

/* -L, so that the smallest eigenvalues of L come first. */
static GlStatus
apply_laplacian(GlHost *host, void *state, const double *x, double *y,
				int32_t columns)
{
	const SymmetricForm *form = state;
	int64_t		count = form->graph->node_count * columns;

	GL_TRY(symmetric_form_laplacian(host, form, x, y, columns));
	for (int64_t i = 0; i < count; i++)
		y[i] = -y[i];
	return gl_work(host, count);
}

/* The trivial vector of all components together. */
static GlStatus
trivial_vector(GlHost *host, const SymmetricForm *form,
			   SpectrumMatrix matrix, double **out)
{
	double	   *vector;

	GL_NEW(host, vector, form->graph->node_count);
	for (int64_t i = 0; i < form->graph->node_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		vector[i] = matrix == SPECTRUM_WALK ? form->root[i] : 1;
	}
	*out = vector;
	return GL_OK;
}

/*
 * Number the components that have a trivial pair, in order: rank[c], or -1
 * where the component is a lone node without mass.  scale[c] makes the
 * trivial vector of length 1 within the component.
 */
static GlStatus
rank_components(GlHost *host, const Spectrum *spectrum, const double *trivial,
				int32_t *rank, double *scale, int32_t *ranked)
{
	int64_t		n = spectrum->pairs.row_count;

	GL_TRY(gl_zero(host, scale, (size_t) spectrum->component_count,
				   sizeof(double)));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		scale[spectrum->component[i]] += trivial[i] * trivial[i];
	}
	*ranked = 0;
	for (int32_t c = 0; c < spectrum->component_count; c++)
	{
		GL_TRY(gl_work(host, 1));
		rank[c] = scale[c] > 0 ? (*ranked)++ : -1;
		scale[c] = scale[c] > 0 ? 1 / sqrt(scale[c]) : 0;
	}
	return GL_OK;
}

/* The trivial pairs, then those found, as one set of pairs. */
static GlStatus
join_pairs(GlHost *host, const Spectrum *spectrum, const double *trivial,
		   const int32_t *rank, const double *scale, SpectrumMatrix matrix,
		   EigenPairs *found, EigenPairs *out)
{
	int32_t		first = spectrum->trivial_count;
	int32_t		count = first + found->count;
	int64_t		n = spectrum->pairs.row_count;
	EigenPairs	pairs;

	GL_TRY(eigen_pairs_begin(host, n, count, &pairs));
	for (int32_t c = 0; c < count; c++)
	{
		pairs.values[c] = c >= first ? found->values[c - first] :
			matrix == SPECTRUM_WALK ? 1 : 0;
		pairs.residuals[c] = c >= first ? found->residuals[c - first] : 0;
	}
	for (int64_t i = 0; i < n; i++)
	{
		double	   *row = pairs.vectors + i * count;
		int32_t		component = spectrum->component[i];

		GL_TRY(gl_work(host, count));
		for (int32_t c = 0; c < first; c++)
			row[c] = rank[component] == c ? trivial[i] * scale[component] : 0;
		for (int32_t c = first; c < count; c++)
			row[c] = found->vectors[i * found->count + c - first];
	}
	eigen_pairs_release(host, found);
	*out = pairs;
	return GL_OK;
}

/* Find what is wanted beyond the trivial pairs. */
static GlStatus
find_others(GlHost *host, SymmetricForm *form,
			const SpectrumOptions *options, const Spectrum *spectrum,
			const double *trivial, EigenPairs *out, EigenReport *report)
{
	bool		walk = options->matrix == SPECTRUM_WALK;
	EigenProblem problem = {
		.apply = walk ? apply_walk : apply_laplacian,
		.state = form,
		.row_count = form->graph->node_count,
		/* Gershgorin; of pi, up to what the search for it left */
		.lower_bound = walk ? -1 : -2 * form->largest,
		.upper_bound = walk ? 1 : 0,
		.known_vector = trivial,
		.group = spectrum->component,
		.group_count = spectrum->component_count
	};
	EigenOptions search = {
		.wanted = options->wanted - spectrum->trivial_count,
		.order = walk ? options->order : EIGEN_LARGEST,
		.tolerance = options->tolerance > 0 ?
		options->tolerance : EIGEN_TOLERANCE,
		.seed = options->seed
	};

	GL_TRY(eigen_solver_run(host, &problem, &search, out, report));
	for (int32_t c = 0; c < out->count && !walk; c++)
		out->values[c] = out->values[c] < 0 ? -out->values[c] : 0;
	if (!walk)
		report->next_value = -report->next_value;
	return GL_OK;
}

GlStatus
spectrum_find_here(GlHost *host, const Graph *graph,
				   const SpectrumOptions *options, Spectrum *out)
{
	int64_t		n = graph->node_count;
	int32_t		columns = eigen_solver_columns(n, options->wanted);
	Spectrum	spectrum = {.pairs = {.row_count = n}};
	EigenPairs	found = {.row_count = n};
	SymmetricForm form;
	double	   *trivial = NULL;
	double	   *scale;
	int32_t    *rank;
	int32_t		ranked;

	memset(out, 0, sizeof(*out));
	GL_TRY(eigen_solver_require(host, n, options->wanted));
	GL_TRY(symmetric_form_begin(host, graph, columns, options->learner,
								&form));
	GL_NEW(host, spectrum.component, n);
	GL_TRY(graph_components(host, graph, spectrum.component,
							&spectrum.component_count));
	GL_TRY(trivial_vector(host, &form, options->matrix, &trivial));
	GL_NEW(host, rank, spectrum.component_count);
	GL_NEW(host, scale, spectrum.component_count);
	GL_TRY(rank_components(host, &spectrum, trivial, rank, scale, &ranked));
	if (options->keep_trivial)
		spectrum.trivial_count = ranked < options->wanted ?
			ranked : options->wanted;
	GL_TRY(find_others(host, &form, options, &spectrum, trivial, &found,
					   &spectrum.report));
	GL_TRY(join_pairs(host, &spectrum, trivial, rank, scale, options->matrix,
					  &found, &spectrum.pairs));
	spectrum.report.converged = spectrum.report.converged &&
		form.report.converged;
	spectrum.mass = form.mass;
	spectrum.total = form.total;
	form.mass = NULL;
	gl_release(host, rank);
	gl_release(host, scale);
	gl_release(host, trivial);
	symmetric_form_end(host, &form);
	*out = spectrum;
	return GL_OK;
}

/* Rows by position -> rows by node, `width` numbers each. */
static GlStatus
put_back(GlHost *host, const int32_t *node, int64_t count, int32_t width,
		 double **numbers)
{
	double	   *back = gl_allocate(host, (size_t) count,
								   (size_t) width * sizeof(double));

	if (back == NULL)
		return host->status;
	for (int64_t p = 0; p < count; p++)
	{
		GL_TRY(gl_work(host, width + 1));
		memcpy(back + (int64_t) node[p] * width, *numbers + p * width,
			   (size_t) width * sizeof(double));
	}
	gl_release(host, *numbers);
	*numbers = back;
	return GL_OK;
}

GlStatus
spectrum_find(GlHost *host, const Graph *graph,
			  const SpectrumOptions *options, Spectrum *out)
{
	int64_t		n = graph->node_count;
	ArrangedGraph arranged;
	Spectrum	spectrum;

	memset(out, 0, sizeof(*out));
	if (graph->operations->visit_edges == NULL)
		return spectrum_find_here(host, graph, options, out);
	GL_TRY(graph_require_similarity(host, graph, options->learner));
	GL_TRY(arranged_begin(host, graph, &arranged));
	GL_TRY(spectrum_find_here(host, &arranged.sparse.graph, options,
							  &spectrum));
	GL_TRY(put_back(host, arranged.node, n, spectrum.pairs.count,
					&spectrum.pairs.vectors));
	GL_TRY(put_back(host, arranged.node, n, 1, &spectrum.mass));
	/* components lie in order, and keep their numbers */
	for (int32_t c = 0; c < arranged.component_count; c++)
		for (int64_t p = arranged.component_start[c];
			 p < arranged.component_start[c + 1]; p++)
		{
			GL_TRY(gl_work(host, 1));
			spectrum.component[arranged.node[p]] = c;
		}
	GL_TRY(eigen_pairs_fix_signs(host, &spectrum.pairs));
	arranged_end(host, &arranged);
	*out = spectrum;
	return GL_OK;
}

void
spectrum_release(GlHost *host, Spectrum *spectrum)
{
	eigen_pairs_release(host, &spectrum->pairs);
	gl_release(host, spectrum->component);
	gl_release(host, spectrum->mass);
	memset(spectrum, 0, sizeof(*spectrum));
}
