/*
 * kmeans_seeding.h
 *		Where k-means begins: its first centres.
 *
 *		plus_plus	the first centre is a row drawn evenly; each further one is
 *					a row drawn with probability proportional to its squared
 *					distance to the nearest centre so far.  2 + ln k candidates
 *					are drawn each time and the one that lowers the sum of
 *					these distances most is taken (Arthur and Vassilvitskii
 *					2007, the greedy form)
 *		quantile	one column only: at its quantiles (2q+1)/2k.  No chance, and
 *					no taste for outliers
 */
#ifndef KMEANS_SEEDING_H
#define KMEANS_SEEDING_H

#include "base/random.h"
#include "learn/kmeans.h"
#include "learn/kmeans_assign.h"

/*
 * Fill centres (k x d) from number given_count on; those before are kept and
 * count.  Where the rows are too few to differ, centres repeat.
 * GL_ERR_INTERNAL for quantiles of more than one column.  Plus_plus: O(n d)
 * for each candidate in the worst case, mostly less, and 12 bytes a row;
 * quantile: O(n), 52 bytes a row.
 */
extern GlStatus kmeans_seed(GlHost *host, KmeansSearch *search,
							KmeansSeeding seeding, GlRandom *random,
							int32_t given_count, double *centres);

#endif							/* KMEANS_SEEDING_H */
