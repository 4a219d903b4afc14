/*
 * neighbours.h
 *		Exact nearest neighbours of the rows of a matrix, by either of two roads.
 *
 * Reads:	a PointMatrix (already scaled, or of unit rows for cosine).
 * Yields:	for each row its k nearest other rows, or all rows within a radius.
 *
 * The order is total: by (squared distance, row), so equal distances are
 * broken by row number, that is by id.  A flat array tree (kd_tree.h) serves
 * low dimensions, blocked SGEMM (neighbours_gemm.c) high ones; each only
 * proposes candidates, with a proved margin, and distance.h decides.  So both
 * roads, and plain search, give the same bits.
 *
 * Magnitudes between 1e-120 and 1e120, and zero, are searched well.  Beyond,
 * squared distances overflow to infinity or vanish in double and the rows so
 * confounded are tied, by row number; nothing can be rejected early, so the
 * search is slow.  Callers scale such data by a power of two first.
 *
 * Time: tree about n^1.35 for d <= 16; products n^2 d / 2 multiply-adds.
 * Memory beyond points and result: about 10 d bytes a row by tree, 4 d + 24 k
 * by products, 8 to 40 for duplicates.
 */
#ifndef NEIGHBOURS_H
#define NEIGHBOURS_H

#include "points/point_set.h"

/* Which road to take; the answer is the same. */
typedef enum NeighbourMethod
{
	NEIGHBOURS_AUTO = 0,		/* decide from n, d and a sampled search */
	NEIGHBOURS_TREE,
	NEIGHBOURS_GEMM
} NeighbourMethod;

typedef struct NeighbourReport
{
	NeighbourMethod method;		/* the road taken */
	int64_t		unique_count;	/* rows left after duplicates were removed */
	int64_t		distance_count; /* distances evaluated by the deciding kernel */
} NeighbourReport;

/* k neighbours of each row, row-major n x k, nearest first. */
typedef struct NeighbourLists
{
	int64_t		row_count;
	int32_t		k;
	int32_t    *neighbour;
	double	   *squared_distance;
} NeighbourLists;

/*
 * The k nearest other rows of every row; 1 <= k <= n-1 (GL_ERR_OPTION
 * otherwise).  report may be NULL.
 */
extern GlStatus neighbours_search(GlHost *host, const PointMatrix *points,
								  int32_t k, NeighbourMethod method,
								  NeighbourLists *out,
								  NeighbourReport *report);

extern void neighbour_lists_release(GlHost *host, NeighbourLists *lists);

/*
 * All rows j != i with squared distance <= limit, for every row i, as
 * compressed rows: entries row_start[i] .. row_start[i+1]-1, each row's by
 * ascending neighbour number.  Symmetric by construction.
 */
typedef struct NeighbourRanges
{
	int64_t		row_count;
	int64_t    *row_start;		/* n + 1 */
	int32_t    *neighbour;
	double	   *squared_distance;
} NeighbourRanges;

extern GlStatus neighbours_within(GlHost *host, const PointMatrix *points,
								  double squared_limit,
								  NeighbourMethod method,
								  NeighbourRanges *out);

extern void neighbour_ranges_release(GlHost *host, NeighbourRanges *ranges);

/*
 * The k nearest rows of a few query points (new rows, or a sample).
 * queries is a matrix with the same number of columns; exclude[q] is a row
 * that must not be its own neighbour, or -1; exclude may be NULL.
 * Lists are query_count x k.
 */
extern GlStatus neighbours_query(GlHost *host, const PointMatrix *points,
								 const PointMatrix *queries,
								 const int32_t *exclude, int32_t k,
								 NeighbourMethod method,
								 NeighbourLists *out);

#endif							/* NEIGHBOURS_H */
