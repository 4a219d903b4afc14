/*
 * test_block_build_edges.c
 *		If this fails, rows that are few, equal, far out or in extreme units
 *		break a block graph, bad options get through, or learners see another
 *		walk than its matrix.
 */
#include "dense_graph.h"

#include "graph/block_build.h"

#define MAX_N	40
#define MAX_D	4

static const double LOG_TWO_PI = 1.8378770664093454836;

typedef struct Sample
{
	PointSet	points;
	int64_t		ids[MAX_N];
	double		values[MAX_N * MAX_D];
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

/* Two clusters in (0,1) in steps of 2^-20, which survive offsets exactly. */
static void
sample_random(Sample *sample, GlRandom *random, int n, int d)
{
	sample_begin(sample, n, d);
	for (int v = 0; v < n * d; v++)
	{
		double		value = (v / d % 2 ? 0.25 : 0.75) +
			0.06 * gl_random_normal(random);

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

/* The matrix of a graph: its products with the unit vectors. */
static void
matrix_of_graph(GlHost *host, const Graph *graph, double *q)
{
	int			n = (int) graph->node_count;
	double		unit[MAX_N * MAX_N] = {0};

	for (int i = 0; i < n; i++)
		unit[i * n + i] = 1;
	EXPECT_OK(host, graph_apply(host, graph, unit, q, n));
}

/*
 * Nothing that a graph holds is NaN or infinite, it is a walk, and the bounds
 * of the rows sum to that of the whole.
 */
static void
expect_sound(GlHost *host, const BlockGraph *block, double tolerance)
{
	double		sum = 0;
	double		total = block->log_likelihood[0];

	EXPECT_OK(host, block_graph_check(host, block));
	for (int64_t i = 0; i < block->graph.node_count; i++)
	{
		EXPECT(isfinite(block->log_density[i]));
		sum += block->log_density[i];
	}
	for (int32_t t = 0; t < block->recipe.tree_count; t++)
		EXPECT(isfinite(block->log_likelihood[t]) &&
			   isfinite(block->bandwidth[t]) && block->bandwidth[t] > 0);
	for (int64_t e = 0; e < block->pair_total; e++)
		EXPECT(!isnan(block->log_q_ab[e]) && !isnan(block->log_q_ba[e]));
	if (block->recipe.tree_count == 1)
		EXPECT_NEAR(sum, total, tolerance * (1 + fabs(total)));
}

static void
test_single_row(void)
{
	for (GraphMetric metric = METRIC_EUCLIDEAN; metric <= METRIC_MAHALANOBIS;
		 metric++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		static Sample sample;
		BlockGraphOptions options;
		BlockGraph	block;
		double		x = 3;
		double		y = 3;

		sample_begin(&sample, 1, 1);
		sample.values[0] = 0.5;
		block_graph_defaults(&options);
		options.metric = metric;
		options.tree_count = 7;
		options.learn_bandwidth = true;
		EXPECT_OK(host, build(host, &sample, &options, &block));
		EXPECT(block.recipe.tree_count == 1 && block.pair_total == 0);
		EXPECT(block.log_density[0] == 0 && block.log_likelihood[0] == 0);
		EXPECT(block.bandwidth[0] > 0);
		expect_sound(host, &block, 1e-9);
		EXPECT_OK(host, graph_apply(host, &block.graph, &x, &y, 1));
		EXPECT(y == 0);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Two rows swap, whatever sigma; learnt, it is their distance / sqrt(d). */
static void
test_two_rows(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static Sample sample;
	BlockGraphOptions options;
	BlockGraph	block;
	double		q[4];

	sample_begin(&sample, 2, 2);
	memcpy(sample.values, (double[]) {1, 1, 4, 5}, 4 * sizeof(double));
	for (int kind = TREE_BISECT; kind <= TREE_ANCHOR; kind++)
		for (int learn = 0; learn <= 1; learn++)
		{
			block_graph_defaults(&options);
			options.tree_kind = (TreeKind) kind;
			options.learn_bandwidth = learn;
			EXPECT_OK(host, build(host, &sample, &options, &block));
			expect_sound(host, &block, 1e-9);
			matrix_of_graph(host, &block.graph, q);
			EXPECT(q[0] == 0 && q[1] == 1 && q[2] == 1 && q[3] == 0);
			EXPECT_NEAR(block.bandwidth[0], learn ? 5 / sqrt(2) : 1.25,
						1e-12);
			EXPECT_NEAR(block.log_density[0], -LOG_TWO_PI -
						2 * log(block.bandwidth[0]) - 12.5 /
						(block.bandwidth[0] * block.bandwidth[0]), 1e-12);
			graph_release(host, &block.graph);
		}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* 0 | 10, 11 with sigma 10: rows leave their pair by a softmax of means. */
static void
test_three_rows(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static Sample sample;
	BlockGraphOptions options;
	BlockGraph	block;
	double		q[9];
	double		out = 1 / (1 + exp((110.5 - 1) / 200));

	sample_begin(&sample, 3, 1);
	memcpy(sample.values, (double[]) {0, 10, 11}, 3 * sizeof(double));
	block_graph_defaults(&options);
	options.has_bandwidth = true;
	options.bandwidth = 10;
	EXPECT_OK(host, build(host, &sample, &options, &block));
	matrix_of_graph(host, &block.graph, q);
	EXPECT_NEAR(q[1], 0.5, 1e-15);
	EXPECT_NEAR(q[2], 0.5, 1e-15);
	EXPECT_NEAR(q[3], out, 1e-14);
	EXPECT_NEAR(q[6], out, 1e-14);
	EXPECT_NEAR(q[5], 1 - out, 1e-14);
	EXPECT_NEAR(q[7], 1 - out, 1e-14);
	graph_release(host, &block.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Equal rows: every other row alike, for all trees and metrics. */
static void
test_equal_rows(void)
{
	for (GraphMetric metric = METRIC_EUCLIDEAN; metric <= METRIC_LOGISTIC;
		 metric++)
		for (int variant = 0; variant < 8; variant++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			static Sample sample;
			BlockGraphOptions options;
			BlockGraphReport report;
			BlockGraph	block;
			double		q[MAX_N * MAX_N];
			bool		learn = variant >= 4;

			sample_begin(&sample, MAX_N, 3);
			for (int v = 0; v < MAX_N * 3; v++)
				sample.values[v] = 0.1;
			block_graph_defaults(&options);
			options.metric = metric;
			options.tree_kind = (TreeKind) (variant % 4);
			options.learn_bandwidth = learn;
			EXPECT_OK(host, block_graph_build(host, &sample.points, &options,
											  &block, &report));
			EXPECT(report.bandwidth_floored == learn);
			expect_sound(host, &block, 1e-9);
			matrix_of_graph(host, &block.graph, q);
			for (int v = 0; v < MAX_N * MAX_N; v++)
				EXPECT_NEAR(q[v], v % (MAX_N + 1) == 0 ?
							0 : 1.0 / (MAX_N - 1), 1e-14);
			if (!learn)
				EXPECT_NEAR(block.log_density[5],
							metric <= METRIC_COSINE ? -1.5 * LOG_TWO_PI : 0,
							1e-12);
			graph_release(host, &block.graph);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* Some rows again and again, and one far out: copies are told apart by none. */
static void
test_duplicates(void)
{
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 1);
	for (int variant = 0; variant < 8; variant++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		BlockGraphOptions options;
		BlockGraph	block;

		sample_random(&sample, &random, 30, 2);
		for (int i = 3; i < 29; i++)
			memcpy(sample.values + i * 2, sample.values + i % 3 * 2,
				   2 * sizeof(double));
		sample.values[58] = 1e9;
		block_graph_defaults(&options);
		options.tree_kind = (TreeKind) (variant % 4);
		options.has_bandwidth = variant >= 4;
		options.bandwidth = 1e-3;
		EXPECT_OK(host, build(host, &sample, &options, &block));
		expect_sound(host, &block, 1e-9);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Moving all rows far out changes nothing. */
static void
test_offset(void)
{
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 2);
	for (int kind = TREE_BISECT; kind <= TREE_ANCHOR; kind++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		BlockGraphOptions options;
		BlockGraph	near;
		BlockGraph	far;

		sample_random(&sample, &random, 30, 3);
		block_graph_defaults(&options);
		options.tree_kind = (TreeKind) kind;
		EXPECT_OK(host, build(host, &sample, &options, &near));
		for (int v = 0; v < 90; v++)
			sample.values[v] += 1e8;
		EXPECT_OK(host, build(host, &sample, &options, &far));
		/* a mean near 1e8 is rounded to 1e-8; sigma is 1e-2 */
		expect_sound(host, &far, 1e-7);
		EXPECT_NEAR(far.bandwidth[0], near.bandwidth[0], 1e-12);
		EXPECT_NEAR(far.log_likelihood[0], near.log_likelihood[0], 1e-4);
		for (int i = 0; i < 30; i++)
			EXPECT_NEAR(far.log_density[i], near.log_density[i], 1e-4);
		graph_release(host, &near.graph);
		graph_release(host, &far.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A power of two moves sigma and density, and no bit of the walk. */
static void
test_units(void)
{
	static const int power[] = {-996, -400, 400, 1000};
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 3);
	for (int variant = 0; variant < 16; variant++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			shift = power[variant / 4];
		BlockGraphOptions options;
		BlockGraph	plain;
		BlockGraph	scaled;

		sample_random(&sample, &random, 20, 2);
		block_graph_defaults(&options);
		options.tree_kind = (TreeKind) (variant % 4);
		options.learn_bandwidth = variant % 2;
		EXPECT_OK(host, build(host, &sample, &options, &plain));
		for (int v = 0; v < 40; v++)
			sample.values[v] = ldexp(sample.values[v], shift);
		EXPECT_OK(host, build(host, &sample, &options, &scaled));
		expect_sound(host, &scaled, 1e-9);
		EXPECT(memcmp(plain.leaf_row, scaled.leaf_row,
					  20 * sizeof(int32_t)) == 0);
		EXPECT(memcmp(plain.log_q_ab, scaled.log_q_ab,
					  19 * sizeof(double)) == 0);
		EXPECT(memcmp(plain.log_q_ba, scaled.log_q_ba,
					  19 * sizeof(double)) == 0);
		EXPECT(scaled.bandwidth[0] == ldexp(plain.bandwidth[0], shift));
		for (int i = 0; i < 20; i++)
			EXPECT_NEAR(scaled.log_density[i], plain.log_density[i] -
						2 * shift * log(2), 1e-9);
		graph_release(host, &plain.graph);
		graph_release(host, &scaled.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Rows and a bandwidth that no unit brings together. */
static void
test_mismatched_units(void)
{
	static const double unit[] = {1, 1e300, 1e-300, 1e300, 1e-300, 1, 1};
	static const double width[] = {1e-200, 1e-200, 1e200, 1e-9, 1e9, 1e-300,
	1e300};
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 4);
	for (int c = 0; c < 7; c++)
		for (int trees = 1; trees <= 2; trees++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			BlockGraphOptions options;
			BlockGraph	block;

			sample_random(&sample, &random, 12, 2);
			for (int v = 0; v < 24; v++)
				sample.values[v] *= unit[c];
			/* a copy: 0 times infinity */
			sample.values[2] = sample.values[0];
			sample.values[3] = sample.values[1];
			block_graph_defaults(&options);
			options.tree_count = trees;
			options.has_bandwidth = true;
			options.bandwidth = width[c];
			EXPECT_OK(host, build(host, &sample, &options, &block));
			expect_sound(host, &block, 1e-9);
			graph_release(host, &block.graph);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* Divergences of extreme rows: a walk still. */
static void
test_extreme_divergences(void)
{
	static const double unit[] = {1e-300, 1e-150, 1e150, 1e300};
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 5);
	for (GraphMetric metric = METRIC_COSINE; metric <= METRIC_MAHALANOBIS;
		 metric++)
		for (int variant = 0; variant < 32; variant++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			double		factor = unit[variant / 8];
			BlockGraphOptions options;
			BlockGraph	block;

			if (metric == METRIC_LOGISTIC && factor > 1)
				continue;
			sample_random(&sample, &random, 20, 3);
			/* all rows, or every other one */
			for (int v = 0; v < 60; v++)
				if (variant % 2 || v / 3 % 2)
					sample.values[v] *= factor;
			block_graph_defaults(&options);
			options.metric = metric;
			options.tree_kind = (TreeKind) (variant / 2 % 4);
			options.smoothing = 0;
			EXPECT_OK(host, build(host, &sample, &options, &block));
			if (host->status == GL_OK)
			{
				EXPECT_OK(host, block_graph_check(host, &block));
				for (int i = 0; i < 20; i++)
					EXPECT(isfinite(block.log_density[i]));
				graph_release(host, &block.graph);
				EXPECT_NOTHING_LEFT(&test);
			}
			test_host_end(&test);
		}
}

static void
expect_refused(const Sample *sample, const BlockGraphOptions *options,
			   GlStatus status, const char *wanted)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	BlockGraph	block;

	EXPECT(build(host, sample, options, &block) == status);
	if (strstr(host->message, wanted) == NULL)
		printf("# %s\n", host->message);
	EXPECT(strstr(host->message, wanted) != NULL);
	EXPECT(block.graph.operations == NULL && block.trees == NULL);
	test_host_end(&test);
}

static void
test_errors(void)
{
	static const int32_t trees[] = {0, -1, INT32_MIN, 1025, INT32_MAX};
	static const double widths[] = {0, -1, NAN, INFINITY, -INFINITY};
	static const double smoothings[] = {-1e-9, NAN, INFINITY};
	GlRandom	random;
	static Sample sample;
	BlockGraphOptions options;

	gl_random_begin(&random, 6);
	sample_random(&sample, &random, 6, 2);
	for (int c = 0; c < 5; c++)
	{
		block_graph_defaults(&options);
		options.tree_count = trees[c];
		expect_refused(&sample, &options, GL_ERR_OPTION, "trees");
	}
	for (int c = 0; c < 5; c++)
	{
		block_graph_defaults(&options);
		options.has_bandwidth = true;
		options.bandwidth = widths[c];
		expect_refused(&sample, &options, GL_ERR_OPTION, "bandwidth");
	}
	for (int c = 0; c < 3; c++)
	{
		block_graph_defaults(&options);
		options.metric = METRIC_COUNTS;
		options.smoothing = smoothings[c];
		expect_refused(&sample, &options, GL_ERR_OPTION, "smoothing");
	}
	block_graph_defaults(&options);
	options.scale = SCALE_STANDARD;
	for (options.metric = METRIC_COUNTS;
		 options.metric <= METRIC_MAHALANOBIS; options.metric++)
		expect_refused(&sample, &options, GL_ERR_OPTION, "scale");
	block_graph_defaults(&options);
	options.metric = METRIC_ITAKURA_SAITO;
	sample.values[7] = 0;
	expect_refused(&sample, &options, GL_ERR_DATA,
				   "feature 2 of the row with id 509");
	options.metric = METRIC_COSINE;
	sample.values[6] = 0;
	expect_refused(&sample, &options, GL_ERR_DATA, "id 509");
	for (int i = 0; i < 6; i++)
		sample.values[2 * i + 1] = 3 * sample.values[2 * i];
	options.metric = METRIC_MAHALANOBIS;
	expect_refused(&sample, &options, GL_ERR_DATA, "singular");
	/* a distance of 3e308 has no name */
	block_graph_defaults(&options);
	options.learn_bandwidth = true;
	sample_begin(&sample, 2, 1);
	sample.values[0] = 1.5e308;
	sample.values[1] = -1.5e308;
	expect_refused(&sample, &options, GL_ERR_DATA, "further apart");
}

/* Learners on a block graph and on its matrix: W = Q. */
static void
test_propagation(void)
{
	GlRandom	random;
	static Sample sample;

	gl_random_begin(&random, 7);
	for (int trial = 0; trial < 12; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		bool		clamped = trial % 2;
		int			n = 8 + (int) gl_random_below(&random, MAX_N - 7);
		BlockGraphOptions options;
		PropagateOptions how;
		PropagateReport report;
		PropagateResult result;
		LabelSeeds	seeds;
		int32_t		node[MAX_N];
		int32_t		label_class[MAX_N];
		BlockGraph	block;
		DenseGraph	dense;
		double		q[MAX_N * MAX_N];
		double		wanted[MAX_N * 3];

		sample_random(&sample, &random, n, 3);
		block_graph_defaults(&options);
		options.tree_count = 1 + trial % 3;
		EXPECT_OK(host, build(host, &sample, &options, &block));
		matrix_of_graph(host, &block.graph, q);
		EXPECT_OK(host, dense_graph_begin(host, n, q, &dense));
		seeds_random(&random, n, 3, 5, node, label_class, &seeds);
		propagate_defaults(&how);
		how.method = clamped ? PROPAGATE_HARMONIC : PROPAGATE_LGC;
		how.damping = 0.9;
		how.prior = PRIOR_NONE;
		how.tolerance = 1e-13;
		reference_propagate(&dense, &seeds, 0.9, clamped, wanted);
		EXPECT_OK(host, propagate_run(host, &block.graph, &seeds, &how,
									  &result, &report));
		EXPECT(report.converged && report.unreached_count == 0);
		for (int i = 0; i < n; i++)
		{
			double		sum = wanted[3 * i] + wanted[3 * i + 1] +
				wanted[3 * i + 2];

			for (int c = 0; c < 3; c++)
				EXPECT_NEAR(result.scores[3 * i + c], wanted[3 * i + c] / sum,
							1e-10);
		}
		propagate_result_release(host, &result);
		graph_release(host, &dense.graph);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

int
main(void)
{
	RUN(test_single_row);
	RUN(test_two_rows);
	RUN(test_three_rows);
	RUN(test_equal_rows);
	RUN(test_duplicates);
	RUN(test_offset);
	RUN(test_units);
	RUN(test_mismatched_units);
	RUN(test_extreme_divergences);
	RUN(test_errors);
	RUN(test_propagation);
	UNIT_TEST_END();
}
