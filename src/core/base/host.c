/*
 * host.c
 *		Charged allocation, polling and messages on top of the host's callbacks.
 *
 * Each chunk carries its charge in a 16-byte prefix, so that releasing it
 * gives back exactly what was taken and the caller need not remember sizes.
 */
#include "base/host.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/checked.h"

#define CHUNK_PREFIX	((size_t) 16)

void
gl_host_begin(GlHost *host)
{
	host->bytes_used = 0;
	host->bytes_peak = 0;
	host->poll_interval = GL_POLL_INTERVAL;
	host->work_left = GL_POLL_INTERVAL;
	host->rows_are_numbered = false;
	host->row_numbers = NULL;
	host->status = GL_OK;
	host->message[0] = '\0';
	host->hint[0] = '\0';
}

GlStatus
gl_fail(GlHost *host, GlStatus status, const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	vsnprintf(host->message, sizeof(host->message), format, arguments);
	va_end(arguments);
	host->hint[0] = '\0';
	host->status = status;
	return status;
}

void
gl_hint(GlHost *host, const char *format,...)
{
	va_list		arguments;

	va_start(arguments, format);
	vsnprintf(host->hint, sizeof(host->hint), format, arguments);
	va_end(arguments);
}

GlRowName
gl_row_name(const GlHost *host, int64_t id)
{
	GlRowName	name;

	if (host->rows_are_numbered)
		snprintf(name.text, sizeof(name.text), "row %" PRId64
				 " of the partition",
				 host->row_numbers == NULL ? id : host->row_numbers[id]);
	else
		snprintf(name.text, sizeof(name.text), "the row with id %" PRId64,
				 id);
	return name;
}

GlStatus
gl_poll(GlHost *host)
{
	host->work_left = host->poll_interval;
	if (host->should_stop(host->state))
		return gl_fail(host, GL_ERR_INTERRUPTED, "interrupted");
	return GL_OK;
}

/* An amount of memory for a message: kilobytes up to 10 MB, then megabytes. */
typedef struct Amount
{
	char		text[32];
} Amount;

static Amount
amount(double bytes)
{
	Amount		a;

	if (bytes < 10.0 * 1024 * 1024)
		snprintf(a.text, sizeof(a.text), "%.0f kB", ceil(bytes / 1024));
	else
		snprintf(a.text, sizeof(a.text), "%.0f MB",
				 ceil(bytes / (1024 * 1024)));
	return a;
}

static GlStatus
fail_budget(GlHost *host, size_t bytes)
{
	gl_fail(host, GL_ERR_MEMORY,
			"this call needs at least %s of memory, the limit is %s",
			amount((double) host->bytes_used + (double) bytes).text,
			amount((double) host->bytes_limit).text);
	gl_hint(host, "Raise graphlearn.max_memory, or use fewer rows.");
	return GL_ERR_MEMORY;
}

static bool
fits_budget(const GlHost *host, size_t bytes)
{
	return host->bytes_used <= host->bytes_limit &&
		bytes <= host->bytes_limit - host->bytes_used;
}

static void
charge(GlHost *host, size_t bytes)
{
	host->bytes_used += bytes;
	if (host->bytes_used > host->bytes_peak)
		host->bytes_peak = host->bytes_used;
}

/* Bytes of a chunk of count items with its prefix; reports overflow. */
static bool
chunk_size(GlHost *host, size_t count, size_t item_size, size_t *bytes)
{
	if (gl_size_multiply(count, item_size, bytes) &&
		gl_size_add(*bytes, CHUNK_PREFIX, bytes))
		return true;
	gl_fail(host, GL_ERR_TOO_LARGE,
			"a request for %zu items of %zu bytes is too large",
			count, item_size);
	return false;
}

void *
gl_allocate(GlHost *host, size_t count, size_t item_size)
{
	size_t		bytes;
	char	   *chunk;

	if (!chunk_size(host, count, item_size, &bytes))
		return NULL;
	if (!fits_budget(host, bytes))
	{
		fail_budget(host, bytes);
		return NULL;
	}
	chunk = host->allocate(host->state, bytes);
	if (chunk == NULL)
	{
		gl_fail(host, GL_ERR_MEMORY, "out of memory: %s were refused",
				amount((double) bytes).text);
		return NULL;
	}
	memcpy(chunk, &bytes, sizeof(bytes));
	charge(host, bytes);
	return chunk + CHUNK_PREFIX;
}

/* Fresh pages cost about a nanosecond per 4 bytes: a piece is a millisecond. */
#define ZERO_PIECE		((size_t) 4 << 20)

GlStatus
gl_zero(GlHost *host, void *array, size_t count, size_t item_size)
{
	size_t		bytes = 0;

	if (!gl_size_multiply(count, item_size, &bytes))
		return gl_fail(host, GL_ERR_INTERNAL, "an array of impossible size");
	for (size_t done = 0; done < bytes; done += ZERO_PIECE)
	{
		size_t		piece = bytes - done < ZERO_PIECE ?
			bytes - done : ZERO_PIECE;

		memset((char *) array + done, 0, piece);
		GL_TRY(gl_work(host, (int64_t) (piece / 16) + 1));
	}
	return GL_OK;
}

void *
gl_allocate_zeroed(GlHost *host, size_t count, size_t item_size)
{
	void	   *chunk = gl_allocate(host, count, item_size);

	if (chunk != NULL && gl_zero(host, chunk, count, item_size) != GL_OK)
		return NULL;
	return chunk;
}

void *
gl_resize(GlHost *host, void *chunk, size_t count, size_t item_size)
{
	char	   *start = (char *) chunk - CHUNK_PREFIX;
	char	   *moved;
	size_t		old_bytes;
	size_t		bytes;

	memcpy(&old_bytes, start, sizeof(old_bytes));
	if (!chunk_size(host, count, item_size, &bytes))
		return NULL;
	if (bytes > old_bytes && !fits_budget(host, bytes - old_bytes))
	{
		fail_budget(host, bytes - old_bytes);
		return NULL;
	}
	moved = host->resize(host->state, start, bytes);
	if (moved == NULL)
	{
		gl_fail(host, GL_ERR_MEMORY, "out of memory: %s were refused",
				amount((double) bytes).text);
		return NULL;
	}
	memcpy(moved, &bytes, sizeof(bytes));
	host->bytes_used -= old_bytes;
	charge(host, bytes);
	return moved + CHUNK_PREFIX;
}

void
gl_release(GlHost *host, const void *chunk)
{
	char	   *start;
	size_t		bytes;

	if (chunk == NULL)
		return;
	start = (char *) chunk - CHUNK_PREFIX;
	memcpy(&bytes, start, sizeof(bytes));
	host->bytes_used -= bytes;
	host->release(host->state, start);
}

GlStatus
gl_require(GlHost *host, size_t count, size_t item_size, const char *advice)
{
	size_t		bytes;

	if (!chunk_size(host, count, item_size, &bytes))
		return host->status;
	if (fits_budget(host, bytes))
		return GL_OK;
	fail_budget(host, bytes);
	if (advice != NULL)
		gl_hint(host, "%s", advice);
	return GL_ERR_MEMORY;
}
