/*
 * point_clusters.c
 *		k-means on the rows of a point set, in the space of its metric.
 */
#include "learn/point_clusters.h"

#include <string.h>

void
point_clusters_defaults(PointClustersOptions *options)
{
	memset(options, 0, sizeof(*options));
	options->metric = METRIC_EUCLIDEAN;
	options->scale = SCALE_NONE;
	kmeans_defaults(&options->kmeans);
}

static GlStatus
measure_distances(GlHost *host, const PointSpace *space,
				  PointClusters *clusters)
{
	int64_t		n = clusters->kmeans.row_count;

	GL_NEW(host, clusters->distance, n);
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		clusters->distance[i] =
			point_space_distance(space, clusters->kmeans.squared[i]);
	}
	return GL_OK;
}

GlStatus
point_clusters_run(GlHost *host, const PointSet *points,
				   const PointClustersOptions *options,
				   const ClusterStart *start, PointClusters *out,
				   PointClustersReport *report)
{
	KmeansOptions kmeans = options->kmeans;
	PointClusters clusters = {0};
	PointClustersReport progress = {0};
	PointSpace	space;

	memset(out, 0, sizeof(*out));
	memset(report, 0, sizeof(*report));
	kmeans.spherical = options->metric == METRIC_COSINE;
	if (start != NULL)
		GL_TRY(cluster_start_check(host, start, points->ids,
								   points->matrix.row_count,
								   kmeans.cluster_count));
	GL_TRY(point_space_begin(host, points, options->metric, options->scale,
							 &space));
	GL_TRY(cluster_rows_run(host, &space.matrix, &kmeans, start,
							&clusters.kmeans, &progress.kmeans));
	GL_TRY(measure_distances(host, &space, &clusters));
	progress.column_spread = space.column_spread;
	point_space_end(host, &space);
	*out = clusters;
	*report = progress;
	return GL_OK;
}

void
point_clusters_release(GlHost *host, PointClusters *clusters)
{
	kmeans_result_release(host, &clusters->kmeans);
	gl_release(host, clusters->distance);
	memset(clusters, 0, sizeof(*clusters));
}
