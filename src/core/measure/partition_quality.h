/*
 * partition_quality.h
 *		How well a graph's edges stay inside the clusters of an assignment.
 *
 * Reads:	a Graph of similarities (graph.h, through its operations only) and
 *			a cluster per node.
 * Yields:	modularity and conductance.
 *
 * A node may be in no cluster.  It then forms none, but its edges count: in
 * the totals, and as edges that leave the cluster at their other end.
 *
 * Graphs that can list their edges are read once; others are multiplied with
 * the indicator columns of the clusters, a few clusters a pass.
 */
#ifndef PARTITION_QUALITY_H
#define PARTITION_QUALITY_H

#include "graph/graph.h"

#define PARTITION_NO_CLUSTER	(-1)

/* A cluster 0 .. cluster_count - 1, or PARTITION_NO_CLUSTER, per node. */
typedef struct Partition
{
	int64_t		node_count;
	int32_t		cluster_count;
	int32_t    *cluster_of_node;
} Partition;

/*
 * The Partition in which node nodes[e] is in the cluster labelled labels[e].
 * is_null (or NULL) marks entries without a cluster; nodes not named have
 * none either.  Clusters are numbered by ascending label.  GL_ERR_OPTION
 * naming the id of a node that is named twice; then *partition is zeroed.
 * The caller has checked that nodes are in range.  O(n + count).
 */
extern GlStatus partition_build(GlHost *host, const Graph *graph,
								const int32_t *nodes, const int32_t *labels,
								const bool *is_null, int64_t count,
								Partition *partition);

extern void partition_release(GlHost *host, Partition *partition);

/*
 * Newman's modularity, at resolution 1.  Symmetric graph:
 *
 *		Q = sum over clusters of  W_c / 2m - (K_c / 2m)^2
 *
 * where a self-loop counts twice, in W_c and in the degrees, as in igraph and
 * networkx; W_c is the weight inside c (each edge twice), K_c the sum of its
 * degrees, 2m that of all degrees.  Other graphs (Leicht and Newman 2008):
 *
 *		Q = sum over clusters of  W_c / m - K_c(out) K_c(in) / m^2
 *
 * with each arc, self-loops too, once.  *is_defined is false, and the value
 * 0, for a graph without edges or an assignment without clusters.
 * GL_ERR_OPTION if the graph holds lengths.  O(edges), or O(clusters) products
 * where edges cannot be listed.
 */
extern GlStatus partition_modularity(GlHost *host, const Graph *graph,
									 const Partition *partition,
									 bool *is_defined, double *modularity);

/*
 * Mean over the clusters of their conductance
 *
 *		cut(c) / min(vol(c), vol(V) - vol(c))
 *
 * where vol sums degrees (row sums: a self-loop counts once, as in gl_degrees)
 * and cut is the weight of edges with one end in c.  Directions are ignored:
 * an arc counts at both its ends.  A cluster with no volume, or with all of
 * it, has nothing to cut: 0.  Otherwise as partition_modularity().
 */
extern GlStatus partition_conductance(GlHost *host, const Graph *graph,
									  const Partition *partition,
									  bool *is_defined, double *conductance);

/*
 * The normalised cut: the sum over the clusters of cut(c) / vol(c), with cut
 * and vol as above; from 0 to the number of clusters.  Otherwise as
 * partition_modularity().
 */
extern GlStatus partition_normalised_cut(GlHost *host, const Graph *graph,
										 const Partition *partition,
										 bool *is_defined, double *cut);

#endif							/* PARTITION_QUALITY_H */
