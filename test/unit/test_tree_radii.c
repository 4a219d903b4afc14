/*
 * test_tree_radii.c
 *		If this fails, a ball does not hold the rows of its node, so that a
 *		descent or a tolerance cuts off rows it must not; or balls are so wide
 *		that nothing is ever cut off.
 */
#include "tree_samples.h"

#include "graph/block_statistics.h"
#include "graph/tree_radii.h"

/* A tree with the means of its inner nodes, which lie one behind the other. */
typedef struct Sample
{
	PointMatrix points;
	PartitionTree tree;
	TreeLinks	links;
	TreeStatistics statistics;
	PointMatrix mean;
} Sample;

#define WAY_CHAIN	TREE_WAYS

/* Every left child is a leaf. */
static GlStatus
chain_build(GlHost *host, int64_t n, PartitionTree *tree)
{
	tree->leaf_count = n;
	GL_NEW(host, tree->left_size, n - 1);
	GL_NEW(host, tree->leaf_row, n);
	for (int32_t i = 0; i < n; i++)
	{
		tree->leaf_row[i] = (int32_t) n - 1 - i;
		if (i < n - 1)
			tree->left_size[i] = 1;
	}
	return GL_OK;
}

static GlStatus
sample_begin(GlHost *host, int way, Sample *sample)
{
	const Divergence *divergence = divergence_of(METRIC_EUCLIDEAN);

	if (way == WAY_CHAIN)
		GL_TRY(chain_build(host, sample->points.row_count, &sample->tree));
	else
		GL_TRY(way_build(host, &sample->points, METRIC_EUCLIDEAN, way, 3,
						 &sample->tree));
	GL_TRY(tree_links_begin(host, &sample->tree, &sample->links));
	GL_TRY(block_statistics_begin(host, &sample->points, &sample->tree,
								  &sample->links, divergence,
								  &sample->statistics));
	sample->mean = (PointMatrix)
	{
		sample->points.row_count - 1, sample->points.dimension_count,
		SCALAR_FLOAT8, sample->statistics.vectors
	};
	return GL_OK;
}

static void
sample_end(GlHost *host, Sample *sample)
{
	block_statistics_end(host, &sample->statistics);
	tree_links_end(host, &sample->links);
	partition_tree_release(host, &sample->tree);
}

/* Distance from a node's mean to its farthest row. */
static double
farthest(const Sample *sample, int32_t node)
{
	const double *mean = sample->statistics.node[node].mean;
	int			d = sample->points.dimension_count;
	int			first = node_start(&sample->links, node);
	long double largest = 0;

	for (int i = first; i < first + node_leaves(&sample->links, node); i++)
	{
		const double *row = (const double *) sample->points.values +
			(int64_t) sample->tree.leaf_row[i] * d;

		largest = fmaxl(largest,
						plain_divergence(METRIC_EUCLIDEAN, row, mean, d));
	}
	return (double) sqrtl(largest);
}

/* Every node but the root is covered; down to depth 64 not by more. */
static void
expect_radii(GlHost *host, const Sample *sample)
{
	int32_t		n = (int32_t) sample->points.row_count;
	int		   *depth = calloc((size_t) (2 * n), sizeof(int));
	double	   *radius;

	EXPECT_OK(host, tree_radii(host, &sample->points, &sample->tree,
							   &sample->links, &sample->mean, &radius));
	for (int32_t p = 0; p < n - 1; p++)
		depth[sample->links.left[p]] = depth[sample->links.right[p]] =
			depth[p] + 1;
	EXPECT(radius[0] == 0);
	for (int32_t node = 1; node < 2 * n - 1; node++)
	{
		double		wanted = farthest(sample, node);

		EXPECT(radius[node] >= wanted);
		if (node >= n - 1)
			EXPECT(radius[node] == 0);
		else if (depth[node] <= 64)
			EXPECT(radius[node] <= wanted * (1 + 1e-8));
	}
	gl_release(host, radius);
	free(depth);
}

static void
test_radii(void)
{
	GlRandom	random;

	gl_random_begin(&random, 8);
	for (int trial = 0; trial < 40; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 1 + (int) gl_random_below(&random, 80);
		int			d = 1 + (int) gl_random_below(&random, 12);
		Sample		sample = {
			.points = sample_rows(&random, METRIC_EUCLIDEAN, n, d)
		};

		EXPECT_OK(host, sample_begin(host, trial % TREE_WAYS, &sample));
		expect_radii(host, &sample);
		sample_end(host, &sample);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
		free((void *) sample.points.values);
	}
}

/* A chain is deeper than radii are exact, and still covered. */
static void
test_chain(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static double values[400];
	Sample		sample = {.points = {400, 1, SCALAR_FLOAT8, values}};

	for (int i = 0; i < 400; i++)
		values[i] = ldexp(1, i - 200);
	EXPECT_OK(host, sample_begin(host, WAY_CHAIN, &sample));
	EXPECT(tree_depth(&sample.links) == 399);
	expect_radii(host, &sample);
	sample_end(host, &sample);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_equal_rows(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static double values[60];
	Sample		sample = {.points = {30, 2, SCALAR_FLOAT8, values}};
	double	   *radius;

	for (int i = 0; i < 60; i++)
		values[i] = 0.1;
	EXPECT_OK(host, sample_begin(host, WAY_RANDOM, &sample));
	EXPECT_OK(host, tree_radii(host, &sample.points, &sample.tree,
							   &sample.links, &sample.mean, &radius));
	for (int node = 0; node < 59; node++)
		EXPECT(radius[node] == 0);
	gl_release(host, radius);
	sample_end(host, &sample);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static Sample refused_sample;

static GlStatus
radii_job(GlHost *host)
{
	Sample		sample = refused_sample;
	double	   *radius;

	GL_TRY(sample_begin(host, WAY_BISECT, &sample));
	GL_TRY(tree_radii(host, &sample.points, &sample.tree, &sample.links,
					  &sample.mean, &radius));
	gl_release(host, radius);
	sample_end(host, &sample);
	return GL_OK;
}

static void
test_refused(void)
{
	GlRandom	random;

	gl_random_begin(&random, 2);
	refused_sample.points = sample_rows(&random, METRIC_EUCLIDEAN, 200, 3);
	test_refusals(radii_job);
	free((void *) refused_sample.points.values);
}

int
main(void)
{
	RUN(test_radii);
	RUN(test_chain);
	RUN(test_equal_rows);
	RUN(test_refused);
	UNIT_TEST_END();
}
