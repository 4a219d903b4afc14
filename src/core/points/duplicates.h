/*
 * duplicates.h
 *		Groups of identical rows, so that a search needs to see each only once.
 *
 * Reads:	a PointMatrix; -0.0 and 0.0 are the same number.
 * Yields:	the groups, numbered by their smallest row, with their members.
 *
 * Invariants, checked by duplicate_groups_check():
 *	 G1	group numbers ascend with their smallest row, so that ordering groups
 *		by number is ordering them by that row
 *	 G2	members of a group ascend; every row is a member of one group
 *
 * When no row repeats, group g is row g and no array exists.
 */
#ifndef DUPLICATES_H
#define DUPLICATES_H

#include "points/point_set.h"

typedef struct DuplicateGroups
{
	int64_t		row_count;
	int64_t		group_count;
	int32_t    *member_start;	/* group_count + 1, or NULL: no duplicates */
	int32_t    *member;			/* rows, group by group, or NULL */
} DuplicateGroups;

/* O(n d) time expected, 8 bytes a row kept, 24 to 40 more while running. */
extern GlStatus duplicate_groups_find(GlHost *host, const PointMatrix *points,
									  DuplicateGroups *out);

extern void duplicate_groups_release(GlHost *host, DuplicateGroups *groups);

/* Verify G1 and G2 against the rows; GL_ERR_CORRUPT.  O(n d). */
extern GlStatus duplicate_groups_check(GlHost *host,
									   const PointMatrix *points,
									   const DuplicateGroups *groups);

/*
 * Turn nearest groups into nearest rows.  (squared_distance, group) holds
 * `count` groups in ascending order; the `wanted` nearest of their members by
 * (distance, row), without the row `exclude`, are written in order.  Slots
 * that cannot be filled get an infinite distance and row INT32_MAX.
 *
 * The first `wanted` groups by (distance, smallest row) always suffice: if
 * that many groups precede another one, so do as many rows.
 */
extern GlStatus duplicate_groups_expand(GlHost *host,
										const DuplicateGroups *groups,
										const double *squared_distance,
										const int32_t *group, int64_t count,
										int32_t exclude, int32_t wanted,
										double *row_distance, int32_t *row);

/* The smallest row of a group, which stands for it in a search. */
static inline int32_t
duplicate_groups_first(const DuplicateGroups *groups, int64_t group)
{
	return groups->member == NULL ? (int32_t) group :
		groups->member[groups->member_start[group]];
}

static inline int32_t
duplicate_groups_size(const DuplicateGroups *groups, int64_t group)
{
	return groups->member == NULL ? 1 :
		groups->member_start[group + 1] - groups->member_start[group];
}

#endif							/* DUPLICATES_H */
