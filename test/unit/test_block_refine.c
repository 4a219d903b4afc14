/*
 * test_block_refine.c
 *		If this fails, refined block graphs are no closer to the exact walk, or
 *		a tolerance is promised and not kept.
 */
#include "tree_samples.h"

#include "graph/block_build.h"
#include "graph/block_gains.h"
#include "graph/block_refine.h"

#define MAX_ROWS	120

static GlStatus
copy_of(GlHost *host, const void *from, size_t bytes, const void **to)
{
	char	   *copy;

	GL_NEW(host, copy, bytes);
	memcpy(copy, from, bytes);
	*to = copy;
	return GL_OK;
}

/*
 * Spec seed000 5.12, G1: tree (((1,2),3),((4,5),6)), sigma 2; not solved.
 * With splits > 0, the partition that the thesis's gains split so often.
 */
static GlStatus
golden_graph(GlHost *host, int splits, BlockGraph *block)
{
	static const int32_t pair_a[4][8] = {
		{1, 2, 5, 4, 8}, {1, 2, 5, 10, 8, 10}, {1, 7, 5, 10, 8, 10, 7},
		{3, 7, 5, 10, 8, 10, 7, 3}
	};
	static const int32_t pair_b[4][8] = {
		{3, 7, 6, 10, 9}, {3, 7, 6, 8, 9, 9}, {3, 5, 6, 8, 9, 9, 6},
		{2, 5, 6, 8, 9, 9, 6, 7}
	};
	static const double x[6] = {0, 1, 3, 7, 8, 14};
	static const int64_t ids[6] = {1, 2, 3, 4, 5, 6};
	static const int32_t left_size[5] = {3, 2, 1, 2, 1};
	static const int32_t leaf_row[6] = {0, 1, 2, 3, 4, 5};
	const int64_t pair_count = 5 + splits;
	static const double zeros[8];
	static const double bandwidth = 2;
	PointSet	points = {{6, 1, SCALAR_FLOAT8, x}, ids};
	PointSet   *kept;

	memset(block, 0, sizeof(*block));
	GL_NEW(host, kept, 1);
	GL_TRY(point_set_copy(host, &points, kept));
	block->graph.node_count = 6;
	block->graph.points = kept;
	block->graph.ids = kept->ids;
	block->graph.recipe = (GraphRecipe)
	{
		.kind = GRAPH_BLOCKS, .metric = METRIC_EUCLIDEAN,
		.scale = SCALE_NONE, .bandwidth = 2
	};
	block->recipe = (BlockRecipe)
	{
		.tree_kind = TREE_ANCHOR, .tree_count = 1
	};
	block->pair_total = pair_count;
	if (splits > 0)
	{
		GL_TRY(copy_of(host, pair_a[splits], sizeof(pair_a[0]),
					   (const void **) &block->pair_a));
		GL_TRY(copy_of(host, pair_b[splits], sizeof(pair_b[0]),
					   (const void **) &block->pair_b));
	}
	GL_TRY(copy_of(host, left_size, sizeof(left_size),
				   (const void **) &block->left_size));
	GL_TRY(copy_of(host, leaf_row, sizeof(leaf_row),
				   (const void **) &block->leaf_row));
	GL_TRY(copy_of(host, &pair_count, sizeof(pair_count),
				   (const void **) &block->pair_count));
	GL_TRY(copy_of(host, zeros, sizeof(zeros),
				   (const void **) &block->log_q_ab));
	GL_TRY(copy_of(host, zeros, sizeof(zeros),
				   (const void **) &block->log_q_ba));
	GL_TRY(copy_of(host, &bandwidth, sizeof(bandwidth),
				   (const void **) &block->bandwidth));
	GL_TRY(copy_of(host, zeros, sizeof(double),
				   (const void **) &block->log_likelihood));
	GL_TRY(copy_of(host, zeros, sizeof(zeros),
				   (const void **) &block->log_density));
	return block_graph_bind(host, block);
}

/* Refine by a budget; 0 for none. */
static GlStatus
refine(GlHost *host, const BlockGraph *block, double blocks_per_row,
	   BlockGraph *out)
{
	BlockRefineOptions options = {.blocks_per_row = blocks_per_row};
	BlockRefineReport report;

	return block_graph_refine(host, block, &options, out, &report);
}

/*
 * G1 along the thesis's splits; our gains, which also see what the rows of
 * the other direction win, start with the same split and then do better.
 */
static void
test_golden(void)
{
	static const double thesis[5] = {
		-23.739751489781, -23.436994385702, -23.367265580375,
		-23.349313022566, -22.976275793467
	};
	static const int blocks[5] = {10, 12, 14, 16, 30};

	for (int c = 0; c < 5; c++)
		for (int given = 0; given <= (c < 4); given++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			BlockGraph	block;
			BlockGraph	refined;
			double		density = 0;

			EXPECT_OK(host, golden_graph(host, given ? c : 0, &block));
			EXPECT_OK(host, refine(host, &block, blocks[c] / 5.0, &refined));
			EXPECT_OK(host, block_graph_check(host, &refined));
			EXPECT(2 * refined.pair_total == blocks[c]);
			EXPECT((refined.pair_a == NULL) == (c == 0));
			EXPECT(refined.log_likelihood[0] >= thesis[c] - 1e-11);
			if (given || c <= 1 || c == 4)
				EXPECT_NEAR(refined.log_likelihood[0], thesis[c], 1e-11);
			for (int i = 0; i < 6; i++)
				density += refined.log_density[i];
			EXPECT_NEAR(density, refined.log_likelihood[0], 1e-11);
			graph_release(host, &refined.graph);
			graph_release(host, &block.graph);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* ---- random rows ---- */

typedef struct Sample
{
	PointMatrix matrix;
	int64_t		ids[MAX_ROWS];
	PointSet	points;
} Sample;

/* Rows of a metric's domain; for euclidean in `clusters` clumps. */
static void
sample_begin(GlRandom *random, GraphMetric metric, int n, int d,
			 int clusters, Sample *sample)
{
	double	   *values;

	sample->matrix = sample_rows(random, metric, n, d);
	values = (double *) sample->matrix.values;
	for (int i = 0; i < n; i++)
	{
		sample->ids[i] = 3 * i + 1;
		for (int j = 0; clusters > 1 && j < d; j++)
			values[i * d + j] = 0.3 * values[i * d + j] +
				((i % clusters) * (j + 1)) % 7;
	}
	sample->points = (PointSet) {sample->matrix, sample->ids};
}

static GlStatus
build(GlHost *host, const Sample *sample, GraphMetric metric, int trees,
	  double bandwidth, bool learn, BlockGraph *out)
{
	BlockGraphOptions options;
	BlockGraphReport report;

	block_graph_defaults(&options);
	options.metric = metric;
	options.tree_count = trees;
	options.has_bandwidth = bandwidth > 0;
	options.bandwidth = bandwidth;
	options.learn_bandwidth = learn;
	options.smoothing = 0;
	return block_graph_build(host, &sample->points, &options, out, &report);
}

/* The exact walk of a bandwidth, and the mean density of its rows. */
static void
exact_walk(const Sample *sample, GraphMetric metric, double bandwidth,
		   double *p)
{
	int			n = (int) sample->matrix.row_count;
	int			d = sample->matrix.dimension_count;
	const double *x = sample->matrix.values;

	for (int i = 0; i < n; i++)
	{
		long double low = INFINITY;
		long double sum = 0;
		static long double row[MAX_ROWS];

		for (int j = 0; j < n; j++)
		{
			row[j] = plain_divergence(metric, x + i * d, x + j * d, d) /
				(2 * (long double) bandwidth * bandwidth);
			if (j != i && row[j] < low)
				low = row[j];
		}
		for (int j = 0; j < n; j++)
			if (j != i)
				sum += expl(low - row[j]);
		for (int j = 0; j < n; j++)
			p[i * n + j] = j == i ? 0 : (double) (expl(low - row[j]) / sum);
	}
}

/* The walk of a block graph, row by row. */
static void
block_walk(GlHost *host, const BlockGraph *block, double *q)
{
	int			n = (int) block->graph.node_count;

	memset(q, 0, sizeof(double) * (size_t) n * (size_t) n);
	for (int i = 0; i < n; i++)
	{
		GraphEntry *entries;
		int64_t		count;

		EXPECT_OK(host, block->graph.operations->row(host, &block->graph, i,
													 &entries, &count));
		for (int64_t e = 0; e < count; e++)
			q[i * n + entries[e].node] = entries[e].value;
		gl_release(host, entries);
	}
}

static double
mean_divergence(const double *q, const double *p, int n)
{
	double		sum = 0;

	for (int v = 0; v < n * n; v++)
		if (q[v] > 0)
			sum += q[v] * log(q[v] / p[v]);
	return sum / n;
}

static double p_matrix[MAX_ROWS * MAX_ROWS];
static double q_matrix[MAX_ROWS * MAX_ROWS];

/* Every budget covers exactly once, keeps to it, and does not lose. */
static void
test_budgets(void)
{
	static const double budgets[] = {2, 2.5, 3, 4, 4.9, 6, 9, 14, 1000};
	GlRandom	random;

	gl_random_begin(&random, 1);
	for (int trial = 0; trial < 16; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GraphMetric metric = sample_metrics[trial % SAMPLE_METRICS];
		int			n = trial < 8 ? 2 + trial : 20 + trial;
		int			trees = 1 + trial % 3;
		Sample		sample;
		BlockGraph	block;
		BlockGraph	chain;

		sample_begin(&random, metric, n, 3, 1, &sample);
		EXPECT_OK(host, build(host, &sample, metric, trees, 0.7, false,
							  &block));
		EXPECT_OK(host, refine(host, &block, 2, &chain));
		EXPECT(chain.pair_a == NULL);
		for (int c = 0; c < 9; c++)
		{
			int64_t		limit = (int64_t) floor(budgets[c] / 2 * (n - 1));
			BlockGraph	refined;
			BlockGraph	next;

			if (limit > n * (n - 1) / 2)
				limit = n * (n - 1) / 2;
			EXPECT_OK(host, refine(host, &block, budgets[c], &refined));
			EXPECT_OK(host, block_graph_check(host, &refined));
			if (limit < chain.pair_count[0])
				limit = chain.pair_count[0];
			EXPECT(refined.pair_count[trees - 1] == limit);
			EXPECT(refined.pair_total == trees * limit);
			/* finer than the one before: nested partitions */
			EXPECT_OK(host, refine(host, &chain, budgets[c] > n ? budgets[c] :
								   fmin(budgets[c], n), &next));
			EXPECT_OK(host, block_graph_check(host, &next));
			for (int t = 0; t < trees; t++)
			{
				EXPECT(next.log_likelihood[t] >=
					   chain.log_likelihood[t] - 1e-9);
				EXPECT(refined.log_likelihood[t] >=
					   block.log_likelihood[t] - 1e-9);
			}
			graph_release(host, &chain.graph);
			graph_release(host, &refined.graph);
			chain = next;
		}
		graph_release(host, &chain.graph);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
		free((void *) sample.matrix.values);
	}
}

/* With every pair of rows by itself the walk is exact. */
static void
test_full(void)
{
	GlRandom	random;

	gl_random_begin(&random, 2);
	for (int trial = 0; trial < 24; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GraphMetric metric = sample_metrics[trial % SAMPLE_METRICS];
		bool		learn = trial >= 20;
		int			trees = learn ? 1 : 1 + trial / 8;
		int			n = 2 + (int) gl_random_below(&random, 40);
		double		bandwidth = trial % 3 ? 0.8 : 0.3;
		Sample		sample;
		BlockGraph	block;
		BlockGraph	refined;

		sample_begin(&random, metric, n, 2, 1, &sample);
		EXPECT_OK(host, build(host, &sample, metric, trees, bandwidth, learn,
							  &block));
		EXPECT_OK(host, refine(host, &block, n + trial % 2, &refined));
		EXPECT(refined.pair_total == trees * n * (n - 1) / 2);
		EXPECT(learn || refined.bandwidth[0] == bandwidth);
		EXPECT(!learn || refined.bandwidth[0] <= block.bandwidth[0]);
		EXPECT(refined.graph.recipe.bandwidth == refined.bandwidth[0]);
		exact_walk(&sample, metric, refined.bandwidth[0], p_matrix);
		block_walk(host, &refined, q_matrix);
		for (int v = 0; v < n * n; v++)
			EXPECT_NEAR(q_matrix[v], p_matrix[v], 1e-12);
		graph_release(host, &refined.graph);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
		free((void *) sample.matrix.values);
	}
}

/* The true divergence is below the bound, and the bound below what is asked. */
static void
test_tolerance(void)
{
	static const double tolerances[] = {1, 0.1, 0.01, 1e-6, 0};
	GlRandom	random;

	gl_random_begin(&random, 3);
	for (int trial = 0; trial < 8; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 40 + 10 * trial;
		Sample		sample;
		BlockGraph	block;
		int64_t		pairs = 0;

		sample_begin(&random, METRIC_EUCLIDEAN, n, 3, trial % 2 ? 5 : 1,
					 &sample);
		EXPECT_OK(host, build(host, &sample, METRIC_EUCLIDEAN,
							  1 + trial % 3, trial % 4 < 2 ? 0.25 : 1, false,
							  &block));
		exact_walk(&sample, METRIC_EUCLIDEAN, block.bandwidth[0], p_matrix);
		for (int c = 0; c < 5; c++)
		{
			BlockRefineOptions options = {
				.has_tolerance = true, .tolerance = tolerances[c]
			};
			BlockRefineReport report;
			BlockGraph	refined;
			double		truth;

			EXPECT_OK(host, block_graph_refine(host, &block, &options,
											   &refined, &report));
			EXPECT_OK(host, block_graph_check(host, &refined));
			block_walk(host, &refined, q_matrix);
			truth = mean_divergence(q_matrix, p_matrix, n);
			EXPECT(report.tolerance_reached);
			EXPECT(report.divergence_bound <= tolerances[c] + 1e-12);
			EXPECT(truth <= report.divergence_bound + 1e-12);
			EXPECT(truth >= -1e-12);
			EXPECT(refined.pair_total >= pairs);
			pairs = refined.pair_total;
			graph_release(host, &refined.graph);

			/* a budget that is too small is kept, and the report says so */
			options.blocks_per_row = 3;
			EXPECT_OK(host, block_graph_refine(host, &block, &options,
											   &refined, &report));
			EXPECT(refined.pair_count[0] <= 3 * (n - 1) / 2);
			EXPECT(report.tolerance_reached ==
				   (report.divergence_bound <= tolerances[c]));
			EXPECT(c < 3 || !report.tolerance_reached);
			graph_release(host, &refined.graph);
		}
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
		free((void *) sample.matrix.values);
	}
}

/* thesis gain <= gain <= what solving again finds, for every possible split. */
static void
test_gains_are_lower_bounds(void)
{
	GlRandom	random;

	gl_random_begin(&random, 4);
	for (int trial = 0; trial < 12; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GraphMetric metric = sample_metrics[trial % SAMPLE_METRICS];
		const Divergence *divergence = divergence_of(metric);
		int			n = 4 + 2 * trial;
		double		bandwidth = trial % 2 ? 0.4 : 1;
		Sample		sample;
		BlockGraph	block;
		TreeStatistics statistics;
		BlockSolution solution;
		BlockSolution again;
		int32_t		a[MAX_ROWS];
		int32_t		b[MAX_ROWS];
		double		ab[MAX_ROWS];
		double		ba[MAX_ROWS];
		BlockPairs	pairs = {n - 1, a, b, ab, ba};
		BlockGains	gains;

		sample_begin(&random, metric, n, 2, 1, &sample);
		EXPECT_OK(host, build(host, &sample, metric, 1, bandwidth, false,
							  &block));
		EXPECT_OK(host, block_statistics_begin(host, &sample.matrix,
											   &block.trees[0].tree,
											   &block.trees[0].links,
											   divergence, &statistics));
		gains = (BlockGains)
		{
			.links = &block.trees[0].links, .node = statistics.node,
			.divergence = divergence, .dimension_count = 2,
			.beta = 1 / (2 * bandwidth * bandwidth), .solution = &solution
		};
		EXPECT_OK(host, block_solution_begin(host, n, n, &solution));
		EXPECT_OK(host, block_solution_begin(host, n, n, &again));
		for (int e = 0; e < n - 1; e++)
		{
			a[e] = gains.links->left[e];
			b[e] = gains.links->right[e];
			ab[e] = block_statistics_divergence(divergence, 2,
												&statistics.node[a[e]],
												&statistics.node[b[e]]);
			ba[e] = block_statistics_divergence(divergence, 2,
												&statistics.node[b[e]],
												&statistics.node[a[e]]);
		}
		for (int e = 0; e < n - 1; e++)
			for (int split_a = 0; split_a <= 1; split_a++)
			{
				BlockCell	cell = {a[e], b[e], ab[e], ba[e]};
				BlockCell	child[2];
				double		gain;
				double		truth;
				double		thesis = 0;

				if ((split_a ? cell.a : cell.b) >= n - 1)
					continue;
				pairs.count = n - 1;
				EXPECT_OK(host, block_solver_run(host, gains.links, &pairs,
												 bandwidth, &solution));
				gain = exp(block_gains_log_gain(&gains, &cell, split_a));
				block_gains_split(&gains, &cell, split_a, child);
				for (int s = 0; s < 2; s++)
				{
					int			part = split_a ? child[s].a : child[s].b;
					double		delta = split_a ? child[s].delta_ba :
						child[s].delta_ab;

					thesis += statistics.node[part].count *
						exp(-gains.beta * (delta - (split_a ? ba[e] : ab[e])));
				}
				thesis = log(thesis / statistics.node[split_a ? cell.a :
													  cell.b].count) *
					exp(split_a ? solution.log_q_ba[e] : solution.log_q_ab[e]) *
					statistics.node[cell.a].count *
					statistics.node[cell.b].count;
				a[e] = child[0].a;
				b[e] = child[0].b;
				ab[e] = child[0].delta_ab;
				ba[e] = child[0].delta_ba;
				a[n - 1] = child[1].a;
				b[n - 1] = child[1].b;
				ab[n - 1] = child[1].delta_ab;
				ba[n - 1] = child[1].delta_ba;
				pairs.count = n;
				EXPECT_OK(host, block_solver_run(host, gains.links, &pairs,
												 bandwidth, &again));
				a[e] = cell.a;
				b[e] = cell.b;
				ab[e] = cell.delta_ab;
				ba[e] = cell.delta_ba;
				pairs.count = n - 1;
				EXPECT_OK(host, block_solver_run(host, gains.links, &pairs,
												 bandwidth, &solution));
				truth = n * (again.log_z_root - solution.log_z_root);
				EXPECT(thesis <= gain + 1e-9);
				EXPECT(gain <= truth + 1e-9);
				EXPECT(gain >= 0);
			}
		block_solution_end(host, &again);
		block_solution_end(host, &solution);
		block_statistics_end(host, &statistics);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
		free((void *) sample.matrix.values);
	}
}

/*
 * Narrow clusters are all but exact with a sixth of all pairs of rows, so the
 * optimistic key spends its blocks where the probability is.
 */
static void
test_keys_reach_exact(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	Sample		sample;
	BlockGraph	block;
	BlockGraph	refined;
	double		coarse;

	gl_random_begin(&random, 5);
	sample_begin(&random, METRIC_EUCLIDEAN, MAX_ROWS, 3, 6, &sample);
	EXPECT_OK(host, build(host, &sample, METRIC_EUCLIDEAN, 1, 0.25, false,
						  &block));
	exact_walk(&sample, METRIC_EUCLIDEAN, 0.25, p_matrix);
	block_walk(host, &block, q_matrix);
	coarse = mean_divergence(q_matrix, p_matrix, MAX_ROWS);
	for (int c = 0; c < 4; c++)
	{
		static const double budget[] = {4, 10, 20, 40};
		static const double share[] = {0.5, 0.1, 1e-6, 1e-9};
		double		rest;

		EXPECT_OK(host, refine(host, &block, budget[c], &refined));
		block_walk(host, &refined, q_matrix);
		rest = mean_divergence(q_matrix, p_matrix, MAX_ROWS);
		EXPECT(rest <= share[c] * coarse);
		graph_release(host, &refined.graph);
	}
	graph_release(host, &block.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free((void *) sample.matrix.values);
}

/* Work of one product in the units that it reports. */
static double
product_work(GlHost *host, const BlockGraph *block)
{
	static double x[MAX_ROWS];
	static double y[MAX_ROWS];

	/* so much that nobody is asked meanwhile */
	host->poll_interval = host->work_left = 1 << 30;
	EXPECT_OK(host, graph_apply(host, &block->graph, x, y, 1));
	return (double) ((1 << 30) - host->work_left);
}

/* A product costs O(blocks + n): the same for each further block. */
static void
test_product_work(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	Sample		sample;
	BlockGraph	block;
	double		coarse;

	gl_random_begin(&random, 6);
	sample_begin(&random, METRIC_EUCLIDEAN, MAX_ROWS, 2, 4, &sample);
	EXPECT_OK(host, build(host, &sample, METRIC_EUCLIDEAN, 1, 0.5, false,
						  &block));
	coarse = product_work(host, &block);
	EXPECT(coarse >= MAX_ROWS && coarse <= 12.0 * MAX_ROWS);
	for (double budget = 4; budget <= 64; budget *= 2)
	{
		BlockGraph	refined;
		double		work;

		EXPECT_OK(host, refine(host, &block, budget, &refined));
		work = product_work(host, &refined);
		EXPECT(work >= (double) refined.pair_total);
		EXPECT(work <= coarse + 4.0 * (double) refined.pair_total);
		graph_release(host, &refined.graph);
	}
	graph_release(host, &block.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free((void *) sample.matrix.values);
}

/* One row, equal rows, and numbers at the ends of the range. */
static void
test_degenerate(void)
{
	static const double scales[] = {0, 1, 1e-300, 1e300};

	for (int c = 0; c < 4; c++)
		for (int n = 1; n <= 9; n += 4)
			for (int learn = 0; learn <= 1; learn++)
			{
				TestHost	test;
				GlHost	   *host = test_host_begin(&test);
				GlRandom	random;
				Sample		sample;
				BlockGraph	block;
				BlockGraph	refined;
				BlockRefineOptions options = {
					.blocks_per_row = 6, .has_tolerance = true
				};
				BlockRefineReport report;

				gl_random_begin(&random, n);
				sample_begin(&random, METRIC_EUCLIDEAN, n, 2, 1, &sample);
				for (int v = 0; v < 2 * n; v++)
					((double *) sample.matrix.values)[v] *= scales[c];
				EXPECT_OK(host, build(host, &sample, METRIC_EUCLIDEAN, 1, 0,
									  learn, &block));
				EXPECT_OK(host, block_graph_refine(host, &block, &options,
												   &refined, &report));
				EXPECT_OK(host, block_graph_check(host, &refined));
				EXPECT(refined.graph.points->matrix.row_count == n);
				EXPECT(!isnan(refined.log_density[n - 1]));
				graph_release(host, &refined.graph);
				options.drop_points = true;
				EXPECT_OK(host, block_graph_refine(host, &block, &options,
												   &refined, &report));
				EXPECT(refined.graph.points == NULL &&
					   refined.graph.ids[n - 1] == 3 * n - 2);
				graph_release(host, &refined.graph);
				graph_release(host, &block.graph);
				EXPECT_NOTHING_LEFT(&test);
				test_host_end(&test);
				free((void *) sample.matrix.values);
			}
}

static void
test_options(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static const struct
	{
		BlockRefineOptions options;
		const char *message;
	}			cases[] = {
		{{0}, "needs blocks_per_row or tolerance"},
		{{.blocks_per_row = 1.5}, "must be at least 2"},
		{{.blocks_per_row = -1}, "must be positive"},
		{{.blocks_per_row = NAN}, "must be positive"},
		{{.has_tolerance = true, .tolerance = -1}, "0 or positive"},
		{{.has_tolerance = true, .tolerance = NAN}, "0 or positive"}
	};
	BlockRefineOptions tolerance = {.has_tolerance = true, .tolerance = 1};
	BlockRefineReport report;
	BlockGraph	block;
	BlockGraph	out;
	const PointSet *points;

	EXPECT_OK(host, golden_graph(host, 0, &block));
	for (int c = 0; c < 6; c++)
	{
		memset(&out, 0xA5, sizeof(out));
		EXPECT(block_graph_refine(host, &block, &cases[c].options, &out,
								  &report) == GL_ERR_OPTION);
		EXPECT(strstr(host->message, cases[c].message) != NULL);
		EXPECT(out.graph.operations == NULL && out.trees == NULL);
	}
	for (int metric = METRIC_COSINE; metric <= METRIC_MAHALANOBIS; metric++)
	{
		block.graph.recipe.metric = (GraphMetric) metric;
		EXPECT(block_graph_refine(host, &block, &tolerance, &out,
								  &report) == GL_ERR_OPTION);
		EXPECT(strstr(host->message, "euclidean") != NULL);
	}
	block.graph.recipe.metric = METRIC_EUCLIDEAN;
	points = block.graph.points;
	block.graph.points = NULL;
	EXPECT(refine(host, &block, 3, &out) == GL_ERR_OPTION);
	EXPECT(strstr(host->message, "keep_points => false") != NULL);
	block.graph.points = points;

	/* a budget is a promise to need memory, said before work starts */
	host->bytes_limit = host->bytes_used + 300;
	EXPECT(refine(host, &block, 6, &out) == GL_ERR_MEMORY);
	EXPECT(strstr(host->hint, "blocks_per_row") != NULL);
	graph_release(host, &block.graph);
	test_host_end(&test);
}

static GlStatus
refine_job(GlHost *host)
{
	BlockRefineOptions options = {
		.blocks_per_row = 5.5, .has_tolerance = true, .tolerance = 1e-3
	};
	BlockRefineReport report;
	BlockGraph	block;
	BlockGraph	refined;

	GL_TRY(golden_graph(host, 0, &block));
	block.recipe.learn_bandwidth = true;
	GL_TRY(block_graph_refine(host, &block, &options, &refined, &report));
	graph_release(host, &refined.graph);
	graph_release(host, &block.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(refine_job);
}

int
main(void)
{
	RUN(test_golden);
	RUN(test_gains_are_lower_bounds);
	RUN(test_budgets);
	RUN(test_full);
	RUN(test_tolerance);
	RUN(test_keys_reach_exact);
	RUN(test_product_work);
	RUN(test_degenerate);
	RUN(test_options);
	RUN(test_refused);
	UNIT_TEST_END();
}
