/*
 * test_neighbours.c
 *		If this fails, a neighbour is missing, or in the wrong place, or its
 *		distance depends on the road by which it was found.
 */
#include "point_shapes.h"

#include "points/nearest_list.h"
#include "points/neighbours.h"

/* Compare a list with plain search over all rows. */
static void
expect_list(const PointMatrix *points, const double *query, int exclude,
			const NeighbourLists *lists, int64_t at)
{
	int32_t		k = lists->k;
	double	   *distance = malloc(sizeof(double) * (size_t) k);
	int32_t    *row = malloc(sizeof(int32_t) * (size_t) k);
	bool		same = true;

	nearest_begin(distance, row, k);
	for (int i = 0; i < points->row_count; i++)
		if (i != exclude)
			nearest_insert(distance, row, k,
						   distance_squared(distance_kernels(), points, query,
											i), i);
	nearest_finish(distance, row, k);
	for (int s = 0; s < k; s++)
		same &= row[s] == lists->neighbour[at * k + s] &&
			distance[s] == lists->squared_distance[at * k + s];
	EXPECT(same);
	free(row);
	free(distance);
}

static void
expect_search(const PointMatrix *points, int32_t k, NeighbourMethod method,
			  int stride)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	NeighbourLists lists;
	NeighbourReport report;
	int			failures = unit_failures;

	EXPECT_OK(host, neighbours_search(host, points, k, method, &lists,
									  &report));
	EXPECT(lists.row_count == points->row_count && lists.k == k);
	EXPECT(method == NEIGHBOURS_AUTO || report.method == method);
	for (int i = 0; i < points->row_count; i += stride)
	{
		double		query[256];

		distance_widen(points, i, query);
		expect_list(points, query, i, &lists, i);
	}
	if (failures != unit_failures)
		printf("# n %d d %d k %d method %d scalar %d\n",
			   (int) points->row_count, (int) points->dimension_count,
			   (int) k, (int) method, (int) points->scalar);
	neighbour_lists_release(host, &lists);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_all_shapes_by_all_roads(void)
{
	GlRandom	random;
	const int	sizes[] = {2, 3, 40, 330};
	const int	columns[] = {1, 2, 9, 26, 50};

	gl_random_begin(&random, 21);
	for (int shape = 0; shape < POINTS_SHAPES; shape++)
		for (int s = 0; s < 4; s++)
			for (int c = 0; c < 5; c++)
			{
				int			n = sizes[s];
				PointMatrix points = point_shape_make(&random, shape, n,
													  columns[c],
													  (shape + s + c) % 2);

				for (int method = 0; method <= NEIGHBOURS_GEMM; method++)
					expect_search(&points, n > 10 ? 10 : n - 1, method,
								  n > 100 ? 8 : 1);
				free((void *) points.values);
			}
}

static void
test_every_number_of_columns(void)
{
	GlRandom	random;

	gl_random_begin(&random, 22);
	for (int d = 1; d <= 130; d++)
	{
		PointMatrix points = point_shape_make(&random, d % 3 == 0 ?
											  POINTS_GRID : d % 3 == 1 ?
											  POINTS_NORMAL :
											  POINTS_CORRELATED,
											  150, d, d % 2);

		expect_search(&points, 5, NEIGHBOURS_TREE, 8);
		expect_search(&points, 5, NEIGHBOURS_GEMM, 8);
		free((void *) points.values);
	}
}

static void
test_every_k(void)
{
	GlRandom	random;

	gl_random_begin(&random, 23);
	for (int shape = 0; shape < POINTS_SHAPES; shape++)
		for (int k = 1; k < 90; k += k < 4 || k > 84 ? 1 : 20)
		{
			PointMatrix points = point_shape_make(&random, shape, 90, 3,
												  false);

			expect_search(&points, k, NEIGHBOURS_TREE, 2);
			expect_search(&points, k, NEIGHBOURS_GEMM, 2);
			free((void *) points.values);
		}
}

/* Large enough for a sampled choice, several tiles and levels. */
static void
test_many_rows(void)
{
	GlRandom	random;
	const int	columns[] = {3, 12, 60};

	gl_random_begin(&random, 24);
	for (int c = 0; c < 3; c++)
	{
		const PointShape shapes[] = {POINTS_NORMAL, POINTS_TENTHS,
		POINTS_DUPLICATES, POINTS_CORRELATED};

		for (int s = 0; s < 4; s++)
		{
			PointMatrix points = point_shape_make(&random, shapes[s], 2500,
												  columns[c], false);

			for (int method = 0; method <= NEIGHBOURS_GEMM; method++)
				expect_search(&points, 10, method, 50);
			free((void *) points.values);
		}
	}
}

static void
test_queries(void)
{
	GlRandom	random;

	gl_random_begin(&random, 25);
	for (int shape = 0; shape < POINTS_SHAPES; shape++)
		for (int c = 0; c < 4; c++)
		{
			int			d = c == 3 ? 30 : 1 + 5 * c;
			PointMatrix points = point_shape_make(&random, shape, 300, d,
												  c % 2);
			PointMatrix queries = point_shape_make(&random, shape, 40, d,
												   c / 2);
			int32_t		exclude[40];

			/* half the queries are rows of the set where types agree */
			for (int q = 0; q < 40; q++)
			{
				exclude[q] = q % 3 == 0 ? -1 : q * 7;
				if (points.scalar == queries.scalar && q % 2)
					memcpy((char *) point_matrix_at(&queries, q),
						   point_matrix_at(&points, q * 7),
						   scalar_size(points.scalar) * (size_t) d);
			}
			if (shape == POINTS_NORMAL && queries.scalar == SCALAR_FLOAT8)
				((double *) queries.values)[0] = 1e40;
			for (int method = 0; method <= NEIGHBOURS_GEMM; method++)
				for (int k = 1; k <= 299; k += 298)
				{
					TestHost	test;
					GlHost	   *host = test_host_begin(&test);
					NeighbourLists lists;

					EXPECT_OK(host, neighbours_query(host, &points, &queries,
													 exclude, k, method,
													 &lists));
					for (int q = 0; q < 40; q++)
					{
						double		query[256];

						distance_widen(&queries, q, query);
						expect_list(&points, query, exclude[q], &lists, q);
					}
					neighbour_lists_release(host, &lists);
					EXPECT_NOTHING_LEFT(&test);
					test_host_end(&test);
				}
			free((void *) points.values);
			free((void *) queries.values);
		}
}

static void
expect_within(const PointMatrix *points, double limit, NeighbourMethod method)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	NeighbourRanges ranges;
	int64_t		at = 0;
	bool		same = true;

	EXPECT_OK(host, neighbours_within(host, points, limit, method, &ranges));
	for (int i = 0; i < points->row_count; i++)
	{
		same &= ranges.row_start[i] == at;
		for (int j = 0; j < points->row_count; j++)
		{
			double		squared = point_shape_distance(points, i, j);

			if (j == i || squared > limit)
				continue;
			if (at < ranges.row_start[points->row_count])
				same &= ranges.neighbour[at] == j &&
					ranges.squared_distance[at] == squared;
			at++;
		}
	}
	same &= ranges.row_start[points->row_count] == at;
	EXPECT(same);
	neighbour_ranges_release(host, &ranges);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_within_a_radius(void)
{
	GlRandom	random;

	gl_random_begin(&random, 26);
	for (int shape = 0; shape < POINTS_SHAPES; shape++)
		for (int c = 0; c < 3; c++)
		{
			int			d = c == 2 ? 26 : 1 + 4 * c;
			PointMatrix points = point_shape_make(&random, shape, 150, d,
												  c == 1);

			/* radii that are attained exactly: the rim belongs */
			for (int pair = 0; pair < 3; pair++)
				for (int method = 0; method <= NEIGHBOURS_GEMM; method++)
					expect_within(&points,
								  point_shape_distance(&points, 5 * pair,
													   47 * pair), method);
			expect_within(&points, INFINITY, NEIGHBOURS_TREE);
			expect_within(&points, INFINITY, NEIGHBOURS_GEMM);
			free((void *) points.values);
		}
}

static void
test_options_out_of_range(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		values[] = {1, 2, 3};
	PointMatrix points = {3, 1, SCALAR_FLOAT8, values};
	PointMatrix one = {1, 1, SCALAR_FLOAT8, values};
	PointMatrix wide = {1, 3, SCALAR_FLOAT8, values};
	NeighbourLists lists;
	NeighbourRanges ranges;
	int32_t		exclude[] = {0};

	EXPECT(neighbours_search(host, &points, 0, 0, &lists, NULL) ==
		   GL_ERR_OPTION);
	EXPECT(neighbours_search(host, &points, 3, 0, &lists, NULL) ==
		   GL_ERR_OPTION);
	EXPECT(neighbours_search(host, &one, 1, 0, &lists, NULL) ==
		   GL_ERR_OPTION);
	EXPECT(neighbours_query(host, &points, &one, exclude, 3, 0, &lists) ==
		   GL_ERR_OPTION);
	EXPECT(neighbours_query(host, &points, &wide, NULL, 1, 0, &lists) ==
		   GL_ERR_DATA);
	EXPECT(neighbours_within(host, &points, -1.0, 0, &ranges) ==
		   GL_ERR_OPTION);
	EXPECT(neighbours_within(host, &points, NAN, 0, &ranges) ==
		   GL_ERR_OPTION);
	EXPECT(lists.neighbour == NULL && ranges.neighbour == NULL);
	EXPECT_OK(host, neighbours_query(host, &points, &one, NULL, 3, 0,
									 &lists));
	EXPECT(lists.neighbour[0] == 0 && lists.squared_distance[2] == 4.0);
	neighbour_lists_release(host, &lists);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/*
 * Where distances overflow or vanish in double all roads must still agree
 * with plain search, infinities and all.
 */
static void
test_extreme_scales(void)
{
	const double scales[] = {1e-300, 1e-160, 1e160, 1e300, 4e307};
	GlRandom	random;

	gl_random_begin(&random, 28);
	for (int s = 0; s < 5; s++)
		for (int c = 0; c < 3; c++)
		{
			int			d = c == 0 ? 2 : c == 1 ? 30 : 60;
			PointMatrix points = point_shape_make(&random, POINTS_NORMAL,
												  200, d, false);
			double	   *values = (double *) points.values;

			for (int64_t i = 0; i < 200 * d; i++)
				values[i] = sin(values[i]) * scales[s];
			expect_search(&points, 7, NEIGHBOURS_TREE, 3);
			expect_search(&points, 7, NEIGHBOURS_GEMM, 3);
			expect_search(&points, 70, NEIGHBOURS_TREE, 3);
			free(values);
		}
}

/* The report is how a benchmark knows what it measured. */
static void
test_report_counts(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	NeighbourLists lists;
	NeighbourReport report;
	PointMatrix points;

	gl_random_begin(&random, 27);
	points = point_shape_make(&random, POINTS_NORMAL, 3000, 3, false);
	EXPECT_OK(host, neighbours_search(host, &points, 10, NEIGHBOURS_AUTO,
									  &lists, &report));
	EXPECT(report.method == NEIGHBOURS_TREE);
	EXPECT(report.unique_count == 3000);
	/* a tree that prunes measures far fewer than all pairs */
	EXPECT(report.distance_count >= 3000 * 10 &&
		   report.distance_count < 3000 * 40);
	neighbour_lists_release(host, &lists);
	free((void *) points.values);
	points = point_shape_make(&random, POINTS_NORMAL, 2000, 200, false);
	EXPECT_OK(host, neighbours_search(host, &points, 10, NEIGHBOURS_AUTO,
									  &lists, &report));
	EXPECT(report.method == NEIGHBOURS_GEMM);
	EXPECT(report.distance_count < 2000 * 200);
	neighbour_lists_release(host, &lists);
	free((void *) points.values);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Everything once, small, by one road, with rows that repeat. */
static GlStatus
search_job(GlHost *host, NeighbourMethod method, int d)
{
	double		values[48];
	PointMatrix points = {48 / d, d, SCALAR_FLOAT8, values};
	PointMatrix queries = {2, d, SCALAR_FLOAT8, values};
	NeighbourLists lists;
	NeighbourRanges ranges;

	for (int i = 0; i < 48; i++)
		values[i] = i * i % 11 / 3.0;
	GL_TRY(neighbours_search(host, &points, 1, method, &lists, NULL));
	neighbour_lists_release(host, &lists);
	GL_TRY(neighbours_query(host, &points, &queries, NULL, 1, method,
							&lists));
	neighbour_lists_release(host, &lists);
	GL_TRY(neighbours_within(host, &points, 1.0, method, &ranges));
	neighbour_ranges_release(host, &ranges);
	return GL_OK;
}

static GlStatus
tree_job(GlHost *host)
{
	return search_job(host, NEIGHBOURS_TREE, 2);
}

static GlStatus
gemm_job(GlHost *host)
{
	return search_job(host, NEIGHBOURS_GEMM, 2);
}

/* More columns than rows allow axes only from 21 columns and enough rows. */
static GlStatus
rotated_job(GlHost *host)
{
	static double values[30 * 22];
	PointMatrix points = {30, 22, SCALAR_FLOAT8, values};
	NeighbourLists lists;

	for (int i = 0; i < 30; i++)
		for (int j = 0; j < 22; j++)
			values[i * 22 + j] = sin(i) * (j + 1) + 1e-3 * cos(i * j);
	GL_TRY(neighbours_search(host, &points, 2, NEIGHBOURS_TREE, &lists,
							 NULL));
	neighbour_lists_release(host, &lists);
	return GL_OK;
}

static void
test_refused_searches(void)
{
	test_refusals(tree_job);
	test_refusals(gemm_job);
	test_refusals(rotated_job);
}

int
main(void)
{
	RUN(test_all_shapes_by_all_roads);
	RUN(test_every_number_of_columns);
	RUN(test_every_k);
	RUN(test_many_rows);
	RUN(test_queries);
	RUN(test_within_a_radius);
	RUN(test_options_out_of_range);
	RUN(test_extreme_scales);
	RUN(test_report_counts);
	RUN(test_refused_searches);
	UNIT_TEST_END();
}
