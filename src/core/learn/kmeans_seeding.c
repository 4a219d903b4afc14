/*
 * kmeans_seeding.c
 *		Centres far apart by chance, or at quantiles.
 *
 * Few rows come nearer when a centre is added, and only those are measured by
 * the distance kernel.  The others are recognised by products, as in
 * kmeans_assign.c; or, where products do not pay, by the triangle inequality:
 * a centre at least 2 r from the centre of a row that is r away from it cannot
 * be nearer to that row.  Neither way changes a bit of the result.
 */
#include "learn/kmeans_seeding.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

/* 2 squared, and a little more so that no rounding matters. */
#define OUT_OF_REACH	4.000001

typedef struct Spread
{
	KmeansSearch *search;
	double	   *squared;		/* n: distance to the nearest centre so far */
	int32_t    *nearest;		/* n: which */
	double		total;			/* the sum of the distances */

	/* what is tried */
	int32_t		trial_count;
	double	   *trial;			/* trial_count x d */
	double	   *trial_total;	/* the sum if this one were taken */
	double	   *between;		/* trial_count x k: to the centres so far */
} Spread;

static double
squared_between(const double *a, const double *b, int32_t d)
{
	double		sum = 0;

	for (int32_t j = 0; j < d; j++)
		sum += (a[j] - b[j]) * (a[j] - b[j]);
	return sum;
}

/* What is known of the trials before the rows are read. */
static GlStatus
prepare_trials(GlHost *host, Spread *spread, const double *centres,
			   int32_t chosen, int32_t count)
{
	KmeansSearch *search = spread->search;
	int32_t		d = search->rows->dimension_count;

	for (int32_t t = 0; t < count; t++)
		spread->trial_total[t] = 0;
	if (search->by_products)
		return kmeans_load_centres(host, search, spread->trial, count);
	for (int32_t t = 0; t < count; t++)
		for (int32_t c = 0; c < chosen; c++)
		{
			GL_TRY(gl_work(host, d));
			spread->between[t * search->cluster_count + c] =
				squared_between(centres + (int64_t) c * d,
								spread->trial + (int64_t) t * d, d);
		}
	return GL_OK;
}

/* Can trial t come nearer to a row than the nearest centre so far? */
static bool
in_reach(const Spread *spread, int32_t chosen, int32_t t, int64_t row,
		 int64_t chunk_row)
{
	const KmeansSearch *search = spread->search;
	double		squared = spread->squared[row];

	if (chosen == 0)
		return true;
	if (search->by_products)
		return search->row_norm[chunk_row] +
			2 * (kmeans_score(search, t, chunk_row) -
				 kmeans_margin(search, chunk_row)) <=
			squared * search->scale * search->scale;
	return spread->between[t * search->cluster_count +
						   spread->nearest[row]] < OUT_OF_REACH * squared;
}

/*
 * What would remain of the sum if a trial were taken, for each of the first
 * `count`.  With `take` the rows nearer to trial 0 become those of centre
 * number `chosen`.
 */
static GlStatus
measure_trials(GlHost *host, Spread *spread, const double *centres,
			   int32_t chosen, int32_t count, bool take)
{
	KmeansSearch *search = spread->search;
	int32_t		d = search->rows->dimension_count;
	int64_t		chunk_row = 0;

	GL_TRY(prepare_trials(host, spread, centres, chosen, count));
	for (int64_t i = 0; i < search->rows->row_count; i++, chunk_row++)
	{
		if (chunk_row == search->chunk_rows)
			chunk_row = 0;
		if (chunk_row == 0 && search->by_products)
		{
			int64_t		left = search->rows->row_count - i;

			GL_TRY(kmeans_load_rows(host, search, count, i,
									left < search->chunk_rows ? left :
									search->chunk_rows));
		}
		GL_TRY(gl_work(host, count));
		for (int32_t t = 0; t < count; t++)
		{
			double		squared = spread->squared[i];

			if (in_reach(spread, chosen, t, i, chunk_row))
			{
				GL_TRY(gl_work(host, d));
				squared = fmin(squared,
							   distance_squared(search->kernels, search->rows,
												spread->trial +
												(int64_t) t * d, i));
			}
			spread->trial_total[t] += squared;
			if (take && squared < spread->squared[i])
			{
				spread->squared[i] = squared;
				spread->nearest[i] = chosen;
			}
		}
	}
	return GL_OK;
}

/* Draw a row by its squared distance; the total is positive. */
static GlStatus
draw_row(GlHost *host, const Spread *spread, GlRandom *random, int64_t *row)
{
	double		target = gl_random_unit(random) * spread->total;
	double		sum = 0;

	*row = 0;
	for (int64_t i = 0; i < spread->search->rows->row_count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (spread->squared[i] <= 0)
			continue;
		*row = i;				/* rounding may leave no row beyond target */
		sum += spread->squared[i];
		if (sum > target)
			break;
	}
	return GL_OK;
}

/* Draw trials and bring the best of them to the front. */
static GlStatus
draw_centre(GlHost *host, Spread *spread, GlRandom *random,
			const double *centres, int32_t chosen)
{
	const PointMatrix *rows = spread->search->rows;
	int32_t		d = rows->dimension_count;
	int32_t		best = 0;

	for (int32_t t = 0; t < spread->trial_count; t++)
	{
		int64_t		row;

		GL_TRY(draw_row(host, spread, random, &row));
		distance_widen(rows, row, spread->trial + (int64_t) t * d);
	}
	GL_TRY(measure_trials(host, spread, centres, chosen, spread->trial_count,
						  false));
	for (int32_t t = 1; t < spread->trial_count; t++)
		if (spread->trial_total[t] < spread->trial_total[best])
			best = t;
	memmove(spread->trial, spread->trial + (int64_t) best * d,
			(size_t) d * sizeof(double));
	return GL_OK;
}

static GlStatus
spread_begin(GlHost *host, KmeansSearch *search, Spread *spread)
{
	int64_t		n = search->rows->row_count;
	int32_t		k = search->cluster_count;

	spread->search = search;
	spread->trial_count = 2 + (int32_t) log((double) k);
	GL_NEW(host, spread->squared, n);
	GL_NEW(host, spread->nearest, n);
	GL_NEW(host, spread->trial,
		   (int64_t) spread->trial_count * search->rows->dimension_count);
	GL_NEW(host, spread->trial_total, spread->trial_count);
	GL_NEW(host, spread->between, (int64_t) spread->trial_count * k);
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		spread->squared[i] = INFINITY;
		spread->nearest[i] = 0;
	}
	return GL_OK;
}

static void
spread_end(GlHost *host, Spread *spread)
{
	gl_release(host, spread->between);
	gl_release(host, spread->trial_total);
	gl_release(host, spread->trial);
	gl_release(host, spread->nearest);
	gl_release(host, spread->squared);
}

static GlStatus
spread_centres(GlHost *host, KmeansSearch *search, GlRandom *random,
			   int32_t given_count, double *centres)
{
	int64_t		n = search->rows->row_count;
	size_t		centre_size = (size_t) search->rows->dimension_count *
		sizeof(double);
	Spread		spread = {0};

	GL_TRY(spread_begin(host, search, &spread));
	for (int32_t c = 0; c < search->cluster_count; c++)
	{
		double	   *centre = centres +
			(int64_t) c * search->rows->dimension_count;

		if (c < given_count)
			memcpy(spread.trial, centre, centre_size);
		else if (c == 0)
			distance_widen(search->rows, gl_random_below(random, n),
						   spread.trial);
		else if (spread.total > 0)
			GL_TRY(draw_centre(host, &spread, random, centres, c));
		memcpy(centre, spread.trial, centre_size);
		GL_TRY(measure_trials(host, &spread, centres, c, 1, true));
		spread.total = spread.trial_total[0];
	}
	spread_end(host, &spread);
	return GL_OK;
}

/* The value that the share p of the sorted values lies below, interpolated. */
static double
quantile(const double *value, const int32_t *order, int64_t n, double p)
{
	double		place = p * (double) (n - 1);
	int64_t		below = (int64_t) place;
	int64_t		above = below + 1 < n ? below + 1 : below;
	double		low = value[order[below]];

	return low + (place - (double) below) * (value[order[above]] - low);
}

static GlStatus
quantile_centres(GlHost *host, const KmeansSearch *search,
				 int32_t given_count, double *centres)
{
	int64_t		n = search->rows->row_count;
	int32_t		k = search->cluster_count;
	double	   *value;
	int64_t    *key;
	int32_t    *order;

	if (search->rows->dimension_count != 1)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "quantiles of %d columns",
					   search->rows->dimension_count);
	GL_NEW(host, value, n);
	GL_NEW(host, key, n);
	GL_NEW(host, order, n);
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		distance_widen(search->rows, i, value + i);
		key[i] = gl_sort_key(value[i]);
	}
	GL_TRY(gl_sort_order(host, key, n, order));
	for (int32_t c = given_count; c < k; c++)
	{
		GL_TRY(gl_work(host, 1));
		centres[c] = quantile(value, order, n, (2 * c + 1.0) / (2.0 * k));
	}
	gl_release(host, order);
	gl_release(host, key);
	gl_release(host, value);
	return GL_OK;
}

GlStatus
kmeans_seed(GlHost *host, KmeansSearch *search, KmeansSeeding seeding,
			GlRandom *random, int32_t given_count, double *centres)
{
	if (seeding == KMEANS_QUANTILE)
		return quantile_centres(host, search, given_count, centres);
	return spread_centres(host, search, random, given_count, centres);
}
