/*
 * cluster_rows.h
 *		k-means with numbers that mean something.
 *
 * Reads:	rows, and perhaps the clusters some of them were in before.
 * Yields:	the result of k-means whose clusters are numbered by their smallest
 *			row, or by the numbers they had before.
 *
 * Every learner that ends with k-means ends here.
 */
#ifndef CLUSTER_ROWS_H
#define CLUSTER_ROWS_H

#include "learn/cluster_start.h"
#include "learn/kmeans.h"

/*
 * kmeans_run() from start (NULL or count 0: from seeds).  Clusters without a
 * row come last, unless start named them.  The options' given centres are
 * ours to fill.  As kmeans_run(), and O(k d) memory more.
 */
extern GlStatus cluster_rows_run(GlHost *host, const PointMatrix *rows,
								 const KmeansOptions *options,
								 const ClusterStart *start, KmeansResult *out,
								 KmeansReport *report);

#endif							/* CLUSTER_ROWS_H */
