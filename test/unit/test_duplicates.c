/*
 * test_duplicates.c
 *		If this fails, equal rows are searched apart or unequal ones together,
 *		and neighbour lists come out wrong or in the wrong order.
 */
#include "unit_test.h"

#include "points/duplicates.h"
#include "points/nearest_list.h"

static void
test_groups_of_a_small_grid(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;

	gl_random_begin(&random, 7);
	for (int trial = 0; trial < 200; trial++)
	{
		int			n = 1 + (int) gl_random_below(&random, 60);
		int			d = 1 + (int) gl_random_below(&random, 4);
		float		narrow[240];
		double		wide[240];
		DuplicateGroups groups;
		PointMatrix points = {n, d, trial % 2 ? SCALAR_FLOAT4 : SCALAR_FLOAT8,
		trial % 2 ? (void *) narrow : (void *) wide};

		for (int i = 0; i < n * d; i++)
		{
			wide[i] = (double) gl_random_below(&random, 3) - 1;
			if (wide[i] == 0 && gl_random_below(&random, 2))
				wide[i] = -0.0;
			narrow[i] = (float) wide[i];
		}
		EXPECT_OK(host, duplicate_groups_find(host, &points, &groups));
		EXPECT_OK(host, duplicate_groups_check(host, &points, &groups));
		/* two rows are equal exactly if they share a group */
		for (int64_t g = 0; g < groups.group_count; g++)
			for (int64_t h = 0; h < g; h++)
			{
				int			a = duplicate_groups_first(&groups, g);
				int			b = duplicate_groups_first(&groups, h);
				bool		equal = true;

				for (int j = 0; j < d; j++)
					equal &= wide[a * d + j] == wide[b * d + j];
				EXPECT(!equal);
			}
		duplicate_groups_release(host, &groups);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_no_duplicates_need_no_arrays(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		values[] = {3, 1, 2};
	PointMatrix points = {3, 1, SCALAR_FLOAT8, values};
	DuplicateGroups groups;

	EXPECT_OK(host, duplicate_groups_find(host, &points, &groups));
	EXPECT(groups.group_count == 3 && groups.member == NULL);
	EXPECT(duplicate_groups_first(&groups, 2) == 2);
	EXPECT(duplicate_groups_size(&groups, 2) == 1);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_expansion_merges_equal_distances_by_row(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	/* groups 0: rows 0 3 6; 1: rows 1 4; 2: rows 2 5 */
	double		values[] = {0, 1, 2, 0, 1, 2, 0};
	PointMatrix points = {7, 1, SCALAR_FLOAT8, values};
	DuplicateGroups groups;
	double		distance[] = {1, 1, 4};
	int32_t		group[] = {0, 1, 2};
	double		out_distance[6];
	int32_t		out[6];
	int32_t		wanted[] = {0, 1, 4, 6, 2, 5};

	EXPECT_OK(host, duplicate_groups_find(host, &points, &groups));
	EXPECT_OK(host, duplicate_groups_expand(host, &groups, distance, group, 3,
											3, 6, out_distance, out));
	for (int i = 0; i < 6; i++)
	{
		EXPECT(out[i] == wanted[i]);
		EXPECT(out_distance[i] == (i < 4 ? 1 : 4));
	}
	duplicate_groups_release(host, &groups);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Lists short and long (sorted and heap) against a sort of everything. */
static void
test_nearest_list_keeps_the_smallest(void)
{
	GlRandom	random;

	gl_random_begin(&random, 9);
	for (int k = 1; k <= 200; k += k < 10 ? 1 : 17)
	{
		double		distance[200];
		int32_t		row[200];
		int			values[300];

		nearest_begin(distance, row, k);
		for (int i = 0; i < 300; i++)
		{
			values[i] = (int) gl_random_below(&random, 40);
			nearest_insert(distance, row, k, values[i], i);
		}
		nearest_finish(distance, row, k);
		for (int s = 0; s < k; s++)
		{
			int			before = 0;

			for (int i = 0; i < 300; i++)
				before += nearest_less(values[i], i, distance[s], row[s]);
			EXPECT(before == s && distance[s] == values[row[s]]);
		}
	}
}

static GlStatus
find_job(GlHost *host)
{
	double		values[] = {1, 2, 1, 3, -0.0, 0.0, 2};
	PointMatrix points = {7, 1, SCALAR_FLOAT8, values};
	DuplicateGroups groups;

	GL_TRY(duplicate_groups_find(host, &points, &groups));
	GL_TRY(duplicate_groups_check(host, &points, &groups));
	duplicate_groups_release(host, &groups);
	return GL_OK;
}

static void
test_refused_find(void)
{
	test_refusals(find_job);
}

int
main(void)
{
	RUN(test_groups_of_a_small_grid);
	RUN(test_no_duplicates_need_no_arrays);
	RUN(test_expansion_merges_equal_distances_by_row);
	RUN(test_nearest_list_keeps_the_smallest);
	RUN(test_refused_find);
	UNIT_TEST_END();
}
