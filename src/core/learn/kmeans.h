/*
 * kmeans.h
 *		k centres, and the rows nearest to each: Lloyd's method with restarts.
 *
 * Reads:	rows of numbers.
 * Yields:	a cluster per row, its squared distance to the centre, the centres.
 *
 *		minimise	sum_i | x_i - c_{cluster(i)} |^2
 *
 * From seeded centres (kmeans_seeding.h) two steps alternate: every row joins
 * its nearest centre (kmeans_assign.h; ties to the lower number), every centre
 * moves to the mean of its rows.  The sum never grows, so this ends; where it
 * ends depends on the start, so there are restarts, of which the one with the
 * smallest sum is kept (ties to the earlier).
 *
 * A cluster that loses all its rows takes the row farthest from its centre.
 * Where there are fewer distinct rows than clusters, some stay empty.
 *
 * Rows are summed in their order and distances come from the one kernel, so a
 * seed fixes every bit of the result.
 */
#ifndef KMEANS_H
#define KMEANS_H

#include "points/point_set.h"

typedef enum KmeansSeeding
{
	KMEANS_PLUS_PLUS = 1,		/* far apart, by chance; greedy */
	KMEANS_QUANTILE				/* one column: at its (2q+1)/2k quantiles */
} KmeansSeeding;

typedef struct KmeansOptions
{
	int32_t		cluster_count;	/* k, 1 .. row_count */
	KmeansSeeding seeding;
	bool		spherical;		/* rows of length 1; centres are kept so too */
	int32_t		restarts;		/* at least 1 */
	int64_t		iteration_limit;	/* of each restart, at least 1 */
	double		tolerance;		/* done when the centres' squared moves sum to
								 * at most this share of a column's variance */
	int64_t		seed;

	/* warm start: the first given_count centres, instead of restarts */
	const double *given;		/* given_count x d, or NULL */
	int32_t		given_count;
} KmeansOptions;

typedef struct KmeansReport
{
	int64_t		iterations;		/* of the restart that was kept */
	int64_t		all_iterations; /* of all restarts */
	bool		converged;		/* the kept one */
	double		inertia;		/* the minimised sum */
	int32_t		empty_count;	/* clusters without a row */
} KmeansReport;

typedef struct KmeansResult
{
	int64_t		row_count;
	int32_t		cluster_count;
	int32_t		dimension_count;
	int32_t    *cluster;		/* n, 0 .. k-1 */
	double	   *squared;		/* n, to the row's centre */
	double	   *centre;			/* k x d */
} KmeansResult;

/* k-means++, 10 restarts, 300 iterations, tolerance 1e-4; k is the caller's. */
extern void kmeans_defaults(KmeansOptions *options);

/*
 * GL_ERR_OPTION for an option out of range.  Not converging is in the report.
 * Time: O(n k d) a step, as matrix products where that is faster; seeding as
 * much again, usually less.  Memory 28 bytes a row and O(k d).
 */
extern GlStatus kmeans_run(GlHost *host, const PointMatrix *rows,
						   const KmeansOptions *options, KmeansResult *out,
						   KmeansReport *report);

extern void kmeans_result_release(GlHost *host, KmeansResult *result);

/*
 * Renumber clusters in the order of their first rows: what a cluster is
 * called depends on its members only.  cluster[i] < 0 stays; numbers run from
 * 0.  renumbered (or NULL) takes the new number of each old one, -1 where it
 * has no row.  O(n + k).
 */
extern GlStatus kmeans_renumber(GlHost *host, int64_t row_count,
								int32_t cluster_count, int32_t *cluster,
								int32_t *renumbered, int32_t *used_count);

#endif							/* KMEANS_H */
