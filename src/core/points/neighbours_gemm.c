/*
 * neighbours_gemm.c
 *		Nearest rows by tiles of products.
 *
 * A tile of 256 x 256 products stays in the second-level cache while it is
 * screened.  For row i the test
 *
 *		product + norm(j) <= reach(i) - norm(i)
 *
 * costs an addition and a comparison; reach(i) - norm(i), rounded up, is kept
 * as limit(i).  In the self-join the same product is tested against limit(j)
 * as well.  Limits tighten while a tile is read, so a survivor is tested once
 * more before it is measured: without this every row of the first tile would
 * be measured.
 */
#include "points/neighbours_gemm.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/blas.h"
#include "points/nearest_list.h"

#define MASK_BITS		64
#define TILE_WORDS		(GEMM_TILE / MASK_BITS)

static inline int64_t
round_up(int64_t count)
{
	return (count + MASK_BITS - 1) / MASK_BITS * MASK_BITS;
}

/* |x~|^2, shrunk and rounded down. */
static float
shrunk_norm(const GemmSearch *search, const float *image)
{
	double		norm = screen_norm(&search->screen, image);
	double		shrunk = norm * norm * search->shrink;
	float		rounded = (float) shrunk;

	return (double) rounded <= shrunk ? rounded :
		nextafterf(rounded, -INFINITY);
}

/* What product + norm(j) may reach if j is to lie within tau of i. */
static float
row_limit(const GemmSearch *search, float norm, double tau)
{
	/* |x~| from its shrunk square; 2^-20 covers the rounding */
	double		root = sqrt((double) norm / search->shrink) * (1.0 + 0x1p-20);
	double		limit;
	float		rounded;

	if (!(tau < INFINITY))
		return FLT_MAX;
	limit = screen_reach(&search->screen, tau, root) + search->screen.tiny -
		(double) norm;
	if (limit >= FLT_MAX)
		return FLT_MAX;
	rounded = (float) limit;
	return (double) rounded >= limit ? rounded :
		nextafterf(rounded, INFINITY);
}

GlStatus
gemm_search_begin(GlHost *host, const PointMatrix *points,
				  const DuplicateGroups *groups, const PointMatrix *queries,
				  GemmSearch *search)
{
	int32_t		d = points->dimension_count;
	int64_t		count = groups->group_count;

	memset(search, 0, sizeof(*search));
	search->points = points;
	search->groups = groups;
	search->kernels = distance_kernels();
	search->count = count;
	search->shrink = 1.0 - 1.1 * (d + 8.0) * 0x1p-24;
	GL_TRY(screen_begin(host, points, queries, SCREEN_CENTRED,
						&search->screen));
	GL_NEW(host, search->images, (size_t) count * (size_t) d);
	GL_NEW(host, search->norm, round_up(count));
	GL_NEW_ZEROED(host, search->products, GEMM_TILE * GEMM_TILE);
	GL_NEW(host, search->widened, d);
	GL_TRY(screen_images(host, &search->screen, points, groups, 0, count,
						 search->images));
	for (int64_t i = 0; i < round_up(count); i++)
	{
		GL_TRY(gl_work(host, d));
		search->norm[i] = i < count ?
			shrunk_norm(search, search->images + i * d) : INFINITY;
	}
	return GL_OK;
}

void
gemm_search_release(GlHost *host, GemmSearch *search)
{
	gl_release(host, search->widened);
	gl_release(host, search->products);
	gl_release(host, search->norm);
	gl_release(host, search->images);
	screen_release(host, &search->screen);
	memset(search, 0, sizeof(*search));
}

/* -2 x.y for a block of rows against GEMM_TILE groups from `column` on. */
static GlStatus
fill_tile(GlHost *host, GemmSearch *search, const float *images,
		  int64_t rows, int64_t column)
{
	int64_t		d = search->points->dimension_count;
	int64_t		columns = search->count - column;

	if (columns > GEMM_TILE)
		columns = GEMM_TILE;
	return gl_sgemm_transposed(host, rows, columns, d, -2.0f, images, d,
							   search->images + column * d, d,
							   0.0f, search->products, GEMM_TILE);
}

static int32_t
tile_width(const GemmSearch *search, int64_t column)
{
	int64_t		columns = round_up(search->count) - column;

	return (int32_t) (columns > GEMM_TILE ? GEMM_TILE : columns);
}

/* A group's row as doubles. */
static const double *
group_row(const GemmSearch *search, int64_t group)
{
	int32_t		row = duplicate_groups_first(search->groups, group);

	if (search->points->scalar == SCALAR_FLOAT8)
		return point_matrix_at(search->points, row);
	distance_widen(search->points, row, search->widened);
	return search->widened;
}

static inline double
measure(GemmSearch *search, const double *row, int64_t group)
{
	search->distance_count++;
	return distance_squared(search->kernels, search->points, row,
							duplicate_groups_first(search->groups, group));
}

/* The lists of a self-join in progress. */
typedef struct SelfJoin
{
	int32_t		k;
	double	   *distance;
	int32_t    *group;
	float	   *limit;			/* padded with -infinity */
} SelfJoin;

static inline void
offer(const GemmSearch *search, SelfJoin *join, int64_t to, int64_t candidate,
	  double squared)
{
	double	   *distance = join->distance + to * join->k;

	if (nearest_insert(distance, join->group + to * join->k, join->k,
					   squared, (int32_t) candidate))
		join->limit[to] = row_limit(search, search->norm[to],
									nearest_worst(distance, join->k));
}

/* One row of a tile of the self-join against the groups from `column` on. */
static GlStatus
join_row(GlHost *host, GemmSearch *search, SelfJoin *join, int64_t i,
		 int64_t column, const float *products, const uint64_t *mask,
		 int32_t width)
{
	const float *norm = search->norm;
	float	   *limit = join->limit;
	const double *row = NULL;

	for (int32_t word = 0; word < width / MASK_BITS; word++)
		for (uint64_t bits = mask[word]; bits != 0; bits &= bits - 1)
		{
			int32_t		at = word * MASK_BITS + __builtin_ctzll(bits);
			int64_t		j = column + at;
			bool		for_i = products[at] + norm[j] <= limit[i];
			bool		for_j = products[at] + norm[i] <= limit[j];
			double		squared;

			if (j <= i || (!for_i && !for_j))
				continue;
			GL_TRY(gl_work(host, search->points->dimension_count));
			if (row == NULL)
				row = group_row(search, i);
			squared = measure(search, row, j);
			if (for_i)
				offer(search, join, i, j, squared);
			if (for_j)
				offer(search, join, j, i, squared);
		}
	return GL_OK;
}

GlStatus
gemm_search_self(GlHost *host, GemmSearch *search, int32_t k,
				 int32_t largest, double *distance, int32_t *group)
{
	int64_t		d = search->points->dimension_count;
	int64_t		n = search->count;
	SelfJoin	join = {k, distance, group, NULL};
	uint64_t	mask[TILE_WORDS];

	GL_NEW(host, join.limit, round_up(n));
	for (int64_t i = 0; i < round_up(n); i++)
	{
		bool		wanted = i < n &&
			duplicate_groups_size(search->groups, i) <= largest;

		join.limit[i] = wanted ? FLT_MAX : -INFINITY;
		if (i < n)
		{
			GL_TRY(gl_work(host, k));
			nearest_begin(distance + i * k, group + i * k, k);
		}
	}
	for (int64_t first = 0; first < n; first += GEMM_TILE)
		for (int64_t column = first; column < n; column += GEMM_TILE)
		{
			int64_t		rows = n - first < GEMM_TILE ? n - first : GEMM_TILE;
			int32_t		width = tile_width(search, column);

			GL_TRY(fill_tile(host, search, search->images + first * d, rows,
							 column));
			for (int64_t i = 0; i < rows; i++)
			{
				const float *products = search->products + i * GEMM_TILE;

				GL_TRY(gl_work(host, width / 4));
				if (search->kernels->screen_products(products,
													 search->norm + column,
													 join.limit + column,
													 search->norm[first + i],
													 join.limit[first + i],
													 width, mask))
					GL_TRY(join_row(host, search, &join, first + i, column,
									products, mask, width));
			}
		}
	gl_release(host, join.limit);
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, k));
		nearest_finish(distance + i * k, group + i * k, k);
	}
	return GL_OK;
}

/* One row of a block against one tile. */
static GlStatus
block_row(GlHost *host, GemmSearch *search, const GemmBlock *block, int64_t i,
		  int64_t column, const uint64_t *mask, int32_t width, float norm,
		  float *limit)
{
	int64_t		d = search->points->dimension_count;
	const float *products = search->products + i * GEMM_TILE;
	double	   *distance = block->distance + i * block->k;
	int32_t    *group = block->group + i * block->k;

	for (int32_t word = 0; word < width / MASK_BITS; word++)
		for (uint64_t bits = mask[word]; bits != 0; bits &= bits - 1)
		{
			int32_t		at = word * MASK_BITS + __builtin_ctzll(bits);
			int64_t		j = column + at;

			if (!(products[at] + search->norm[j] <= *limit) ||
				(block->label != NULL &&
				 block->label[j] == block->own_label[i]))
				continue;
			GL_TRY(gl_work(host, d));
			if (nearest_insert(distance, group, block->k,
							   measure(search, block->rows + i * d, j),
							   (int32_t) j))
				*limit = row_limit(search, norm,
								   nearest_worst(distance, block->k));
		}
	return GL_OK;
}

GlStatus
gemm_search_block(GlHost *host, GemmSearch *search, const GemmBlock *block)
{
	int64_t		d = search->points->dimension_count;
	uint64_t	mask[TILE_WORDS];
	float		never[GEMM_TILE];
	float		norm[GEMM_TILE];
	float		limit[GEMM_TILE];

	for (int64_t i = 0; i < GEMM_TILE; i++)
		never[i] = -INFINITY;
	for (int64_t i = 0; i < block->count; i++)
	{
		norm[i] = shrunk_norm(search, block->images + i * d);
		limit[i] = row_limit(search, norm[i],
							 nearest_worst(block->distance + i * block->k,
										   block->k));
	}
	for (int64_t column = 0; column < search->count; column += GEMM_TILE)
	{
		int32_t		width = tile_width(search, column);

		GL_TRY(fill_tile(host, search, block->images, block->count, column));
		for (int64_t i = 0; i < block->count; i++)
		{
			GL_TRY(gl_work(host, width / 4));
			if (search->kernels->screen_products(search->products +
												 i * GEMM_TILE,
												 search->norm + column,
												 never, norm[i], limit[i],
												 width, mask))
				GL_TRY(block_row(host, search, block, i, column, mask,
								 width, norm[i], &limit[i]));
		}
	}
	return GL_OK;
}

GlStatus
gemm_search_within(GlHost *host, GemmSearch *search, double tau,
				   GemmPair pair, void *state)
{
	int64_t		d = search->points->dimension_count;
	int64_t		n = search->count;
	uint64_t	mask[TILE_WORDS];
	float		never[GEMM_TILE];

	for (int64_t i = 0; i < GEMM_TILE; i++)
		never[i] = -INFINITY;
	for (int64_t first = 0; first < n; first += GEMM_TILE)
		for (int64_t column = first; column < n; column += GEMM_TILE)
		{
			int64_t		rows = n - first < GEMM_TILE ? n - first : GEMM_TILE;
			int32_t		width = tile_width(search, column);

			GL_TRY(fill_tile(host, search, search->images + first * d, rows,
							 column));
			for (int64_t i = first; i < first + rows; i++)
			{
				float		limit = row_limit(search, search->norm[i], tau);
				const double *row;

				GL_TRY(gl_work(host, width / 4));
				if (!search->kernels->screen_products(search->products +
													  (i - first) *
													  GEMM_TILE,
													  search->norm + column,
													  never, search->norm[i],
													  limit, width, mask))
					continue;
				row = group_row(search, i);
				for (int32_t at = 0; at < width; at++)
				{
					double		squared;

					if ((mask[at / MASK_BITS] >> (at % MASK_BITS) & 1) == 0 ||
						column + at <= i)
						continue;
					GL_TRY(gl_work(host, d));
					squared = measure(search, row, column + at);
					if (squared <= tau)
						GL_TRY(pair(host, state, (int32_t) i,
									(int32_t) (column + at), squared));
				}
			}
		}
	return GL_OK;
}
