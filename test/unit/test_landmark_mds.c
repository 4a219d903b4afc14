/*
 * test_landmark_mds.c
 *		If this fails, distances that can be shown exactly are not.
 */
#include "mds_cases.h"

#include "embed/landmark_mds.h"

typedef GlStatus (*OnePass) (GlHost *host, DistanceRows *rows, int64_t count,
							 Layout *layout);

static GlStatus
run_flat(GlHost *host, DistanceRows *rows, int64_t count, Layout *layout)
{
	return landmark_mds_run(host, rows, MDS_FLAT, 1, count, layout);
}

static GlStatus
run_fastmap(GlHost *host, DistanceRows *rows, int64_t count, Layout *layout)
{
	(void) count;
	return landmark_mds_fastmap(host, rows, layout);
}

/* n true points in `axes` dimensions are found again from `count` rows. */
static void
expect_exact(OnePass run, int n, int axes, int count)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	double	   *points = malloc(sizeof(double) * (size_t) (n * axes));
	double	   *matrix = malloc(sizeof(double) * (size_t) (n * n));
	DistanceRows rows;
	Layout		layout;

	gl_random_begin(&random, n * 7 + axes);
	case_random(&random, points, n * axes);
	case_distances(points, n, axes, matrix);
	rows = case_from_matrix(host, n, matrix);
	EXPECT_OK(host, layout_begin(host, n, axes, &layout));
	EXPECT_OK(host, run(host, &rows, count, &layout));
	EXPECT(case_worst(&layout, matrix) < 1e-6);
	layout_release(host, &layout);
	distance_rows_release(host, &rows);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(points);
	free(matrix);
}

static void
test_true_points_in_one_pass(void)
{
	for (int axes = 1; axes <= 5; axes++)
	{
		expect_exact(run_flat, 20, axes, 20);
		expect_exact(run_flat, 20, axes, axes + 1);
		expect_exact(landmark_mds_pivot, 20, axes, 20);
		expect_exact(run_fastmap, axes + 1, axes, 0);
	}
}

static void
test_fastmap_by_hand(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[9] = {0, 3, 4, 3, 0, 5, 4, 5, 0};
	DistanceRows rows = case_from_matrix(host, 3, matrix);
	Layout		layout;

	EXPECT_OK(host, layout_begin(host, 3, 2, &layout));
	EXPECT_OK(host, landmark_mds_fastmap(host, &rows, &layout));
	/* the pivots are 5 apart, the third is 9/5 from one of them */
	EXPECT_NEAR(fabs(layout.coordinates[1] - layout.coordinates[2]), 5,
				1e-14);
	EXPECT_NEAR(fabs(layout.coordinates[0] - layout.coordinates[1]), 1.8,
				1e-14);
	EXPECT_NEAR(fabs(layout.coordinates[3] - layout.coordinates[4]), 2.4,
				1e-14);
	EXPECT(case_worst(&layout, matrix) < 1e-14);
	test_host_end(&test);
}

/* Arcs between points on a sphere are exact before any sweep. */
static void
test_sphere_in_one_pass(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PlaceRule	rule = {.space = MDS_GEODESIC,.radius = 2};
	double		points[24];
	double		arcs[64];
	DistanceRows rows;
	Layout		layout;

	gl_random_begin(&random, 8);
	case_random(&random, points, 24);
	for (int i = 0; i < 8; i++)
	{
		double		norm = sqrt(points[i * 3] * points[i * 3] +
								points[i * 3 + 1] * points[i * 3 + 1] +
								points[i * 3 + 2] * points[i * 3 + 2]);

		for (int a = 0; a < 3; a++)
			points[i * 3 + a] *= 2 / norm;
	}
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 8; j++)
			arcs[i * 8 + j] = place_step_distance(&rule, 3, points + i * 3,
												  points + j * 3);
	rows = case_from_matrix(host, 8, arcs);
	EXPECT_OK(host, layout_begin(host, 8, 3, &layout));
	EXPECT_OK(host, landmark_mds_run(host, &rows, MDS_GEODESIC, 2, 8,
									 &layout));
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 8; j++)
		{
			double		a[3];
			double		b[3];

			layout_get(&layout, i, a);
			layout_get(&layout, j, b);
			EXPECT_NEAR(place_step_distance(&rule, 3, a, b), arcs[i * 8 + j],
						1e-7);
		}
	test_host_end(&test);
}

static void
test_equal_points_have_no_extent(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[16] = {0};
	DistanceRows rows = case_from_matrix(host, 4, matrix);
	Layout		layout;

	EXPECT_OK(host, layout_begin(host, 4, 2, &layout));
	EXPECT_OK(host, landmark_mds_run(host, &rows, MDS_FLAT, 1, 4, &layout));
	EXPECT(case_worst(&layout, matrix) == 0);
	EXPECT_OK(host, landmark_mds_pivot(host, &rows, 4, &layout));
	EXPECT(case_worst(&layout, matrix) == 0);
	EXPECT_OK(host, landmark_mds_fastmap(host, &rows, &layout));
	EXPECT(case_worst(&layout, matrix) == 0);
	test_host_end(&test);
}

/* A table with gaps: the rows of landmarks are shortest paths. */
static void
test_gaps_are_bridged_by_paths(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		length[25];
	double		chain[25];
	DistanceRows rows;
	Layout		layout;

	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 5; j++)
		{
			chain[i * 5 + j] = abs(i - j);
			length[i * 5 + j] = abs(i - j) == 1 ? 1 : -1;
		}
	rows = case_from_pairs(host, 5, length, NULL);
	EXPECT_OK(host, layout_begin(host, 5, 2, &layout));
	EXPECT_OK(host, landmark_mds_run(host, &rows, MDS_FLAT, 1, 5, &layout));
	EXPECT(case_worst(&layout, chain) < 1e-7);
	layout_release(host, &layout);
	distance_rows_release(host, &rows);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
small_job(GlHost *host)
{
	static const double matrix[9] = {0, 3, 4, 3, 0, 5, 4, 5, 0};
	DistanceRows rows = {.point_count = 3,.is_complete = true};
	Layout		layout;

	GL_NEW(host, rows.matrix, 9);
	memcpy(rows.matrix, matrix, sizeof(matrix));
	GL_TRY(layout_begin(host, 3, 2, &layout));
	GL_TRY(landmark_mds_run(host, &rows, MDS_FLAT, 1, 3, &layout));
	GL_TRY(landmark_mds_pivot(host, &rows, 3, &layout));
	GL_TRY(landmark_mds_fastmap(host, &rows, &layout));
	layout_release(host, &layout);
	distance_rows_release(host, &rows);
	return GL_OK;
}

static void
test_one_pass_can_be_refused(void)
{
	test_refusals(small_job);
}

int
main(void)
{
	RUN(test_true_points_in_one_pass);
	RUN(test_fastmap_by_hand);
	RUN(test_sphere_in_one_pass);
	RUN(test_equal_points_have_no_extent);
	RUN(test_gaps_are_bridged_by_paths);
	RUN(test_one_pass_can_be_refused);
	UNIT_TEST_END();
}
