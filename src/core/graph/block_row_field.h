/*
 * block_row_field.h
 *		Numbers that every row of a block graph has, seen from a new row.
 *
 * A field is n rows of numbers: scores, coordinates.  Its value at a new row
 * is the mean over where the walk goes, sum over nodes B of q_B T_B(y) with
 * T_B the sum of the field over the leaves of B (spec seed000 section 2.15),
 * so a node that stayed whole costs one term.
 */
#ifndef BLOCK_ROW_FIELD_H
#define BLOCK_ROW_FIELD_H

#include "graph/block_row.h"

typedef struct BlockRowField
{
	const double *values;		/* borrowed, n x columns by row */
	int32_t		columns;
	double	   *sums;			/* T x (n-1) x columns: T_B(y) */
} BlockRowField;

/* Sums over every inner node of the trees that speak.  O(T n columns). */
extern GlStatus block_row_field_begin(GlHost *host,
									  const BlockRowIndex *index,
									  const double *values, int32_t columns,
									  BlockRowField *out);

extern void block_row_field_end(GlHost *host, BlockRowField *field);

/* value[c] = sum over the entries of q_B T_B(y_c).  O(entries * columns). */
extern GlStatus block_row_apply(GlHost *host, const BlockRowIndex *index,
								const BlockRow *row,
								const BlockRowField *field, double *value);

#endif							/* BLOCK_ROW_FIELD_H */
