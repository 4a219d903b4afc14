/*
 * test_label_pairs.c
 *		Pairs of texts collected in any order become the same table.
 *
 * What breaks if this fails: the aggregates mix labels up, or their results
 * change with the order in which a table is scanned.
 */
#include "unit_test.h"

#include "measure/label_pairs.h"

static GlStatus
add(GlHost *host, LabelPairs *pairs, const char *truth,
	const char *predicted)
{
	return label_pairs_add(host, pairs, truth, (int64_t) strlen(truth),
						   predicted,
						   predicted == NULL ? 0 :
						   (int64_t) strlen(predicted));
}

static void
test_small_collection(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	LabelPairs	pairs = {0};
	Contingency table;
	double		value;

	EXPECT_OK(host, add(host, &pairs, "cat", "cat"));
	EXPECT_OK(host, add(host, &pairs, "cat", "dog"));
	EXPECT_OK(host, add(host, &pairs, "", NULL));
	EXPECT_OK(host, add(host, &pairs, "dog", "cat"));
	EXPECT_OK(host, add(host, &pairs, "cat", "cat"));
	EXPECT_OK(host, add(host, &pairs, "", ""));
	EXPECT_OK(host, label_pairs_check(host, &pairs));
	EXPECT(pairs.texts.count == 3 && pairs.pair_count == 5);
	EXPECT(pairs.row_count == 6);

	/* twice: the collection is only read */
	for (int again = 0; again < 2; again++)
	{
		EXPECT_OK(host, label_pairs_table(host, &pairs, &table));
		EXPECT_OK(host, contingency_check(host, &table));
		EXPECT(table.truth_count == 3 && table.predicted_count == 4);
		EXPECT(table.predicted_key[0] == CONTINGENCY_NO_ANSWER);
		EXPECT_OK(host, contingency_accuracy(host, &table, &value));
		EXPECT(value == 0.5);
		contingency_release(host, &table);
	}
	label_pairs_release(host, &pairs);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* A new collection is small: thousands of groups hold one each. */
static void
test_starts_small(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	LabelPairs	pairs = {0};

	EXPECT_OK(host, add(host, &pairs, "a", "b"));
	EXPECT(host->bytes_used + sizeof(pairs) < 600);
	label_pairs_release(host, &pairs);
	test_host_end(&test);
}

/* Texts that are prefixes of each other, with zero bytes, and very long. */
static void
test_awkward_texts(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	LabelPairs	pairs = {0};
	Contingency table;
	char	   *longest = malloc(100001);

	memset(longest, 'x', 100001);
	EXPECT_OK(host, label_pairs_add(host, &pairs, "a\0b", 3, "a", 1));
	EXPECT_OK(host, label_pairs_add(host, &pairs, "a\0c", 3, "a\0", 2));
	EXPECT_OK(host, label_pairs_add(host, &pairs, longest, 100000,
									longest, 100001));
	EXPECT(pairs.texts.count == 6);
	EXPECT_OK(host, label_pairs_check(host, &pairs));
	EXPECT_OK(host, label_pairs_table(host, &pairs, &table));
	EXPECT(table.truth_count == 3 && table.predicted_count == 3);
	/* byte order: a, a0, a0b, a0c, x..., x...x */
	EXPECT(table.predicted_key[0] == 0 && table.predicted_key[1] == 1);
	EXPECT(table.truth_key[0] == 2 && table.truth_key[2] == 4);
	contingency_release(host, &table);
	label_pairs_release(host, &pairs);
	EXPECT_NOTHING_LEFT(&test);
	free(longest);
	test_host_end(&test);
}

/* 3000 rows of 700 labels in two orders: the same table, bit for bit. */
static void
test_order_of_arrival(void)
{
	enum
	{
		ROWS = 3000
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	LabelPairs	forward = {0};
	LabelPairs	backward = {0};
	Contingency a;
	Contingency b;
	int			truth[ROWS];
	int			predicted[ROWS];
	GlRandom	random;

	gl_random_begin(&random, 3);
	for (int i = 0; i < ROWS; i++)
	{
		truth[i] = (int) gl_random_below(&random, 700);
		predicted[i] = (int) gl_random_below(&random, 700);
	}
	for (int i = 0; i < 2 * ROWS; i++)
	{
		int			row = i < ROWS ? i : 2 * ROWS - 1 - i;
		char		t[12];
		char		p[12];

		snprintf(t, sizeof(t), "%d", truth[row]);
		snprintf(p, sizeof(p), "%d", predicted[row]);
		EXPECT_OK(host, add(host, i < ROWS ? &forward : &backward, t,
							predicted[row] % 50 == 0 ? NULL : p));
	}
	EXPECT_OK(host, label_pairs_check(host, &forward));
	EXPECT_OK(host, label_pairs_table(host, &forward, &a));
	EXPECT_OK(host, label_pairs_table(host, &backward, &b));
	EXPECT(a.row_count == ROWS && a.cell_count == b.cell_count);
	EXPECT(memcmp(a.cells, b.cells,
				  (size_t) a.cell_count * sizeof(*a.cells)) == 0);
	EXPECT(memcmp(a.truth_key, b.truth_key,
				  (size_t) a.truth_count * sizeof(*a.truth_key)) == 0);
	contingency_release(host, &a);
	contingency_release(host, &b);
	label_pairs_release(host, &forward);
	label_pairs_release(host, &backward);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_empty(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	LabelPairs	pairs = {0};
	Contingency table;

	EXPECT_OK(host, label_pairs_check(host, &pairs));
	EXPECT_OK(host, label_pairs_table(host, &pairs, &table));
	EXPECT(table.row_count == 0 && table.cell_count == 0);
	contingency_release(host, &table);
	label_pairs_release(host, &pairs);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_check_sees_damage(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (int damage = 0; damage < 4; damage++)
	{
		LabelPairs	pairs = {0};

		EXPECT_OK(host, add(host, &pairs, "a", "b"));
		EXPECT_OK(host, add(host, &pairs, "b", NULL));
		switch (damage)
		{
			case 0:
				pairs.texts.bytes[0] = 'b';	/* two texts alike */
				break;
			case 1:
				pairs.pairs[0].truth_key = 2;
				break;
			case 2:
				pairs.pairs[1] = pairs.pairs[0];
				break;
			case 3:
				pairs.texts.start[1] = 3;
				break;
		}
		EXPECT(label_pairs_check(host, &pairs) == GL_ERR_CORRUPT);
		label_pairs_release(host, &pairs);
	}
	test_host_end(&test);
}

/* A refused row is not counted, and the rows before it remain. */
static void
test_budget(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	LabelPairs	pairs = {0};
	GlStatus	status = GL_OK;
	int			rows = 0;

	host->bytes_limit = 2000;
	for (; status == GL_OK; rows++)
	{
		char		text[32];

		snprintf(text, sizeof(text), "label %d", rows);
		status = add(host, &pairs, text, text);
	}
	EXPECT(status == GL_ERR_MEMORY);
	EXPECT(rows > 4 && pairs.row_count == rows - 1);
	EXPECT_OK(host, label_pairs_check(host, &pairs));
	test_host_end(&test);
}

static GlStatus
refused_job(GlHost *host)
{
	LabelPairs	pairs = {0};
	Contingency table;

	for (int i = 0; i < 20; i++)
	{
		char		text[32];

		snprintf(text, sizeof(text), "a longer label %d", i);
		GL_TRY(add(host, &pairs, text, i % 3 == 0 ? NULL : "other"));
	}
	GL_TRY(label_pairs_table(host, &pairs, &table));
	contingency_release(host, &table);
	label_pairs_release(host, &pairs);
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
	RUN(test_small_collection);
	RUN(test_starts_small);
	RUN(test_awkward_texts);
	RUN(test_order_of_arrival);
	RUN(test_empty);
	RUN(test_check_sees_damage);
	RUN(test_budget);
	RUN(test_refused);
	UNIT_TEST_END();
}
