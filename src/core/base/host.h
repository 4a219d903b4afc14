/*
 * host.h
 *		Everything the numerical core may ask of the outside world.
 *
 * The core never calls malloc, never prints, never reads a clock and never
 * includes a PostgreSQL header.  It asks a GlHost instead.  Inside the server
 * the callbacks are src/pg/pg_host.c; in test/unit they are plain C that can
 * be told to refuse.
 *
 * A callback is allowed never to return: PostgreSQL may longjmp out of
 * should_stop.  So between two calls into the host the core holds nothing
 * that only the core could give back: no file, no lock, no static state, only
 * memory obtained from this host.  For the same reason a failing function
 * does not release what it had allocated; the host drops its arena.  A
 * function that succeeds has released everything but its result.
 *
 * The budget: every chunk is charged with its size while it lives, and a
 * request beyond bytes_limit is refused.
 */
#ifndef GL_HOST_H
#define GL_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

typedef struct GlHost
{
	/* callbacks; all required */
	void	   *(*allocate) (void *state, size_t bytes);	/* NULL: refused */
	void	   *(*resize) (void *state, void *chunk, size_t bytes);
	void		(*release) (void *state, void *chunk);
	bool		(*should_stop) (void *state);	/* true: stop soon */
	void	   *state;

	/* bookkeeping owned by host.c */
	size_t		bytes_limit;	/* budget of this call */
	size_t		bytes_used;		/* charged now */
	size_t		bytes_peak;		/* the most ever charged */
	int64_t		work_left;		/* work units until the next poll */
	int64_t		poll_interval;	/* work units between two polls */

	/*
	 * How messages call a row: by its id, or where rows have none by its
	 * number in the partition, row_numbers[id] (NULL: the id itself)
	 */
	bool		rows_are_numbered;
	const int64_t *row_numbers;

	/* the reason of the last failure, for humans */
	GlStatus	status;
	char		message[256];
	char		hint[256];
} GlHost;

/*
 * Work units between polls.  A unit is one multiply-add or one comparison, so
 * 2^18 of them take well under a millisecond.
 */
#define GL_POLL_INTERVAL	((int64_t) 1 << 18)

/* Fill in the bookkeeping; the caller has set the callbacks and the limit. */
extern void gl_host_begin(GlHost *host);

/*
 * count * item_size bytes, size-checked and charged; never NULL on success,
 * even for count 0.  On failure NULL, with host->status and message set.
 * The contents are undefined; gl_allocate_zeroed() clears them.
 */
extern void *gl_allocate(GlHost *host, size_t count, size_t item_size);
extern void *gl_allocate_zeroed(GlHost *host, size_t count, size_t item_size);

/* Grow or shrink a chunk, keeping its contents.  On failure NULL, chunk kept. */
extern void *gl_resize(GlHost *host, void *chunk, size_t count,
					   size_t item_size);

/* Give a chunk back, and its charge; NULL is allowed. */
extern void gl_release(GlHost *host, const void *chunk);

/* Allocate an array of *pointer, or hand the failure on to the caller. */
#define GL_NEW(host, pointer, count) \
	do { \
		(pointer) = gl_allocate((host), (size_t) (count), sizeof(*(pointer))); \
		if ((pointer) == NULL) \
			return (host)->status; \
	} while (0)

#define GL_NEW_ZEROED(host, pointer, count) \
	do { \
		(pointer) = gl_allocate_zeroed((host), (size_t) (count), \
									   sizeof(*(pointer))); \
		if ((pointer) == NULL) \
			return (host)->status; \
	} while (0)

/*
 * Would count * item_size more bytes fit the budget?  GL_ERR_MEMORY with the
 * need and the limit if not; advice (may be NULL) becomes the hint.  Called
 * before long work starts, so that a hopeless call fails at once.
 */
extern GlStatus gl_require(GlHost *host, size_t count, size_t item_size,
						   const char *advice);

/* Clear a large array, asking for interrupts on the way. */
extern GlStatus gl_zero(GlHost *host, void *array, size_t count,
						size_t item_size);

/* The slow half of gl_work(): ask the host. */
extern GlStatus gl_poll(GlHost *host);

/*
 * Account for work done.  Every loop whose length depends on data calls this;
 * it costs a subtraction until a poll is due.
 */
static inline GlStatus
gl_work(GlHost *host, int64_t units)
{
	host->work_left -= units;
	if (__builtin_expect(host->work_left > 0, 1))
		return GL_OK;
	return gl_poll(host);
}

/* What a message calls the row with an id: gl_row_name(host, id).text */
typedef struct GlRowName
{
	char		text[64];
} GlRowName;

extern GlRowName gl_row_name(const GlHost *host, int64_t id);

/* Record a message and hand back its status: return gl_fail(host, ...). */
extern GlStatus gl_fail(GlHost *host, GlStatus status, const char *format,...)
			__attribute__((format(printf, 3, 4)));

/* Add advice to the failure just recorded by gl_fail(). */
extern void gl_hint(GlHost *host, const char *format,...)
			__attribute__((format(printf, 2, 3)));

#endif							/* GL_HOST_H */
