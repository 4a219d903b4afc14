/*
 * test_normalised.c
 *		If this fails, walks do not sum to one, labels flow along the wrong
 *		direction, or an isolated row spreads NaN.
 */
#include "dense_graph.h"

#include "graph/normalised.h"

#define MAX_N		25
#define MAX_COLUMNS 6

/* N by its definition, in long double; rows or columns of degree 0 are 0. */
static void
reference_normalise(const double *matrix, int n, Normalisation kind,
					double *out)
{
	long double degree[MAX_N];

	for (int i = 0; i < n; i++)
	{
		degree[i] = 0;
		for (int j = 0; j < n; j++)
			degree[i] += matrix[i * n + j];
	}
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
		{
			long double value = kind == NORMALISE_SPREAD ?
				matrix[j * n + i] : matrix[i * n + j];

			if (value == 0)
				out[i * n + j] = 0;
			else if (kind == NORMALISE_WALK)
				out[i * n + j] = (double) (value / degree[i]);
			else if (kind == NORMALISE_SPREAD)
				out[i * n + j] = (double) (value / degree[j]);
			else if (kind == NORMALISE_SYMMETRIC)
				out[i * n + j] = degree[j] == 0 ? 0 :
					(double) (value / (sqrtl(degree[i]) * sqrtl(degree[j])));
			else
				out[i * n + j] = matrix[i * n + j];
		}
}

static void
expect_normalised(GlHost *host, GlRandom *random, int n, const double *matrix)
{
	double		x[MAX_N * MAX_COLUMNS];
	double		y[MAX_N * MAX_COLUMNS];
	double		wanted[MAX_N * MAX_COLUMNS];
	double		definition[MAX_N * MAX_N];
	DenseGraph	dense;
	DenseGraph	reference;
	SparseGraph sparse;

	EXPECT_OK(host, dense_graph_begin(host, n, matrix, &dense));
	EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
	for (Normalisation kind = NORMALISE_NONE; kind <= NORMALISE_SYMMETRIC;
		 kind++)
	{
		NormalisedGraph normalised;

		reference_normalise(matrix, n, kind, definition);
		EXPECT_OK(host, dense_graph_begin(host, n, definition, &reference));
		EXPECT_OK(host, normalised_begin(host, &sparse.graph, kind,
										 MAX_COLUMNS, &normalised));
		for (int32_t columns = 1; columns <= MAX_COLUMNS; columns++)
			for (int transpose = 0; transpose <= 1; transpose++)
			{
				for (int v = 0; v < n * columns; v++)
					x[v] = gl_random_normal(random);
				memset(y, 0xFF, sizeof(y));
				EXPECT_OK(host, dense_product(host, &reference.graph, x,
											  wanted, columns, transpose));
				EXPECT_OK(host, transpose ?
						  normalised_apply_transpose(host, &normalised, x, y,
													 columns) :
						  normalised_apply(host, &normalised, x, y,
										   columns));
				for (int v = 0; v < n * columns; v++)
					EXPECT_NEAR(y[v], wanted[v], 1e-12 * (1 + fabs(wanted[v])));
			}
		normalised_end(host, &normalised);
		graph_release(host, &reference.graph);
	}
	graph_release(host, &sparse.graph);
	graph_release(host, &dense.graph);
}

static void
test_definitions(void)
{
	GlRandom	random;
	double		matrix[MAX_N * MAX_N];

	gl_random_begin(&random, 1);
	for (int trial = 0; trial < 60; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 1 + (int) gl_random_below(&random, MAX_N);

		/* sparse enough that some rows, or some columns, are empty */
		matrix_random(&random, n, 2.0 / n, trial % 2 == 0, matrix);
		expect_normalised(host, &random, n, matrix);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Rows of W and columns of P sum to 1 where there is an edge, else to 0. */
static void
expect_sums(GlHost *host, const SparseGraph *sparse, Normalisation kind,
			int *isolated)
{
	double		ones[MAX_N];
	double		sums[MAX_N];
	NormalisedGraph normalised;

	for (int i = 0; i < MAX_N; i++)
		ones[i] = 1;
	EXPECT_OK(host, normalised_begin(host, &sparse->graph, kind, 1,
									 &normalised));
	EXPECT_OK(host, kind == NORMALISE_WALK ?
			  normalised_apply(host, &normalised, ones, sums, 1) :
			  normalised_apply_transpose(host, &normalised, ones, sums, 1));
	for (int i = 0; i < MAX_N; i++)
	{
		bool		empty = sparse->row_start[i] == sparse->row_start[i + 1];

		EXPECT_NEAR(sums[i], empty ? 0 : 1, 1e-14);
		EXPECT(normalised.factor[i] == 0 || !empty);
		*isolated += empty;
	}
	normalised_end(host, &normalised);
}

static void
test_sums(void)
{
	GlRandom	random;
	double		matrix[MAX_N * MAX_N];

	gl_random_begin(&random, 5);
	for (int directed = 0; directed <= 1; directed++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		DenseGraph	dense;
		SparseGraph sparse;
		int			isolated = 0;

		matrix_random(&random, MAX_N, 1.2 / MAX_N, !directed, matrix);
		EXPECT_OK(host, dense_graph_begin(host, MAX_N, matrix, &dense));
		EXPECT_OK(host, sparse_graph_from_dense(host, &dense, &sparse));
		expect_sums(host, &sparse, NORMALISE_WALK, &isolated);
		expect_sums(host, &sparse, NORMALISE_SPREAD, &isolated);
		EXPECT(isolated > 0);
		graph_release(host, &sparse.graph);
		graph_release(host, &dense.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Weights times 2^e leave W, P and S as they were, to the bit for even e. */
static void
test_scale_of_weights(void)
{
	static const int exponent[] = {-1000, -400, 400, 1000};
	GlRandom	random;
	double		matrix[MAX_N * MAX_N];
	double		scaled[MAX_N * MAX_N];
	double		x[MAX_N];
	double		y[2][MAX_N];

	gl_random_begin(&random, 6);
	matrix_random(&random, MAX_N, 0.2, false, matrix);
	for (int i = 0; i < MAX_N; i++)
		x[i] = gl_random_normal(&random);
	for (int e = 0; e < 4; e++)
		for (Normalisation kind = NORMALISE_WALK; kind <= NORMALISE_SYMMETRIC;
			 kind++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);

			for (int v = 0; v < MAX_N * MAX_N; v++)
				scaled[v] = ldexp(matrix[v], exponent[e]);
			for (int which = 0; which <= 1; which++)
			{
				DenseGraph	dense;
				NormalisedGraph normalised;

				EXPECT_OK(host, dense_graph_begin(host, MAX_N,
												  which ? scaled : matrix,
												  &dense));
				EXPECT_OK(host, normalised_begin(host, &dense.graph, kind, 1,
												 &normalised));
				EXPECT_OK(host, normalised_apply(host, &normalised, x,
												 y[which], 1));
				normalised_end(host, &normalised);
				graph_release(host, &dense.graph);
			}
			EXPECT(memcmp(y[0], y[1], sizeof(y[0])) == 0);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* Degrees that cannot be inverted are refused by name, never NaN. */
static void
test_refused_degrees(void)
{
	static const double bad[] = {1e-310, INFINITY, NAN, -1, 1.5e308};

	for (int b = 0; b < 5; b++)
		for (Normalisation kind = NORMALISE_WALK; kind <= NORMALISE_SYMMETRIC;
			 kind++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			double		matrix[9] = {0, 1, 0, 0, 0, 0, 0, 0, 0};
			DenseGraph	dense;
			NormalisedGraph normalised;

			/* the row with id 120; two of 1.5e308 overflow its sum */
			matrix[6] = matrix[7] = bad[b];
			EXPECT_OK(host, dense_graph_begin(host, 3, matrix, &dense));
			if (b == 0 && kind == NORMALISE_SYMMETRIC)
			{
				/* the root of 2e-310 can be inverted */
				EXPECT_OK(host, normalised_begin(host, &dense.graph, kind, 1,
												 &normalised));
				EXPECT(isfinite(normalised.factor[2]));
			}
			else
			{
				EXPECT(normalised_begin(host, &dense.graph, kind, 1,
										&normalised) == GL_ERR_DATA);
				EXPECT(strstr(host->message, "id 120") != NULL);
				EXPECT(normalised.graph == NULL);
			}
			test_host_end(&test);
		}
}

static void
test_too_many_columns(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		matrix[4] = {0, 1, 1, 0};
	double		x[6] = {0};
	double		y[6];
	DenseGraph	dense;
	NormalisedGraph normalised;

	EXPECT_OK(host, dense_graph_begin(host, 2, matrix, &dense));
	EXPECT_OK(host, normalised_begin(host, &dense.graph, NORMALISE_SYMMETRIC,
									 2, &normalised));
	EXPECT(normalised_apply(host, &normalised, x, y, 3) == GL_ERR_INTERNAL);
	EXPECT(normalised_apply_transpose(host, &normalised, x, y, 3) ==
		   GL_ERR_INTERNAL);
	test_host_end(&test);
}

static GlStatus
normalise_job(GlHost *host)
{
	double		matrix[25];
	double		x[10] = {0};
	double		y[10];
	DenseGraph	dense;
	SparseGraph sparse;
	NormalisedGraph normalised;
	GlRandom	random;

	gl_random_begin(&random, 8);
	matrix_random(&random, 5, 0.5, false, matrix);
	GL_TRY(dense_graph_begin(host, 5, matrix, &dense));
	GL_TRY(sparse_graph_from_dense(host, &dense, &sparse));
	graph_release(host, &dense.graph);
	for (Normalisation kind = NORMALISE_NONE; kind <= NORMALISE_SYMMETRIC;
		 kind++)
	{
		GL_TRY(normalised_begin(host, &sparse.graph, kind, 2, &normalised));
		GL_TRY(normalised_apply(host, &normalised, x, y, 2));
		GL_TRY(normalised_apply_transpose(host, &normalised, x, y, 2));
		normalised_end(host, &normalised);
	}
	graph_release(host, &sparse.graph);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(normalise_job);
}

int
main(void)
{
	RUN(test_definitions);
	RUN(test_sums);
	RUN(test_scale_of_weights);
	RUN(test_refused_degrees);
	RUN(test_too_many_columns);
	RUN(test_refused);
	UNIT_TEST_END();
}
