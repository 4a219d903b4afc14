/*
 * test_class_prior.c
 *		If this fails, classes win more or less of the data than they should.
 */
#include "unit_test.h"

#include "learn/class_prior.h"

static PropagateOptions
options_with(PropagatePrior prior, double weight)
{
	PropagateOptions options;

	propagate_defaults(&options);
	options.prior = prior;
	options.prior_weight = weight;
	return options;
}

/*
 * The case of the spec: f = (.1, .2, .3) for '+', q = 1/2.  Scores .0833
 * against .1875, .1667 against .1667, .25 against .1458; the tie goes to the
 * lower class, '-'.
 */
static void
test_spec_case(void)
{
	double		scores[6] = {0.9, 0.1, 0.8, 0.2, 0.7, 0.3};
	double		plus[3] = {0.25 / 3, 0.5 / 3, 0.25};
	double		minus[3] = {0.1875, 0.5 / 3, 7.0 / 48};
	int32_t		node[1] = {2};
	int32_t		label_class[1] = {1};
	LabelSeeds	seeds = {2, 1, node, label_class};
	PropagateOptions options = options_with(PRIOR_UNIFORM, 0);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	EXPECT_OK(host, class_prior_apply(host, &seeds, &options, 3, NULL,
									  scores));
	for (int i = 0; i < 3; i++)
	{
		EXPECT_NEAR(scores[2 * i + 1], plus[i] / (plus[i] + minus[i]), 1e-15);
		EXPECT_NEAR(scores[2 * i] + scores[2 * i + 1], 1, 1e-15);
	}
	EXPECT_NEAR(scores[2], scores[3], 1e-15);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/*
 * A clamped row counts 1 towards the mass of its class and does not change.
 * f of row 0 is (.25, .5), two rows are clamped at class 0, one at class 1:
 * m = (2.25, 1.5), with q = 1/2 the scores are 1/9 and 1/3 before scaling.
 */
static void
test_clamped(void)
{
	double		scores[8] = {0.25, 0.5, 1, 0, 1, 0, 0, 1};
	bool		is_clamped[4] = {false, true, true, true};
	int32_t		node[3] = {1, 2, 3};
	int32_t		label_class[3] = {0, 0, 1};
	LabelSeeds	seeds = {2, 3, node, label_class};
	PropagateOptions options = options_with(PRIOR_UNIFORM, 0);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	EXPECT_OK(host, class_prior_apply(host, &seeds, &options, 4, is_clamped,
									  scores));
	EXPECT_NEAR(scores[0], 0.25, 1e-15);
	EXPECT_NEAR(scores[1], 0.75, 1e-15);
	for (int i = 1; i < 4; i++)
	{
		EXPECT(scores[2 * i] == (i < 3 ? 1 : 0));
		EXPECT(scores[2 * i + 1] == (i < 3 ? 0 : 1));
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/*
 * One row is left to label, four of its five units of weight point at class
 * 1, which is also the rarer one: it wins all the same, however few rows of
 * it there are.
 */
static void
test_one_unlabelled(void)
{
	double		scores[40] = {0.2, 0.8};
	bool		is_clamped[20] = {false};
	int32_t		node[19];
	int32_t		label_class[19];
	LabelSeeds	seeds = {2, 19, node, label_class};
	PropagateOptions options = options_with(PRIOR_SEEDS, 10);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (int32_t s = 0; s < 19; s++)
	{
		node[s] = s + 1;
		label_class[s] = s < 15 ? 0 : 1;
		is_clamped[s + 1] = true;
		scores[2 * (s + 1) + label_class[s]] = 1;
	}
	EXPECT_OK(host, class_prior_apply(host, &seeds, &options, 20, is_clamped,
									  scores));
	EXPECT(scores[1] > 0.8);
	EXPECT_NEAR(scores[0] + scores[1], 1, 1e-15);
	test_host_end(&test);
}

/* q = (n_c + weight) / (n + weight C), and a given prior overrides it. */
static void
test_shares(void)
{
	int32_t		node[4] = {0, 1, 2, 3};
	int32_t		label_class[4] = {0, 0, 0, 1};
	LabelSeeds	seeds = {2, 4, node, label_class};
	double		given[2] = {2e307, 1e308};
	double		wanted[4] = {3 / 4.0, 13 / 24.0, 1 / 6.0, 0.5};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (int k = 0; k < 4; k++)
	{
		PropagateOptions options = options_with(k < 3 ? PRIOR_SEEDS :
												PRIOR_UNIFORM,
												k == 0 ? 0 : 10);
		double		scores[4] = {0.5, 0.5, 0.5, 0.5};

		if (k == 2)
		{
			options.class_prior = given;
			options.class_prior_count = 2;
			options.prior = PRIOR_NONE;
		}
		EXPECT_OK(host, class_prior_check(host, &options, 2));
		EXPECT_OK(host, class_prior_apply(host, &seeds, &options, 2, NULL,
										  scores));
		EXPECT_NEAR(scores[0], wanted[k], 1e-15);
		EXPECT_NEAR(scores[3], 1 - wanted[k], 1e-15);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Without a prior rows are only scaled; tiny rows keep their quotients. */
static void
test_none(void)
{
	double		scores[8] = {0.1, 0.3, 0, 0, 3e-310, 1e-310, 2e-250, 0};
	int32_t		node[1] = {0};
	int32_t		label_class[1] = {0};
	LabelSeeds	seeds = {2, 1, node, label_class};
	PropagateOptions options = options_with(PRIOR_NONE, 10);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	EXPECT_OK(host, class_prior_apply(host, &seeds, &options, 4, NULL,
									  scores));
	EXPECT_NEAR(scores[0], 0.25, 1e-15);
	EXPECT_NEAR(scores[1], 0.75, 1e-15);
	EXPECT(scores[2] == 0 && scores[3] == 0);
	EXPECT_NEAR(scores[4], 0.75, 1e-12);
	EXPECT_NEAR(scores[5], 0.25, 1e-12);
	EXPECT(scores[6] == 1 && scores[7] == 0);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* A class nobody reaches has mass 0: no NaN, score 0. */
static void
test_no_mass(void)
{
	double		scores[6] = {0.5, 0, 1e-300, 0.25, 0, 0};
	int32_t		node[1] = {0};
	int32_t		label_class[1] = {0};
	LabelSeeds	seeds = {3, 1, node, label_class};
	PropagateOptions options = options_with(PRIOR_SEEDS, 10);
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	EXPECT_OK(host, class_prior_apply(host, &seeds, &options, 2, NULL,
									  scores));
	for (int i = 0; i < 2; i++)
	{
		EXPECT_NEAR(scores[3 * i] + scores[3 * i + 1] + scores[3 * i + 2], 1,
					1e-15);
		EXPECT(scores[3 * i + 1] == 0);
	}
	EXPECT(scores[3] == 1);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Bad options are refused with the offending value. */
static void
test_check(void)
{
	double		bad[2] = {0.5, 0};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PropagateOptions options = options_with(PRIOR_SEEDS, -1);

	EXPECT(class_prior_check(host, &options, 2) == GL_ERR_OPTION);
	EXPECT(strstr(host->message, "-1") != NULL);
	options.prior_weight = INFINITY;
	EXPECT(class_prior_check(host, &options, 2) == GL_ERR_OPTION);
	options.prior_weight = NAN;
	EXPECT(class_prior_check(host, &options, 2) == GL_ERR_OPTION);
	options = options_with((PropagatePrior) 9, 1);
	EXPECT(class_prior_check(host, &options, 2) == GL_ERR_OPTION);
	EXPECT(strstr(host->hint, "uniform") != NULL);
	options = options_with(PRIOR_SEEDS, 1);
	options.class_prior = bad;
	options.class_prior_count = 3;
	EXPECT(class_prior_check(host, &options, 2) == GL_ERR_OPTION);
	EXPECT(strstr(host->message, "3 values") != NULL);
	options.class_prior_count = 2;
	EXPECT(class_prior_check(host, &options, 2) == GL_ERR_OPTION);
	EXPECT(strstr(host->message, "value 2 is 0") != NULL);
	bad[1] = INFINITY;
	EXPECT(class_prior_check(host, &options, 2) == GL_ERR_OPTION);
	bad[1] = NAN;
	EXPECT(class_prior_check(host, &options, 2) == GL_ERR_OPTION);
	bad[1] = 1e-9;
	EXPECT_OK(host, class_prior_check(host, &options, 2));
	test_host_end(&test);
}

static GlStatus
refusal_job(GlHost *host)
{
	double		scores[4] = {0.5, 0.5, 0.1, 0.9};
	int32_t		node[1] = {0};
	int32_t		label_class[1] = {0};
	LabelSeeds	seeds = {2, 1, node, label_class};
	PropagateOptions options = options_with(PRIOR_SEEDS, 10);

	GL_TRY(class_prior_check(host, &options, 2));
	return class_prior_apply(host, &seeds, &options, 2, NULL, scores);
}

static void
test_refused(void)
{
	test_refusals(refusal_job);
}

int
main(void)
{
	RUN(test_spec_case);
	RUN(test_clamped);
	RUN(test_one_unlabelled);
	RUN(test_shares);
	RUN(test_none);
	RUN(test_no_mass);
	RUN(test_check);
	RUN(test_refused);
	UNIT_TEST_END();
}
