/*
 * row_field.h
 *		Numbers known for the rows of a graph, carried to rows never seen.
 *
 * Reads:	a graph in which new rows have a place (new_row_require()), a field
 *			of n x C numbers over its rows, and the features of a new row.
 * Yields:	y(x) = sum_i p_i r_i y_i, with p the walk's row of the new point and
 *			r a factor per row (or 1).
 *
 * The same for every learner: labels carry class values, embeddings carry
 * eigenvectors.  Neighbour graphs look the new row's neighbours up
 * (new_row.h), block graphs descend their trees (block_row.h), where sums over
 * the leaves of each node make the answer cost as much as the descent.
 */
#ifndef ROW_FIELD_H
#define ROW_FIELD_H

#include "graph/block_row_field.h"
#include "graph/new_row.h"

typedef struct RowField
{
	const Graph *graph;			/* borrowed, as are the next two */
	const double *values;		/* n x columns */
	const double *row_factor;	/* n, or NULL */
	int32_t		columns;
	NewRowIndex neighbours;		/* of a neighbour graph */
	BlockRowIndex blocks;		/* of a block graph */
	BlockRowField sums;
	double	   *scaled;			/* values times factors, or NULL */
} RowField;

/* How much was looked at for one row. */
typedef struct RowFieldReport
{
	int64_t		node_count;		/* nodes of trees; neighbours */
	int64_t		entry_count;	/* parts of the row that were summed */
} RowFieldReport;

/*
 * Prepare.  Failures as new_row_begin() and block_row_begin(), and
 * GL_ERR_CORRUPT for points that are not finite.  Memory: theirs, and for
 * block graphs T n columns doubles.  The field must not move, and what
 * it borrows must outlive it.
 */
extern GlStatus row_field_begin(GlHost *host, const Graph *graph,
								const double *values,
								const double *row_factor, int32_t columns,
								RowField *out);

extern void row_field_end(GlHost *host, RowField *field);

/*
 * value[c] for a new row; all 0 where no row is near enough.  exclude is a
 * row to be left out as if it were not in the graph, or -1; the tolerance is
 * that of block_row_query() and means nothing to neighbour graphs.  report may
 * be NULL.  Failures as new_row_query() and block_row_query().
 */
extern GlStatus row_field_query(GlHost *host, RowField *field,
								const double *features,
								int64_t feature_count, int32_t exclude,
								double tolerance, double *value,
								RowFieldReport *report);

#endif							/* ROW_FIELD_H */
