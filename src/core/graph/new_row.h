/*
 * new_row.h
 *		Where a walk at a point never seen would go: its row of a neighbour
 *		graph.
 *
 * Reads:	a knn or radius graph that keeps its points, and the features of a
 *			new row.
 * Yields:	the rows it would be joined to, with probabilities that sum to 1.
 *
 * The new row is measured in the space of the graph (its column scales, unit
 * length under cosine, the same power of two) and joined as the builder joins
 * rows: to its k nearest, or to all that are closer than the radius, with the
 * graph's own weights.  Adaptive weights take the stored scale of the old row
 * and for the new one the distance to its own min(7, k)-th neighbour (radius:
 * min(7, n-1)-th).  What symmetry adds, the rows that would choose the new
 * one, is left out: it would change the old rows.
 */
#ifndef NEW_ROW_H
#define NEW_ROW_H

#include "graph/edge_weights.h"
#include "points/neighbour_index.h"

typedef struct NewRowIndex
{
	const Graph *graph;			/* borrowed */
	PointSpace	space;
	EdgeWeights weights;		/* adaptive: n + 1 scales, the new row's last */
	double		smallest_scale; /* adaptive: the floor of the new row's */
	int32_t		k;				/* knn: neighbours of a new row */
	double	   *query;			/* d: the new row in the space */
	NeighbourIndex search;
	GraphEntry *entries;		/* of the last query */
	int64_t		entry_capacity;
} NewRowIndex;

/*
 * GL_ERR_OPTION unless rows never seen have a place in this graph, of
 * whatever kind: for whoever wants to know before long work.
 */
extern GlStatus new_row_require(GlHost *host, const Graph *graph);

/*
 * Prepare a graph for new rows.  GL_ERR_OPTION for a graph of distances, of
 * another kind, or without its points.  O(n d) time; a copy of the points
 * where the metric or the scale needs one, and n doubles for adaptive weights.
 * The graph must outlive the index, and the index must not move.
 */
extern GlStatus new_row_begin(GlHost *host, const Graph *graph,
							  NewRowIndex *index);

extern void new_row_end(GlHost *host, NewRowIndex *index);

/*
 * The row of a new point, by ascending node, valid until the next query;
 * exclude is a row that must not be a neighbour, or -1.  Empty if nothing is
 * near enough.  GL_ERR_DATA for features of another length or not finite.
 * Time: one query of a neighbour_index.h.
 */
extern GlStatus new_row_query(GlHost *host, NewRowIndex *index,
							  const double *features, int64_t feature_count,
							  int32_t exclude, const GraphEntry **entries,
							  int64_t *entry_count);

#endif							/* NEW_ROW_H */
