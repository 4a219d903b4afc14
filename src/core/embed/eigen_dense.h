/*
 * eigen_dense.h
 *		The dense way of the eigen solver, for operators of few rows.
 */
#ifndef EIGEN_DENSE_H
#define EIGEN_DENSE_H

#include "embed/eigen_solver.h"

#define EIGEN_DENSE_COLUMNS	32	/* of one product while a matrix is written */

/*
 * As eigen_solver_run, of an operator with at most EIGEN_DENSE_LIMIT rows.
 * lengths: squared length of the known vector in each group, or NULL;
 * dimensions: rows less known vectors; count: pairs, at most dimensions.
 * O(n^3) time, 3 n^2 numbers.
 */
extern GlStatus eigen_dense_run(GlHost *host, const EigenProblem *problem,
								const EigenOptions *options,
								const double *lengths, int64_t dimensions,
								int32_t count, EigenPairs *out,
								EigenReport *report);

#endif							/* EIGEN_DENSE_H */
