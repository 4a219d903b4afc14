/*
 * partition_anchor.h
 *		The anchor tree: anchors steal rows from each other, then agglomerate.
 *
 * The tree of the variational dual-tree papers (after Moore, 2000), in the
 * corrected form that always ends (spec seed000 section 2.2, traps T-20 to
 * T-29; section 2.11 for divergences that are not symmetric).
 */
#ifndef PARTITION_ANCHOR_H
#define PARTITION_ANCHOR_H

#include "graph/agglomeration.h"

/*
 * O(n^1.5 log n) divergences whatever the rows (a guard halves what anchors
 * fail to part, see the source).  Same contract as partition_tree_build();
 * scratch is about 80 bytes a row, and the rows as doubles if they are not.
 * Merges by growth of scatter, which gave the higher bound on each of five
 * data sets (MAGIC: -11.80 a row, by radius -11.92).
 */
extern GlStatus partition_anchor_build(GlHost *host,
									   const PointMatrix *points,
									   const Divergence *divergence,
									   int64_t seed, PartitionTree *out);

/* The same by either rule; GL_ERR_OPTION for radii of a divergence. */
extern GlStatus partition_anchor_build_merging(GlHost *host,
											   const PointMatrix *points,
											   const Divergence *divergence,
											   MergeRule rule,
											   int64_t seed,
											   PartitionTree *out);

#endif							/* PARTITION_ANCHOR_H */
