/*
 * point_clusters.h
 *		Clusters of points as they are, without a graph: k-means in the space
 *		of a metric.
 *
 * Reads:	a PointSet, metric and scale as the graph builders know them.
 * Yields:	a cluster per row and the distance to its centre, in user units.
 *
 *		euclidean	k-means
 *		cosine		rows and centres have length 1 (spherical k-means); the
 *					distance is 1 - cos
 */
#ifndef POINT_CLUSTERS_H
#define POINT_CLUSTERS_H

#include "graph/point_space.h"
#include "learn/cluster_rows.h"

typedef struct PointClustersOptions
{
	GraphMetric metric;			/* euclidean or cosine */
	GraphScale	scale;
	KmeansOptions kmeans;		/* spherical is ours to set */
} PointClustersOptions;

typedef struct PointClusters
{
	KmeansResult kmeans;		/* in the space: squared, centre */
	double	   *distance;		/* n, in user units */
} PointClusters;

typedef struct PointClustersReport
{
	KmeansReport kmeans;
	double		column_spread;	/* largest column deviation / median one */
} PointClustersReport;

extern void point_clusters_defaults(PointClustersOptions *options);

/*
 * start may be NULL.  GL_ERR_OPTION for an option out of range, GL_ERR_DATA
 * for a zero row under cosine.  As kmeans_run(), and a copy of the rows where
 * metric or scale need one.
 */
extern GlStatus point_clusters_run(GlHost *host, const PointSet *points,
								   const PointClustersOptions *options,
								   const ClusterStart *start,
								   PointClusters *out,
								   PointClustersReport *report);

extern void point_clusters_release(GlHost *host, PointClusters *clusters);

#endif							/* POINT_CLUSTERS_H */
