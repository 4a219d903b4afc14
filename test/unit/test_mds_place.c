/*
 * test_mds_place.c
 *		If this fails, a sweep of MDS can raise the cost, or stops too early.
 */
#include "mds_cases.h"

#include "embed/mds_place.h"

/* --- the step -------------------------------------------------------------- */

static const double corner[6] = {0, 0, 3, 0, 0, 4};

/* Point 0 of the corner, wanting d1 and d2; one plain step. */
static void
step_from_corner(MdsLoss loss, double d1, double d2, double *position,
				 double *before, double *after)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[9] = {0, d1, d2, d1, 0, 5, d2, 5, 0};
	DistanceRows rows = case_from_matrix(host, 3, matrix);
	Layout		layout = case_layout(host, 3, 2, corner);
	PlaceRule	rule = {.loss = loss,.power = 1,.space = MDS_FLAT,.radius = 1};
	PlaceScratch scratch;
	PlaceSums	sums;
	DistanceRow row;

	EXPECT_OK(host, place_step_begin(host, 2, &scratch));
	EXPECT_OK(host, distance_rows_get(host, &rows, 0, &row));
	layout_get(&layout, 0, position);
	EXPECT_OK(host, place_step_sums(host, &rule, &layout, &scratch, &row, 0,
									position, &sums));
	*before = sums.cost;
	place_step_move(&rule, &sums, 2, 1.0, position, position);
	EXPECT_OK(host, place_step_sums(host, &rule, &layout, &scratch, &row, 0,
									position, &sums));
	*after = sums.cost;
	test_host_end(&test);
}

static void
test_step_by_hand(void)
{
	double		position[2];
	double		before;
	double		after;

	step_from_corner(MDS_STRESS, 1, 2, position, &before, &after);
	EXPECT_NEAR(position[0], 1, 1e-14);
	EXPECT_NEAR(position[1], 1, 1e-14);
	EXPECT_NEAR(before, 8, 1e-14);
	EXPECT_NEAR(after, 2.878753, 1e-6);
	step_from_corner(MDS_ABSOLUTE, 1, 2, position, &before, &after);
	EXPECT_NEAR(position[0], 1, 1e-14);
	EXPECT_NEAR(before, 4, 1e-14);
	EXPECT_NEAR(after, 2.398346, 1e-6);
	step_from_corner(MDS_ABSOLUTE, 2, 1, position, &before, &after);
	EXPECT_NEAR(position[0], 0.75, 1e-14);
	EXPECT_NEAR(position[1], 0.75, 1e-14);
	step_from_corner(MDS_POWER, 2, 1, position, &before, &after);
	EXPECT_NEAR(position[0], 0.75, 1e-14);
}

/* --- sweeps never raise the cost ------------------------------------------- */

typedef struct Variant
{
	MdsLoss		loss;
	double		power;
	MdsSpace	space;
	MdsSweep	sweep;
} Variant;

/* Random coordinates; on a sphere brought to it. */
static void
random_start(GlRandom *random, const PlaceRule *rule, Layout *layout)
{
	for (int64_t i = 0; i < layout->point_count; i++)
	{
		double		position[LAYOUT_MAX_AXES];
		double		norm = 0;

		case_random(random, position, layout->axes);
		for (int32_t a = 0; a < layout->axes; a++)
			norm += position[a] * position[a];
		norm = sqrt(norm);
		if (rule->space != MDS_FLAT)
			for (int32_t a = 0; a < layout->axes; a++)
				position[a] *= rule->radius / norm;
		layout_set(layout, i, position);
	}
}

static void
expect_on_sphere(const PlaceRule *rule, const Layout *layout)
{
	if (rule->space == MDS_FLAT)
		return;
	for (int64_t i = 0; i < layout->point_count; i++)
	{
		double		position[LAYOUT_MAX_AXES];
		double		norm = 0;

		layout_get(layout, i, position);
		for (int32_t a = 0; a < layout->axes; a++)
			norm += position[a] * position[a];
		EXPECT_NEAR(sqrt(norm), rule->radius, 1e-12 * rule->radius);
	}
}

/* Random lengths, not of any points; weights, and some pairs unknown. */
static void
random_pairs(GlRandom *random, int n, double longest, double *length,
			 double *weight)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < i; j++)
		{
			length[i * n + j] = length[j * n + i] =
				longest * gl_random_unit(random);
			weight[i * n + j] = weight[j * n + i] =
				gl_random_unit(random) < 0.3 ? 0 :
				0.1 + gl_random_unit(random);
		}
	for (int i = 0; i < n; i++)
		length[i * n + i] = weight[i * n + i] = 0;
}

static void
expect_descent(const Variant *variant, int64_t seed)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PlaceRule	rule = {
		.loss = variant->loss,
		.power = variant->power,
		.space = variant->space,
		.radius = 1.5,
		.smoothing = seed % 3 == 0 ? 1.0 : 1e-3
	};
	double		length[CASE_MAX];
	double		weight[CASE_MAX];
	int			n = 2 + (int) (seed % 6);
	int			axes = 2 + (int) (seed % 2);
	DistanceRows rows;
	Layout		layout;
	double		before;

	gl_random_begin(&random, seed);
	random_pairs(&random, n, 2.9, length, weight);
	rows = case_from_pairs(host, n, length, weight);
	EXPECT_OK(host, layout_begin(host, n, axes, &layout));
	random_start(&random, &rule, &layout);
	EXPECT_OK(host, mds_place_cost(host, &rule, &rows, &layout, &before,
								   NULL));
	for (int sweep = 0; sweep < 12; sweep++)
	{
		double		after;
		double		cost;
		double		gain;

		EXPECT_OK(host, mds_place_sweep(host, &rule, variant->sweep, &rows,
										NULL, &layout, &cost, &gain));
		EXPECT_OK(host, mds_place_cost(host, &rule, &rows, &layout, &after,
									   NULL));
		EXPECT(after <= before * (1 + 1e-12) + 1e-13);
		/*
		 * Costs are of unordered pairs, the gain of ordered ones.  The
		 * smoothed parabola of squares is measured, not proven: it keeps
		 * the descent, not the bound.
		 */
		EXPECT(variant->loss == MDS_SQUARED_ABSOLUTE ||
			   2 * (before - after) >= gain - 1e-9 * (1 + before));
		expect_on_sphere(&rule, &layout);
		before = after;
	}
	test_host_end(&test);
}

static void
test_no_sweep_raises_the_cost(void)
{
	static const Variant losses[] = {
		{MDS_STRESS, 2, MDS_FLAT, MDS_SEQUENTIAL},
		{MDS_ABSOLUTE, 1, MDS_FLAT, MDS_SEQUENTIAL},
		{MDS_POWER, 1.5, MDS_FLAT, MDS_SEQUENTIAL},
		{MDS_POWER, 0.7, MDS_FLAT, MDS_SEQUENTIAL},
		{MDS_SQUARED_ABSOLUTE, 1, MDS_FLAT, MDS_SEQUENTIAL},
	};

	for (size_t l = 0; l < sizeof(losses) / sizeof(*losses); l++)
		for (int space = MDS_FLAT; space <= MDS_GEODESIC; space++)
			for (int sweep = MDS_SEQUENTIAL; sweep <= MDS_PARALLEL; sweep++)
			{
				Variant		variant = losses[l];

				variant.space = (MdsSpace) space;
				variant.sweep = (MdsSweep) sweep;
				if (variant.space == MDS_GEODESIC &&
					variant.loss == MDS_SQUARED_ABSOLUTE)
					continue;	/* refused by mds_run */
				for (int64_t seed = 1; seed <= 300; seed++)
				{
					int			failures = unit_failures;

					expect_descent(&variant, seed);
					if (unit_failures > failures)
					{
						printf("# loss %d power %g space %d sweep %d "
							   "seed %d\n", variant.loss, variant.power,
							   space, sweep, (int) seed);
						break;
					}
				}
			}
}

/* --- runs ------------------------------------------------------------------ */

static PlaceOptions
plain_options(MdsLoss loss)
{
	return (PlaceOptions) {
		.loss = loss,
		.power = 1.5,
		.space = MDS_FLAT,
		.radius = 1,
		.sweep = MDS_SEQUENTIAL,
		.sweep_limit = 20000,
		.tolerance = 1e-13
	};
}

/* Four points that all want distance 1, best of some starts in the plane. */
static double
best_of_square(MdsLoss loss, int starts)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PlaceOptions options = plain_options(loss);
	double		matrix[16];
	double		best = INFINITY;
	DistanceRows rows;

	gl_random_begin(&random, 4);
	for (int e = 0; e < 16; e++)
		matrix[e] = e % 5 == 0 ? 0 : 1;
	rows = case_from_matrix(host, 4, matrix);
	for (int start = 0; start < starts; start++)
	{
		double		points[8];
		Layout		layout;
		PlaceReport report;

		case_random(&random, points, 8);
		layout = case_layout(host, 4, 2, points);
		EXPECT_OK(host, mds_place_run(host, &options, &rows, NULL, &layout,
									  &report));
		best = fmin(best, report.cost);
		layout_release(host, &layout);
	}
	distance_rows_release(host, &rows);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	return best;
}

static void
test_four_equal_distances_in_the_plane(void)
{
	EXPECT_NEAR(best_of_square(MDS_STRESS, 5), 3 - 2 * sqrt(2), 1e-9);
	EXPECT_NEAR(best_of_square(MDS_ABSOLUTE, 40), sqrt(3) - 1, 1e-6);
}

/* True points, a start some way off, perhaps with wrong pairs. */
static double
recover(MdsLoss loss, int wrong_pairs, PlaceReport *report)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PlaceOptions options = plain_options(loss);
	double		points[30];
	double		truth[225];
	double		matrix[225];
	double		worst;
	DistanceRows rows;
	Layout		layout;

	gl_random_begin(&random, 15);
	case_random(&random, points, 30);
	case_distances(points, 15, 2, truth);
	memcpy(matrix, truth, sizeof(matrix));
	for (int w = 0; w < wrong_pairs; w++)
	{
		int			i = (int) gl_random_below(&random, 15);
		int			j = (i + 1 + (int) gl_random_below(&random, 14)) % 15;

		matrix[i * 15 + j] = matrix[j * 15 + i] = truth[i * 15 + j] + 2;
	}
	for (int e = 0; e < 30; e++)
		points[e] += 0.3 * gl_random_normal(&random);
	rows = case_from_matrix(host, 15, matrix);
	layout = case_layout(host, 15, 2, points);
	EXPECT_OK(host, mds_place_run(host, &options, &rows, NULL, &layout,
								  report));
	worst = case_worst(&layout, truth);
	test_host_end(&test);
	return worst;
}

static void
test_true_points_are_found_again(void)
{
	PlaceReport report;

	EXPECT(recover(MDS_STRESS, 0, &report) < 1e-9);
	EXPECT(report.converged);
	EXPECT(report.cost < 1e-18);
	EXPECT(recover(MDS_ABSOLUTE, 0, &report) < 1e-8);
	EXPECT(recover(MDS_POWER, 0, &report) < 1e-8);
	EXPECT(recover(MDS_SQUARED_ABSOLUTE, 0, &report) < 1e-8);
}

static void
test_robust_losses_ignore_wrong_pairs(void)
{
	PlaceReport report;

	EXPECT(recover(MDS_ABSOLUTE, 10, &report) < 1e-6);
	EXPECT(recover(MDS_STRESS, 10, &report) > 0.1);
}

static void
test_points_at_one_place_move_apart(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PlaceOptions options = plain_options(MDS_STRESS);
	double		matrix[9] = {0, 3, 4, 3, 0, 5, 4, 5, 0};
	DistanceRows rows = case_from_matrix(host, 3, matrix);
	Layout		layout;
	PlaceReport report;

	EXPECT_OK(host, layout_begin(host, 3, 2, &layout));
	EXPECT_OK(host, mds_place_run(host, &options, &rows, NULL, &layout,
								  &report));
	EXPECT(case_worst(&layout, matrix) < 1e-9);
	distance_rows_release(host, &rows);
	layout_release(host, &layout);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* An unknown pair is one that is not there; a weight of 2 is a pair twice. */
static void
test_weights_count_pairs(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PlaceRule	rule = {.loss = MDS_STRESS,.space = MDS_FLAT,.radius = 1};
	double		length[9] = {0, 1, 2, 1, 0, 5, 2, 5, 0};
	double		weight[9] = {0, 2, 1, 2, 0, 0, 1, 0, 0};
	DistanceRows rows = case_from_pairs(host, 3, length, weight);
	Layout		layout = case_layout(host, 3, 2, corner);
	double		cost;

	EXPECT_OK(host, mds_place_cost(host, &rule, &rows, &layout, &cost, NULL));
	EXPECT_NEAR(cost, 2 * 4 + 4, 1e-14);
	test_host_end(&test);
}

static void
test_fixed_points_stay(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PlaceOptions options = plain_options(MDS_STRESS);
	/* three known corners and the ranges of a point at (0.3, 0.4) */
	double		points[8] = {0, 0, 1, 0, 0, 1, 0.9, 0.9};
	double		ranges[3] = {0.5, sqrt(0.65), sqrt(0.45)};
	double		length[16];
	bool		fixed[4] = {true, true, true, false};
	DistanceRows rows;
	Layout		layout = case_layout(host, 4, 2, points);
	PlaceReport report;
	double		position[2];

	for (int e = 0; e < 16; e++)
		length[e] = -1;
	for (int i = 0; i < 3; i++)
		length[i * 4 + 3] = length[12 + i] = ranges[i];
	rows = case_from_pairs(host, 4, length, NULL);
	EXPECT_OK(host, mds_place_run(host, &options, &rows, fixed, &layout,
								  &report));
	for (int i = 0; i < 3; i++)
	{
		layout_get(&layout, i, position);
		EXPECT(position[0] == points[i * 2] &&
			   position[1] == points[i * 2 + 1]);
	}
	layout_get(&layout, 3, position);
	EXPECT_NEAR(position[0], 0.3, 1e-8);
	EXPECT_NEAR(position[1], 0.4, 1e-8);
	test_host_end(&test);
}

/* A sweep in parallel does not know the order of the points. */
static void
test_parallel_sweeps_have_no_order(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PlaceRule	rule = {.loss = MDS_STRESS,.space = MDS_FLAT,.radius = 1};
	double		points[12];
	double		turned[12];
	double		matrix[36];
	double		other[36];
	DistanceRows rows;
	DistanceRows other_rows;
	Layout		layout;
	Layout		other_layout;
	double		cost;
	double		gain;

	gl_random_begin(&random, 6);
	case_random(&random, points, 12);
	case_distances(points, 6, 2, matrix);
	case_random(&random, points, 12);
	for (int i = 0; i < 6; i++)
	{
		memcpy(turned + (5 - i) * 2, points + i * 2, 2 * sizeof(double));
		for (int j = 0; j < 6; j++)
			other[(5 - i) * 6 + 5 - j] = matrix[i * 6 + j];
	}
	rows = case_from_matrix(host, 6, matrix);
	other_rows = case_from_matrix(host, 6, other);
	layout = case_layout(host, 6, 2, points);
	other_layout = case_layout(host, 6, 2, turned);
	for (int sweep = 0; sweep < 20; sweep++)
	{
		EXPECT_OK(host, mds_place_sweep(host, &rule, MDS_PARALLEL, &rows,
										NULL, &layout, &cost, &gain));
		EXPECT_OK(host, mds_place_sweep(host, &rule, MDS_PARALLEL,
										&other_rows, NULL, &other_layout,
										&cost, &gain));
	}
	for (int i = 0; i < 6; i++)
	{
		double		a[2];
		double		b[2];

		layout_get(&layout, i, a);
		layout_get(&other_layout, 5 - i, b);
		EXPECT_NEAR(a[0], b[0], 1e-12);
		EXPECT_NEAR(a[1], b[1], 1e-12);
	}
	test_host_end(&test);
}

/* One Guttman sweep is B(X) X / n, up to a shift. */
static void
test_guttman_sweep_is_smacof(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PlaceRule	rule = {.loss = MDS_STRESS,.space = MDS_FLAT,.radius = 1};
	double		points[10];
	double		matrix[25];
	double		shown[25];
	DistanceRows rows;
	Layout		layout;
	double		cost;
	double		gain;
	double		mean[2] = {0};

	gl_random_begin(&random, 5);
	case_random(&random, points, 10);
	case_distances(points, 5, 2, matrix);
	case_random(&random, points, 10);
	for (int i = 0; i < 5; i++)
		for (int a = 0; a < 2; a++)
			mean[a] += points[i * 2 + a] / 5;
	for (int i = 0; i < 5; i++)
		for (int a = 0; a < 2; a++)
			points[i * 2 + a] -= mean[a];
	case_distances(points, 5, 2, shown);
	rows = case_from_matrix(host, 5, matrix);
	layout = case_layout(host, 5, 2, points);
	EXPECT_OK(host, mds_place_sweep(host, &rule, MDS_GUTTMAN, &rows, NULL,
									&layout, &cost, &gain));
	for (int i = 0; i < 5; i++)
	{
		double		position[2];

		layout_get(&layout, i, position);
		for (int a = 0; a < 2; a++)
		{
			double		sum = 0;

			for (int j = 0; j < 5; j++)
				if (j != i)
					sum += matrix[i * 5 + j] / shown[i * 5 + j] *
						(points[i * 2 + a] - points[j * 2 + a]);
			EXPECT_NEAR(position[a], sum / 5, 1e-14);
		}
	}
	test_host_end(&test);
}

/* --- the sphere ------------------------------------------------------------ */

static void
test_step_along_the_sphere(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[4] = {0, M_PI / 4, M_PI / 4, 0};
	double		points[6] = {1, 0, 0, 0, 1, 0};
	DistanceRows rows = case_from_matrix(host, 2, matrix);
	Layout		layout = case_layout(host, 2, 3, points);
	PlaceRule	rule = {.loss = MDS_STRESS,.space = MDS_GEODESIC,.radius = 1};
	bool		fixed[2] = {false, true};
	double		cost;
	double		gain;
	double		position[3];

	EXPECT_OK(host, mds_place_sweep(host, &rule, MDS_SEQUENTIAL, &rows, fixed,
									&layout, &cost, &gain));
	layout_get(&layout, 0, position);
	EXPECT_NEAR(position[0], sqrt(0.5), 1e-15);
	EXPECT_NEAR(position[1], sqrt(0.5), 1e-15);
	EXPECT_NEAR(position[2], 0, 1e-15);
	/* beyond a quarter turn of the target the step does not flip over */
	matrix[1] = matrix[2] = 2.5;
	rows = case_from_matrix(host, 2, matrix);
	points[3] = cos(0.5);
	points[4] = sin(0.5);
	layout = case_layout(host, 2, 3, points);
	EXPECT_OK(host, mds_place_sweep(host, &rule, MDS_SEQUENTIAL, &rows, fixed,
									&layout, &cost, &gain));
	layout_get(&layout, 0, position);
	EXPECT_NEAR(position[0], cos(0.5 - 2.5), 1e-14);
	EXPECT_NEAR(position[1], sin(0.5 - 2.5), 1e-14);
	test_host_end(&test);
}

/* Points that a sphere holds: wanted arcs, cost 0 from any start. */
static void
expect_arcs(int n, const double *arcs)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PlaceOptions options = plain_options(MDS_STRESS);
	PlaceRule	rule = {.space = MDS_GEODESIC,.radius = 1};
	DistanceRows rows = case_from_matrix(host, n, arcs);
	double		best = INFINITY;

	options.space = MDS_GEODESIC;
	gl_random_begin(&random, n);
	for (int start = 0; start < 20; start++)
	{
		Layout		layout;
		PlaceReport report;

		EXPECT_OK(host, layout_begin(host, n, 3, &layout));
		random_start(&random, &rule, &layout);
		EXPECT_OK(host, mds_place_run(host, &options, &rows, NULL, &layout,
									  &report));
		best = fmin(best, report.cost);
	}
	EXPECT(best < 1e-12);
	test_host_end(&test);
}

static void
test_regular_bodies_on_the_sphere(void)
{
	double		tetrahedron[16];
	double		octahedron[36];

	for (int e = 0; e < 16; e++)
		tetrahedron[e] = e % 5 == 0 ? 0 : acos(-1.0 / 3);
	expect_arcs(4, tetrahedron);
	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 6; j++)
			octahedron[i * 6 + j] = i == j ? 0 :
				i / 2 == j / 2 ? M_PI : M_PI / 2;
	expect_arcs(6, octahedron);
}

/* --- refusals -------------------------------------------------------------- */

static GlStatus
small_run(GlHost *host)
{
	PlaceOptions options = plain_options(MDS_ABSOLUTE);
	double		matrix[9] = {0, 3, 4, 3, 0, 5, 4, 5, 0};
	DistanceRows rows = {.point_count = 3,.is_complete = true};
	Layout		layout;
	PlaceReport report;

	options.sweep = MDS_PARALLEL;
	options.sweep_limit = 3;
	GL_NEW(host, rows.matrix, 9);
	memcpy(rows.matrix, matrix, sizeof(matrix));
	GL_TRY(layout_begin(host, 3, 2, &layout));
	GL_TRY(mds_place_run(host, &options, &rows, NULL, &layout, &report));
	layout_release(host, &layout);
	distance_rows_release(host, &rows);
	return GL_OK;
}

static void
test_a_run_can_be_refused(void)
{
	test_refusals(small_run);
}

int
main(void)
{
	RUN(test_step_by_hand);
	RUN(test_no_sweep_raises_the_cost);
	RUN(test_four_equal_distances_in_the_plane);
	RUN(test_true_points_are_found_again);
	RUN(test_robust_losses_ignore_wrong_pairs);
	RUN(test_points_at_one_place_move_apart);
	RUN(test_weights_count_pairs);
	RUN(test_fixed_points_stay);
	RUN(test_parallel_sweeps_have_no_order);
	RUN(test_guttman_sweep_is_smacof);
	RUN(test_step_along_the_sphere);
	RUN(test_regular_bodies_on_the_sphere);
	RUN(test_a_run_can_be_refused);
	UNIT_TEST_END();
}
