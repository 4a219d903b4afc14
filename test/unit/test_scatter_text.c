/*
 * test_scatter_text.c
 *		If this fails, a plot for the terminal shows rows in the wrong place or
 *		under the wrong letter.
 */
#include "unit_test.h"

#include "picture/scatter_text.h"

static char *
draw(GlHost *host, const Scatter *scatter, bool ascii, TextWriter *writer)
{
	memset(writer, 0, sizeof(*writer));
	EXPECT_OK(host, scatter_text_write(host, scatter, ascii, writer));
	return writer->text;
}

static void
add(GlHost *host, Scatter *scatter, double x, double y, const char *group)
{
	EXPECT_OK(host, scatter_add(host, scatter, x, y, group,
								group == NULL ? 0 : (int64_t) strlen(group)));
}

/* A line of a text, terminated in a buffer of its own. */
static const char *
line(const char *text, int number)
{
	static char copy[400];
	size_t		length;

	while (number-- > 0)
		text += strcspn(text, "\n") + 1;
	length = strcspn(text, "\n");
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

static void
test_ascii_picture(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Scatter		scatter = {0};
	TextWriter	writer;
	const char *text;

	add(host, &scatter, 0, 0, "low");
	add(host, &scatter, 10, 0, "low");
	add(host, &scatter, 5, 10, "\xC3\xA9lite");
	add(host, &scatter, 0, 10, NULL);
	/* the majority of a place is shown */
	add(host, &scatter, 10, 0, "high");
	add(host, &scatter, 10, 0, "high");
	text = draw(host, &scatter, true, &writer);
	EXPECT(strcmp(line(text, 0), "10 +  .                             i") == 0);
	EXPECT(strcmp(line(text, 1), "   |") == 0);
	EXPECT(strcmp(line(text, 19), " 0 +  l                                                          h") == 0);
	for (const char *c = text; *c != '\0'; c++)
		EXPECT(*c == '\n' || (*c >= 0x20 && *c < 0x7F));
	EXPECT(strstr(text, "h high   l low   i ?lite   . (none)") != NULL);
	text_writer_release(host, &writer);
	scatter_release(host, &scatter);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* The four corners of the plot are the four corners of the picture. */
static void
test_corners(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Scatter		scatter = {0};
	TextWriter	writer;
	const char *text;
	int			found[4] = {0};

	add(host, &scatter, 0, 1, "a");
	add(host, &scatter, 1, 1, "b");
	add(host, &scatter, 0, 0, "c");
	add(host, &scatter, 1, 0, "d");
	text = draw(host, &scatter, true, &writer);
	for (int row = 0; row < SCATTER_TEXT_HEIGHT; row++)
	{
		const char *start = strpbrk(line(text, row), "|+") + 1;

		for (int x = 0; start[x] != '\0'; x++)
			if (start[x] != ' ')
			{
				bool		is_left = x < SCATTER_TEXT_WIDTH / 8;
				bool		is_right = x >= SCATTER_TEXT_WIDTH * 7 / 8;
				bool		is_top = row < SCATTER_TEXT_HEIGHT / 8;
				bool		is_bottom = row >= SCATTER_TEXT_HEIGHT * 7 / 8;

				EXPECT(is_left || is_right);
				EXPECT(is_top || is_bottom);
				EXPECT(start[x] == (is_top ? is_left ? 'a' : 'b' :
									is_left ? 'c' : 'd'));
				found[start[x] - 'a']++;
			}
	}
	EXPECT(found[0] == 1 && found[1] == 1 && found[2] == 1 && found[3] == 1);
	text_writer_release(host, &writer);
	scatter_release(host, &scatter);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* One group: as many braille dots as there are places for the rows. */
static void
test_braille(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Scatter		scatter = {0};
	TextWriter	writer;
	const char *text;
	int			dots = 0;

	for (int i = 0; i < 40; i++)
		add(host, &scatter, i, i % 2 ? 1000 : 0, "only");
	text = draw(host, &scatter, false, &writer);
	for (const unsigned char *c = (const unsigned char *) text; *c != '\0';
		 c++)
		if (c[0] == 0xE2 && (c[1] & 0xFC) == 0xA0)
			dots += __builtin_popcount(c[1] & 3u) +
				__builtin_popcount(c[2] & 0x3Fu);
	EXPECT(dots == 40);
	EXPECT(strstr(text, "only") != NULL);
	text_writer_release(host, &writer);
	/* the same without the characters */
	text = draw(host, &scatter, true, &writer);
	EXPECT(strchr(text, '*') != NULL);
	text_writer_release(host, &writer);
	scatter_release(host, &scatter);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Every group has a symbol of its own, from its name if it can be. */
static void
test_symbols(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static const char *const names[] = {
		"1", "2", "12", "12x", "a", "aa", "aaa", "...", "", "setosa",
		"versicolor", "virginica"
	};
	static const char *const legend[] = {
		"1   2", "b 12", "c (empty)", "d ...", "x 12x", "   a   ", "e aa",
		"f aaa", "s setosa", "v versicolor", "i virginica"
	};
	Scatter		scatter = {0};
	TextWriter	writer;
	const char *text;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		add(host, &scatter, (double) i, (double) (i * i % 7), names[i]);
	text = draw(host, &scatter, true, &writer);
	for (size_t i = 0; i < sizeof(legend) / sizeof(*legend); i++)
	{
		if (strstr(text, legend[i]) == NULL)
			printf("# no %s in\n%s\n", legend[i], text);
		EXPECT(strstr(text, legend[i]) != NULL);
	}
	text_writer_release(host, &writer);
	scatter_release(host, &scatter);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
draw_many(GlHost *host, int n, bool backwards, TextWriter *writer)
{
	Scatter		scatter = {0};

	for (int k = 0; k < n; k++)
	{
		int			i = backwards ? n - 1 - k : k;
		char		name[32];
		int			length = snprintf(name, sizeof(name), "name %d", i % 30);

		GL_TRY(scatter_add(host, &scatter, 1e9 * sin(i * 7.0),
						   1e-9 * cos(i * 3.0), i % 11 == 0 ? NULL : name,
						   length));
	}
	GL_TRY(scatter_text_write(host, &scatter, false, writer));
	scatter_release(host, &scatter);
	return GL_OK;
}

static void
test_order_of_rows_and_width(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	TextWriter	forwards = {0};
	TextWriter	backwards = {0};
	const char *at;

	EXPECT_OK(host, draw_many(host, 3000, false, &forwards));
	EXPECT_OK(host, draw_many(host, 3000, true, &backwards));
	EXPECT(strcmp(forwards.text, backwards.text) == 0);
	at = forwards.text;
	for (int number = 0;; number++)
	{
		size_t		length = strcspn(at, "\n");

		EXPECT(text_columns(at, (int64_t) length, 1000) <= 90);
		EXPECT(length == 0 || at[length - 1] != ' ');
		if (at[length] == '\0')
		{
			EXPECT(number >= SCATTER_TEXT_HEIGHT + 2);
			break;
		}
		at += length + 1;
	}
	text_writer_release(host, &forwards);
	text_writer_release(host, &backwards);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
draw_job(GlHost *host)
{
	TextWriter	writer = {0};

	GL_TRY(draw_many(host, 20, false, &writer));
	text_writer_release(host, &writer);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(draw_job);
}

int
main(void)
{
	RUN(test_ascii_picture);
	RUN(test_corners);
	RUN(test_braille);
	RUN(test_symbols);
	RUN(test_order_of_rows_and_width);
	RUN(test_refused);
	UNIT_TEST_END();
}
