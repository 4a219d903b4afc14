/*
 * cluster_start.h
 *		Clusters known from before: where a clustering begins, and their names.
 *
 * Reads:	rows with coordinates, and the clusters some of them were in.
 * Yields:	the first centres of k-means, the means of those rows, and which
 *			number each of them goes by.
 *
 * A clustering that starts here keeps identities: cluster 7 of yesterday is
 * cluster 7 of today.  Numbers nobody was in are left for new clusters.
 */
#ifndef CLUSTER_START_H
#define CLUSTER_START_H

#include "points/point_set.h"

typedef struct ClusterStart
{
	int64_t		count;			/* 0: nothing is known */
	const int32_t *row;
	const int32_t *cluster;		/* 0 .. k-1, for each of these rows */
} ClusterStart;

/*
 * GL_ERR_OPTION for a cluster that is not one of k, or a row named twice.
 * ids name rows in messages.  O(n + count).
 */
extern GlStatus cluster_start_check(GlHost *host, const ClusterStart *start,
									const int64_t *ids, int64_t row_count,
									int32_t cluster_count);

/*
 * centres: k x d, of which the first *given_count are filled; number[p] is
 * the cluster that centre p stands for, those not given last, ascending.  A
 * row of start beyond the matrix's rows does not count, nor does a negative
 * one.  Sums run over ascending rows, so the order of start does not matter.
 */
extern GlStatus cluster_start_centres(GlHost *host, const ClusterStart *start,
									  const PointMatrix *rows,
									  int32_t cluster_count, double *centres,
									  int32_t *number, int32_t *given_count);

#endif							/* CLUSTER_START_H */
