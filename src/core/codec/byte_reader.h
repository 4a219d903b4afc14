/*
 * byte_reader.h
 *		The one cursor over bytes that nobody vouches for.
 *
 * Reads:	an area of known length, from front to back, in a stated order.
 * Yields:	numbers, arrays and in-place views, or GL_ERR_CORRUPT.
 *
 * No call looks at a byte before it has compared the request with what is
 * left, and the comparison cannot overflow.  A failed call moves nothing and
 * writes nothing, so that asking again fails again.
 *
 * Invariant: R1 position <= length, always.
 */
#ifndef BYTE_READER_H
#define BYTE_READER_H

#include "base/host.h"
#include "codec/byte_order.h"

typedef struct ByteReader
{
	const char *type_name;		/* what the bytes claim to be, for messages */
	const unsigned char *bytes;
	size_t		length;
	size_t		position;
	ByteOrder	order;
} ByteReader;

extern void byte_reader_begin(ByteReader *reader, const char *type_name,
							  const void *bytes, size_t length,
							  ByteOrder order);

static inline size_t
byte_reader_left(const ByteReader *reader)
{
	return reader->length - reader->position;
}

/*
 * One unsigned number of 1, 2, 4 or 8 bytes; any other width is
 * GL_ERR_INTERNAL.  O(1).
 */
extern GlStatus byte_reader_number(GlHost *host, ByteReader *reader,
								   size_t width, uint64_t *number);

/*
 * count numbers of `width` bytes into `items`, which the caller owns and has
 * room for.  O(bytes), polled.
 */
extern GlStatus byte_reader_array(GlHost *host, ByteReader *reader,
								  size_t width, uint64_t count, void *items);

/*
 * The next count * width bytes where they lie: *items points into the
 * reader's area.  The caller answers for alignment and order.  O(1).
 */
extern GlStatus byte_reader_view(GlHost *host, ByteReader *reader,
								 size_t width, uint64_t count,
								 const void **items);

/* Pass over padding; GL_ERR_CORRUPT unless every byte is zero. */
extern GlStatus byte_reader_zeros(GlHost *host, ByteReader *reader,
								  size_t count);

/* GL_ERR_CORRUPT unless every byte has been read. */
extern GlStatus byte_reader_end(GlHost *host, const ByteReader *reader);

#endif							/* BYTE_READER_H */
