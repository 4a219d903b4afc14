/*
 * test_random.c
 *		If this fails, a seed no longer gives the results it gave before, or
 *		random choices favour some rows.
 */
#include "unit_test.h"

/*
 * The first words of xoshiro256** filled by splitmix64, from an independent
 * implementation in Python; the first word of seed 0 is in many other
 * libraries' tests too.
 */
static void
test_known_stream(void)
{
	static const struct
	{
		int64_t		seed;
		uint64_t	word[6];
	}			known[] = {
		{0, {
				UINT64_C(0x99ec5f36cb75f2b4), UINT64_C(0xbf6e1f784956452a),
				UINT64_C(0x1a5f849d4933e6e0), UINT64_C(0x6aa594f1262d2d2c),
				UINT64_C(0xbba5ad4a1f842e59), UINT64_C(0xffef8375d9ebcaca)
			}},
		{42, {
				UINT64_C(0x15780b2e0c2ec716), UINT64_C(0x6104d9866d113a7e),
				UINT64_C(0xae17533239e499a1), UINT64_C(0xecb8ad4703b360a1),
				UINT64_C(0xfde6dc7fe2ec5e64), UINT64_C(0xc50da53101795238)
			}},
		{-1, {
				UINT64_C(0x8f5520d52a7ead08), UINT64_C(0xc476a018caa1802d),
				UINT64_C(0x81de31c0d260469e), UINT64_C(0xbf658d7e065f3c2f),
				UINT64_C(0x913593fda1bca32a), UINT64_C(0xbb535e93941ba525)
			}}
	};
	static const int64_t below_10[] = {0, 2, 8, 2, 7, 8, 4, 3, 7, 7, 4, 3};
	static const int32_t sampled[] = {0, 7, 8, 16, 18};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	int32_t		chosen[5];

	for (int s = 0; s < 3; s++)
	{
		gl_random_begin(&random, known[s].seed);
		for (int i = 0; i < 6; i++)
			EXPECT(gl_random_bits(&random) == known[s].word[i]);
		gl_random_begin(&random, known[s].seed);
		EXPECT(gl_random_unit(&random) ==
			   ldexp((double) (known[s].word[0] >> 11), -53));
	}
	gl_random_begin(&random, 0);
	for (int i = 0; i < 12; i++)
		EXPECT(gl_random_below(&random, 10) == below_10[i]);
	gl_random_begin(&random, 0);
	EXPECT_OK(host, gl_random_sample(host, &random, 20, 5, chosen));
	EXPECT(memcmp(chosen, sampled, sizeof(sampled)) == 0);
	test_host_end(&test);
}

static void
test_unit(void)
{
	GlRandom	random;
	double		sum = 0;
	double		squares = 0;
	int			count = 200000;

	gl_random_begin(&random, 3);
	for (int i = 0; i < count; i++)
	{
		double		u = gl_random_unit(&random);

		if (!(u >= 0 && u < 1))
			EXPECT(u >= 0 && u < 1);
		sum += u;
		squares += u * u;
	}
	/* five standard errors */
	EXPECT_NEAR(sum / count, 0.5, 5 * sqrt(1.0 / 12 / count));
	EXPECT_NEAR(squares / count, 1.0 / 3, 5 * sqrt(4.0 / 45 / count));
}

/* Chi-square of counts that should all be the same. */
static double
chi_square(const int *count, int cells, int draws)
{
	double		expected = (double) draws / cells;
	double		sum = 0;

	for (int c = 0; c < cells; c++)
		sum += (count[c] - expected) * (count[c] - expected) / expected;
	return sum;
}

static void
test_below(void)
{
	GlRandom	random;
	int			count[7] = {0};
	int			low = 0;
	int64_t		limit = INT64_C(3) << 61;	/* 3/8 of all words */

	gl_random_begin(&random, 5);
	for (int i = 0; i < 70000; i++)
		count[gl_random_below(&random, 7)]++;
	EXPECT(chi_square(count, 7, 70000) < 27.9);	/* 1 in 10^4 */

	/*
	 * 2^64 mod limit is 2/8 of all words: taking the remainder at once would
	 * put 3/8, not a third, of the draws into the lowest third.
	 */
	for (int i = 0; i < 30000; i++)
	{
		int64_t		value = gl_random_below(&random, limit);

		if (value < 0 || value >= limit)
			EXPECT(value >= 0 && value < limit);
		low += value < limit / 3;
	}
	EXPECT_NEAR(low / 30000.0, 1.0 / 3, 0.0137);
	for (int i = 0; i < 100; i++)
	{
		EXPECT(gl_random_below(&random, 1) == 0);
		EXPECT(gl_random_below(&random, INT64_MAX) >= 0);
	}
}

static void
test_normal(void)
{
	GlRandom	random;
	double		moment[5] = {0};
	int			inside = 0;
	int			count = 200000;

	gl_random_begin(&random, 7);
	for (int i = 0; i < count; i++)
	{
		double		x = gl_random_normal(&random);
		double		power = 1;

		if (!isfinite(x))
			EXPECT(isfinite(x));
		inside += fabs(x) < 1;
		for (int p = 0; p < 5; p++, power *= x)
			moment[p] += power / count;
	}
	EXPECT_NEAR(moment[1], 0, 5 / sqrt(count));
	EXPECT_NEAR(moment[2], 1, 5 * sqrt(2.0 / count));
	EXPECT_NEAR(moment[3], 0, 5 * sqrt(15.0 / count));
	EXPECT_NEAR(moment[4], 3, 5 * sqrt(96.0 / count));
	EXPECT_NEAR((double) inside / count, 0.682689492, 0.006);
}

/* Each of the ten pairs out of five comes up as often as any other. */
static void
test_sample_is_fair(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	int			count[25] = {0};
	int			pairs[10];
	int			cell = 0;

	gl_random_begin(&random, 9);
	for (int i = 0; i < 40000; i++)
	{
		int32_t		chosen[2];

		EXPECT_OK(host, gl_random_sample(host, &random, 5, 2, chosen));
		count[chosen[0] * 5 + chosen[1]]++;
	}
	for (int a = 0; a < 5; a++)
		for (int b = 0; b < 5; b++)
			if (a < b)
				pairs[cell++] = count[a * 5 + b];
			else
				EXPECT(count[a * 5 + b] == 0);
	EXPECT(chi_square(pairs, 10, 40000) < 33.7);	/* 1 in 10^4 */
	test_host_end(&test);
}

static void
test_sample_sizes(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	int32_t		chosen[60];

	gl_random_begin(&random, 13);
	for (int limit = 0; limit <= 60; limit++)
		for (int count = 0; count <= limit; count++)
		{
			memset(chosen, 0xFF, sizeof(chosen));
			EXPECT_OK(host, gl_random_sample(host, &random, limit, count,
											 chosen));
			for (int i = 0; i < count; i++)
				EXPECT(chosen[i] >= 0 && chosen[i] < limit &&
					   (i == 0 || chosen[i] > chosen[i - 1]));
			for (int i = count; i < 60; i++)
				EXPECT(chosen[i] == -1);
		}
	host->poll_interval = host->work_left = 1;
	test.polls_left = 3;
	EXPECT(gl_random_sample(host, &random, 50, 20, chosen) ==
		   GL_ERR_INTERRUPTED);
	test_host_end(&test);
}

int
main(void)
{
	RUN(test_known_stream);
	RUN(test_unit);
	RUN(test_below);
	RUN(test_normal);
	RUN(test_sample_is_fair);
	RUN(test_sample_sizes);
	UNIT_TEST_END();
}
