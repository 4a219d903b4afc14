/*
 * duplicates.c
 *		Groups of identical rows by an open hash table.
 *
 * Rows are hashed in order, so the first row of a group names it and groups
 * come out numbered by their smallest row (G1).  A slot keeps the hash beside
 * the group, so nearly every probe that fails does so without touching rows.
 */
#include "points/duplicates.h"

#include <string.h>

#include "points/distance.h"
#include "points/nearest_list.h"

typedef struct HashSlot
{
	uint32_t	hash;
	int32_t		first_row;		/* -1: empty */
	int32_t		group;
} HashSlot;

static inline uint64_t
mix(uint64_t state, uint64_t word)
{
	state = (state ^ word) * UINT64_C(0x9E3779B97F4A7C15);
	return state ^ (state >> 32);
}

/* The bits of a row with -0.0 as 0.0. */
static uint64_t
hash_row(const PointMatrix *points, int64_t row)
{
	int32_t		d = points->dimension_count;
	uint64_t	even = UINT64_C(0x243F6A8885A308D3);
	uint64_t	odd = UINT64_C(0x13198A2E03707344);
	int32_t		j = 0;

	if (points->scalar == SCALAR_FLOAT4)
	{
		const float *values = point_matrix_at(points, row);

		for (; j < d; j++)
		{
			float		value = values[j] + 0.0f;	/* -0.0 becomes 0.0 */
			uint32_t	bits;

			memcpy(&bits, &value, sizeof(bits));
			even = mix(even, bits);
		}
	}
	else
	{
		const double *values = point_matrix_at(points, row);

		/* two chains, for the multiplications wait on each other */
		for (; j + 1 < d; j += 2)
		{
			double		pair[2] = {values[j] + 0.0, values[j + 1] + 0.0};
			uint64_t	bits[2];

			memcpy(bits, pair, sizeof(bits));
			even = mix(even, bits[0]);
			odd = mix(odd, bits[1]);
		}
		if (j < d)
		{
			double		value = values[j] + 0.0;
			uint64_t	bits;

			memcpy(&bits, &value, sizeof(bits));
			even = mix(even, bits);
		}
	}
	return mix(even, odd);
}

static bool
rows_equal(const PointMatrix *points, int64_t a, int64_t b)
{
	int32_t		d = points->dimension_count;

	if (points->scalar == SCALAR_FLOAT4)
	{
		const float *x = point_matrix_at(points, a);
		const float *y = point_matrix_at(points, b);

		for (int32_t j = 0; j < d; j++)
			if (x[j] != y[j])
				return false;
	}
	else
	{
		const double *x = point_matrix_at(points, a);
		const double *y = point_matrix_at(points, b);

		for (int32_t j = 0; j < d; j++)
			if (x[j] != y[j])
				return false;
	}
	return true;
}

/* group_of[row] for every row; the number of groups in *group_count. */
static GlStatus
number_groups(GlHost *host, const PointMatrix *points, int32_t *group_of,
			  int64_t *group_count)
{
	int64_t		n = points->row_count;
	int64_t		d = points->dimension_count;
	uint64_t	slot_count = 16;
	HashSlot   *slots;
	int32_t		groups = 0;

	while (slot_count < (uint64_t) n + (uint64_t) n / 2)
		slot_count *= 2;
	GL_NEW(host, slots, slot_count);
	for (uint64_t s = 0; s < slot_count; s++)
	{
		GL_TRY(gl_work(host, 1));
		slots[s].first_row = -1;
	}
	for (int64_t row = 0; row < n; row++)
	{
		uint64_t	hash = hash_row(points, row);
		uint64_t	at = hash & (slot_count - 1);
		uint32_t	tag = (uint32_t) (hash >> 32);

		GL_TRY(gl_work(host, 2 * d));
		for (;; at = (at + 1) & (slot_count - 1))
		{
			HashSlot   *slot = &slots[at];

			if (slot->first_row < 0)
			{
				slot->hash = tag;
				slot->first_row = (int32_t) row;
				slot->group = groups;
				group_of[row] = groups++;
				break;
			}
			GL_TRY(gl_work(host, 1));
			if (slot->hash == tag && rows_equal(points, slot->first_row, row))
			{
				group_of[row] = slot->group;
				break;
			}
		}
	}
	gl_release(host, slots);
	*group_count = groups;
	return GL_OK;
}

GlStatus
duplicate_groups_find(GlHost *host, const PointMatrix *points,
					  DuplicateGroups *out)
{
	DuplicateGroups groups = {0};
	int64_t		n = points->row_count;
	int32_t    *group_of;

	memset(out, 0, sizeof(*out));
	groups.row_count = n;
	GL_NEW(host, group_of, n);
	GL_TRY(number_groups(host, points, group_of, &groups.group_count));
	if (groups.group_count < n)
	{
		int64_t		m = groups.group_count;
		int32_t    *start;
		int32_t		sum = 0;

		GL_NEW_ZEROED(host, groups.member_start, m + 1);
		GL_NEW(host, groups.member, n);
		start = groups.member_start;
		for (int64_t row = 0; row < n; row++)
		{
			GL_TRY(gl_work(host, 4));
			start[group_of[row]]++;
		}
		for (int64_t g = 0; g < m; g++)
		{
			int32_t		size = start[g];

			GL_TRY(gl_work(host, 1));
			start[g] = sum;
			sum += size;
		}
		/* start[g] runs to the end of g, which is the start of g + 1 */
		for (int64_t row = 0; row < n; row++)
		{
			GL_TRY(gl_work(host, 4));
			groups.member[start[group_of[row]]++] = (int32_t) row;
		}
		memmove(start + 1, start, (size_t) m * sizeof(*start));
		start[0] = 0;
	}
	gl_release(host, group_of);
	*out = groups;
	return GL_OK;
}

void
duplicate_groups_release(GlHost *host, DuplicateGroups *groups)
{
	gl_release(host, groups->member);
	gl_release(host, groups->member_start);
	memset(groups, 0, sizeof(*groups));
}

GlStatus
duplicate_groups_check(GlHost *host, const PointMatrix *points,
					   const DuplicateGroups *groups)
{
	int32_t		previous_first = -1;

	if (groups->member == NULL)
	{
		if (groups->group_count != groups->row_count)
			return gl_fail(host, GL_ERR_CORRUPT, "groups without members");
		return GL_OK;
	}
	if (groups->member_start[0] != 0 ||
		groups->member_start[groups->group_count] != groups->row_count)
		return gl_fail(host, GL_ERR_CORRUPT, "groups do not cover the rows");
	for (int64_t g = 0; g < groups->group_count; g++)
	{
		int32_t		first = duplicate_groups_first(groups, g);

		GL_TRY(gl_work(host, 1));
		if (duplicate_groups_size(groups, g) < 1 || first <= previous_first)
			return gl_fail(host, GL_ERR_CORRUPT, "groups are out of order");
		previous_first = first;
		for (int32_t m = groups->member_start[g] + 1;
			 m < groups->member_start[g + 1]; m++)
		{
			GL_TRY(gl_work(host, points->dimension_count));
			if (groups->member[m] <= groups->member[m - 1] ||
				groups->member[m] >= groups->row_count ||
				!rows_equal(points, first, groups->member[m]))
				return gl_fail(host, GL_ERR_CORRUPT,
							   "row %d is in the wrong group",
							   (int) groups->member[m]);
		}
	}
	return GL_OK;
}

GlStatus
duplicate_groups_expand(GlHost *host, const DuplicateGroups *groups,
						const double *squared_distance, const int32_t *group,
						int64_t count, int32_t exclude, int32_t wanted,
						double *row_distance, int32_t *row)
{
	nearest_begin(row_distance, row, wanted);
	for (int64_t i = 0; i < count; i++)
	{
		int32_t		g = group[i];
		int32_t		size = duplicate_groups_size(groups, g);

		GL_TRY(gl_work(host, 4 * wanted));
		for (int32_t m = 0; m < size; m++)
		{
			int32_t		candidate = groups->member == NULL ? g :
				groups->member[groups->member_start[g] + m];

			if (candidate == exclude)
				continue;
			if (!nearest_insert(row_distance, row, wanted,
								squared_distance[i], candidate))
				break;			/* later members are further down still */
		}
	}
	nearest_finish(row_distance, row, wanted);
	return GL_OK;
}
