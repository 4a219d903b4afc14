/*
 * test_row_order.c
 *		If this fails, rows without ids are sorted by something else than what
 *		they hold, and window functions answer by the order of the scan.
 */
#include "unit_test.h"

#include <float.h>

#include "points/row_order.h"

#define MAX_ROWS	600
#define MAX_COLUMNS	6

typedef struct Sample
{
	PointMatrix points;
	double		wide[MAX_ROWS * MAX_COLUMNS];
	float		narrow[MAX_ROWS * MAX_COLUMNS];
	int32_t		tie[MAX_ROWS];
	bool		has_tie;
} Sample;

static const Sample *compared;

/* The definition: values from left to right, then the number. */
static int
compare_contents(int32_t a, int32_t b)
{
	int32_t		d = compared->points.dimension_count;

	for (int32_t j = 0; j < d; j++)
	{
		double		x = compared->wide[a * d + j];
		double		y = compared->wide[b * d + j];

		if (x != y)
			return x < y ? -1 : 1;
	}
	if (compared->has_tie && compared->tie[a] != compared->tie[b])
		return compared->tie[a] < compared->tie[b] ? -1 : 1;
	return 0;
}

static int
compare_stably(const void *a, const void *b)
{
	int32_t		p = *(const int32_t *) a;
	int32_t		q = *(const int32_t *) b;
	int			order = compare_contents(p, q);

	if (order != 0)
		return order;
	return p < q ? -1 : p > q;
}

/* Rows of small whole numbers, so that float and double hold the same. */
static void
fill_sample(Sample *sample, GlRandom *random, int n, int d, int values,
			bool narrow, bool has_tie)
{
	for (int i = 0; i < n * d; i++)
	{
		sample->wide[i] = (double) gl_random_below(random, values) -
			values / 2;
		if (sample->wide[i] == 0 && gl_random_below(random, 2))
			sample->wide[i] = -0.0;
		sample->narrow[i] = (float) sample->wide[i];
	}
	for (int i = 0; i < n; i++)
		sample->tie[i] = (int32_t) gl_random_below(random, 3) - 1;
	sample->has_tie = has_tie;
	sample->points = (PointMatrix)
	{
		n, d, narrow ? SCALAR_FLOAT4 : SCALAR_FLOAT8,
			narrow ? (void *) sample->narrow : (void *) sample->wide
	};
}

static void
expect_sorted(const Sample *sample)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int32_t		wanted[MAX_ROWS];
	int			n = (int) sample->points.row_count;
	RowOrder	order;

	for (int i = 0; i < n; i++)
		wanted[i] = i;
	compared = sample;
	qsort(wanted, (size_t) n, sizeof(int32_t), compare_stably);
	EXPECT_OK(host, row_order_find(host, &sample->points, sample->has_tie ?
								   sample->tie : NULL, &order));
	EXPECT(order.row_count == n);
	for (int r = 0; r < n; r++)
	{
		int			first = r;

		while (first > 0 &&
			   compare_contents(wanted[first - 1], wanted[r]) == 0)
			first--;
		EXPECT(order.row[r] == wanted[r]);
		EXPECT(order.first[r] == first);
	}
	row_order_release(host, &order);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Few values: long runs through many columns; many values: short ones. */
static void
test_against_a_sort_by_comparison(void)
{
	static Sample sample;
	GlRandom	random;

	gl_random_begin(&random, 3);
	for (int trial = 0; trial < 300; trial++)
	{
		int			n = (int) gl_random_below(&random, trial % 3 == 0 ?
											  MAX_ROWS : 80);
		int			d = 1 + (int) gl_random_below(&random, MAX_COLUMNS);

		fill_sample(&sample, &random, n, d,
					trial % 2 ? 2 : 2 + (int) gl_random_below(&random, 1000),
					trial / 2 % 2, trial / 4 % 2);
		expect_sorted(&sample);
	}
}

static void
test_equal_rows(void)
{
	static Sample sample;
	GlRandom	random;

	gl_random_begin(&random, 4);
	for (int n = 0; n <= 70; n++)
	{
		fill_sample(&sample, &random, n, 3, 1, n % 2, n / 2 % 2);
		expect_sorted(&sample);
	}
}

static void
test_extreme_numbers(void)
{
	static Sample sample;
	static const double extreme[] = {
		DBL_MAX, -DBL_MAX, DBL_MIN, -DBL_MIN, DBL_TRUE_MIN, -DBL_TRUE_MIN,
		0.0, -0.0, 1, -1, 1 + DBL_EPSILON, 1e300, -1e300
	};
	int			count = (int) (sizeof(extreme) / sizeof(*extreme));

	for (int i = 0; i < 4 * count; i++)
		sample.wide[i] = extreme[i % count];
	sample.has_tie = false;
	sample.points = (PointMatrix) {4 * count, 1, SCALAR_FLOAT8, sample.wide};
	expect_sorted(&sample);
	sample.points = (PointMatrix) {2 * count, 2, SCALAR_FLOAT8, sample.wide};
	expect_sorted(&sample);
}

static GlStatus
sort_job(GlHost *host)
{
	double		values[100];
	int32_t		tie[50];
	PointMatrix points = {50, 2, SCALAR_FLOAT8, values};
	RowOrder	order;

	for (int i = 0; i < 50; i++)
	{
		values[2 * i] = i < 40;
		values[2 * i + 1] = i % 7;
		tie[i] = i % 2;
	}
	GL_TRY(row_order_find(host, &points, tie, &order));
	row_order_release(host, &order);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(sort_job);
}

int
main(void)
{
	RUN(test_against_a_sort_by_comparison);
	RUN(test_equal_rows);
	RUN(test_extreme_numbers);
	RUN(test_refused);
	UNIT_TEST_END();
}
