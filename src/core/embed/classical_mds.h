/*
 * classical_mds.h
 *		Classical MDS: coordinates whose inner products are the centred Gram
 *		matrix of the distances, as nearly as their number of axes allows.
 *
 * Reads:	the distance of every pair.
 * Yields:	X with X X^T nearest to B = -1/2 J D^2 J, J = I - 1 1^T / n.
 *
 * Points under the Euclidean metric need no B: its leading eigenvectors are
 * the principal components of the rows.  Other distances up to
 * LANDMARK_LIMIT points are solved densely, larger ones by the eigen solver
 * on B as an operator that is never formed.
 */
#ifndef CLASSICAL_MDS_H
#define CLASSICAL_MDS_H

#include "embed/distance_rows.h"
#include "embed/layout.h"

/*
 * Axes that the data has not (no positive eigenvalue is left) are 0.  Time:
 * O(n d^2) for points with d at most GL_EIGEN_LIMIT; else some tens of
 * products with n^2 distances.
 */
extern GlStatus classical_mds_run(GlHost *host, DistanceRows *rows,
								  int64_t seed, Layout *layout);

#endif							/* CLASSICAL_MDS_H */
