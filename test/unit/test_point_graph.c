/*
 * test_point_graph.c
 *		If this fails, the graphs under every learner have wrong neighbours,
 *		wrong weights, or depend on the road by which neighbours were found.
 */
#include "reference_graph.h"

/* What the recipe, the flags and the kept points must say. */
static void
expect_frame(const Sample *sample, const PointGraphOptions *options,
			 const Reference *reference, const SparseGraph *sparse)
{
	const Graph *graph = &sparse->graph;
	int			n = reference->n;
	bool		knn = options->kind == GRAPH_KNN;

	EXPECT(graph->node_count == n);
	EXPECT(memcmp(graph->ids, sample->ids, (size_t) n * 8) == 0);
	EXPECT(graph->is_symmetric ==
		   !(knn && options->symmetry == SYMMETRY_DIRECTED));
	EXPECT(!graph->is_stochastic);
	EXPECT(graph->meaning == (options->weights == WEIGHTS_DISTANCE ?
							  GRAPH_LENGTH : GRAPH_SIMILARITY));
	EXPECT(graph->recipe.kind == options->kind);
	EXPECT(graph->recipe.metric == options->metric);
	EXPECT(graph->recipe.weights == options->weights);
	EXPECT(graph->recipe.symmetry ==
		   (knn ? options->symmetry : SYMMETRY_NATURAL));
	EXPECT(graph->recipe.k == (!knn ? 0 : options->k < n - 1 ?
							   options->k : n - 1));
	EXPECT(graph->recipe.seed == options->seed);
	if (options->weights == WEIGHTS_GAUSSIAN)
		EXPECT_NEAR(graph->recipe.bandwidth, (double) reference->bandwidth,
					1e-13 * (double) reference->bandwidth);
	else
		EXPECT(graph->recipe.bandwidth == 0);
	EXPECT((graph->points != NULL) == options->keep_points);
	EXPECT((graph->node_scale != NULL) ==
		   (options->keep_points && n > 1 &&
			options->weights == WEIGHTS_ADAPTIVE));
	EXPECT((graph->column_scale != NULL) ==
		   (options->keep_points && options->scale == SCALE_STANDARD));
	if (graph->points != NULL)
	{
		const PointMatrix *kept = &graph->points->matrix;

		EXPECT(graph->points->ids == graph->ids);
		EXPECT(kept->values != sample->points.matrix.values);
		EXPECT(memcmp(kept->values, sample->points.matrix.values,
					  (size_t) (n * kept->dimension_count) *
					  scalar_size(kept->scalar)) == 0);
	}
	for (int i = 0; i < n && graph->node_scale != NULL; i++)
		EXPECT_NEAR(graph->node_scale[i], (double) reference->scale[i],
					1e-13 * (double) reference->scale[i]);
}

/* Build, and compare edge by edge. */
static void
expect_graph(const Sample *sample, const PointGraphOptions *options)
{
	static Reference reference;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	SparseGraph sparse;
	PointGraphReport report;
	int			failures = unit_failures;

	reference_build(sample, options, &reference);
	EXPECT_OK(host, point_graph_build(host, &sample->points, options,
									  &sparse, &report));
	if (host->status == GL_OK)
	{
		EXPECT_OK(host, sparse_graph_check(host, &sparse));
		expect_frame(sample, options, &reference, &sparse);
		for (int i = 0; i < reference.n; i++)
		{
			int64_t		e = sparse.row_start[i];
			int64_t		end = sparse.row_start[i + 1];

			for (int j = 0; j < reference.n; j++)
			{
				bool		found = e < end && sparse.neighbour[e] == j;
				double		wanted = (double) reference.weight[i][j];

				EXPECT(found == reference.present[i][j]);
				if (found && reference.present[i][j])
					EXPECT_NEAR(sparse.weight[e], wanted,
								options->metric == METRIC_COSINE ?
								1e-14 + 1e-12 * wanted : 1e-12 * wanted);
				e += found;
			}
			EXPECT(e == end);
		}
		graph_release(host, &sparse.graph);
		EXPECT_NOTHING_LEFT(&test);
	}
	test_host_end(&test);
	if (unit_failures > failures)
		printf("# sample %s, kind %d metric %d weights %d symmetry %d "
			   "scale %d k %d\n",
			   sample->name, options->kind, options->metric, options->weights,
			   options->symmetry, options->scale, (int) options->k);
}

/* A radius between two distances, or 1 where all rows are equal. */
static double
radius_between(const Sample *sample, const PointGraphOptions *options)
{
	static Reference reference;
	long double low;
	long double high = 0;

	reference_distances(sample, options, &reference);
	low = reference.n < 2 ? 0 :
		reference_rank(&reference, 0, (reference.n + 2) / 3);
	for (int i = 0; i < reference.n; i++)
		for (int j = 0; j < reference.n; j++)
		{
			long double distance = sqrtl(reference.squared[i][j]);

			if (distance > low && (high == 0 || distance < high))
				high = distance;
		}
	if (high == 0)
		return 1;
	low = (low + high) / 2;
	return (double) (options->metric == METRIC_COSINE ? low * low / 2 : low);
}

/* Every weights x metric x scale (x symmetry) of one kind on one sample. */
static void
expect_every_option(const Sample *sample, PointGraphOptions *options)
{
	bool		knn = options->kind == GRAPH_KNN;

	for (int metric = METRIC_EUCLIDEAN; metric <= METRIC_COSINE; metric++)
		for (int scale = SCALE_NONE; scale <= SCALE_STANDARD; scale++)
			for (int weights = WEIGHTS_ADAPTIVE;
				 weights <= WEIGHTS_SIMILARITY; weights++)
				for (int symmetry = SYMMETRY_SUM;
					 symmetry <= (knn ? SYMMETRY_DIRECTED : SYMMETRY_SUM);
					 symmetry++)
				{
					if (weights == WEIGHTS_SIMILARITY &&
						metric == METRIC_EUCLIDEAN)
						continue;
					if (sample->exact_ties &&
						(metric == METRIC_COSINE || scale != SCALE_NONE))
						continue;
					options->metric = metric;
					options->scale = scale;
					options->weights = weights;
					options->symmetry = symmetry;
					options->keep_points = (metric + scale + weights) % 2;
					if (options->kind == GRAPH_RADIUS)
						options->radius = radius_between(sample, options);
					expect_graph(sample, options);
				}
}

static void
test_knn(void)
{
	static const int64_t k[] = {1, 3, 10};
	static Sample sample;
	PointGraphOptions options;

	for (int which = 0; which < SAMPLE_COUNT; which++)
		for (int c = 0; c < 3; c++)
		{
			sample_choose(&sample, which);
			point_graph_defaults(&options);
			options.k = k[c];
			options.seed = 5;
			expect_every_option(&sample, &options);
		}
}

static void
expect_kind(GraphKind kind)
{
	static Sample sample;
	PointGraphOptions options;

	for (int which = 0; which < SAMPLE_COUNT; which++)
	{
		sample_choose(&sample, which);
		point_graph_defaults(&options);
		options.kind = kind;
		expect_every_option(&sample, &options);
	}
}

static void
test_radius(void)
{
	expect_kind(GRAPH_RADIUS);
}

static void
test_tree(void)
{
	expect_kind(GRAPH_TREE);
}

static void
test_full(void)
{
	expect_kind(GRAPH_FULL);
}

static void
test_given_bandwidth(void)
{
	static const double bandwidth[] = {1e-3, 1, 50};
	static Sample sample;
	PointGraphOptions options;

	sample_choose(&sample, 0);
	for (int kind = GRAPH_KNN; kind <= GRAPH_FULL; kind++)
		for (int b = 0; b < 3; b++)
		{
			point_graph_defaults(&options);
			options.kind = kind;
			options.weights = WEIGHTS_GAUSSIAN;
			options.radius = 3;
			options.has_bandwidth = true;
			options.bandwidth = bandwidth[b];
			expect_graph(&sample, &options);
		}
}

/* The default graph on 0, 1, 3 with one neighbour each, by hand. */
static void
test_by_hand(void)
{
	static const int64_t ids[] = {1, 2, 3};
	static const double values[] = {0, 1, 3};
	PointSet	points = {{3, 1, SCALAR_FLOAT8, values}, ids};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointGraphOptions options;
	PointGraphReport report;
	SparseGraph sparse;

	point_graph_defaults(&options);
	EXPECT(options.k == 10 && options.keep_points && options.lower_k);
	options.k = 1;
	EXPECT_OK(host, point_graph_build(host, &points, &options, &sparse,
									  &report));
	/* both name each other: exp(-2); one names the other: half of exp(-4) */
	EXPECT(sparse.entry_count == 4);
	EXPECT_NEAR(sparse.weight[0], exp(-2), 1e-16);
	EXPECT_NEAR(sparse.weight[1], exp(-2), 1e-16);
	EXPECT_NEAR(sparse.weight[2], exp(-4) / 2, 1e-17);
	EXPECT_NEAR(sparse.weight[3], exp(-4) / 2, 1e-17);
	EXPECT(report.column_spread == 1);
	graph_release(host, &sparse.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Closer than the radius, not as close: 3-4-5 triangles on a lattice. */
static void
test_radius_is_open(void)
{
	static const int64_t ids[] = {1, 2, 3};
	static const double values[] = {0, 0, 3, 4, 0, 10};
	PointSet	points = {{3, 2, SCALAR_FLOAT8, values}, ids};
	static const struct
	{
		double		radius;
		int64_t		entries;
	}			cases[] = {
		{4.999, 0}, {5, 0}, {5.000001, 2}, {6, 2}, {6.8, 4}, {10, 4},
		{10.1, 6}, {1e-300, 0}, {1e300, 6}
	};

	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointGraphOptions options;
		PointGraphReport report;
		SparseGraph sparse;

		point_graph_defaults(&options);
		options.kind = GRAPH_RADIUS;
		options.weights = WEIGHTS_BINARY;
		options.radius = cases[c].radius;
		EXPECT_OK(host, point_graph_build(host, &points, &options, &sparse,
										  &report));
		EXPECT(sparse.entry_count == cases[c].entries);
		EXPECT(sparse.graph.recipe.radius == cases[c].radius);
		graph_release(host, &sparse.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

static bool
has_entry(const SparseGraph *sparse, int32_t i, int32_t j)
{
	for (int64_t e = sparse->row_start[i]; e < sparse->row_start[i + 1]; e++)
		if (sparse->neighbour[e] == j)
			return true;
	return false;
}

/* mutual is part of the lists, which are part of union; sum as union. */
static void
test_inclusion(void)
{
	static Sample sample;

	for (int which = 0; which < SAMPLE_COUNT; which++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointGraphOptions options;
		PointGraphReport report;
		SparseGraph graph[SYMMETRY_DIRECTED + 1];
		int32_t		n;

		sample_choose(&sample, which);
		n = (int32_t) sample.points.matrix.row_count;
		point_graph_defaults(&options);
		options.k = 3;
		options.weights = WEIGHTS_DISTANCE;
		for (int s = SYMMETRY_SUM; s <= SYMMETRY_DIRECTED; s++)
		{
			options.symmetry = s;
			EXPECT_OK(host, point_graph_build(host, &sample.points, &options,
											  &graph[s], &report));
		}
		for (int32_t i = 0; i < n; i++)
			for (int32_t j = 0; j < n; j++)
			{
				bool		ij = has_entry(&graph[SYMMETRY_DIRECTED], i, j);
				bool		ji = has_entry(&graph[SYMMETRY_DIRECTED], j, i);

				EXPECT(has_entry(&graph[SYMMETRY_MUTUAL], i, j) == (ij && ji));
				EXPECT(has_entry(&graph[SYMMETRY_UNION], i, j) == (ij || ji));
				EXPECT(has_entry(&graph[SYMMETRY_SUM], i, j) == (ij || ji));
			}
		for (int s = SYMMETRY_SUM; s <= SYMMETRY_DIRECTED; s++)
			graph_release(host, &graph[s].graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

static bool
same_bits(const SparseGraph *a, const SparseGraph *b)
{
	int64_t		n = a->graph.node_count;
	int64_t		m = a->entry_count;

	return n == b->graph.node_count && m == b->entry_count &&
		memcmp(a->row_start, b->row_start, (size_t) (n + 1) * 8) == 0 &&
		memcmp(a->neighbour, b->neighbour, (size_t) m * 4) == 0 &&
		memcmp(a->weight, b->weight, (size_t) m * 8) == 0 &&
		a->graph.recipe.bandwidth == b->graph.recipe.bandwidth;
}

/* Tree, products and the choice between them: one graph, bit for bit. */
static void
test_roads(void)
{
	static Sample sample;

	for (int which = 0; which < SAMPLE_COUNT; which++)
		for (int kind = GRAPH_KNN; kind <= GRAPH_TREE; kind++)
			for (int metric = METRIC_EUCLIDEAN; metric <= METRIC_COSINE;
				 metric++)
			{
				TestHost	test;
				GlHost	   *host = test_host_begin(&test);
				PointGraphOptions options;
				PointGraphReport report;
				SparseGraph graph[NEIGHBOURS_GEMM + 1];

				sample_choose(&sample, which);
				if (sample.exact_ties && metric == METRIC_COSINE)
					continue;	/* a lattice holds the zero vector */
				point_graph_defaults(&options);
				options.kind = kind;
				options.metric = metric;
				options.k = 4;
				options.weights = kind == GRAPH_RADIUS ?
					WEIGHTS_GAUSSIAN : WEIGHTS_ADAPTIVE;
				if (kind == GRAPH_RADIUS)
					options.radius = radius_between(&sample, &options);
				for (int m = NEIGHBOURS_AUTO; m <= NEIGHBOURS_GEMM; m++)
				{
					options.method = m;
					EXPECT_OK(host, point_graph_build(host, &sample.points,
													  &options, &graph[m],
													  &report));
				}
				for (int m = NEIGHBOURS_TREE; m <= NEIGHBOURS_GEMM; m++)
					EXPECT(same_bits(&graph[NEIGHBOURS_AUTO], &graph[m]));
				for (int m = NEIGHBOURS_AUTO; m <= NEIGHBOURS_GEMM; m++)
					graph_release(host, &graph[m].graph);
				EXPECT_NOTHING_LEFT(&test);
				test_host_end(&test);
			}
}

/* Rows times a power of two: weights keep their bits, lengths follow. */
static void
test_scale_invariance(void)
{
	static const int exponent[] = {-996, -400, 400, 996};
	static Sample sample;

	for (int kind = GRAPH_KNN; kind <= GRAPH_FULL; kind++)
		for (int weights = WEIGHTS_ADAPTIVE; weights <= WEIGHTS_DISTANCE;
			 weights++)
			for (int e = 0; e < 4; e++)
			{
				TestHost	test;
				GlHost	   *host = test_host_begin(&test);
				PointGraphOptions options;
				PointGraphReport report;
				SparseGraph graph[2];

				sample_choose(&sample, 0);
				point_graph_defaults(&options);
				options.kind = kind;
				options.weights = weights;
				options.k = 5;
				options.radius = 4;
				for (int scaled = 0; scaled <= 1; scaled++)
				{
					EXPECT_OK(host, point_graph_build(host, &sample.points,
													  &options,
													  &graph[scaled],
													  &report));
					for (int v = 0; v < 90; v++)
						sample.values[v] = ldexp(sample.values[v],
												 exponent[e]);
					options.radius = ldexp(4, exponent[e]);
				}
				EXPECT(graph[1].graph.recipe.bandwidth ==
					   ldexp(graph[0].graph.recipe.bandwidth, exponent[e]));
				EXPECT(graph[0].entry_count == graph[1].entry_count);
				EXPECT(graph[0].entry_count > 0);
				for (int64_t entry = 0; entry < graph[0].entry_count; entry++)
				{
					double		wanted = graph[0].weight[entry];

					if (weights == WEIGHTS_DISTANCE)
						wanted = ldexp(wanted, exponent[e]);
					EXPECT(graph[0].neighbour[entry] ==
						   graph[1].neighbour[entry]);
					EXPECT(graph[1].weight[entry] == wanted);
				}
				graph_release(host, &graph[0].graph);
				graph_release(host, &graph[1].graph);
				EXPECT_NOTHING_LEFT(&test);
				test_host_end(&test);
			}
}

#define EXPECT_OPTION_ERROR(change, word) \
	do { \
		PointGraphOptions o; \
		SparseGraph sparse; \
		PointGraphReport report; \
		point_graph_defaults(&o); \
		change; \
		EXPECT(point_graph_build(host, &sample.points, &o, &sparse, \
								 &report) == GL_ERR_OPTION); \
		EXPECT(strstr(host->message, word) != NULL); \
		EXPECT(sparse.weight == NULL); \
	} while (0)

static void
test_option_errors(void)
{
	static const double bad[] = {0, -1, NAN, INFINITY};
	static Sample sample;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	sample_choose(&sample, 0);
	EXPECT_OPTION_ERROR(o.k = 0, "k must be");
	EXPECT_OPTION_ERROR(o.k = -3, "not -3");
	EXPECT_OPTION_ERROR((o.k = 30, o.lower_k = false), "the number of rows, 30,");
	EXPECT_OPTION_ERROR((o.k = INT64_MAX, o.lower_k = false), "the number of rows, 30,");
	EXPECT_OPTION_ERROR(o.weights = WEIGHTS_SIMILARITY, "'cosine'");
	EXPECT_OPTION_ERROR((o.has_bandwidth = true, o.bandwidth = 1),
						"'gaussian' only");
	for (int b = 0; b < 4; b++)
	{
		EXPECT_OPTION_ERROR((o.kind = GRAPH_RADIUS, o.radius = bad[b]),
							"radius must be");
		EXPECT_OPTION_ERROR((o.weights = WEIGHTS_GAUSSIAN,
							 o.has_bandwidth = true, o.bandwidth = bad[b]),
							"bandwidth must be");
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* k = n-1 asked for is allowed, more is lowered where that is allowed. */
static void
test_largest_k(void)
{
	static Sample sample;
	PointGraphOptions options;

	sample_choose(&sample, 0);
	point_graph_defaults(&options);
	options.lower_k = false;
	options.k = 29;
	expect_graph(&sample, &options);
	options.lower_k = true;
	options.k = INT64_MAX;
	expect_graph(&sample, &options);
}

/* A length or a scale that no double can say is an error, not an infinity. */
static void
test_too_far_apart(void)
{
	static const int64_t ids[] = {1, 2};
	static const double values[] = {-1.7e308, 1.7e308};
	PointSet	points = {{2, 1, SCALAR_FLOAT8, values}, ids};

	for (int kind = GRAPH_KNN; kind <= GRAPH_FULL; kind++)
		for (int weights = WEIGHTS_ADAPTIVE; weights <= WEIGHTS_DISTANCE;
			 weights++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			PointGraphOptions options;
			PointGraphReport report;
			SparseGraph sparse;
			GlStatus	status;

			point_graph_defaults(&options);
			options.kind = kind;
			options.weights = weights;
			options.radius = 1.7e308;
			status = point_graph_build(host, &points, &options, &sparse,
									   &report);
			if (weights == WEIGHTS_BINARY ||
				(weights != WEIGHTS_ADAPTIVE && kind == GRAPH_RADIUS))
				EXPECT_OK(host, status);
			else
			{
				EXPECT(status == GL_ERR_DATA);
				EXPECT(strstr(host->message, "further apart") != NULL);
				EXPECT(sparse.weight == NULL);
			}
			test_host_end(&test);
		}
}

/* A full graph that cannot fit says so before anything is searched. */
static void
test_full_refused_early(void)
{
	static Sample sample;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointGraphOptions options;
	PointGraphReport report;
	SparseGraph sparse;

	sample_begin(&sample, "zeros", MAX_N, 1);
	point_graph_defaults(&options);
	options.kind = GRAPH_FULL;
	/* the sort's 16 kB of counters fit, 12 bytes a pair do not */
	host->bytes_limit = MAX_N * MAX_N * 12 - 100;
	EXPECT(point_graph_build(host, &sample.points, &options, &sparse,
							 &report) == GL_ERR_MEMORY);
	EXPECT(strstr(host->hint, "gl_knn_graph") != NULL);
	EXPECT(host->bytes_peak == 0);
	test_host_end(&test);
}

/* Pairs within a radius that do not fit: the radius is what to change. */
static void
test_radius_refused(void)
{
	static Sample sample;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointGraphOptions options;
	PointGraphReport report;
	SparseGraph sparse;

	sample_begin(&sample, "zeros", MAX_N, 1);
	point_graph_defaults(&options);
	options.kind = GRAPH_RADIUS;
	options.weights = WEIGHTS_BINARY;
	options.radius = 1;
	host->bytes_limit = MAX_N * MAX_N * 12 - 100;
	EXPECT(point_graph_build(host, &sample.points, &options, &sparse,
							 &report) == GL_ERR_MEMORY);
	EXPECT(strstr(host->hint, "smaller radius") != NULL);
	test_host_end(&test);
}

static void
test_zero_vector(void)
{
	static Sample sample;
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointGraphOptions options;
	PointGraphReport report;
	SparseGraph sparse;

	sample_choose(&sample, 7);
	point_graph_defaults(&options);
	options.metric = METRIC_COSINE;
	EXPECT(point_graph_build(host, &sample.points, &options, &sparse,
							 &report) == GL_ERR_DATA);
	EXPECT(strstr(host->message, "id -40") != NULL);
	EXPECT(sparse.weight == NULL);
	test_host_end(&test);
}

static GlStatus
graph_job(GlHost *host)
{
	static const int64_t ids[] = {1, 2, 5, 6, 7, 9};
	static const double values[] = {0, 1, 1, 0, 4, 2, 3, 3, 4, 2, 7, 1};
	PointSet	points = {{6, 2, SCALAR_FLOAT8, values}, ids};
	PointGraphOptions options;
	PointGraphReport report;
	SparseGraph sparse;

	for (int kind = GRAPH_KNN; kind <= GRAPH_FULL; kind++)
		for (int method = NEIGHBOURS_TREE; method <= NEIGHBOURS_GEMM;
			 method++)
		{
			point_graph_defaults(&options);
			options.kind = kind;
			options.weights = method == NEIGHBOURS_TREE ?
				WEIGHTS_ADAPTIVE : WEIGHTS_GAUSSIAN;
			options.scale = method == NEIGHBOURS_TREE ?
				SCALE_STANDARD : SCALE_NONE;
			options.k = 2;
			options.radius = 3;
			options.method = method;
			options.keep_points = kind % 2;
			GL_TRY(point_graph_build(host, &points, &options, &sparse,
									 &report));
			graph_release(host, &sparse.graph);
		}
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(graph_job);
}

int
main(void)
{
	RUN(test_by_hand);
	RUN(test_knn);
	RUN(test_radius);
	RUN(test_tree);
	RUN(test_full);
	RUN(test_given_bandwidth);
	RUN(test_radius_is_open);
	RUN(test_inclusion);
	RUN(test_roads);
	RUN(test_scale_invariance);
	RUN(test_option_errors);
	RUN(test_largest_k);
	RUN(test_too_far_apart);
	RUN(test_full_refused_early);
	RUN(test_radius_refused);
	RUN(test_zero_vector);
	RUN(test_refused);
	UNIT_TEST_END();
}
