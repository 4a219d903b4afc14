/*
 * cluster_arguments.h
 *		What the clustering functions read and write alike.
 */
#ifndef GRAPHLEARN_CLUSTER_ARGUMENTS_H
#define GRAPHLEARN_CLUSTER_ARGUMENTS_H

#include "node_arguments.h"

#include "learn/cluster.h"

/*
 * The arguments init_ids and, after it, init_clusters.  A NULL cluster says
 * that nothing is known of its id.  The core checks numbers and repeats.
 */
extern void cluster_start_argument(FunctionCallInfo fcinfo, int init_ids,
								   const IdSet *set, ClusterStart *start);

/* Where a function finds its options; -1: it does not take that one. */
typedef struct ClusterArguments
{
	int			k;
	int			method;
	int			dims;
	int			start;
	int			stop;
	int			steps;
	int			damping;
	int			iterations;
	int			tolerance;
	int			restarts;
	int			seed;
} ClusterArguments;

/* Read them on top of the defaults.  A NULL k is 0: to be chosen. */
extern void cluster_options_argument(FunctionCallInfo fcinfo,
									 const ClusterArguments *at,
									 ClusterOptions *options);

/* iterations or restarts: an int that is at least 1. */
extern int32 count_argument(FunctionCallInfo fcinfo, int argument,
							const char *name, int32 default_value);

/* The set of rows (id, cluster, distance); cluster < 0 is NULL, NULL. */
extern void cluster_rows_result(FunctionCallInfo fcinfo, const int64_t *ids,
								int64 count, const int32_t *cluster,
								const double *distance);

#endif							/* GRAPHLEARN_CLUSTER_ARGUMENTS_H */
