/*
 * unit_test.h
 *		The whole harness of the core's unit tests.
 *
 * A test program calls RUN(test_function) for each test and ends with
 * UNIT_TEST_END().  EXPECT() counts and reports, and goes on.  The program
 * prints one line "ok NAME" or "not ok NAME" per test, which
 * scripts/check counts.
 *
 * TestHost is a GlHost on malloc that remembers every chunk, so that a test
 * can refuse the k-th allocation or the k-th poll and still leak nothing.
 */
#ifndef UNIT_TEST_H
#define UNIT_TEST_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/host.h"
#include "base/random.h"

static int	unit_failures;		/* in the running test */
static int	unit_failed_tests;

#define EXPECT(condition) \
	do { \
		if (!(condition)) \
		{ \
			unit_failures++; \
			printf("# %s:%d: expected %s\n", __FILE__, __LINE__, #condition); \
		} \
	} while (0)

#define EXPECT_NEAR(actual, wanted, tolerance) \
	do { \
		double		actual_ = (actual); \
		double		wanted_ = (wanted); \
		if (!(fabs(actual_ - wanted_) <= (tolerance))) \
		{ \
			unit_failures++; \
			printf("# %s:%d: %s is %.17g, expected %.17g\n", \
				   __FILE__, __LINE__, #actual, actual_, wanted_); \
		} \
	} while (0)

/* The core call must succeed; prints its message if not. */
#define EXPECT_OK(host, expression) \
	do { \
		GlStatus	status_ = (expression); \
		if (status_ != GL_OK) \
		{ \
			unit_failures++; \
			printf("# %s:%d: %s failed: %s\n", __FILE__, __LINE__, \
				   #expression, (host)->message); \
		} \
	} while (0)

#define RUN(test) \
	do { \
		unit_failures = 0; \
		test(); \
		printf("%s %s\n", unit_failures == 0 ? "ok" : "not ok", #test); \
		fflush(stdout); \
		unit_failed_tests += unit_failures != 0; \
	} while (0)

#define UNIT_TEST_END()		return unit_failed_tests != 0

typedef struct TestChunk
{
	struct TestChunk *next;
	struct TestChunk *previous;
	double		alignment;		/* keeps what follows 8-byte aligned */
} TestChunk;

typedef struct TestHost
{
	GlHost		host;			/* must be first */
	TestChunk	chunks;			/* ring of live chunks */
	long		allocations_left;	/* refuse when it reaches 0; < 0: never */
	long		polls_left;
	long		polls;			/* polls seen */
} TestHost;

static inline void *
test_host_allocate(void *state, size_t bytes)
{
	TestHost   *test = state;
	TestChunk  *chunk;

	if (test->allocations_left == 0)
		return NULL;
	if (test->allocations_left > 0)
		test->allocations_left--;
	chunk = malloc(sizeof(TestChunk) + bytes);
	if (chunk == NULL)
		return NULL;
	/* whoever reads what it never wrote shall notice */
	memset(chunk + 1, 0xA5, bytes < 4096 ? bytes : 4096);
	chunk->next = test->chunks.next;
	chunk->previous = &test->chunks;
	chunk->next->previous = chunk;
	test->chunks.next = chunk;
	return chunk + 1;
}

static inline void *
test_host_resize(void *state, void *memory, size_t bytes)
{
	TestHost   *test = state;
	TestChunk  *chunk;

	if (test->allocations_left == 0)
		return NULL;
	if (test->allocations_left > 0)
		test->allocations_left--;
	chunk = realloc((TestChunk *) memory - 1, sizeof(TestChunk) + bytes);
	if (chunk == NULL)
		return NULL;
	chunk->next->previous = chunk;
	chunk->previous->next = chunk;
	return chunk + 1;
}

static inline void
test_host_release(void *state, void *memory)
{
	TestChunk  *chunk = (TestChunk *) memory - 1;

	(void) state;
	chunk->next->previous = chunk->previous;
	chunk->previous->next = chunk->next;
	free(chunk);
}

static inline bool
test_host_should_stop(void *state)
{
	TestHost   *test = state;

	test->polls++;
	if (test->polls_left < 0)
		return false;
	if (test->polls_left == 0)
		return true;
	test->polls_left--;
	return false;
}

static inline GlHost *
test_host_begin(TestHost *test)
{
	memset(test, 0, sizeof(*test));
	test->host.allocate = test_host_allocate;
	test->host.resize = test_host_resize;
	test->host.release = test_host_release;
	test->host.should_stop = test_host_should_stop;
	test->host.state = test;
	test->host.bytes_limit = (size_t) 1 << 40;
	test->chunks.next = test->chunks.previous = &test->chunks;
	test->allocations_left = -1;
	test->polls_left = -1;
	gl_host_begin(&test->host);
	return &test->host;
}

/* Free whatever is left, as a server drops a memory context. */
static inline void
test_host_end(TestHost *test)
{
	while (test->chunks.next != &test->chunks)
		test_host_release(test, test->chunks.next + 1);
}

/* Everything was given back: call before test_host_end() on success. */
#define EXPECT_NOTHING_LEFT(test)	EXPECT((test)->host.bytes_used == 0)

/*
 * Run `job` refusing the k-th allocation for every k, then the k-th poll for
 * every k (polling at every unit of work), until it succeeds.  The job gets a
 * fresh host and must return GL_ERR_MEMORY or GL_ERR_INTERRUPTED when refused;
 * it builds all its inputs itself and releases all on success.
 */
static inline void
test_refusals(GlStatus (*job) (GlHost *host))
{
	for (int polls = 0; polls <= 1; polls++)
	{
		for (long k = 0;; k++)
		{
			TestHost	test;
			GlStatus	status;

			test_host_begin(&test);
			if (polls)
			{
				test.host.poll_interval = 1;
				test.host.work_left = 1;
				test.polls_left = k;
			}
			else
				test.allocations_left = k;
			status = job(&test.host);
			if (status == GL_OK)
				EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
			if (status == GL_OK)
			{
				EXPECT(k > 0);	/* a job that never asks tests nothing */
				break;
			}
			EXPECT(status == (polls ? GL_ERR_INTERRUPTED : GL_ERR_MEMORY));
			if (status != (polls ? GL_ERR_INTERRUPTED : GL_ERR_MEMORY))
				return;
		}
	}
}

#endif							/* UNIT_TEST_H */
