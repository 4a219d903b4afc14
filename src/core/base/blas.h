/*
 * blas.h
 *		Matrix products in pieces small enough to stop between, and LAPACK.
 *
 * A large BLAS call cannot be interrupted.  These wrappers cut a product into
 * calls of at most GL_GEMM_CALL multiply-adds (about half a millisecond) and
 * ask the host between them.  BLAS sums in an order of its own, so its results
 * may differ in the last bits between machines: use it to propose, or where
 * only accuracy is promised.
 *
 * LAPACK is declared here because LAPACKE is not installed everywhere that
 * OpenBLAS is; integers are 32-bit.
 */
#ifndef GL_BLAS_H
#define GL_BLAS_H

#include "base/host.h"

#define GL_GEMM_CALL	((int64_t) 1 << 24)

/*
 * c = alpha * a * b' + beta * c, row-major: a is m x k, b is n x k, c is
 * m x n, each with its row stride.  Strides are at most INT32_MAX.  Only
 * GL_ERR_INTERRUPTED.  No memory of ours.
 */
extern GlStatus gl_sgemm_transposed(GlHost *host, int64_t m, int64_t n,
									int64_t k, float alpha,
									const float *a, int64_t a_stride,
									const float *b, int64_t b_stride,
									float beta, float *c, int64_t c_stride);

/* c = alpha * op(a) * op(b) + beta * c in double, row-major, cut alike. */
extern GlStatus gl_dgemm(GlHost *host, bool transpose_a, bool transpose_b,
						 int64_t m, int64_t n, int64_t k, double alpha,
						 const double *a, int64_t a_stride,
						 const double *b, int64_t b_stride,
						 double beta, double *c, int64_t c_stride);

/*
 * Eigenvalues (ascending) and eigenvectors of a symmetric n x n matrix, which
 * is overwritten: afterwards row i of `matrix` is the i-th eigenvector.
 * Cannot be interrupted, so n is at most GL_EIGEN_LIMIT (GL_ERR_TOO_LARGE).
 * GL_ERR_INTERNAL if LAPACK fails to converge.  O(n^3) time, O(n^2) memory.
 */
#define GL_EIGEN_LIMIT	1024

extern GlStatus gl_symmetric_eigen(GlHost *host, int32_t n, double *matrix,
								   double *eigenvalues);

/*
 * The singular value decomposition of a small n x n matrix, row-major and
 * overwritten: matrix = left * diag(singular) * right, singular descending.
 * n at most GL_EIGEN_LIMIT; fails like gl_symmetric_eigen().
 */
extern GlStatus gl_small_svd(GlHost *host, int32_t n, double *matrix,
							 double *singular, double *left, double *right);

#endif							/* GL_BLAS_H */
