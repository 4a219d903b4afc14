/*
 * new_row.c
 *		Find the neighbours of a new row, weigh them, normalise.
 */
#include "graph/new_row.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "points/distance.h"

/* Smallest scale of a new row, as a share of the mean scale. */
#define SMALLEST_SCALE		1e-3

static const char *
kind_name(GraphKind kind)
{
	switch (kind)
	{
		case GRAPH_TREE:
			return "a spanning tree";
		case GRAPH_FULL:
			return "a full graph";
		case GRAPH_AFFINITY:
			return "made of distances by gl_affinity";
		default:
			return "made of edges";
	}
}

GlStatus
new_row_require(GlHost *host, const Graph *graph)
{
	GraphKind	kind = graph->recipe.kind;

	if (kind != GRAPH_KNN && kind != GRAPH_RADIUS && kind != GRAPH_BLOCKS)
	{
		gl_fail(host, GL_ERR_OPTION,
				"rows never seen have no place in this graph, which is %s",
				kind_name(kind));
		gl_hint(host, "Use a graph of gl_knn_graph, gl_radius_graph or gl_block_graph.");
		return GL_ERR_OPTION;
	}
	GL_TRY(graph_require_similarity(host, graph, "a row never seen"));
	return point_space_require_points(host, graph);
}

/*
 * The scales of the rows with one place more, and the floor of the new one's.
 * The builder's floor is 1e-3 of the mean neighbour distance, which is not
 * stored.  A heuristic: 1e-3 of the mean scale, but not above the smallest
 * scale, where the builder's floor shows if any row has reached it.  It
 * matters only to a row nearer to min(7, k) others than that; test_new_row.c
 * has one.
 */
static GlStatus
copy_scales(GlHost *host, NewRowIndex *index)
{
	const double *scale = index->graph->node_scale;
	int64_t		n = index->graph->node_count;
	double		least = INFINITY;
	double		mean = 0;

	GL_NEW(host, index->weights.node_scale, n + 1);
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 2));
		/* a stored 0 would divide 0 by 0 */
		index->weights.node_scale[i] = fmax(scale[i], DBL_MIN);
		least = fmin(least, index->weights.node_scale[i]);
		mean += scale[i] / (double) n;
	}
	index->smallest_scale = fmin(least, SMALLEST_SCALE * mean + DBL_MIN);
	return GL_OK;
}

GlStatus
new_row_begin(GlHost *host, const Graph *graph, NewRowIndex *index)
{
	const GraphRecipe *recipe = &graph->recipe;
	int64_t		n = graph->node_count;

	memset(index, 0, sizeof(*index));
	GL_TRY(new_row_require(host, graph));
	index->graph = graph;
	GL_TRY(point_space_begin(host, graph->points, recipe->metric,
							 recipe->scale, &index->space));
	GL_NEW(host, index->query, index->space.matrix.dimension_count);
	index->weights.space = &index->space;
	index->weights.weights = recipe->weights;
	index->weights.bandwidth = fmax(recipe->bandwidth, DBL_MIN);
	/* a single row has no neighbours, so k = 0 there */
	index->k = recipe->k < 1 ? 1 : recipe->k < n ? recipe->k : (int32_t) n;
	if (recipe->weights == WEIGHTS_ADAPTIVE)
	{
		if (graph->node_scale != NULL)
			return copy_scales(host, index);
		/* one row, which has no scale: alone it gets all, however near */
		index->weights.weights = WEIGHTS_BINARY;
	}
	return GL_OK;
}

void
new_row_end(GlHost *host, NewRowIndex *index)
{
	edge_weights_end(host, &index->weights);
	gl_release(host, index->query);
	point_space_end(host, &index->space);
	memset(index, 0, sizeof(*index));
}

static GlStatus
nearest(GlHost *host, const NewRowIndex *index, int32_t exclude, int32_t k,
		NeighbourLists *lists)
{
	PointMatrix query = {
		1, index->space.matrix.dimension_count, SCALAR_FLOAT8, index->query
	};
	int64_t		others = index->graph->node_count - (exclude >= 0);

	memset(lists, 0, sizeof(*lists));
	if (others < 1)
		return GL_OK;
	return neighbours_query(host, &index->space.matrix, &query, &exclude,
							k < others ? k : (int32_t) others,
							NEIGHBOURS_AUTO, lists);
}

/* The new row's own scale, from its neighbours. */
static GlStatus
set_scale(GlHost *host, NewRowIndex *index, const NeighbourLists *lists)
{
	int32_t		rank = lists->k < ADAPTIVE_NEIGHBOUR ?
		lists->k : ADAPTIVE_NEIGHBOUR;
	double		scale;

	if (index->weights.weights != WEIGHTS_ADAPTIVE || lists->k == 0)
		return GL_OK;
	scale = point_space_chord(&index->space,
							  lists->squared_distance[rank - 1]);
	if (!isfinite(scale))
		return gl_fail(host, GL_ERR_DATA,
					   "the new row is further from the rows of the graph than a double can say");
	index->weights.node_scale[index->graph->node_count] =
		fmax(scale, index->smallest_scale);
	return GL_OK;
}

static double
weight_of(const NewRowIndex *index, int32_t node, double squared_distance)
{
	return edge_weights_of(&index->weights,
						   (int32_t) index->graph->node_count, node,
						   squared_distance);
}

/* The k nearest rows, by node, not normalised yet. */
static GlStatus
join_nearest(GlHost *host, NewRowIndex *index, int32_t exclude,
			 GraphEntry **entries, int64_t *entry_count)
{
	NeighbourLists lists;
	GraphEntry *found;
	int64_t    *keys;
	int32_t    *order;

	GL_TRY(nearest(host, index, exclude, index->k, &lists));
	GL_TRY(set_scale(host, index, &lists));
	GL_NEW(host, found, lists.k);
	GL_NEW(host, keys, lists.k);
	GL_NEW(host, order, lists.k);
	for (int32_t r = 0; r < lists.k; r++)
		keys[r] = lists.neighbour[r];
	GL_TRY(gl_sort_order(host, keys, lists.k, order));
	for (int32_t r = 0; r < lists.k; r++)
	{
		int32_t		node = lists.neighbour[order[r]];

		GL_TRY(gl_work(host, 20));
		found[r] = (GraphEntry)
		{
			node, weight_of(index, node, lists.squared_distance[order[r]])
		};
	}
	*entries = found;
	*entry_count = lists.k;
	gl_release(host, order);
	gl_release(host, keys);
	neighbour_lists_release(host, &lists);
	return GL_OK;
}

/* All rows strictly closer than the radius, as the builder has it. */
static GlStatus
join_within(GlHost *host, NewRowIndex *index, int32_t exclude,
			GraphEntry **entries, int64_t *entry_count)
{
	const PointMatrix *matrix = &index->space.matrix;
	const DistanceKernels *kernels = distance_kernels();
	int64_t		n = matrix->row_count;
	int64_t		count = 0;
	GraphEntry *found;

	if (index->weights.weights == WEIGHTS_ADAPTIVE)
	{
		NeighbourLists lists;

		GL_TRY(nearest(host, index, exclude,
					   n - 1 < ADAPTIVE_NEIGHBOUR ?
					   (int32_t) (n - 1) : ADAPTIVE_NEIGHBOUR, &lists));
		GL_TRY(set_scale(host, index, &lists));
		neighbour_lists_release(host, &lists);
	}
	GL_NEW(host, found, n);
	for (int32_t i = 0; i < n; i++)
	{
		double		squared = distance_squared(kernels, matrix, index->query,
											   i);

		GL_TRY(gl_work(host, matrix->dimension_count + 20));
		if (i == exclude ||
			!(point_space_distance(&index->space, squared) <
			  index->graph->recipe.radius))
			continue;
		found[count++] = (GraphEntry)
		{
			i, weight_of(index, i, squared)
		};
	}
	*entries = found;
	*entry_count = count;
	return GL_OK;
}

/* Weights to probabilities; a weight of 0 is no edge. */
static int64_t
normalise(GraphEntry *entries, int64_t count)
{
	double		degree = 0;
	int64_t		kept = 0;

	for (int64_t e = 0; e < count; e++)
	{
		degree += entries[e].value;
		if (entries[e].value > 0)
			entries[kept++] = entries[e];
	}
	for (int64_t e = 0; e < kept; e++)
		entries[e].value /= degree;
	return kept;
}

GlStatus
new_row_query(GlHost *host, NewRowIndex *index, const double *features,
			  int64_t feature_count, int32_t exclude, GraphEntry **entries,
			  int64_t *entry_count)
{
	GraphEntry *found = NULL;
	int64_t		count = 0;

	*entries = NULL;
	*entry_count = 0;
	GL_TRY(point_space_map_row(host, &index->space, features, feature_count,
							   index->query));
	if (index->graph->recipe.kind == GRAPH_KNN)
		GL_TRY(join_nearest(host, index, exclude, &found, &count));
	else
		GL_TRY(join_within(host, index, exclude, &found, &count));
	*entry_count = normalise(found, count);
	*entries = found;
	return GL_OK;
}
