/*
 * neighbours_gemm.h
 *		Nearest rows by blocked matrix products: the road for high dimensions.
 *
 * |x - y|^2 = |x|^2 + |y|^2 - 2 x.y, the products of a tile at once by SGEMM.
 * The form cancels, so it only rejects: with u = 2^-24 the dot product has an
 * error of at most d u |x||y| in any order of summation, so 2 x.y errs by at
 * most d u (|x|^2 + |y|^2).  Norms are stored shrunk by 1.1 (d + 8) u; then
 *
 *		norm(x) + norm(y) - 2 x.y  <=  |x - y|^2
 *
 * holds with room for the two roundings of the test itself, and a pair beyond
 * screen_reach() by this measure is no neighbour.  Survivors are measured by
 * distance.h.
 */
#ifndef NEIGHBOURS_GEMM_H
#define NEIGHBOURS_GEMM_H

#include "points/distance.h"
#include "points/duplicates.h"
#include "points/screen.h"

#define GEMM_TILE	256

typedef struct GemmSearch
{
	const PointMatrix *points;
	const DuplicateGroups *groups;
	const DistanceKernels *kernels;
	Screen		screen;
	int64_t		count;			/* groups */
	double		shrink;			/* 1 - 1.1 (d + 8) u */
	float	   *images;			/* count x d */
	float	   *norm;			/* shrunk; padded with infinity to 64s */
	float	   *products;		/* GEMM_TILE x GEMM_TILE */
	double	   *widened;
	int64_t		distance_count;
} GemmSearch;

/* queries (or NULL) are rows that will be searched for beside the points. */
extern GlStatus gemm_search_begin(GlHost *host, const PointMatrix *points,
								  const DuplicateGroups *groups,
								  const PointMatrix *queries,
								  GemmSearch *search);

extern void gemm_search_release(GlHost *host, GemmSearch *search);

/*
 * The k nearest other groups of every group, count x k, sorted; groups of
 * more than `largest` rows get none (their rows need no search).  Half the
 * matrix: each product serves both its rows.
 */
extern GlStatus gemm_search_self(GlHost *host, GemmSearch *search, int32_t k,
								 int32_t largest, double *distance,
								 int32_t *group);

/* A few rows searched for together, at most GEMM_TILE. */
typedef struct GemmBlock
{
	int64_t		count;
	const float *images;		/* count x d */
	const double *rows;			/* count x d */
	int32_t		k;
	double	   *distance;		/* lists, count x k, begun by the caller */
	int32_t    *group;
	const int32_t *label;		/* of each group, or NULL */
	const int32_t *own_label;	/* groups so labelled are no answer */
} GemmBlock;

/* Improve the lists of a block; unsorted if k is large. */
extern GlStatus gemm_search_block(GlHost *host, GemmSearch *search,
								  const GemmBlock *block);

/*
 * Report every pair of groups (smaller first) within tau.  `pair` must not
 * keep the host waiting.
 */
typedef GlStatus (*GemmPair) (GlHost *host, void *state, int32_t smaller,
							  int32_t larger, double squared);

extern GlStatus gemm_search_within(GlHost *host, GemmSearch *search,
								   double tau, GemmPair pair, void *state);

#endif							/* NEIGHBOURS_GEMM_H */
