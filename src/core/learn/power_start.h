/*
 * power_start.h
 *		Vectors to begin a power iteration with.
 *
 * Good ones differ between clusters.  Random ones do by chance; degrees do
 * where clusters differ in density; the PageRank one puts weight on few
 * nodes, the most central ones first.
 */
#ifndef POWER_START_H
#define POWER_START_H

#include "learn/power_iteration.h"

/*
 * Fill n x columns numbers.  walk is W, whose degrees are known.  Columns
 * that come out constant over the nodes with edges are drawn at random
 * instead, and *was_flat tells.
 */
extern GlStatus power_start_fill(GlHost *host, const NormalisedGraph *walk,
								 const PowerOptions *options, double *start,
								 bool *was_flat);

#endif							/* POWER_START_H */
