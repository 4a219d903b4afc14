/*
 * divergence.c
 *		Squared Euclidean, generalised I, Itakura-Saito and logistic.
 *
 * Each d is written in a form that does not cancel near x = y.
 */
#include "graph/divergence.h"

#include <math.h>

/* Where x/y is so near to 1 that the plain formulas would cancel. */
#define NEAR_ONE	0.1

/*
 * e - log1p(e), |e| < NEAR_ONE, without the cancellation of its two terms:
 * with r = e / (2 + e), log1p(e) = 2 (r + r^3/3 + r^5/5 + ...), e - 2 r = e r.
 */
static double
log_excess(double e)
{
	double		r = e / (2 + e);
	double		s = r * r;
	double		series = 1.0 / 11 + s / 13;

	series = 1.0 / 9 + s * series;
	series = 1.0 / 7 + s * series;
	series = 1.0 / 5 + s * series;
	series = 1.0 / 3 + s * series;
	return r * (e - 2 * s * series);
}

/* ---- squared Euclidean: phi = t^2 ---- */

static double
euclidean_phi(double t)
{
	return t * t;
}

static double
euclidean_gradient(double t)
{
	return 2 * t;
}

static double
euclidean_inverse(double u)
{
	return u / 2;
}

static double
euclidean_between(double x, double y)
{
	return (x - y) * (x - y);
}

/* ---- generalised I-divergence: phi = t log t - t, t > 0 ---- */

static double
counts_phi(double t)
{
	return t * log(t) - t;
}

static double
counts_gradient(double t)
{
	return log(t);
}

static double
counts_inverse(double u)
{
	return exp(u);
}

/*
 * x log(x/y) - x + y, given x - y as well.  With x/y = 1 + e it is
 * y (e^2/2 - e^3/6 + ...): near e = 0 take e log1p(e) - (e - log1p(e)) for
 * the bracket.
 */
static double
relative_entropy(double x, double y, double difference)
{
	double		e = difference / y;
	double		excess;

	if (!(fabs(e) < NEAR_ONE))
		return x / y > 0 ? fmax(0, x * log(x / y) - difference) : y;
	excess = log_excess(e);
	return y * (e * (e - excess) - excess);
}

static double
counts_between(double x, double y)
{
	return relative_entropy(x, y, x - y);
}

/* ---- Itakura-Saito: phi = -log t - 1, t > 0 ---- */

static double
itakura_saito_phi(double t)
{
	return -log(t) - 1;
}

static double
itakura_saito_gradient(double t)
{
	return -1 / t;
}

static double
itakura_saito_inverse(double u)
{
	return -1 / u;
}

static double
itakura_saito_between(double x, double y)
{
	double		e = (x - y) / y;

	if (fabs(e) < NEAR_ONE)
		return log_excess(e);
	return fmax(0, e - log(x / y));
}

/* ---- logistic: phi = t log t + (1-t) log(1-t), 0 < t < 1 ---- */

static double
logistic_phi(double t)
{
	return t * log(t) + (1 - t) * log1p(-t);
}

static double
logistic_gradient(double t)
{
	return log(t / (1 - t));
}

static double
logistic_inverse(double u)
{
	return 1 / (1 + exp(-u));
}

/*
 * The I-divergences of t and of 1-t: their -x + y terms cancel exactly.  The
 * difference of 1-x and 1-y is handed on unrounded.
 */
static double
logistic_between(double x, double y)
{
	return relative_entropy(x, y, x - y) +
		relative_entropy(1 - x, 1 - y, y - x);
}

static const Divergence euclidean_divergence = {
	true, euclidean_phi, euclidean_gradient, euclidean_inverse,
	euclidean_between
};

static const Divergence counts_divergence = {
	false, counts_phi, counts_gradient, counts_inverse, counts_between
};

static const Divergence itakura_saito_divergence = {
	false, itakura_saito_phi, itakura_saito_gradient, itakura_saito_inverse,
	itakura_saito_between
};

static const Divergence logistic_divergence = {
	false, logistic_phi, logistic_gradient, logistic_inverse,
	logistic_between
};

const Divergence *
divergence_of(GraphMetric metric)
{
	switch (metric)
	{
		case METRIC_COUNTS:
		case METRIC_KL:
			return &counts_divergence;
		case METRIC_ITAKURA_SAITO:
			return &itakura_saito_divergence;
		case METRIC_LOGISTIC:
			return &logistic_divergence;
		case METRIC_EUCLIDEAN:
		case METRIC_COSINE:
		case METRIC_MAHALANOBIS:
		case METRIC_NONE:
			break;
	}
	return &euclidean_divergence;
}

double
divergence_between(const Divergence *divergence, const double *x,
				   const double *y, int32_t dimension_count)
{
	double		sum = 0;

	if (divergence->is_symmetric)
	{
		/* the common case, without a call per coordinate */
		for (int32_t j = 0; j < dimension_count; j++)
			sum += (x[j] - y[j]) * (x[j] - y[j]);
		return sum;
	}
	for (int32_t j = 0; j < dimension_count; j++)
		sum += divergence->between(x[j], y[j]);
	return sum;
}
