/*
 * neighbours.c
 *		The k nearest rows: duplicates out, a road chosen, duplicates back in.
 *
 * Equal rows are searched once.  A row in a group of more than k equal rows
 * has its neighbours in the group; any other row's list is its group, then
 * the members of the nearest groups, merged by row where groups are equally
 * far.  So data full of duplicates, on which a tree alone would drown in
 * ties, is the easy case.
 *
 * The road is chosen by a sampled search: leaves visited per query, priced
 * against products per row with constants measured once.  The choice is a
 * heuristic about time; both roads give the same bits (test_neighbours.c).
 */
#include "points/neighbours.h"

#include <math.h>
#include <string.h>

#include "points/nearest_list.h"
#include "points/neighbours_choose.h"
#include "points/neighbours_gemm.h"
#include "points/neighbours_tree.h"

/* Rows of a group from its nearest other rows (the tail, sorted). */
static GlStatus
write_group(GlHost *host, const DuplicateGroups *groups, int64_t group,
			const double *tail_distance, const int32_t *tail_row,
			NeighbourLists *lists)
{
	const int32_t *member = groups->member + groups->member_start[group];
	int32_t		size = duplicate_groups_size(groups, group);
	int32_t		k = lists->k;

	for (int32_t m = 0; m < size; m++)
	{
		int32_t    *row = lists->neighbour + (int64_t) member[m] * k;
		double	   *distance = lists->squared_distance +
			(int64_t) member[m] * k;
		int32_t		filled = 0;

		GL_TRY(gl_work(host, k));
		for (int32_t other = 0; other < size && filled < k; other++)
			if (other != m)
			{
				row[filled] = member[other];
				distance[filled++] = 0.0;
			}
		memcpy(row + filled, tail_row, (size_t) (k - filled) * sizeof(*row));
		memcpy(distance + filled, tail_distance,
			   (size_t) (k - filled) * sizeof(*distance));
	}
	return GL_OK;
}

/* Lists of other groups, and the rows they stand for. */
typedef struct GroupList
{
	double	   *distance;
	int32_t    *group;
	double	   *row_distance;
	int32_t    *row;
} GroupList;

static GlStatus
group_list_begin(GlHost *host, int64_t k, GroupList *list)
{
	GL_NEW(host, list->distance, k);
	GL_NEW(host, list->group, k);
	GL_NEW(host, list->row_distance, k);
	GL_NEW(host, list->row, k);
	return GL_OK;
}

static void
group_list_release(GlHost *host, GroupList *list)
{
	gl_release(host, list->row);
	gl_release(host, list->row_distance);
	gl_release(host, list->group);
	gl_release(host, list->distance);
}

/* Groups to find so that a group of `size` rows gets k neighbours a row. */
static int32_t
groups_wanted(const DuplicateGroups *groups, int32_t size, int32_t k)
{
	int64_t		wanted = (int64_t) k - size + 1;

	if (wanted > groups->group_count - 1)
		wanted = groups->group_count - 1;
	return wanted < 0 ? 0 : (int32_t) wanted;
}

/* Expand a group's list of other groups to all its rows. */
static GlStatus
expand_group(GlHost *host, const DuplicateGroups *groups, int64_t group,
			 const double *distance, const int32_t *nearest, int32_t count,
			 GroupList *scratch, NeighbourLists *lists)
{
	int32_t		tail = lists->k - duplicate_groups_size(groups, group) + 1;

	if (tail > 0)
		GL_TRY(duplicate_groups_expand(host, groups, distance, nearest, count,
									   -1, tail, scratch->row_distance,
									   scratch->row));
	return write_group(host, groups, group, scratch->row_distance,
					   scratch->row, lists);
}

static GlStatus
search_by_tree(GlHost *host, TreeSearch *search, NeighbourLists *lists)
{
	const DuplicateGroups *groups = search->groups;
	const KdTree *tree = &search->tree;
	int32_t		k = lists->k;
	GroupList	scratch;

	GL_TRY(group_list_begin(host, k, &scratch));
	for (int32_t leaf = 0; leaf < tree->leaf_count; leaf++)
		for (int64_t position = tree->leaf_start[leaf];
			 position < tree->leaf_start[leaf + 1]; position++)
		{
			int64_t		group = tree_search_own(search, leaf, position);
			int32_t		size = duplicate_groups_size(groups, group);
			int32_t		wanted = groups_wanted(groups, size, k);
			double	   *distance = scratch.distance;
			int32_t    *nearest = scratch.group;

			if (groups->member == NULL)
			{
				distance = lists->squared_distance + group * k;
				nearest = lists->neighbour + group * k;
			}
			if (wanted > 0)
			{
				nearest_begin(distance, nearest, wanted);
				GL_TRY(tree_search_nearest(host, search, wanted, distance,
										   nearest));
				GL_TRY(gl_work(host, wanted));
				nearest_finish(distance, nearest, wanted);
			}
			if (groups->member != NULL)
				GL_TRY(expand_group(host, groups, group, distance, nearest,
									wanted, &scratch, lists));
		}
	group_list_release(host, &scratch);
	return GL_OK;
}

static GlStatus
search_by_gemm(GlHost *host, GemmSearch *search, NeighbourLists *lists)
{
	const DuplicateGroups *groups = search->groups;
	int32_t		wanted = groups_wanted(groups, 1, lists->k);
	double	   *distance;
	int32_t    *nearest;
	GroupList	scratch;

	if (groups->member == NULL)
		return gemm_search_self(host, search, lists->k, lists->k,
								lists->squared_distance, lists->neighbour);
	GL_TRY(group_list_begin(host, lists->k, &scratch));
	GL_NEW(host, distance, search->count * wanted);
	GL_NEW(host, nearest, search->count * wanted);
	if (wanted > 0)
		GL_TRY(gemm_search_self(host, search, wanted, lists->k, distance,
								nearest));
	for (int64_t group = 0; group < search->count; group++)
		GL_TRY(expand_group(host, groups, group, distance + group * wanted,
							nearest + group * wanted, wanted, &scratch,
							lists));
	gl_release(host, nearest);
	gl_release(host, distance);
	group_list_release(host, &scratch);
	return GL_OK;
}

/* Room for the lists; *out is set only when they are full. */
static GlStatus
lists_begin(GlHost *host, int64_t row_count, int32_t k, NeighbourLists *lists)
{
	lists->row_count = row_count;
	lists->k = k;
	GL_NEW(host, lists->neighbour, row_count * k);
	GL_NEW(host, lists->squared_distance, row_count * k);
	return GL_OK;
}

static GlStatus
check_k(GlHost *host, int64_t k, int64_t limit)
{
	if (k >= 1 && k <= limit)
		return GL_OK;
	gl_fail(host, GL_ERR_OPTION,
			"the number of neighbours must be between 1 and %lld, not %lld",
			(long long) limit, (long long) k);
	gl_hint(host, "A row is not its own neighbour.");
	return GL_ERR_OPTION;
}

GlStatus
neighbours_search(GlHost *host, const PointMatrix *points, int32_t k,
				  NeighbourMethod method, NeighbourLists *out,
				  NeighbourReport *report)
{
	NeighbourLists lists = {0};
	NeighbourReport made = {0};
	DuplicateGroups groups;
	TreeSearch	tree;
	bool		by_tree;

	memset(out, 0, sizeof(*out));
	GL_TRY(check_k(host, k, points->row_count - 1));
	GL_TRY(lists_begin(host, points->row_count, k, &lists));
	GL_TRY(duplicate_groups_find(host, points, &groups));
	made.unique_count = groups.group_count;
	GL_TRY(neighbours_choose(host, points, &groups, NULL, k, method, &tree,
							 &by_tree));
	if (by_tree)
	{
		made.method = NEIGHBOURS_TREE;
		GL_TRY(search_by_tree(host, &tree, &lists));
		made.distance_count = tree.distance_count;
		tree_search_release(host, &tree);
	}
	else
	{
		GemmSearch	gemm;

		made.method = NEIGHBOURS_GEMM;
		GL_TRY(gemm_search_begin(host, points, &groups, NULL, &gemm));
		GL_TRY(search_by_gemm(host, &gemm, &lists));
		made.distance_count = gemm.distance_count;
		gemm_search_release(host, &gemm);
	}
	duplicate_groups_release(host, &groups);
	*out = lists;
	if (report != NULL)
		*report = made;
	return GL_OK;
}

void
neighbour_lists_release(GlHost *host, NeighbourLists *lists)
{
	gl_release(host, lists->squared_distance);
	gl_release(host, lists->neighbour);
	memset(lists, 0, sizeof(*lists));
}

static GlStatus
query_by_tree(GlHost *host, TreeSearch *search, const PointMatrix *queries,
			  const int32_t *exclude, int32_t wanted, NeighbourLists *lists)
{
	int32_t		k = lists->k;
	double	   *distance;
	int32_t    *nearest;

	GL_NEW(host, distance, wanted);
	GL_NEW(host, nearest, wanted);
	for (int64_t q = 0; q < queries->row_count; q++)
	{
		GL_TRY(tree_search_other(host, search, queries, q));
		nearest_begin(distance, nearest, wanted);
		GL_TRY(tree_search_nearest(host, search, wanted, distance, nearest));
		nearest_finish(distance, nearest, wanted);
		GL_TRY(duplicate_groups_expand(host, search->groups, distance,
									   nearest, wanted,
									   exclude != NULL ? exclude[q] : -1, k,
									   lists->squared_distance + q * k,
									   lists->neighbour + q * k));
	}
	gl_release(host, nearest);
	gl_release(host, distance);
	return GL_OK;
}

static GlStatus
query_by_gemm(GlHost *host, GemmSearch *search, const PointMatrix *queries,
			  const int32_t *exclude, int32_t wanted, NeighbourLists *lists)
{
	int64_t		d = queries->dimension_count;
	int32_t		k = lists->k;
	float	   *images;
	double	   *rows;
	double	   *distance;
	int32_t    *nearest;

	GL_NEW(host, images, GEMM_TILE * d);
	GL_NEW(host, rows, GEMM_TILE * d);
	GL_NEW(host, distance, GEMM_TILE * (int64_t) wanted);
	GL_NEW(host, nearest, GEMM_TILE * (int64_t) wanted);
	for (int64_t first = 0; first < queries->row_count; first += GEMM_TILE)
	{
		int64_t		left = queries->row_count - first;
		GemmBlock	block = {left < GEMM_TILE ? left : GEMM_TILE, images,
		rows, wanted, distance, nearest, NULL, NULL};

		GL_TRY(screen_images(host, &search->screen, queries, NULL, first,
							 block.count, images));
		for (int64_t i = 0; i < block.count; i++)
		{
			GL_TRY(gl_work(host, d + wanted));
			distance_widen(queries, first + i, rows + i * d);
			nearest_begin(distance + i * wanted, nearest + i * wanted,
						  wanted);
		}
		GL_TRY(gemm_search_block(host, search, &block));
		for (int64_t i = 0; i < block.count; i++)
		{
			int64_t		q = first + i;

			nearest_finish(distance + i * wanted, nearest + i * wanted,
						   wanted);
			GL_TRY(duplicate_groups_expand(host, search->groups,
										   distance + i * wanted,
										   nearest + i * wanted, wanted,
										   exclude != NULL ? exclude[q] : -1,
										   k, lists->squared_distance + q * k,
										   lists->neighbour + q * k));
		}
	}
	gl_release(host, nearest);
	gl_release(host, distance);
	gl_release(host, rows);
	gl_release(host, images);
	return GL_OK;
}

GlStatus
neighbours_query(GlHost *host, const PointMatrix *points,
				 const PointMatrix *queries, const int32_t *exclude,
				 int32_t k, NeighbourMethod method, NeighbourLists *out)
{
	NeighbourLists lists = {0};
	DuplicateGroups groups;
	TreeSearch	tree;
	bool		by_tree;
	int64_t		wanted = k;

	memset(out, 0, sizeof(*out));
	if (queries->dimension_count != points->dimension_count)
		return gl_fail(host, GL_ERR_DATA,
					   "queries have %d columns, the rows have %d",
					   (int) queries->dimension_count,
					   (int) points->dimension_count);
	/* an excluded row may take a place among the nearest groups */
	for (int64_t q = 0; q < queries->row_count && exclude != NULL; q++)
		if (exclude[q] >= 0)
		{
			wanted = (int64_t) k + 1;
			break;
		}
	GL_TRY(check_k(host, k, points->row_count - (wanted > k)));
	GL_TRY(lists_begin(host, queries->row_count, k, &lists));
	GL_TRY(duplicate_groups_find(host, points, &groups));
	if (wanted > groups.group_count)
		wanted = groups.group_count;
	GL_TRY(neighbours_choose(host, points, &groups, queries,
							 (int32_t) wanted, method, &tree, &by_tree));
	if (by_tree)
	{
		GL_TRY(query_by_tree(host, &tree, queries, exclude,
							 (int32_t) wanted, &lists));
		tree_search_release(host, &tree);
	}
	else
	{
		GemmSearch	gemm;

		GL_TRY(gemm_search_begin(host, points, &groups, queries, &gemm));
		GL_TRY(query_by_gemm(host, &gemm, queries, exclude,
							 (int32_t) wanted, &lists));
		gemm_search_release(host, &gemm);
	}
	duplicate_groups_release(host, &groups);
	*out = lists;
	return GL_OK;
}
