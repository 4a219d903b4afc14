/*
 * test_point_set.c
 *		If this fails, a row's numbers may sit under another row's id, or
 *		numbers that are not finite reach the mathematics.
 */
#include "unit_test.h"

#include <inttypes.h>

#include "points/point_set.h"

#define MAX_ROWS	200

/* What column j of the row with this id must hold; exact as a float. */
static double
value_of(int64_t id, int32_t j)
{
	return (double) (id % 4099 * 31 + j * 7) / 8;
}

static GlStatus
collect_row(GlHost *host, PointCollector *collector, ScalarType scalar,
			int64_t id, int32_t d)
{
	void	   *slot;

	GL_TRY(point_collector_reserve(host, collector, scalar, id, d, &slot));
	for (int32_t j = 0; j < d; j++)
		if (scalar == SCALAR_FLOAT4)
			((float *) slot)[j] = (float) value_of(id, j);
		else
			((double *) slot)[j] = value_of(id, j);
	return point_collector_commit(host, collector, id);
}

static GlStatus
collect_rows(GlHost *host, ScalarType scalar, const int64_t *ids, int count,
			 int32_t d, PointSet *points)
{
	PointCollector collector = {0};

	for (int i = 0; i < count; i++)
		GL_TRY(collect_row(host, &collector, scalar, ids[i], d));
	return point_collector_finish(host, &collector, points);
}

/* ids[] in any order must come out ascending, each with its own values. */
static void
expect_collected(ScalarType scalar, const int64_t *ids, int count, int32_t d)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	PointSet	copy;
	double		row[16];
	bool		right = true;

	EXPECT_OK(host, collect_rows(host, scalar, ids, count, d, &points));
	EXPECT_OK(host, point_set_check(host, &points));
	EXPECT(points.matrix.row_count == count);
	EXPECT(points.matrix.dimension_count == d);
	EXPECT(points.matrix.scalar == scalar);
	for (int i = 0; i < count; i++)
	{
		point_matrix_row(&points.matrix, i, row);
		for (int32_t j = 0; j < d; j++)
			right = right && row[j] == value_of(points.ids[i], j);
		right = right && point_set_find(points.ids, count, ids[i]) >= 0 &&
			points.ids[point_set_find(points.ids, count, ids[i])] == ids[i];
	}
	EXPECT(right);
	EXPECT_OK(host, point_set_copy(host, &points, &copy));
	EXPECT(copy.ids != points.ids &&
		   copy.matrix.values != points.matrix.values);
	EXPECT(memcmp(copy.ids, points.ids, (size_t) count * 8) == 0);
	EXPECT(memcmp(copy.matrix.values, points.matrix.values,
				  (size_t) count * (size_t) d * scalar_size(scalar)) == 0);
	point_set_release(host, &copy);
	EXPECT(copy.ids == NULL && copy.matrix.row_count == 0);
	point_set_release(host, &points);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
shuffle(GlRandom *random, int64_t *ids, int count)
{
	for (int i = count - 1; i > 0; i--)
	{
		int			j = (int) gl_random_below(random, i + 1);
		int64_t		swap = ids[i];

		ids[i] = ids[j];
		ids[j] = swap;
	}
}

/* All orders of up to five rows, by Heap's method. */
static void
test_every_order(void)
{
	for (int count = 1; count <= 5; count++)
	{
		int64_t		ids[5] = {-9, 0, 3, 1000, INT64_MAX};
		int			counter[5] = {0};

		expect_collected(SCALAR_FLOAT8, ids, count, 2);
		for (int i = 0; i < count;)
		{
			if (counter[i] < i)
			{
				int			j = i % 2 == 0 ? 0 : counter[i];
				int64_t		swap = ids[i];

				ids[i] = ids[j];
				ids[j] = swap;
				expect_collected(SCALAR_FLOAT8, ids, count, 2);
				counter[i]++;
				i = 0;
			}
			else
				counter[i++] = 0;
		}
	}
}

static void
test_random_orders(void)
{
	int64_t		ids[MAX_ROWS];
	GlRandom	random;

	gl_random_begin(&random, 1);
	for (int trial = 0; trial < 200; trial++)
	{
		int			count = 1 + (int) gl_random_below(&random, MAX_ROWS);
		int32_t		d = 1 + (int32_t) gl_random_below(&random, 9);

		for (int i = 0; i < count; i++)
			ids[i] = 3 * i - 100 + gl_random_below(&random, 3);
		if (trial % 4 == 0)
			for (int i = 0; i < count / 2; i++)
			{
				int64_t		swap = ids[i];

				ids[i] = ids[count - 1 - i];
				ids[count - 1 - i] = swap;
			}
		else if (trial % 4 != 1)
			shuffle(&random, ids, count);
		expect_collected(trial % 2 ? SCALAR_FLOAT4 : SCALAR_FLOAT8, ids,
						 count, d);
	}
}

static void
test_repeated_id(void)
{
	static const int64_t sorted[] = {1, 2, 2, 3};
	static const int64_t apart[] = {5, 1, 9, 5};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;

	EXPECT(collect_rows(host, SCALAR_FLOAT8, sorted, 4, 3, &points) ==
		   GL_ERR_DATA);
	EXPECT(strstr(host->message, "id 2 occurs more than once") != NULL);
	EXPECT(strstr(host->hint, "row_number()") != NULL);
	EXPECT(points.ids == NULL && points.matrix.row_count == 0);
	EXPECT(collect_rows(host, SCALAR_FLOAT4, apart, 4, 3, &points) ==
		   GL_ERR_DATA);
	EXPECT(strstr(host->message, "id 5 occurs more than once") != NULL);
	test_host_end(&test);
}

static void
test_dimensions(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointCollector collector = {0};
	PointSet	points;
	void	   *slot;

	EXPECT(point_collector_reserve(host, &collector, SCALAR_FLOAT8, 4, 0,
								   &slot) == GL_ERR_DATA);
	EXPECT(strstr(host->message, "id 4") != NULL);
	EXPECT(point_collector_reserve(host, &collector, SCALAR_FLOAT8, 5,
								   POINT_SET_MAX_DIMENSIONS + 1,
								   &slot) == GL_ERR_TOO_LARGE);
	EXPECT(strstr(host->message, "id 5") != NULL);
	EXPECT_OK(host, collect_row(host, &collector, SCALAR_FLOAT8, 6, 3));
	for (int32_t d = 0; d < 6; d++)
	{
		if (d == 3)
			continue;
		EXPECT(point_collector_reserve(host, &collector, SCALAR_FLOAT8, 77,
									   d, &slot) == GL_ERR_DATA);
		EXPECT(strstr(host->message, "id 77") != NULL);
		EXPECT(strstr(host->message, "id 6 has 3") != NULL);
	}
	/* what was refused left no trace */
	EXPECT_OK(host, collect_row(host, &collector, SCALAR_FLOAT8, 2, 3));
	EXPECT_OK(host, point_collector_finish(host, &collector, &points));
	EXPECT(points.matrix.row_count == 2 && points.ids[0] == 2);
	EXPECT(collector.ids == NULL && collector.row_capacity == 0);
	point_set_release(host, &points);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_not_finite(void)
{
	static const double bad[] = {NAN, INFINITY, -INFINITY};

	for (int b = 0; b < 3; b++)
		for (int scalar = SCALAR_FLOAT4; scalar <= SCALAR_FLOAT8; scalar++)
			for (int32_t at = 0; at < 9; at++)
			{
				TestHost	test;
				GlHost	   *host = test_host_begin(&test);
				PointCollector collector = {0};
				PointSet	points;
				void	   *slot;
				char		wanted[80];

				EXPECT_OK(host, collect_row(host, &collector, scalar, 1, 9));
				EXPECT_OK(host, point_collector_reserve(host, &collector,
														scalar, 12, 9,
														&slot));
				memset(slot, 0, 9 * scalar_size(scalar));
				if (scalar == SCALAR_FLOAT4)
					((float *) slot)[at] = (float) bad[b];
				else
					((double *) slot)[at] = bad[b];
				EXPECT(point_collector_commit(host, &collector, 12) ==
					   GL_ERR_DATA);
				snprintf(wanted, sizeof(wanted),
						 "feature %d of the row with id 12 is %s", at + 1,
						 b == 0 ? "NaN" : "infinite");
				EXPECT(strcmp(host->message, wanted) == 0);
				EXPECT_OK(host, point_collector_finish(host, &collector,
													   &points));
				EXPECT(points.matrix.row_count == 1);
				point_set_release(host, &points);
				EXPECT_NOTHING_LEFT(&test);
				test_host_end(&test);
			}
}

/*
 * Rows that fit the budget are taken, though doubling the room would not
 * fit; one row too many is refused with the rows so far unharmed.
 */
static void
test_growth_within_budget(void)
{
	int32_t		d = 5;
	size_t		row_bytes = 5 * sizeof(double) + sizeof(int64_t);

	for (int limit_rows = 16; limit_rows < 200; limit_rows += 7)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointCollector collector = {0};
		int			count = 0;
		bool		right = true;

		host->bytes_limit = (size_t) limit_rows * row_bytes + 32;
		while (collect_row(host, &collector, SCALAR_FLOAT8, count, d) ==
			   GL_OK)
			count++;
		EXPECT(host->status == GL_ERR_MEMORY);
		EXPECT(count == limit_rows);
		for (int i = 0; i < count; i++)
		{
			double		row[5];

			point_matrix_row(&collector.matrix, i, row);
			for (int32_t j = 0; j < d; j++)
				right = right && row[j] == value_of(i, j) &&
					collector.ids[i] == i;
		}
		EXPECT(right && collector.matrix.row_count == count);
		test_host_end(&test);
	}
}

static void
test_find(void)
{
	int64_t		ids[40];

	for (int count = 0; count <= 40; count++)
	{
		for (int i = 0; i < count; i++)
			ids[i] = 2 * i - 11;
		for (int64_t id = -15; id < 80; id++)
		{
			int64_t		wanted = (id + 11) % 2 == 0 && id >= -11 &&
				(id + 11) / 2 < count ? (id + 11) / 2 : -1;

			EXPECT(point_set_find(ids, count, id) == wanted);
		}
	}
	ids[0] = INT64_MIN;
	ids[1] = INT64_MAX;
	EXPECT(point_set_find(ids, 2, INT64_MIN) == 0);
	EXPECT(point_set_find(ids, 2, INT64_MAX) == 1);
	EXPECT(point_set_find(ids, 2, 0) == -1);
}

/* Each of P1 to P3, broken on its own. */
static void
test_check(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int64_t		ids[3] = {1, 2, 3};
	double		values[6] = {1, 2, 3, 4, 5, 6};
	float		small[6] = {1, 2, 3, 4, 5, 6};
	PointSet	points = {{3, 2, SCALAR_FLOAT8, values}, ids};

	EXPECT_OK(host, point_set_check(host, &points));
	ids[2] = 2;
	EXPECT(point_set_check(host, &points) == GL_ERR_CORRUPT);
	ids[2] = -5;
	EXPECT(point_set_check(host, &points) == GL_ERR_CORRUPT);
	ids[2] = 3;
	for (int v = 0; v < 6; v++)
	{
		double		kept = values[v];

		values[v] = v % 2 ? NAN : -INFINITY;
		EXPECT(point_set_check(host, &points) == GL_ERR_CORRUPT);
		values[v] = kept;
		points.matrix.scalar = SCALAR_FLOAT4;
		points.matrix.values = small;
		EXPECT_OK(host, point_set_check(host, &points));
		small[v] = INFINITY;
		EXPECT(point_set_check(host, &points) == GL_ERR_CORRUPT);
		small[v] = 1;
		points.matrix.scalar = SCALAR_FLOAT8;
		points.matrix.values = values;
	}
	points.matrix.row_count = 0;
	EXPECT(point_set_check(host, &points) == GL_ERR_CORRUPT);
	points.matrix.row_count = POINT_SET_MAX_POINTS + 1;
	EXPECT(point_set_check(host, &points) == GL_ERR_CORRUPT);
	points.matrix.row_count = 3;
	points.matrix.dimension_count = 0;
	EXPECT(point_set_check(host, &points) == GL_ERR_CORRUPT);
	points.matrix.dimension_count = POINT_SET_MAX_DIMENSIONS + 1;
	EXPECT(point_set_check(host, &points) == GL_ERR_CORRUPT);
	points.matrix.dimension_count = 2;
	EXPECT_OK(host, point_set_check(host, &points));
	test_host_end(&test);
}

/* Extremes of both types pass through unchanged. */
static void
test_widening(void)
{
	static const float values[] = {0, -0.0f, 1e-45f, 3.4028235e38f, 0.1f, -1};
	PointMatrix matrix = {2, 3, SCALAR_FLOAT4, values};
	double		row[3];

	for (int i = 0; i < 2; i++)
	{
		point_matrix_row(&matrix, i, row);
		for (int j = 0; j < 3; j++)
			EXPECT(row[j] == (double) values[i * 3 + j] &&
				   !signbit(row[j]) == !signbit(values[i * 3 + j]));
	}
}

static GlStatus
collect_job(GlHost *host)
{
	int64_t		ids[40];
	PointSet	points;
	PointSet	copy;

	for (int i = 0; i < 40; i++)
		ids[i] = (i * 17) % 40;
	GL_TRY(collect_rows(host, SCALAR_FLOAT4, ids, 40, 3, &points));
	GL_TRY(point_set_check(host, &points));
	GL_TRY(point_set_copy(host, &points, &copy));
	point_set_release(host, &copy);
	point_set_release(host, &points);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(collect_job);
}

int
main(void)
{
	RUN(test_every_order);
	RUN(test_random_orders);
	RUN(test_repeated_id);
	RUN(test_dimensions);
	RUN(test_not_finite);
	RUN(test_growth_within_budget);
	RUN(test_find);
	RUN(test_check);
	RUN(test_widening);
	RUN(test_refused);
	UNIT_TEST_END();
}
