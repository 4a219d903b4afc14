/*
 * test_byte_reader.c
 *		If this fails, a short or hostile value is read beyond its end, or the
 *		writer and the reader disagree about a byte.
 */
#include "unit_test.h"

#include "codec/byte_reader.h"
#include "codec/byte_writer.h"

static void
begin(ByteReader *reader, const void *bytes, size_t length, ByteOrder order)
{
	byte_reader_begin(reader, "gl_sample", bytes, length, order);
}

/* Network order is a matter of bytes, not of this machine. */
static void
test_network_order(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static const unsigned char wanted[] = {
		0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07,
		0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x0F,
		0x3F, 0x80, 0, 0, 0xC0, 0x20, 0, 0
	};
	unsigned char bytes[sizeof(wanted)];
	float		floats[2] = {1.0f, -2.5f};
	float		back[2];
	ByteWriter	writer;
	ByteReader	reader;
	uint64_t	number;

	byte_writer_begin(&writer, bytes, sizeof(bytes), BYTE_ORDER_NETWORK);
	EXPECT_OK(host, byte_writer_number(host, &writer, 1, 0x01));
	EXPECT_OK(host, byte_writer_number(host, &writer, 2, 0x0203));
	EXPECT_OK(host, byte_writer_number(host, &writer, 4, 0x04050607));
	EXPECT_OK(host, byte_writer_number(host, &writer, 8,
									   0x08090A0B0C0D0E0F));
	EXPECT_OK(host, byte_writer_array(host, &writer, 4, 2, floats));
	EXPECT_OK(host, byte_writer_end(host, &writer));
	EXPECT(memcmp(bytes, wanted, sizeof(wanted)) == 0);

	begin(&reader, bytes, sizeof(bytes), BYTE_ORDER_NETWORK);
	EXPECT_OK(host, byte_reader_number(host, &reader, 1, &number));
	EXPECT(number == 0x01);
	EXPECT_OK(host, byte_reader_number(host, &reader, 2, &number));
	EXPECT(number == 0x0203);
	EXPECT_OK(host, byte_reader_number(host, &reader, 4, &number));
	EXPECT(number == 0x04050607);
	EXPECT(byte_reader_end(host, &reader) == GL_ERR_CORRUPT);
	EXPECT_OK(host, byte_reader_number(host, &reader, 8, &number));
	EXPECT(number == 0x08090A0B0C0D0E0F);
	EXPECT_OK(host, byte_reader_array(host, &reader, 4, 2, back));
	EXPECT(memcmp(back, floats, sizeof(floats)) == 0);
	EXPECT_OK(host, byte_reader_end(host, &reader));
	test_host_end(&test);
}

static void
test_host_order(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	uint64_t	words[2] = {0x0102030405060708, UINT64_MAX};
	unsigned char bytes[23];
	ByteWriter	writer;
	ByteReader	reader;
	uint64_t	number;
	uint16_t	two = 0xABCD;
	const void *view;

	memset(bytes, 0xEE, sizeof(bytes));
	byte_writer_begin(&writer, bytes, sizeof(bytes), BYTE_ORDER_HOST);
	EXPECT_OK(host, byte_writer_array(host, &writer, 8, 2, words));
	EXPECT_OK(host, byte_writer_number(host, &writer, 2, two));
	EXPECT_OK(host, byte_writer_zeros(host, &writer, 5));
	EXPECT_OK(host, byte_writer_end(host, &writer));
	EXPECT(memcmp(bytes, words, 16) == 0);
	EXPECT(memcmp(bytes + 16, &two, 2) == 0);

	begin(&reader, bytes, sizeof(bytes), BYTE_ORDER_HOST);
	EXPECT_OK(host, byte_reader_view(host, &reader, 8, 2, &view));
	EXPECT(view == (const void *) bytes);
	EXPECT_OK(host, byte_reader_number(host, &reader, 2, &number));
	EXPECT(number == two);
	EXPECT_OK(host, byte_reader_zeros(host, &reader, 5));
	EXPECT_OK(host, byte_reader_end(host, &reader));
	test_host_end(&test);
}

/* Every request against every length: granted iff the bytes are there. */
static void
test_every_bound(void)
{
	static const size_t widths[] = {1, 2, 4, 8};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (size_t length = 0; length <= 20; length++)
		for (size_t w = 0; w < 4; w++)
			for (uint64_t count = 0; count <= 21; count++)
			{
				unsigned char *bytes = malloc(length);
				unsigned char *items = malloc(count * widths[w]);
				ByteReader	reader;
				const void *view = NULL;
				uint64_t	number = 77;
				bool		fits = count * widths[w] <= length;
				GlStatus	wanted = fits ? GL_OK : GL_ERR_CORRUPT;

				memset(bytes, 0, length);
				begin(&reader, bytes, length, BYTE_ORDER_NETWORK);
				EXPECT(byte_reader_array(host, &reader, widths[w], count,
										 items) == wanted);
				EXPECT(reader.position == (fits ? count * widths[w] : 0));
				begin(&reader, bytes, length, BYTE_ORDER_HOST);
				EXPECT(byte_reader_view(host, &reader, widths[w], count,
										&view) == wanted);
				EXPECT((view != NULL) == fits);
				begin(&reader, bytes, length, BYTE_ORDER_HOST);
				EXPECT(byte_reader_zeros(host, &reader, count) ==
					   (count <= length ? GL_OK : GL_ERR_CORRUPT));
				begin(&reader, bytes, length, BYTE_ORDER_HOST);
				EXPECT(byte_reader_number(host, &reader, widths[w], &number)
					   == (widths[w] <= length ? GL_OK : GL_ERR_CORRUPT));
				EXPECT(number == (widths[w] <= length ? 0 : 77));
				free(bytes);
				free(items);
			}
	test_host_end(&test);
}

/* Counts whose byte size wraps; and a failure that stays a failure. */
static void
test_hostile_counts(void)
{
	static const uint64_t counts[] = {
		2, (uint64_t) 1 << 61, ((uint64_t) 1 << 61) + 1, (uint64_t) 1 << 63,
		UINT64_MAX
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	unsigned char *bytes = calloc(1, 12);
	uint64_t	items[1];
	const void *view;
	uint64_t	number;
	ByteReader	reader;

	begin(&reader, bytes, 12, BYTE_ORDER_NETWORK);
	for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
	{
		EXPECT(byte_reader_array(host, &reader, 8, counts[c], items) ==
			   GL_ERR_CORRUPT);
		EXPECT(byte_reader_view(host, &reader, 8, counts[c], &view) ==
			   GL_ERR_CORRUPT);
		EXPECT(reader.position == 0);
	}
	EXPECT_OK(host, byte_reader_number(host, &reader, 8, &number));
	EXPECT(byte_reader_number(host, &reader, 8, &number) == GL_ERR_CORRUPT);
	EXPECT(strstr(host->message, "cut off after 12 bytes") != NULL);
	EXPECT(byte_reader_number(host, &reader, 8, &number) == GL_ERR_CORRUPT);
	EXPECT(strstr(host->message, "gl_sample") != NULL);
	EXPECT(byte_reader_left(&reader) == 4);
	free(bytes);
	test_host_end(&test);
}

static void
test_padding(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	for (int at = 0; at < 7; at++)
	{
		unsigned char bytes[7] = {0};
		ByteReader	reader;

		bytes[at] = 1;
		begin(&reader, bytes, 7, BYTE_ORDER_HOST);
		EXPECT(byte_reader_zeros(host, &reader, 7) == GL_ERR_CORRUPT);
		EXPECT(reader.position == 0);
		EXPECT_OK(host, byte_reader_zeros(host, &reader, (size_t) at));
	}
	test_host_end(&test);
}

/* The writer never leaves its area, nor truncates a number. */
static void
test_writer_bounds(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	unsigned char *bytes = malloc(7);
	uint64_t	items[1] = {5};
	ByteWriter	writer;

	memset(bytes, 0x11, 7);
	byte_writer_begin(&writer, bytes, 7, BYTE_ORDER_NETWORK);
	EXPECT(byte_writer_number(host, &writer, 8, 1) == GL_ERR_INTERNAL);
	EXPECT(byte_writer_array(host, &writer, 8, 1, items) == GL_ERR_INTERNAL);
	EXPECT(byte_writer_array(host, &writer, 8, (uint64_t) 1 << 61, items) ==
		   GL_ERR_INTERNAL);
	EXPECT(byte_writer_zeros(host, &writer, 8) == GL_ERR_INTERNAL);
	EXPECT(byte_writer_number(host, &writer, 3, 1) == GL_ERR_INTERNAL);
	EXPECT(byte_writer_number(host, &writer, 1, 256) == GL_ERR_INTERNAL);
	EXPECT(byte_writer_number(host, &writer, 2, 65536) == GL_ERR_INTERNAL);
	EXPECT(byte_writer_number(host, &writer, 4, (uint64_t) 1 << 32) ==
		   GL_ERR_INTERNAL);
	EXPECT(writer.position == 0 && bytes[0] == 0x11);
	EXPECT_OK(host, byte_writer_number(host, &writer, 4, UINT32_MAX));
	EXPECT(byte_writer_end(host, &writer) == GL_ERR_INTERNAL);
	EXPECT_OK(host, byte_writer_zeros(host, &writer, 3));
	EXPECT_OK(host, byte_writer_end(host, &writer));
	free(bytes);
	test_host_end(&test);
}

/* More than one block each way, at an odd address. */
#define LONG_COUNT	20000

static GlStatus
copy_long_arrays(GlHost *host)
{
	static const size_t widths[] = {1, 2, 4, 8};
	uint64_t   *items;
	uint64_t   *back;
	unsigned char *bytes;

	GL_NEW(host, items, LONG_COUNT);
	GL_NEW(host, back, LONG_COUNT);
	GL_NEW(host, bytes, LONG_COUNT * 8 + 1);
	for (size_t i = 0; i < LONG_COUNT; i++)
		items[i] = i * 0x9E3779B97F4A7C15;
	for (size_t w = 0; w < 4; w++)
	{
		ByteWriter	writer;
		ByteReader	reader;

		memset(back, 0, LONG_COUNT * sizeof(*back));
		byte_writer_begin(&writer, bytes + 1, LONG_COUNT * widths[w],
						  BYTE_ORDER_NETWORK);
		GL_TRY(byte_writer_array(host, &writer, widths[w], LONG_COUNT,
								 items));
		GL_TRY(byte_writer_end(host, &writer));
		begin(&reader, bytes + 1, LONG_COUNT * widths[w],
			  BYTE_ORDER_NETWORK);
		GL_TRY(byte_reader_array(host, &reader, widths[w], LONG_COUNT,
								 back));
		GL_TRY(byte_reader_end(host, &reader));
		EXPECT(memcmp(items, back, LONG_COUNT * widths[w]) == 0);
	}
	gl_release(host, items);
	gl_release(host, back);
	gl_release(host, bytes);
	return GL_OK;
}

static void
test_long_arrays_refused(void)
{
	test_refusals(copy_long_arrays);
}

int
main(void)
{
	RUN(test_network_order);
	RUN(test_host_order);
	RUN(test_every_bound);
	RUN(test_hostile_counts);
	RUN(test_padding);
	RUN(test_writer_bounds);
	RUN(test_long_arrays_refused);
	UNIT_TEST_END();
}
