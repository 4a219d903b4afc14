/*
 * neighbour_index.h
 *		Nearest rows for queries that come one at a time, nobody knows how many.
 *
 * Reads:	a PointMatrix that does not change, then one query after another.
 * Yields:	the k nearest rows of a query, or all within a radius: the same
 *			bits as neighbours.h gives.
 *
 * The first queries look at every row, which needs no preparation; when they
 * have cost about as much as a kd tree does, the tree is built and answers
 * the rest.  So a trigger that asks once does not pay for a tree, and a
 * statement that asks a million times pays once.
 *
 * The tree sees float images whose scale must suit the queries (screen.h).
 * Queries far outside the rows, beyond ENVELOPE ranges, are answered by
 * looking at every row.
 */
#ifndef NEIGHBOUR_INDEX_H
#define NEIGHBOUR_INDEX_H

#include "points/neighbours_tree.h"

/* A row and its squared distance from the query. */
typedef struct NeighbourFound
{
	int32_t		row;
	double		squared;
} NeighbourFound;

typedef struct NeighbourIndex
{
	const PointMatrix *points;	/* borrowed */
	int32_t		max_k;
	int64_t		scan_count;		/* queries answered by looking at all rows */
	int64_t		scan_limit;		/* when to build the tree */

	bool		has_tree;
	DuplicateGroups groups;
	TreeSearch	tree;
	double	   *envelope;		/* lowest d numbers, then highest d */

	/* scratch, and the answer to the last query */
	double	   *distance;		/* max_k + 1 */
	int32_t    *group;
	double	   *row_distance;
	int32_t    *row;
	NeighbourFound *found;
	int64_t		found_capacity;
	int64_t		found_count;
} NeighbourIndex;

/*
 * Begin with queries for up to max_k rows each.  O(max_k).  The points must
 * outlive the index, and the index must not move.
 */
extern GlStatus neighbour_index_begin(GlHost *host, const PointMatrix *points,
									  int32_t max_k, NeighbourIndex *out);

extern void neighbour_index_end(GlHost *host, NeighbourIndex *index);

/*
 * index->found[0 .. found_count - 1] are the k nearest rows of the query (d
 * finite numbers), nearest first, ties by row, without the row `exclude` (-1:
 * none); 0 <= k <= max_k, and fewer than k where there are fewer rows.
 */
extern GlStatus neighbour_index_nearest(GlHost *host, NeighbourIndex *index,
										const double *query, int32_t exclude,
										int32_t k);

/* All rows at a squared distance <= limit, in any order. */
extern GlStatus neighbour_index_within(GlHost *host, NeighbourIndex *index,
									   const double *query, int32_t exclude,
									   double squared_limit);

#endif							/* NEIGHBOUR_INDEX_H */
