/*
 * cluster.h
 *		Which nodes of a graph belong together.
 *
 * Reads:	any Graph whose numbers are similarities or transitions, a number
 *			of clusters k, perhaps the clusters of before.
 * Yields:	a cluster per node and how far the node is from its middle.
 *
 *		njw			k eigenvectors of the symmetric walk, rows scaled to length
 *					1, k-means
 *		ncut		eigenvectors 2 .. k of the walk, k-means
 *		weighted_ncut	more eigenvectors, each scaled by |eigenvalue|^steps
 *		pic			a few steps of the walk from vectors of chance, k-means
 *		kwalks		walks that restart at k centres; a centre is the node of
 *					highest PageRank in its cluster
 *
 * A node without edges is in no cluster (-1).  Clusters are numbered by their
 * smallest node, or as they were before.  With k = 1 all nodes are together,
 * with k = n each is alone, whatever the method.
 */
#ifndef CLUSTER_H
#define CLUSTER_H

#include "graph/graph.h"
#include "learn/cluster_rows.h"
#include "learn/power_iteration.h"

typedef enum ClusterMethod
{
	CLUSTER_NJW = 1,
	CLUSTER_NCUT,
	CLUSTER_WEIGHTED_NCUT,
	CLUSTER_PIC,
	CLUSTER_KWALKS
} ClusterMethod;

/* When pic stops. */
typedef enum ClusterStop
{
	CLUSTER_STOP_ACCELERATION = 1,	/* the walk no longer accelerates */
	CLUSTER_STOP_CUT,			/* the normalised cut does not fall any more */
	CLUSTER_STOP_MODULARITY,	/* modularity does not rise any more */
	CLUSTER_STOP_COUNT			/* after iteration_limit steps */
} ClusterStop;

typedef struct ClusterOptions
{
	ClusterMethod method;
	int32_t		cluster_count;	/* k; 0: chosen by the eigengap */
	int32_t		dimensions;		/* coordinates; 0: the method's default */
	PowerStart	start;			/* pic */
	ClusterStop stop;			/* pic */
	double		steps;			/* weighted_ncut */
	double		damping;		/* kwalks: NaN for its default */
	int64_t		iteration_limit;	/* pic, kwalks; 0: the method's default */
	double		tolerance;		/* NaN: the method's default */
	int32_t		restarts;		/* of k-means */
	int64_t		seed;
} ClusterOptions;

typedef struct ClusterReport
{
	int32_t		cluster_count;	/* k, as given or chosen */
	int32_t		found_count;	/* clusters that have a node */
	int32_t		component_count;	/* pieces of the graph, lone nodes aside;
									 * 0: the method did not ask */
	int64_t		lone_count;		/* nodes in no cluster */
	int64_t		iterations;		/* steps, or products of the eigen solver */
	double		residual;		/* what was compared with the tolerance */
	bool		converged;
	bool		was_flat;		/* pic: the start was constant, drawn anew */
	bool		was_lazy;		/* pic: the walk swung and was made lazy */
} ClusterReport;

typedef struct ClusterResult
{
	int64_t		node_count;
	int32_t    *cluster;		/* n; -1: no cluster */
	double	   *distance;		/* n; 0 where there is no cluster */
} ClusterResult;

/* The most coordinates. */
#define CLUSTER_DIMENSIONS	256

/* njw, k chosen, 10 restarts. */
extern void cluster_defaults(ClusterOptions *options);

/*
 * start may be NULL.  GL_ERR_OPTION for an option out of range, k beyond the
 * number of nodes that have edges, or a graph of lengths.  Not converging is
 * in the report.  Time and memory: see the files of the methods.
 */
extern GlStatus cluster_run(GlHost *host, const Graph *graph,
							const ClusterOptions *options,
							const ClusterStart *start, ClusterResult *out,
							ClusterReport *report);

extern void cluster_result_release(GlHost *host, ClusterResult *result);

#endif							/* CLUSTER_H */
