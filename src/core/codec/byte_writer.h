/*
 * byte_writer.h
 *		The mirror of byte_reader.h: fills an area of exactly known length.
 *
 * Reads:	numbers and arrays of this machine.
 * Yields:	the bytes that a ByteReader of the same order reads back.
 *
 * The area's length was computed from the same description as the writes, so
 * running out of room, or ending short of it, is our bug: GL_ERR_INTERNAL.  A
 * failed call writes nothing.
 *
 * Invariant: W1 position <= length, always.
 */
#ifndef BYTE_WRITER_H
#define BYTE_WRITER_H

#include "base/host.h"
#include "codec/byte_order.h"

typedef struct ByteWriter
{
	unsigned char *bytes;
	size_t		length;
	size_t		position;
	ByteOrder	order;
} ByteWriter;

extern void byte_writer_begin(ByteWriter *writer, void *bytes, size_t length,
							  ByteOrder order);

/*
 * One unsigned number in 1, 2, 4 or 8 bytes; GL_ERR_INTERNAL if it does not
 * fit the width.  O(1).
 */
extern GlStatus byte_writer_number(GlHost *host, ByteWriter *writer,
								   size_t width, uint64_t number);

/* count numbers of `width` bytes.  O(bytes), polled. */
extern GlStatus byte_writer_array(GlHost *host, ByteWriter *writer,
								  size_t width, uint64_t count,
								  const void *items);

/* Padding. */
extern GlStatus byte_writer_zeros(GlHost *host, ByteWriter *writer,
								  size_t count);

/* GL_ERR_INTERNAL unless the area is full. */
extern GlStatus byte_writer_end(GlHost *host, const ByteWriter *writer);

#endif							/* BYTE_WRITER_H */
