/*
 * affinity.c
 *		The Gaussian kernel on the lengths of a graph, and its default width.
 */
#include "graph/affinity.h"

#include <math.h>
#include <string.h>

#include "graph/edge_weights.h"

/*
 * The r-th smallest of a row's lengths, r = min(10, count): a sorted list of
 * at most ten, filled by insertion.
 */
static double
tenth_nearest(const double *length, int64_t count)
{
	double		nearest[BANDWIDTH_NEIGHBOUR];
	int			held = 0;

	for (int64_t e = 0; e < count; e++)
	{
		int			place;

		if (held == BANDWIDTH_NEIGHBOUR && length[e] >= nearest[held - 1])
			continue;
		place = held < BANDWIDTH_NEIGHBOUR ? held++ : held - 1;
		while (place > 0 && nearest[place - 1] > length[e])
		{
			nearest[place] = nearest[place - 1];
			place--;
		}
		nearest[place] = length[e];
	}
	return nearest[held - 1];
}

static GlStatus
choose_bandwidth(GlHost *host, const SparseGraph *lengths, double *bandwidth)
{
	double		sum = 0;
	int64_t		counted = 0;

	for (int64_t i = 0; i < lengths->graph.node_count; i++)
	{
		int64_t		start = lengths->row_start[i];
		int64_t		count = lengths->row_start[i + 1] - start;

		GL_TRY(gl_work(host, 4 * count + 1));
		if (count == 0)
			continue;
		sum += tenth_nearest(lengths->weight + start, count);
		counted++;
	}
	*bandwidth = sum > 0 ? BANDWIDTH_SHARE * (sum / (double) counted) : 1;
	return GL_OK;
}

/* The same nodes and pattern; points and scales copied where kept. */
static GlStatus
copy_frame(GlHost *host, const SparseGraph *from, SparseGraph *to)
{
	int64_t		n = from->graph.node_count;
	int64_t    *row_start;
	int32_t    *neighbour;

	to->graph = from->graph;
	to->graph.node_scale = NULL;
	to->graph.column_scale = NULL;
	if (from->graph.points != NULL)
	{
		PointSet   *kept;

		GL_NEW(host, kept, 1);
		GL_TRY(point_set_copy(host, from->graph.points, kept));
		to->graph.points = kept;
		to->graph.ids = kept->ids;
	}
	else
	{
		int64_t    *ids;

		GL_NEW(host, ids, n);
		memcpy(ids, from->graph.ids, (size_t) n * sizeof(int64_t));
		to->graph.ids = ids;
	}
	if (from->graph.column_scale != NULL)
	{
		int32_t		d = from->graph.points->matrix.dimension_count;
		double	   *scale;

		GL_NEW(host, scale, d);
		memcpy(scale, from->graph.column_scale, (size_t) d * sizeof(double));
		to->graph.column_scale = scale;
	}
	to->entry_count = from->entry_count;
	GL_NEW(host, row_start, n + 1);
	GL_NEW(host, neighbour, from->entry_count);
	memcpy(row_start, from->row_start, (size_t) (n + 1) * sizeof(int64_t));
	memcpy(neighbour, from->neighbour,
		   (size_t) from->entry_count * sizeof(int32_t));
	to->row_start = row_start;
	to->neighbour = neighbour;
	return GL_OK;
}

GlStatus
affinity_build(GlHost *host, const SparseGraph *lengths,
			   const double *given_bandwidth, SparseGraph *out)
{
	SparseGraph sparse = {0};
	double	   *weight;
	double		bandwidth;

	memset(out, 0, sizeof(*out));
	if (lengths->graph.meaning != GRAPH_LENGTH)
		return gl_fail(host, GL_ERR_OPTION,
					   "gl_affinity needs a graph of distances, but this graph holds similarities");
	if (given_bandwidth != NULL)
		bandwidth = *given_bandwidth;
	else
		GL_TRY(choose_bandwidth(host, lengths, &bandwidth));
	if (!(bandwidth > 0 && isfinite(bandwidth)))
		return gl_fail(host, GL_ERR_OPTION,
					   "bandwidth must be positive and finite, not %g",
					   bandwidth);
	GL_TRY(copy_frame(host, lengths, &sparse));
	GL_NEW(host, weight, lengths->entry_count);
	for (int64_t e = 0; e < lengths->entry_count; e++)
	{
		GL_TRY(gl_work(host, 20));
		weight[e] = edge_weights_gaussian(lengths->weight[e], bandwidth);
	}
	sparse.weight = weight;
	sparse.graph.meaning = GRAPH_SIMILARITY;
	sparse.graph.recipe.kind = GRAPH_AFFINITY;
	sparse.graph.recipe.weights = WEIGHTS_GAUSSIAN;
	sparse.graph.recipe.bandwidth = bandwidth;
	sparse_graph_bind(&sparse);
	*out = sparse;
	return GL_OK;
}
