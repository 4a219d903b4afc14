/*
 * text_writer.h
 *		A growing text, and text of others made safe to stand in it.
 */
#ifndef TEXT_WRITER_H
#define TEXT_WRITER_H

#include "base/host.h"

/* Begin with a zeroed struct. */
typedef struct TextWriter
{
	char	   *text;			/* terminated once something was written */
	size_t		length;
	size_t		capacity;
} TextWriter;

/* Append; GL_ERR_MEMORY.  O(bytes) amortised. */
extern GlStatus text_writer_add(GlHost *host, TextWriter *writer,
								const char *format,...)
			__attribute__((format(printf, 3, 4)));
extern GlStatus text_writer_bytes(GlHost *host, TextWriter *writer,
								  const char *bytes, size_t count);

/*
 * One character of a text in UTF-8: its code point, and *used bytes.  Bytes
 * that are no UTF-8 are U+FFFD, one by one.  count >= 1.
 */
extern uint32_t text_character(const char *bytes, int64_t count, int *used);

/*
 * Columns that the first `limit` characters of a text take on a terminal, or
 * about: East Asian characters take two.
 */
extern int64_t text_columns(const char *bytes, int64_t count, int64_t limit);

/*
 * Append at most `limit` characters of a text in UTF-8, the last one being
 * an ellipsis if there are more.  As XML: in ASCII, with references for
 * everything else and what XML may not hold as U+FFFD.  As plain text:
 * control characters as spaces; ascii: other characters as '?'.
 */
extern GlStatus text_writer_xml(GlHost *host, TextWriter *writer,
								const char *bytes, int64_t count,
								int64_t limit);
extern GlStatus text_writer_plain(GlHost *host, TextWriter *writer,
								  const char *bytes, int64_t count,
								  int64_t limit, bool ascii);

extern void text_writer_release(GlHost *host, TextWriter *writer);

#endif							/* TEXT_WRITER_H */
