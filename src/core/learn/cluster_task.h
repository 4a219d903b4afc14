/*
 * cluster_task.h
 *		What cluster.c hands to the methods, and what they share.
 *
 * A method fills cluster and distance of the result for the nodes that take
 * part, by coordinates and cluster_task_kmeans(), or itself.
 */
#ifndef CLUSTER_TASK_H
#define CLUSTER_TASK_H

#include "learn/cluster.h"

typedef struct ClusterTask
{
	const Graph *graph;
	const ClusterOptions *options;	/* checked, defaults in place */
	int32_t		cluster_count;	/* k: 2 .. member_count - 1 */
	int64_t		member_count;	/* nodes that have edges */
	const int32_t *member;		/* which, ascending */
	ClusterStart start;			/* rows are members' places */
} ClusterTask;

/*
 * k-means on coordinates, member_count x dimensions, into the result, from
 * start (rows are members' places).  The coordinates are scaled in place:
 * their size carries no meaning and may be tiny.
 */
extern GlStatus cluster_task_kmeans(GlHost *host, const ClusterTask *task,
									const ClusterStart *start,
									double *coordinates, int32_t dimensions,
									KmeansSeeding seeding,
									ClusterResult *result);

/* Rows of members out of n x columns numbers. */
extern GlStatus cluster_task_gather(GlHost *host, const ClusterTask *task,
									const double *values, int32_t columns,
									double *rows);

/* The methods. */
extern GlStatus cluster_pic(GlHost *host, const ClusterTask *task,
							ClusterResult *result, ClusterReport *report);
extern GlStatus cluster_spectral(GlHost *host, const ClusterTask *task,
								 ClusterResult *result,
								 ClusterReport *report);
extern GlStatus cluster_kwalks(GlHost *host, const ClusterTask *task,
							   ClusterResult *result, ClusterReport *report);

/*
 * k by the largest gap between successive eigenvalues of the walk, from 2 to
 * CLUSTER_CHOICES; a graph in more pieces than that has as many clusters.
 */
#define CLUSTER_CHOICES	15

extern GlStatus cluster_choose_count(GlHost *host, const Graph *graph,
									 int64_t member_count, int64_t seed,
									 int32_t *cluster_count);

#endif							/* CLUSTER_TASK_H */
