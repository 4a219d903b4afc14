/*
 * row_order.h
 *		The order of rows by what they hold, for rows that have no ids.
 *
 * Reads:	a PointMatrix, and for each row a number beside its values.
 * Yields:	the rows sorted by their values from left to right, then by that
 *			number, and which of them are equal.
 *
 * Rows are equal when all values and the number are; -0.0 equals 0.0.  Equal
 * rows keep the order in which they came, but as nothing tells them apart,
 * whoever gives all of them the answer of the first depends on no order.
 */
#ifndef ROW_ORDER_H
#define ROW_ORDER_H

#include "points/point_set.h"

typedef struct RowOrder
{
	int64_t		row_count;
	int32_t    *row;			/* row[r]: the row of rank r */
	int32_t    *first;			/* rank of the first row equal to that of
								 * rank r; at most r */
} RowOrder;

/*
 * Sort; tie holds a number per row, NULL: none.  O(n) per column in which
 * rows that agree so far differ, O(n d) at most beside runs of a few rows;
 * 8 bytes a row kept, 48 more while running.
 */
extern GlStatus row_order_find(GlHost *host, const PointMatrix *points,
							   const int32_t *tie, RowOrder *out);

extern void row_order_release(GlHost *host, RowOrder *order);

#endif							/* ROW_ORDER_H */
