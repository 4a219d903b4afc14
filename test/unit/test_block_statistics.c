/*
 * test_block_statistics.c
 *		If this fails, blocks have wrong distances: sums over pairs of rows
 *		disagree with the statistics of nodes.
 */
#include "tree_samples.h"

#include "graph/block_statistics.h"

/* A tree, its links and the statistics of all nodes. */
typedef struct Forest
{
	TestHost	test;
	GlHost	   *host;
	GraphMetric metric;
	PointMatrix points;
	PartitionTree tree;
	TreeLinks	links;
	TreeStatistics statistics;
} Forest;

static void
forest_begin(Forest *forest, const PointMatrix *points, GraphMetric metric,
			 int way)
{
	GlHost	   *host = forest->host = test_host_begin(&forest->test);

	forest->metric = metric;
	forest->points = *points;
	EXPECT_OK(host, way_build(host, points, metric, way, 0, &forest->tree));
	EXPECT_OK(host, tree_links_begin(host, &forest->tree, &forest->links));
	EXPECT_OK(host, block_statistics_begin(host, points, &forest->tree,
										   &forest->links,
										   divergence_of(metric),
										   &forest->statistics));
	EXPECT(forest->statistics.node_count == 2 * points->row_count - 1);
}

static void
forest_end(Forest *forest)
{
	block_statistics_end(forest->host, &forest->statistics);
	tree_links_end(forest->host, &forest->links);
	partition_tree_release(forest->host, &forest->tree);
	EXPECT_NOTHING_LEFT(&forest->test);
	test_host_end(&forest->test);
}

static const double *
leaf_values(const Forest *forest, int position)
{
	return (const double *) forest->points.values +
		(int64_t) forest->tree.leaf_row[position] *
		forest->points.dimension_count;
}

/* The mean of d(x, y) over the rows of two nodes, pair by pair. */
static double
plain_delta(const Forest *forest, int32_t a, int32_t b)
{
	const TreeLinks *links = &forest->links;
	long double sum = 0;

	for (int i = 0; i < node_leaves(links, a); i++)
		for (int j = 0; j < node_leaves(links, b); j++)
			sum += plain_divergence(forest->metric,
									leaf_values(forest,
												node_start(links, a) + i),
									leaf_values(forest,
												node_start(links, b) + j),
									forest->points.dimension_count);
	return (double) (sum / node_leaves(links, a) / node_leaves(links, b));
}

static double
node_delta(const Forest *forest, int32_t a, int32_t b)
{
	return block_statistics_divergence(divergence_of(forest->metric),
									   forest->points.dimension_count,
									   &forest->statistics.node[a],
									   &forest->statistics.node[b]);
}

/* Any two nodes, overlapping or not: the statistics know nothing of blocks. */
static void
test_pairs_against_sums(void)
{
	GlRandom	random;

	gl_random_begin(&random, 71);
	for (int m = 0; m < SAMPLE_METRICS; m++)
		for (int way = 0; way < TREE_WAYS; way++)
		{
			PointMatrix points;
			Forest		forest;

			if (!way_applies(way, sample_metrics[m]))
				continue;
			points = sample_rows(&random, sample_metrics[m], 40, 3);
			forest_begin(&forest, &points, sample_metrics[m], way);
			for (int t = 0; t < 300; t++)
			{
				int32_t		a = (int32_t) gl_random_below(&random, 79);
				int32_t		b = (int32_t) gl_random_below(&random, 79);
				double		wanted = plain_delta(&forest, a, b);
				double		actual = node_delta(&forest, a, b);

				EXPECT_NEAR(actual, wanted, 1e-10 * (1 + wanted));
				EXPECT(actual >= 0);
				if (m == 0)
					EXPECT_NEAR(node_delta(&forest, b, a), actual,
								1e-13 * (1 + actual));
			}
			forest_end(&forest);
			free((void *) points.values);
		}
}

/* Means, dual means and scatters of every node, by their definitions. */
static void
test_node_statistics(void)
{
	GlRandom	random;

	gl_random_begin(&random, 72);
	for (int m = 0; m < SAMPLE_METRICS; m++)
	{
		GraphMetric metric = sample_metrics[m];
		const Divergence *divergence = divergence_of(metric);
		PointMatrix points = sample_rows(&random, metric, 60, 2);
		Forest		forest;

		forest_begin(&forest, &points, metric, WAY_BISECT);
		for (int32_t v = 0; v < 119; v++)
		{
			const NodeStatistics *node = &forest.statistics.node[v];
			int			start = node_start(&forest.links, v);
			double		mean[2] = {0, 0};
			double		dual[2] = {0, 0};
			double		scatter = 0;
			double		dual_scatter = 0;

			EXPECT(node->count == node_leaves(&forest.links, v));
			for (int i = 0; i < node->count; i++)
				for (int j = 0; j < 2; j++)
				{
					double		x = leaf_values(&forest, start + i)[j];

					mean[j] += x / node->count;
					dual[j] += divergence->gradient(x) / node->count;
				}
			for (int j = 0; j < 2; j++)
			{
				dual[j] = divergence->inverse(dual[j]);
				EXPECT_NEAR(node->mean[j], mean[j], 1e-12 * (1 +
															 fabs(mean[j])));
				EXPECT_NEAR(node->dual[j], dual[j], 1e-12 * (1 +
															 fabs(dual[j])));
			}
			for (int i = 0; i < node->count; i++)
			{
				const double *x = leaf_values(&forest, start + i);

				scatter += divergence_between(divergence, x, mean, 2);
				dual_scatter += divergence_between(divergence, dual, x, 2);
			}
			EXPECT_NEAR(node->scatter, scatter, 1e-10 * (1 + scatter));
			EXPECT_NEAR(node->dual_scatter, dual_scatter,
						1e-10 * (1 + dual_scatter));
			EXPECT((node->dual == node->mean) == (m == 0 || node->count == 1));
		}
		forest_end(&forest);
		free((void *) points.values);
	}
}

/* D = |A||B| delta adds up over the children of either side. */
static void
test_additivity(void)
{
	GlRandom	random;

	gl_random_begin(&random, 73);
	for (int m = 0; m < SAMPLE_METRICS; m++)
	{
		PointMatrix points = sample_rows(&random, sample_metrics[m], 80, 4);
		Forest		forest;
		double		total = 0;

		forest_begin(&forest, &points, sample_metrics[m], WAY_RANDOM);
		for (int32_t p = 0; p < 79; p++)
		{
			int32_t		l = forest.links.left[p];
			int32_t		r = forest.links.right[p];
			double		size_l = node_leaves(&forest.links, l);
			double		size_r = node_leaves(&forest.links, r);
			int32_t		other = (int32_t) gl_random_below(&random, 159);
			double		whole = (size_l + size_r) * node_delta(&forest, p,
															   other);

			EXPECT_NEAR(whole, size_l * node_delta(&forest, l, other) +
						size_r * node_delta(&forest, r, other),
						1e-11 * (1 + whole));
			whole = (size_l + size_r) * node_delta(&forest, other, p);
			EXPECT_NEAR(whole, size_l * node_delta(&forest, other, l) +
						size_r * node_delta(&forest, other, r),
						1e-11 * (1 + whole));
			total += size_l * size_r * (node_delta(&forest, l, r) +
										node_delta(&forest, r, l));
			if (m == 0)
			{
				/* siblings: |C| SS_C - |A| SS_A - |B| SS_B */
				const NodeStatistics *node = forest.statistics.node;

				EXPECT_NEAR(size_l * size_r * node_delta(&forest, l, r),
							(size_l + size_r) * node[p].scatter -
							size_l * node[l].scatter -
							size_r * node[r].scatter, 1e-9);
			}
		}
		/* all pairs: n (I + J) of the root, plus n^2 d(mu, y) */
		EXPECT_NEAR(total, 6400 * node_delta(&forest, 0, 0), 1e-9 * total);
		if (m == 0)
			EXPECT_NEAR(total, 160 * forest.statistics.node[0].scatter,
						1e-9 * total);
		forest_end(&forest);
		free((void *) points.values);
	}
}

/*
 * Rows of unit spread around 1e8: S2 - S1^2/n would be 0 or negative there.
 * A mean is rounded to 1e-8 itself, so that no more digits can be had.
 */
static void
test_offset(void)
{
	GlRandom	random;

	gl_random_begin(&random, 74);
	for (int m = 0; m < 3; m++)
	{
		PointMatrix points = sample_rows(&random, METRIC_EUCLIDEAN, 60, 3);
		PointMatrix plain = points;
		double	   *shifted = malloc(sizeof(double) * 180);
		Forest		forest;

		for (int i = 0; i < 180; i++)
		{
			/* rows that are exact at both places */
			double	   *x = (double *) points.values + i;

			*x = rint(*x * 64) / 64;
			shifted[i] = 1e8 + *x;
		}
		plain.values = shifted;
		forest_begin(&forest, &plain, sample_metrics[m], WAY_BISECT);
		for (int t = 0; t < 200; t++)
		{
			int32_t		a = (int32_t) gl_random_below(&random, 119);
			int32_t		b = (int32_t) gl_random_below(&random, 119);
			double		wanted;
			double		actual = node_delta(&forest, a, b);

			/* near x = y: phi''/2 of the squared distance */
			forest.points = points;
			forest.metric = METRIC_EUCLIDEAN;
			wanted = plain_delta(&forest, a, b);
			wanted *= m == 0 ? 1 : m == 1 ? 0.5e-8 : 0.5e-16;
			EXPECT_NEAR(actual, wanted, (m == 1 ? 1e-5 : 3e-7) * wanted);
			forest.points = plain;
			forest.metric = sample_metrics[m];
		}
		forest_end(&forest);
		free(shifted);
		free((void *) points.values);
	}
}

static void
test_from_row(void)
{
	GlRandom	random;

	gl_random_begin(&random, 75);
	for (int m = 0; m < SAMPLE_METRICS; m++)
	{
		GraphMetric metric = sample_metrics[m];
		PointMatrix points = sample_rows(&random, metric, 30, 2);
		PointMatrix strangers = sample_rows(&random, metric, 10, 2);
		Forest		forest;

		forest_begin(&forest, &points, metric, WAY_BISECT);
		for (int32_t v = 0; v < 59; v++)
		{
			const double *x = (const double *) strangers.values + 2 * (v % 10);
			int			count = node_leaves(&forest.links, v);
			double		wanted = 0;

			for (int i = 0; i < count; i++)
				wanted += (double)
					plain_divergence(metric, x,
									 leaf_values(&forest,
												 node_start(&forest.links,
															v) + i), 2) /
					count;
			EXPECT_NEAR(block_statistics_from_row(divergence_of(metric), 2, x,
												  &forest.statistics.node[v]),
						wanted, 1e-11 * (1 + wanted));
		}
		forest_end(&forest);
		free((void *) points.values);
		free((void *) strangers.values);
	}
}

/* What a visitor saw. */
typedef struct Visits
{
	const Forest *forest;
	int32_t		last;
	int			count;
	double		worst;			/* largest relative difference */
} Visits;

static void
compare_numbers(Visits *visits, double x, double y)
{
	visits->worst = fmax(visits->worst, fabs(x - y) / (1 + fabs(y)));
}

static GlStatus
visit_node(GlHost *host, void *state, int32_t node,
		   const NodeStatistics *left, const NodeStatistics *right)
{
	Visits	   *visits = state;
	const Forest *forest = visits->forest;
	const NodeStatistics *seen[2] = {left, right};
	int32_t		child[2] = {forest->links.left[node],
	forest->links.right[node]};

	EXPECT(node == visits->last - 1);
	visits->last = node;
	visits->count++;
	for (int s = 0; s < 2; s++)
	{
		const NodeStatistics *kept = &forest->statistics.node[child[s]];

		EXPECT(seen[s]->count == kept->count);
		compare_numbers(visits, seen[s]->scatter, kept->scatter);
		compare_numbers(visits, seen[s]->dual_scatter, kept->dual_scatter);
		for (int j = 0; j < forest->points.dimension_count; j++)
		{
			compare_numbers(visits, seen[s]->mean[j], kept->mean[j]);
			compare_numbers(visits, seen[s]->dual[j], kept->dual[j]);
		}
	}
	return gl_work(host, 1);
}

static void
expect_visits(Forest *forest)
{
	int32_t		n = (int32_t) forest->points.row_count;
	Visits		visits = {.forest = forest, .last = n - 1};

	EXPECT_OK(forest->host,
			  block_statistics_visit(forest->host, &forest->points,
									 &forest->tree, &forest->links,
									 divergence_of(forest->metric), visit_node,
									 &visits));
	EXPECT(visits.count == n - 1);
	EXPECT(visits.worst == 0);	/* the same operations, so the same bits */
}

/* The walk on a stack and the statistics kept are the same numbers. */
static void
test_visit_equals_kept(void)
{
	const int	sizes[] = {1, 2, 3, 4, 7, 200};
	GlRandom	random;

	gl_random_begin(&random, 76);
	for (int m = 0; m < SAMPLE_METRICS; m++)
		for (int s = 0; s < 6; s++)
			for (int way = 0; way < TREE_WAYS; way++)
			{
				PointMatrix points;
				Forest		forest;

				if (!way_applies(way, sample_metrics[m]))
					continue;
				points = sample_rows(&random, sample_metrics[m], sizes[s], 3);
				forest_begin(&forest, &points, sample_metrics[m], way);
				expect_visits(&forest);
				forest_end(&forest);
				free((void *) points.values);
			}
}

/*
 * Trees as deep as they can be, where the stack grows: combs to the left, to
 * the right, and a comb of pairs that leaves one entry per level.
 */
static void
test_deep_trees(void)
{
	int			n = 2001;
	GlRandom	random;

	gl_random_begin(&random, 77);
	for (int m = 0; m < 2; m++)
		for (int comb = 0; comb < 3; comb++)
		{
			const Divergence *divergence = divergence_of(sample_metrics[m]);
			Forest		forest;
			GlHost	   *host = forest.host = test_host_begin(&forest.test);
			int32_t    *sizes = malloc(sizeof(int32_t) * (size_t) n);
			int32_t    *rows = malloc(sizeof(int32_t) * (size_t) n);

			forest.metric = sample_metrics[m];
			forest.points = sample_rows(&random, forest.metric, n, 2);
			forest.tree = (PartitionTree) {n, sizes, rows};
			for (int i = 0; i < n; i++)
				rows[i] = i * 7 % n;
			for (int p = 0; p < n - 1; p++)
				sizes[p] = comb == 0 ? n - 1 - p : 1;
			/* pairs on the right of what is left: sizes n-2, n-4, ... 1 */
			for (int p = 0; comb == 2 && p < n / 2; p++)
				sizes[p] = n - 2 - 2 * p;
			EXPECT_OK(host, partition_tree_check(host, &forest.tree));
			EXPECT_OK(host, tree_links_begin(host, &forest.tree,
											 &forest.links));
			EXPECT_OK(host, block_statistics_begin(host, &forest.points,
												   &forest.tree,
												   &forest.links, divergence,
												   &forest.statistics));
			expect_visits(&forest);
			test_host_end(&forest.test);
			free(sizes);
			free(rows);
			free((void *) forest.points.values);
		}
}

/* Golden vector G1: means and sums of squares of the fixed tree. */
static void
test_golden_line(void)
{
	const double values[] = {0, 1, 3, 7, 8, 14};
	PointMatrix points = {6, 1, SCALAR_FLOAT8, values};
	int32_t		sizes[] = {3, 2, 1, 2, 1};
	int32_t		rows[] = {0, 1, 2, 3, 4, 5};
	const double means[] = {5.5, 4.0 / 3, 0.5, 29.0 / 3, 7.5};
	const double squares[] = {137.5, 14.0 / 3, 0.5, 86.0 / 3, 0.5};
	const double d[] = {725, 13, 1, 85, 1};
	Forest		forest = {.metric = METRIC_EUCLIDEAN, .points = points};
	GlHost	   *host = forest.host = test_host_begin(&forest.test);

	forest.tree = (PartitionTree) {6, sizes, rows};
	EXPECT_OK(host, tree_links_begin(host, &forest.tree, &forest.links));
	EXPECT_OK(host, block_statistics_begin(host, &points, &forest.tree,
										   &forest.links,
										   divergence_of(METRIC_EUCLIDEAN),
										   &forest.statistics));
	for (int p = 0; p < 5; p++)
	{
		int32_t		l = forest.links.left[p];
		int32_t		r = forest.links.right[p];

		EXPECT_NEAR(forest.statistics.node[p].mean[0], means[p], 1e-13);
		EXPECT_NEAR(forest.statistics.node[p].scatter, squares[p], 1e-12);
		EXPECT_NEAR(node_delta(&forest, l, r) * node_leaves(&forest.links, l) *
					node_leaves(&forest.links, r), d[p], 1e-11);
	}
	test_host_end(&forest.test);
}

/* Golden vector G3: documents under the generalised I-divergence. */
static void
test_golden_counts(void)
{
	const double values[] = {4, 1, 3, 2, 1, 5, 2, 6};
	PointMatrix points = {4, 2, SCALAR_FLOAT8, values};
	int32_t		sizes[] = {2, 1, 1};
	int32_t		rows[] = {0, 1, 2, 3};
	Forest		forest = {.metric = METRIC_COUNTS, .points = points};
	GlHost	   *host = forest.host = test_host_begin(&forest.test);

	forest.tree = (PartitionTree) {4, sizes, rows};
	EXPECT_OK(host, tree_links_begin(host, &forest.tree, &forest.links));
	EXPECT_OK(host, block_statistics_begin(host, &points, &forest.tree,
										   &forest.links,
										   divergence_of(METRIC_COUNTS),
										   &forest.statistics));
	EXPECT_NEAR(node_delta(&forest, 3, 4), 0.457581109247, 1e-12);
	EXPECT_NEAR(node_delta(&forest, 4, 3), 0.523248143765, 1e-12);
	EXPECT_NEAR(node_delta(&forest, 5, 6), 0.395245035470, 1e-12);
	EXPECT_NEAR(node_delta(&forest, 6, 5), 0.480223701884, 1e-12);
	EXPECT_NEAR(4 * node_delta(&forest, 1, 2), 13.398994934301, 1e-11);
	EXPECT_NEAR(4 * node_delta(&forest, 2, 1), 17.288742541794, 1e-11);
	/* the dual mean is geometric, its scatter |A| sum(mu - y) */
	EXPECT_NEAR(forest.statistics.node[1].dual[0], sqrt(12), 1e-14);
	EXPECT_NEAR(forest.statistics.node[1].dual_scatter,
				2 * (3.5 - sqrt(12) + 1.5 - sqrt(2)), 1e-13);
	test_host_end(&forest.test);
}

static GlStatus
statistics_job(GlHost *host, GraphMetric metric)
{
	double		values[2 * 150];
	int32_t		sizes[149];
	int32_t		rows[150];
	PointMatrix points = {150, 2, SCALAR_FLOAT8, values};
	PartitionTree tree = {150, sizes, rows};
	Forest		forest = {.metric = metric, .points = points, .tree = tree};
	Visits		visits = {.forest = &forest, .last = 149};

	/* the comb of pairs: 75 entries, more than the stack begins with */
	for (int i = 0; i < 150; i++)
	{
		rows[i] = i;
		values[2 * i] = 1 + i;
		values[2 * i + 1] = 2 + i % 3;
	}
	for (int p = 0; p < 149; p++)
		sizes[p] = p < 74 ? 148 - 2 * p : 1;
	GL_TRY(tree_links_begin(host, &tree, &forest.links));
	GL_TRY(block_statistics_begin(host, &points, &tree, &forest.links,
								  divergence_of(metric), &forest.statistics));
	GL_TRY(block_statistics_visit(host, &points, &tree, &forest.links,
								  divergence_of(metric), visit_node,
								  &visits));
	block_statistics_end(host, &forest.statistics);
	tree_links_end(host, &forest.links);
	return GL_OK;
}

static GlStatus
euclidean_job(GlHost *host)
{
	return statistics_job(host, METRIC_EUCLIDEAN);
}

static GlStatus
counts_job(GlHost *host)
{
	return statistics_job(host, METRIC_COUNTS);
}

static void
test_refused(void)
{
	test_refusals(euclidean_job);
	test_refusals(counts_job);
}

int
main(void)
{
	RUN(test_pairs_against_sums);
	RUN(test_node_statistics);
	RUN(test_additivity);
	RUN(test_offset);
	RUN(test_from_row);
	RUN(test_visit_equals_kept);
	RUN(test_deep_trees);
	RUN(test_golden_line);
	RUN(test_golden_counts);
	RUN(test_refused);
	UNIT_TEST_END();
}
