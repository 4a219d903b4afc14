/*
 * test_text_writer.c
 *		If this fails, a label breaks the picture it stands in, or smuggles
 *		markup into it.
 */
#include "unit_test.h"

#include "picture/text_writer.h"

static uint32_t
character(const char *bytes, int *used)
{
	return text_character(bytes, (int64_t) strlen(bytes), used);
}

static void
test_utf8(void)
{
	int			used;

	EXPECT(character("a", &used) == 'a' && used == 1);
	EXPECT(character("\xC3\xA9x", &used) == 0xE9 && used == 2);
	EXPECT(character("\xE2\x82\xAC", &used) == 0x20AC && used == 3);
	EXPECT(character("\xF0\x9F\x98\x80", &used) == 0x1F600 && used == 4);
	EXPECT(character("\xF4\x8F\xBF\xBF", &used) == 0x10FFFF && used == 4);
	/* no UTF-8: cut short, too long a form, surrogates, beyond the end */
	static const char *const bad[] = {
		"\xC3", "\xC3(", "\xE2\x82", "\xE2\x28\xA1", "\xC0\xAF", "\xC1\xBF",
		"\xE0\x80\xAF", "\xF0\x80\x80\xAF", "\xED\xA0\x80", "\xF4\x90\x80\x80",
		"\xF5\x80\x80\x80", "\xFF", "\x80", "\xBF"
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		EXPECT(character(bad[i], &used) == 0xFFFD && used == 1);
	EXPECT(text_columns("a\xC3\xA9\xE6\x97\xA5", 6, 10) == 4);
	EXPECT(text_columns("a\xC3\xA9\xE6\x97\xA5", 6, 2) == 2);
	EXPECT(text_columns("\xE2\x94\x80\xE2\xA0\x81", 6, 9) == 2);
}

/* The text a writer makes of bytes. */
static const char *
written(const char *bytes, int64_t count, int64_t limit, int kind)
{
	static char copy[4000];
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	TextWriter	writer = {0};

	EXPECT_OK(host, text_writer_add(host, &writer, "%s", "["));
	EXPECT_OK(host, kind == 0 ?
			  text_writer_xml(host, &writer, bytes, count, limit) :
			  text_writer_plain(host, &writer, bytes, count, limit,
								kind == 2));
	EXPECT_OK(host, text_writer_add(host, &writer, "%s", "]"));
	EXPECT(strlen(writer.text) == writer.length);
	snprintf(copy, sizeof(copy), "%s", writer.text);
	text_writer_release(host, &writer);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	return copy;
}

#define EXPECT_WRITTEN(bytes, limit, kind, wanted) \
	EXPECT(strcmp(written((bytes), sizeof(bytes) - 1, (limit), (kind)), \
				  "[" wanted "]") == 0)

static void
test_xml(void)
{
	EXPECT_WRITTEN("plain", 10, 0, "plain");
	EXPECT_WRITTEN("<a href=\"x\">&'", 99, 0,
				   "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
	EXPECT_WRITTEN("\xC3\xA9\xF0\x9F\x98\x80", 99, 0, "&#xE9;&#x1F600;");
	/* what XML may not hold, and bytes that are no UTF-8 */
	EXPECT_WRITTEN("a\0b\x01\x7F\xEF\xBF\xBF\xFF", 99, 0,
				   "a&#xFFFD;b&#xFFFD;&#xFFFD;&#xFFFD;&#xFFFD;");
	EXPECT_WRITTEN("a\tb\n", 99, 0, "a&#x9;b&#xA;");
	EXPECT_WRITTEN("", 99, 0, "");
}

static void
test_limits(void)
{
	EXPECT_WRITTEN("abcdef", 6, 0, "abcdef");
	EXPECT_WRITTEN("abcdef", 5, 0, "abcd&#x2026;");
	EXPECT_WRITTEN("abcdef", 5, 1, "abcd\xE2\x80\xA6");
	EXPECT_WRITTEN("abcdef", 5, 2, "abcd...");
	EXPECT_WRITTEN("\xC3\xA9\xC3\xA9\xC3\xA9", 3, 1,
				   "\xC3\xA9\xC3\xA9\xC3\xA9");
	EXPECT_WRITTEN("abc", 0, 1, "");
}

static void
test_plain(void)
{
	EXPECT_WRITTEN("a\nb\tc\x1B[31m\xC2\x85", 99, 1, "a b c [31m ");
	EXPECT_WRITTEN("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80", 99, 1,
				   "\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
	EXPECT_WRITTEN("\xC3\xA9\xE2\x82\xAC<", 99, 2, "?" "?<");
}

static GlStatus
write_job(GlHost *host)
{
	TextWriter	writer = {0};

	for (int i = 0; i < 300; i++)
		GL_TRY(text_writer_add(host, &writer, "%d ", i));
	GL_TRY(text_writer_xml(host, &writer, "<\xC3\xA9>", 4, 3));
	text_writer_release(host, &writer);
	return GL_OK;
}

static void
test_refused(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	TextWriter	writer = {0};

	test_refusals(write_job);
	EXPECT(text_writer_add(host, &writer, "%300s", "x") == GL_ERR_INTERNAL);
	test_host_end(&test);
}

int
main(void)
{
	RUN(test_utf8);
	RUN(test_xml);
	RUN(test_limits);
	RUN(test_plain);
	RUN(test_refused);
	UNIT_TEST_END();
}
