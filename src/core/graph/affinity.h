/*
 * affinity.h
 *		Similarities from a graph of lengths.
 *
 *		a_ij = exp(-d_ij^2 / (2 sigma^2))		(as weights => 'gaussian')
 */
#ifndef AFFINITY_H
#define AFFINITY_H

#include "graph/sparse_graph.h"

/*
 * bandwidth NULL: a quarter of the mean, over the nodes that have neighbours,
 * of the distance to the 10th nearest of them (or the last, if fewer).
 * GL_ERR_OPTION if the graph does not hold lengths or the bandwidth is not
 * positive and finite.  Points, if kept, are copied along.  O(entries).
 */
extern GlStatus affinity_build(GlHost *host, const SparseGraph *lengths,
							   const double *bandwidth, SparseGraph *out);

#endif							/* AFFINITY_H */
