/*
 * neighbours_tree.c
 *		Nearest rows by walking a kd tree.
 *
 * The images come first: a leaf is screened in float against the limit that
 * screen.h derives from the k-th distance so far, and only survivors are
 * measured.  Equal distances pass the screen, for a smaller row may displace
 * the k-th.
 */
#include "points/neighbours_tree.h"

#include <string.h>

#include "points/nearest_list.h"

/* Below this principal axes were measured to be useless or harmful. */
#define ROTATE_FROM		21

GlStatus
tree_search_begin(GlHost *host, const PointMatrix *points,
				  const DuplicateGroups *groups, const PointMatrix *queries,
				  TreeSearch *search)
{
	int32_t		d = points->dimension_count;
	int64_t		count = groups->group_count;
	float	   *images;

	memset(search, 0, sizeof(*search));
	search->points = points;
	search->groups = groups;
	search->kernels = distance_kernels();
	search->exclude = -1;
	GL_TRY(screen_begin(host, points, queries, d < ROTATE_FROM ?
						SCREEN_PLAIN : SCREEN_ROTATED, &search->screen));
	GL_NEW(host, images, (size_t) count * (size_t) d);
	GL_TRY(screen_images(host, &search->screen, points, groups, 0, count,
						 images));
	GL_TRY(kd_tree_build(host, images, count, d, &search->tree));
	GL_NEW(host, search->walk, 1);
	GL_NEW(host, search->image, d);
	GL_NEW(host, search->widened, d);
	return GL_OK;
}

void
tree_search_release(GlHost *host, TreeSearch *search)
{
	gl_release(host, search->widened);
	gl_release(host, search->image);
	gl_release(host, search->walk);
	kd_tree_release(host, &search->tree);
	screen_release(host, &search->screen);
	memset(search, 0, sizeof(*search));
}

int32_t
tree_search_own(TreeSearch *search, int32_t leaf, int64_t position)
{
	int32_t		group = search->tree.order[position];
	int32_t		row = duplicate_groups_first(search->groups, group);

	kd_tree_image(&search->tree, leaf, position, search->image);
	if (search->points->scalar == SCALAR_FLOAT8)
		search->query = point_matrix_at(search->points, row);
	else
	{
		distance_widen(search->points, row, search->widened);
		search->query = search->widened;
	}
	search->norm = search->screen.unit == 0.0 ? 0.0 :
		screen_norm(&search->screen, search->image);
	search->exclude = group;
	return group;
}

GlStatus
tree_search_other(GlHost *host, TreeSearch *search,
				  const PointMatrix *queries, int64_t row)
{
	GL_TRY(screen_images(host, &search->screen, queries, NULL, row, 1,
						 search->image));
	distance_widen(queries, row, search->widened);
	search->query = search->widened;
	search->norm = screen_norm(&search->screen, search->image);
	search->exclude = -1;
	return GL_OK;
}

GlStatus
tree_search_nearest(GlHost *host, TreeSearch *search, int32_t k,
					double *distance, int32_t *group)
{
	const KdTree *tree = &search->tree;
	const int32_t *label = search->label;
	KdWalk	   *walk = search->walk;
	int32_t		d = tree->dimension_count;

	kd_walk_begin(walk, tree, search->kernels, search->image,
				  screen_limit(&search->screen, nearest_worst(distance, k),
							   search->norm));
	walk->child_label = search->child_label;
	walk->own_label = search->own_label;
	for (;;)
	{
		const int32_t *members;
		bool		better = false;
		uint64_t	mask;
		int32_t		leaf;

		GL_TRY(kd_walk_next(host, walk, &leaf));
		if (leaf < 0)
			return GL_OK;
		search->leaf_count++;
		mask = kd_walk_screen(walk, leaf);
		if (mask == 0)
			continue;
		members = tree->order + tree->leaf_start[leaf];
		GL_TRY(gl_work(host, (int64_t) d * __builtin_popcountll(mask)));
		for (; mask != 0; mask &= mask - 1)
		{
			int32_t		candidate = members[__builtin_ctzll(mask)];
			double		squared;

			if (label != NULL ? label[candidate] == search->own_label :
				candidate == search->exclude)
				continue;
			squared = distance_squared(search->kernels, search->points,
									   search->query,
									   duplicate_groups_first(search->groups,
															  candidate));
			search->distance_count++;
			better |= nearest_insert(distance, group, k, squared, candidate);
		}
		if (better)
			walk->limit = screen_limit(&search->screen,
									   nearest_worst(distance, k),
									   search->norm);
	}
}
