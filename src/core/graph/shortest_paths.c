/*
 * shortest_paths.c
 *		Dijkstra's algorithm; see shortest_paths.h.
 *
 * A node is unseen, in the heap, or settled.  The heap keeps the tentative
 * length beside the node so that sifting stays within two small arrays; of
 * equal lengths any may go first, since the answer is a minimum of sums that
 * are each taken along one path from the source outwards.
 */
#include "graph/shortest_paths.h"

#include <math.h>

#define CHILDREN	4
#define UNSEEN		(-1)
#define SETTLED		(-2)

GlStatus
shortest_paths_begin(GlHost *host, const SparseGraph *graph,
					 ShortestPaths *out)
{
	int64_t		n = graph->graph.node_count;
	ShortestPaths paths = {.graph = graph};

	*out = (ShortestPaths) {0};
	GL_NEW(host, paths.heap, n);
	GL_NEW(host, paths.place, n);
	GL_NEW(host, paths.key, n);
	*out = paths;
	return GL_OK;
}

void
shortest_paths_end(GlHost *host, ShortestPaths *paths)
{
	gl_release(host, paths->heap);
	gl_release(host, paths->place);
	gl_release(host, paths->key);
	*paths = (ShortestPaths) {0};
}

static void
put(ShortestPaths *paths, int64_t slot, int32_t node, double key)
{
	paths->heap[slot] = node;
	paths->key[slot] = key;
	paths->place[node] = (int32_t) slot;
}

/* A node whose length fell to key rises from slot. */
static void
rise(ShortestPaths *paths, int64_t slot, int32_t node, double key)
{
	while (slot > 0)
	{
		int64_t		parent = (slot - 1) / CHILDREN;

		if (!(key < paths->key[parent]))
			break;
		put(paths, slot, paths->heap[parent], paths->key[parent]);
		slot = parent;
	}
	put(paths, slot, node, key);
}

/* Take the nearest node out; the last one sinks into the gap. */
static int32_t
take_nearest(ShortestPaths *paths)
{
	int32_t		nearest = paths->heap[0];
	int64_t		count = --paths->heap_count;
	int32_t		node = paths->heap[count];
	double		key = paths->key[count];
	int64_t		slot = 0;

	paths->place[nearest] = SETTLED;
	if (count == 0)
		return nearest;
	for (;;)
	{
		int64_t		first = slot * CHILDREN + 1;
		int64_t		last = first + CHILDREN < count ? first + CHILDREN : count;
		int64_t		least = first;

		if (first >= count)
			break;
		for (int64_t child = first + 1; child < last; child++)
			if (paths->key[child] < paths->key[least])
				least = child;
		if (!(paths->key[least] < key))
			break;
		put(paths, slot, paths->heap[least], paths->key[least]);
		slot = least;
	}
	put(paths, slot, node, key);
	return nearest;
}

/* A path of this length leads to node. */
static void
reach(ShortestPaths *paths, int32_t node, double length, double *distance)
{
	int32_t		place = paths->place[node];

	if (place == SETTLED || !(length < distance[node]))
		return;
	distance[node] = length;
	rise(paths, place == UNSEEN ? paths->heap_count++ : place, node, length);
}

GlStatus
shortest_paths_from(GlHost *host, ShortestPaths *paths, int64_t source,
					double *distance)
{
	const SparseGraph *graph = paths->graph;
	int64_t		n = graph->graph.node_count;

	for (int64_t v = 0; v < n; v++)
	{
		distance[v] = INFINITY;
		paths->place[v] = UNSEEN;
	}
	GL_TRY(gl_work(host, n));
	paths->heap_count = 0;
	reach(paths, (int32_t) source, 0.0, distance);
	while (paths->heap_count > 0)
	{
		int32_t		node = take_nearest(paths);
		int64_t		end = graph->row_start[node + 1];

		for (int64_t e = graph->row_start[node]; e < end; e++)
			reach(paths, graph->neighbour[e],
				  distance[node] + graph->weight[e], distance);
		GL_TRY(gl_work(host, 32 + 8 * (end - graph->row_start[node])));
	}
	return GL_OK;
}
