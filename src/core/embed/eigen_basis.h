/*
 * eigen_basis.h
 *		Orthonormal columns of a tall matrix: what an eigen solver stands on.
 *
 * A basis is n x `stride`, row-major, with `used` orthonormal columns; a block
 * is n x `columns`, row-major and contiguous, as operators want it.  All heavy
 * work is matrix products over panels of rows of a fixed height, so sums have
 * a fixed order and no call is long.
 */
#ifndef EIGEN_BASIS_H
#define EIGEN_BASIS_H

#include "base/random.h"
#include "embed/eigen_solver.h"

typedef struct EigenBasis
{
	int64_t		row_count;		/* n */
	int32_t		stride;			/* columns there is room for */
	int32_t		used;			/* columns in use */
	double	   *columns;		/* n x stride */
	const EigenProblem *problem;	/* for the known vectors */
	double	   *known_inverse;	/* 1 / |known_vector|^2 in each group */
	double	   *known_sums;		/* scratch, groups x widest block */
	GlRandom	random;			/* fresh directions */
} EigenBasis;

/* An empty basis with room for `stride` columns, blocks up to `widest`. */
extern GlStatus eigen_basis_begin(GlHost *host, const EigenProblem *problem,
								  int32_t stride, int32_t widest,
								  int64_t seed, EigenBasis *out);

extern void eigen_basis_end(GlHost *host, EigenBasis *basis);

/* out (a_columns x b_columns) <- a^T b for tall a and b. */
extern GlStatus eigen_basis_gram(GlHost *host, int64_t row_count,
								 const double *a, int64_t a_stride,
								 int32_t a_columns, const double *b,
								 int64_t b_stride, int32_t b_columns,
								 double *out);

/* Take the known vectors out of a block. */
extern GlStatus eigen_basis_deflate(GlHost *host, EigenBasis *basis,
									double *block, int32_t columns);

/* Fill columns first .. columns-1 of a block with random numbers. */
extern GlStatus eigen_basis_randomise(GlHost *host, EigenBasis *basis,
									  double *block, int32_t first,
									  int32_t columns);

/* coordinates (used x columns) <- basis^T block. */
extern GlStatus eigen_basis_coordinates(GlHost *host, const EigenBasis *basis,
										const double *block, int32_t columns,
										double *coordinates);

/*
 * Append the directions of a block that the basis does not hold yet, as
 * orthonormal columns.  Where the block holds fewer than `columns` of them,
 * random directions take their place, so `used` always grows by `columns`;
 * there must be so many dimensions left.  The block is overwritten by what was
 * appended; scratch is a second block.
 */
extern GlStatus eigen_basis_append(GlHost *host, EigenBasis *basis,
								   double *block, int32_t columns,
								   double *scratch);

/* out (n x columns) <- basis * factors (used x columns). */
extern GlStatus eigen_basis_combine(GlHost *host, const EigenBasis *basis,
									const double *factors, int32_t columns,
									double *out);

#endif							/* EIGEN_BASIS_H */
