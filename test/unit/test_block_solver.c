/*
 * test_block_solver.c
 *		If this fails, block graphs are not the best walks of their kind, or
 *		not walks at all.
 */
#include "block_problem.h"

/* The sum of |A||B| q (G - log q) for given log q, by its definition. */
static double
objective(const Problem *problem, double bandwidth, const double *log_ab,
		  const double *log_ba)
{
	double		beta = 1 / (2 * bandwidth * bandwidth);
	double		sum = 0;

	for (int e = 0; e < problem->count; e++)
	{
		double		area = leaves(problem, problem->a[e]) *
			leaves(problem, problem->b[e]);

		sum += area * exp(log_ab[e]) *
			(-beta * problem->delta_ab[e] - log_ab[e]);
		sum += area * exp(log_ba[e]) *
			(-beta * problem->delta_ba[e] - log_ba[e]);
	}
	return sum;
}

/* ---- golden vectors ---- */

/* G1 at bandwidth 2: every number of the table. */
static void
test_golden_line(void)
{
	/* nodes: root, 123, 12, 456, 45, then the leaves */
	const double log_z[] = {
		-0.735101622098, 0.148559285661, 0.282351047254, -1.618762529857,
		-0.119429589327, -0.125, -0.125, -0.119352819440, -0.125, -0.125,
		-4.619352819440
	};
	const double log_mass[] = {
		0, 0, -0.000109527305, 0, -0.000641469507, -0.407460574559,
		-0.407460574559, -0.000109527305, -0.006211880181, -0.006211880181,
		-0.000641469507
	};
	const double q_ab[] = {
		3.65071023963e-05, 0.33455279658, 0.665337682113, 0.00555136253151,
		0.993807373659
	};
	const double q_ba[] = {
		2.13754603275e-04, 0.499945239346, 0.665337682113, 0.499679368095,
		0.993807373659
	};
	Problem		problem;
	Matrix		exact;

	line_begin(&problem);
	solve(&problem, 2);
	for (int v = 0; v < 11; v++)
	{
		EXPECT_NEAR(problem.solution.log_z[v], log_z[v], 1e-11);
		EXPECT_NEAR(problem.solution.log_mass[v], log_mass[v], 1e-11);
	}
	for (int e = 0; e < 5; e++)
	{
		EXPECT_NEAR(exp(problem.solution.log_q_ab[e]), q_ab[e],
					1e-11 * q_ab[e]);
		EXPECT_NEAR(exp(problem.solution.log_q_ba[e]), q_ba[e],
					1e-11 * q_ba[e]);
	}
	EXPECT_NEAR(6 * problem.solution.log_z_root, -4.410609732588, 1e-11);
	EXPECT_NEAR(bound_constant(6, 1, 2) + 6 * problem.solution.log_z_root,
				-23.739751489781, 1e-11);
	EXPECT_NEAR(problem.solution.divergence_sum, 57.292816418461, 1e-10);
	EXPECT_NEAR(sqrt(problem.solution.divergence_sum / 6), 3.090113709301,
				1e-11);
	EXPECT_NEAR(bound_constant(6, 1, 2) + exact_walk(&problem, 2, exact),
				-22.976275793467, 1e-11);
	problem_end(&problem);
}

/* G1 refined: 12, 14, 16 and all 30 blocks. */
static void
test_golden_refinement(void)
{
	const double bounds[] = {
		-23.436994385702, -23.367265580375, -23.349313022566, -22.976275793467
	};
	Problem		problem;

	line_begin(&problem);
	for (int step = 0; step < 4; step++)
	{
		if (step == 0)
			EXPECT(split_pair(&problem, 3, false)); /* {4,5} and 6 */
		else if (step == 1)
			EXPECT(split_pair(&problem, 1, false)); /* {1,2} and 3 */
		else if (step == 2)
			EXPECT(split_pair(&problem, 0, false)); /* {1,2,3}, {4,5,6} */
		else
			split_all(&problem);
		EXPECT(problem.count == (step == 3 ? 15 : 6 + step));
		solve(&problem, 2);
		EXPECT_NEAR(bound_constant(6, 1, 2) + 6 * problem.solution.log_z_root,
					bounds[step], 1e-11);
		expect_rows_sum(&problem, 1e-14);
	}
	problem_end(&problem);
}

static void
test_golden_three(void)
{
	const double values[] = {0, 1, 2};
	const int32_t sizes[] = {1, 1};
	PointMatrix points = {3, 1, SCALAR_FLOAT8, values};
	Problem		problem;
	Matrix		q;

	problem_begin(&problem, &points, METRIC_EUCLIDEAN, sizes, NULL);
	solve(&problem, 1);
	walk_matrix(&problem, q);
	EXPECT_NEAR(q[0][1], 0.5, 1e-15);
	EXPECT_NEAR(q[0][2], 0.5, 1e-15);
	for (int i = 1; i < 3; i++)
	{
		EXPECT_NEAR(q[i][0], 0.320821300825, 1e-12);
		EXPECT_NEAR(q[i][3 - i], 0.679178699175, 1e-12);
	}
	problem_end(&problem);
}

/* G3: beta = 1 is bandwidth sqrt(1/2). */
static void
test_golden_counts(void)
{
	const double values[] = {4, 1, 3, 2, 1, 5, 2, 6};
	const int32_t sizes[] = {2, 1, 1};
	PointMatrix points = {4, 2, SCALAR_FLOAT8, values};
	Problem		problem;
	Matrix		q;

	problem_begin(&problem, &points, METRIC_COUNTS, sizes, NULL);
	solve(&problem, sqrt(0.5));
	walk_matrix(&problem, q);
	EXPECT_NEAR(q[0][1], 0.897171725269, 1e-12);
	EXPECT_NEAR(q[1][0], 0.897171725269, 1e-12);
	EXPECT_NEAR(q[2][3], 0.960505720003, 1e-12);
	EXPECT_NEAR(q[3][2], 0.960505720003, 1e-12);
	EXPECT_NEAR(q[0][2], 0.051414137366, 1e-12);
	EXPECT_NEAR(q[3][1], 0.019747139998, 1e-12);
	EXPECT_NEAR(problem.solution.log_z_root, -0.389672831190, 1e-12);
	problem_end(&problem);
}

/* ---- laws ---- */

/* Stationarity: the leaf mean of lambda - rho below A is that of A. */
static void
expect_kkt(const Problem *problem)
{
	const double *log_z = problem->solution.log_z;
	const double *log_mass = problem->solution.log_mass;
	int32_t		n = (int32_t) problem->points.row_count;

	for (int32_t v = 0; v < 2 * n - 1; v++)
	{
		int			count = node_leaves(&problem->links, v);
		double		mean = 0;

		for (int i = 0; i < count; i++)
		{
			int32_t		leaf = n - 1 + node_start(&problem->links, v) + i;

			mean += (log_z[leaf] - log_mass[leaf]) / count;
		}
		EXPECT_NEAR(mean, log_z[v] - log_mass[v], 1e-11 * (1 + fabs(mean)));
	}
}

/* The gap to the exact value is the sum of divergences of rows. */
static void
expect_gap(const Problem *problem, double bandwidth)
{
	int			n = (int) problem->points.row_count;
	Matrix		q;
	Matrix		p;
	double		exact = exact_walk(problem, bandwidth, p);
	double		bound = n * problem->solution.log_z_root;
	double		gap = 0;

	walk_matrix(problem, q);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (q[i][j] > 0)
				gap += q[i][j] * log(q[i][j] / p[i][j]);
	EXPECT(bound <= exact + 1e-9 * fabs(exact));
	EXPECT_NEAR(exact - gap, bound, 1e-9 * (1 + fabs(exact)));
}

/* Every law at once, on one problem. */
static void
expect_laws(Problem *problem, double bandwidth)
{
	double		n = (double) problem->points.row_count;
	double		value;

	solve(problem, bandwidth);
	expect_rows_sum(problem, 1e-12);
	value = objective(problem, bandwidth, problem->solution.log_q_ab,
					  problem->solution.log_q_ba);
	EXPECT_NEAR(value, n * problem->solution.log_z_root,
				1e-11 * (1 + fabs(value)));
	expect_kkt(problem);
	expect_gap(problem, bandwidth);
}

/* Coarse and after random splits: the value never falls, the laws hold. */
static void
test_laws_under_refinement(void)
{
	GlRandom	random;

	gl_random_begin(&random, 81);
	for (int m = 0; m < SAMPLE_METRICS; m++)
		for (int way = 0; way < TREE_WAYS; way++)
		{
			static Problem problem;
			PointMatrix points;
			double		before;

			if (!way_applies(way, sample_metrics[m]))
				continue;
			points = sample_rows(&random, sample_metrics[m], 24, 2);
			problem_build(&problem, &points, sample_metrics[m], way);
			expect_laws(&problem, 0.8);
			before = problem.solution.log_z_root;
			for (int step = 0; step < 60; step++)
			{
				int			e = (int) gl_random_below(&random, problem.count);

				if (!split_pair(&problem, e, gl_random_below(&random, 2)))
					continue;
				solve(&problem, 0.8);
				EXPECT(problem.solution.log_z_root >= before - 1e-12);
				before = problem.solution.log_z_root;
			}
			expect_laws(&problem, 0.8);
			problem_end(&problem);
			free((void *) points.values);
		}
}

/* Single pairs of rows: the walk is the exact one. */
static void
test_finest_is_exact(void)
{
	GlRandom	random;

	gl_random_begin(&random, 82);
	for (int m = 0; m < SAMPLE_METRICS; m++)
	{
		static Problem problem;
		PointMatrix points = sample_rows(&random, sample_metrics[m], 20, 3);
		Matrix		q;
		Matrix		p;
		double		exact;

		problem_build(&problem, &points, sample_metrics[m], WAY_BISECT);
		split_all(&problem);
		EXPECT(problem.count == 190);
		solve(&problem, 1.1);
		exact = exact_walk(&problem, 1.1, p);
		walk_matrix(&problem, q);
		for (int i = 0; i < 20; i++)
			for (int j = 0; j < 20; j++)
				EXPECT_NEAR(q[i][j], p[i][j], 1e-13);
		EXPECT_NEAR(20 * problem.solution.log_z_root, exact,
					1e-12 * (1 + fabs(exact)));
		problem_end(&problem);
		free((void *) points.values);
	}
}

/*
 * No step towards another feasible walk raises the value.  Another walk is
 * the solution for other divergences: it is positive, and its rows sum to 1.
 */
static void
test_optimality(void)
{
	static Problem problem;
	static Problem other;
	GlRandom	random;
	PointMatrix points;

	gl_random_begin(&random, 83);
	points = sample_rows(&random, METRIC_COUNTS, 30, 3);
	problem_build(&problem, &points, METRIC_COUNTS, WAY_BISECT);
	problem_build(&other, &points, METRIC_COUNTS, WAY_BISECT);
	for (int step = 0; step < 40; step++)
	{
		int			e = (int) gl_random_below(&random, problem.count);
		bool		side = gl_random_below(&random, 2);

		EXPECT(split_pair(&problem, e, side) == split_pair(&other, e, side));
	}
	solve(&problem, 1);
	for (int t = 0; t < 100; t++)
	{
		double		value = 30 * problem.solution.log_z_root;
		double		step = pow(10, -(t % 6));

		for (int e = 0; e < other.count; e++)
		{
			other.delta_ab[e] = 9 * gl_random_unit(&random);
			other.delta_ba[e] = 9 * gl_random_unit(&random);
		}
		solve(&other, 1);
		for (int e = 0; e < other.count; e++)
		{
			double	   *ab = &other.solution.log_q_ab[e];
			double	   *ba = &other.solution.log_q_ba[e];

			*ab = log((1 - step) * exp(problem.solution.log_q_ab[e]) +
					  step * exp(*ab));
			*ba = log((1 - step) * exp(problem.solution.log_q_ba[e]) +
					  step * exp(*ba));
		}
		EXPECT(objective(&problem, 1, other.solution.log_q_ab,
						 other.solution.log_q_ba) <= value + 1e-10);
	}
	problem_end(&problem);
	problem_end(&other);
	free((void *) points.values);
}

/*
 * d = |x-y|^2 at sigma is s^2 d at s sigma; a shift changes nothing, a
 * rotation neither.  A bandwidth that is learnt follows the scale.
 */
static void
test_invariance(void)
{
	static Problem problem[2];
	GlRandom	random;
	PointMatrix points;
	PointMatrix moved;
	double		values[60];
	double		learnt[2];

	gl_random_begin(&random, 84);
	points = sample_rows(&random, METRIC_EUCLIDEAN, 30, 2);
	moved = points;
	moved.values = values;
	for (int i = 0; i < 60; i += 2)
	{
		const double *row = (const double *) points.values + i;

		values[i] = 100 + 7 * (0.6 * row[0] - 0.8 * row[1]);
		values[i + 1] = -30 + 7 * (0.8 * row[0] + 0.6 * row[1]);
	}
	problem_build(&problem[0], &points, METRIC_EUCLIDEAN, WAY_BISECT);
	problem_begin(&problem[1], &moved, METRIC_EUCLIDEAN,
				  problem[0].tree.left_size, problem[0].tree.leaf_row);
	solve(&problem[0], 0.3);
	solve(&problem[1], 7 * 0.3);
	for (int e = 0; e < 29; e++)
	{
		EXPECT_NEAR(problem[0].solution.log_q_ab[e],
					problem[1].solution.log_q_ab[e], 1e-9);
		EXPECT_NEAR(problem[0].solution.log_q_ba[e],
					problem[1].solution.log_q_ba[e], 1e-9);
	}
	for (int p = 0; p < 2; p++)
	{
		BlockPairs	pairs = pairs_of(&problem[p]);

		learnt[p] = p == 0 ? 1 : 7;
		EXPECT_OK(problem[p].host,
				  block_solver_learn(problem[p].host, &problem[p].links,
									 &pairs, 2, 1e-9, &learnt[p],
									 &problem[p].solution));
	}
	EXPECT_NEAR(learnt[1], 7 * learnt[0], 1e-9 * learnt[1]);
	problem_end(&problem[0]);
	problem_end(&problem[1]);
	free((void *) points.values);
}

static GlStatus
solver_job(GlHost *host)
{
	int32_t		sizes[] = {3, 2, 1, 2, 1};
	int32_t		rows[] = {0, 1, 2, 3, 4, 5};
	const double delta[] = {725.0 / 9, 6.5, 1, 42.5, 1};
	PartitionTree tree = {6, sizes, rows};
	TreeLinks	links;
	BlockPairs	pairs;
	BlockSolution solution;
	double		bandwidth = 2;

	GL_TRY(tree_links_begin(host, &tree, &links));
	pairs = block_pairs_coarsest(&links, delta, delta);
	GL_TRY(block_solution_begin(host, 6, pairs.count, &solution));
	GL_TRY(block_solver_run(host, &links, &pairs, 2, &solution));
	GL_TRY(block_solver_learn(host, &links, &pairs, 1, 1e-6, &bandwidth,
							  &solution));
	block_solution_end(host, &solution);
	tree_links_end(host, &links);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(solver_job);
}

int
main(void)
{
	RUN(test_golden_line);
	RUN(test_golden_refinement);
	RUN(test_golden_three);
	RUN(test_golden_counts);
	RUN(test_laws_under_refinement);
	RUN(test_finest_is_exact);
	RUN(test_optimality);
	RUN(test_invariance);
	RUN(test_refused);
	UNIT_TEST_END();
}
