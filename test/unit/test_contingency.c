/*
 * test_contingency.c
 *		The table of classes against clusters and its measures.
 *
 * What breaks if this fails: every quality number that the extension reports.
 */
#include "unit_test.h"

#include "../reference/measures_answers.h"
#include "measure/contingency.h"

/* The table of two short label lists; a negative label is no answer. */
static GlStatus
table_of(GlHost *host, const int *truth, const int *predicted, int count,
		 Contingency *table)
{
	ContingencyPair pairs[ANSWER_ROWS];

	for (int i = 0; i < count; i++)
	{
		pairs[i].truth_key = truth[i];
		pairs[i].predicted_key = predicted[i];
		pairs[i].count = 1;
	}
	return contingency_build(host, pairs, count, table);
}

typedef GlStatus (*Measure) (GlHost *host, const Contingency *table,
							 double *value);

static const Measure measures[] = {
	contingency_accuracy, contingency_f1, contingency_purity,
	contingency_nmi, contingency_rand, contingency_ari
};

#define MEASURES	((int) (sizeof(measures) / sizeof(measures[0])))

static void
measure_all(GlHost *host, const int *truth, const int *predicted, int count,
			double *values)
{
	Contingency table;

	EXPECT_OK(host, table_of(host, truth, predicted, count, &table));
	EXPECT_OK(host, contingency_check(host, &table));
	for (int m = 0; m < MEASURES; m++)
		EXPECT_OK(host, measures[m] (host, &table, &values[m]));
	contingency_release(host, &table);
}

static void
test_spec_vector(void)
{
	static const int truth[] = {0, 0, 0, 0, 0, 1, 1, 1, 2, 2};
	static const int predicted[] = {1, 1, 1, 0, 0, 0, 0, 0, 2, 1};
	static const int64_t counts[] = {2, 3, 3, 1, 1};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Contingency table;
	double		values[MEASURES];

	EXPECT_OK(host, table_of(host, truth, predicted, 10, &table));
	EXPECT(table.row_count == 10 && table.cell_count == 5);
	EXPECT(table.truth_count == 3 && table.predicted_count == 3);
	for (int c = 0; c < 5; c++)
		EXPECT(table.cells[c].count == counts[c]);
	EXPECT(table.truth_total[0] == 5 && table.predicted_total[1] == 4);
	contingency_release(host, &table);

	measure_all(host, truth, predicted, 10, values);
	EXPECT_NEAR(values[0], 0.3, 1e-15);
	EXPECT_NEAR(values[1], 16.0 / 45.0, 1e-15);
	EXPECT_NEAR(values[2], 0.7, 1e-15);
	EXPECT_NEAR(values[3], 0.4746201611363815, 1e-14);
	EXPECT_NEAR(values[4], 29.0 / 45.0, 1e-15);
	EXPECT_NEAR(values[5], 0.2017738359201774, 1e-14);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* scikit-learn's numbers, test/reference/measures.py */
static void
test_reference_answers(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (size_t a = 0; a < sizeof(label_answers) / sizeof(LabelAnswer); a++)
	{
		const LabelAnswer *answer = &label_answers[a];
		double		values[MEASURES];

		measure_all(host, answer->truth, answer->predicted,
					answer->row_count, values);
		for (int m = 0; m < MEASURES; m++)
			EXPECT_NEAR(values[m], answer->answers[m], 1e-13);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* The number of rows i for which (a_i, b_i) = (x, y); -1 stands for any. */
static int
brute_count(const int *a, const int *b, int count, int x, int y)
{
	int			found = 0;

	for (int i = 0; i < count; i++)
		found += (x < 0 || a[i] == x) && (y < 0 || b[i] == y);
	return found;
}

/* Each measure by its definition over rows and pairs of rows. */
static void
brute_measures(const int *truth, const int *predicted, int count,
			   double *values)
{
	double		information = 0,
				entropies = 0,
				f1 = 0;
	int			classes = 0,
				right = 0,
				pure = 0,
				both = 0,
				truth_pairs = 0,
				predicted_pairs = 0,
				agree = 0,
				pairs = count * (count - 1) / 2;

	for (int x = 0; x < count; x++)
	{
		int			a = brute_count(truth, predicted, count, x, -1);
		int			b = brute_count(truth, predicted, count, -1, x);
		int			largest = 0;

		right += brute_count(truth, predicted, count, x, x);
		classes += a > 0;
		if (a > 0)
			f1 += 2.0 * brute_count(truth, predicted, count, x, x) / (a + b);
		entropies -= a > 0 ? (double) a / count * log((double) a / count) : 0;
		entropies -= b > 0 ? (double) b / count * log((double) b / count) : 0;
		for (int y = 0; y < count; y++)
		{
			int			cell = brute_count(truth, predicted, count, y, x);
			double		ta = brute_count(truth, predicted, count, y, -1);

			largest = cell > largest ? cell : largest;
			if (cell > 0)
				information += (double) cell / count *
					log((double) cell * count / (ta * b));
		}
		pure += largest;
	}
	for (int i = 0; i < count; i++)
	{
		for (int j = 0; j < i; j++)
		{
			bool		t = truth[i] == truth[j];
			bool		p = predicted[i] == predicted[j];

			both += t && p;
			truth_pairs += t;
			predicted_pairs += p;
			agree += t == p;
		}
	}
	values[0] = (double) right / count;
	values[1] = f1 / classes;
	values[2] = (double) pure / count;
	values[3] = entropies == 0 ? 1 : information / (entropies / 2);
	values[4] = pairs == 0 ? 1 : (double) agree / pairs;
	{
		double		chance = pairs == 0 ? 0 :
			(double) truth_pairs * predicted_pairs / pairs;
		double		most = 0.5 * (truth_pairs + predicted_pairs);

		values[5] = agree == pairs ? 1 : (both - chance) / (most - chance);
	}
}

/* Read labeling number `number` of `count` rows, in base `count`. */
static void
spell_labels(int number, int count, int *labels)
{
	for (int i = 0; i < count; i++)
	{
		labels[i] = number % count;
		number /= count;
	}
}

static void
compare_brute(GlHost *host, const int *truth, const int *predicted,
			  int count)
{
	double		values[MEASURES];
	double		wanted[MEASURES];

	measure_all(host, truth, predicted, count, values);
	brute_measures(truth, predicted, count, wanted);
	for (int m = 0; m < MEASURES; m++)
		EXPECT_NEAR(values[m], wanted[m], 1e-12);
}

/* Every labeling up to n = 4, a stride through those of n = 5 and 6. */
static void
test_all_small_labelings(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int			truth[6];
	int			predicted[6];

	for (int count = 1; count <= 6; count++)
	{
		int			labelings = 1;
		int			stride = count < 5 ? 1 : count == 5 ? 13 : 331;

		for (int i = 0; i < count; i++)
			labelings *= count;
		for (int t = 0; t < labelings; t += stride)
		{
			spell_labels(t, count, truth);
			for (int p = 0; p < labelings; p += stride)
			{
				spell_labels(p, count, predicted);
				compare_brute(host, truth, predicted, count);
			}
		}
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* No answer is never right, and is one cluster of its own. */
static void
test_no_answer(void)
{
	static const int truth[] = {0, 0, 1, 1};
	static const int predicted[] = {0, -1, 1, -1};
	static const int renamed[] = {0, 7, 1, 7};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	double		values[MEASURES];
	double		wanted[MEASURES];

	measure_all(host, truth, predicted, 4, values);
	EXPECT(values[0] == 0.5);
	EXPECT_NEAR(values[1], 2.0 / 3.0, 1e-15);
	measure_all(host, truth, renamed, 4, wanted);
	for (int m = 0; m < MEASURES; m++)
		EXPECT_NEAR(values[m], wanted[m], 1e-15);
	test_host_end(&test);
}

/* The order of the pairs, and rows split over several pairs, do not matter. */
static void
test_order_and_repeats(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;

	gl_random_begin(&random, 7);
	for (int round = 0; round < 50; round++)
	{
		ContingencyPair pairs[60];
		ContingencyPair turned[60];
		Contingency a;
		Contingency b;

		for (int i = 0; i < 60; i++)
		{
			pairs[i].truth_key = (int32_t) gl_random_below(&random, 9);
			pairs[i].predicted_key =
				(int32_t) gl_random_below(&random, 9) - 1;
			pairs[i].count = 1 + gl_random_below(&random, 3);
			turned[(i * 7 + round) % 60] = pairs[i];
		}
		EXPECT_OK(host, contingency_build(host, pairs, 60, &a));
		EXPECT_OK(host, contingency_build(host, turned, 60, &b));
		EXPECT(a.cell_count == b.cell_count);
		EXPECT(memcmp(a.cells, b.cells,
					  (size_t) a.cell_count * sizeof(*a.cells)) == 0);
		for (int m = 0; m < MEASURES; m++)
		{
			double		x;
			double		y;

			EXPECT_OK(host, measures[m] (host, &a, &x));
			EXPECT_OK(host, measures[m] (host, &b, &y));
			EXPECT(x == y);
		}
		contingency_release(host, &a);
		contingency_release(host, &b);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Thousands of classes must cost what their cells cost, not k x k. */
static void
test_many_classes(void)
{
	enum
	{
		COUNT = 200000
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	ContingencyPair *pairs = malloc(COUNT * sizeof(*pairs));
	Contingency table;
	double		value;

	for (int i = 0; i < COUNT; i++)
		pairs[i] = (ContingencyPair) {i, COUNT - 1 - i, 1};
	host->bytes_limit = (size_t) COUNT * 120;
	EXPECT_OK(host, contingency_build(host, pairs, COUNT, &table));
	EXPECT_OK(host, contingency_check(host, &table));
	EXPECT_OK(host, contingency_nmi(host, &table, &value));
	EXPECT(value == 1);
	EXPECT_OK(host, contingency_ari(host, &table, &value));
	EXPECT(value == 1);
	contingency_release(host, &table);
	EXPECT_NOTHING_LEFT(&test);
	free(pairs);
	test_host_end(&test);
}

/* Counts near the limit: pair counts stay exact. */
static void
test_limits(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	ContingencyPair pairs[3] = {
		{0, 0, CONTINGENCY_MAX_ROWS - 1}, {1, 1, 1}, {2, 2, 1}
	};
	Contingency table;
	double		value;

	EXPECT_OK(host, contingency_build(host, pairs, 2, &table));
	EXPECT_OK(host, contingency_rand(host, &table, &value));
	EXPECT(value == 1);
	contingency_release(host, &table);
	EXPECT(contingency_build(host, pairs, 3, &table) == GL_ERR_TOO_LARGE);
	EXPECT(table.cells == NULL && table.row_count == 0);

	/* one side a single cluster of all rows: both indices know it */
	pairs[1].predicted_key = 0;
	EXPECT_OK(host, contingency_build(host, pairs, 2, &table));
	EXPECT_OK(host, contingency_ari(host, &table, &value));
	EXPECT_NEAR(value, 0, 1e-15);
	EXPECT_OK(host, contingency_nmi(host, &table, &value));
	EXPECT(value == 0);
	contingency_release(host, &table);
	test_host_end(&test);
}

static void
test_bad_input(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	ContingencyPair pair = {-1, 0, 1};
	Contingency table;
	double		value;

	EXPECT(contingency_build(host, &pair, 1, &table) == GL_ERR_DATA);
	pair = (ContingencyPair) {0, -2, 1};
	EXPECT(contingency_build(host, &pair, 1, &table) == GL_ERR_DATA);
	pair = (ContingencyPair) {0, 0, 0};
	EXPECT(contingency_build(host, &pair, 1, &table) == GL_ERR_DATA);
	test_host_end(&test);

	test_host_begin(&test);
	EXPECT_OK(host, contingency_build(host, NULL, 0, &table));
	EXPECT_OK(host, contingency_check(host, &table));
	for (int m = 0; m < MEASURES; m++)
		EXPECT(measures[m] (host, &table, &value) == GL_ERR_DATA);
	contingency_release(host, &table);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Each invariant broken in turn must be seen. */
static void
test_check_sees_damage(void)
{
	static const int truth[] = {0, 0, 1, 2};
	static const int predicted[] = {0, 1, 1, 1};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Contingency table;

	for (int damage = 0; damage < 7; damage++)
	{
		EXPECT_OK(host, table_of(host, truth, predicted, 4, &table));
		switch (damage)
		{
			case 0:
				table.row_count++;
				break;
			case 1:
				table.truth_key[1] = table.truth_key[0];
				break;
			case 2:
				table.truth_total[0]++;
				break;
			case 3:
				table.predicted_total[1]--;
				break;
			case 4:
				table.cells[1].truth = 3;
				break;
			case 5:
				table.cells[1] = table.cells[0];
				break;
			case 6:
				table.truth_key[0] = CONTINGENCY_NO_ANSWER;
				break;
		}
		EXPECT(contingency_check(host, &table) == GL_ERR_CORRUPT);
		contingency_release(host, &table);
	}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
refused_job(GlHost *host)
{
	static const int truth[] = {0, 1, 0, 1, 2, 2};
	static const int predicted[] = {1, 1, 0, 0, -1, 2};
	Contingency table;
	double		value;

	GL_TRY(table_of(host, truth, predicted, 6, &table));
	GL_TRY(contingency_check(host, &table));
	for (int m = 0; m < MEASURES; m++)
		GL_TRY(measures[m] (host, &table, &value));
	contingency_release(host, &table);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(refused_job);
}

int
main(void)
{
	RUN(test_spec_vector);
	RUN(test_reference_answers);
	RUN(test_all_small_labelings);
	RUN(test_no_answer);
	RUN(test_order_and_repeats);
	RUN(test_many_classes);
	RUN(test_limits);
	RUN(test_bad_input);
	RUN(test_check_sees_damage);
	RUN(test_refused);
	UNIT_TEST_END();
}
