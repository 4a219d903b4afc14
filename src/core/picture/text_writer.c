/*
 * text_writer.c
 *		Append to a text; read UTF-8; escape.
 */
#include "picture/text_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define FIRST_CAPACITY		1024
#define MOST_AT_ONCE		256		/* bytes of one text_writer_add() */

#define REPLACEMENT			0xFFFD
#define ELLIPSIS			0x2026

/* Room for `more` bytes and a terminator. */
static GlStatus
reserve(GlHost *host, TextWriter *writer, size_t more)
{
	size_t		needed = writer->length + more + 1;
	size_t		capacity = writer->capacity == 0 ? FIRST_CAPACITY :
		writer->capacity;
	char	   *grown;

	if (needed <= writer->capacity)
		return GL_OK;
	while (capacity < needed)
		capacity *= 2;
	grown = writer->text == NULL ? gl_allocate(host, capacity, 1) :
		gl_resize(host, writer->text, capacity, 1);
	if (grown == NULL)
		return host->status;
	writer->text = grown;
	writer->capacity = capacity;
	return GL_OK;
}

GlStatus
text_writer_bytes(GlHost *host, TextWriter *writer, const char *bytes,
				  size_t count)
{
	GL_TRY(gl_work(host, (int64_t) count / 16 + 4));
	GL_TRY(reserve(host, writer, count));
	memcpy(writer->text + writer->length, bytes, count);
	writer->length += count;
	writer->text[writer->length] = '\0';
	return GL_OK;
}

GlStatus
text_writer_add(GlHost *host, TextWriter *writer, const char *format,...)
{
	char		text[MOST_AT_ONCE];
	va_list		arguments;
	int			length;

	va_start(arguments, format);
	length = vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	if (length < 0 || length >= (int) sizeof(text))
		return gl_fail(host, GL_ERR_INTERNAL, "too much text at once");
	return text_writer_bytes(host, writer, text, (size_t) length);
}

uint32_t
text_character(const char *bytes, int64_t count, int *used)
{
	static const uint32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
	unsigned char first = (unsigned char) bytes[0];
	int			length = first < 0x80 ? 1 : first < 0xC2 ? 0 :
		first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
	uint32_t	character = length == 1 ? first :
		first & (0x7Fu >> (length == 0 ? 0 : length));

	*used = 1;
	if (length == 0 || length > count)
		return REPLACEMENT;
	for (int i = 1; i < length; i++)
	{
		unsigned char next = (unsigned char) bytes[i];

		if ((next & 0xC0) != 0x80)
			return REPLACEMENT;
		character = character << 6 | (next & 0x3F);
	}
	if (character < smallest[length] || character > 0x10FFFF ||
		(character >= 0xD800 && character < 0xE000))
		return REPLACEMENT;
	*used = length;
	return character;
}

/* East Asian scripts and pictures; not every last character of them. */
static bool
is_wide(uint32_t character)
{
	return (character >= 0x1100 && character < 0x1160) ||
		(character >= 0x2E80 && character < 0xD7A4) ||
		(character >= 0xF900 && character < 0xFB00) ||
		(character >= 0xFE30 && character < 0xFE70) ||
		(character >= 0xFF00 && character < 0xFF61) ||
		(character >= 0x1F300 && character < 0x40000);
}

int64_t
text_columns(const char *bytes, int64_t count, int64_t limit)
{
	int64_t		columns = 0;
	int64_t		at = 0;

	for (int64_t c = 0; at < count && c < limit; c++)
	{
		int			used;

		columns += is_wide(text_character(bytes + at, count - at, &used)) ?
			2 : 1;
		at += used;
	}
	return columns;
}

/* What XML 1.0 may hold, as a character or a reference. */
static bool
xml_allows(uint32_t character)
{
	return character == '\t' || character == '\n' || character == '\r' ||
		(character >= 0x20 && character < 0x7F) ||
		(character >= 0xA0 && character != 0xFFFE && character != 0xFFFF);
}

static GlStatus
write_xml(GlHost *host, TextWriter *writer, uint32_t character)
{
	if (!xml_allows(character))
		character = REPLACEMENT;
	switch (character)
	{
		case '&':
			return text_writer_add(host, writer, "&amp;");
		case '<':
			return text_writer_add(host, writer, "&lt;");
		case '>':
			return text_writer_add(host, writer, "&gt;");
		case '"':
			return text_writer_add(host, writer, "&quot;");
		case '\'':
			return text_writer_add(host, writer, "&#39;");
	}
	if (character >= 0x20 && character < 0x7F)
		return text_writer_add(host, writer, "%c", (int) character);
	return text_writer_add(host, writer, "&#x%X;", (unsigned) character);
}

static GlStatus
write_plain(GlHost *host, TextWriter *writer, uint32_t character, bool ascii)
{
	unsigned char bytes[4];

	if (character < 0x20 || (character >= 0x7F && character < 0xA0))
		character = ' ';
	if (character < 0x80)
		return text_writer_add(host, writer, "%c", (int) character);
	if (ascii)
		return text_writer_add(host, writer,
							   character == ELLIPSIS ? "..." : "?");
	if (character < 0x800)
	{
		bytes[0] = (unsigned char) (0xC0 | character >> 6);
		bytes[1] = (unsigned char) (0x80 | (character & 0x3F));
		return text_writer_bytes(host, writer, (char *) bytes, 2);
	}
	if (character < 0x10000)
	{
		bytes[0] = (unsigned char) (0xE0 | character >> 12);
		bytes[1] = (unsigned char) (0x80 | (character >> 6 & 0x3F));
		bytes[2] = (unsigned char) (0x80 | (character & 0x3F));
		return text_writer_bytes(host, writer, (char *) bytes, 3);
	}
	bytes[0] = (unsigned char) (0xF0 | character >> 18);
	bytes[1] = (unsigned char) (0x80 | (character >> 12 & 0x3F));
	bytes[2] = (unsigned char) (0x80 | (character >> 6 & 0x3F));
	bytes[3] = (unsigned char) (0x80 | (character & 0x3F));
	return text_writer_bytes(host, writer, (char *) bytes, 4);
}

/* Characters up to a limit, each by one of the two above. */
static GlStatus
write_limited(GlHost *host, TextWriter *writer, const char *bytes,
			  int64_t count, int64_t limit, bool as_xml, bool ascii)
{
	int64_t		at = 0;

	for (int64_t written = 0; at < count && written < limit; written++)
	{
		int			used;
		uint32_t	character = text_character(bytes + at, count - at, &used);

		at += used;
		if (written == limit - 1 && at < count)
			character = ELLIPSIS;
		GL_TRY(as_xml ? write_xml(host, writer, character) :
			   write_plain(host, writer, character, ascii));
	}
	return GL_OK;
}

GlStatus
text_writer_xml(GlHost *host, TextWriter *writer, const char *bytes,
				int64_t count, int64_t limit)
{
	return write_limited(host, writer, bytes, count, limit, true, true);
}

GlStatus
text_writer_plain(GlHost *host, TextWriter *writer, const char *bytes,
				  int64_t count, int64_t limit, bool ascii)
{
	return write_limited(host, writer, bytes, count, limit, false, ascii);
}

void
text_writer_release(GlHost *host, TextWriter *writer)
{
	gl_release(host, writer->text);
	memset(writer, 0, sizeof(*writer));
}
