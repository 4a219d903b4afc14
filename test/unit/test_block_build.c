/*
 * test_block_build.c
 *		If this fails, the walk built from points is not the best one on its
 *		blocks, or densities, bandwidths and seeds are not what they claim.
 */
#include "block_shapes.h"
#include "dense_graph.h"
#include "space_volume.h"

#include "graph/block_build.h"
#include "graph/divergence_space.h"
#include "graph/point_graph.h"

#define MAX_D	6

static const double TWO_PI = 6.28318530717958647692;

typedef struct Sample
{
	PointSet	points;
	int64_t		ids[MAX_N];
	double		values[MAX_N * MAX_D];
	float		small[MAX_N * MAX_D];
} Sample;

static void
sample_begin(Sample *sample, int n, int d)
{
	memset(sample, 0, sizeof(*sample));
	sample->points.ids = sample->ids;
	sample->points.matrix = (PointMatrix)
	{
		n, d, SCALAR_FLOAT8, sample->values
	};
	for (int i = 0; i < n; i++)
		sample->ids[i] = 500 + 3 * i;
}

/*
 * Three clusters inside (0,1), so that every metric takes them; multiples of
 * 2^-20, so that offsets and floats keep them exact.
 */
static void
sample_random(Sample *sample, GlRandom *random, int n, int d)
{
	sample_begin(sample, n, d);
	for (int v = 0; v < n * d; v++)
	{
		double		value = 0.2 + 0.3 * ((v / d + v % d) % 3) +
			0.05 * gl_random_normal(random);

		value = fmin(fmax(value, 0.01), 0.99);
		sample->values[v] = ldexp(floor(ldexp(value, 20)), -20);
	}
}

static GlStatus
build(GlHost *host, const Sample *sample, const BlockGraphOptions *options,
	  BlockGraph *block)
{
	BlockGraphReport report;

	return block_graph_build(host, &sample->points, options, block, &report);
}

/* d(x, y) of one coordinate by the definition in phi; x looks at y. */
static long double
reference_coordinate(GraphMetric metric, long double x, long double y)
{
	switch (metric)
	{
		case METRIC_COUNTS:
		case METRIC_KL:
			return x * logl(x / y) - x + y;
		case METRIC_ITAKURA_SAITO:
			return x / y - logl(x / y) - 1;
		case METRIC_LOGISTIC:
			return x * logl(x / y) + (1 - x) * logl((1 - x) / (1 - y));
		default:
			return (x - y) * (x - y);
	}
}

/* Divergences of all pairs, in the space that the builder measures in. */
static void
reference_divergences(GlHost *host, const Sample *sample,
					  const BlockGraphOptions *options, double *delta)
{
	int			n = (int) sample->points.matrix.row_count;
	int			d = sample->points.matrix.dimension_count;
	PointSpace	space;
	double		rows[MAX_N][MAX_D];

	if (options->metric <= METRIC_COSINE)
		EXPECT_OK(host, point_space_begin(host, &sample->points,
										  options->metric, options->scale,
										  &space));
	else
		EXPECT_OK(host, divergence_space_begin(host, &sample->points,
											   options->metric,
											   options->smoothing, &space));
	for (int i = 0; i < n; i++)
		point_matrix_row(&space.matrix, i, rows[i]);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
		{
			long double sum = 0;

			for (int k = 0; k < d; k++)
				sum += reference_coordinate(options->metric, rows[i][k],
											rows[j][k]);
			delta[i * n + j] = (double) sum;
		}
	point_space_end(host, &space);
}

/* Q of tree t as a matrix. */
static void
expand_built(const BlockGraph *block, int t, double *q)
{
	int			n = (int) block->graph.node_count;
	int			cover[MAX_N * MAX_N] = {0};
	static Shape shape;

	shape.n = n;
	memcpy(shape.left_size, block->left_size + t * (n - 1),
		   (size_t) (n - 1) * sizeof(int32_t));
	memcpy(shape.leaf_row, block->leaf_row + t * n,
		   (size_t) n * sizeof(int32_t));
	shape_coarsest(&shape);
	memset(q, 0, (size_t) (n * n) * sizeof(double));
	expand_tree(&shape, block->log_q_ab + t * (n - 1),
				block->log_q_ba + t * (n - 1), 1, q, cover);
}

static double
kernel_constant(GraphMetric metric, int n, int d, double bandwidth)
{
	bool		has_length = metric <= METRIC_COSINE ||
		metric == METRIC_MAHALANOBIS;

	return -log(n - 1) - (has_length ?
						  0.5 * d * log(TWO_PI * bandwidth * bandwidth) : 0);
}

/*
 * One tree against the definitions: with beta = 1/(2 sigma^2), row i of Q
 * bounds its density by c + sum_j q (-beta delta - log q), tight for the
 * softmax; bounds sum to the likelihood.  Adds exp(bound) to `mean`.
 */
static void
expect_tree(const BlockGraph *block, int t, int d, double log_volume,
			const double *delta, double *mean)
{
	int			n = (int) block->graph.node_count;
	double		beta = 0.5 / (block->bandwidth[t] * block->bandwidth[t]);
	double		constant = kernel_constant(block->graph.recipe.metric, n, d,
										   block->bandwidth[t]) - log_volume;
	double		q[MAX_N * MAX_N];
	double		total = 0;
	double		divergence_sum = 0;

	expand_built(block, t, q);
	for (int i = 0; i < n; i++)
	{
		double		bound = constant;
		double		exact = 0;
		double		sum = 0;

		for (int j = 0; j < n; j++)
		{
			double		p = q[i * n + j];

			if (j == i)
				continue;
			sum += p;
			exact += exp(-beta * delta[i * n + j]);
			bound += p > 0 ? p * (-beta * delta[i * n + j] - log(p)) : 0;
			divergence_sum += p * delta[i * n + j];
		}
		EXPECT_NEAR(sum, 1, 1e-12);
		EXPECT(bound <= constant + log(exact) + 1e-9);
		total += bound;
		mean[i] += exp(bound) / block->recipe.tree_count;
	}
	EXPECT_NEAR(block->log_likelihood[t], total, 1e-10 * (1 + fabs(total)));
	/* learnt: sigma^2 n d = sum q D */
	if (block->recipe.learn_bandwidth)
		EXPECT_NEAR(divergence_sum / (block->bandwidth[t] *
									  block->bandwidth[t] * n * d), 1, 1e-4);
}

/* A built graph against everything it promises; then released. */
static void
expect_graph(TestHost *test, const Sample *sample,
			 const BlockGraphOptions *options)
{
	GlHost	   *host = &test->host;
	int			n = (int) sample->points.matrix.row_count;
	int			d = sample->points.matrix.dimension_count;
	BlockGraph	block;
	double		log_volume = reference_log_volume(&sample->points.matrix,
												  options->metric,
												  options->scale);
	static double delta[MAX_N * MAX_N];
	double		mean[MAX_N] = {0};

	EXPECT_OK(host, build(host, sample, options, &block));
	if (host->status != GL_OK)
		return;
	EXPECT_OK(host, block_graph_check(host, &block));
	EXPECT(block.graph.node_count == n && block.graph.ids[n - 1] ==
		   sample->ids[n - 1]);
	EXPECT(block.graph.recipe.kind == GRAPH_BLOCKS);
	EXPECT(block.graph.recipe.metric == options->metric);
	EXPECT(block.graph.recipe.bandwidth == block.bandwidth[0]);
	EXPECT(block.recipe.tree_count == options->tree_count);
	EXPECT(block.recipe.tree_kind == (options->tree_kind != 0 ?
									  options->tree_kind :
									  options->tree_count > 1 ?
									  TREE_RANDOM : TREE_BISECT));
	EXPECT(block.recipe.smoothing == (options->metric == METRIC_COUNTS ||
									  options->metric == METRIC_KL ?
									  options->smoothing : 0));
	reference_divergences(host, sample, options, delta);
	for (int t = 0; t < options->tree_count; t++)
	{
		if (options->has_bandwidth && !options->learn_bandwidth)
			EXPECT(block.bandwidth[t] == options->bandwidth);
		expect_tree(&block, t, d, log_volume, delta, mean);
	}
	for (int i = 0; i < n; i++)
		EXPECT_NEAR(block.log_density[i], log(mean[i]), 1e-8);
	graph_release(host, &block.graph);
	EXPECT_NOTHING_LEFT(test);
}

/* Every metric, tree, bandwidth and a forest. */
static void
test_definitions(void)
{
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 1);
	for (GraphMetric metric = METRIC_EUCLIDEAN; metric <= METRIC_MAHALANOBIS;
		 metric++)
		for (int variant = 0; variant < 12; variant++)
		{
			TestHost	test;
			BlockGraphOptions options;
			bool		is_plain = metric <= METRIC_COSINE;

			test_host_begin(&test);
			block_graph_defaults(&options);
			options.metric = metric;
			options.tree_kind = (TreeKind) (variant % 4);
			options.tree_count = variant < 8 ? 1 : 3;
			options.learn_bandwidth = variant >= 4;
			options.has_bandwidth = variant % 3 == 0;
			options.bandwidth = 0.3;
			options.scale = is_plain && variant % 2 ?
				SCALE_STANDARD : SCALE_NONE;
			options.smoothing = 0.25 * (1 + variant % 2);
			options.seed = variant;
			sample_random(&sample, &random,
						  10 + (int) gl_random_below(&random, 30),
						  2 + variant % 4);
			if (metric == METRIC_COUNTS || metric == METRIC_KL)
				for (int v = 0; v < MAX_N * MAX_D; v++)
					sample.values[v] = floor(10 * sample.values[v]);
			expect_graph(&test, &sample, &options);
			test_host_end(&test);
		}
}

/* The bandwidth is that of the neighbour graphs; 2 sigma^2 = 1 elsewhere. */
static void
test_bandwidth_rule(void)
{
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 2);
	for (int trial = 0; trial < 8; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		BlockGraphOptions options;
		PointGraphOptions edges;
		PointGraphReport report;
		BlockGraph	block;
		SparseGraph sparse;

		sample_random(&sample, &random, trial < 4 ? 30 : 2 + trial, 3);
		block_graph_defaults(&options);
		point_graph_defaults(&edges);
		edges.metric = options.metric = METRIC_EUCLIDEAN + trial % 2;
		edges.scale = options.scale = trial / 2 % 2 ?
			SCALE_STANDARD : SCALE_NONE;
		options.method = trial % 2 ? NEIGHBOURS_TREE : NEIGHBOURS_GEMM;
		edges.weights = WEIGHTS_GAUSSIAN;
		edges.lower_k = true;
		edges.seed = options.seed = trial;
		EXPECT_OK(host, point_graph_build(host, &sample.points, &edges,
										  &sparse, &report));
		EXPECT_OK(host, build(host, &sample, &options, &block));
		EXPECT(block.bandwidth[0] == sparse.graph.recipe.bandwidth);
		graph_release(host, &block.graph);
		graph_release(host, &sparse.graph);
		options.metric = METRIC_COUNTS + trial % 4;
		options.scale = SCALE_NONE;
		EXPECT_OK(host, build(host, &sample, &options, &block));
		EXPECT(block.bandwidth[0] == sqrt(0.5));
		graph_release(host, &block.graph);
		test_host_end(&test);
	}
}

/* Likelihood learns at least as good a bandwidth, down to a floor. */
static void
test_learning(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	static Sample sample;
	BlockGraphOptions options;
	BlockGraphReport report;
	BlockGraph	given;
	BlockGraph	learnt;
	double		total = 0;

	gl_random_begin(&random, 3);
	block_graph_defaults(&options);
	sample_random(&sample, &random, 30, 3);
	EXPECT_OK(host, build(host, &sample, &options, &given));
	options.learn_bandwidth = true;
	EXPECT_OK(host, block_graph_build(host, &sample.points, &options,
									  &learnt, &report));
	EXPECT(!report.bandwidth_floored);
	EXPECT(learnt.log_likelihood[0] > given.log_likelihood[0]);
	graph_release(host, &given.graph);
	graph_release(host, &learnt.graph);

	/* every row twice: sigma would go to 0; 1e-6 of the spread is the end */
	for (int v = 0; v < 45; v++)
		sample.values[45 + v] = sample.values[v];
	for (int i = 0; i < 30; i++)
		for (int v = 0; v < 90; v++)
			total += (sample.values[i * 3 + v % 3] - sample.values[v]) *
				(sample.values[i * 3 + v % 3] - sample.values[v]);
	EXPECT_OK(host, block_graph_build(host, &sample.points, &options,
									  &learnt, &report));
	EXPECT(report.bandwidth_floored);
	EXPECT_NEAR(learnt.bandwidth[0] / (1e-6 * sqrt(total / (30 * 29 * 3))),
				1, 1e-9);
	graph_release(host, &learnt.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* The arrays of two graphs, bit for bit. */
static bool
same_bits(const BlockGraph *a, const BlockGraph *b)
{
	size_t		n = (size_t) a->graph.node_count;
	size_t		trees = (size_t) a->recipe.tree_count;
	size_t		pairs = (size_t) a->pair_total;

	return a->graph.node_count == b->graph.node_count &&
		a->pair_total == b->pair_total &&
		memcmp(a->graph.ids, b->graph.ids, n * sizeof(int64_t)) == 0 &&
		memcmp(a->left_size, b->left_size, pairs * sizeof(int32_t)) == 0 &&
		memcmp(a->leaf_row, b->leaf_row, trees * n * sizeof(int32_t)) == 0 &&
		memcmp(a->log_q_ab, b->log_q_ab, pairs * sizeof(double)) == 0 &&
		memcmp(a->log_q_ba, b->log_q_ba, pairs * sizeof(double)) == 0 &&
		memcmp(a->bandwidth, b->bandwidth, trees * sizeof(double)) == 0 &&
		memcmp(a->log_likelihood, b->log_likelihood,
			   trees * sizeof(double)) == 0 &&
		memcmp(a->log_density, b->log_density, n * sizeof(double)) == 0;
}

/* The rows of a sample in another order of arrival. */
static void
collect_shuffled(GlHost *host, const Sample *sample, PointSet *points)
{
	int			n = (int) sample->points.matrix.row_count;
	int			d = sample->points.matrix.dimension_count;
	PointCollector collector = {0};

	for (int i = 0; i < n; i++)
	{
		int			row = (i * 7 + 3) % n;
		void	   *slot;

		EXPECT_OK(host, point_collector_reserve(host, &collector,
												SCALAR_FLOAT8,
												sample->ids[row], d, &slot));
		memcpy(slot, sample->values + row * d, (size_t) d * sizeof(double));
		EXPECT_OK(host, point_collector_commit(host, &collector,
											   sample->ids[row]));
	}
	EXPECT_OK(host, point_collector_finish(host, &collector, points));
}

/* Rows and seed fix every bit, whatever the order, the type or what is kept. */
static void
test_determinism(void)
{
	GlRandom	random;
	static Sample sample;
	static Sample narrow;

	gl_random_begin(&random, 4);
	sample_random(&sample, &random, 30, 4);
	narrow = sample;
	narrow.points.ids = narrow.ids;
	narrow.points.matrix.scalar = SCALAR_FLOAT4;
	narrow.points.matrix.values = narrow.small;
	for (int v = 0; v < 120; v++)
		narrow.small[v] = (float) narrow.values[v];
	for (int trees = 1; trees <= 3; trees += 2)
		for (int kind = 0; kind <= TREE_ANCHOR; kind++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			BlockGraphOptions options;
			BlockGraphReport report;
			PointSet	shuffled;
			BlockGraph	first;
			BlockGraph	again;

			block_graph_defaults(&options);
			options.tree_count = trees;
			options.tree_kind = (TreeKind) kind;
			options.seed = INT64_MAX;
			EXPECT_OK(host, build(host, &sample, &options, &first));
			EXPECT_OK(host, build(host, &sample, &options, &again));
			EXPECT(same_bits(&first, &again));
			graph_release(host, &again.graph);
			EXPECT_OK(host, build(host, &narrow, &options, &again));
			EXPECT(same_bits(&first, &again));
			graph_release(host, &again.graph);
			collect_shuffled(host, &sample, &shuffled);
			EXPECT_OK(host, block_graph_build(host, &shuffled, &options,
											  &again, &report));
			EXPECT(same_bits(&first, &again));
			graph_release(host, &again.graph);
			point_set_release(host, &shuffled);
			EXPECT(first.graph.points != NULL);
			EXPECT(memcmp(first.graph.points->matrix.values, sample.values,
						  120 * sizeof(double)) == 0);
			options.keep_points = false;
			EXPECT_OK(host, build(host, &sample, &options, &again));
			EXPECT(again.graph.points == NULL);
			EXPECT(same_bits(&first, &again));
			graph_release(host, &again.graph);
			graph_release(host, &first.graph);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* No two trees of a forest, or of forests of neighbouring seeds, are alike. */
static void
test_seeds(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	static Sample sample;
	BlockGraphOptions options;
	BlockGraph	forest[2];

	gl_random_begin(&random, 5);
	sample_random(&sample, &random, 40, 3);
	block_graph_defaults(&options);
	options.tree_count = 4;
	for (int s = 0; s < 2; s++)
	{
		options.seed = s;
		EXPECT_OK(host, build(host, &sample, &options, &forest[s]));
	}
	for (int a = 0; a < 8; a++)
		for (int b = 0; b < a; b++)
			EXPECT(memcmp(forest[a / 4].leaf_row + a % 4 * 40,
						  forest[b / 4].leaf_row + b % 4 * 40,
						  40 * sizeof(int32_t)) != 0);
	graph_release(host, &forest[0].graph);
	graph_release(host, &forest[1].graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* 'standard' and cosine are plain distance on changed rows. */
static void
test_spaces(void)
{
	GlRandom	random;
	static Sample sample;
	static Sample changed;

	gl_random_begin(&random, 6);
	for (int is_cosine = 0; is_cosine <= 1; is_cosine++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		BlockGraphOptions options;
		PointSpace	space;
		BlockGraph	a;
		BlockGraph	b;

		sample_random(&sample, &random, 30, 3);
		for (int i = 0; i < 30; i++)
			sample.values[3 * i + 1] *= 1000;
		block_graph_defaults(&options);
		options.metric = is_cosine ? METRIC_COSINE : METRIC_EUCLIDEAN;
		options.scale = is_cosine ? SCALE_NONE : SCALE_STANDARD;
		EXPECT_OK(host, point_space_begin(host, &sample.points,
										  options.metric, options.scale,
										  &space));
		changed = sample;
		changed.points.ids = changed.ids;
		changed.points.matrix.values = changed.values;
		memcpy(changed.values, space.matrix.values, 90 * sizeof(double));
		EXPECT_OK(host, build(host, &sample, &options, &a));
		EXPECT((a.graph.column_scale != NULL) == !is_cosine);
		for (int j = 0; j < 3 && !is_cosine; j++)
			EXPECT(a.graph.column_scale[j] == space.column_scale[j]);
		EXPECT(a.graph.recipe.scale == options.scale);
		block_graph_defaults(&options);
		EXPECT_OK(host, build(host, &changed, &options, &b));
		/* the same walk; densities are the user's own */
		EXPECT(memcmp(a.log_q_ab, b.log_q_ab, 29 * sizeof(double)) == 0);
		EXPECT(memcmp(a.log_q_ba, b.log_q_ba, 29 * sizeof(double)) == 0);
		EXPECT(memcmp(a.leaf_row, b.leaf_row, 30 * sizeof(int32_t)) == 0);
		for (int i = 0; i < 30; i++)
			EXPECT_NEAR(a.log_density[i], b.log_density[i] -
						reference_log_volume(&sample.points.matrix,
											 a.graph.recipe.metric,
											 a.graph.recipe.scale), 1e-12);
		graph_release(host, &a.graph);
		graph_release(host, &b.graph);
		point_space_end(host, &space);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* The more smoothing, the more alike are rows of counts. */
static void
test_smoothing(void)
{
	GlRandom	random;
	static Sample sample;
	double		before = -INFINITY;

	gl_random_begin(&random, 12);
	sample_begin(&sample, 30, 4);
	for (int v = 0; v < 120; v++)
		sample.values[v] = floor(20 * gl_random_unit(&random) *
								 gl_random_unit(&random));
	for (double smoothing = 0.1; smoothing < 1e4; smoothing *= 8)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		BlockGraphOptions options;
		BlockGraph	block;
		double		q[MAX_N * MAX_N];
		double		entropy = 0;

		block_graph_defaults(&options);
		options.metric = METRIC_COUNTS;
		options.smoothing = smoothing;
		EXPECT_OK(host, build(host, &sample, &options, &block));
		expand_built(&block, 0, q);
		for (int v = 0; v < 900; v++)
			entropy -= q[v] > 0 ? q[v] * log(q[v]) / 30 : 0;
		EXPECT(entropy > before);
		before = entropy;
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
	EXPECT_NEAR(before, log(29), 1e-3);
}

static GlStatus
build_job(GlHost *host)
{
	static Sample sample;
	GlRandom	random;
	BlockGraphOptions options;
	BlockGraph	block;

	gl_random_begin(&random, 7);
	sample_random(&sample, &random, 5, 2);
	block_graph_defaults(&options);
	options.tree_count = 2;
	options.scale = SCALE_STANDARD;
	GL_TRY(build(host, &sample, &options, &block));
	graph_release(host, &block.graph);
	options.tree_count = 1;
	options.scale = SCALE_NONE;
	options.tree_kind = TREE_ANCHOR;
	options.metric = METRIC_KL;
	options.keep_points = false;
	GL_TRY(build(host, &sample, &options, &block));
	graph_release(host, &block.graph);
	options.metric = METRIC_MAHALANOBIS;
	options.tree_kind = TREE_BISECT;
	options.learn_bandwidth = true;
	GL_TRY(build(host, &sample, &options, &block));
	graph_release(host, &block.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(build_job);
}

int
main(void)
{
	RUN(test_definitions);
	RUN(test_bandwidth_rule);
	RUN(test_learning);
	RUN(test_determinism);
	RUN(test_seeds);
	RUN(test_spaces);
	RUN(test_smoothing);
	RUN(test_refused);
	UNIT_TEST_END();
}
