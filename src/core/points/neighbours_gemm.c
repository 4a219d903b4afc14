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
 * more before it is taken.
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

/*
 * The lists of a self-join in progress.  To measure every candidate when it
 * is met would cost k ln n distances a row, each of two rows far apart in
 * memory.  So candidates wait with their lower bounds; when a row's waiting
 * room is full, the k-th smallest upper bound tightens the limit and most of
 * them turn out to be beyond it.  What waits at the end is measured.
 */
typedef struct SelfJoin
{
	int32_t		k;
	double	   *distance;
	int32_t    *group;
	float	   *limit;			/* padded with -infinity */

	int32_t		room;			/* candidates that can wait per row, or 0 */
	int32_t    *waiting_count;
	int32_t    *waiting;		/* count x room */
	float	   *low;			/* product + norm of each */
	double	   *bound;			/* scratch: k smallest upper bounds */
	int32_t    *bound_group;
} SelfJoin;

/*
 * Longer lists are measured at once, for their waiting rooms would be too
 * large; short rows too, for measuring costs less than waiting.
 */
#define WAITING_MAX_K	32
#define WAITING_MIN_D	48

static GlStatus
self_join_begin(GlHost *host, const GemmSearch *search, int32_t largest,
				SelfJoin *join)
{
	int64_t		n = search->count;
	int32_t		k = join->k;

	join->room = k <= WAITING_MAX_K &&
		search->points->dimension_count >= WAITING_MIN_D ? 3 * k + 16 : 0;
	GL_NEW(host, join->limit, round_up(n));
	GL_NEW_ZEROED(host, join->waiting_count, n);
	GL_NEW(host, join->waiting, n * join->room);
	GL_NEW(host, join->low, n * join->room);
	GL_NEW(host, join->bound, k);
	GL_NEW(host, join->bound_group, k);
	for (int64_t i = 0; i < round_up(n); i++)
	{
		bool		wanted = i < n &&
			duplicate_groups_size(search->groups, i) <= largest;

		join->limit[i] = wanted ? FLT_MAX : -INFINITY;
		if (i < n)
		{
			GL_TRY(gl_work(host, k));
			nearest_begin(join->distance + i * k, join->group + i * k, k);
		}
	}
	return GL_OK;
}

static void
self_join_release(GlHost *host, SelfJoin *join)
{
	gl_release(host, join->bound_group);
	gl_release(host, join->bound);
	gl_release(host, join->low);
	gl_release(host, join->waiting);
	gl_release(host, join->waiting_count);
	gl_release(host, join->limit);
}

static void
offer(const GemmSearch *search, SelfJoin *join, int64_t to, int64_t candidate,
	  double squared)
{
	double	   *distance = join->distance + to * join->k;
	float		limit;

	if (!nearest_insert(distance, join->group + to * join->k, join->k,
						squared, (int32_t) candidate))
		return;
	limit = row_limit(search, search->norm[to],
					  nearest_worst(distance, join->k));
	if (limit < join->limit[to])
		join->limit[to] = limit;
}

/* Measure all that wait for row i. */
static GlStatus
measure_waiting(GlHost *host, GemmSearch *search, SelfJoin *join, int64_t i)
{
	const int32_t *waiting = join->waiting + i * join->room;
	const double *row = group_row(search, i);

	for (int32_t w = 0; w < join->waiting_count[i]; w++)
	{
		GL_TRY(gl_work(host, search->points->dimension_count));
		offer(search, join, i, waiting[w], measure(search, row, waiting[w]));
	}
	join->waiting_count[i] = 0;
	return GL_OK;
}

/*
 * Tighten row i's limit by those that wait and drop those beyond it.  The
 * upper bound of |x~ - y~|^2 repeats the argument of neighbours_gemm.h with
 * the errors on the other side: at most twice the shrinkage above the lower.
 */
static GlStatus
thin_waiting(GlHost *host, const GemmSearch *search, SelfJoin *join,
			 int64_t i)
{
	int32_t    *waiting = join->waiting + i * join->room;
	float	   *low = join->low + i * join->room;
	int32_t		count = join->waiting_count[i];
	int32_t		kept = 0;
	/* 2^-20 covers the rounding of stored norms */
	double		grow = (1.0 + 0x1p-20) / search->shrink;
	double		margin = 2.0 * (1.0 - search->shrink);
	double		norm = (double) search->norm[i] * grow;
	double		worst;
	float		limit;

	GL_TRY(gl_work(host, 4 * count));
	nearest_begin(join->bound, join->bound_group, join->k);
	for (int32_t w = 0; w < count; w++)
	{
		double		other = (double) search->norm[waiting[w]] * grow;

		nearest_insert(join->bound, join->bound_group, join->k,
					   (double) low[w] + norm + margin * (norm + other) +
					   search->screen.tiny, waiting[w]);
	}
	worst = nearest_worst(join->bound, join->k);
	if (worst == INFINITY)
		return GL_OK;
	limit = row_limit(search, search->norm[i],
					  screen_bound(&search->screen, worst, sqrt(norm)));
	if (limit < join->limit[i])
		join->limit[i] = limit;
	for (int32_t w = 0; w < count; w++)
		if (low[w] <= join->limit[i])
		{
			waiting[kept] = waiting[w];
			low[kept++] = low[w];
		}
	join->waiting_count[i] = kept;
	return GL_OK;
}

/* j may be a neighbour of i: let it wait. */
static inline GlStatus
await(GlHost *host, GemmSearch *search, SelfJoin *join, int64_t i, int64_t j,
	  float low)
{
	int64_t		at = i * join->room + join->waiting_count[i]++;

	join->waiting[at] = (int32_t) j;
	join->low[at] = low;
	if (join->waiting_count[i] < join->room)
		return GL_OK;
	GL_TRY(thin_waiting(host, search, join, i));
	/* many ties: waiting longer would not sort them out */
	if (join->waiting_count[i] > join->room - join->room / 4)
		GL_TRY(measure_waiting(host, search, join, i));
	return GL_OK;
}

/* One row of a tile of the self-join against the groups from `column` on. */
static GlStatus
join_row(GlHost *host, GemmSearch *search, SelfJoin *join, int64_t i,
		 int64_t column, const float *products, const uint64_t *mask,
		 int32_t width)
{
	const float *norm = search->norm;
	const float *limit = join->limit;

	for (int32_t word = 0; word < width / MASK_BITS; word++)
		for (uint64_t bits = mask[word]; bits != 0; bits &= bits - 1)
		{
			int32_t		at = word * MASK_BITS + __builtin_ctzll(bits);
			int64_t		j = column + at;
			float		low_i = products[at] + norm[j];
			float		low_j = products[at] + norm[i];
			bool		for_i = low_i <= limit[i];
			bool		for_j = low_j <= limit[j];
			double		squared;

			if (j <= i || (!for_i && !for_j))
				continue;
			if (join->room > 0)
			{
				if (for_i)
					GL_TRY(await(host, search, join, i, j, low_i));
				if (for_j)
					GL_TRY(await(host, search, join, j, i, low_j));
				continue;
			}
			GL_TRY(gl_work(host, search->points->dimension_count));
			squared = measure(search, group_row(search, i), j);
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
	SelfJoin	join = {.k = k,.distance = distance,.group = group};
	uint64_t	mask[TILE_WORDS];

	GL_TRY(self_join_begin(host, search, largest, &join));
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
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, k));
		if (join.room > 0)
		{
			GL_TRY(thin_waiting(host, search, &join, i));
			GL_TRY(measure_waiting(host, search, &join, i));
		}
		nearest_finish(distance + i * k, group + i * k, k);
	}
	self_join_release(host, &join);
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
