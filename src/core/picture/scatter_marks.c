/*
 * scatter_marks.c
 *		Place, thin and mix the marks of a plot.
 *
 * A mark is a key of 64 bits, (group, y, x) from high to low, so that equal
 * marks are equal keys and sorting is the radix sort.  Its square is the same
 * key with low bits of y and x left out.
 */
#include "picture/scatter_marks.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"

#define POSITION_BITS	14		/* SCATTER_MAX_POSITIONS */
#define POSITION_MASK	(SCATTER_MAX_POSITIONS - 1)

/* The smallest squares are of 2^6 positions, larger where these are many. */
#define FIRST_LEVEL		6
#define BISECTIONS		50

static int64_t
mark_key(int32_t group, int32_t y, int32_t x)
{
	return ((int64_t) group << (2 * POSITION_BITS)) |
		((int64_t) y << POSITION_BITS) | x;
}

static ScatterMark
key_mark(int64_t key)
{
	return (ScatterMark)
	{
		.group = (int32_t) (key >> (2 * POSITION_BITS)),
		.y = (int32_t) (key >> POSITION_BITS) & POSITION_MASK,
		.x = (int32_t) key & POSITION_MASK
	};
}

/* Something like a random number for a key, never negative. */
static int64_t
scramble(int64_t key)
{
	uint64_t	state = (uint64_t) key * UINT64_C(0x9E3779B97F4A7C15);

	state = (state ^ (state >> 29)) * UINT64_C(0xBF58476D1CE4E5B9);
	state = (state ^ (state >> 32)) * UINT64_C(0x94D049BB133111EB);
	return (int64_t) (state >> 1);
}

/* Sort keys as if by lot. */
static GlStatus
shuffle(GlHost *host, int64_t *keys, int64_t count)
{
	int64_t    *scrambled;
	int64_t    *shuffled;
	int32_t    *order;

	GL_NEW(host, scrambled, count);
	GL_NEW(host, shuffled, count);
	GL_NEW(host, order, count);
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 4));
		scrambled[i] = scramble(keys[i]);
	}
	GL_TRY(gl_sort_order(host, scrambled, count, order));
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 2));
		shuffled[i] = keys[order[i]];
	}
	memcpy(keys, shuffled, (size_t) count * sizeof(int64_t));
	gl_release(host, order);
	gl_release(host, shuffled);
	gl_release(host, scrambled);
	return GL_OK;
}

/* Sort keys and drop those that occur before. */
static GlStatus
make_unique(GlHost *host, int64_t *keys, int64_t *count)
{
	int64_t    *sorted;
	int32_t    *order;
	int64_t		kept = 0;

	GL_NEW(host, sorted, *count);
	GL_NEW(host, order, *count);
	GL_TRY(gl_sort_order(host, keys, *count, order));
	for (int64_t i = 0; i < *count; i++)
	{
		GL_TRY(gl_work(host, 4));
		if (kept == 0 || keys[order[i]] != sorted[kept - 1])
			sorted[kept++] = keys[order[i]];
	}
	memcpy(keys, sorted, (size_t) kept * sizeof(int64_t));
	*count = kept;
	gl_release(host, order);
	gl_release(host, sorted);
	return GL_OK;
}

/* The marks of a group in a square of 2^level positions. */
static int64_t
square_of(int64_t key, int level)
{
	ScatterMark mark = key_mark(key);

	return mark_key(mark.group, mark.y >> level, mark.x >> level);
}

/* Marks in the order of their squares, and how many each has. */
typedef struct Squares
{
	int32_t    *order;			/* of all marks */
	int64_t    *size;
	int64_t		count;
} Squares;

static GlStatus
find_squares(GlHost *host, const int64_t *keys, int64_t count, int level,
			 Squares *squares)
{
	int64_t    *square;

	GL_NEW(host, square, count);
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 4));
		square[i] = square_of(keys[i], level);
	}
	GL_TRY(gl_sort_order(host, square, count, squares->order));
	squares->count = 0;
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 4));
		if (i == 0 ||
			square[squares->order[i]] != square[squares->order[i - 1]])
			squares->size[squares->count++] = 0;
		squares->size[squares->count - 1]++;
	}
	gl_release(host, square);
	return GL_OK;
}

/* How many of c marks stay. */
static int64_t
kept_of(int64_t size, double alpha)
{
	double		kept = alpha * sqrt((double) size);

	return kept < 1 ? 1 : kept >= (double) size ? size : (int64_t) kept;
}

static GlStatus
kept_of_all(GlHost *host, const Squares *squares, double alpha,
			int64_t *total)
{
	*total = 0;
	for (int64_t s = 0; s < squares->count; s++)
	{
		GL_TRY(gl_work(host, 8));
		*total += kept_of(squares->size[s], alpha);
	}
	return GL_OK;
}

/* The largest alpha, or nearly, that keeps no more than the limit. */
static GlStatus
choose_alpha(GlHost *host, const Squares *squares, int64_t mark_count,
			 int64_t limit, double *alpha)
{
	double		low = 0;
	double		high = sqrt((double) mark_count);

	for (int step = 0; step < BISECTIONS; step++)
	{
		double		middle = (low + high) / 2;
		int64_t		total;

		GL_TRY(kept_of_all(host, squares, middle, &total));
		if (total <= limit)
			low = middle;
		else
			high = middle;
	}
	*alpha = low;
	return GL_OK;
}

/*
 * Keep at most limit of the marks.  They come shuffled, and the sort by
 * square is stable, so the first of a square are drawn by lot.
 */
static GlStatus
thin(GlHost *host, int64_t *keys, int64_t *count, int64_t limit)
{
	Squares		squares = {0};
	int64_t    *kept;
	double		alpha;
	int64_t		kept_count = 0;
	int64_t		start = 0;
	int			level = FIRST_LEVEL;

	GL_NEW(host, squares.order, *count);
	GL_NEW(host, squares.size, *count);
	GL_NEW(host, kept, *count);
	do
		GL_TRY(find_squares(host, keys, *count, level++, &squares));
	while (squares.count > limit / 2 && level <= POSITION_BITS);
	GL_TRY(choose_alpha(host, &squares, *count, limit, &alpha));
	for (int64_t s = 0; s < squares.count; s++)
	{
		int64_t		stays = kept_of(squares.size[s], alpha);

		GL_TRY(gl_work(host, stays + 4));
		for (int64_t i = start; i < start + stays; i++)
			kept[kept_count++] = keys[squares.order[i]];
		start += squares.size[s];
	}
	memcpy(keys, kept, (size_t) kept_count * sizeof(int64_t));
	*count = kept_count;
	gl_release(host, kept);
	gl_release(host, squares.size);
	gl_release(host, squares.order);
	return GL_OK;
}

GlStatus
scatter_marks_place(GlHost *host, const Scatter *scatter,
					const ScatterPlan *plan, int32_t width, int32_t height,
					int64_t limit, ScatterMarks *out)
{
	ScatterMarks marks = {0};
	int64_t    *keys;
	int64_t		count = scatter->row_count;

	memset(out, 0, sizeof(*out));
	if (width < 1 || width > SCATTER_MAX_POSITIONS || height < 1 ||
		height > SCATTER_MAX_POSITIONS)
		return gl_fail(host, GL_ERR_INTERNAL, "a plot of impossible size");
	if (limit < 2 * plan->all_count)
		limit = 2 * plan->all_count;
	GL_NEW(host, keys, count);
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 16));
		keys[i] = mark_key(scatter_plan_group(plan, scatter, i),
						   height - 1 - axis_position(&plan->y, scatter->y[i],
													  height),
						   axis_position(&plan->x, scatter->x[i], width));
	}
	GL_TRY(make_unique(host, keys, &count));
	GL_TRY(shuffle(host, keys, count));
	marks.is_thinned = count > limit;
	if (marks.is_thinned)
	{
		GL_TRY(thin(host, keys, &count, limit));
		/* they lie by square now */
		GL_TRY(shuffle(host, keys, count));
	}
	GL_NEW(host, marks.mark, count);
	marks.mark_count = count;
	for (int64_t i = 0; i < count; i++)
		marks.mark[i] = key_mark(keys[i]);
	gl_release(host, keys);
	*out = marks;
	return GL_OK;
}

void
scatter_marks_release(GlHost *host, ScatterMarks *marks)
{
	gl_release(host, marks->mark);
	memset(marks, 0, sizeof(*marks));
}
