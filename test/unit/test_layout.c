/*
 * test_layout.c
 *		If this fails, the same picture comes out turned, or is laid wrongly
 *		over another.
 */
#include "mds_cases.h"

/* A rotation of the plane with a shift. */
static void
rotate(const double *points, int n, double angle, double shift, bool flip,
	   double *out)
{
	for (int i = 0; i < n; i++)
	{
		double		x = points[i * 2];
		double		y = flip ? -points[i * 2 + 1] : points[i * 2 + 1];

		out[i * 2] = cos(angle) * x - sin(angle) * y + shift;
		out[i * 2 + 1] = sin(angle) * x + cos(angle) * y - shift;
	}
}

static void
test_standard_position_forgets_motions(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	double		points[20];
	double		moved[20];
	double		matrix[100];
	Layout		a;
	Layout		b;

	gl_random_begin(&random, 1);
	case_random(&random, points, 20);
	case_distances(points, 10, 2, matrix);
	rotate(points, 10, 1.1, 5, true, moved);
	a = case_layout(host, 10, 2, points);
	b = case_layout(host, 10, 2, moved);
	EXPECT_OK(host, layout_standardise(host, &a, false));
	EXPECT_OK(host, layout_standardise(host, &b, false));
	for (int e = 0; e < 20; e++)
		EXPECT_NEAR(a.coordinates[e], b.coordinates[e], 1e-12);
	EXPECT(case_worst(&a, matrix) < 1e-13);
	/* centred, uncorrelated, the widest first */
	{
		double		sums[5] = {0};

		for (int i = 0; i < 10; i++)
		{
			double		x = a.coordinates[i];
			double		y = a.coordinates[10 + i];

			sums[0] += x;
			sums[1] += y;
			sums[2] += x * y;
			sums[3] += x * x;
			sums[4] += y * y;
		}
		EXPECT_NEAR(sums[0], 0, 1e-13);
		EXPECT_NEAR(sums[1], 0, 1e-13);
		EXPECT_NEAR(sums[2], 0, 1e-12);
		EXPECT(sums[3] > sums[4]);
	}
	test_host_end(&test);
}

static void
test_matching_finds_the_motion(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	double		points[20];
	double		moved[20];
	LayoutMotion motion;

	gl_random_begin(&random, 2);
	case_random(&random, points, 20);
	for (int flip = 0; flip < 2; flip++)
	{
		rotate(points, 10, 0.7, -3, flip, moved);
		for (int e = 0; e < 20; e++)
			moved[e] *= 2.5;
		EXPECT_OK(host, layout_match(host, 2, 10, points, moved, true,
									 &motion));
		EXPECT_NEAR(motion.scale, 2.5, 1e-13);
		EXPECT_NEAR(motion.residual, 0, 1e-11);
		for (int i = 0; i < 10; i++)
		{
			double		out[2];

			layout_move(&motion, points + i * 2, out);
			EXPECT_NEAR(out[0], moved[i * 2], 1e-12);
			EXPECT_NEAR(out[1], moved[i * 2 + 1], 1e-12);
		}
		EXPECT_OK(host, layout_match(host, 2, 10, points, moved, false,
									 &motion));
		EXPECT(motion.scale == 1 && motion.residual > 1);
	}
	test_host_end(&test);
}

static void
test_flat_layouts_get_thickness(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		line[10] = {0, 7, 1, 7, 2, 7, 3, 7, 4, 7};
	Layout		layout = case_layout(host, 5, 2, line);
	bool		thick = false;

	EXPECT_OK(host, layout_thicken(host, &layout, 1e-3, 0));
	for (int i = 0; i < 5; i++)
	{
		EXPECT(layout.coordinates[i] == i);
		EXPECT_NEAR(layout.coordinates[5 + i], 7, 1e-2);
		thick = thick || layout.coordinates[5 + i] != 7;
	}
	EXPECT(thick);
	test_host_end(&test);
}

static GlStatus
small_job(GlHost *host)
{
	static const double from[6] = {0, 0, 1, 0, 0, 2};
	Layout		layout;
	LayoutMotion motion;

	GL_TRY(layout_begin(host, 3, 2, &layout));
	for (int i = 0; i < 3; i++)
		layout_set(&layout, i, from + 2 * i);
	GL_TRY(layout_thicken(host, &layout, 1, 0));
	GL_TRY(layout_standardise(host, &layout, false));
	GL_TRY(layout_match(host, 2, 3, from, from, false, &motion));
	layout_release(host, &layout);
	return GL_OK;
}

static void
test_layouts_can_be_refused(void)
{
	test_refusals(small_job);
}

int
main(void)
{
	RUN(test_standard_position_forgets_motions);
	RUN(test_matching_finds_the_motion);
	RUN(test_flat_layouts_get_thickness);
	RUN(test_layouts_can_be_refused);
	UNIT_TEST_END();
}
