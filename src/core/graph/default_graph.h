/*
 * default_graph.h
 *		The recommended graph of a set of points.
 *
 * The neighbour graph G10 where an exact search is affordable, that is if d
 * <= 15 or n^2 d <= 10^13, else a forest of eight block walks: a function of
 * n and d only, so that nothing but the data decides.
 */
#ifndef DEFAULT_GRAPH_H
#define DEFAULT_GRAPH_H

#include "graph/block_graph.h"
#include "graph/point_graph.h"

/* Who decides between the two. */
typedef enum DefaultGraphChoice
{
	CHOICE_BY_SIZE = 0,			/* the rule above */
	CHOICE_NEIGHBOURS,			/* asked for what only that one has: k, weights,
								 * symmetry, bandwidth */
	CHOICE_FOREST
} DefaultGraphChoice;

/* True if an exact search of these rows is affordable. */
extern bool default_graph_is_searched(const PointMatrix *points);

/*
 * Build it.  options are those of a neighbour graph; a forest takes its
 * metric, scale, keep_points and seed.  *graph is set to the one of sparse
 * and forest that was filled; the other is zeroed.  *column_spread as in
 * PointGraphReport.  Failures, time and memory as point_graph_build() or
 * block_graph_build().
 */
extern GlStatus default_graph_build(GlHost *host, const PointSet *points,
									const PointGraphOptions *options,
									DefaultGraphChoice choice,
									SparseGraph *sparse, BlockGraph *forest,
									Graph **graph, double *column_spread);

#endif							/* DEFAULT_GRAPH_H */
