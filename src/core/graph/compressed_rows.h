/*
 * compressed_rows.h
 *		Building sparse matrices: from lists, from pairs, and their mirrors.
 *
 * A CompressedRows is a sparse matrix under construction; a SparseGraph takes
 * its arrays over.  Within a row the columns are strictly ascending.
 */
#ifndef COMPRESSED_ROWS_H
#define COMPRESSED_ROWS_H

#include "graph/graph.h"
#include "points/neighbours.h"

typedef struct CompressedRows
{
	int64_t		row_count;
	int64_t    *row_start;		/* n + 1 */
	int32_t    *column;
	double	   *value;
} CompressedRows;

extern void compressed_rows_release(GlHost *host, CompressedRows *rows);

/*
 * From n x k lists, already holding weights in place of squared distances:
 * sort each row by column and drop zeros unless keep_zeros.  Takes the lists'
 * memory over (they are emptied).  O(n k log k).
 */
extern GlStatus compressed_rows_from_lists(GlHost *host,
										   NeighbourLists *lists,
										   bool keep_zeros,
										   CompressedRows *out);

/*
 * The symmetric matrix made of `rows` and its transpose, entry by entry:
 *
 *		sum		(a + b) / 2 for similarities; a or b for lengths, which are
 *				equal where both are present
 *		union	max(a, b)
 *		mutual	min(a, b), only where both are present
 *
 * Takes the memory of rows over.  O(entries).
 */
extern GlStatus compressed_rows_symmetrise(GlHost *host,
										   CompressedRows *rows,
										   GraphSymmetry symmetry,
										   bool lengths,
										   CompressedRows *out);

/*
 * Spread n-1 or more pairs (source < target, sorted by both) into a symmetric
 * matrix.  O(n + pairs).
 */
extern GlStatus compressed_rows_from_pairs(GlHost *host, int64_t row_count,
										   int64_t pair_count,
										   const int32_t *source,
										   const int32_t *target,
										   const double *value,
										   CompressedRows *out);

#endif							/* COMPRESSED_ROWS_H */
