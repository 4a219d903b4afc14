/*
 * divergence_space.h
 *		Rows as the divergences of block graphs measure them.
 *
 *		counts			rows >= 0 plus the smoothing, so that they are > 0
 *		kl				the same, then divided by their sum
 *		itakura_saito	rows > 0, as they are
 *		logistic		0 < rows < 1, as they are
 *		mahalanobis		rows times the inverse Cholesky factor of their sample
 *						covariance: then squared Euclidean distance is the
 *						Mahalanobis distance
 */
#ifndef DIVERGENCE_SPACE_H
#define DIVERGENCE_SPACE_H

#include "graph/point_space.h"

/*
 * GL_ERR_DATA naming the id for a row outside the domain, or if the
 * covariance is singular.  A copy of n x d doubles; O(n d), mahalanobis
 * O(n d^2) with d <= GL_EIGEN_LIMIT.
 */
extern GlStatus divergence_space_begin(GlHost *host, const PointSet *points,
									   GraphMetric metric, double smoothing,
									   PointSpace *out);

/*
 * A row never seen in a space made here, out of d numbers.  GL_ERR_DATA as
 * point_space_map_row(), and outside the domain.  O(d), mahalanobis O(d^2).
 */
extern GlStatus divergence_space_map_row(GlHost *host,
										 const PointSpace *space,
										 const double *features,
										 int64_t feature_count,
										 double *out);

#endif							/* DIVERGENCE_SPACE_H */
