/*
 * test_scatter_svg.c
 *		If this fails, a plot is no well-formed SVG, grows without limit, or two
 *		plots of the same rows differ.
 */
#include "unit_test.h"

#include "picture/scatter_svg.h"

/*
 * Well-formed, as far as we use XML: every tag is closed in order, attributes
 * are quoted, and nothing but printable ASCII and newlines occurs.
 */
static bool
is_well_formed(const char *text)
{
	const char *open[32];
	int			depth = 0;

	for (const char *c = text; *c != '\0'; c++)
	{
		bool		closes = c[1] == '/';
		const char *name = c + 1 + closes;
		size_t		length = strcspn(name, " />\n");

		if (*c != '\n' && (*c < 0x20 || *c > 0x7E))
			return false;
		if (*c == '&')
		{
			size_t		end = strcspn(c, ";");

			if (c[end] != ';' || end > 9)
				return false;
		}
		if (*c != '<')
			continue;
		if (closes)
		{
			if (depth == 0 ||
				strncmp(open[--depth], name, length) != 0)
				return false;
		}
		for (c = name; *c != '>'; c++)
		{
			if (*c == '\0' || *c == '<')
				return false;
			if (*c == '"')
				c += 1 + strcspn(c + 1, "\"<");
		}
		if (!closes && c[-1] != '/')
		{
			if (depth == 32)
				return false;
			open[depth++] = name;
		}
	}
	return depth == 0;
}

static int
count_of(const char *text, const char *part)
{
	int			count = 0;

	for (const char *at = strstr(text, part); at != NULL;
		 at = strstr(at + 1, part))
		count++;
	return count;
}

static GlStatus
draw(GlHost *host, int n, int groups, bool backwards, const char *title,
	 TextWriter *writer)
{
	Scatter		scatter = {0};

	for (int k = 0; k < n; k++)
	{
		int			i = backwards ? n - 1 - k : k;
		char		name[40];
		int			length = snprintf(name, sizeof(name),
									  "<g %d> & \"\xC3\xA9\"", i % groups);

		GL_TRY(scatter_add(host, &scatter, sin(i * 7.0) * (i % 100),
						   cos(i * 3.0) * 1e-3 * (i % 77),
						   i % 13 == 0 ? NULL : name, length));
	}
	GL_TRY(scatter_svg_write(host, &scatter, title,
							 title == NULL ? 0 : (int64_t) strlen(title),
							 writer));
	scatter_release(host, &scatter);
	return GL_OK;
}

static void
test_well_formed(void)
{
	static const int sizes[] = {1, 2, 30, 700, 3000};
	static const int groups[] = {1, 5, 9, 17, 20, 21, 400};

	EXPECT(is_well_formed("<a x=\"1\"><b/>t&lt;</a>"));
	EXPECT(!is_well_formed("<a><b></a></b>"));
	EXPECT(!is_well_formed("<a>"));
	EXPECT(!is_well_formed("<a>\xC3</a>"));
	EXPECT(!is_well_formed("<a>& b</a>"));
	for (size_t s = 0; s < sizeof(sizes) / sizeof(*sizes); s++)
		for (size_t g = 0; g < sizeof(groups) / sizeof(*groups); g++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			TextWriter	writer = {0};

			EXPECT_OK(host, draw(host, sizes[s], groups[g], false,
								 g % 2 ? "a <title> & \"\xE6\x97\xA5\"" : NULL,
								 &writer));
			EXPECT(is_well_formed(writer.text));
			EXPECT(strncmp(writer.text, "<svg ", 5) == 0);
			EXPECT(count_of(writer.text, "</svg>") == 1);
			EXPECT((count_of(writer.text, "a &lt;title&gt; &amp;") == 2) ==
				   (g % 2 == 1));
			EXPECT((count_of(writer.text, "&gt;other (") == 0));
			EXPECT((count_of(writer.text, ">other (") > 0) ==
				   (groups[g] > 20 && sizes[s] > 22 &&
					(groups[g] > 30 || sizes[s] > 30)));
			text_writer_release(host, &writer);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* Half a million rows need no more room than a few thousand. */
static void
test_size_is_limited(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Scatter		scatter = {0};
	TextWriter	writer = {0};
	GlRandom	random;

	gl_random_begin(&random, 1);
	for (int i = 0; i < 500000; i++)
		EXPECT_OK(host, scatter_add(host, &scatter,
									(double) gl_random_below(&random, 1000000),
									(double) gl_random_below(&random, 1000000),
									i % 3 == 0 ? "a" : "b", 1));
	EXPECT_OK(host, scatter_svg_write(host, &scatter, NULL, 0, &writer));
	EXPECT(is_well_formed(writer.text));
	EXPECT(writer.length < 200000);
	EXPECT(count_of(writer.text, "h1") > SCATTER_SVG_MAX_MARKS / 2 &&
		   count_of(writer.text, "h1") <= SCATTER_SVG_MAX_MARKS + 2);
	EXPECT(count_of(writer.text, "500000 rows, dense places thinned") == 1);
	text_writer_release(host, &writer);
	scatter_release(host, &scatter);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_order_of_rows(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	TextWriter	forwards = {0};
	TextWriter	backwards = {0};

	EXPECT_OK(host, draw(host, 30000, 25, false, "t", &forwards));
	EXPECT_OK(host, draw(host, 30000, 25, true, "t", &backwards));
	EXPECT(strcmp(forwards.text, backwards.text) == 0);
	text_writer_release(host, &forwards);
	text_writer_release(host, &backwards);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Rows without any group need no legend; all are drawn. */
static void
test_no_groups(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Scatter		scatter = {0};
	TextWriter	writer = {0};

	for (int i = 0; i < 10; i++)
		EXPECT_OK(host, scatter_add(host, &scatter, i, i, NULL, 0));
	EXPECT_OK(host, scatter_svg_write(host, &scatter, NULL, 0, &writer));
	EXPECT(count_of(writer.text, "h1") == 10);
	EXPECT(count_of(writer.text, "(none)") == 0);
	EXPECT(count_of(writer.text, "<title>") == 0);
	text_writer_release(host, &writer);
	scatter_release(host, &scatter);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static GlStatus
draw_job(GlHost *host)
{
	TextWriter	writer = {0};

	GL_TRY(draw(host, 40, 23, false, "title", &writer));
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
	RUN(test_well_formed);
	RUN(test_size_is_limited);
	RUN(test_order_of_rows);
	RUN(test_no_groups);
	RUN(test_refused);
	UNIT_TEST_END();
}
