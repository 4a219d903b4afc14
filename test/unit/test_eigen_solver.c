/*
 * If this fails, eigenvalues or eigenvectors are wrong, missing, or not the
 * same on every call; every embedding and spectral clustering stands on them.
 */
#include "unit_test.h"

#include "base/blas.h"
#include "embed/eigen_solver.h"

/* A dense symmetric operator. */
typedef struct Matrix
{
	int64_t		n;
	double	   *entries;
	int64_t		calls;
	int32_t		widest;
} Matrix;

static GlStatus
matrix_apply(GlHost *host, void *state, const double *x, double *y,
			 int32_t columns)
{
	Matrix	   *matrix = state;

	matrix->calls++;
	if (columns > matrix->widest)
		matrix->widest = columns;
	return gl_dgemm(host, false, false, matrix->n, columns, matrix->n, 1,
					matrix->entries, matrix->n, x, columns, 0, y, columns);
}

/* A ring, y_i = (x_{i-1} + x_{i+1}) / 2: eigenvalues cos(2 pi j / n). */
typedef struct Ring
{
	int64_t		n;
	int64_t		length;			/* of each of the n / length rings */
} Ring;

static GlStatus
ring_apply(GlHost *host, void *state, const double *x, double *y,
		   int32_t columns)
{
	const Ring *ring = state;

	for (int64_t i = 0; i < ring->n; i++)
	{
		int64_t		start = i / ring->length * ring->length;
		int64_t		before = start + (i - start + ring->length - 1) % ring->length;
		int64_t		after = start + (i - start + 1) % ring->length;

		for (int32_t c = 0; c < columns; c++)
			y[i * columns + c] = (x[before * columns + c] +
								  x[after * columns + c]) / 2;
	}
	return gl_work(host, ring->n * columns);
}

static void
matrix_begin(GlHost *host, Matrix *matrix, int64_t n)
{
	memset(matrix, 0, sizeof(*matrix));
	matrix->n = n;
	matrix->entries = gl_allocate_zeroed(host, (size_t) (n * n),
										 sizeof(double));
}

/* Q diag(values) Q^T for a random orthogonal Q made of reflections. */
static void
matrix_with_spectrum(GlHost *host, Matrix *matrix, int64_t n,
					 const double *values, int64_t seed)
{
	GlRandom	random;
	double	   *v = malloc((size_t) n * sizeof(double));
	double	   *av = malloc((size_t) n * sizeof(double));

	gl_random_begin(&random, seed);
	matrix_begin(host, matrix, n);
	for (int64_t i = 0; i < n; i++)
		matrix->entries[i * n + i] = values[i];
	for (int turn = 0; turn < 3; turn++)
	{
		double		length = 0;
		double		vav = 0;

		for (int64_t i = 0; i < n; i++)
		{
			v[i] = gl_random_normal(&random);
			length += v[i] * v[i];
		}
		for (int64_t i = 0; i < n; i++)
			v[i] /= sqrt(length);
		for (int64_t i = 0; i < n; i++)
		{
			av[i] = 0;
			for (int64_t j = 0; j < n; j++)
				av[i] += matrix->entries[i * n + j] * v[j];
			vav += v[i] * av[i];
		}
		/* (I - 2vv')A(I - 2vv') */
		for (int64_t i = 0; i < n; i++)
			for (int64_t j = 0; j < n; j++)
				matrix->entries[i * n + j] += 4 * vav * v[i] * v[j] -
					2 * (v[i] * av[j] + av[i] * v[j]);
	}
	for (int64_t i = 0; i < n; i++)
		for (int64_t j = 0; j < i; j++)
			matrix->entries[j * n + i] = matrix->entries[i * n + j];
	free(v);
	free(av);
}

/* Orthonormal vectors, small residuals, canonical signs, order. */
static void
expect_sound(GlHost *host, const EigenProblem *problem,
			 const EigenOptions *options, const EigenPairs *pairs)
{
	int64_t		n = problem->row_count;
	int32_t		count = pairs->count;
	double	   *x = malloc((size_t) n * sizeof(double));
	double	   *y = malloc((size_t) n * sizeof(double));
	double		scale = fmax(fabs(problem->lower_bound),
							 fabs(problem->upper_bound));

	for (int32_t c = 0; c < count; c++)
	{
		double		residual = 0;
		double		largest = 0;
		double		known = 0;

		for (int64_t i = 0; i < n; i++)
		{
			x[i] = pairs->vectors[i * count + c];
			largest = fmax(largest, fabs(x[i]));
			if (problem->known_vector != NULL)
				known += x[i] * problem->known_vector[i];
		}
		for (int64_t i = 0; i < n; i++)
			if (fabs(x[i]) >= largest * (1 - 1e-6))
			{
				EXPECT(x[i] > 0);
				break;
			}
		EXPECT_NEAR(known, 0, 1e-9);
		EXPECT_OK(host, problem->apply(host, problem->state, x, y, 1));
		for (int64_t i = 0; i < n; i++)
			residual += pow(y[i] - pairs->values[c] * x[i], 2);
		EXPECT_NEAR(sqrt(residual), pairs->residuals[c],
					1e-14 * scale * sqrt((double) n));
		EXPECT(sqrt(residual) <= options->tolerance * scale * 1.01 + 1e-13);
		for (int32_t d = 0; d <= c; d++)
		{
			double		inner = 0;

			for (int64_t i = 0; i < n; i++)
				inner += x[i] * pairs->vectors[i * count + d];
			EXPECT_NEAR(inner, c == d, 1e-12);
		}
		if (c > 0 && options->order == EIGEN_LARGEST)
			EXPECT(pairs->values[c] <= pairs->values[c - 1]);
		if (c > 0 && options->order == EIGEN_MAGNITUDE)
			EXPECT(fabs(pairs->values[c]) <= fabs(pairs->values[c - 1]));
	}
	free(x);
	free(y);
}

/* Solve a matrix of a known spectrum and compare with it, in order. */
static void
expect_spectrum(int64_t n, double *values, int32_t wanted, EigenOrder order,
				double lower, double upper)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Matrix		matrix;
	EigenOptions options = {
		.wanted = wanted,.order = order,.tolerance = 1e-11,.seed = 5
	};
	EigenProblem problem = {
		.apply = matrix_apply,.state = &matrix,.row_count = n,
		.lower_bound = lower,.upper_bound = upper
	};
	EigenPairs	pairs;
	EigenReport report;

	matrix_with_spectrum(host, &matrix, n, values, 3);
	EXPECT_OK(host, eigen_solver_run(host, &problem, &options, &pairs,
									 &report));
	EXPECT(report.converged);
	EXPECT(report.products == matrix.calls);
	EXPECT(matrix.widest <= eigen_solver_columns(n, wanted));
	EXPECT(pairs.count == (wanted < n ? wanted : n));
	for (int64_t i = 0; i < n; i++)	/* selection sort by the order */
		for (int64_t j = i + 1; j < n; j++)
		{
			bool		swap = order == EIGEN_LARGEST ?
				values[j] > values[i] : fabs(values[j]) > fabs(values[i]);

			if (swap)
			{
				double		value = values[i];

				values[i] = values[j];
				values[j] = value;
			}
		}
	for (int32_t c = 0; c < pairs.count; c++)
		EXPECT_NEAR(order == EIGEN_LARGEST ? pairs.values[c] :
					fabs(pairs.values[c]),
					order == EIGEN_LARGEST ? values[c] : fabs(values[c]),
					1e-11 * fmax(fabs(lower), fabs(upper)));
	if (pairs.count < n)
		EXPECT_NEAR(fabs(report.next_value), fabs(values[pairs.count]),
					1e-2 * fmax(fabs(lower), fabs(upper)));
	else
		EXPECT(isnan(report.next_value));
	expect_sound(host, &problem, &options, &pairs);
	eigen_pairs_release(host, &pairs);
	gl_release(host, matrix.entries);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_random_spectra(void)
{
	GlRandom	random;
	double		values[700];

	gl_random_begin(&random, 1);
	for (int large = 0; large <= 1; large++)
		for (int order = EIGEN_LARGEST; order <= EIGEN_MAGNITUDE; order++)
		{
			int64_t		n = large ? 700 : 60;

			for (int64_t i = 0; i < n; i++)
				values[i] = 2 * gl_random_unit(&random) - 1;
			expect_spectrum(n, values, 5, order, -1, 1);
			expect_spectrum(n, values, 20, order, -1, 1);
		}
}

/* A double pair at the top and a gap of 1e-6 below the wanted ones. */
static void
test_nearly_degenerate(void)
{
	double		values[600];

	for (int i = 0; i < 600; i++)
		values[i] = 0.5 * cos(i);
	values[7] = values[300] = 0.99;
	values[12] = 0.9 + 1e-6;
	values[99] = 0.9;
	values[98] = 0.9 - 1e-7;
	expect_spectrum(600, values, 3, EIGEN_LARGEST, -1, 1);
	for (int i = 0; i < 600; i++)
		values[i] = 0.5 * cos(i);
	values[3] = -0.97;
	values[4] = 0.97;
	values[5] = -0.9;
	expect_spectrum(600, values, 3, EIGEN_MAGNITUDE, -1, 1);
}

/* One eigenvalue more often than the block is wide. */
static void
test_high_multiplicity(void)
{
	double		values[600];

	for (int i = 0; i < 600; i++)
		values[i] = i < 40 ? 0.9 : 0.89 * sin(i);
	expect_spectrum(600, values, 5, EIGEN_LARGEST, -1, 1);
	expect_spectrum(600, values, 30, EIGEN_LARGEST, -1, 1);
}

/* Rank 2 of 600: past it every vector is an eigenvector of value 0. */
static void
test_low_rank(void)
{
	double		values[600] = {0};

	values[0] = 3;
	values[1] = 2;
	expect_spectrum(600, values, 5, EIGEN_LARGEST, 0, 4);
	expect_spectrum(600, values, 5, EIGEN_MAGNITUDE, 0, 4);
	memset(values, 0, sizeof(values));
	expect_spectrum(600, values, 3, EIGEN_LARGEST, 0, 0);
	expect_spectrum(600, values, 3, EIGEN_MAGNITUDE, -1, 1);
	for (int i = 0; i < 600; i++)
		values[i] = 1;
	expect_spectrum(600, values, 3, EIGEN_LARGEST, 0, 1);
}

static void
test_scales(void)
{
	for (int sign = -1; sign <= 1; sign += 2)
		for (int large = 0; large <= 1; large++)
		{
			double		values[600];
			int			n = large ? 600 : 40;
			double		scale = sign < 0 ? 1e-100 : 1e100;

			for (int i = 0; i < n; i++)
				values[i] = scale * sin(i);
			expect_spectrum(n, values, 4, EIGEN_LARGEST, -scale, scale);
		}
}

static void
test_small(void)
{
	double		one[1] = {-2};
	double		three[3] = {1, -1, 0};

	expect_spectrum(1, one, 1, EIGEN_LARGEST, -2, 2);
	expect_spectrum(1, one, 4, EIGEN_MAGNITUDE, -2, 2);
	expect_spectrum(3, three, 3, EIGEN_LARGEST, -1, 1);
	expect_spectrum(3, three, 2, EIGEN_MAGNITUDE, -1, 1);
	EXPECT(eigen_solver_columns(0, 3) == 1);
	EXPECT(eigen_solver_columns(100000, 2) >= 3);
}

/* Rings: known constant vectors per ring, double eigenvalues, exact values. */
static void
expect_rings(int64_t ring_count, int64_t length, int32_t wanted)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Ring		ring = {ring_count * length, length};
	double	   *known = malloc((size_t) ring.n * sizeof(double));
	int32_t    *group = malloc((size_t) ring.n * sizeof(int32_t));
	EigenOptions options = {
		.wanted = wanted,.order = EIGEN_LARGEST,.tolerance = 1e-11
	};
	EigenProblem problem = {
		.apply = ring_apply,.state = &ring,.row_count = ring.n,
		.lower_bound = -1,.upper_bound = 1,.known_vector = known,
		.group = group,.group_count = (int32_t) ring_count
	};
	EigenPairs	pairs;
	EigenReport report;

	for (int64_t i = 0; i < ring.n; i++)
	{
		known[i] = 3;
		group[i] = (int32_t) (i / length);
	}
	if (ring_count == 1)
		problem.group = NULL;
	EXPECT_OK(host, eigen_solver_run(host, &problem, &options, &pairs,
									 &report));
	EXPECT(report.converged);
	for (int32_t c = 0; c < pairs.count; c++)
	{
		int64_t		turn = c / (2 * ring_count) + 1;

		EXPECT_NEAR(pairs.values[c],
					cos(2 * M_PI * (double) turn / (double) length), 1e-11);
	}
	expect_sound(host, &problem, &options, &pairs);
	eigen_pairs_release(host, &pairs);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(known);
	free(group);
}

static void
test_rings(void)
{
	expect_rings(1, 12, 4);
	expect_rings(1, 700, 4);
	expect_rings(4, 200, 6);
	expect_rings(7, 40, 20);
}

/* Where the known vectors leave little room, the space is what is left. */
static void
test_little_room(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Ring		ring = {1200, 2};
	double	   *known = malloc(1200 * sizeof(double));
	int32_t    *group = malloc(1200 * sizeof(int32_t));
	EigenOptions options = {
		.wanted = 9,.order = EIGEN_LARGEST,.tolerance = 1e-11
	};
	EigenProblem problem = {
		.apply = ring_apply,.state = &ring,.row_count = 1200,
		.lower_bound = -1,.upper_bound = 1,.known_vector = known,
		.group = group,.group_count = 1197
	};
	EigenPairs	pairs;
	EigenReport report;

	/* pairs 0-1, 2-3 and 4-5 have one known vector each, others one a row */
	for (int i = 0; i < 1200; i++)
	{
		known[i] = 1;
		group[i] = i < 6 ? i / 2 : i - 3;
	}
	EXPECT_OK(host, eigen_solver_run(host, &problem, &options, &pairs,
									 &report));
	EXPECT(pairs.count == 3);
	for (int32_t c = 0; c < pairs.count; c++)
		EXPECT_NEAR(pairs.values[c], -1, 1e-12);
	eigen_pairs_release(host, &pairs);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	free(known);
	free(group);
}

static GlStatus
not_finite_apply(GlHost *host, void *state, const double *x, double *y,
				 int32_t columns)
{
	(void) x;
	for (int64_t i = 0; i < *(int64_t *) state * columns; i++)
		y[i] = NAN;
	return gl_work(host, 1);
}

static void
test_errors(void)
{
	for (int large = 0; large <= 1; large++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int64_t		n = large ? 2000 : 20;
		EigenProblem problem = {
			.apply = not_finite_apply,.state = &n,.row_count = n,
			.lower_bound = -1,.upper_bound = 1
		};
		EigenOptions options = {
			.wanted = 2,.order = EIGEN_LARGEST,.tolerance = 1e-10
		};
		EigenPairs	pairs;
		EigenReport report;

		EXPECT(eigen_solver_run(host, &problem, &options, &pairs,
								&report) == GL_ERR_DATA);
		EXPECT(pairs.vectors == NULL);
		options.wanted = EIGEN_WANTED_LIMIT + 1;
		EXPECT(eigen_solver_run(host, &problem, &options, &pairs,
								&report) ==
			   (large ? GL_ERR_OPTION : GL_ERR_DATA));
		options.wanted = 2;
		host->bytes_limit = 1000;
		EXPECT(eigen_solver_run(host, &problem, &options, &pairs,
								&report) == GL_ERR_MEMORY);
		test_host_end(&test);
	}
}

/* Not enough products: a report and the best so far, not an error. */
static void
test_product_limit(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Ring		ring = {5000, 5000};
	EigenProblem problem = {
		.apply = ring_apply,.state = &ring,.row_count = 5000,
		.lower_bound = -1,.upper_bound = 1
	};
	EigenOptions options = {
		.wanted = 3,.order = EIGEN_LARGEST,.tolerance = 1e-10,
		.product_limit = 40
	};
	EigenPairs	pairs;
	EigenReport report;

	EXPECT_OK(host, eigen_solver_run(host, &problem, &options, &pairs,
									 &report));
	EXPECT(!report.converged);
	EXPECT(report.residual > 1e-10 && report.residual < 0.1);
	EXPECT(report.products >= 40 && report.products < 80);
	EXPECT(pairs.count == 3);
	EXPECT(pairs.values[0] > 0.99 && pairs.values[0] <= 1 + 1e-12);
	eigen_pairs_release(host, &pairs);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* The same bits on a second call, other vectors of the plane by seed. */
static void
test_same_bits(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Ring		ring = {600, 600};
	EigenProblem problem = {
		.apply = ring_apply,.state = &ring,.row_count = 600,
		.lower_bound = -1,.upper_bound = 1
	};
	EigenOptions options = {
		.wanted = 3,.order = EIGEN_LARGEST,.tolerance = 1e-10
	};
	EigenPairs	pairs[3];
	EigenReport report;

	for (int turn = 0; turn < 3; turn++)
	{
		options.seed = turn / 2;
		EXPECT_OK(host, eigen_solver_run(host, &problem, &options,
										 &pairs[turn], &report));
	}
	EXPECT(memcmp(pairs[0].vectors, pairs[1].vectors,
				  1800 * sizeof(double)) == 0);
	EXPECT(memcmp(pairs[0].values, pairs[1].values,
				  3 * sizeof(double)) == 0);
	EXPECT(memcmp(pairs[0].vectors, pairs[2].vectors,
				  1800 * sizeof(double)) != 0);
	for (int turn = 0; turn < 3; turn++)
		eigen_pairs_release(host, &pairs[turn]);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
ring_job(GlHost *host, int64_t n)
{
	Ring		ring = {n, n};
	double		known[520];
	EigenProblem problem = {
		.apply = ring_apply,.state = &ring,.row_count = n,
		.lower_bound = -1,.upper_bound = 1,.known_vector = known,
		.group_count = 1
	};
	EigenOptions options = {
		.wanted = 2,.order = EIGEN_LARGEST,.tolerance = 1e-3
	};
	EigenPairs	pairs;
	EigenReport report;

	for (int64_t i = 0; i < n; i++)
		known[i] = 1;
	GL_TRY(eigen_solver_run(host, &problem, &options, &pairs, &report));
	eigen_pairs_release(host, &pairs);
	return GL_OK;
}

static GlStatus
dense_job(GlHost *host)
{
	return ring_job(host, 12);
}

/*
 * Every allocation of the iterative way is refused in turn; of its many polls
 * those whose number is a step of 1.3 apart.
 */
static void
test_refused(void)
{
	test_refusals(dense_job);
	for (int polls = 0; polls <= 1; polls++)
		for (double k = 0;; k = polls ? floor(k * 1.3) + 1 : k + 1)
		{
			TestHost	test;
			GlStatus	status;

			test_host_begin(&test);
			if (polls)
			{
				test.host.poll_interval = 1;
				test.host.work_left = 1;
				test.polls_left = (long) k;
			}
			else
				test.allocations_left = (long) k;
			status = ring_job(&test.host, 520);
			if (status == GL_OK)
				EXPECT_NOTHING_LEFT(&test);
			else
				EXPECT(status == (polls ? GL_ERR_INTERRUPTED :
								  GL_ERR_MEMORY));
			test_host_end(&test);
			if (status == GL_OK)
			{
				EXPECT(k > 10);
				break;
			}
		}
}

int
main(void)
{
	RUN(test_small);
	RUN(test_random_spectra);
	RUN(test_nearly_degenerate);
	RUN(test_high_multiplicity);
	RUN(test_low_rank);
	RUN(test_scales);
	RUN(test_rings);
	RUN(test_little_room);
	RUN(test_errors);
	RUN(test_product_limit);
	RUN(test_same_bits);
	RUN(test_refused);
	UNIT_TEST_END();
}
