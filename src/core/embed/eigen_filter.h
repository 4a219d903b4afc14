/*
 * eigen_filter.h
 *		A Chebyshev polynomial of an operator, large only where wanted.
 *
 *		p(A) = T_q((A - centre) / radius)
 *
 * |T_q| is at most 1 on the damped interval [centre - radius, centre + radius]
 * and grows like cosh(q acosh x) outside, so multiplying by p(A) raises what
 * lies above the interval by the factor that q products can raise it at most.
 * With a symmetric interval and odd q both ends of the spectrum are raised
 * and keep their signs.
 */
#ifndef EIGEN_FILTER_H
#define EIGEN_FILTER_H

#include "embed/eigen_solver.h"

typedef struct EigenFilter
{
	double		centre;			/* of the damped interval */
	double		radius;			/* > 0 */
	int32_t		degree;			/* q; 1 without scaling is A itself */
} EigenFilter;

/* The filter that leaves A as it is. */
#define EIGEN_FILTER_NONE	((EigenFilter) {0.0, 1.0, 1})

/*
 * Choose a filter that damps everything up to `cut` and raises `weakest`, the
 * least of the wanted values, by `gain` in all over `steps` applications.  No
 * value within the bounds is raised so much that a weaker one drowns.
 */
extern EigenFilter eigen_filter_choose(const EigenProblem *problem,
									   EigenOrder order, double cut,
									   double weakest, double gain,
									   int32_t steps, int32_t degree_limit);

/*
 * y <- p(A) x for n x columns blocks; scratch is a third block, and x is used
 * up.  *products counts calls of apply.
 */
extern GlStatus eigen_filter_apply(GlHost *host, const EigenProblem *problem,
								   const EigenFilter *filter, double *x,
								   double *y, double *scratch,
								   int32_t columns, int64_t *products);

#endif							/* EIGEN_FILTER_H */
