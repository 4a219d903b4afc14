/*
 * test_label_predict.c
 *		If this fails, a row never seen gets another label than the equation of
 *		its model says.
 */
#include "unit_test.h"

#include "graph/block_build.h"
#include "graph/point_graph.h"
#include "learn/label_predict.h"

#define N		240
#define D		2
#define C		3
#define SEEDS	12

static int64_t ids[N];
static double values[N * D];
static int32_t seed_node[SEEDS];
static int32_t seed_class[SEEDS];
static bool is_seed[N];

/* Three clouds, twelve labels. */
static void
sample(int n, PointSet *points, LabelSeeds *seeds)
{
	GlRandom	random;

	gl_random_begin(&random, 11);
	memset(is_seed, 0, sizeof(is_seed));
	for (int i = 0; i < n; i++)
	{
		ids[i] = i;
		values[i * D] = gl_random_normal(&random) + 2.5 * (i % C);
		values[i * D + 1] = gl_random_normal(&random) + (i % C == 1 ? 3 : 0);
	}
	for (int s = 0; s < SEEDS; s++)
	{
		seed_node[s] = s * 5 % n;
		seed_class[s] = seed_node[s] % C;
		is_seed[seed_node[s]] = true;
	}
	*points = (PointSet)
	{
		{n, D, SCALAR_FLOAT8, values}, ids
	};
	*seeds = (LabelSeeds)
	{
		C, SEEDS, seed_node, seed_class
	};
}

static GlStatus
build(GlHost *host, const PointSet *points, GraphKind kind,
	  GraphSymmetry symmetry, SparseGraph *sparse)
{
	PointGraphOptions options;
	PointGraphReport report;

	point_graph_defaults(&options);
	options.kind = kind;
	options.symmetry = symmetry;
	options.weights = WEIGHTS_GAUSSIAN;
	options.has_bandwidth = true;
	options.bandwidth = 0.7;
	options.radius = 2.5;
	return point_graph_build(host, points, &options, sparse, &report);
}

/*
 * A row of the graph, left out and asked for again: where its row of the walk
 * is that of a new row (directed neighbours, or a radius), the answer is what
 * the propagation gave it, by every method and prior.
 */
static void
test_own_neighbourhood(void)
{
	for (int trial = 0; trial < 12; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		bool		is_radius = trial % 2;
		PointSet	points;
		LabelSeeds	seeds;
		SparseGraph sparse;
		PropagateOptions options;
		PropagateReport report;
		Model		model;
		LabelPredictor predictor;

		sample(N, &points, &seeds);
		propagate_defaults(&options);
		options.method = trial / 2 % 2 ? PROPAGATE_LGC : PROPAGATE_HARMONIC;
		options.prior = (PropagatePrior) (PRIOR_SEEDS + trial / 4);
		options.tolerance = 1e-13;
		EXPECT_OK(host, build(host, &points,
							  is_radius ? GRAPH_RADIUS : GRAPH_KNN,
							  SYMMETRY_DIRECTED, &sparse));
		EXPECT(sparse.graph.is_symmetric == is_radius);
		EXPECT_OK(host, label_model_fit(host, &sparse.graph, &seeds,
										&options, &model, &report));
		EXPECT_OK(host, label_predict_begin(host, &model, &sparse.graph,
											&predictor));
		for (int i = 0; i < N; i++)
		{
			ClassPrior	prior = label_model_prior(&model);
			double		wanted[C];
			int32_t		wanted_winner;
			double		wanted_confidence;
			int32_t		winner;
			double		confidence;

			if (is_seed[i])
				continue;
			label_model_row(&model, &prior, i, wanted, &wanted_winner,
							&wanted_confidence);
			EXPECT_OK(host, label_predict_row(host, &predictor,
											  values + i * D, D, i, 0.01,
											  &winner, &confidence, NULL));
			EXPECT(winner == wanted_winner);
			EXPECT_NEAR(confidence, wanted_confidence, 1e-9);
			for (int c = 0; c < C; c++)
				EXPECT_NEAR(predictor.scores[c], wanted[c], 1e-9);
		}
		label_predict_end(host, &predictor);
		label_model_release(host, &model);
		graph_release(host, &sparse.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* f by hand: gaussian weights of the three nearest of five rows on a line. */
static void
test_by_hand(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static const int64_t line_ids[] = {1, 2, 3, 4, 5};
	static const double line[] = {0, 1, 2, 3, 4};
	static const int32_t nodes[] = {0, 4};
	static const int32_t classes[] = {0, 1};
	PointSet	points = {{5, 1, SCALAR_FLOAT8, line}, line_ids};
	LabelSeeds	seeds = {2, 2, nodes, classes};
	PointGraphOptions build_options;
	PointGraphReport built;
	SparseGraph sparse;
	PropagateOptions options;
	PropagateReport report;
	Model		model;
	LabelPredictor predictor;
	double		at = 0.5;
	double		near = exp(-0.125);
	double		far = exp(-1.125);
	double		f[2];
	int32_t		winner;
	double		confidence;

	point_graph_defaults(&build_options);
	build_options.weights = WEIGHTS_GAUSSIAN;
	build_options.has_bandwidth = true;
	build_options.bandwidth = 1;
	build_options.k = 3;
	propagate_defaults(&options);
	options.prior = PRIOR_NONE;
	options.tolerance = 1e-14;
	EXPECT_OK(host, point_graph_build(host, &points, &build_options, &sparse,
									  &built));
	EXPECT_OK(host, label_model_fit(host, &sparse.graph, &seeds, &options,
									&model, &report));
	EXPECT_OK(host, label_predict_begin(host, &model, &sparse.graph,
										&predictor));
	EXPECT_OK(host, label_predict_row(host, &predictor, &at, 1, -1, 0,
									  &winner, &confidence, NULL));
	/* 0.5 is joined to rows 0, 1 (at 1/2) and 2 (at 3/2) */
	for (int c = 0; c < 2; c++)
		f[c] = near * model.values[c] + near * model.values[2 + c] +
			far * model.values[4 + c];
	EXPECT(winner == 0);
	EXPECT_NEAR(confidence, f[0] / (f[0] + f[1]), 1e-14);
	EXPECT_NEAR(predictor.scores[1], f[1] / (f[0] + f[1]), 1e-14);
	test_host_end(&test);
}

/* Blocks: the exact row and the descent agree on clear cases. */
static void
test_blocks(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	LabelSeeds	seeds;
	BlockGraphOptions build_options;
	BlockGraphReport built;
	BlockGraph	block;
	PropagateOptions options;
	PropagateReport report;
	Model		model;
	LabelPredictor predictor;
	int			same = 0;
	RowFieldReport looked;

	sample(N, &points, &seeds);
	block_graph_defaults(&build_options);
	build_options.tree_count = 4;
	propagate_defaults(&options);
	EXPECT_OK(host, block_graph_build(host, &points, &build_options, &block,
									  &built));
	EXPECT_OK(host, label_model_fit(host, &block.graph, &seeds, &options,
									&model, &report));
	EXPECT_OK(host, label_predict_begin(host, &model, &block.graph,
										&predictor));
	for (int i = 0; i < N; i++)
	{
		double		at[D] = {values[i * D] + 0.01, values[i * D + 1] - 0.02};
		double		exact[C];
		int32_t		winner;
		int32_t		exact_winner;
		double		confidence;

		EXPECT_OK(host, label_predict_row(host, &predictor, at, D, -1, 0,
										  &exact_winner, &confidence, NULL));
		memcpy(exact, predictor.scores, sizeof(exact));
		EXPECT_OK(host, label_predict_row(host, &predictor, at, D, -1, 1e-9,
										  &winner, &confidence, &looked));
		for (int c = 0; c < C; c++)
			EXPECT_NEAR(predictor.scores[c], exact[c], 1e-6);
		EXPECT_OK(host, label_predict_row(host, &predictor, at, D, -1, 0.01,
										  &winner, &confidence, &looked));
		EXPECT(looked.node_count < 2 * 4 * N);
		same += winner == exact_winner;
	}
	EXPECT(same >= N * 95 / 100);
	label_predict_end(host, &predictor);
	label_model_release(host, &model);
	graph_release(host, &block.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
predict_job(GlHost *host)
{
	PointSet	points;
	LabelSeeds	seeds;
	SparseGraph sparse;
	PropagateOptions options;
	PropagateReport report;
	Model		model;
	LabelPredictor predictor;
	int32_t		winner;
	double		confidence;

	sample(30, &points, &seeds);
	propagate_defaults(&options);
	options.iteration_limit = 2;
	seeds.seed_count = 0;
	GL_TRY(build(host, &points, GRAPH_KNN, SYMMETRY_SUM, &sparse));
	GL_TRY(label_model_fit(host, &sparse.graph, &seeds, &options, &model,
						   &report));
	GL_TRY(label_predict_begin(host, &model, &sparse.graph, &predictor));
	GL_TRY(label_predict_row(host, &predictor, values, D, -1, 0, &winner,
							 &confidence, NULL));
	EXPECT(winner == -1 && confidence == 0);	/* nobody is labelled */
	label_predict_end(host, &predictor);
	label_model_release(host, &model);
	graph_release(host, &sparse.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(predict_job);
}

int
main(void)
{
	RUN(test_own_neighbourhood);
	RUN(test_by_hand);
	RUN(test_blocks);
	RUN(test_refused);
	UNIT_TEST_END();
}
