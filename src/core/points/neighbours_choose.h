/*
 * neighbours_choose.h
 *		Which road a neighbour search takes.
 */
#ifndef NEIGHBOURS_CHOOSE_H
#define NEIGHBOURS_CHOOSE_H

#include "points/neighbours.h"
#include "points/neighbours_tree.h"

/*
 * Decide for the method, or for NEIGHBOURS_AUTO from n, d and a sampled
 * search for k groups.  queries NULL: all rows are searched for.  If the tree
 * is chosen, *by_tree is true and *tree is built; otherwise *tree is empty.
 * Deterministic.
 */
extern GlStatus neighbours_choose(GlHost *host, const PointMatrix *points,
								  const DuplicateGroups *groups,
								  const PointMatrix *queries, int32_t k,
								  NeighbourMethod method, TreeSearch *tree,
								  bool *by_tree);

#endif							/* NEIGHBOURS_CHOOSE_H */
