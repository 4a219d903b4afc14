/*
 * linear_solver.h
 *		Solve M e = r for many columns at once, M known only by its products.
 *
 * Reads:	an operator y <- M x on row-major n x C blocks, so that one reading
 *			of a graph serves every column, and a right-hand side r.
 * Yields:	the correction e.  The caller forms f <- f + e, so warm starts and
 *			refinement are its own affair and cost no product here.
 *
 *		conjugate	M self-adjoint and positive definite in the inner product
 *					<a,b> = sum_i w_i a_i b_i; 1 product a step, 3 blocks
 *		bicgstab	any M whose symmetric part is positive enough; 2 products
 *					a step, 5 blocks.  Preferred to restarted GMRES because a
 *					GMRES that converges as well keeps 20 blocks or more
 *		plain		M = I - G with G a contraction: e <- e + r, r <- G r;
 *					after t steps the error is at most g^t of the first one
 *
 * Every column has its own step sizes and stops on its own: a finished column
 * is frozen while the others go on.  Sums run in a fixed order (rows within a
 * block, then blocks), so the answer has the same bits on every machine.
 */
#ifndef LINEAR_SOLVER_H
#define LINEAR_SOLVER_H

#include "base/host.h"

typedef enum LinearMethod
{
	LINEAR_CONJUGATE = 1,
	LINEAR_BICGSTAB,
	LINEAR_PLAIN
} LinearMethod;

/* y <- M x, both row_count x columns, never the same block. */
typedef GlStatus (*LinearApply) (GlHost *host, void *state, const double *x,
								 double *y);

typedef struct LinearSystem
{
	LinearApply apply;
	void	   *state;
	int64_t		row_count;		/* n */
	int32_t		columns;		/* C, at least 1 */
	const double *inner_weight; /* w >= 0, n numbers; NULL: all 1 */
} LinearSystem;

/* When a column is done: either condition will do. */
typedef struct LinearGoal
{
	const double *target;		/* max_i |r_ic| <= target[c]; NULL: 0 */
	double		reduction;		/* norm of r_c <= reduction * norm at start */
	int64_t		product_limit;
} LinearGoal;

typedef struct LinearReport
{
	int64_t		products;		/* calls of apply */
	double		residual;		/* max |r| at the end, by recurrence */
	bool		converged;		/* every column met its goal */
	int64_t		breakdowns;		/* columns restarted or given up */
} LinearReport;

/*
 * correction <- about M^-1 residual.  residual is used up: its contents are
 * undefined afterwards.  A column that ends with a larger norm than it began
 * with (or with no number at all) gets correction 0 and counts as not
 * converged.  Failures: GL_ERR_MEMORY, GL_ERR_INTERRUPTED, or what apply
 * answers.  Time: products, and O(n C) each beside them; memory as above.
 */
extern GlStatus linear_solver_run(GlHost *host, LinearMethod method,
								  const LinearSystem *system,
								  const LinearGoal *goal, double *residual,
								  double *correction, LinearReport *report);

#endif							/* LINEAR_SOLVER_H */
