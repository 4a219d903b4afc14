/*
 * test_block_row.c
 *		If this fails, the walk at a point never seen goes where the kernel
 *		does not say, or a loose tolerance loses more than it may.
 */
#include "space_volume.h"

#include "graph/block_build.h"
#include "graph/block_row_field.h"
#include "graph/divergence_space.h"

#define MAX_N	300
#define MAX_D	10

typedef struct Sample
{
	PointSet	points;
	int64_t		ids[MAX_N];
	double		values[MAX_N * MAX_D];
} Sample;

static Sample sample;

/* Clusters inside (0,1), so that every metric takes the rows. */
static void
draw_row(GlRandom *random, int d, double *row)
{
	int			cluster = (int) gl_random_below(random, 3);

	for (int j = 0; j < d; j++)
	{
		double		value = 0.2 + 0.3 * ((cluster + j) % 3) +
			0.06 * gl_random_normal(random);

		row[j] = fmin(fmax(value, 0.01), 0.99);
	}
}

static void
sample_random(GlRandom *random, int n, int d)
{
	sample.points = (PointSet)
	{
		{n, d, SCALAR_FLOAT8, sample.values}, sample.ids
	};
	for (int i = 0; i < n; i++)
	{
		sample.ids[i] = 500 + 3 * i;
		draw_row(random, d, sample.values + i * d);
	}
}

static GlStatus
build(GlHost *host, const BlockGraphOptions *options, BlockGraph *block)
{
	BlockGraphReport report;

	return block_graph_build(host, &sample.points, options, block, &report);
}

/*
 * The exact row and log density of `row` (in the space of the index) by one
 * pass over all rows in long double, mean over the trees.
 */
static void
dense_row(const BlockRowIndex *index, const double *row, int exclude,
		  double *p, double *log_density)
{
	const BlockGraph *block = index->block;
	int			n = (int) block->graph.node_count;
	int			d = index->space.matrix.dimension_count;
	int			tree_count = block->recipe.tree_count;
	double		stored[MAX_D];
	long double density = 0;

	memset(p, 0, (size_t) n * sizeof(double));
	for (int t = 0; t < tree_count; t++)
	{
		long double sigma = ldexp(block->bandwidth[t],
								  -index->space.exponent);
		long double kernel[MAX_N];
		long double least = INFINITY;
		long double sum = 0;

		for (int j = 0; j < n; j++)
		{
			point_matrix_row(&index->space.matrix, j, stored);
			kernel[j] = divergence_between(index->divergence, row, stored, d)
				/ (2 * sigma * sigma);
			if (j != exclude)
				least = fminl(least, kernel[j]);
		}
		for (int j = 0; j < n; j++)
		{
			kernel[j] = j == exclude ? 0 : expl(least - kernel[j]);
			sum += kernel[j];
		}
		for (int j = 0; j < n; j++)
			p[j] += (double) (kernel[j] / sum / tree_count);
		sum *= expl(-least) / (exclude >= 0 ? n - 1 : n);
		if (index->divergence->is_symmetric)
			sum /= powl(2 * acosl(-1) * sigma * sigma, d / 2.0L);
		density += sum / tree_count;
	}
	*log_density = (double) logl(density) -
		reference_log_volume(&block->graph.points->matrix,
							 block->graph.recipe.metric,
							 block->graph.recipe.scale);
}

/* Every leaf of every tree once, but the excluded one. */
static void
expect_cover(const BlockRowIndex *index, const BlockRow *row, int exclude)
{
	const BlockGraph *block = index->block;
	int			n = (int) block->graph.node_count;
	static int	cover[MAX_N];
	double		total = 0;

	for (int t = 0; t < index->tree_count; t++)
	{
		const BlockTree *tree = &block->trees[t];

		memset(cover, 0, sizeof(cover));
		for (int64_t e = 0; e < row->entry_count; e++)
		{
			int			node = row->entries[e].node;
			bool		inner = node < n - 1;
			int			first = inner ? tree->links.first[node] :
				node - (n - 1);
			int			size = inner ? tree->links.size[node] : 1;

			if (row->entries[e].tree != t)
				continue;
			EXPECT(row->entries[e].probability >= 0);
			total += size * row->entries[e].probability;
			for (int i = first; i < first + size; i++)
				cover[tree->tree.leaf_row[i]]++;
		}
		for (int i = 0; i < n; i++)
			EXPECT(cover[i] == (i == exclude ? 0 : 1));
	}
	if (n > (exclude >= 0))
		EXPECT_NEAR(total, 1, 1e-12);
}

/* Largest error of a row at a tolerance; also checks cover and density. */
static double
row_error(GlHost *host, BlockRowIndex *index, const double *features,
		  int exclude, double tolerance, int64_t *node_count)
{
	int			n = (int) index->block->graph.node_count;
	int			d = index->space.matrix.dimension_count;
	static double p[MAX_N];
	static double wanted[MAX_N];
	double		log_density = 0;
	double		largest = 0;
	BlockRow	row;

	EXPECT_OK(host, block_row_query(host, index, features, d, exclude,
									tolerance, &row));
	expect_cover(index, &row, exclude);
	EXPECT_OK(host, block_row_spread(host, index, &row, p));
	dense_row(index, index->query, exclude, wanted, &log_density);
	for (int j = 0; j < n; j++)
		largest = fmax(largest, fabs(p[j] - wanted[j]));
	/* a lower bound, and short by what was hidden at most */
	EXPECT(row.log_density <= log_density + 1e-9);
	EXPECT(row.log_density >= log_density - log1p(tolerance) - 1e-9);
	if (node_count != NULL)
		*node_count = row.node_count;
	return largest;
}

/* Every metric, scale and tree; new rows and excluded ones; tolerance 0. */
static void
test_exact(void)
{
	GlRandom	random;

	gl_random_begin(&random, 11);
	for (int trial = 0; trial < 84; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 2 + (int) gl_random_below(&random, 60);
		int			d = 1 + (int) gl_random_below(&random, MAX_D);
		BlockGraphOptions options;
		BlockGraph	block;
		BlockRowIndex index;

		block_graph_defaults(&options);
		options.metric = METRIC_EUCLIDEAN + trial % 7;
		options.tree_count = trial % 3 == 0 ? 3 : 1;
		options.tree_kind = TREE_BISECT + trial % 3;
		options.scale = options.metric <= METRIC_COSINE && trial / 7 % 2 ?
			SCALE_STANDARD : SCALE_NONE;
		options.has_bandwidth = trial % 5 != 0;
		options.bandwidth = 0.05 * (1 + trial % 4);
		options.learn_bandwidth = trial % 11 == 0;
		options.seed = trial;
		if (options.metric == METRIC_MAHALANOBIS && n < 2 * d + 2)
			n = 2 * d + 2;
		if (options.metric == METRIC_COSINE || options.metric == METRIC_KL)
			d = d < 3 ? 3 : d;
		sample_random(&random, n, d);
		EXPECT_OK(host, build(host, &options, &block));
		EXPECT_OK(host, block_row_begin(host, &block, &index));
		for (int r = 0; r < 4; r++)
		{
			double		features[MAX_D];
			int			i = (int) gl_random_below(&random, n);
			double		stored[MAX_D];

			draw_row(&random, d, features);
			EXPECT(row_error(host, &index, features, -1, 0, NULL) < 1e-10);
			/* a row of the graph itself is mapped to the bit */
			EXPECT(row_error(host, &index, sample.values + i * d, i, 0,
							 NULL) < 1e-10);
			point_matrix_row(&index.space.matrix, i, stored);
			EXPECT(memcmp(index.query, stored,
						  (size_t) d * sizeof(double)) == 0);
		}
		block_row_end(host, &index);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Spec 5.11: the error stays below the tolerance and falls with it. */
static void
test_tolerance(void)
{
	static const double tolerance[] = {1, 0.1, 0.01, 1e-4, 1e-7};
	GlRandom	random;

	gl_random_begin(&random, 5);
	for (int trial = 0; trial < 6; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		BlockGraphOptions options;
		BlockGraph	block;
		BlockRowIndex index;
		double		before = INFINITY;
		int64_t		nodes_before = 0;

		sample_random(&random, MAX_N, 2 + trial);
		block_graph_defaults(&options);
		options.tree_count = trial % 2 ? 2 : 1;
		options.has_bandwidth = true;
		options.bandwidth = 0.05;
		EXPECT_OK(host, build(host, &options, &block));
		EXPECT_OK(host, block_row_begin(host, &block, &index));
		for (int k = 0; k < 5; k++)
		{
			GlRandom	again;
			double		worst = 0;
			int64_t		nodes = 0;

			gl_random_begin(&again, 77);
			for (int r = 0; r < 30; r++)
			{
				double		features[MAX_D];
				int64_t		looked_at;

				draw_row(&again, 2 + trial, features);
				worst = fmax(worst, row_error(host, &index, features, -1,
											  tolerance[k], &looked_at));
				nodes += looked_at;
			}
			EXPECT(worst <= tolerance[k]);
			EXPECT(worst <= before);
			EXPECT(nodes >= nodes_before);
			before = worst;
			nodes_before = nodes;
		}
		EXPECT(before <= 1e-7);
		block_row_end(host, &index);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A field applied by sums is the field applied row by row. */
static void
test_field(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	BlockGraphOptions options;
	BlockGraph	block;
	BlockRowIndex index;
	BlockRowField field;
	static double values[MAX_N * 3];
	static double p[MAX_N];

	gl_random_begin(&random, 3);
	sample_random(&random, 200, 4);
	block_graph_defaults(&options);
	options.tree_count = 3;
	for (int v = 0; v < 600; v++)
		values[v] = gl_random_normal(&random);
	EXPECT_OK(host, build(host, &options, &block));
	EXPECT_OK(host, block_row_begin(host, &block, &index));
	EXPECT_OK(host, block_row_field_begin(host, &index, values, 3, &field));
	for (int r = 0; r < 20; r++)
	{
		double		features[MAX_D];
		double		found[3];
		BlockRow	row;

		draw_row(&random, 4, features);
		EXPECT_OK(host, block_row_query(host, &index, features, 4, r - 1,
										r % 2 ? 0 : 0.3, &row));
		EXPECT_OK(host, block_row_spread(host, &index, &row, p));
		EXPECT_OK(host, block_row_apply(host, &index, &row, &field, found));
		for (int c = 0; c < 3; c++)
		{
			double		wanted = 0;

			for (int i = 0; i < 200; i++)
				wanted += p[i] * values[i * 3 + c];
			EXPECT_NEAR(found[c], wanted, 1e-12);
		}
	}
	block_row_field_end(host, &field);
	block_row_end(host, &index);
	graph_release(host, &block.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/*
 * Trees of one bandwidth agree about a new row, so the first speaks for all;
 * with learnt bandwidths each speaks for itself.
 */
static void
test_forest(void)
{
	for (int learn = 0; learn <= 1; learn++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GlRandom	random;
		BlockGraphOptions options;
		BlockGraph	block;
		BlockRowIndex index;
		BlockRow	row;
		double		share[4] = {0};

		gl_random_begin(&random, 21);
		sample_random(&random, 200, 3);
		block_graph_defaults(&options);
		options.tree_count = 4;
		options.learn_bandwidth = learn;
		EXPECT_OK(host, build(host, &options, &block));
		EXPECT_OK(host, block_row_begin(host, &block, &index));
		EXPECT_OK(host, block_row_query(host, &index, sample.values, 3, -1,
										0.1, &row));
		for (int64_t e = 0; e < row.entry_count; e++)
			share[row.entries[e].tree] += row.entries[e].probability *
				row_descent_leaves(&block.trees[row.entries[e].tree].links,
								   row.entries[e].node);
		for (int t = 0; t < 4; t++)
			EXPECT_NEAR(share[t], learn ? 0.25 : t == 0, 1e-12);
		block_row_end(host, &index);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* One row, equal rows, huge and tiny numbers, a chain of doubling gaps. */
static void
test_degenerate(void)
{
	static const double unit[] = {1, 1e-300, 1e300, 1};

	for (int trial = 0; trial < 12; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GlRandom	random;
		int			kind = trial % 4;
		int			n = trial < 4 ? 1 : trial < 8 ? 2 : 120;
		BlockGraphOptions options;
		BlockGraph	block;
		BlockRowIndex index;
		BlockRow	row;
		double		p[MAX_N];
		double		sum = 0;

		gl_random_begin(&random, trial);
		sample_random(&random, n, 2);
		for (int v = 0; v < 2 * n; v++)
		{
			if (kind == 0)
				sample.values[v] = 0.7;
			if (kind == 3)
				sample.values[v] = ldexp(1, v / 2);
			sample.values[v] *= unit[kind];
		}
		block_graph_defaults(&options);
		options.has_bandwidth = kind == 3;
		options.bandwidth = 1e-3;
		EXPECT_OK(host, build(host, &options, &block));
		EXPECT_OK(host, block_row_begin(host, &block, &index));
		for (int exclude = -1; exclude <= 0; exclude++)
		{
			EXPECT_OK(host, block_row_query(host, &index, sample.values, 2,
											exclude, 0, &row));
			expect_cover(&index, &row, exclude);
			EXPECT_OK(host, block_row_spread(host, &index, &row, p));
			sum = 0;
			for (int i = 0; i < n; i++)
				sum += p[i];
			EXPECT_NEAR(sum, n > exclude + 1 ? 1 : 0, 1e-12);
			EXPECT(!isnan(row.log_density));
			EXPECT(isfinite(row.log_density) == (n > exclude + 1));
			if (kind == 0 && exclude < 0)
				for (int i = 0; i < n; i++)
					EXPECT_NEAR(p[i], 1.0 / n, 1e-15);
			/* duplicates hide nothing, so they stay whole */
			if (kind == 0)
				EXPECT(row.node_count <= 2 || exclude == 0);
		}
		block_row_end(host, &index);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

static void
expect_refused(BlockRowIndex *index, const double *features, int count,
			   double tolerance, GlStatus status, const char *words)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	BlockRow	row;

	EXPECT(block_row_query(host, index, features, count, -1, tolerance,
						   &row) == status);
	EXPECT(strstr(host->message, words) != NULL);
	EXPECT(row.entry_count == 0 && row.entries == NULL);
	test_host_end(&test);
}

static void
test_errors(void)
{
	double		bad[3] = {0.5, NAN, 0.5};
	double		out[3] = {0.5, -0.5, 0.5};
	double		far[3] = {1e200, 0, 0};
	double		zero[3] = {0, 0, 0};

	for (GraphMetric metric = METRIC_EUCLIDEAN;
		 metric <= METRIC_MAHALANOBIS; metric++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GlRandom	random;
		BlockGraphOptions options;
		BlockGraph	block;
		BlockRowIndex index;

		gl_random_begin(&random, 1);
		sample_random(&random, 30, 3);
		block_graph_defaults(&options);
		options.metric = metric;
		EXPECT_OK(host, build(host, &options, &block));
		EXPECT_OK(host, block_row_begin(host, &block, &index));
		expect_refused(&index, sample.values, 2, 0, GL_ERR_DATA,
					   "has 2 features, but the rows of the graph have 3");
		expect_refused(&index, bad, 3, 0, GL_ERR_DATA,
					   "feature 2 of the new row is NaN");
		expect_refused(&index, sample.values, 3, -1, GL_ERR_OPTION,
					   "tolerance");
		expect_refused(&index, sample.values, 3, NAN, GL_ERR_OPTION,
					   "tolerance");
		if (metric >= METRIC_COUNTS && metric <= METRIC_LOGISTIC)
			expect_refused(&index, out, 3, 0, GL_ERR_DATA,
						   "feature 2 of the new row is -0.5");
		if (metric == METRIC_EUCLIDEAN || metric == METRIC_MAHALANOBIS)
			expect_refused(&index, far, 3, 0, GL_ERR_DATA, "too far");
		if (metric == METRIC_COSINE)
			expect_refused(&index, zero, 3, 0, GL_ERR_DATA, "zero vector");
		block_row_end(host, &index);
		graph_release(host, &block.graph);

		options.keep_points = false;
		EXPECT_OK(host, build(host, &options, &block));
		EXPECT(block_row_begin(host, &block, &index) == GL_ERR_OPTION);
		EXPECT(strstr(host->hint, "keep_points") != NULL);
		test_host_end(&test);
	}
}

static GlStatus
row_job(GlHost *host)
{
	BlockGraphOptions options;
	BlockGraph	block;
	BlockRowIndex index;
	BlockRowField field;
	BlockRow	row;
	double		p[MAX_N];
	double		value;

	block_graph_defaults(&options);
	options.has_bandwidth = true;
	options.bandwidth = 0.1;
	options.metric = sample.points.matrix.dimension_count == 2 ?
		METRIC_MAHALANOBIS : METRIC_COUNTS;
	GL_TRY(build(host, &options, &block));
	GL_TRY(block_row_begin(host, &block, &index));
	GL_TRY(block_row_field_begin(host, &index, sample.values, 1, &field));
	GL_TRY(block_row_query(host, &index, sample.values,
						   sample.points.matrix.dimension_count, 3, 0, &row));
	GL_TRY(block_row_spread(host, &index, &row, p));
	GL_TRY(block_row_apply(host, &index, &row, &field, &value));
	block_row_field_end(host, &field);
	block_row_end(host, &index);
	graph_release(host, &block.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	GlRandom	random;

	for (int d = 2; d <= 3; d++)
	{
		gl_random_begin(&random, 4);
		sample_random(&random, 90, d);
		test_refusals(row_job);
	}
}

int
main(void)
{
	RUN(test_exact);
	RUN(test_tolerance);
	RUN(test_field);
	RUN(test_forest);
	RUN(test_degenerate);
	RUN(test_errors);
	RUN(test_refused);
	UNIT_TEST_END();
}
