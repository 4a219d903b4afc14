/*
 * test_agglomeration.c
 *		If this fails, trees are joined in another order than their costs say.
 */
#include "tree_samples.h"

#include "graph/agglomeration.h"

/* Leaves at places on a line, each standing for count rows. */
typedef struct Ball
{
	double		place;
	double		radius;
	int			count;
} Ball;

/* Join four balls; the leaves of the first pair joined, as a bit set. */
static int
first_pair(const Ball *balls, MergeRule rule)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Agglomeration work;
	Cluster		whole;
	PartitionTree tree;
	int			pair;

	EXPECT_OK(host, agglomeration_begin(host,
										divergence_of(METRIC_EUCLIDEAN),
										rule, 4, 1, 4, &work));
	agglomeration_clear(&work);
	for (int i = 0; i < 4; i++)
		*agglomeration_add(&work, i, balls[i].count, balls[i].radius) =
			balls[i].place;
	EXPECT_OK(host, agglomeration_run(host, &work, &whole));
	EXPECT(whole.node == 6);
	pair = 1 << work.child[0] | 1 << work.child[1];
	EXPECT_OK(host, agglomeration_finish(host, &work, &tree));
	EXPECT_OK(host, partition_tree_check(host, &tree));
	EXPECT(tree.leaf_row[0] == 0);	/* the smallest row is on the left */
	partition_tree_release(host, &tree);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	return pair;
}

static void
test_rules(void)
{
	const Ball	plain[] = {{0, 0, 1}, {1, 0, 1}, {5, 0, 1}, {5.5, 0, 1}};
	const Ball	heavy[] = {{0, 0, 1}, {1, 0, 1}, {5, 0, 99}, {5.5, 0, 99}};
	const Ball	wide[] = {{0, 0, 1}, {1, 0, 1}, {5, 0.1, 1}, {5.5, 1, 1}};

	EXPECT(first_pair(plain, MERGE_RADIUS) == (4 | 8));
	EXPECT(first_pair(plain, MERGE_BREGMAN) == (4 | 8));
	/* 1/2 of 1 against 99/2 of 1/4: weight counts in scatter only */
	EXPECT(first_pair(heavy, MERGE_RADIUS) == (4 | 8));
	EXPECT(first_pair(heavy, MERGE_BREGMAN) == (1 | 2));
	EXPECT(first_pair(wide, MERGE_RADIUS) == (1 | 2));
	EXPECT(first_pair(wide, MERGE_BREGMAN) == (4 | 8));
}

/* A ball inside another does not shrink it: (10 + 0 + 1)/2 is no radius. */
static void
test_ball_in_ball(void)
{
	const Ball	balls[] = {{0, 10, 3}, {1, 0, 1}, {100, 0, 1}, {116, 0, 1}};

	EXPECT(first_pair(balls, MERGE_RADIUS) == (4 | 8));
}

/* Equal costs: the smaller pair first, then the older one. */
static void
test_ties(void)
{
	const Ball	sizes[] = {{0, 0, 5}, {1, 0, 1}, {10, 0, 1}, {11, 0, 1}};
	const Ball	ages[] = {{0, 0, 1}, {1, 0, 1}, {10, 0, 1}, {11, 0, 1}};
	const Ball	copies[] = {{2, 0, 1}, {2, 0, 1}, {2, 0, 1}, {2, 0, 1}};

	EXPECT(first_pair(sizes, MERGE_RADIUS) == (4 | 8));
	EXPECT(first_pair(ages, MERGE_RADIUS) == (1 | 2));
	EXPECT(first_pair(copies, MERGE_BREGMAN) == (1 | 2));
}

/* Costs that overflow still give a tree. */
static void
test_overflow(void)
{
	const Ball	balls[] = {
		{1.7e308, 1e308, 1}, {-1.7e308, 1e308, 1}, {0, 0, 1}, {1, 0, 1}
	};

	EXPECT(first_pair(balls, MERGE_RADIUS) == (4 | 8));
	EXPECT(first_pair(balls, MERGE_BREGMAN) == (4 | 8));
}

/* The ball of a union holds all its rows, and the mean is the mean. */
static void
test_radius_covers(void)
{
	GlRandom	random;

	gl_random_begin(&random, 61);
	for (int t = 0; t < 50; t++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointMatrix points = sample_rows(&random, METRIC_EUCLIDEAN, 20, 3);
		const double *rows = points.values;
		Agglomeration work;
		Cluster		whole;
		PartitionTree tree;
		double		mean[3] = {0, 0, 0};

		EXPECT_OK(host, agglomeration_begin(host,
											divergence_of(METRIC_EUCLIDEAN),
											MERGE_RADIUS, 20, 3, 20, &work));
		agglomeration_clear(&work);
		for (int i = 0; i < 20; i++)
		{
			memcpy(agglomeration_add(&work, i, 1, 0), rows + 3 * i,
				   3 * sizeof(double));
			for (int j = 0; j < 3; j++)
				mean[j] += rows[3 * i + j] / 20;
		}
		EXPECT_OK(host, agglomeration_run(host, &work, &whole));
		EXPECT(whole.count == 20);
		for (int j = 0; j < 3; j++)
			EXPECT_NEAR(work.means[3 * (work.cluster_count - 1) + j], mean[j],
						1e-12);
		for (int i = 0; i < 20; i++)
			EXPECT(sqrt(divergence_between(divergence_of(METRIC_EUCLIDEAN),
										   rows + 3 * i, mean, 3)) <=
				   whole.radius * (1 + 1e-12));
		EXPECT_OK(host, agglomeration_finish(host, &work, &tree));
		EXPECT_OK(host, partition_tree_check(host, &tree));
		test_host_end(&test);
		free((void *) points.values);
	}
}

/* Scatter's growth is |A| phi(a) + |B| phi(b) - |C| phi(c). */
static void
test_growth_of_scatter(void)
{
	GlRandom	random;

	gl_random_begin(&random, 62);
	for (int m = 0; m < SAMPLE_METRICS; m++)
		for (int t = 0; t < 20; t++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			PointMatrix points = sample_rows(&random, sample_metrics[m], 2, 1);
			const double *x = points.values;
			long double both = (3 * (long double) x[0] + 7 * x[1]) / 10;
			double		growth = (double)
				(3 * plain_phi(sample_metrics[m], x[0]) +
				 7 * plain_phi(sample_metrics[m], x[1]) -
				 10 * plain_phi(sample_metrics[m], both));
			Agglomeration work;
			Cluster		whole;
			PartitionTree tree;
			const Divergence *divergence = divergence_of(sample_metrics[m]);

			EXPECT_OK(host, agglomeration_begin(host, divergence,
												MERGE_BREGMAN, 2, 1, 2,
												&work));
			agglomeration_clear(&work);
			*agglomeration_add(&work, 0, 3, 0) = x[0];
			*agglomeration_add(&work, 1, 7, 0) = x[1];
			EXPECT_OK(host, agglomeration_run(host, &work, &whole));
			EXPECT_NEAR(work.candidates[0].cost, growth,
						1e-10 * (1 + growth));
			EXPECT(growth >= 0);
			EXPECT_OK(host, agglomeration_finish(host, &work, &tree));
			test_host_end(&test);
			free((void *) points.values);
		}
}

static GlStatus
join_job(GlHost *host)
{
	Agglomeration work;
	Cluster		whole;
	PartitionTree tree;

	GL_TRY(agglomeration_begin(host, divergence_of(METRIC_COUNTS),
							   MERGE_BREGMAN, 9, 2, 9, &work));
	agglomeration_clear(&work);
	for (int i = 0; i < 9; i++)
	{
		double	   *mean = agglomeration_add(&work, i, 1, 0);

		mean[0] = 1 + i * i;
		mean[1] = 2 + i % 3;
	}
	GL_TRY(agglomeration_run(host, &work, &whole));
	GL_TRY(agglomeration_finish(host, &work, &tree));
	partition_tree_release(host, &tree);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(join_job);
}

int
main(void)
{
	RUN(test_rules);
	RUN(test_ball_in_ball);
	RUN(test_ties);
	RUN(test_overflow);
	RUN(test_radius_covers);
	RUN(test_growth_of_scatter);
	RUN(test_refused);
	UNIT_TEST_END();
}
