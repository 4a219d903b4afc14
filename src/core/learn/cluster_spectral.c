/*
 * cluster_spectral.c
 *		Clusters from the leading eigenvectors of the walk: ncut, njw and the
 *		weighted form.
 *
 * Reads:	the spectrum of a graph (embed/spectrum.h), on which non-symmetric
 *			walks have their reversible form.
 * Yields:	k-means clusters of the rows of the eigenvectors.
 *
 *		ncut		psi_2 .. psi_k, psi = u / m^1/2 eigenvectors of the walk
 *		njw			u_1 .. u_k of the symmetric form, each row of length 1
 *		weighted	psi_2 .. psi_10 (or psi_k), each times |lambda|^steps
 *
 * Every component of the graph has its own eigenvector of eigenvalue 1.  With
 * one component the constant psi_1 tells nothing and is left out; with more,
 * those of the components are kept.  A graph of k components or more falls
 * apart by itself: nothing is cut.  Then the k - 1 largest components are
 * clusters, and all others together are one.
 *
 * Time: the products of the eigen solver, and k-means in k dimensions.
 */
#include "learn/cluster_task.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "embed/spectrum.h"

/* Eigenvectors that the weighted form looks at, the constant one included. */
#define WEIGHTED_VECTORS	10

/* How many eigenpairs to ask for, those of components included. */
static int32_t
vectors_wanted(const ClusterTask *task)
{
	const ClusterOptions *options = task->options;
	int32_t		wanted = task->cluster_count;
	int32_t		constant = options->method == CLUSTER_NJW ? 0 : 1;

	if (options->method == CLUSTER_WEIGHTED_NCUT && wanted < WEIGHTED_VECTORS)
		wanted = WEIGHTED_VECTORS;
	if (options->dimensions > 0)
		wanted = options->dimensions + constant;
	return wanted < task->member_count ? wanted : (int32_t) task->member_count;
}

/* Components of members, numbered 0, 1, ... by their first member. */
static GlStatus
number_components(GlHost *host, const ClusterTask *task, int32_t *component,
				  int32_t *component_count)
{
	int32_t    *number;
	int32_t		all;
	int32_t		count = 0;

	GL_TRY(graph_components(host, task->graph, component, &all));
	GL_NEW(host, number, all);
	for (int32_t c = 0; c < all; c++)
		number[c] = -1;
	for (int64_t m = 0; m < task->member_count; m++)
	{
		int32_t    *of_node = component + task->member[m];

		GL_TRY(gl_work(host, 1));
		if (number[*of_node] < 0)
			number[*of_node] = count++;
		*of_node = number[*of_node];
	}
	gl_release(host, number);
	*component_count = count;
	return GL_OK;
}

/* The k - 1 largest components, ties to the smaller node, and the rest. */
static GlStatus
divide_by_components(GlHost *host, const ClusterTask *task,
					 const int32_t *component, int32_t component_count,
					 ClusterResult *result)
{
	int32_t		last = task->cluster_count - 1;
	int64_t    *size;
	int32_t    *order;
	int32_t    *cluster;

	GL_NEW_ZEROED(host, size, component_count);
	GL_NEW(host, order, component_count);
	GL_NEW(host, cluster, component_count);
	for (int64_t m = 0; m < task->member_count; m++)
	{
		GL_TRY(gl_work(host, 1));
		size[component[task->member[m]]]--;
	}
	GL_TRY(gl_sort_order(host, size, component_count, order));
	for (int32_t place = 0; place < component_count; place++)
		cluster[order[place]] = place < last ? place : last;
	for (int64_t m = 0; m < task->member_count; m++)
	{
		int32_t		node = task->member[m];

		GL_TRY(gl_work(host, 1));
		result->cluster[node] = cluster[component[node]];
		result->distance[node] = 0;
	}
	gl_release(host, cluster);
	gl_release(host, order);
	gl_release(host, size);
	return GL_OK;
}

/* One row of coordinates: `from` an eigenvector's row, count numbers. */
static void
fill_row(const ClusterOptions *options, const Spectrum *spectrum,
		 int32_t first, int32_t count, const double *from, double mass,
		 double *row)
{
	double		length = 0;

	for (int32_t c = 0; c < count; c++)
	{
		double		value = from[first + c];

		if (options->method != CLUSTER_NJW)
			value *= sqrt(spectrum->total / mass);
		if (options->method == CLUSTER_WEIGHTED_NCUT)
			value *= pow(fabs(spectrum->pairs.values[first + c]),
						 options->steps);
		row[c] = value;
		length += value * value;
	}
	if (options->method != CLUSTER_NJW || length <= 0)
		return;
	length = sqrt(length);
	for (int32_t c = 0; c < count; c++)
		row[c] /= length;
}

static GlStatus
divide_by_vectors(GlHost *host, const ClusterTask *task,
				  const Spectrum *spectrum, int32_t component_count,
				  ClusterResult *result)
{
	const EigenPairs *pairs = &spectrum->pairs;
	int32_t		first = task->options->method == CLUSTER_NJW ||
		component_count > 1 ? 0 : 1;
	int32_t		count = pairs->count - first;
	double	   *rows;

	GL_NEW(host, rows, task->member_count * count);
	for (int64_t m = 0; m < task->member_count; m++)
	{
		int32_t		node = task->member[m];

		GL_TRY(gl_work(host, count));
		fill_row(task->options, spectrum, first, count,
				 pairs->vectors + (int64_t) node * pairs->count,
				 spectrum->mass[node], rows + m * count);
	}
	GL_TRY(cluster_task_kmeans(host, task, &task->start, rows, count,
							   KMEANS_PLUS_PLUS, result));
	gl_release(host, rows);
	return GL_OK;
}

GlStatus
cluster_spectral(GlHost *host, const ClusterTask *task, ClusterResult *result,
				 ClusterReport *report)
{
	SpectrumOptions options = {
		.matrix = SPECTRUM_WALK,
		.order = EIGEN_LARGEST,
		.wanted = vectors_wanted(task),
		.keep_trivial = true,
		.tolerance = task->options->tolerance,
		.seed = task->options->seed,
		.learner = "gl_cluster"
	};
	Spectrum	spectrum;
	int32_t    *component;

	GL_NEW(host, component, task->graph->node_count);
	GL_TRY(number_components(host, task, component,
							 &report->component_count));
	if (report->component_count >= task->cluster_count)
		GL_TRY(divide_by_components(host, task, component,
									report->component_count, result));
	else
	{
		/* room for every component, and one direction beside them */
		if (options.wanted <= report->component_count)
			options.wanted = report->component_count + 1;
		GL_TRY(spectrum_find(host, task->graph, &options, &spectrum));
		report->iterations = spectrum.report.products;
		report->residual = spectrum.report.residual;
		report->converged = spectrum.report.converged;
		GL_TRY(divide_by_vectors(host, task, &spectrum,
								 report->component_count, result));
		spectrum_release(host, &spectrum);
	}
	gl_release(host, component);
	return GL_OK;
}

/*
 * Eigenvalues in descending order, those of components first; the largest
 * step down after the k-th, of equal ones the first.
 */
GlStatus
cluster_choose_count(GlHost *host, const Graph *graph, int64_t member_count,
					 int64_t seed, int32_t *cluster_count)
{
	SpectrumOptions options = {
		.matrix = SPECTRUM_WALK,
		.order = EIGEN_LARGEST,
		.keep_trivial = true,
		.tolerance = 1e-4,
		.seed = seed,
		.learner = "gl_cluster"
	};
	Spectrum	spectrum;
	double		best = -1;

	*cluster_count = member_count > 0 ? 1 : 0;
	if (member_count <= 2)
		return GL_OK;
	options.wanted = member_count <= CLUSTER_CHOICES ?
		(int32_t) member_count : CLUSTER_CHOICES + 1;
	GL_TRY(spectrum_find(host, graph, &options, &spectrum));
	if (spectrum.trivial_count > CLUSTER_CHOICES)
	{
		/* lone nodes are components without a cluster */
		*cluster_count = (int32_t) (spectrum.component_count -
									(graph->node_count - member_count));
		best = INFINITY;
	}
	for (int32_t k = 2; k < spectrum.pairs.count; k++)
	{
		double		gap = spectrum.pairs.values[k - 1] -
			spectrum.pairs.values[k];

		if (gap > best)
		{
			best = gap;
			*cluster_count = k;
		}
	}
	spectrum_release(host, &spectrum);
	return GL_OK;
}
