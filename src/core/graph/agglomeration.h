/*
 * agglomeration.h
 *		Join trees two by two into one, the cheapest pair first.
 *
 * Reads:	subtrees over disjoint rows, each with its mean and radius.
 * Yields:	one binary tree over all of them; in the end a PartitionTree.
 *
 * Rows are nodes 0 .. n-1 of the tree, inner nodes follow in the order of
 * joining, so children have smaller numbers than their parents.
 */
#ifndef AGGLOMERATION_H
#define AGGLOMERATION_H

#include "graph/partition_tree.h"

/* The cost of joining A and B; ties go by size, then by age. */
typedef enum MergeRule
{
	MERGE_RADIUS = 1,			/* radius of a ball around both balls */
	MERGE_BREGMAN = 2			/* growth of scatter Delta(A,B): Ward's rule */
} MergeRule;

/* A tree on its way to be joined. */
typedef struct Cluster
{
	int32_t		node;
	int32_t		count;			/* rows */
	double		radius;			/* about the mean, an upper bound; 0 unused */
	bool		joined;			/* is part of a later cluster */
} Cluster;

/* Two clusters that could be joined. */
typedef struct Candidate
{
	double		cost;
	int32_t		count;
	int32_t		a;				/* clusters, a < b */
	int32_t		b;
} Candidate;

typedef struct Agglomeration
{
	const Divergence *divergence;
	MergeRule	rule;
	int32_t		n;
	int32_t		d;
	int64_t		work;			/* units of one divergence */
	Cluster    *clusters;		/* 2v - 1 for v trees to join */
	double	   *means;			/* of the clusters */
	int32_t		cluster_count;
	Candidate  *candidates;		/* a heap, room for (v-1)^2 */
	int64_t		candidate_count;
	double	   *middle;			/* scratch, d */
	int32_t    *child;			/* 2 (n - 1): of the inner nodes */
	int32_t		node_count;
} Agglomeration;

/* Room for a tree over n rows, joined at most cluster_limit >= 2 at a time. */
extern GlStatus agglomeration_begin(GlHost *host,
									const Divergence *divergence,
									MergeRule rule, int32_t n, int32_t d,
									int32_t cluster_limit,
									Agglomeration *out);

/* A new inner node over two nodes; its number. */
extern int32_t agglomeration_pair(Agglomeration *work, int32_t a, int32_t b);

/* Begin a new set of trees; then add each: returns where its mean goes. */
extern void agglomeration_clear(Agglomeration *work);
extern double *agglomeration_add(Agglomeration *work, int32_t node,
								 int32_t count, double radius);

/*
 * Join the trees added into one.  Each pair is measured once, and waits in a
 * heap; those of a cluster that is gone are skipped when they surface:
 * O(v^2 (d + log v)) for v trees.
 */
extern GlStatus agglomeration_run(GlHost *host, Agglomeration *work,
								  Cluster *whole);

/*
 * All rows are joined: number the nodes in preorder, the child that holds the
 * smallest row on the left, and release everything.  O(n).
 */
extern GlStatus agglomeration_finish(GlHost *host, Agglomeration *work,
									 PartitionTree *out);

#endif							/* AGGLOMERATION_H */
