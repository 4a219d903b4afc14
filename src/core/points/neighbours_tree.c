/*
 * neighbours_tree.c
 *		Nearest rows by walking a kd tree.
 *
 * The images come first: a leaf is screened in float against the limit that
 * screen.h derives from the k-th image distance so far, and only survivors
 * wait to be measured.  Equal distances pass the screen, for a smaller row may
 * displace the k-th.
 */
#include "points/neighbours_tree.h"

#include <float.h>
#include <string.h>

#include "points/nearest_list.h"

/* Below this principal axes were measured to be useless or harmful. */
#define ROTATE_FROM		21

/*
 * Candidates wait to be measured until the walk has ended, when all but about
 * k of them are beyond the limit; more than this many, or for longer lists,
 * are measured in between.
 */
#define WAITING_ROOM	512
#define WAITING_MAX_K	32

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
	GL_NEW(host, search->waiting, WAITING_ROOM);
	GL_NEW(host, search->waiting_squared, WAITING_ROOM);
	GL_NEW(host, search->smallest, WAITING_MAX_K);
	return GL_OK;
}

void
tree_search_release(GlHost *host, TreeSearch *search)
{
	gl_release(host, search->smallest);
	gl_release(host, search->waiting_squared);
	gl_release(host, search->waiting);
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

/* Measure the waiting candidates that are still within reach. */
static GlStatus
measure_waiting(GlHost *host, TreeSearch *search, int32_t k, double *distance,
				int32_t *group)
{
	float		limit = search->walk->limit;
	int32_t    *waiting = search->waiting;
	int32_t		count = 0;

	/* rows lie anywhere in memory: ask for all before reading the first */
	for (int32_t w = 0; w < search->waiting_count; w++)
		if (search->waiting_squared[w] <= limit)
		{
			int32_t		row = duplicate_groups_first(search->groups,
													 waiting[w]);

			__builtin_prefetch(point_matrix_at(search->points, row));
			waiting[count++] = waiting[w];
		}
	GL_TRY(gl_work(host, search->waiting_count +
				   (int64_t) count * search->points->dimension_count));
	for (int32_t w = 0; w < count; w++)
	{
		int32_t		row = duplicate_groups_first(search->groups, waiting[w]);

		nearest_insert(distance, group, k,
					   distance_squared(search->kernels, search->points,
										search->query, row), waiting[w]);
	}
	search->distance_count += count;
	search->waiting_count = 0;
	return GL_OK;
}

/* Keep the k smallest floats, ascending. */
static inline void
keep_smallest(float *smallest, int32_t k, float value)
{
	int32_t		at = k - 1;

	for (; at > 0 && smallest[at - 1] > value; at--)
		smallest[at] = smallest[at - 1];
	smallest[at] = value;
}

/*
 * The walk's limit from what is known so far: the k-th image distance, whose
 * row is at most screen_bound() away, or the k-th distance measured.
 */
static void
tighten(TreeSearch *search, int32_t k, const double *distance)
{
	const Screen *screen = &search->screen;
	double		worst = nearest_worst(distance, k);

	if (k <= WAITING_MAX_K && search->smallest[k - 1] < FLT_MAX)
	{
		double		image_squared = (double) search->smallest[k - 1] *
			(1.0 + screen->slack) + screen->tiny;
		double		bound = screen_bound(screen, image_squared, search->norm);

		worst = bound < worst ? bound : worst;
	}
	search->walk->limit = screen_limit(screen, worst, search->norm);
}

/* Let the rows of a leaf wait; true if the k smallest have changed. */
static bool
await_leaf(TreeSearch *search, int32_t leaf, uint64_t mask,
		   const float *squared, int32_t k)
{
	const KdTree *tree = &search->tree;
	const int32_t *members = tree->order + tree->leaf_start[leaf];
	const int32_t *label = search->label;
	int32_t		count = search->waiting_count;
	bool		better = false;

	for (; mask != 0; mask &= mask - 1)
	{
		int			at = __builtin_ctzll(mask);
		int32_t		candidate = members[at];

		if (label != NULL ? label[candidate] == search->own_label :
			candidate == search->exclude)
			continue;
		search->waiting[count] = candidate;
		search->waiting_squared[count++] = squared[at];
		if (k <= WAITING_MAX_K && squared[at] < search->smallest[k - 1])
		{
			keep_smallest(search->smallest, k, squared[at]);
			better = true;
		}
	}
	search->waiting_count = count;
	return better;
}

GlStatus
tree_search_nearest(GlHost *host, TreeSearch *search, int32_t k,
					double *distance, int32_t *group)
{
	KdWalk	   *walk = search->walk;
	/* long lists are measured leaf by leaf, short ones when room is short */
	int32_t		patience = k <= WAITING_MAX_K ? WAITING_ROOM -
		SCREEN_MAX_WIDTH : 0;

	kd_walk_begin(walk, &search->tree, search->kernels, search->image,
				  screen_limit(&search->screen, nearest_worst(distance, k),
							   search->norm));
	walk->child_label = search->child_label;
	walk->own_label = search->own_label;
	for (int32_t i = 0; i < k && i < WAITING_MAX_K; i++)
		search->smallest[i] = FLT_MAX;
	search->waiting_count = 0;
	for (;;)
	{
		float		squared[SCREEN_MAX_WIDTH];
		uint64_t	mask;
		int32_t		leaf;
		bool		better;

		GL_TRY(kd_walk_next(host, walk, &leaf));
		if (leaf < 0)
			break;
		search->leaf_count++;
		mask = kd_walk_screen(walk, leaf, squared);
		if (mask == 0)
			continue;
		better = await_leaf(search, leaf, mask, squared, k);
		if (search->waiting_count > patience)
		{
			GL_TRY(measure_waiting(host, search, k, distance, group));
			better = true;
		}
		if (better)
			tighten(search, k, distance);
	}
	return measure_waiting(host, search, k, distance, group);
}
