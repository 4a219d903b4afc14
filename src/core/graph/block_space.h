/*
 * block_space.h
 *		Rows as a block graph of any metric measures them: one door to
 *		point_space.h (euclidean, cosine) and divergence_space.h (the others).
 */
#ifndef BLOCK_SPACE_H
#define BLOCK_SPACE_H

#include "graph/point_space.h"

/*
 * scale is for euclidean and cosine, smoothing for counts and kl.  Failures
 * and cost as point_space_begin() and divergence_space_begin().
 */
extern GlStatus block_space_begin(GlHost *host, const PointSet *points,
								  GraphMetric metric, GraphScale scale,
								  double smoothing, PointSpace *out);

/* A row never seen in such a space, as point_space_map_row(). */
extern GlStatus block_space_map_row(GlHost *host, const PointSpace *space,
									const double *features,
									int64_t feature_count, double *out);

#endif							/* BLOCK_SPACE_H */
