/*
 * byte_reader.c
 *		Bounds before bytes: every read of a stored or received value.
 *
 * Messages name offsets and counts, never the bytes themselves.
 */
#include "codec/byte_reader.h"

void
byte_reader_begin(ByteReader *reader, const char *type_name,
				  const void *bytes, size_t length, ByteOrder order)
{
	reader->type_name = type_name;
	reader->bytes = bytes;
	reader->length = length;
	reader->position = 0;
	reader->order = order;
}

/* Are count items of width bytes left?  Their size in *bytes if so. */
static GlStatus
require_left(GlHost *host, const ByteReader *reader, size_t width,
			 uint64_t count, size_t *bytes)
{
	size_t		left = byte_reader_left(reader);

	*bytes = 0;
	if (width != 1 && width != 2 && width != 4 && width != 8)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "numbers of %zu bytes do not exist", width);
	/* divide, so that no product of a hostile count is ever formed */
	if (count > left / width)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "invalid %s value: it is cut off after %zu bytes",
					   reader->type_name, reader->length);
	*bytes = (size_t) count * width;
	return GL_OK;
}

GlStatus
byte_reader_number(GlHost *host, ByteReader *reader, size_t width,
				   uint64_t *number)
{
	const unsigned char *from;
	size_t		bytes;
	uint8_t		one;
	uint16_t	two;
	uint32_t	four;
	uint64_t	eight;

	GL_TRY(require_left(host, reader, width, 1, &bytes));
	from = reader->bytes + reader->position;
	switch (width)
	{
		case 1:
			byte_order_copy(reader->order, &one, from, 1, 1);
			*number = one;
			break;
		case 2:
			byte_order_copy(reader->order, &two, from, 2, 1);
			*number = two;
			break;
		case 4:
			byte_order_copy(reader->order, &four, from, 4, 1);
			*number = four;
			break;
		default:
			byte_order_copy(reader->order, &eight, from, 8, 1);
			*number = eight;
			break;
	}
	reader->position += bytes;
	return GL_OK;
}

GlStatus
byte_reader_array(GlHost *host, ByteReader *reader, size_t width,
				  uint64_t count, void *items)
{
	const unsigned char *from;
	size_t		bytes;
	size_t		block;

	GL_TRY(require_left(host, reader, width, count, &bytes));
	from = reader->bytes + reader->position;
	for (size_t done = 0; done < bytes; done += block)
	{
		block = bytes - done < BYTE_ORDER_BLOCK ? bytes - done :
			BYTE_ORDER_BLOCK;
		byte_order_copy(reader->order, (char *) items + done, from + done,
						width, block / width);
		GL_TRY(gl_work(host, (int64_t) (block / width)));
	}
	reader->position += bytes;
	return GL_OK;
}

GlStatus
byte_reader_view(GlHost *host, ByteReader *reader, size_t width,
				 uint64_t count, const void **items)
{
	size_t		bytes;

	GL_TRY(require_left(host, reader, width, count, &bytes));
	*items = reader->bytes + reader->position;
	reader->position += bytes;
	return GL_OK;
}

GlStatus
byte_reader_zeros(GlHost *host, ByteReader *reader, size_t count)
{
	size_t		bytes;
	const unsigned char *padding;

	GL_TRY(require_left(host, reader, 1, count, &bytes));
	padding = reader->bytes + reader->position;
	for (size_t i = 0; i < bytes; i++)
		if (padding[i] != 0)
			return gl_fail(host, GL_ERR_CORRUPT,
						   "invalid %s value: padding at byte %zu is not zero",
						   reader->type_name, reader->position + i);
	reader->position += bytes;
	return GL_OK;
}

GlStatus
byte_reader_end(GlHost *host, const ByteReader *reader)
{
	if (byte_reader_left(reader) != 0)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "invalid %s value: %zu bytes follow its end at byte %zu",
					   reader->type_name, byte_reader_left(reader),
					   reader->position);
	return GL_OK;
}
