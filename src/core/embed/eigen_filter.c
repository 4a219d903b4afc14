/*
 * eigen_filter.c
 *		Choosing and applying a Chebyshev polynomial of an operator.
 */
#include "embed/eigen_filter.h"

#include <math.h>

/*
 * The most by which one application may raise the largest value against the
 * weakest wanted one: more digits than this would drown.
 */
#define CONTRAST	1e7

/*
 * acosh of where a value lies against the damped interval: the logarithm of
 * what one degree raises it by.  In terms of the distance beyond the interval,
 * which is tiny where eigenvalues crowd.
 */
static double
growth_rate(const EigenFilter *filter, double value)
{
	double		beyond = fmax(value - (filter->centre + filter->radius), 0) /
		filter->radius;

	return log1p(beyond + sqrt(beyond * (2 + beyond)));
}

EigenFilter
eigen_filter_choose(const EigenProblem *problem, EigenOrder order, double cut,
					double weakest, double gain, int32_t steps,
					int32_t degree_limit)
{
	EigenFilter filter = EIGEN_FILTER_NONE;
	double		largest = problem->upper_bound;
	double		growth;			/* per degree, of the weakest */
	double		most;			/* and of the largest */
	double		degree;

	if (order == EIGEN_MAGNITUDE)
	{
		cut = fabs(cut);
		weakest = fabs(weakest);
		largest = fmax(largest, -problem->lower_bound);
		filter.radius = cut;
	}
	else
	{
		filter.centre = (cut + problem->lower_bound) / 2;
		filter.radius = (cut - problem->lower_bound) / 2;
	}
	/* nothing to damp, or no gap to be seen yet */
	if (!(filter.radius > 1e-12 * (fabs(largest) + fabs(cut))) ||
		!(weakest > cut))
		return EIGEN_FILTER_NONE;
	growth = growth_rate(&filter, weakest);
	most = growth_rate(&filter, fmax(largest, weakest));
	degree = ceil(log(2 * gain) / (growth * steps));
	/* T_q of the largest over T_q of the weakest */
	degree = fmin(degree, fmin(log(CONTRAST) / fmax(most - growth, 1e-6),
							   log(CONTRAST) * 4 / fmax(most, 1e-6)));
	degree = fmin(degree, degree_limit);
	filter.degree = degree < 1 ? 1 : (int32_t) degree;
	if (order == EIGEN_MAGNITUDE && filter.degree % 2 == 0)
		filter.degree--;		/* odd: the two ends keep their signs */
	return filter.degree == 1 ? EIGEN_FILTER_NONE : filter;
}

/* next <- (next - centre x) * factor - back * previous, row by row. */
static GlStatus
recur(GlHost *host, int64_t count, double centre, double factor, double back,
	  const double *restrict x, const double *restrict previous,
	  double *restrict next)
{
	const int64_t piece = 4096;

	for (int64_t first = 0; first < count; first += piece)
	{
		int64_t		last = first + piece < count ? first + piece : count;

		for (int64_t i = first; i < last; i++)
			next[i] = (next[i] - centre * x[i]) * factor -
				back * previous[i];
		GL_TRY(gl_work(host, last - first));
	}
	return GL_OK;
}

GlStatus
eigen_filter_apply(GlHost *host, const EigenProblem *problem,
				   const EigenFilter *filter, double *x, double *y,
				   double *scratch, int32_t columns, int64_t *products)
{
	int64_t		count = problem->row_count * columns;
	double		inverse = 1 / filter->radius;
	double	   *previous = x;
	double	   *current = y;
	double	   *next = scratch;

	/* T_1: y = (A - centre) x / radius */
	GL_TRY(problem->apply(host, problem->state, x, y, columns));
	(*products)++;
	if (filter->centre != 0 || filter->radius != 1)
		GL_TRY(recur(host, count, filter->centre, inverse, 0, x, x, y));
	for (int32_t degree = 2; degree <= filter->degree; degree++)
	{
		double	   *spare = previous;

		GL_TRY(problem->apply(host, problem->state, current, next, columns));
		(*products)++;
		GL_TRY(recur(host, count, filter->centre, 2 * inverse, 1, current,
					 previous, next));
		previous = current;
		current = next;
		next = spare;
	}
	if (current != y)
		for (int64_t i = 0; i < count; i++)
		{
			GL_TRY(gl_work(host, 1));
			y[i] = current[i];
		}
	return GL_OK;
}
