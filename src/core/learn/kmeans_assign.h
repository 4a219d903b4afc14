/*
 * kmeans_assign.h
 *		The nearest of a few centres for every row, exact to the bit.
 *
 * Reads:	rows and centres.
 * Yields:	the nearest centre of each row by the one distance of the core,
 *			ties to the lower number, and the sums the next centres are made of.
 *
 * Chunks of rows are multiplied with all centres by BLAS.  The products only
 * propose: a row is decided when its best centre wins by more than all the
 * rounding could explain, otherwise the centres in question are measured with
 * the distance kernel.  So the answer does not depend on how BLAS rounds.  Few
 * centres, or few dimensions, are measured directly.
 */
#ifndef KMEANS_ASSIGN_H
#define KMEANS_ASSIGN_H

#include "points/distance.h"

typedef struct KmeansSearch
{
	const PointMatrix *rows;
	const DistanceKernels *kernels;
	int32_t		cluster_count;	/* k */
	bool		by_products;
	double	   *origin;			/* column means: smaller norms err less */
	double		scale;			/* power of two: images are at most 1 */
	double		variance;		/* mean of the columns' variances */

	/* what the next centres are made of: sums of x - c over the cluster of c */
	double	   *sum;			/* k x d */
	int64_t    *count;			/* k */

	/* an image is (x - origin) * scale in float */
	bool		keeps_images;	/* of all rows, else of one chunk at a time */
	float	   *image;			/* n or chunk_rows, x d */
	float	   *image_norm;		/* their squared norms */

	/* scratch */
	int64_t		chunk_rows;
	const float *row_norm;		/* image norms of the chunk */
	float	   *centre_image;	/* k x d */
	float	   *half_norm;		/* half their squared norms */
	float		largest_half;	/* the largest of them */
	float	   *product;		/* k x chunk_rows */
	float	   *best;			/* chunk_rows: smallest |c|^2 / 2 - x.c */
	float	   *second;			/* the next to it */
	int32_t    *nearest;		/* and whose the smallest is */
	double	   *row;			/* d, one row as doubles */
} KmeansSearch;

/*
 * Columns' means and variance, and room for k centres.  O(n d) time; images
 * of all rows, 4 (d + 1) bytes each, are kept if they take less than half of
 * what the host has left, and otherwise made again in every pass.
 */
extern GlStatus kmeans_search_begin(GlHost *host, const PointMatrix *rows,
									int32_t cluster_count,
									KmeansSearch *out);

/* The same, saying how to search: for tests. */
extern GlStatus kmeans_search_begin_by(GlHost *host, const PointMatrix *rows,
									   int32_t cluster_count,
									   bool by_products, KmeansSearch *out);

extern void kmeans_search_end(GlHost *host, KmeansSearch *search);

/*
 * cluster[i] <- the nearest centre of row i; search->sum and count are filled
 * anew; *changed is how many rows changed their cluster.  O(n k d).
 */
extern GlStatus kmeans_assign(GlHost *host, KmeansSearch *search,
							  const double *centres, int32_t *cluster,
							  int64_t *changed);

/* squared[i] <- distance to the row's centre; *total <- their sum.  O(n d). */
extern GlStatus kmeans_measure(GlHost *host, KmeansSearch *search,
							   const double *centres, const int32_t *cluster,
							   double *squared, double *total);

/*
 * The proposing part alone, where search->by_products: load up to k centres,
 * then for each chunk of at most chunk_rows rows have their scores |c|^2 / 2 -
 * x.c, in units of scale^2.
 */
extern GlStatus kmeans_load_centres(GlHost *host, KmeansSearch *search,
									const double *centres, int32_t count);
extern GlStatus kmeans_load_rows(GlHost *host, KmeansSearch *search,
								 int32_t centre_count, int64_t first,
								 int64_t count);

static inline float
kmeans_score(const KmeansSearch *search, int32_t centre, int64_t chunk_row)
{
	return search->half_norm[centre] -
		search->product[centre * search->chunk_rows + chunk_row];
}

/* What two scores of a row must differ by to be told apart. */
static inline float
kmeans_margin(const KmeansSearch *search, int64_t chunk_row)
{
	float		d = (float) search->rows->dimension_count;

	return 8 * (d + 8) * 0x1p-24f * (search->row_norm[chunk_row] +
									 2 * search->largest_half) + 0x1p-100f;
}

#endif							/* KMEANS_ASSIGN_H */
