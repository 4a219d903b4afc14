/*
 * neighbours_tree.h
 *		Nearest rows by walking a kd tree: the road for low dimensions.
 *
 * Rows are searched one at a time: the images decide which rows are worth a
 * look, distance.h decides which are neighbours.  "Group" is a group of equal
 * rows (duplicates.h), or a row where none repeats.
 */
#ifndef NEIGHBOURS_TREE_H
#define NEIGHBOURS_TREE_H

#include "points/duplicates.h"
#include "points/kd_tree.h"
#include "points/screen.h"

typedef struct TreeSearch
{
	const PointMatrix *points;
	const DuplicateGroups *groups;
	const DistanceKernels *kernels;
	Screen		screen;
	KdTree		tree;

	/* the row being searched for */
	KdWalk	   *walk;
	float	   *image;
	const double *query;
	double	   *widened;		/* where query points, if anywhere of ours */
	double		norm;			/* of the image */

	/* groups that are no answer: one, or all with the query's label */
	int32_t		exclude;
	const int32_t *label;		/* of each group, or NULL */
	const int32_t *child_label; /* of each child of the tree */
	int32_t		own_label;

	/* candidates not yet measured */
	int32_t		waiting_count;
	int32_t    *waiting;		/* groups */
	float	   *waiting_squared;	/* of the images */
	float	   *smallest;		/* the k smallest of these, ascending */

	/* counts that measure the work */
	int64_t		distance_count;
	int64_t		leaf_count;		/* leaves visited */
} TreeSearch;

/* queries (or NULL) are rows that will be searched for beside the points. */
extern GlStatus tree_search_begin(GlHost *host, const PointMatrix *points,
								  const DuplicateGroups *groups,
								  const PointMatrix *queries,
								  TreeSearch *search);

extern void tree_search_release(GlHost *host, TreeSearch *search);

/* Make the group at a position of a leaf the row searched for. */
extern int32_t tree_search_own(TreeSearch *search, int32_t leaf,
							   int64_t position);

/* Make a row of another matrix the row searched for. */
extern GlStatus tree_search_other(GlHost *host, TreeSearch *search,
								  const PointMatrix *queries, int64_t row);

/*
 * Improve a list of k nearest groups (nearest_list.h), which may already hold
 * a bound.  The list is left unsorted if k is large: call nearest_finish().
 */
extern GlStatus tree_search_nearest(GlHost *host, TreeSearch *search,
									int32_t k, double *distance,
									int32_t *group);

#endif							/* NEIGHBOURS_TREE_H */
