/*
 * byte_writer.c
 *		Every write of a stored or sent value, against the room it was given.
 */
#include "codec/byte_writer.h"

void
byte_writer_begin(ByteWriter *writer, void *bytes, size_t length,
				  ByteOrder order)
{
	writer->bytes = bytes;
	writer->length = length;
	writer->position = 0;
	writer->order = order;
}

/* Is there room for count items of width bytes?  Their size if so. */
static GlStatus
require_room(GlHost *host, const ByteWriter *writer, size_t width,
			 uint64_t count, size_t *bytes)
{
	size_t		room = writer->length - writer->position;

	*bytes = 0;
	if (width != 1 && width != 2 && width != 4 && width != 8)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "numbers of %zu bytes do not exist", width);
	if (count > room / width)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "no room for %llu items of %zu bytes at byte %zu of %zu",
					   (unsigned long long) count, width, writer->position,
					   writer->length);
	*bytes = (size_t) count * width;
	return GL_OK;
}

GlStatus
byte_writer_number(GlHost *host, ByteWriter *writer, size_t width,
				   uint64_t number)
{
	unsigned char *to;
	size_t		bytes;
	uint8_t		one = (uint8_t) number;
	uint16_t	two = (uint16_t) number;
	uint32_t	four = (uint32_t) number;

	GL_TRY(require_room(host, writer, width, 1, &bytes));
	if (width < 8 && number >> (8 * width) != 0)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "a number at byte %zu does not fit %zu bytes",
					   writer->position, width);
	to = writer->bytes + writer->position;
	switch (width)
	{
		case 1:
			byte_order_copy(writer->order, to, &one, 1, 1);
			break;
		case 2:
			byte_order_copy(writer->order, to, &two, 2, 1);
			break;
		case 4:
			byte_order_copy(writer->order, to, &four, 4, 1);
			break;
		default:
			byte_order_copy(writer->order, to, &number, 8, 1);
			break;
	}
	writer->position += bytes;
	return GL_OK;
}

GlStatus
byte_writer_array(GlHost *host, ByteWriter *writer, size_t width,
				  uint64_t count, const void *items)
{
	unsigned char *to;
	size_t		bytes;
	size_t		block;

	GL_TRY(require_room(host, writer, width, count, &bytes));
	to = writer->bytes + writer->position;
	for (size_t done = 0; done < bytes; done += block)
	{
		block = bytes - done < BYTE_ORDER_BLOCK ? bytes - done :
			BYTE_ORDER_BLOCK;
		byte_order_copy(writer->order, to + done,
						(const char *) items + done, width, block / width);
		GL_TRY(gl_work(host, (int64_t) (block / width)));
	}
	writer->position += bytes;
	return GL_OK;
}

GlStatus
byte_writer_zeros(GlHost *host, ByteWriter *writer, size_t count)
{
	size_t		bytes;

	GL_TRY(require_room(host, writer, 1, count, &bytes));
	if (bytes > 0)
		memset(writer->bytes + writer->position, 0, bytes);
	writer->position += bytes;
	return GL_OK;
}

GlStatus
byte_writer_end(GlHost *host, const ByteWriter *writer)
{
	if (writer->position != writer->length)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "wrote %zu of %zu bytes", writer->position,
					   writer->length);
	return GL_OK;
}
