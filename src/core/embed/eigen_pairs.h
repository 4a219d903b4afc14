/*
 * eigen_pairs.h
 *		Eigenvalues with their vectors, as every solver of ours returns them.
 */
#ifndef EIGEN_PAIRS_H
#define EIGEN_PAIRS_H

#include "base/host.h"

typedef enum EigenOrder
{
	EIGEN_LARGEST = 1,			/* by descending value */
	EIGEN_MAGNITUDE				/* by descending |value|; of +v and -v the
								 * positive one first */
} EigenOrder;

typedef struct EigenPairs
{
	int64_t		row_count;
	int32_t		count;
	double	   *values;			/* in the order asked for */
	double	   *residuals;		/* |A u - value u| */
	double	   *vectors;		/* n x count, row-major: a row of the matrix
								 * is a node's coordinates */
} EigenPairs;

extern GlStatus eigen_pairs_begin(GlHost *host, int64_t row_count,
								  int32_t count, EigenPairs *out);

extern void eigen_pairs_release(GlHost *host, EigenPairs *pairs);

/* Positions of the first `count` of values given in ascending order. */
extern void eigen_pairs_choose(EigenOrder order, const double *ascending,
							   int32_t value_count, int32_t count,
							   int32_t *chosen);

/* residuals <- |images - values * vectors| for n x columns blocks. */
extern GlStatus eigen_pairs_measure(GlHost *host, int64_t row_count,
									int32_t columns, const double *vectors,
									const double *images,
									const double *values, double *residuals);

/*
 * Make signs canonical: of each vector, the first entry whose magnitude is
 * within a millionth of the largest becomes positive.  The margin keeps the
 * choice free of rounding where a symmetric graph has equal extremes.
 */
extern GlStatus eigen_pairs_fix_signs(GlHost *host, EigenPairs *pairs);

#endif							/* EIGEN_PAIRS_H */
