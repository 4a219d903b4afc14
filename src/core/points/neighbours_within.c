/*
 * neighbours_within.c
 *		All pairs of rows within a radius.
 *
 * Every unordered pair of groups is found once, by either road, and kept in
 * chunks; the compressed rows are then counted, filled in both directions and
 * sorted.  Members of a group are at distance 0 of each other.
 */
#include <math.h>
#include <string.h>

#include "points/neighbours.h"
#include "points/neighbours_choose.h"
#include "points/neighbours_gemm.h"
#include "points/neighbours_tree.h"

typedef struct GroupPair
{
	int32_t		a;
	int32_t		b;
	double		squared;
} GroupPair;

/* Chunks rather than one array: growing one would hold it twice. */
#define CHUNK_PAIRS		4096

typedef struct PairChunk
{
	struct PairChunk *next;
	int64_t		count;
	GroupPair	pair[CHUNK_PAIRS];
} PairChunk;

static GlStatus
add_pair(GlHost *host, void *state, int32_t a, int32_t b, double squared)
{
	PairChunk **chunks = state;
	PairChunk  *chunk = *chunks;

	if (chunk == NULL || chunk->count == CHUNK_PAIRS)
	{
		GL_NEW(host, chunk, 1);
		chunk->count = 0;
		chunk->next = *chunks;
		*chunks = chunk;
	}
	chunk->pair[chunk->count++] = (GroupPair) {a, b, squared};
	return GL_OK;
}

/* Pairs of the row searched for with rows after its position. */
static GlStatus
pairs_of_row(GlHost *host, TreeSearch *search, int64_t position,
			 int32_t group, double tau, PairChunk **chunks)
{
	const KdTree *tree = &search->tree;
	KdWalk	   *walk = search->walk;

	kd_walk_begin(walk, tree, search->kernels, search->image,
				  screen_limit(&search->screen, tau, search->norm));
	for (;;)
	{
		float		image_squared[SCREEN_MAX_WIDTH];
		int32_t		leaf;
		uint64_t	mask;

		GL_TRY(kd_walk_next(host, walk, &leaf));
		if (leaf < 0)
			return GL_OK;
		if (tree->leaf_start[leaf + 1] <= position)
			continue;			/* its rows have found this one already */
		mask = kd_walk_screen(walk, leaf, image_squared);
		for (; mask != 0; mask &= mask - 1)
		{
			int64_t		at = tree->leaf_start[leaf] + __builtin_ctzll(mask);
			int32_t		other = tree->order[at];
			double		squared;

			if (at <= position)
				continue;
			GL_TRY(gl_work(host, tree->dimension_count));
			squared = distance_squared(search->kernels, search->points,
									   search->query,
									   duplicate_groups_first(search->groups,
															  other));
			if (squared <= tau)
				GL_TRY(add_pair(host, chunks, group, other, squared));
		}
	}
}

static GlStatus
pairs_by_tree(GlHost *host, TreeSearch *search, double tau,
			  PairChunk **chunks)
{
	const KdTree *tree = &search->tree;

	for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++)
		for (int64_t position = tree->leaf_start[leaf];
			 position < tree->leaf_start[leaf + 1]; position++)
		{
			int32_t		group = tree_search_own(search, leaf, position);

			GL_TRY(pairs_of_row(host, search, position, group, tau, chunks));
		}
	return GL_OK;
}

/* Let (row, distance) sink from `at` in a heap of `count` by row. */
static void
sink(int32_t *row, double *distance, int64_t at, int64_t count)
{
	int32_t		moved_row = row[at];
	double		moved = distance[at];

	for (;;)
	{
		int64_t		child = 2 * at + 1;

		if (child >= count)
			break;
		if (child + 1 < count && row[child + 1] > row[child])
			child++;
		if (row[child] <= moved_row)
			break;
		row[at] = row[child];
		distance[at] = distance[child];
		at = child;
	}
	row[at] = moved_row;
	distance[at] = moved;
}

/* Sort a row's entries by neighbour, in place: heap sort. */
static GlStatus
sort_entries(GlHost *host, int32_t *row, double *distance, int64_t count)
{
	for (int64_t at = count / 2; at-- > 0;)
	{
		GL_TRY(gl_work(host, 8));
		sink(row, distance, at, count);
	}
	for (int64_t last = count - 1; last > 0; last--)
	{
		int32_t		largest = row[0];
		double		squared = distance[0];

		GL_TRY(gl_work(host, 32));
		row[0] = row[last];
		distance[0] = distance[last];
		row[last] = largest;
		distance[last] = squared;
		sink(row, distance, 0, last);
	}
	return GL_OK;
}

static inline int32_t
group_member(const DuplicateGroups *groups, int64_t group, int32_t m)
{
	return groups->member == NULL ? (int32_t) group :
		groups->member[groups->member_start[group] + m];
}

/* row_start of every row from the pairs of groups. */
static GlStatus
count_entries(GlHost *host, const DuplicateGroups *groups,
			  const PairChunk *chunks, NeighbourRanges *ranges)
{
	int64_t    *degree;
	int64_t		sum = 0;

	GL_NEW(host, degree, groups->group_count);
	for (int64_t g = 0; g < groups->group_count; g++)
	{
		GL_TRY(gl_work(host, 1));
		degree[g] = duplicate_groups_size(groups, g) - 1;
	}
	for (const PairChunk *chunk = chunks; chunk != NULL; chunk = chunk->next)
	{
		GL_TRY(gl_work(host, chunk->count));
		for (int64_t p = 0; p < chunk->count; p++)
		{
			const GroupPair *pair = &chunk->pair[p];

			degree[pair->a] += duplicate_groups_size(groups, pair->b);
			degree[pair->b] += duplicate_groups_size(groups, pair->a);
		}
	}
	for (int64_t g = 0; g < groups->group_count; g++)
		for (int32_t m = 0; m < duplicate_groups_size(groups, g); m++)
		{
			GL_TRY(gl_work(host, 1));
			ranges->row_start[group_member(groups, g, m)] = degree[g];
		}
	gl_release(host, degree);
	for (int64_t row = 0; row < ranges->row_count; row++)
	{
		int64_t		count = ranges->row_start[row];

		GL_TRY(gl_work(host, 1));
		ranges->row_start[row] = sum;
		/* n^2 entries at most, n < 2^31: cannot overflow */
		sum += count;
	}
	ranges->row_start[ranges->row_count] = sum;
	return GL_OK;
}

/* All members of a to the rows of b. */
static GlStatus
add_members(GlHost *host, const DuplicateGroups *groups, int32_t a, int32_t b,
			double squared, int64_t *cursor, NeighbourRanges *ranges)
{
	for (int32_t i = 0; i < duplicate_groups_size(groups, b); i++)
	{
		int32_t		row = group_member(groups, b, i);

		GL_TRY(gl_work(host, duplicate_groups_size(groups, a)));
		for (int32_t m = 0; m < duplicate_groups_size(groups, a); m++)
		{
			int32_t		member = group_member(groups, a, m);

			if (member == row)
				continue;
			ranges->neighbour[cursor[row]] = member;
			ranges->squared_distance[cursor[row]++] = squared;
		}
	}
	return GL_OK;
}

static GlStatus
fill_entries(GlHost *host, const DuplicateGroups *groups, PairChunk *chunks,
			 NeighbourRanges *ranges)
{
	int64_t		n = ranges->row_count;
	int64_t    *cursor;

	GL_NEW(host, ranges->neighbour, ranges->row_start[n]);
	GL_NEW(host, ranges->squared_distance, ranges->row_start[n]);
	GL_NEW(host, cursor, n);
	memcpy(cursor, ranges->row_start, (size_t) n * sizeof(*cursor));
	for (int64_t g = 0; g < groups->group_count && groups->member != NULL;
		 g++)
		GL_TRY(add_members(host, groups, (int32_t) g, (int32_t) g, 0.0,
						   cursor, ranges));
	while (chunks != NULL)
	{
		PairChunk  *next = chunks->next;

		for (int64_t p = 0; p < chunks->count; p++)
		{
			const GroupPair *pair = &chunks->pair[p];

			GL_TRY(add_members(host, groups, pair->a, pair->b, pair->squared,
							   cursor, ranges));
			GL_TRY(add_members(host, groups, pair->b, pair->a, pair->squared,
							   cursor, ranges));
		}
		gl_release(host, chunks);
		chunks = next;
	}
	gl_release(host, cursor);
	for (int64_t row = 0; row < n; row++)
	{
		int64_t		start = ranges->row_start[row];

		GL_TRY(gl_work(host, 1));
		GL_TRY(sort_entries(host, ranges->neighbour + start,
							ranges->squared_distance + start,
							ranges->row_start[row + 1] - start));
	}
	return GL_OK;
}

GlStatus
neighbours_within(GlHost *host, const PointMatrix *points,
				  double squared_limit, NeighbourMethod method,
				  NeighbourRanges *out)
{
	NeighbourRanges ranges = {0};
	DuplicateGroups groups;
	TreeSearch	tree;
	PairChunk  *chunks = NULL;
	bool		by_tree;

	memset(out, 0, sizeof(*out));
	if (!(squared_limit >= 0.0))
		return gl_fail(host, GL_ERR_OPTION,
					   "the squared radius must not be negative");
	ranges.row_count = points->row_count;
	GL_NEW(host, ranges.row_start, points->row_count + 1);
	GL_TRY(duplicate_groups_find(host, points, &groups));
	if (groups.group_count > 1)
	{
		/* what one neighbour costs tells the roads apart well enough */
		GL_TRY(neighbours_choose(host, points, &groups, NULL, 1, method,
								 &tree, &by_tree));
		if (by_tree)
		{
			GL_TRY(pairs_by_tree(host, &tree, squared_limit, &chunks));
			tree_search_release(host, &tree);
		}
		else
		{
			GemmSearch	gemm;

			GL_TRY(gemm_search_begin(host, points, &groups, NULL, &gemm));
			GL_TRY(gemm_search_within(host, &gemm, squared_limit, add_pair,
									  &chunks));
			gemm_search_release(host, &gemm);
		}
	}
	GL_TRY(count_entries(host, &groups, chunks, &ranges));
	GL_TRY(fill_entries(host, &groups, chunks, &ranges));
	duplicate_groups_release(host, &groups);
	*out = ranges;
	return GL_OK;
}

void
neighbour_ranges_release(GlHost *host, NeighbourRanges *ranges)
{
	gl_release(host, ranges->squared_distance);
	gl_release(host, ranges->neighbour);
	gl_release(host, ranges->row_start);
	memset(ranges, 0, sizeof(*ranges));
}
