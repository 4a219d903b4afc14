/*
 * test_block_solver_limits.c
 *		If this fails, extreme bandwidths or distances give no walk, or the
 *		bandwidth learnt is not the best one.
 */
#include "block_problem.h"

/* ---- extremes ---- */

static void
expect_finite(const Problem *problem)
{
	EXPECT(isfinite(problem->solution.log_z_root));
	for (int v = 0; v < 2 * problem->points.row_count - 1; v++)
	{
		EXPECT(isfinite(problem->solution.log_z[v]));
		EXPECT(isfinite(problem->solution.log_mass[v]));
		EXPECT(problem->solution.log_mass[v] <= 1e-12);
	}
	for (int e = 0; e < problem->count; e++)
	{
		EXPECT(isfinite(problem->solution.log_q_ab[e]));
		EXPECT(isfinite(problem->solution.log_q_ba[e]));
	}
}

/* A huge bandwidth: all others alike; a tiny one: finite, still a walk. */
static void
test_bandwidth_limits(void)
{
	const double tiny[] = {1e-2, 1e-4, 1e-8, 1e-16, 1e-100, 1e-200, 1e-308};
	static Problem problem;
	GlRandom	random;

	gl_random_begin(&random, 85);
	for (int way = 0; way < TREE_WAYS; way++)
	{
		PointMatrix points = sample_rows(&random, METRIC_EUCLIDEAN, 40, 2);

		problem_build(&problem, &points, METRIC_EUCLIDEAN, way);
		for (double huge = 1e8; huge < 1e300; huge *= 1e95)
		{
			solve(&problem, huge);
			for (int e = 0; e < problem.count; e++)
			{
				EXPECT_NEAR(exp(problem.solution.log_q_ab[e]), 1.0 / 39,
							1e-14);
				EXPECT_NEAR(exp(problem.solution.log_q_ba[e]), 1.0 / 39,
							1e-14);
			}
		}
		for (int t = 0; t < 7; t++)
		{
			solve(&problem, tiny[t]);
			expect_finite(&problem);
			expect_rows_sum(&problem, 1e-12);
		}
		/* a row spends all on its sibling where that is the least cost */
		solve(&problem, 1e-4);
		for (int e = 0; e < problem.count; e++)
			if (!is_inner(&problem, problem.a[e]) &&
				!is_inner(&problem, problem.b[e]) &&
				problem.solution.log_mass[problem.a[e]] > -1e-12)
				EXPECT_NEAR(problem.solution.log_q_ab[e], 0, 1e-12);
		problem_end(&problem);
		free((void *) points.values);
	}
}

/*
 * One row 10^20 away: log 39 is lost in the rounding of its log Z, and its
 * row would sum to 39 if q were computed through that.
 */
static void
test_outlier(void)
{
	static Problem problem;
	GlRandom	random;
	PointMatrix points;
	double	   *values;

	gl_random_begin(&random, 86);
	points = sample_rows(&random, METRIC_EUCLIDEAN, 40, 2);
	values = (double *) points.values;
	for (double far = 1e3; far < 1e200; far *= 1e17)
	{
		values[10] = far;
		for (int way = 0; way < TREE_WAYS; way++)
		{
			problem_build(&problem, &points, METRIC_EUCLIDEAN, way);
			solve(&problem, 0.1);
			expect_finite(&problem);
			expect_rows_sum(&problem, 1e-12);
			problem_end(&problem);
		}
	}
	free(values);
}

/* Divergences that overflowed, and copies beside them. */
static void
test_infinite_divergences(void)
{
	static Problem problem;

	line_begin(&problem);
	for (int e = 0; e < problem.count; e++)
		problem.delta_ab[e] = problem.delta_ba[e] = e % 2 ? INFINITY : 0;
	for (double bandwidth = 1e-200; bandwidth < 1e250; bandwidth *= 1e100)
	{
		solve(&problem, bandwidth);
		expect_finite(&problem);
		expect_rows_sum(&problem, 1e-12);
	}
	problem_end(&problem);
}

/* Copies of one row: every other row alike, at any bandwidth. */
static void
test_duplicates(void)
{
	static Problem problem;
	double		values[33];
	PointMatrix points = {33, 1, SCALAR_FLOAT8, values};

	for (int i = 0; i < 33; i++)
		values[i] = 0.7;
	problem_build(&problem, &points, METRIC_EUCLIDEAN, WAY_BISECT);
	for (double bandwidth = 1e-300; bandwidth < 1e300; bandwidth *= 1e60)
	{
		solve(&problem, bandwidth);
		for (int e = 0; e < problem.count; e++)
			EXPECT_NEAR(exp(problem.solution.log_q_ab[e]), 1.0 / 32, 1e-14);
	}
	problem_end(&problem);
}

/* ---- bandwidth ---- */

static double
learn(Problem *problem, double start, double floor)
{
	BlockPairs	pairs = pairs_of(problem);
	double		bandwidth = start;

	EXPECT_OK(problem->host,
			  block_solver_learn(problem->host, &problem->links, &pairs,
								 problem->points.dimension_count, floor,
								 &bandwidth, &problem->solution));
	return bandwidth;
}

static double
bound_at(Problem *problem, double bandwidth)
{
	double		n = (double) problem->points.row_count;

	solve(problem, bandwidth);
	return n * problem->solution.log_z_root +
		bound_constant(n, problem->points.dimension_count, bandwidth);
}

static void
test_learn_golden(void)
{
	const double starts[] = {1e-3, 0.1, 2, 7.4, 650};
	Problem		problem;

	line_begin(&problem);
	for (int s = 0; s < 5; s++)
		EXPECT_NEAR(learn(&problem, starts[s], 1e-9), 6.426255523117, 1e-4);
	EXPECT_NEAR(bound_at(&problem, learn(&problem, 2, 1e-9)),
				-20.177916485352, 1e-9);
	/* the start of the spec: 2 SS / ((n - 1) d), and as printed */
	EXPECT_NEAR(sqrt(2 * problem.statistics.node[0].scatter / 5),
				7.416198487096, 1e-11);
	EXPECT_NEAR(sqrt(2 * problem.statistics.node[0].scatter / 6),
				6.770032003863, 1e-11);
	problem_end(&problem);
}

/* Two rows: sigma^2 = |x1 - x2|^2 / d, from any start, in any scale. */
static void
test_learn_two_rows(void)
{
	const int32_t sizes[] = {1};
	double		values[6];
	PointMatrix points = {2, 3, SCALAR_FLOAT8, values};

	for (double scale = 1e-50; scale < 1e60; scale *= 1e25)
	{
		Problem		problem;

		for (int j = 0; j < 6; j++)
			values[j] = scale * (j * j % 5);
		problem_begin(&problem, &points, METRIC_EUCLIDEAN, sizes, NULL);
		/* (0,1,4) and (4,1,0): 16 + 0 + 16 */
		EXPECT_NEAR(learn(&problem, scale, 0) / scale, sqrt(32.0 / 3), 1e-12);
		EXPECT_NEAR(problem.solution.log_q_ab[0], 0, 1e-15);
		EXPECT_NEAR(problem.solution.log_q_ba[0], 0, 1e-15);
		problem_end(&problem);
	}
}

/* Each round raises the bound, and the end is a maximum. */
static void
test_learn_ascends(void)
{
	GlRandom	random;

	gl_random_begin(&random, 87);
	for (int way = 0; way < TREE_WAYS; way++)
	{
		static Problem problem;
		PointMatrix points = sample_rows(&random, METRIC_EUCLIDEAN, 50, 3);
		double		bandwidth = 30;
		double		before;
		double		learnt;

		problem_build(&problem, &points, METRIC_EUCLIDEAN, way);
		before = bound_at(&problem, bandwidth);
		for (int round = 0; round < 12; round++)
		{
			double		now;

			bandwidth = sqrt(problem.solution.divergence_sum / (50 * 3));
			now = bound_at(&problem, bandwidth);
			EXPECT(now >= before - 1e-9);
			before = now;
		}
		learnt = learn(&problem, 30, 1e-9);
		EXPECT_NEAR(learnt * learnt * 50 * 3 /
					problem.solution.divergence_sum, 1, 1e-5);
		before = bound_at(&problem, learnt);
		EXPECT(before >= bound_at(&problem, learnt * 1.01));
		EXPECT(before >= bound_at(&problem, learnt * 0.99));
		EXPECT(before >= bound_at(&problem, learnt * 2));
		EXPECT_NEAR(learn(&problem, learnt / 50, 1e-9), learnt,
					1e-4 * learnt);
		problem_end(&problem);
		free((void *) points.values);
	}
}

/* All single pairs: the bandwidth that leave-one-out likelihood asks for. */
static void
test_learn_finest(void)
{
	static Problem problem;
	GlRandom	random;
	PointMatrix points;
	Matrix		p;
	double		learnt;
	double		value[3];

	gl_random_begin(&random, 88);
	points = sample_rows(&random, METRIC_EUCLIDEAN, 30, 2);
	problem_build(&problem, &points, METRIC_EUCLIDEAN, WAY_RANDOM);
	split_all(&problem);
	learnt = learn(&problem, 5, 1e-9);
	for (int s = 0; s < 3; s++)
	{
		double		bandwidth = learnt * (1 + 0.003 * (s - 1));

		value[s] = exact_walk(&problem, bandwidth, p) +
			bound_constant(30, 2, bandwidth);
	}
	EXPECT(value[1] > value[0] && value[1] > value[2]);
	/* the vertex of the parabola through three values is the middle one */
	EXPECT(fabs((value[2] - value[0]) /
				(2 * value[1] - value[0] - value[2])) < 0.1);
	problem_end(&problem);
	free((void *) points.values);
}

/* Every row twice: sigma falls to 0; the floor holds it. */
static void
test_learn_floor(void)
{
	static Problem problem;
	double		values[24];
	PointMatrix points = {24, 1, SCALAR_FLOAT8, values};

	for (int i = 0; i < 24; i++)
		values[i] = i / 2 * 3 + i / 2 % 5;
	problem_build(&problem, &points, METRIC_EUCLIDEAN, WAY_BISECT);
	EXPECT(learn(&problem, 1, 1e-3) == 1e-3);
	expect_rows_sum(&problem, 1e-12);
	learn(&problem, 1, 0);
	expect_finite(&problem);
	expect_rows_sum(&problem, 1e-12);
	problem_end(&problem);
}

int
main(void)
{
	RUN(test_bandwidth_limits);
	RUN(test_outlier);
	RUN(test_infinite_divergences);
	RUN(test_duplicates);
	RUN(test_learn_golden);
	RUN(test_learn_two_rows);
	RUN(test_learn_ascends);
	RUN(test_learn_finest);
	RUN(test_learn_floor);
	UNIT_TEST_END();
}
