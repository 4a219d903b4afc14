/*
 * assignment.h
 *		The best one-to-one matching of rows to columns, and of clusters to
 *		classes.
 *
 * Reads:	the positive cells of a rectangular table of weights.
 * Yields:	a column for each row, or none, of the largest total weight.
 *
 * Idea.  Shortest augmenting paths with potentials (Kuhn 1955; Jonker and
 * Volgenant 1987), over the cells that exist only.  An absent cell is worth 0,
 * the same as no partner at all, so instead of padding the table to a square
 * each row has a private dummy column of weight 0.  A full table costs about
 * the O(k^3) of the dense method, but the memory is that of the cells, and
 * tables in which clusters resemble classes take nearly linear time.
 *
 * Weights are pairs of integers compared first by `first`: the arithmetic is
 * exact, and a tie in the first is decided by the second.
 */
#ifndef ASSIGNMENT_H
#define ASSIGNMENT_H

#include "measure/contingency.h"

/* A weight; both parts >= 0.  Sums over all cells must fit 62 bits each. */
typedef struct AssignmentWeight
{
	int64_t		first;
	int64_t		second;
} AssignmentWeight;

/* Cells in compressed rows: those of row i are row_start[i] .. [i + 1] - 1. */
typedef struct AssignmentTable
{
	int32_t		row_count;
	int32_t		column_count;
	const int64_t *row_start;	/* row_count + 1 */
	const int32_t *column;
	const AssignmentWeight *weight;
} AssignmentTable;

#define ASSIGNMENT_NONE		(-1)

/*
 * column_of_row[i] is the partner of row i, or ASSIGNMENT_NONE.  Depends on
 * the table alone.  GL_ERR_MEMORY, GL_ERR_INTERRUPTED.  With r rows, c columns
 * and z cells: O(r z log c) time at worst, O(r + c) memory.
 */
extern GlStatus assignment_solve(GlHost *host, const AssignmentTable *table,
								 int32_t *column_of_row);

/*
 * Match clusters to classes so that most rows are right; among those
 * matchings, so that macro F1 is largest (to 2^-30 of each class's F1).  So
 * neither result depends on how the clusters are named.  The cluster of rows
 * without an answer is never matched.  GL_ERR_DATA without rows.
 *
 * assignment_accuracy: share of rows whose cluster is matched to their class.
 * assignment_f1: mean over classes of 2 n_ij / (a_i + b_j), j matched to i;
 * a class without a partner gives 0.
 */
extern GlStatus assignment_accuracy(GlHost *host, const Contingency *table,
									double *accuracy);
extern GlStatus assignment_f1(GlHost *host, const Contingency *table,
							  double *f1);

#endif							/* ASSIGNMENT_H */
