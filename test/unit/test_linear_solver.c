/*
 * test_linear_solver.c
 *		If this fails, every label the learners compute is suspect.
 */
#include "dense_graph.h"

#include "learn/linear_solver.h"

#define MAX_N	60

/* M as a matrix; counts its products. */
typedef struct MatrixSystem
{
	int			n;
	int			columns;
	double		matrix[MAX_N * MAX_N];
	int64_t		products;
} MatrixSystem;

static GlStatus
matrix_apply(GlHost *host, void *opaque, const double *x, double *y)
{
	MatrixSystem *system = opaque;

	system->products++;
	for (int i = 0; i < system->n; i++)
	{
		GL_TRY(gl_work(host, system->n * system->columns));
		for (int c = 0; c < system->columns; c++)
		{
			y[i * system->columns + c] = 0;
			for (int j = 0; j < system->n; j++)
				y[i * system->columns + c] +=
					system->matrix[i * system->n + j] *
					x[j * system->columns + c];
		}
	}
	return GL_OK;
}

/* I - g W of a random graph, and its degrees. */
static void
damped_system(GlRandom *random, int n, int columns, double damping,
			  bool symmetric, MatrixSystem *system, double *degree)
{
	double	   *a = calloc(MAX_N * MAX_N, sizeof(double));

	matrix_random(random, n, 0.2, symmetric, a);
	system->n = n;
	system->columns = columns;
	system->products = 0;
	for (int i = 0; i < n; i++)
	{
		a[i * n + (i + 1) % n] = 0.5;	/* no row is empty */
		if (symmetric)
			a[(i + 1) % n * n + i] = 0.5;
	}
	for (int i = 0; i < n; i++)
	{
		degree[i] = 0;
		for (int j = 0; j < n; j++)
			degree[i] += a[i * n + j];
		for (int j = 0; j < n; j++)
			system->matrix[i * n + j] = (i == j) -
				damping * a[i * n + j] / degree[i];
	}
	free(a);
}

static void
expect_solution(LinearMethod method, const MatrixSystem *matrix,
				const double *weight, double reduction, double tolerance)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int			n = matrix->n;
	int			columns = matrix->columns;
	int			values = n * columns;
	MatrixSystem *copy = malloc(sizeof(*copy));
	long double *m = malloc(sizeof(long double) * (size_t) (n * n));
	long double *b = malloc(sizeof(long double) * (size_t) values);
	double	   *r = malloc(sizeof(double) * (size_t) values);
	double	   *x = malloc(sizeof(double) * (size_t) values);
	GlRandom	random;
	LinearSystem system = {matrix_apply, copy, n, columns, weight};
	LinearGoal	goal = {NULL, reduction, 5000};
	LinearReport report;

	*copy = *matrix;
	gl_random_begin(&random, n);
	for (int v = 0; v < values; v++)
		b[v] = r[v] = gl_random_unit(&random);
	/* one column of zeros: it is done before it starts */
	for (int i = 0; i < n; i++)
		b[i * columns] = r[i * columns] = 0;
	for (int v = 0; v < n * n; v++)
		m[v] = matrix->matrix[v];
	EXPECT(reference_solve(n, columns, m, b));
	EXPECT_OK(host, linear_solver_run(host, method, &system, &goal, r, x,
									  &report));
	EXPECT(report.converged);
	EXPECT(report.products == copy->products);
	EXPECT(report.products > 0 || columns == 1);
	for (int v = 0; v < values; v++)
		EXPECT_NEAR(x[v], (double) b[v], tolerance);
	for (int i = 0; i < n; i++)
		EXPECT(x[i * columns] == 0);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(copy);
	free(m);
	free(b);
	free(r);
	free(x);
}

/* Every method solves random systems, every column count. */
static void
test_against_elimination(void)
{
	MatrixSystem *matrix = malloc(sizeof(*matrix));
	double		degree[MAX_N];
	GlRandom	random;

	gl_random_begin(&random, 1);
	for (int trial = 0; trial < 40; trial++)
	{
		int			n = 3 + (int) gl_random_below(&random, MAX_N - 2);
		int			columns = 1 + trial % 7;
		double		damping = trial % 2 ? 0.98 : 0.5;

		damped_system(&random, n, columns, damping, true, matrix, degree);
		expect_solution(LINEAR_CONJUGATE, matrix, degree, 1e-13, 1e-10);
		expect_solution(LINEAR_BICGSTAB, matrix, NULL, 1e-13, 1e-9);
		expect_solution(LINEAR_PLAIN, matrix, NULL, 1e-13, 1e-9);
		damped_system(&random, n, columns, damping, false, matrix, degree);
		expect_solution(LINEAR_BICGSTAB, matrix, NULL, 1e-13, 1e-9);
		expect_solution(LINEAR_PLAIN, matrix, NULL, 1e-13, 1e-9);
	}
	free(matrix);
}

/* Conjugate gradients end after as many steps as there are eigenvalues. */
static void
test_conjugate_steps(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	MatrixSystem *matrix = calloc(1, sizeof(*matrix));
	double		r[8] = {1, 1, 1, 1, 1, 1, 1, 1};
	double		x[8];
	LinearSystem system = {matrix_apply, matrix, 8, 1, NULL};
	LinearGoal	goal = {NULL, 1e-14, 100};
	LinearReport report;

	matrix->n = 8;
	matrix->columns = 1;
	for (int i = 0; i < 8; i++)
		matrix->matrix[i * 8 + i] = 1 + i % 3;
	EXPECT_OK(host, linear_solver_run(host, LINEAR_CONJUGATE, &system, &goal,
									  r, x, &report));
	EXPECT(report.products == 3);
	EXPECT(report.converged);
	for (int i = 0; i < 8; i++)
		EXPECT_NEAR(x[i], 1.0 / (1 + i % 3), 1e-14);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(matrix);
}

/* The plain iteration obeys its bound: residual <= g^t of the first. */
static void
test_plain_bound(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	MatrixSystem *matrix = malloc(sizeof(*matrix));
	double		degree[MAX_N];
	double		r[MAX_N];
	double		x[MAX_N];
	GlRandom	random;
	LinearSystem system = {matrix_apply, matrix, 40, 1, NULL};

	gl_random_begin(&random, 2);
	damped_system(&random, 40, 1, 0.9, false, matrix, degree);
	for (int steps = 1; steps <= 30; steps++)
	{
		LinearGoal	goal = {NULL, 0, steps};
		LinearReport report;

		for (int i = 0; i < 40; i++)
			r[i] = i % 2 ? 1 : -1;
		EXPECT_OK(host, linear_solver_run(host, LINEAR_PLAIN, &system, &goal,
										  r, x, &report));
		EXPECT(report.products == steps);
		EXPECT(!report.converged);
		EXPECT(report.residual <= pow(0.9, steps) * (1 + 1e-12));
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(matrix);
}

/* A column that is done is frozen: its bits do not depend on the others. */
static void
test_frozen_column(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	MatrixSystem *matrix = malloc(sizeof(*matrix));
	double		degree[MAX_N];
	double		single[MAX_N];
	double		pair[2 * MAX_N];
	double		x_single[MAX_N];
	double		x_pair[2 * MAX_N];
	GlRandom	random;
	double		target[2] = {1e-2, 1e-12};
	LinearMethod methods[] = {LINEAR_CONJUGATE, LINEAR_BICGSTAB, LINEAR_PLAIN};

	gl_random_begin(&random, 3);
	damped_system(&random, 50, 1, 0.98, true, matrix, degree);
	for (int k = 0; k < 3; k++)
	{
		LinearSystem system = {matrix_apply, matrix, 50, 1, degree};
		LinearGoal	goal = {target, 0, 4000};
		LinearReport report;
		LinearReport report_pair;

		for (int i = 0; i < 50; i++)
		{
			single[i] = pair[2 * i] = gl_random_unit(&random);
			pair[2 * i + 1] = gl_random_unit(&random);
		}
		matrix->columns = 1;
		EXPECT_OK(host, linear_solver_run(host, methods[k], &system, &goal,
										  single, x_single, &report));
		matrix->columns = system.columns = 2;
		EXPECT_OK(host, linear_solver_run(host, methods[k], &system, &goal,
										  pair, x_pair, &report_pair));
		EXPECT(report.converged && report_pair.converged);
		EXPECT(report_pair.products > report.products);
		for (int i = 0; i < 50; i++)
			EXPECT(x_single[i] == x_pair[2 * i]);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(matrix);
}

/* A singular or indefinite matrix ends in a breakdown, not in NaN. */
static void
test_breakdown(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	MatrixSystem *matrix = calloc(1, sizeof(*matrix));
	double		x[2];
	LinearSystem system = {matrix_apply, matrix, 2, 1, NULL};
	LinearGoal	goal = {NULL, 1e-10, 200};
	LinearReport report;
	double		rotation[4] = {0, 1, -1, 0};
	double		zero[4] = {0, 0, 0, 0};
	const double *cases[2] = {rotation, zero};

	matrix->n = 2;
	matrix->columns = 1;
	for (int k = 0; k < 2; k++)
	{
		double		r[2] = {1, 0};

		memcpy(matrix->matrix, cases[k], sizeof(rotation));
		EXPECT_OK(host, linear_solver_run(host, LINEAR_CONJUGATE, &system,
										  &goal, r, x, &report));
		EXPECT(!report.converged && report.breakdowns > 0);
		EXPECT(isfinite(x[0]) && isfinite(x[1]));
		r[0] = 1;
		r[1] = 0;
		EXPECT_OK(host, linear_solver_run(host, LINEAR_BICGSTAB, &system,
										  &goal, r, x, &report));
		EXPECT(!report.converged && report.breakdowns > 0);
		EXPECT(isfinite(x[0]) && isfinite(x[1]));
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(matrix);
}

/* The limit on products is kept, and not converging is told. */
static void
test_limit(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	MatrixSystem *matrix = malloc(sizeof(*matrix));
	double		degree[MAX_N];
	double		r[MAX_N];
	double		x[MAX_N];
	GlRandom	random;
	LinearSystem system = {matrix_apply, matrix, 60, 1, degree};

	gl_random_begin(&random, 4);
	damped_system(&random, 60, 1, 0.98, true, matrix, degree);
	for (LinearMethod m = LINEAR_CONJUGATE; m <= LINEAR_PLAIN; m++)
		for (int limit = 0; limit < 6; limit++)
		{
			LinearGoal	goal = {NULL, 1e-12, limit};
			LinearReport report;

			for (int i = 0; i < 60; i++)
				r[i] = i == 7;
			EXPECT_OK(host, linear_solver_run(host, m, &system, &goal, r, x,
											  &report));
			EXPECT(report.products <= limit);
			EXPECT(!report.converged);
		}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(matrix);
}

static GlStatus
refusal_job(GlHost *host)
{
	MatrixSystem matrix = {.n = 6, .columns = 2};
	LinearSystem system = {matrix_apply, &matrix, 6, 2, NULL};
	LinearGoal	goal = {NULL, 1e-9, 40};
	LinearReport report;

	for (int i = 0; i < 6; i++)
		for (int j = 0; j < 6; j++)
			matrix.matrix[i * 6 + j] = i == j ? 2 : (i > j ? -0.2 : -0.3);
	for (LinearMethod m = LINEAR_CONJUGATE; m <= LINEAR_PLAIN; m++)
	{
		double		r[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3};
		double		x[12];

		GL_TRY(linear_solver_run(host, m, &system, &goal, r, x, &report));
	}
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(refusal_job);
}

int
main(void)
{
	RUN(test_against_elimination);
	RUN(test_conjugate_steps);
	RUN(test_plain_bound);
	RUN(test_frozen_column);
	RUN(test_breakdown);
	RUN(test_limit);
	RUN(test_refused);
	UNIT_TEST_END();
}
