/*
 * test_compressed_rows.c
 *		If this fails, edges get lost, doubled or half their weight when
 *		neighbour lists become a symmetric graph.
 */
#include "unit_test.h"

#include "graph/compressed_rows.h"

#define MAX_N	24

/* Absent entries of a dense matrix; a length may be 0. */
#define ABSENT	(-1.0)

static void
matrix_clear(double *matrix, int n)
{
	for (int v = 0; v < n * n; v++)
		matrix[v] = ABSENT;
}

/* Sorted rows, no entry twice, and exactly what the matrix holds. */
static void
expect_rows(const CompressedRows *rows, const double *matrix, int n)
{
	int64_t		e = 0;

	EXPECT(rows->row_count == n && rows->row_start[0] == 0);
	for (int i = 0; i < n; i++)
	{
		for (int j = 0; j < n; j++)
			if (matrix[i * n + j] != ABSENT)
			{
				EXPECT(e < rows->row_start[i + 1] && rows->column[e] == j &&
					   rows->value[e] == matrix[i * n + j]);
				e++;
			}
		EXPECT(rows->row_start[i + 1] == e);
		e = rows->row_start[i + 1];
	}
}

/*
 * k distinct neighbours a row in random order; values symmetric if lengths,
 * every fourth one 0.
 */
static GlStatus
lists_random(GlHost *host, GlRandom *random, int n, int k, bool lengths,
			 NeighbourLists *lists, double *matrix)
{
	matrix_clear(matrix, n);
	lists->row_count = n;
	lists->k = k;
	GL_NEW(host, lists->neighbour, n * k);
	GL_NEW(host, lists->squared_distance, n * k);
	for (int i = 0; i < n; i++)
	{
		int32_t		other[MAX_N];
		int			count = 0;

		for (int j = 0; j < n; j++)
			if (j != i)
				other[count++] = j;
		for (int r = 0; r < k; r++)
		{
			int			pick = r + (int) gl_random_below(random, count - r);
			int32_t		j = other[pick];
			double		value = gl_random_below(random, 4) == 0 ?
				0 : gl_random_unit(random);

			if (lengths && matrix[j * n + i] != ABSENT)
				value = matrix[j * n + i];
			other[pick] = other[r];
			other[r] = j;
			lists->neighbour[i * k + r] = j;
			lists->squared_distance[i * k + r] = value;
			matrix[i * n + j] = value;
		}
	}
	return GL_OK;
}

static void
drop_zeros(double *matrix, int n)
{
	for (int v = 0; v < n * n; v++)
		if (matrix[v] == 0)
			matrix[v] = ABSENT;
}

static void
test_from_lists(void)
{
	GlRandom	random;
	double		matrix[MAX_N * MAX_N];

	gl_random_begin(&random, 1);
	for (int trial = 0; trial < 200; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 2 + (int) gl_random_below(&random, MAX_N - 1);
		int			k = 1 + (int) gl_random_below(&random, n - 1);
		bool		keep_zeros = trial % 2;
		NeighbourLists lists;
		CompressedRows rows;

		EXPECT_OK(host, lists_random(host, &random, n, k, false, &lists,
									 matrix));
		if (!keep_zeros)
			drop_zeros(matrix, n);
		EXPECT_OK(host, compressed_rows_from_lists(host, &lists, keep_zeros,
												   &rows));
		EXPECT(lists.neighbour == NULL && lists.row_count == 0);
		expect_rows(&rows, matrix, n);
		compressed_rows_release(host, &rows);
		EXPECT(rows.column == NULL);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* The definition of each symmetry, pair by pair. */
static double
reference_merge(GraphSymmetry symmetry, bool lengths, double a, double b)
{
	bool		has_a = a != ABSENT;
	bool		has_b = b != ABSENT;

	if (!has_a && !has_b)
		return ABSENT;
	if (symmetry == SYMMETRY_MUTUAL)
		return has_a && has_b ? (a < b ? a : b) : ABSENT;
	if (lengths)
		return has_a ? a : b;
	if (symmetry == SYMMETRY_SUM)
		return 0.5 * ((has_a ? a : 0) + (has_b ? b : 0));
	return !has_b || (has_a && a > b) ? a : b;
}

static void
test_symmetrise(void)
{
	GlRandom	random;
	double		matrix[MAX_N * MAX_N];
	double		wanted[MAX_N * MAX_N];

	gl_random_begin(&random, 2);
	for (int trial = 0; trial < 300; trial++)
		for (GraphSymmetry symmetry = SYMMETRY_SUM;
			 symmetry <= SYMMETRY_MUTUAL; symmetry++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			int			n = 2 + (int) gl_random_below(&random, MAX_N - 1);
			int			k = 1 + (int) gl_random_below(&random, n - 1);
			bool		lengths = trial % 2;
			NeighbourLists lists;
			CompressedRows rows;
			CompressedRows merged;

			EXPECT_OK(host, lists_random(host, &random, n, k, lengths,
										 &lists, matrix));
			if (!lengths)
				drop_zeros(matrix, n);
			EXPECT_OK(host, compressed_rows_from_lists(host, &lists, lengths,
													   &rows));
			EXPECT_OK(host, compressed_rows_symmetrise(host, &rows, symmetry,
													   lengths, &merged));
			EXPECT(rows.column == NULL);
			for (int i = 0; i < n; i++)
				for (int j = 0; j < n; j++)
					wanted[i * n + j] =
						reference_merge(symmetry, lengths, matrix[i * n + j],
										matrix[j * n + i]);
			expect_rows(&merged, wanted, n);
			compressed_rows_release(host, &merged);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* A row without any entry, before, between and after others. */
static void
test_empty_rows(void)
{
	for (int full = 0; full < 3; full++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		NeighbourLists lists = {.row_count = 3, .k = 1};
		CompressedRows rows;
		CompressedRows merged;
		double		matrix[9];
		int			other = full == 0 ? 2 : 0;

		lists.neighbour = gl_allocate(host, 3, sizeof(int32_t));
		lists.squared_distance = gl_allocate_zeroed(host, 3, sizeof(double));
		for (int i = 0; i < 3; i++)
			lists.neighbour[i] = i == full ? other : (i + 1) % 3;
		lists.squared_distance[full] = 3;
		matrix_clear(matrix, 3);
		matrix[full * 3 + other] = 3;
		EXPECT_OK(host, compressed_rows_from_lists(host, &lists, false,
												   &rows));
		expect_rows(&rows, matrix, 3);
		EXPECT_OK(host, compressed_rows_symmetrise(host, &rows, SYMMETRY_SUM,
												   false, &merged));
		matrix[full * 3 + other] = matrix[other * 3 + full] = 1.5;
		expect_rows(&merged, matrix, 3);
		compressed_rows_release(host, &merged);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Sorted pairs with some self loops become both triangles and a diagonal. */
static void
test_from_pairs(void)
{
	GlRandom	random;
	double		matrix[MAX_N * MAX_N];
	int32_t		source[MAX_N * MAX_N];
	int32_t		target[MAX_N * MAX_N];
	double		value[MAX_N * MAX_N];

	gl_random_begin(&random, 3);
	for (int trial = 0; trial < 300; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = 1 + (int) gl_random_below(&random, MAX_N);
		double		density = trial % 3 == 0 ? 0 : gl_random_unit(&random);
		int64_t		count = 0;
		CompressedRows rows;

		matrix_clear(matrix, n);
		for (int i = 0; i < n; i++)
			for (int j = i; j < n; j++)
				if (gl_random_unit(&random) < density)
				{
					source[count] = i;
					target[count] = j;
					value[count] = trial % 2 ? gl_random_unit(&random) : 0;
					matrix[i * n + j] = matrix[j * n + i] = value[count++];
				}
		EXPECT_OK(host, compressed_rows_from_pairs(host, n, count, source,
												   target, value, &rows));
		expect_rows(&rows, matrix, n);
		compressed_rows_release(host, &rows);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

static GlStatus
rows_job(GlHost *host)
{
	static const int32_t source[] = {0, 1, 1};
	static const int32_t target[] = {2, 1, 3};
	static const double value[] = {1, 2, 3};
	double		matrix[MAX_N * MAX_N];
	NeighbourLists lists;
	CompressedRows rows;
	CompressedRows merged;
	GlRandom	random;

	gl_random_begin(&random, 4);
	GL_TRY(lists_random(host, &random, 8, 3, false, &lists, matrix));
	GL_TRY(compressed_rows_from_lists(host, &lists, true, &rows));
	GL_TRY(compressed_rows_symmetrise(host, &rows, SYMMETRY_UNION, false,
									  &merged));
	compressed_rows_release(host, &merged);
	GL_TRY(compressed_rows_from_pairs(host, 4, 3, source, target, value,
									  &rows));
	compressed_rows_release(host, &rows);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(rows_job);
}

int
main(void)
{
	RUN(test_from_lists);
	RUN(test_symmetrise);
	RUN(test_empty_rows);
	RUN(test_from_pairs);
	RUN(test_refused);
	UNIT_TEST_END();
}
