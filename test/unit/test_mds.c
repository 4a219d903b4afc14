/*
 * test_mds.c
 *		If this fails, points with known distances are put in wrong places.
 */
#include "mds_cases.h"

#include "embed/classical_mds.h"
#include "embed/mds.h"
#include "embed/mds_stream.h"

/* n points of d columns with ids 1 .. n. */
typedef struct Cloud
{
	PointSet	set;
	int64_t	   *ids;
	double	   *values;
} Cloud;

static Cloud
make_cloud(int64_t seed, int n, int d)
{
	Cloud		cloud;
	GlRandom	random;

	gl_random_begin(&random, seed);
	cloud.ids = malloc(sizeof(int64_t) * (size_t) n);
	cloud.values = malloc(sizeof(double) * (size_t) (n * d));
	case_random(&random, cloud.values, n * d);
	for (int i = 0; i < n; i++)
		cloud.ids[i] = i + 1;
	cloud.set = (PointSet) {
		{n, d, SCALAR_FLOAT8, cloud.values}, cloud.ids
	};
	return cloud;
}

static void
free_cloud(Cloud *cloud)
{
	free(cloud->ids);
	free(cloud->values);
}

static const MdsMethod methods[] = {
	MDS_PLACE, MDS_SMACOF, MDS_CLASSICAL, MDS_LANDMARK, MDS_PIVOT, MDS_FASTMAP
};

#define METHOD_COUNT	(sizeof(methods) / sizeof(*methods))

/* Points of k dimensions in k dimensions: no method loses anything. */
static void
test_every_method_recovers_true_points(void)
{
	for (int axes = 1; axes <= 5; axes++)
		for (size_t m = 0; m < METHOD_COUNT; m++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			Cloud		cloud = make_cloud(axes, 30, axes);
			double		matrix[900];
			MdsOptions	options;
			MdsReport	report;
			DistanceRows rows;
			Layout		layout;

			mds_defaults(&options);
			options.method = methods[m];
			options.dimensions = axes;
			case_distances(cloud.values, 30, axes, matrix);
			EXPECT_OK(host, distance_rows_from_points(host, &cloud.set,
													  METRIC_EUCLIDEAN,
													  SCALE_NONE, &rows));
			EXPECT_OK(host, mds_run(host, &rows, &options, &layout,
									&report));
			EXPECT(case_worst(&layout, matrix) < 1e-6);
			EXPECT(report.place.normalised_stress < 1e-6);
			EXPECT(report.place.converged);
			layout_release(host, &layout);
			distance_rows_release(host, &rows);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
			free_cloud(&cloud);
		}
}

/* The same distances as a matrix of their own: principal components or not. */
static void
test_classical_by_every_road(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int			n = 1100;		/* beyond the dense road */
	Cloud		cloud = make_cloud(5, n, 4);
	DistanceRows points;
	DistanceRows table = {.point_count = n,.is_complete = true};
	Layout		by_points;
	Layout		by_table;

	/* a clear order of axes */
	for (int i = 0; i < n; i++)
		for (int j = 0; j < 4; j++)
			cloud.values[i * 4 + j] *= 4 - j;
	EXPECT_OK(host, distance_rows_from_points(host, &cloud.set,
											  METRIC_EUCLIDEAN, SCALE_NONE,
											  &points));
	EXPECT(points.matrix != NULL);
	table.matrix = points.matrix;
	EXPECT_OK(host, layout_begin(host, n, 2, &by_points));
	EXPECT_OK(host, layout_begin(host, n, 2, &by_table));
	EXPECT_OK(host, classical_mds_run(host, &points, 0, &by_points));
	EXPECT_OK(host, classical_mds_run(host, &table, 0, &by_table));
	EXPECT_OK(host, layout_standardise(host, &by_points, false));
	EXPECT_OK(host, layout_standardise(host, &by_table, false));
	for (int e = 0; e < 2 * n; e++)
		EXPECT_NEAR(by_points.coordinates[e], by_table.coordinates[e], 1e-5);
	test_host_end(&test);
	free_cloud(&cloud);
}

/* Rows computed on demand or kept: the same bits. */
static void
test_the_budget_does_not_change_the_answer(void)
{
	Cloud		cloud = make_cloud(6, 60, 8);
	double		kept[120];

	for (int run = 0; run < 2; run++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		MdsOptions	options;
		MdsReport	report;
		DistanceRows rows;
		Layout		layout;

		if (run == 1)
			host->bytes_limit = 60000;
		mds_defaults(&options);
		EXPECT_OK(host, distance_rows_from_points(host, &cloud.set,
												  METRIC_COSINE, SCALE_NONE,
												  &rows));
		EXPECT((rows.matrix != NULL) == (run == 0));
		host->bytes_limit = (size_t) 1 << 30;
		EXPECT_OK(host, mds_run(host, &rows, &options, &layout, &report));
		if (run == 0)
			memcpy(kept, layout.coordinates, sizeof(kept));
		else
			EXPECT(memcmp(kept, layout.coordinates, sizeof(kept)) == 0);
		test_host_end(&test);
	}
	free_cloud(&cloud);
}

static void
test_components_are_placed_apart(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		length[36];
	MdsOptions	options;
	MdsReport	report;
	DistanceRows rows;
	Layout		layout;

	/* a triangle 3-4-5, a pair, a point by itself */
	for (int e = 0; e < 36; e++)
		length[e] = -1;
	length[0 * 6 + 2] = length[2 * 6 + 0] = 3;
	length[0 * 6 + 4] = length[4 * 6 + 0] = 4;
	length[2 * 6 + 4] = length[4 * 6 + 2] = 5;
	length[1 * 6 + 5] = length[5 * 6 + 1] = 2;
	rows = case_from_pairs(host, 6, length, NULL);
	mds_defaults(&options);
	options.place.tolerance = 1e-12;
	EXPECT_OK(host, mds_run(host, &rows, &options, &layout, &report));
	EXPECT(report.component_count == 3);
	EXPECT(report.place.normalised_stress < 1e-6);
	{
		double		x[6][2];

		for (int i = 0; i < 6; i++)
			layout_get(&layout, i, x[i]);
		EXPECT_NEAR(hypot(x[0][0] - x[2][0], x[0][1] - x[2][1]), 3, 1e-6);
		EXPECT_NEAR(hypot(x[2][0] - x[4][0], x[2][1] - x[4][1]), 5, 1e-6);
		EXPECT_NEAR(hypot(x[1][0] - x[5][0], x[1][1] - x[5][1]), 2, 1e-6);
		/* side by side along the first axis */
		EXPECT(fmin(x[1][0], x[5][0]) >
			   fmax(x[0][0], fmax(x[2][0], x[4][0])));
		EXPECT(x[3][0] > fmax(x[1][0], x[5][0]));
	}
	layout_release(host, &layout);
	distance_rows_release(host, &rows);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Anchors fix the frame; initial positions keep it too. */
static void
test_known_positions_fix_the_frame(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Cloud		cloud = make_cloud(9, 12, 2);
	int32_t		known[4] = {0, 3, 5, 11};
	double		places[8];
	MdsOptions	options;
	MdsReport	report;
	DistanceRows rows;
	Layout		layout;

	for (int p = 0; p < 4; p++)
		memcpy(places + 2 * p, cloud.values + 2 * known[p],
			   2 * sizeof(double));
	EXPECT_OK(host, distance_rows_from_points(host, &cloud.set,
											  METRIC_EUCLIDEAN, SCALE_NONE,
											  &rows));
	for (int anchored = 0; anchored < 2; anchored++)
	{
		KnownPositions positions = {4, known, places};

		mds_defaults(&options);
		if (anchored)
			options.anchors = positions;
		else
			options.initial = positions;
		EXPECT_OK(host, mds_run(host, &rows, &options, &layout, &report));
		for (int i = 0; i < 12; i++)
		{
			double		position[2];

			layout_get(&layout, i, position);
			EXPECT_NEAR(position[0], cloud.values[2 * i], 1e-6);
			EXPECT_NEAR(position[1], cloud.values[2 * i + 1], 1e-6);
		}
		for (int p = 0; anchored && p < 4; p++)
		{
			double		position[2];

			layout_get(&layout, known[p], position);
			EXPECT(memcmp(position, places + 2 * p, sizeof(position)) == 0);
		}
		layout_release(host, &layout);
	}
	test_host_end(&test);
	free_cloud(&cloud);
}

static void
expect_refusal(MdsOptions options, const DistanceRows *like, GlStatus wanted)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	DistanceRows rows = *like;
	Layout		layout;
	MdsReport	report;

	EXPECT(mds_run(host, &rows, &options, &layout, &report) == wanted);
	EXPECT(layout.coordinates == NULL);
	EXPECT(host->message[0] != '\0');
	test_host_end(&test);
}

static void
test_wrong_options_are_refused(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[4] = {0, 4, 4, 0};
	double		gaps[9] = {0, 1, -1, 1, 0, 1, -1, 1, 0};
	DistanceRows pair = case_from_matrix(host, 2, matrix);
	DistanceRows chain = case_from_pairs(host, 3, gaps, NULL);
	MdsOptions	plain;
	MdsOptions	options;

	mds_defaults(&plain);
	options = plain;
	options.dimensions = 0;
	expect_refusal(options, &pair, GL_ERR_OPTION);
	options.dimensions = LAYOUT_MAX_DIMENSIONS + 1;
	expect_refusal(options, &pair, GL_ERR_OPTION);
	options = plain;
	options.place.loss = MDS_POWER;
	options.place.power = 2.5;
	expect_refusal(options, &pair, GL_ERR_OPTION);
	options = plain;
	options.place.tolerance = -1;
	expect_refusal(options, &pair, GL_ERR_OPTION);
	options = plain;
	options.place.space = MDS_GEODESIC;
	expect_refusal(options, &pair, GL_ERR_DATA);	/* 4 > pi */
	options.place.radius = -1;
	expect_refusal(options, &pair, GL_ERR_OPTION);
	options.place.radius = 2;
	options.method = MDS_PIVOT;
	expect_refusal(options, &pair, GL_ERR_OPTION);
	options.method = MDS_PLACE;
	options.place.loss = MDS_SQUARED_ABSOLUTE;
	expect_refusal(options, &pair, GL_ERR_OPTION);
	options = plain;
	options.method = MDS_CLASSICAL;
	expect_refusal(options, &chain, GL_ERR_DATA);
	test_host_end(&test);
}

static void
test_few_points(void)
{
	for (int n = 1; n <= 3; n++)
		for (size_t m = 0; m < METHOD_COUNT; m++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			double		equal[9] = {0};
			DistanceRows rows = case_from_matrix(host, n, equal);
			MdsOptions	options;
			MdsReport	report;
			Layout		layout;

			mds_defaults(&options);
			options.method = methods[m];
			EXPECT_OK(host, mds_run(host, &rows, &options, &layout,
									&report));
			for (int e = 0; e < 2 * n; e++)
				EXPECT_NEAR(layout.coordinates[e], 0, 1e-9);
			test_host_end(&test);
		}
}

/* --- streams --------------------------------------------------------------- */

static StreamOptions
stream_options(StreamPolicy policy, int64_t landmarks, int64_t passes)
{
	MdsOptions	plain;

	mds_defaults(&plain);
	return (StreamOptions) {
		.place = plain.place,
		.dimensions = 2,
		.landmark_count = landmarks,
		.passes = passes,
		.policy = policy
	};
}

static void
test_streams_recover_true_points(void)
{
	for (int policy = STREAM_RANDOM; policy <= STREAM_KMEANS; policy++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		Cloud		cloud = make_cloud(11, 300, 2);
		StreamOptions options = stream_options((StreamPolicy) policy, 20, 2);
		double	   *matrix = malloc(sizeof(double) * 300 * 300);
		PlaceReport report;
		Layout		layout;

		case_distances(cloud.values, 300, 2, matrix);
		EXPECT_OK(host, mds_stream_run(host, &cloud.set, METRIC_EUCLIDEAN,
									   SCALE_NONE, &options, &layout,
									   &report));
		EXPECT(case_worst(&layout, matrix) < 1e-5);
		EXPECT(report.normalised_stress < 1e-5);
		layout_release(host, &layout);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
		free_cloud(&cloud);
		free(matrix);
	}
}

/* Stress of a stream over 10 dimensions in 2. */
static double
stream_stress(StreamPolicy policy, int64_t landmarks, int64_t passes)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Cloud		cloud = make_cloud(12, 800, 10);
	StreamOptions options = stream_options(policy, landmarks, passes);
	PlaceReport report;
	Layout		layout;

	EXPECT_OK(host, mds_stream_run(host, &cloud.set, METRIC_EUCLIDEAN,
								   SCALE_NONE, &options, &layout, &report));
	test_host_end(&test);
	free_cloud(&cloud);
	return report.normalised_stress;
}

static void
test_more_landmarks_and_passes_help(void)
{
	double		few = stream_stress(STREAM_RANDOM, 20, 2);
	double		more = stream_stress(STREAM_RANDOM, 80, 2);
	double		many = stream_stress(STREAM_RANDOM, 300, 2);

	EXPECT(many < more && more < few);
	EXPECT(stream_stress(STREAM_RANDOM, 80, 3) <
		   stream_stress(STREAM_RANDOM, 80, 1));
}

/* --- refusals -------------------------------------------------------------- */

static GlStatus
small_run(GlHost *host)
{
	static int64_t ids[5] = {1, 2, 3, 4, 5};
	static double values[10] = {0, 0, 1, 0, 0, 2, 3, 1, 1, 1};
	static int32_t anchor[2] = {0, 2};
	static double places[4] = {0, 0, 0, 2};
	PointSet	set = {{5, 2, SCALAR_FLOAT8, values}, ids};
	MdsOptions	options;
	MdsReport	report;
	DistanceRows rows;
	Layout		layout;

	mds_defaults(&options);
	options.place.sweep_limit = 2;
	options.anchors = (KnownPositions) {2, anchor, places};
	GL_TRY(distance_rows_from_points(host, &set, METRIC_EUCLIDEAN,
									 SCALE_STANDARD, &rows));
	GL_TRY(mds_run(host, &rows, &options, &layout, &report));
	layout_release(host, &layout);
	distance_rows_release(host, &rows);
	return GL_OK;
}

static GlStatus
small_components(GlHost *host)
{
	DistanceRows rows = {.point_count = 3};
	MdsOptions	options;
	MdsReport	report;
	Layout		layout;

	mds_defaults(&options);
	options.place.sweep_limit = 2;
	GL_NEW(host, rows.row_start, 4);
	GL_NEW(host, rows.target, 2);
	GL_NEW(host, rows.table_length, 2);
	memcpy(rows.row_start, (int64_t[]) {0, 1, 2, 2}, 4 * sizeof(int64_t));
	memcpy(rows.target, (int32_t[]) {1, 0}, 2 * sizeof(int32_t));
	memcpy(rows.table_length, (double[]) {3, 3}, 2 * sizeof(double));
	GL_TRY(mds_run(host, &rows, &options, &layout, &report));
	layout_release(host, &layout);
	distance_rows_release(host, &rows);
	return GL_OK;
}

static GlStatus
small_stream(GlHost *host, StreamPolicy policy)
{
	static int64_t ids[6] = {1, 2, 3, 4, 5, 6};
	static double values[12] = {0, 0, 1, 0, 0, 2, 3, 1, 1, 1, 2, 5};
	PointSet	set = {{6, 2, SCALAR_FLOAT8, values}, ids};
	StreamOptions options = stream_options(policy, 3, 1);
	PlaceReport report;
	Layout		layout;

	options.place.sweep_limit = 2;
	GL_TRY(mds_stream_run(host, &set, METRIC_EUCLIDEAN, SCALE_NONE, &options,
						  &layout, &report));
	layout_release(host, &layout);
	return GL_OK;
}

static GlStatus
small_maxmin(GlHost *host)
{
	return small_stream(host, STREAM_MAXMIN);
}

static GlStatus
small_kmeans(GlHost *host)
{
	return small_stream(host, STREAM_KMEANS);
}

static void
test_runs_can_be_refused(void)
{
	test_refusals(small_run);
	test_refusals(small_components);
	test_refusals(small_maxmin);
	test_refusals(small_kmeans);
}

int
main(void)
{
	RUN(test_every_method_recovers_true_points);
	RUN(test_classical_by_every_road);
	RUN(test_the_budget_does_not_change_the_answer);
	RUN(test_components_are_placed_apart);
	RUN(test_known_positions_fix_the_frame);
	RUN(test_wrong_options_are_refused);
	RUN(test_few_points);
	RUN(test_streams_recover_true_points);
	RUN(test_more_landmarks_and_passes_help);
	RUN(test_runs_can_be_refused);
	UNIT_TEST_END();
}
