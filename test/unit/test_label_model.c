/*
 * test_label_model.c
 *		If this fails, a model says other things of its rows than the
 *		propagation it was made from.
 */
#include "unit_test.h"

#include "graph/point_graph.h"
#include "learn/label_model.h"

#define N	120
#define D	3
#define C	3

static int64_t ids[N];
static double values[N * D];
static int32_t seed_node[12];
static int32_t seed_class[12];

/* Three clouds; twelve rows are labelled. */
static void
sample(PointSet *points, LabelSeeds *seeds)
{
	GlRandom	random;

	gl_random_begin(&random, 3);
	for (int i = 0; i < N; i++)
	{
		ids[i] = 2 * i + 1;
		for (int j = 0; j < D; j++)
			values[i * D + j] = gl_random_normal(&random) +
				(i % C == j ? 3 : 0);
	}
	for (int s = 0; s < 12; s++)
	{
		seed_node[s] = 4 * s;
		seed_class[s] = 4 * s % C;
	}
	*points = (PointSet)
	{
		{N, D, SCALAR_FLOAT8, values}, ids
	};
	*seeds = (LabelSeeds)
	{
		C, 12, seed_node, seed_class
	};
}

static GlStatus
build(GlHost *host, const PointSet *points, GraphSymmetry symmetry,
	  SparseGraph *sparse)
{
	PointGraphOptions options;
	PointGraphReport report;

	point_graph_defaults(&options);
	options.symmetry = symmetry;
	return point_graph_build(host, points, &options, sparse, &report);
}

/* Every method, prior and kind of graph: the same bits. */
static void
test_same_bits(void)
{
	static const double given[C] = {1, 2, 3};

	for (int trial = 0; trial < 16; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSet	points;
		LabelSeeds	seeds;
		SparseGraph sparse;
		PropagateOptions options;
		PropagateResult result;
		PropagateReport report;
		PropagateReport fit;
		Model		model;
		ClassPrior	prior;

		sample(&points, &seeds);
		propagate_defaults(&options);
		options.method = trial % 2 ? PROPAGATE_LGC : PROPAGATE_HARMONIC;
		if (trial / 2 % 4 == 3)
		{
			options.class_prior = given;
			options.class_prior_count = C;
		}
		else
			options.prior = (PropagatePrior) (PRIOR_SEEDS + trial / 2 % 4);
		EXPECT_OK(host, build(host, &points, trial / 8 ? SYMMETRY_DIRECTED :
							  SYMMETRY_SUM, &sparse));
		EXPECT_OK(host, propagate_run(host, &sparse.graph, &seeds, &options,
									  &result, &report));
		EXPECT_OK(host, label_model_fit(host, &sparse.graph, &seeds,
										&options, &model, &fit));
		EXPECT(model.kind == MODEL_LABEL);
		EXPECT(model.method == (int32_t) options.method);
		EXPECT(model.iterations == report.iterations);
		EXPECT(model.residual == report.residual);
		EXPECT(model.converged && report.converged);
		EXPECT(fit.unreached_count == report.unreached_count);
		EXPECT(model.parameters[LABEL_DAMPING] == report.damping);
		EXPECT(model.parameters[LABEL_SEED_COUNT] == 12);
		EXPECT((model.row_factor != NULL) ==
			   (options.method == PROPAGATE_LGC && trial / 8 == 0));
		prior = label_model_prior(&model);
		EXPECT((prior.mass == NULL) == (options.prior == PRIOR_NONE));
		for (int i = 0; i < N; i++)
		{
			double		scores[C];
			int32_t		winner;
			double		confidence;

			label_model_row(&model, &prior, i, scores, &winner, &confidence);
			EXPECT(memcmp(scores, result.scores + i * C,
						  sizeof(scores)) == 0);
			EXPECT(winner == result.winner[i]);
			EXPECT(confidence == result.confidence[i]);
		}
		label_model_release(host, &model);
		propagate_result_release(host, &result);
		graph_release(host, &sparse.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* f of an lgc model obeys the walk once it is multiplied by the factor. */
static void
test_row_factor(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	LabelSeeds	seeds;
	SparseGraph sparse;
	PropagateOptions options;
	PropagateReport report;
	Model		model;
	NormalisedGraph walk;
	double		carried[N * C];
	double		next[N * C];
	bool		labelled[N] = {false};

	sample(&points, &seeds);
	propagate_defaults(&options);
	options.method = PROPAGATE_LGC;
	options.tolerance = 1e-12;
	EXPECT_OK(host, build(host, &points, SYMMETRY_SUM, &sparse));
	EXPECT_OK(host, label_model_fit(host, &sparse.graph, &seeds, &options,
									&model, &report));
	for (int i = 0; i < N * C; i++)
		carried[i] = model.values[i] * model.row_factor[i / C];
	EXPECT_OK(host, normalised_begin(host, &sparse.graph, NORMALISE_WALK, C,
									 &walk));
	EXPECT_OK(host, normalised_apply(host, &walk, carried, next, C));
	for (int s = 0; s < 12; s++)
		labelled[seed_node[s]] = true;
	for (int i = 0; i < N * C; i++)
		if (!labelled[i / C])
			EXPECT_NEAR(0.9 * next[i], carried[i], 1e-10);
	normalised_end(host, &walk);
	label_model_release(host, &model);
	graph_release(host, &sparse.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Without any label a model knows nothing, and says so. */
static void
test_no_labels(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	LabelSeeds	seeds;
	LabelSeeds	none = {0};
	SparseGraph sparse;
	PropagateOptions options;
	PropagateReport report;
	Model		model;
	ClassPrior	prior;
	int32_t		winner = 5;
	double		confidence = 1;

	sample(&points, &seeds);
	propagate_defaults(&options);
	EXPECT_OK(host, build(host, &points, SYMMETRY_SUM, &sparse));
	EXPECT_OK(host, label_model_fit(host, &sparse.graph, &none, &options,
									&model, &report));
	EXPECT(report.unreached_count == N && model.class_count == 0);
	prior = label_model_prior(&model);
	label_model_row(&model, &prior, 7, values, &winner, &confidence);
	EXPECT(winner == -1 && confidence == 0);
	label_model_release(host, &model);
	graph_release(host, &sparse.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
fit_job(GlHost *host)
{
	PointSet	points;
	LabelSeeds	seeds;
	SparseGraph sparse;
	PropagateOptions options;
	PropagateReport report;
	Model		model;

	sample(&points, &seeds);
	points.matrix.row_count = 50;
	propagate_defaults(&options);
	options.method = PROPAGATE_LGC;
	options.iteration_limit = 3;
	GL_TRY(build(host, &points, SYMMETRY_SUM, &sparse));
	GL_TRY(label_model_fit(host, &sparse.graph, &seeds, &options, &model,
						   &report));
	label_model_release(host, &model);
	graph_release(host, &sparse.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(fit_job);
}

int
main(void)
{
	RUN(test_same_bits);
	RUN(test_row_factor);
	RUN(test_no_labels);
	RUN(test_refused);
	UNIT_TEST_END();
}
