/*
 * test_sort.c
 *		If this fails, rows end up under other rows' ids, or a result depends
 *		on the order of the table.
 */
#include "unit_test.h"

#include <float.h>

#include "base/sort.h"

#define MAX_COUNT	2000

static const int64_t *compared_keys;

static int
compare_positions(const void *a, const void *b)
{
	int32_t		p = *(const int32_t *) a;
	int32_t		q = *(const int32_t *) b;

	if (compared_keys[p] != compared_keys[q])
		return compared_keys[p] < compared_keys[q] ? -1 : 1;
	return p < q ? -1 : p > q;
}

static void
expect_same_as_qsort(const int64_t *keys, int count)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static int32_t order[MAX_COUNT];
	static int32_t wanted[MAX_COUNT];

	for (int i = 0; i < count; i++)
		wanted[i] = i;
	compared_keys = keys;
	qsort(wanted, (size_t) count, sizeof(int32_t), compare_positions);
	EXPECT_OK(host, gl_sort_order(host, keys, count, order));
	EXPECT(memcmp(order, wanted, (size_t) count * sizeof(int32_t)) == 0);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_small(void)
{
	static const int64_t keys[] = {
		0, -1, INT64_MAX, INT64_MIN, 1, 0, -256, 255, 256, -1, INT64_MIN + 1,
		INT64_MAX - 1, INT64_C(1) << 32, -(INT64_C(1) << 32), 0
	};

	for (int count = 0; count <= (int) (sizeof(keys) / sizeof(*keys));
		 count++)
		expect_same_as_qsort(keys, count);
}

/* Every number of bytes in which keys differ, at every byte. */
static void
test_random_keys(void)
{
	static int64_t keys[MAX_COUNT];
	GlRandom	random;

	gl_random_begin(&random, 2);
	for (int trial = 0; trial < 300; trial++)
	{
		int			count = (int) gl_random_below(&random, MAX_COUNT);
		uint64_t	mask = 0;
		uint64_t	base = gl_random_bits(&random);

		for (int byte = 0; byte < 8; byte++)
			if (gl_random_below(&random, 3) == 0)
				mask |= UINT64_C(0xFF) << (8 * byte);
		for (int i = 0; i < count; i++)
			keys[i] = (int64_t) (base ^ (gl_random_bits(&random) & mask));
		expect_same_as_qsort(keys, count);
	}
}

static void
test_ties_keep_their_order(void)
{
	static int64_t keys[MAX_COUNT];
	GlRandom	random;

	gl_random_begin(&random, 4);
	for (int range = 1; range <= 64; range *= 4)
	{
		for (int i = 0; i < MAX_COUNT; i++)
			keys[i] = gl_random_below(&random, range) - range / 2;
		expect_same_as_qsort(keys, MAX_COUNT);
	}
}

static void
test_keys_of_doubles(void)
{
	static const double ascending[] = {
		-INFINITY, -DBL_MAX, -1e300, -1.5, -1, -DBL_MIN, -4.9e-324, 0,
		4.9e-324, DBL_MIN, 0.1, 1, 1 + DBL_EPSILON, 1e300, DBL_MAX, INFINITY
	};
	int			count = sizeof(ascending) / sizeof(*ascending);
	GlRandom	random;

	for (int i = 0; i < count; i++)
		for (int j = 0; j < count; j++)
			EXPECT((gl_sort_key(ascending[i]) < gl_sort_key(ascending[j])) ==
				   (i < j));
	EXPECT(gl_sort_key(-0.0) == gl_sort_key(0.0));
	gl_random_begin(&random, 6);
	for (int i = 0; i < 10000; i++)
	{
		double		a = ldexp(gl_random_normal(&random),
							  (int) gl_random_below(&random, 2000) - 1000);
		double		b = ldexp(gl_random_normal(&random),
							  (int) gl_random_below(&random, 2000) - 1000);

		EXPECT((gl_sort_key(a) < gl_sort_key(b)) == (a < b));
	}
}

/* Each of the two loops that always run asks for every key. */
static void
test_polls(void)
{
	static int64_t keys[MAX_COUNT];
	static int32_t order[MAX_COUNT];
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	host->poll_interval = host->work_left = 1;
	EXPECT_OK(host, gl_sort_order(host, keys, MAX_COUNT, order));
	/* and one while the counts are cleared */
	EXPECT(test.polls == 2 * MAX_COUNT + 1);
	test_host_end(&test);
}

static GlStatus
sort_job(GlHost *host)
{
	int64_t		keys[40];
	int32_t		order[40];

	for (int i = 0; i < 40; i++)
		keys[i] = (i * 7919) % 1009 - 500;
	return gl_sort_order(host, keys, 40, order);
}

static void
test_refused(void)
{
	test_refusals(sort_job);
}

int
main(void)
{
	RUN(test_small);
	RUN(test_random_keys);
	RUN(test_ties_keep_their_order);
	RUN(test_keys_of_doubles);
	RUN(test_polls);
	RUN(test_refused);
	UNIT_TEST_END();
}
