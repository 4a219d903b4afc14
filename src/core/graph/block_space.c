/*
 * block_space.c
 *		Which space a metric lives in.
 */
#include "graph/block_space.h"

#include "graph/divergence_space.h"

static bool
has_point_space(GraphMetric metric)
{
	return metric == METRIC_EUCLIDEAN || metric == METRIC_COSINE;
}

GlStatus
block_space_begin(GlHost *host, const PointSet *points, GraphMetric metric,
				  GraphScale scale, double smoothing, PointSpace *out)
{
	if (has_point_space(metric))
		return point_space_begin(host, points, metric, scale, out);
	return divergence_space_begin(host, points, metric, smoothing, out);
}

GlStatus
block_space_map_row(GlHost *host, const PointSpace *space,
					const double *features, int64_t feature_count,
					double *out)
{
	if (has_point_space(space->metric))
		return point_space_map_row(host, space, features, feature_count, out);
	return divergence_space_map_row(host, space, features, feature_count,
									out);
}
