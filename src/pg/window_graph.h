/*
 * window_graph.h
 *		The graph of a window partition.
 *
 * The recommended one (default_graph.h), unless the options ask for what only
 * a neighbour graph has.  A k beyond the partition is lowered, given or not:
 * partitions differ in size, and one number is meant for all.
 */
#ifndef GRAPHLEARN_WINDOW_GRAPH_H
#define GRAPHLEARN_WINDOW_GRAPH_H

#include "graph_options.h"
#include "window_points.h"

#include "graph/default_graph.h"

typedef struct WindowGraph
{
	SparseGraph sparse;
	BlockGraph	forest;
	const Graph *graph;			/* one of the two, in rows->work */
} WindowGraph;

/*
 * Build it from the sorted rows, of which there is at least one.  at tells
 * where the options are; radius and keep_points are none of them.  A notice
 * about columns of different scale is given once per statement.
 */
extern void window_graph_build(WindowPoints *rows, const BuilderArguments *at,
							   WindowGraph *out);

#endif							/* GRAPHLEARN_WINDOW_GRAPH_H */
