/*
 * graph_options.h
 *		The options of graphs of points, wherever a function takes them.
 */
#ifndef GRAPHLEARN_GRAPH_OPTIONS_H
#define GRAPHLEARN_GRAPH_OPTIONS_H

#include "compat.h"

#include "graph/point_graph.h"

/* Where a function finds its options; -1: it does not take that one. */
typedef struct BuilderArguments
{
	int			k;
	int			radius;
	int			metric;
	int			weights;
	int			symmetry;
	int			bandwidth;
	int			scale;
	int			keep_points;
	int			seed;
} BuilderArguments;

/* Read them on top of the defaults; the kind is the caller's to set. */
extern void builder_options_argument(FunctionCallInfo fcinfo,
									 const BuilderArguments *at,
									 PointGraphOptions *options);

/* Was something asked for that only a neighbour graph has? */
extern bool builder_options_need_neighbours(FunctionCallInfo fcinfo,
											const BuilderArguments *at,
											const PointGraphOptions *options);

#endif							/* GRAPHLEARN_GRAPH_OPTIONS_H */
