/*
 * test_cluster_rows.c
 *		If this fails, clusters change their numbers between two calls, or a warm
 *		start does not start where it was told to.
 */
#include "unit_test.h"

#include "learn/point_clusters.h"

static KmeansOptions
options_with(int32_t k)
{
	KmeansOptions options;

	kmeans_defaults(&options);
	options.cluster_count = k;
	return options;
}

/* Numbers by the smallest row, whatever the seed; centres move along. */
static void
test_canonical(void)
{
	double		values[6] = {20, 0, 21, 10, 1, 11};
	int32_t		wanted[6] = {0, 1, 0, 2, 1, 2};
	double		centres[3] = {20.5, 0.5, 10.5};
	PointMatrix rows = {6, 1, SCALAR_FLOAT8, values};
	KmeansOptions options = options_with(3);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (options.seed = 0; options.seed < 20; options.seed++)
	{
		KmeansResult result;
		KmeansReport report;

		EXPECT_OK(host, cluster_rows_run(host, &rows, &options, NULL, &result,
										 &report));
		EXPECT(memcmp(result.cluster, wanted, sizeof(wanted)) == 0);
		for (int c = 0; c < 3; c++)
			EXPECT_NEAR(result.centre[c], centres[c], 1e-14);
		kmeans_result_release(host, &result);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Identities are kept; a number nobody had goes to a new cluster. */
static void
test_start(void)
{
	double		values[6] = {20, 0, 21, 10, 1, 11};
	int32_t		row[3] = {4, 0, 1};
	int32_t		cluster[3] = {2, 1, 2};
	int32_t		wanted[6] = {1, 2, 1, 0, 2, 0};
	ClusterStart start = {3, row, cluster};
	PointMatrix rows = {6, 1, SCALAR_FLOAT8, values};
	KmeansOptions options = options_with(3);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	KmeansResult result;
	KmeansReport report;

	EXPECT_OK(host, cluster_rows_run(host, &rows, &options, &start, &result,
									 &report));
	EXPECT(memcmp(result.cluster, wanted, sizeof(wanted)) == 0);
	EXPECT_NEAR(result.centre[0], 10.5, 1e-14);
	EXPECT_NEAR(result.centre[1], 20.5, 1e-14);
	EXPECT_NEAR(result.centre[2], 0.5, 1e-14);
	kmeans_result_release(host, &result);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Centres are means whatever order the rows are named in. */
static void
test_start_centres(void)
{
	double		values[8] = {1, 2, 3, 5, 7, 11, 13, 17};
	int32_t		row[4] = {3, 0, -1, 1};
	int32_t		cluster[4] = {2, 0, 1, 2};
	int32_t		row_other[4] = {9, 1, 3, 0};
	int32_t		cluster_other[4] = {1, 2, 2, 0};
	ClusterStart start = {4, row, cluster};
	ClusterStart other = {4, row_other, cluster_other};
	PointMatrix rows = {4, 2, SCALAR_FLOAT8, values};
	double		centres[2][8];
	int32_t		number[2][4];
	int32_t		given;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	EXPECT_OK(host, cluster_start_centres(host, &start, &rows, 4, centres[0],
										  number[0], &given));
	EXPECT(given == 2);
	EXPECT(number[0][0] == 0 && number[0][1] == 2 && number[0][2] == 1 &&
		   number[0][3] == 3);
	EXPECT(centres[0][0] == 1 && centres[0][1] == 2);
	EXPECT(centres[0][2] == 8 && centres[0][3] == 11);
	EXPECT_OK(host, cluster_start_centres(host, &other, &rows, 4, centres[1],
										  number[1], &given));
	EXPECT(given == 2);
	EXPECT(memcmp(centres[0], centres[1], 4 * sizeof(double)) == 0);
	EXPECT(memcmp(number[0], number[1], sizeof(number[0])) == 0);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_start_check(void)
{
	int64_t		ids[3] = {10, 20, 30};
	int32_t		row[2] = {2, 1};
	int32_t		cluster[2] = {1, 4};
	ClusterStart start = {2, row, cluster};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	EXPECT_OK(host, cluster_start_check(host, &start, ids, 3, 5));
	EXPECT(cluster_start_check(host, &start, ids, 3, 4) == GL_ERR_OPTION);
	EXPECT(strstr(host->message, "id 20 into cluster 5") != NULL);
	cluster[1] = -1;
	EXPECT(cluster_start_check(host, &start, ids, 3, 4) == GL_ERR_OPTION);
	cluster[1] = 2;
	row[1] = 2;
	EXPECT(cluster_start_check(host, &start, ids, 3, 4) == GL_ERR_OPTION);
	EXPECT(strstr(host->message, "id 30 twice") != NULL);
	test_host_end(&test);
}

/* Distances are in user units: lengths, or 1 - cos. */
static void
test_points(void)
{
	double		values[8] = {3, 0, 5, 0, 0, 1e300, 0, 1e300};
	double		directions[8] = {3, 0, 5, 0, 2, 2, 0, 9};
	int64_t		ids[4] = {1, 2, 3, 4};
	PointSet	points = {{4, 2, SCALAR_FLOAT8, values}, ids};
	PointClustersOptions options;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointClusters clusters;
	PointClustersReport report;

	point_clusters_defaults(&options);
	options.kmeans.cluster_count = 2;
	EXPECT_OK(host, point_clusters_run(host, &points, &options, NULL,
									   &clusters, &report));
	EXPECT(clusters.kmeans.cluster[0] == 0 && clusters.kmeans.cluster[1] == 0);
	EXPECT(clusters.kmeans.cluster[2] == 1 && clusters.kmeans.cluster[3] == 1);
	EXPECT(clusters.distance[3] == 0);
	point_clusters_release(host, &clusters);

	points.matrix.values = directions;
	options.metric = METRIC_COSINE;
	EXPECT_OK(host, point_clusters_run(host, &points, &options, NULL,
									   &clusters, &report));
	EXPECT(clusters.kmeans.cluster[0] == clusters.kmeans.cluster[1]);
	EXPECT(clusters.kmeans.cluster[0] != clusters.kmeans.cluster[3]);
	EXPECT_NEAR(clusters.distance[clusters.kmeans.cluster[2] == 0 ? 0 : 3],
				clusters.kmeans.cluster[2] == 0 ?
				1 - cos(atan2(sqrt(0.5), 2 + sqrt(0.5))) :
				1 - cos(M_PI / 8), 1e-15);
	point_clusters_release(host, &clusters);

	directions[0] = 0;
	EXPECT(point_clusters_run(host, &points, &options, NULL, &clusters,
							  &report) == GL_ERR_DATA);
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	double		values[6] = {20, 1, 21, 10, 2, 11};
	int64_t		ids[6] = {1, 2, 3, 4, 5, 6};
	int32_t		row[2] = {4, 0};
	int32_t		cluster[2] = {2, 1};
	ClusterStart start = {2, row, cluster};
	PointSet	points = {{6, 1, SCALAR_FLOAT8, values}, ids};
	PointClustersOptions options;
	PointClusters clusters;
	PointClustersReport report;

	point_clusters_defaults(&options);
	options.kmeans.cluster_count = 3;
	options.kmeans.restarts = 1;
	options.scale = SCALE_STANDARD;
	GL_TRY(point_clusters_run(host, &points, &options, &start, &clusters,
							  &report));
	point_clusters_release(host, &clusters);
	GL_TRY(point_clusters_run(host, &points, &options, NULL, &clusters,
							  &report));
	point_clusters_release(host, &clusters);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(refusal_job);
}

int
main(void)
{
	RUN(test_canonical);
	RUN(test_start);
	RUN(test_start_centres);
	RUN(test_start_check);
	RUN(test_points);
	RUN(test_refused);
	UNIT_TEST_END();
}
