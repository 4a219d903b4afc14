/*
 * kmeans_assign.c
 *		Nearest centres by products, decided by the distance kernel.
 *
 * With x and c less the origin, |x - c|^2 = |x|^2 + 2 (|c|^2 / 2 - x.c), so
 * the score |c|^2 / 2 - x.c orders the centres of a row.  It is formed in
 * float from images of x and c, each wrong by u = 2^-24 of its length, and the
 * d products are summed in float; so a score errs by at most 2 (d + 8) u (|x|^2
 * + |c|^2), and with it the distance kernel, whose u is 2^-53, could at most
 * prefer a centre that scores within twice that of the best.  The margin used
 * is twice as wide again, plus room for numbers that vanish in float beside
 * the largest.
 */
#include "learn/kmeans_assign.h"

#include <math.h>
#include <string.h>

#include "base/blas.h"

/* Numbers of a chunk: it and its products should stay in the cache. */
#define CHUNK_NUMBERS	((int64_t) 1 << 14)
#define CHUNK_MIN_ROWS	16
#define CHUNK_MAX_ROWS	512

/* Below either of these the kernel alone is as fast as the products. */
#define PRODUCT_MIN_CENTRES		4
#define PRODUCT_MIN_DIMENSIONS	4

/* Four numbers side by side; comparisons give masks. */
typedef float Floats __attribute__((vector_size(16)));
typedef int32_t Numbers __attribute__((vector_size(16)));

#define SCAN_LANES	4

/* Means and variance of the columns, and the scale of the images. */
static GlStatus
measure_columns(GlHost *host, KmeansSearch *search)
{
	const PointMatrix *rows = search->rows;
	int32_t		d = rows->dimension_count;
	double		n = (double) rows->row_count;
	double		largest = 0;
	double		total = 0;
	int			exponent;

	memset(search->origin, 0, (size_t) d * sizeof(double));
	for (int64_t i = 0; i < rows->row_count; i++)
	{
		GL_TRY(gl_work(host, d));
		distance_widen(rows, i, search->row);
		for (int32_t j = 0; j < d; j++)
			search->origin[j] += search->row[j] / n;
	}
	for (int64_t i = 0; i < rows->row_count; i++)
	{
		double		squared = distance_squared(search->kernels, rows,
											   search->origin, i);

		GL_TRY(gl_work(host, d));
		total += squared;
		if (squared > largest)
			largest = squared;
	}
	search->variance = total / n / d;
	frexp(sqrt(largest), &exponent);
	search->scale = largest > 0 ? ldexp(1.0, -exponent) : 1;
	return GL_OK;
}

/* The image of a vector, and its squared norm. */
static float
make_image(const KmeansSearch *search, const double *restrict vector,
		   float *restrict image)
{
	int32_t		d = search->rows->dimension_count;
	const double *restrict origin = search->origin;
	double		scale = search->scale;
	float		lane[4] = {0, 0, 0, 0};
	int32_t		j = 0;

	for (int32_t i = 0; i < d; i++)
		image[i] = (float) ((vector[i] - origin[i]) * scale);
	for (; j + 4 <= d; j += 4)
		for (int l = 0; l < 4; l++)
			lane[l] += image[j + l] * image[j + l];
	for (; j < d; j++)
		lane[0] += image[j] * image[j];
	return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

/* A row as doubles: where it lies, or widened into search->row. */
static const double *
row_values(const KmeansSearch *search, int64_t row)
{
	if (search->rows->scalar == SCALAR_FLOAT8)
		return point_matrix_at(search->rows, row);
	distance_widen(search->rows, row, search->row);
	return search->row;
}

/* Images of rows, into place `to` and following. */
static GlStatus
make_images(GlHost *host, KmeansSearch *search, int64_t first, int64_t count,
			int64_t to)
{
	int32_t		d = search->rows->dimension_count;

	for (int64_t r = 0; r < count; r++)
	{
		GL_TRY(gl_work(host, d));
		search->image_norm[to + r] =
			make_image(search, row_values(search, first + r),
					   search->image + (to + r) * d);
	}
	return GL_OK;
}

static GlStatus
begin_images(GlHost *host, KmeansSearch *search)
{
	int64_t		n = search->rows->row_count;
	int32_t		d = search->rows->dimension_count;
	double		need = (double) n * ((double) d + 1) * sizeof(float);
	double		left = (double) (host->bytes_limit - host->bytes_used);
	int64_t		count;

	search->keeps_images = need < left / 2;
	count = search->keeps_images ? n : search->chunk_rows;
	GL_NEW(host, search->image, count * d);
	GL_NEW(host, search->image_norm, count);
	if (search->keeps_images)
		GL_TRY(make_images(host, search, 0, n, 0));
	return GL_OK;
}

GlStatus
kmeans_search_begin_by(GlHost *host, const PointMatrix *rows,
					   int32_t cluster_count, bool by_products,
					   KmeansSearch *out)
{
	int32_t		d = rows->dimension_count;
	int64_t		chunk_rows = CHUNK_NUMBERS / d;
	KmeansSearch search = {
		.rows = rows,
		.kernels = distance_kernels(),
		.cluster_count = cluster_count,
		.by_products = by_products
	};

	memset(out, 0, sizeof(*out));
	if (chunk_rows < CHUNK_MIN_ROWS)
		chunk_rows = CHUNK_MIN_ROWS;
	if (chunk_rows > CHUNK_MAX_ROWS)
		chunk_rows = CHUNK_MAX_ROWS;
	chunk_rows -= chunk_rows % SCAN_LANES;
	search.chunk_rows = chunk_rows;
	GL_NEW(host, search.origin, d);
	GL_NEW(host, search.row, d);
	GL_NEW(host, search.sum, (int64_t) cluster_count * d);
	GL_NEW(host, search.count, cluster_count);
	GL_NEW(host, search.nearest, chunk_rows);
	GL_TRY(measure_columns(host, &search));
	if (by_products)
	{
		GL_TRY(begin_images(host, &search));
		GL_NEW(host, search.centre_image, (int64_t) cluster_count * d);
		GL_NEW(host, search.half_norm, cluster_count);
		GL_NEW(host, search.product, chunk_rows * cluster_count);
		GL_NEW(host, search.best, chunk_rows);
		GL_NEW(host, search.second, chunk_rows);
	}
	*out = search;
	return GL_OK;
}

GlStatus
kmeans_search_begin(GlHost *host, const PointMatrix *rows,
					int32_t cluster_count, KmeansSearch *out)
{
	return kmeans_search_begin_by(host, rows, cluster_count,
								  cluster_count >= PRODUCT_MIN_CENTRES &&
								  rows->dimension_count >=
								  PRODUCT_MIN_DIMENSIONS, out);
}

void
kmeans_search_end(GlHost *host, KmeansSearch *search)
{
	gl_release(host, search->origin);
	gl_release(host, search->row);
	gl_release(host, search->sum);
	gl_release(host, search->count);
	gl_release(host, search->nearest);
	gl_release(host, search->image);
	gl_release(host, search->image_norm);
	gl_release(host, search->centre_image);
	gl_release(host, search->half_norm);
	gl_release(host, search->product);
	gl_release(host, search->best);
	gl_release(host, search->second);
	memset(search, 0, sizeof(*search));
}

GlStatus
kmeans_load_centres(GlHost *host, KmeansSearch *search,
					const double *centres, int32_t count)
{
	int32_t		d = search->rows->dimension_count;

	search->largest_half = 0;
	for (int32_t c = 0; c < count; c++)
	{
		GL_TRY(gl_work(host, d));
		search->half_norm[c] = 0.5f *
			make_image(search, centres + (int64_t) c * d,
					   search->centre_image + (int64_t) c * d);
		if (search->half_norm[c] > search->largest_half)
			search->largest_half = search->half_norm[c];
	}
	return GL_OK;
}

GlStatus
kmeans_load_rows(GlHost *host, KmeansSearch *search, int32_t centre_count,
				 int64_t first, int64_t count)
{
	int32_t		d = search->rows->dimension_count;
	int64_t		at = search->keeps_images ? first : 0;

	if (!search->keeps_images)
		GL_TRY(make_images(host, search, first, count, 0));
	search->row_norm = search->image_norm + at;
	return gl_sgemm_transposed(host, centre_count, count, d, 1.0f,
							   search->centre_image, d,
							   search->image + at * d, d, 0.0f,
							   search->product, search->chunk_rows);
}

/* The nearest centre by the kernel, among those whose score is in reach. */
static int32_t
decide(const KmeansSearch *search, const double *centres, int64_t row,
	   int64_t chunk_row, float limit)
{
	int32_t		d = search->rows->dimension_count;
	double		best = INFINITY;
	int32_t		nearest = 0;

	for (int32_t c = 0; c < search->cluster_count; c++)
	{
		double		squared;

		if (search->by_products &&
			kmeans_score(search, c, chunk_row) > limit)
			continue;
		squared = distance_squared(search->kernels, search->rows,
								   centres + (int64_t) c * d, row);
		if (squared < best)
		{
			best = squared;
			nearest = c;
		}
	}
	return nearest;
}

static inline Floats
choose(Numbers first, Floats a, Floats b)
{
	return (Floats) ((first & (Numbers) a) | (~first & (Numbers) b));
}

/*
 * The two best scores of each row of the chunk, and whose the best one is.
 * The chunk is read to a whole number of lanes; what lies beyond its rows is
 * not used.
 */
static GlStatus
scan_products(GlHost *host, KmeansSearch *search, int64_t count)
{
	for (int64_t r = 0; r < count; r += SCAN_LANES)
	{
		Floats		best = {INFINITY, INFINITY, INFINITY, INFINITY};
		Floats		second = best;
		Numbers		nearest = {0, 0, 0, 0};
		const float *product = search->product + r;

		GL_TRY(gl_work(host, search->cluster_count));
		for (int32_t c = 0; c < search->cluster_count; c++)
		{
			Floats		score;
			Numbers		wins;

			memcpy(&score, product, sizeof(score));
			product += search->chunk_rows;
			score = search->half_norm[c] - score;
			wins = score < best;
			second = choose(wins, best, choose(score < second, score, second));
			best = choose(wins, score, best);
			nearest = (wins & c) | (~wins & nearest);
		}
		memcpy(search->best + r, &best, sizeof(best));
		memcpy(search->second + r, &second, sizeof(second));
		memcpy(search->nearest + r, &nearest, sizeof(nearest));
	}
	return GL_OK;
}

static GlStatus
search_by_products(GlHost *host, KmeansSearch *search, const double *centres,
				   int64_t first, int64_t count)
{
	int64_t		work = (int64_t) search->cluster_count *
		search->rows->dimension_count;

	GL_TRY(kmeans_load_rows(host, search, search->cluster_count, first,
							count));
	GL_TRY(scan_products(host, search, count));
	for (int64_t r = 0; r < count; r++)
	{
		float		margin = kmeans_margin(search, r);

		if (search->second[r] - search->best[r] > margin)
			continue;
		GL_TRY(gl_work(host, work));
		search->nearest[r] = decide(search, centres, first + r, r,
									search->best[r] + margin);
	}
	return GL_OK;
}

static GlStatus
search_by_kernel(GlHost *host, KmeansSearch *search, const double *centres,
				 int64_t first, int64_t count)
{
	int64_t		work = (int64_t) search->cluster_count *
		search->rows->dimension_count;

	for (int64_t r = 0; r < count; r++)
	{
		GL_TRY(gl_work(host, work));
		search->nearest[r] = decide(search, centres, first + r, r, 0);
	}
	return GL_OK;
}

/* Hand the chunk's rows to their clusters. */
static GlStatus
add_chunk(GlHost *host, KmeansSearch *search, const double *centres,
		  int64_t first, int64_t count, int32_t *cluster, int64_t *changed)
{
	int32_t		d = search->rows->dimension_count;

	for (int64_t r = 0; r < count; r++)
	{
		int32_t		nearest = search->nearest[r];
		double	   *restrict sum = search->sum + (int64_t) nearest * d;
		const double *restrict row = row_values(search, first + r);
		const double *restrict centre = centres + (int64_t) nearest * d;

		GL_TRY(gl_work(host, d));
		for (int32_t j = 0; j < d; j++)
			sum[j] += row[j] - centre[j];
		search->count[nearest]++;
		*changed += cluster[first + r] != nearest;
		cluster[first + r] = nearest;
	}
	return GL_OK;
}

GlStatus
kmeans_assign(GlHost *host, KmeansSearch *search, const double *centres,
			  int32_t *cluster, int64_t *changed)
{
	int64_t		n = search->rows->row_count;
	int32_t		d = search->rows->dimension_count;

	*changed = 0;
	GL_TRY(gl_zero(host, search->sum, (size_t) search->cluster_count,
				   (size_t) d * sizeof(double)));
	GL_TRY(gl_zero(host, search->count, (size_t) search->cluster_count,
				   sizeof(int64_t)));
	if (search->by_products)
		GL_TRY(kmeans_load_centres(host, search, centres,
								   search->cluster_count));
	for (int64_t first = 0; first < n; first += search->chunk_rows)
	{
		int64_t		count = n - first < search->chunk_rows ? n - first :
			search->chunk_rows;

		if (search->by_products)
			GL_TRY(search_by_products(host, search, centres, first, count));
		else
			GL_TRY(search_by_kernel(host, search, centres, first, count));
		GL_TRY(add_chunk(host, search, centres, first, count, cluster,
						 changed));
	}
	return GL_OK;
}

GlStatus
kmeans_measure(GlHost *host, KmeansSearch *search, const double *centres,
			   const int32_t *cluster, double *squared, double *total)
{
	int32_t		d = search->rows->dimension_count;

	*total = 0;
	for (int64_t i = 0; i < search->rows->row_count; i++)
	{
		GL_TRY(gl_work(host, d));
		squared[i] = distance_squared(search->kernels, search->rows,
									  centres + (int64_t) cluster[i] * d, i);
		*total += squared[i];
	}
	return GL_OK;
}
