/*
 * neighbour_index.c
 *		Answer by looking at every row until a tree has paid for itself.
 */
#include "points/neighbour_index.h"

#include <math.h>
#include <string.h>

#include "points/nearest_list.h"

/*
 * A tree costs as much as about this many looks at every row, whatever n and
 * d (measured at d = 2 to 64); fewer rows than this are never worth one.
 */
#define SCANS_PER_TREE		64
#define FEWEST_ROWS			256

/* How far outside the rows, in ranges of the widest column, the tree reaches. */
#define ENVELOPE			16.0

GlStatus
neighbour_index_begin(GlHost *host, const PointMatrix *points, int32_t max_k,
					  NeighbourIndex *out)
{
	NeighbourIndex index = {
		.points = points,
		.max_k = max_k,
		.scan_limit = points->row_count < FEWEST_ROWS ? INT64_MAX :
		SCANS_PER_TREE
	};

	memset(out, 0, sizeof(*out));
	index.found_capacity = (int64_t) max_k + 1;
	GL_NEW(host, index.distance, index.found_capacity);
	GL_NEW(host, index.group, index.found_capacity);
	GL_NEW(host, index.row_distance, index.found_capacity);
	GL_NEW(host, index.row, index.found_capacity);
	GL_NEW(host, index.found, index.found_capacity);
	*out = index;
	return GL_OK;
}

void
neighbour_index_end(GlHost *host, NeighbourIndex *index)
{
	if (index->has_tree)
	{
		tree_search_release(host, &index->tree);
		duplicate_groups_release(host, &index->groups);
	}
	gl_release(host, index->envelope);
	gl_release(host, index->found);
	gl_release(host, index->row);
	gl_release(host, index->row_distance);
	gl_release(host, index->group);
	gl_release(host, index->distance);
	memset(index, 0, sizeof(*index));
}

/* ---- every row ---- */

static GlStatus
scan_nearest(GlHost *host, NeighbourIndex *index, const double *query,
			 int32_t exclude, int32_t k)
{
	const PointMatrix *points = index->points;
	const DistanceKernels *kernels = distance_kernels();

	nearest_begin(index->row_distance, index->row, k);
	for (int32_t i = 0; i < points->row_count; i++)
	{
		double		squared = distance_squared(kernels, points, query, i);

		GL_TRY(gl_work(host, points->dimension_count + 1));
		if (i != exclude)
			nearest_insert(index->row_distance, index->row, k, squared, i);
	}
	nearest_finish(index->row_distance, index->row, k);
	return GL_OK;
}

static GlStatus
add_found(GlHost *host, NeighbourIndex *index, int32_t row, double squared)
{
	if (index->found_count == index->found_capacity)
	{
		NeighbourFound *found = gl_resize(host, index->found,
										  (size_t) index->found_capacity * 2,
										  sizeof(NeighbourFound));

		if (found == NULL)
			return host->status;
		index->found = found;
		index->found_capacity *= 2;
	}
	index->found[index->found_count++] = (NeighbourFound)
	{
		row, squared
	};
	return GL_OK;
}

static GlStatus
scan_within(GlHost *host, NeighbourIndex *index, const double *query,
			int32_t exclude, double squared_limit)
{
	const PointMatrix *points = index->points;
	const DistanceKernels *kernels = distance_kernels();

	for (int32_t i = 0; i < points->row_count; i++)
	{
		double		squared = distance_squared(kernels, points, query, i);

		GL_TRY(gl_work(host, points->dimension_count + 1));
		if (i != exclude && squared <= squared_limit)
			GL_TRY(add_found(host, index, i, squared));
	}
	return GL_OK;
}

/* ---- the tree ---- */

/*
 * The box of queries that the tree will answer for, as two rows: its lowest
 * and its highest corner.
 */
static GlStatus
measure_envelope(GlHost *host, NeighbourIndex *index)
{
	const PointMatrix *points = index->points;
	int32_t		d = points->dimension_count;
	double	   *low;
	double	   *high;
	double	   *values;
	double		widest = 0;

	GL_NEW(host, index->envelope, 2 * (int64_t) d);
	GL_NEW(host, values, d);
	low = index->envelope;
	high = low + d;
	distance_widen(points, 0, low);
	distance_widen(points, 0, high);
	for (int64_t i = 1; i < points->row_count; i++)
	{
		GL_TRY(gl_work(host, 2 * d));
		distance_widen(points, i, values);
		for (int32_t j = 0; j < d; j++)
		{
			low[j] = values[j] < low[j] ? values[j] : low[j];
			high[j] = values[j] > high[j] ? values[j] : high[j];
		}
	}
	for (int32_t j = 0; j < d; j++)
		widest = fmax(widest, high[j] - low[j]);
	for (int32_t j = 0; j < d; j++)
	{
		low[j] -= ENVELOPE * widest;
		high[j] += ENVELOPE * widest;
	}
	gl_release(host, values);
	return GL_OK;
}

/*
 * A query may be any double, so its image is not exact, even if all rows have
 * exact ones (screen.h); a last bit that no float has tells the screen.
 */
static void
make_inexact(double *number)
{
	uint64_t	bits;

	memcpy(&bits, number, sizeof(bits));
	bits |= 1;
	memcpy(number, &bits, sizeof(bits));
}

static GlStatus
build_tree(GlHost *host, NeighbourIndex *index)
{
	int32_t		d = index->points->dimension_count;
	PointMatrix corners = {2, d, SCALAR_FLOAT8, NULL};

	GL_TRY(measure_envelope(host, index));
	make_inexact(&index->envelope[0]);
	corners.values = index->envelope;
	GL_TRY(duplicate_groups_find(host, index->points, &index->groups));
	GL_TRY(tree_search_begin(host, index->points, &index->groups, &corners,
							 &index->tree));
	index->has_tree = true;
	return GL_OK;
}

/* May the tree answer this query?  Builds it when it is due. */
static GlStatus
choose_road(GlHost *host, NeighbourIndex *index, const double *query,
			bool *by_tree)
{
	int32_t		d = index->points->dimension_count;
	const double *low;
	const double *high;

	if (!index->has_tree && index->scan_count >= index->scan_limit)
		GL_TRY(build_tree(host, index));
	*by_tree = index->has_tree;
	if (!index->has_tree)
	{
		index->scan_count++;
		return GL_OK;
	}
	low = index->envelope;
	high = low + d;
	for (int32_t j = 0; j < d; j++)
		if (!(query[j] >= low[j] && query[j] <= high[j]))
			*by_tree = false;
	return GL_OK;
}

/* Make it the row that the tree searches for. */
static GlStatus
aim(GlHost *host, NeighbourIndex *index, const double *query)
{
	PointMatrix matrix = {
		1, index->points->dimension_count, SCALAR_FLOAT8, query
	};

	return tree_search_other(host, &index->tree, &matrix, 0);
}

static GlStatus
tree_nearest(GlHost *host, NeighbourIndex *index, const double *query,
			 int32_t exclude, int32_t k)
{
	/* the excluded row may take a place among the nearest groups */
	int64_t		wanted = (int64_t) k + (exclude >= 0);

	if (wanted > index->groups.group_count)
		wanted = index->groups.group_count;
	GL_TRY(aim(host, index, query));
	nearest_begin(index->distance, index->group, (int32_t) wanted);
	GL_TRY(tree_search_nearest(host, &index->tree, (int32_t) wanted,
							   index->distance, index->group));
	nearest_finish(index->distance, index->group, (int32_t) wanted);
	return duplicate_groups_expand(host, &index->groups, index->distance,
								   index->group, wanted, exclude, k,
								   index->row_distance, index->row);
}

/* Measure a group, and take its rows if they are near enough. */
static GlStatus
take_group(GlHost *host, NeighbourIndex *index, int32_t group,
		   int32_t exclude, double squared_limit)
{
	const DuplicateGroups *groups = &index->groups;
	int32_t		first = duplicate_groups_first(groups, group);
	double		squared = distance_squared(index->tree.kernels,
										   index->points, index->tree.query,
										   first);

	GL_TRY(gl_work(host, index->points->dimension_count));
	if (!(squared <= squared_limit))
		return GL_OK;
	for (int32_t m = 0; m < duplicate_groups_size(groups, group); m++)
	{
		int32_t		row = groups->member == NULL ? group :
			groups->member[groups->member_start[group] + m];

		GL_TRY(gl_work(host, 1));
		if (row != exclude)
			GL_TRY(add_found(host, index, row, squared));
	}
	return GL_OK;
}

static GlStatus
tree_within(GlHost *host, NeighbourIndex *index, const double *query,
			int32_t exclude, double squared_limit)
{
	TreeSearch *search = &index->tree;
	const KdTree *tree = &search->tree;

	GL_TRY(aim(host, index, query));
	kd_walk_begin(search->walk, tree, search->kernels, search->image,
				  screen_limit(&search->screen, squared_limit, search->norm));
	for (;;)
	{
		float		squared[SCREEN_MAX_WIDTH];
		uint64_t	mask;
		int32_t		leaf;

		GL_TRY(kd_walk_next(host, search->walk, &leaf));
		if (leaf < 0)
			return GL_OK;
		for (mask = kd_walk_screen(search->walk, leaf, squared); mask != 0;
			 mask &= mask - 1)
			GL_TRY(take_group(host, index,
							  tree->order[tree->leaf_start[leaf] +
										  __builtin_ctzll(mask)],
							  exclude, squared_limit));
	}
}

/* ---- both ---- */

GlStatus
neighbour_index_nearest(GlHost *host, NeighbourIndex *index,
						const double *query, int32_t exclude, int32_t k)
{
	int64_t		others = index->points->row_count - (exclude >= 0);
	bool		by_tree;

	index->found_count = 0;
	if (k < 0 || k > index->max_k)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "%d neighbours from an index for %d", k, index->max_k);
	if (k > others)
		k = (int32_t) others;
	if (k == 0)
		return GL_OK;
	GL_TRY(choose_road(host, index, query, &by_tree));
	if (by_tree)
		GL_TRY(tree_nearest(host, index, query, exclude, k));
	else
		GL_TRY(scan_nearest(host, index, query, exclude, k));
	for (int32_t r = 0; r < k; r++)
	{
		/* a distance that is no number is nobody's */
		if (index->row[r] >= index->points->row_count)
			break;
		index->found[index->found_count++] = (NeighbourFound)
		{
			index->row[r], index->row_distance[r]
		};
	}
	return GL_OK;
}

GlStatus
neighbour_index_within(GlHost *host, NeighbourIndex *index,
					   const double *query, int32_t exclude,
					   double squared_limit)
{
	bool		by_tree;

	index->found_count = 0;
	GL_TRY(choose_road(host, index, query, &by_tree));
	if (by_tree)
		return tree_within(host, index, query, exclude, squared_limit);
	return scan_within(host, index, query, exclude, squared_limit);
}
