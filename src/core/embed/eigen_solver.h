/*
 * eigen_solver.h
 *		The leading eigenpairs of a large symmetric operator.
 *
 * Reads:	a symmetric operator y <- A x on row-major n x C blocks, bounds of
 *			its spectrum, and eigenvectors that are known beforehand.
 * Yields:	the wanted eigenvalues that come first, by value or by magnitude,
 *			with orthonormal eigenvectors and the residuals |A u - value u|,
 *			measured, not estimated.
 *
 * A block Krylov method whose every step multiplies not by A but by a
 * Chebyshev polynomial of A that is small where nothing is wanted: graphs
 * have eigenvalues that crowd near 1, and a polynomial costs products only,
 * where more Krylov steps cost orthogonalisation too.  The block is wider
 * than the number of wanted pairs, so an eigenvalue of any multiplicity is
 * found as often as it is wanted.  Small operators are solved densely.
 *
 * Start vectors come from the seed, sums run in a fixed order, and signs are
 * canonical (eigen_pairs.h).  The same call gives the same bits.
 */
#ifndef EIGEN_SOLVER_H
#define EIGEN_SOLVER_H

#include "embed/eigen_pairs.h"

/* y <- A x, n x columns, never the same block. */
typedef GlStatus (*EigenApply) (GlHost *host, void *state, const double *x,
								double *y, int32_t columns);

/*
 * Known eigenvectors are kept out of the answer.  There is one for each
 * group of rows: equal to known_vector within the group, 0 elsewhere.  That
 * is what the trivial eigenvectors of a graph look like, one for each
 * component.  A group where known_vector is all 0 has none.
 */
typedef struct EigenProblem
{
	EigenApply	apply;
	void	   *state;
	int64_t		row_count;		/* n */
	double		lower_bound;	/* no eigenvalue is smaller, */
	double		upper_bound;	/* none larger; both finite */
	const double *known_vector; /* n numbers, or NULL: nothing is known */
	const int32_t *group;		/* group of each row; NULL: all in group 0 */
	int32_t		group_count;	/* used with known_vector only; at least 1 */
} EigenProblem;

typedef struct EigenOptions
{
	int32_t		wanted;			/* eigenpairs */
	EigenOrder	order;
	double		tolerance;		/* of residuals, relative to the larger bound */
	int64_t		product_limit;	/* calls of apply; 0: EIGEN_PRODUCT_LIMIT */
	int64_t		seed;
} EigenOptions;

#define EIGEN_PRODUCT_LIMIT	20000
#define EIGEN_TOLERANCE		1e-10	/* what embeddings and clusters ask for */
#define EIGEN_WANTED_LIMIT	256		/* where n is beyond the dense limit */
#define EIGEN_DENSE_LIMIT	512		/* up to here solved by LAPACK */

typedef struct EigenReport
{
	int64_t		products;		/* calls of apply */
	double		residual;		/* the largest */
	double		next_value;		/* about the first eigenvalue not wanted; NaN
								 * if there is none */
	bool		converged;		/* every residual within the tolerance */
} EigenReport;

/*
 * The most columns that apply will be called with: prepare scratch for it.
 * Never less for more wanted.
 */
extern int32_t eigen_solver_columns(int64_t row_count, int32_t wanted);

/* Bytes that eigen_solver_run takes, for an estimate before long work. */
extern GlStatus eigen_solver_require(GlHost *host, int64_t row_count,
									 int32_t wanted);

/*
 * Fewer pairs than wanted come back where there are no more (n less the
 * known ones).  Not converging is in the report; the pairs are then what was
 * reached.  GL_ERR_OPTION if too many are wanted; GL_ERR_DATA if a product
 * is not finite.
 * Time: products with `columns` columns, and O(n columns^2) beside every
 * handful of them; memory n * 8 * columns numbers.
 */
extern GlStatus eigen_solver_run(GlHost *host, const EigenProblem *problem,
								 const EigenOptions *options,
								 EigenPairs *out, EigenReport *report);

#endif							/* EIGEN_SOLVER_H */
