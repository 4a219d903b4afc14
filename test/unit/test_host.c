/*
 * test_host.c
 *		If this fails, a call may pass its memory limit, wrap a size, miss an
 *		interrupt, or die without saying why.
 */
#include "unit_test.h"

#include "base/checked.h"

/* What a chunk is charged beside its contents. */
#define PREFIX		16

static void
test_checked_sizes(void)
{
	size_t		result = 7;

	EXPECT(!gl_size_multiply(SIZE_MAX / 2, 3, &result) && result == 7);
	EXPECT(!gl_size_add(SIZE_MAX, 1, &result) && result == 7);
	EXPECT(!gl_size_align8(SIZE_MAX - 6, &result) && result == 7);
	EXPECT(gl_size_multiply(SIZE_MAX / 5, 5, &result) && result == SIZE_MAX);
	EXPECT(gl_size_multiply(0, SIZE_MAX, &result) && result == 0);
	EXPECT(gl_size_add(SIZE_MAX - 1, 1, &result) && result == SIZE_MAX);
	for (size_t size = 0; size < 40; size++)
		EXPECT(gl_size_align8(size, &result) && result % 8 == 0 &&
			   result >= size && result < size + 8);
	EXPECT(gl_size_align8(SIZE_MAX - 7, &result) && result == SIZE_MAX - 7);
}

/* The last byte of the budget can be had, one more cannot. */
static void
test_budget(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	char	   *a;
	char	   *b;

	host->bytes_limit = 200;
	a = gl_allocate(host, 10, 8);
	EXPECT(a != NULL && host->bytes_used == 80 + PREFIX);
	EXPECT(gl_allocate(host, 1, 200 - 96 - PREFIX + 1) == NULL);
	EXPECT(host->status == GL_ERR_MEMORY);
	EXPECT(strstr(host->message, "the limit is ") != NULL);
	EXPECT(strstr(host->hint, "graphlearn.max_memory") != NULL);
	EXPECT(host->bytes_used == 96);
	b = gl_allocate(host, 1, 200 - 96 - PREFIX);
	EXPECT(b != NULL && host->bytes_used == 200 && host->bytes_peak == 200);
	EXPECT(gl_allocate(host, 0, 8) == NULL);
	gl_release(host, a);
	EXPECT(host->bytes_used == 104 && host->bytes_peak == 200);
	a = gl_allocate(host, 0, 8);
	EXPECT(a != NULL);			/* nothing is asked for, something is had */
	gl_release(host, a);
	gl_release(host, b);
	gl_release(host, NULL);
	EXPECT_NOTHING_LEFT(&test);

	/* a limit lowered below what is in use refuses, and does not wrap */
	host->bytes_limit = 200;
	a = gl_allocate(host, 100, 1);
	host->bytes_limit = 50;
	EXPECT(gl_allocate(host, 1, 1) == NULL && host->status == GL_ERR_MEMORY);
	gl_release(host, a);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_need_and_limit_are_told(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	void	   *held;

	host->bytes_limit = (size_t) 20 << 20;
	held = gl_allocate(host, ((size_t) 15 << 20) - PREFIX, 1);
	EXPECT(gl_allocate(host, ((size_t) 16 << 20) - PREFIX, 1) == NULL);
	EXPECT(strstr(host->message, "at least 31") != NULL);
	EXPECT(strstr(host->message, "limit is 20") != NULL);
	gl_release(host, held);
	test_host_end(&test);
}

static void
test_overflow(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	void	   *chunk;

	host->bytes_limit = SIZE_MAX;
	EXPECT(gl_allocate(host, SIZE_MAX / 2, 3) == NULL);
	EXPECT(host->status == GL_ERR_TOO_LARGE);
	EXPECT(gl_allocate(host, SIZE_MAX - 8, 1) == NULL);
	EXPECT(host->status == GL_ERR_TOO_LARGE);
	EXPECT(gl_allocate_zeroed(host, (size_t) -1, 8) == NULL);
	EXPECT(host->status == GL_ERR_TOO_LARGE);
	EXPECT(gl_require(host, SIZE_MAX, 2, NULL) == GL_ERR_TOO_LARGE);
	chunk = gl_allocate(host, 4, 8);
	memset(chunk, 1, 32);
	EXPECT(gl_resize(host, chunk, SIZE_MAX / 4, 8) == NULL);
	EXPECT(host->status == GL_ERR_TOO_LARGE);
	EXPECT(host->bytes_used == 32 + PREFIX);
	gl_release(host, chunk);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_host_refuses(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int		   *chunk;

	test.allocations_left = 1;
	chunk = gl_allocate(host, 3, sizeof(int));
	EXPECT(chunk != NULL);
	chunk[0] = 1, chunk[1] = 2, chunk[2] = 3;
	EXPECT(gl_allocate(host, 1, 1) == NULL);
	EXPECT(host->status == GL_ERR_MEMORY);
	EXPECT(strstr(host->message, "refused") != NULL);
	EXPECT(gl_resize(host, chunk, 100, sizeof(int)) == NULL);
	EXPECT(host->status == GL_ERR_MEMORY);
	EXPECT(chunk[0] == 1 && chunk[2] == 3);
	EXPECT(host->bytes_used == 12 + PREFIX);
	gl_release(host, chunk);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_zeroed(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	unsigned char *chunk = gl_allocate_zeroed(host, 1000, 9);
	int			sum = 0;

	EXPECT(chunk != NULL && (uintptr_t) chunk % 8 == 0);
	for (int i = 0; i < 9000; i++)
		sum += chunk[i];
	EXPECT(sum == 0);
	gl_release(host, chunk);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_resize(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int64_t    *chunk = gl_allocate(host, 4, 8);
	int64_t    *moved;

	host->bytes_limit = 2000;
	for (int i = 0; i < 4; i++)
		chunk[i] = 10 + i;
	chunk = gl_resize(host, chunk, 200, 8);
	EXPECT(chunk != NULL && chunk[0] == 10 && chunk[3] == 13);
	EXPECT(host->bytes_used == 1600 + PREFIX);
	chunk[199] = 5;
	/* growing needs only the difference, not both sizes at once */
	chunk = gl_resize(host, chunk, 240, 8);
	EXPECT(chunk != NULL && chunk[199] == 5);
	moved = gl_resize(host, chunk, 250, 8);
	EXPECT(moved == NULL && host->status == GL_ERR_MEMORY);
	EXPECT(host->bytes_used == 1920 + PREFIX && chunk[199] == 5);
	chunk = gl_resize(host, chunk, 2, 8);
	EXPECT(chunk != NULL && chunk[1] == 11);
	EXPECT(host->bytes_used == 16 + PREFIX);
	EXPECT(host->bytes_peak == 1920 + PREFIX);
	chunk = gl_resize(host, chunk, 0, 8);
	EXPECT(chunk != NULL);
	gl_release(host, chunk);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_require(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	host->bytes_limit = 1000;
	EXPECT(gl_require(host, 100, 9, "Use less.") == GL_OK);
	EXPECT(host->bytes_used == 0 && host->bytes_peak == 0);
	EXPECT(gl_require(host, 1000, 9, "Use less.") == GL_ERR_MEMORY);
	EXPECT(host->status == GL_ERR_MEMORY);
	EXPECT(strcmp(host->hint, "Use less.") == 0);
	EXPECT(gl_require(host, 1000, 9, NULL) == GL_ERR_MEMORY);
	EXPECT(strstr(host->hint, "graphlearn.max_memory") != NULL);
	test_host_end(&test);
}

static void
test_messages(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	char		word[600];

	EXPECT(host->status == GL_OK && host->message[0] == '\0');
	EXPECT(gl_fail(host, GL_ERR_DATA, "id %d is %s", 7, "bad") ==
		   GL_ERR_DATA);
	EXPECT(host->status == GL_ERR_DATA);
	EXPECT(strcmp(host->message, "id 7 is bad") == 0);
	gl_hint(host, "Try %d.", 8);
	EXPECT(strcmp(host->hint, "Try 8.") == 0);

	/* a hint belongs to its own failure */
	gl_fail(host, GL_ERR_OPTION, "another");
	EXPECT(host->hint[0] == '\0');

	/* long words are cut, not written past the end */
	memset(word, 'x', sizeof(word));
	word[sizeof(word) - 1] = '\0';
	gl_fail(host, GL_ERR_DATA, "%s", word);
	gl_hint(host, "%s", word);
	EXPECT(strlen(host->message) == sizeof(host->message) - 1);
	EXPECT(strlen(host->hint) == sizeof(host->hint) - 1);
	test_host_end(&test);
}

static void
test_polls(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	EXPECT(gl_work(host, GL_POLL_INTERVAL - 1) == GL_OK);
	EXPECT(test.polls == 0);
	EXPECT(gl_work(host, 1) == GL_OK);
	EXPECT(test.polls == 1);
	for (int i = 0; i < 10; i++)
		EXPECT(gl_work(host, GL_POLL_INTERVAL) == GL_OK);
	EXPECT(test.polls == 11);
	/* one giant step is one poll, and leaves no debt */
	EXPECT(gl_work(host, 100 * GL_POLL_INTERVAL) == GL_OK);
	EXPECT(test.polls == 12 && host->work_left == GL_POLL_INTERVAL);

	host->poll_interval = 5;
	test.polls_left = 2;
	EXPECT(gl_work(host, GL_POLL_INTERVAL) == GL_OK);
	EXPECT(gl_work(host, 4) == GL_OK && test.polls == 13);
	EXPECT(gl_work(host, 1) == GL_OK && test.polls == 14);
	EXPECT(gl_work(host, 5) == GL_ERR_INTERRUPTED);
	EXPECT(host->status == GL_ERR_INTERRUPTED);
	EXPECT(strcmp(host->message, "interrupted") == 0);
	EXPECT(gl_poll(host) == GL_ERR_INTERRUPTED);
	test_host_end(&test);
}

/* Charges after ten thousand random steps equal what is held. */
static void
test_accounting(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	char	   *held[20] = {NULL};
	size_t		bytes[20] = {0};
	GlRandom	random;

	gl_random_begin(&random, 1);
	for (int step = 0; step < 10000; step++)
	{
		int			slot = (int) gl_random_below(&random, 20);
		size_t		size = (size_t) gl_random_below(&random, 300);
		size_t		sum = 0;

		if (held[slot] == NULL)
			held[slot] = gl_allocate(host, size, 1);
		else if (gl_random_below(&random, 2) == 0)
			held[slot] = gl_resize(host, held[slot], 1, size);
		else
		{
			gl_release(host, held[slot]);
			held[slot] = NULL;
		}
		bytes[slot] = held[slot] == NULL ? 0 : size + PREFIX;
		for (int s = 0; s < 20; s++)
			sum += bytes[s];
		if (sum != host->bytes_used)
		{
			EXPECT(sum == host->bytes_used);
			break;
		}
	}
	for (int slot = 0; slot < 20; slot++)
		gl_release(host, held[slot]);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* A row is called by its id, or by its number where it has none. */
static void
test_row_names(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	int64_t		numbers[] = {7, 5, INT64_MAX};

	EXPECT(strcmp(gl_row_name(host, INT64_MIN).text,
				  "the row with id -9223372036854775808") == 0);
	host->rows_are_numbered = true;
	EXPECT(strcmp(gl_row_name(host, 2).text, "row 2 of the partition") == 0);
	host->row_numbers = numbers;
	EXPECT(strcmp(gl_row_name(host, 1).text, "row 5 of the partition") == 0);
	EXPECT(strcmp(gl_row_name(host, 2).text,
				  "row 9223372036854775807 of the partition") == 0);
	gl_host_begin(host);
	EXPECT(strcmp(gl_row_name(host, 1).text, "the row with id 1") == 0);
	test_host_end(&test);
}

int
main(void)
{
	RUN(test_checked_sizes);
	RUN(test_budget);
	RUN(test_need_and_limit_are_told);
	RUN(test_overflow);
	RUN(test_host_refuses);
	RUN(test_zeroed);
	RUN(test_resize);
	RUN(test_require);
	RUN(test_messages);
	RUN(test_row_names);
	RUN(test_polls);
	RUN(test_accounting);
	UNIT_TEST_END();
}
