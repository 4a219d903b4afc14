/*
 * distance_rows.h
 *		The distances that a layout should show, one row at a time.
 *
 * Reads:	points and a metric, or a graph of lengths.
 * Yields:	for each point the others, how far they should be and how much
 *			that counts.
 *
 *		points		every pair, computed when asked for, or kept as an n x n
 *					matrix where that fits: the same bits either way
 *		table		the pairs of a distance graph; pairs not named are unknown
 *		paths		every pair, as long as the shortest path through a graph
 *
 * Invariants: a row never names its own point; (i, j) and (j, i) have the
 * same length and weight; lengths are finite and >= 0, weights > 0.
 */
#ifndef DISTANCE_ROWS_H
#define DISTANCE_ROWS_H

#include "graph/point_space.h"
#include "graph/shortest_paths.h"

typedef struct DistanceRow
{
	int64_t		count;			/* n where target is NULL, own point included */
	const int32_t *target;		/* NULL: 0 .. n-1 */
	const double *length;
	const double *weight;		/* NULL: each counts 1 */
} DistanceRow;

typedef struct DistanceRows
{
	int64_t		point_count;	/* n */
	bool		is_complete;	/* every pair is known, with weight 1 */

	double	   *matrix;			/* complete: n x n, or NULL: on the fly */
	PointSpace	space;			/* on the fly */
	const PointSet *points;		/* where space came from, or NULL */
	double	   *query;			/* d numbers */
	double	   *length;			/* a row of n */

	int64_t    *row_start;		/* not complete: compressed rows */
	int32_t    *target;
	double	   *table_length;
	double	   *table_weight;	/* or NULL */
	SparseGraph *network;		/* the same seen as a graph, for paths */
	ShortestPaths paths;		/* begun when first asked for */
} DistanceRows;

/*
 * Every pair of the points, which must outlive the rows.  The matrix is kept
 * if it takes at most a quarter of the budget left.  O(n d) time, or
 * O(n^2 d) with the matrix.
 */
extern GlStatus distance_rows_from_points(GlHost *host,
										  const PointSet *points,
										  GraphMetric metric,
										  GraphScale scale,
										  DistanceRows *out);

/*
 * The pairs of a graph of lengths; GL_ERR_OPTION for one of similarities.  A
 * graph whose two directions disagree is GL_ERR_DATA naming a pair, unless
 * symmetrize: then the mean of both counts (weighted where weights are
 * known), and a pair known in one direction only is known.  O(entries).
 */
extern GlStatus distance_rows_from_graph(GlHost *host, const Graph *graph,
										 bool symmetrize, DistanceRows *out);

/*
 * Every pair by its shortest path.  GL_ERR_DATA, with two ids, for nodes that
 * no path joins.  n Dijkstra runs, n x n numbers of memory.
 */
extern GlStatus distance_rows_from_paths(GlHost *host, const Graph *graph,
										 DistanceRows *out);

/* A row; its arrays are good until the next call. */
extern GlStatus distance_rows_get(GlHost *host, DistanceRows *rows,
								  int64_t point, DistanceRow *row);

/*
 * Distances from a point to all, length[n]: the known ones where every pair
 * is, and the shortest paths through the known ones of a table (infinity
 * where none leads).
 */
extern GlStatus distance_rows_full(GlHost *host, DistanceRows *rows,
								   int64_t point, double *length);

/*
 * The rows of some points among themselves: what is left of a table inside
 * one component.  member lists them ascending; position maps points to places
 * in member.  For tables only.
 */
extern GlStatus distance_rows_part(GlHost *host, const DistanceRows *rows,
								   const int32_t *member, int64_t count,
								   const int32_t *position,
								   DistanceRows *out);

extern void distance_rows_release(GlHost *host, DistanceRows *rows);

#endif							/* DISTANCE_ROWS_H */
