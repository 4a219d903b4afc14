/*
 * test_text_table.c
 *		If this fails, different labels are taken for one, or one for two, and
 *		results depend on the order in which labels arrive.
 */
#include "unit_test.h"

#include "base/text_table.h"

static void
test_numbers_in_order_of_arrival(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static const char *texts[] = {"b", "", "a", "b\0c", "b", "ab", "", "a"};
	static const int lengths[] = {1, 0, 1, 3, 1, 2, 0, 1};
	static const int32_t wanted[] = {0, 1, 2, 3, 0, 4, 1, 2};
	static const int32_t wanted_rank[] = {3, 0, 1, 4, 2};
	TextTable	table = {0};
	int32_t		rank[5];

	for (int i = 0; i < 8; i++)
	{
		int32_t		number;
		int64_t		count;

		EXPECT_OK(host, text_table_number(host, &table, texts[i], lengths[i],
										  &number));
		EXPECT(number == wanted[i]);
		EXPECT(memcmp(text_table_get(&table, number, &count), texts[i],
					  (size_t) lengths[i]) == 0 && count == lengths[i]);
	}
	EXPECT(table.count == 5);
	EXPECT_OK(host, text_table_check(host, &table));
	EXPECT_OK(host, text_table_rank(host, &table, text_order_bytes, rank));
	EXPECT(memcmp(rank, wanted_rank, sizeof(rank)) == 0);
	text_table_release(host, &table);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Random texts, many of them twice, against plain search. */
static void
test_many(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static char texts[3000][8];
	static int32_t numbers[3000];
	static int32_t rank[3000];
	TextTable	table = {0};
	GlRandom	random;

	gl_random_begin(&random, 11);
	for (int i = 0; i < 3000; i++)
	{
		int			length = snprintf(texts[i], sizeof(texts[i]), "%d",
									  (int) gl_random_below(&random, 2000));

		EXPECT_OK(host, text_table_number(host, &table, texts[i], length,
										  &numbers[i]));
	}
	EXPECT_OK(host, text_table_check(host, &table));
	EXPECT_OK(host, text_table_rank(host, &table, text_order_bytes, rank));
	for (int i = 0; i < 3000; i += 7)
		for (int j = 0; j < 3000; j += 11)
		{
			int			order = strcmp(texts[i], texts[j]);

			EXPECT((numbers[i] == numbers[j]) == (order == 0));
			EXPECT((rank[numbers[i]] < rank[numbers[j]]) == (order < 0));
		}
	text_table_release(host, &table);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_damage_is_seen(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	TextTable	table = {0};
	int32_t		number;

	EXPECT_OK(host, text_table_number(host, &table, "ab", 2, &number));
	EXPECT_OK(host, text_table_number(host, &table, "cd", 2, &number));
	table.start[1] = 1;
	EXPECT(text_table_check(host, &table) == GL_ERR_CORRUPT);
	table.start[1] = 5;
	EXPECT(text_table_check(host, &table) == GL_ERR_CORRUPT);
	table.start[1] = 2;
	EXPECT_OK(host, text_table_check(host, &table));
	table.bytes[3] = 'e';
	EXPECT(text_table_check(host, &table) == GL_ERR_CORRUPT);
	test_host_end(&test);
}

static GlStatus
fill_job(GlHost *host)
{
	TextTable	table = {0};
	int32_t		rank[40];
	int32_t		number;

	for (int i = 0; i < 40; i++)
	{
		char		text[8];
		int			length = snprintf(text, sizeof(text), "%d", i * 37 % 40);

		GL_TRY(text_table_number(host, &table, text, length, &number));
	}
	GL_TRY(text_table_check(host, &table));
	GL_TRY(text_table_rank(host, &table, text_order_bytes, rank));
	text_table_release(host, &table);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(fill_job);
}

int
main(void)
{
	RUN(test_numbers_in_order_of_arrival);
	RUN(test_many);
	RUN(test_damage_is_seen);
	RUN(test_refused);
	UNIT_TEST_END();
}
