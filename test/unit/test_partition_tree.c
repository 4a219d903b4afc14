/*
 * test_partition_tree.c
 *		If this fails, a tree is none, is lopsided beyond bounds, or differs
 *		between two runs.
 */
#include "point_shapes.h"
#include "tree_samples.h"

/* ceil(log2(n)) */
static int
log_ceiling(int n)
{
	int			levels = 0;

	while ((1 << levels) < n)
		levels++;
	return levels;
}

/* Build, verify, build again: the same bytes; returns the depth. */
static int
expect_way(const PointMatrix *points, GraphMetric metric, int way)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int64_t		n = points->row_count;
	PartitionTree tree;
	PartitionTree again;
	int			depth;

	EXPECT_OK(host, way_build(host, points, metric, way, 5, &tree));
	EXPECT(tree.leaf_count == n);
	depth = expect_tree(host, &tree);
	EXPECT_OK(host, way_build(host, points, metric, way, 5, &again));
	EXPECT(memcmp(tree.left_size, again.left_size,
				  sizeof(int32_t) * (size_t) (n - 1)) == 0);
	EXPECT(memcmp(tree.leaf_row, again.leaf_row,
				  sizeof(int32_t) * (size_t) n) == 0);
	partition_tree_release(host, &again);
	partition_tree_release(host, &tree);
	EXPECT(tree.left_size == NULL && tree.leaf_count == 0);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	return depth;
}

static void
test_all_shapes(void)
{
	const int	sizes[] = {1, 2, 3, 4, 9, 60, 300};
	const int	columns[] = {1, 2, 9};
	GlRandom	random;

	gl_random_begin(&random, 41);
	for (int shape = 0; shape < POINTS_SHAPES; shape++)
		for (int s = 0; s < 7; s++)
			for (int c = 0; c < 3; c++)
			{
				PointMatrix points = point_shape_make(&random, shape,
													  sizes[s], columns[c],
													  (s + c) % 2);

				for (int way = 0; way < TREE_WAYS; way++)
					expect_way(&points, METRIC_EUCLIDEAN, way);
				free((void *) points.values);
			}
}

static void
test_all_divergences(void)
{
	const int	sizes[] = {1, 2, 3, 4, 5, 50, 400};
	GlRandom	random;

	gl_random_begin(&random, 42);
	for (int m = 0; m < SAMPLE_METRICS; m++)
		for (int s = 0; s < 7; s++)
		{
			PointMatrix points = sample_rows(&random, sample_metrics[m],
											 sizes[s], 3);

			for (int way = 0; way < TREE_WAYS; way++)
				if (way_applies(way, sample_metrics[m]))
					EXPECT(expect_way(&points, sample_metrics[m], way) <= 40);
			free((void *) points.values);
		}
}

/* Rows near the largest and the smallest doubles: any tree, but a tree. */
static void
test_extreme_scales(void)
{
	const double scales[] = {1e-320, 1e-300, 1e-160, 1e160, 1e300, 1.7e308};
	GlRandom	random;

	gl_random_begin(&random, 43);
	for (int s = 0; s < 6; s++)
	{
		double		values[100 * 3];
		PointMatrix points = {100, 3, SCALAR_FLOAT8, values};

		for (int i = 0; i < 300; i++)
			values[i] = (gl_random_unit(&random) * 2 - 1) * scales[s];
		for (int way = 0; way < TREE_WAYS; way++)
			EXPECT(expect_way(&points, METRIC_EUCLIDEAN, way) <= 60);
		for (int i = 0; i < 300; i++)
			values[i] = fabs(values[i]) + 1e-323;
		for (int way = 0; way < TREE_WAYS; way++)
			if (way_applies(way, METRIC_COUNTS))
			{
				expect_way(&points, METRIC_COUNTS, way);
				expect_way(&points, METRIC_ITAKURA_SAITO, way);
			}
	}
}

/*
 * A geometric series: two means would peel off one row at a time, 3000 levels.
 * The factor is sqrt(1.5), so that squares stay within doubles; then 1.5.
 */
static void
test_chains(void)
{
	static double values[3000];
	PointMatrix points = {3000, 1, SCALAR_FLOAT8, values};

	for (int factor = 1; factor <= 2; factor++)
	{
		points.row_count = 3000 / factor;
		for (int i = 0; i < points.row_count; i++)
			values[i] = pow(1.5, factor * (i - points.row_count / 2.0) / 2);
		EXPECT(expect_way(&points, METRIC_EUCLIDEAN, WAY_BISECT) <= 80);
		EXPECT(expect_way(&points, METRIC_EUCLIDEAN, WAY_RANDOM) <= 80);
		EXPECT(expect_way(&points, METRIC_COUNTS, WAY_BISECT) <= 80);
		EXPECT(expect_way(&points, METRIC_COUNTS, WAY_RANDOM) <= 80);
		EXPECT(expect_way(&points, METRIC_ITAKURA_SAITO, WAY_BISECT) <= 80);
	}
}

/* Copies are halved; one stranger among them costs one level or two. */
static void
test_duplicates(void)
{
	const int	sizes[] = {2, 3, 5, 64, 1000};

	for (int s = 0; s < 5; s++)
	{
		int			n = sizes[s];
		double	   *values = malloc(sizeof(double) * 2 * (size_t) n);
		PointMatrix points = {n, 2, SCALAR_FLOAT8, values};

		for (int i = 0; i < 2 * n; i++)
			values[i] = 0.7;
		for (int way = 0; way < TREE_WAYS; way++)
			EXPECT(expect_way(&points, METRIC_EUCLIDEAN, way) ==
				   log_ceiling(n));
		values[n] = 0.9;
		for (int way = 0; way < TREE_WAYS; way++)
			for (int m = 0; m < SAMPLE_METRICS; m++)
				if (way_applies(way, sample_metrics[m]))
					EXPECT(expect_way(&points, sample_metrics[m], way) <=
						   log_ceiling(n) + 1);
		free(values);
	}
}

/* Two clumps far apart: the root parts them, whatever the kind. */
static void
test_clumps_are_parted(void)
{
	GlRandom	random;
	double		values[200 * 4];
	PointMatrix points = {200, 4, SCALAR_FLOAT8, values};

	gl_random_begin(&random, 44);
	for (int i = 0; i < 800; i++)
		values[i] = 1e8 + gl_random_normal(&random) + (i / 4 % 3 ? 0 : 1000);
	for (int way = 0; way < TREE_WAYS; way++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PartitionTree tree;

		/* a random pair may lie in one clump: not promised there */
		if (way == WAY_RANDOM)
			continue;
		EXPECT_OK(host, way_build(host, &points, METRIC_EUCLIDEAN, way, 0,
								  &tree));
		EXPECT(tree.left_size[0] == 67 || tree.left_size[0] == 133);
		for (int i = 1; i < tree.left_size[0]; i++)
			EXPECT((tree.leaf_row[i] % 3 == 0) ==
				   (tree.leaf_row[0] % 3 == 0));
		partition_tree_release(host, &tree);
		test_host_end(&test);
	}
}

/* Seeds tell random trees apart; float rows give the tree of their doubles. */
static void
test_seed_and_scalar(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PointMatrix narrow;
	double		values[100 * 2];
	PointMatrix wide = {100, 2, SCALAR_FLOAT8, values};

	gl_random_begin(&random, 45);
	narrow = point_shape_make(&random, POINTS_NORMAL, 100, 2, true);
	for (int i = 0; i < 200; i++)
		values[i] = ((const float *) narrow.values)[i];
	for (int way = 0; way < TREE_WAYS; way++)
	{
		PartitionTree tree[3];

		EXPECT_OK(host, way_build(host, &narrow, METRIC_EUCLIDEAN, way, 1,
								  &tree[0]));
		EXPECT_OK(host, way_build(host, &wide, METRIC_EUCLIDEAN, way, 1,
								  &tree[1]));
		EXPECT_OK(host, way_build(host, &wide, METRIC_EUCLIDEAN, way, 2,
								  &tree[2]));
		EXPECT(memcmp(tree[0].left_size, tree[1].left_size,
					  99 * sizeof(int32_t)) == 0);
		EXPECT(memcmp(tree[0].leaf_row, tree[1].leaf_row,
					  100 * sizeof(int32_t)) == 0);
		if (way == WAY_RANDOM)
			EXPECT(memcmp(tree[0].left_size, tree[2].left_size,
						  99 * sizeof(int32_t)) != 0);
		for (int t = 0; t < 3; t++)
			partition_tree_release(host, &tree[t]);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free((void *) narrow.values);
}

/* The tree (((0,1),2),((3,4),5)) of the golden vector G1. */
static void
test_links(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int32_t		left_size[] = {3, 2, 1, 2, 1};
	int32_t		leaf_row[] = {0, 1, 2, 3, 4, 5};
	PartitionTree tree = {6, left_size, leaf_row};
	TreeLinks	links;
	const int32_t left[] = {1, 2, 5, 4, 8};
	const int32_t right[] = {3, 7, 6, 10, 9};
	const int32_t size[] = {6, 3, 2, 3, 2};
	const int32_t first[] = {0, 0, 0, 3, 3};

	EXPECT_OK(host, partition_tree_check(host, &tree));
	EXPECT_OK(host, tree_links_begin(host, &tree, &links));
	EXPECT(memcmp(links.left, left, sizeof(left)) == 0);
	EXPECT(memcmp(links.right, right, sizeof(right)) == 0);
	EXPECT(memcmp(links.size, size, sizeof(size)) == 0);
	EXPECT(memcmp(links.first, first, sizeof(first)) == 0);
	tree_links_end(host, &links);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Children cover their parent, side by side, in every tree. */
static void
test_links_are_nested(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	PointMatrix points;

	gl_random_begin(&random, 46);
	points = sample_rows(&random, METRIC_EUCLIDEAN, 333, 2);
	for (int way = 0; way < TREE_WAYS; way++)
	{
		PartitionTree tree;
		TreeLinks	links;
		bool		seen[2 * 333 - 1] = {true};

		EXPECT_OK(host, way_build(host, &points, METRIC_EUCLIDEAN, way, 0,
								  &tree));
		EXPECT_OK(host, tree_links_begin(host, &tree, &links));
		for (int p = 0; p < 332; p++)
		{
			int32_t		left = links.left[p];
			int32_t		right = links.right[p];

			EXPECT(left > p && right > p && left != right);
			EXPECT(!seen[left] && !seen[right]);
			seen[left] = seen[right] = true;
			EXPECT(node_leaves(&links, left) == tree.left_size[p]);
			EXPECT(node_leaves(&links, left) + node_leaves(&links, right) ==
				   links.size[p]);
			EXPECT(node_start(&links, left) == links.first[p]);
			EXPECT(node_start(&links, right) ==
				   links.first[p] + tree.left_size[p]);
		}
		tree_links_end(host, &links);
		partition_tree_release(host, &tree);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free((void *) points.values);
}

/* What no version of us wrote is refused, and reading stays in bounds. */
static void
test_corrupt_trees(void)
{
	const int32_t bad[] = {0, -1, 6, 7, INT32_MAX, INT32_MIN};
	const int32_t good_sizes[] = {3, 2, 1, 2, 1};
	const int32_t good_rows[] = {5, 1, 0, 3, 4, 2};

	for (int at = 0; at < 11; at++)
		for (int b = 0; b < 6; b++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			int32_t    *sizes = malloc(sizeof(good_sizes));
			int32_t    *rows = malloc(sizeof(good_rows));
			PartitionTree tree = {6, sizes, rows};

			memcpy(sizes, good_sizes, sizeof(good_sizes));
			memcpy(rows, good_rows, sizeof(good_rows));
			EXPECT_OK(host, partition_tree_check(host, &tree));
			if (at < 5)
				sizes[at] = bad[b];
			else
				rows[at - 5] = bad[b] == 0 ? rows[(at - 4) % 6] : bad[b];
			EXPECT(partition_tree_check(host, &tree) == GL_ERR_CORRUPT);
			test_host_end(&test);
			free(sizes);
			free(rows);
		}
	/* a shape whose sizes add up, but not within their parents */
	for (int32_t first = 1; first < 6; first++)
		for (int32_t second = 1; second < 6; second++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			int32_t		sizes[] = {first, second, 1, 1, 1};
			int32_t		rows[] = {0, 1, 2, 3, 4, 5};
			PartitionTree tree = {6, sizes, rows};
			GlStatus	status = partition_tree_check(host, &tree);

			/* node 1 is the left child, or the right one after a leaf */
			EXPECT(first > 1 ? (status == GL_OK) == (second < first) :
				   (status == GL_OK) == (second < 5));
			test_host_end(&test);
		}
}

static void
test_impossible_sizes(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PartitionTree tree = {0, NULL, NULL};
	PointMatrix points = {PARTITION_TREE_MAX_LEAVES + 1, 1, SCALAR_FLOAT8,
	NULL};
	int32_t		row = 0;

	EXPECT(partition_tree_check(host, &tree) == GL_ERR_CORRUPT);
	tree.leaf_count = PARTITION_TREE_MAX_LEAVES + 1;
	EXPECT(partition_tree_check(host, &tree) == GL_ERR_CORRUPT);
	tree.leaf_count = -1;
	EXPECT(partition_tree_check(host, &tree) == GL_ERR_CORRUPT);
	tree = (PartitionTree) {1, NULL, &row};
	EXPECT_OK(host, partition_tree_check(host, &tree));
	for (int way = 0; way < TREE_WAYS; way++)
	{
		memset(&tree, 0xA5, sizeof(tree));
		EXPECT(way_build(host, &points, METRIC_EUCLIDEAN, way, 0, &tree) ==
			   GL_ERR_TOO_LARGE);
		EXPECT(tree.leaf_count == 0 && tree.leaf_row == NULL);
	}
	test_host_end(&test);
}

/* Work grows as n log n: rows ten times as many, work less than 20 times. */
static void
test_work(void)
{
	for (int way = WAY_BISECT; way <= WAY_RANDOM; way++)
		for (int shape = 0; shape < POINTS_SHAPES; shape++)
		{
			long		polls[2];

			for (int large = 0; large < 2; large++)
			{
				TestHost	test;
				GlHost	   *host = test_host_begin(&test);
				GlRandom	random;
				PartitionTree tree;
				PointMatrix points;

				gl_random_begin(&random, 47);
				points = point_shape_make(&random, shape,
										  large ? 10000 : 1000, 3, false);
				host->poll_interval = host->work_left = 500;
				EXPECT_OK(host, way_build(host, &points, METRIC_EUCLIDEAN,
										  way, 0, &tree));
				polls[large] = test.polls;
				test_host_end(&test);
				free((void *) points.values);
			}
			EXPECT(polls[1] <= 22 * polls[0]);
		}
}

static GlStatus
build_chain(GlHost *host, TreeKind kind)
{
	double		values[120];
	PointMatrix points = {120, 1, SCALAR_FLOAT8, values};
	PartitionTree tree;
	TreeLinks	links;

	/* long enough for the cut at the median */
	for (int i = 0; i < 120; i++)
		values[i] = pow(3, i);
	GL_TRY(partition_tree_build(host, &points, divergence_of(METRIC_EUCLIDEAN),
								kind, 3, &tree));
	GL_TRY(partition_tree_check(host, &tree));
	GL_TRY(tree_links_begin(host, &tree, &links));
	tree_links_end(host, &links);
	partition_tree_release(host, &tree);
	return GL_OK;
}

static GlStatus
bisect_job(GlHost *host)
{
	return build_chain(host, TREE_BISECT);
}

static GlStatus
random_job(GlHost *host)
{
	return build_chain(host, TREE_RANDOM);
}

static void
test_refused(void)
{
	test_refusals(bisect_job);
	test_refusals(random_job);
}

int
main(void)
{
	RUN(test_all_shapes);
	RUN(test_all_divergences);
	RUN(test_extreme_scales);
	RUN(test_chains);
	RUN(test_duplicates);
	RUN(test_clumps_are_parted);
	RUN(test_seed_and_scalar);
	RUN(test_links);
	RUN(test_links_are_nested);
	RUN(test_corrupt_trees);
	RUN(test_impossible_sizes);
	RUN(test_work);
	RUN(test_refused);
	UNIT_TEST_END();
}
