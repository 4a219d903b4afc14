/*
 * shortest_paths.h
 *		The lengths of shortest paths from one node to all others.
 *
 * Reads:	a graph of lengths held as compressed rows.
 * Yields:	n distances per source; infinity where no path leads.
 *
 * Dijkstra's algorithm with an indexed heap of four children a node.  The
 * working memory (16 bytes a node) is kept from one source to the next.
 */
#ifndef SHORTEST_PATHS_H
#define SHORTEST_PATHS_H

#include "graph/sparse_graph.h"

typedef struct ShortestPaths
{
	const SparseGraph *graph;
	int32_t    *heap;			/* nodes reached but not settled */
	int32_t    *place;			/* where a node is in the heap; below 0: not */
	double	   *key;			/* tentative length, by place in the heap */
	int64_t		heap_count;
} ShortestPaths;

extern GlStatus shortest_paths_begin(GlHost *host, const SparseGraph *graph,
									 ShortestPaths *out);

extern void shortest_paths_end(GlHost *host, ShortestPaths *paths);

/*
 * distance[v] for every node v, along stored entries from source.  The same
 * bits whatever was asked before.  O((n + entries) log n) time, no memory.
 */
extern GlStatus shortest_paths_from(GlHost *host, ShortestPaths *paths,
									int64_t source, double *distance);

#endif							/* SHORTEST_PATHS_H */
