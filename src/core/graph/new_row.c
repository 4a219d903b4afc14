/*
 * new_row.c
 *		Find the neighbours of a new row, weigh them, normalise.
 */
#include "graph/new_row.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
	/* a radius graph needs neighbours by rank for adaptive scales only */
	GL_TRY(neighbour_index_begin(host, &index->space.matrix,
								 recipe->kind == GRAPH_KNN ? index->k :
								 ADAPTIVE_NEIGHBOUR, &index->search));
	index->entry_capacity = index->k;
	GL_NEW(host, index->entries, index->entry_capacity);
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
	neighbour_index_end(host, &index->search);
	gl_release(host, index->entries);
	gl_release(host, index->query);
	point_space_end(host, &index->space);
	memset(index, 0, sizeof(*index));
}

/* The new row's own scale, from its neighbours. */
static GlStatus
set_scale(GlHost *host, NewRowIndex *index)
{
	const NeighbourIndex *search = &index->search;
	int64_t		rank = search->found_count < ADAPTIVE_NEIGHBOUR ?
		search->found_count : ADAPTIVE_NEIGHBOUR;
	double		scale;

	if (index->weights.weights != WEIGHTS_ADAPTIVE || rank == 0)
		return GL_OK;
	scale = point_space_chord(&index->space, search->found[rank - 1].squared);
	if (!isfinite(scale))
		return gl_fail(host, GL_ERR_DATA,
					   "the new row is further from the rows of the graph than a double can say");
	index->weights.node_scale[index->graph->node_count] =
		fmax(scale, index->smallest_scale);
	return GL_OK;
}

static GlStatus
find_nearest(GlHost *host, NewRowIndex *index, int32_t exclude)
{
	GL_TRY(neighbour_index_nearest(host, &index->search, index->query,
								   exclude, index->k));
	return set_scale(host, index);
}

/* All rows strictly closer than the radius, as the builder has it. */
static GlStatus
find_within(GlHost *host, NewRowIndex *index, int32_t exclude)
{
	NeighbourIndex *search = &index->search;
	double		radius = index->graph->recipe.radius;
	int64_t		kept = 0;

	if (index->weights.weights == WEIGHTS_ADAPTIVE)
	{
		int64_t		others = index->graph->node_count - 1;

		GL_TRY(neighbour_index_nearest(host, search, index->query, exclude,
									   others < ADAPTIVE_NEIGHBOUR ?
									   (int32_t) others :
									   ADAPTIVE_NEIGHBOUR));
		GL_TRY(set_scale(host, index));
	}
	GL_TRY(neighbour_index_within(host, search, index->query, exclude,
								  point_space_squared(&index->space, radius) *
								  (1 + 1e-12)));
	for (int64_t f = 0; f < search->found_count; f++)
	{
		GL_TRY(gl_work(host, 10));
		if (point_space_distance(&index->space, search->found[f].squared) <
			radius)
			search->found[kept++] = search->found[f];
	}
	search->found_count = kept;
	return GL_OK;
}

/* Order by node: a heap, which needs no memory. */
static void
sink(GraphEntry *entries, int64_t count, int64_t at)
{
	GraphEntry	moved = entries[at];

	for (;;)
	{
		int64_t		child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count &&
			entries[child + 1].node > entries[child].node)
			child++;
		if (entries[child].node < moved.node)
			break;
		entries[at] = entries[child];
		at = child;
	}
	entries[at] = moved;
}

static GlStatus
order_by_node(GlHost *host, GraphEntry *entries, int64_t count)
{
	for (int64_t at = count / 2 - 1; at >= 0; at--)
		sink(entries, count, at);
	for (int64_t last = count - 1; last > 0; last--)
	{
		GraphEntry	largest = entries[0];

		GL_TRY(gl_work(host, 20));
		entries[0] = entries[last];
		entries[last] = largest;
		sink(entries, last, 0);
	}
	return GL_OK;
}

/* What was found as entries by node, not normalised yet. */
static GlStatus
weigh(GlHost *host, NewRowIndex *index)
{
	const NeighbourIndex *search = &index->search;
	int64_t		count = search->found_count;
	int32_t		new_row = (int32_t) index->graph->node_count;

	if (count > index->entry_capacity)
	{
		gl_release(host, index->entries);
		index->entry_capacity = 0;
		GL_NEW(host, index->entries, count);
		index->entry_capacity = count;
	}
	for (int64_t f = 0; f < count; f++)
	{
		const NeighbourFound *found = &search->found[f];

		GL_TRY(gl_work(host, 20));
		index->entries[f] = (GraphEntry)
		{
			found->row, edge_weights_of(&index->weights, new_row, found->row,
										found->squared)
		};
	}
	return order_by_node(host, index->entries, count);
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
			  int64_t feature_count, int32_t exclude,
			  const GraphEntry **entries, int64_t *entry_count)
{
	*entries = NULL;
	*entry_count = 0;
	GL_TRY(point_space_map_row(host, &index->space, features, feature_count,
							   index->query));
	if (index->graph->recipe.kind == GRAPH_KNN)
		GL_TRY(find_nearest(host, index, exclude));
	else
		GL_TRY(find_within(host, index, exclude));
	GL_TRY(weigh(host, index));
	*entry_count = normalise(index->entries, index->search.found_count);
	*entries = index->entries;
	return GL_OK;
}
