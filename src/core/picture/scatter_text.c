/*
 * scatter_text.c
 *		Draw a scatter plot with characters.
 */
#include "picture/scatter_text.h"

#include <stdio.h>
#include <string.h>

#define WIDTH			SCATTER_TEXT_WIDTH
#define HEIGHT			SCATTER_TEXT_HEIGHT
#define DOTS_X			2		/* braille dots in a place */
#define DOTS_Y			4
#define GROUPS			(SCATTER_MAX_GROUPS + 2)
#define NAME_LIMIT		30		/* characters of a name in the legend */
#define LINE_COLUMNS	72		/* of the legend */

/* Symbols of "other" and of rows without a group. */
#define OTHER_SYMBOL	'+'
#define NONE_SYMBOL		'.'

typedef struct Glyphs
{
	const char *corner;
	const char *side;
	const char *tick_y;
	const char *line;
	const char *tick_x;
} Glyphs;

static const Glyphs unicode_glyphs = {
	"\xE2\x94\x94", "\xE2\x94\x82", "\xE2\x94\xA4", "\xE2\x94\x80",
	"\xE2\x94\xAC"
};
static const Glyphs ascii_glyphs = {"+", "|", "+", "-", "+"};

typedef struct Canvas
{
	const ScatterPlan *plan;
	const Glyphs *glyphs;
	bool		ascii;
	bool		has_dots;		/* one group: dots instead of symbols */
	char		symbol[GROUPS];
	int32_t		label_width;	/* of the y axis */
	int64_t    *rows;			/* HEIGHT x WIDTH x all_count */
	unsigned char *dots;		/* HEIGHT x WIDTH, bits of braille */
	TextWriter *writer;
} Canvas;

static const char symbols[] =
"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

/* True if the symbol was free; it is taken now. */
static bool
take_symbol(bool *is_taken, char symbol)
{
	const char *at = strchr(symbols, symbol);

	if (symbol == '\0' || at == NULL || is_taken[at - symbols])
		return false;
	is_taken[at - symbols] = true;
	return true;
}

/*
 * Names of one character keep it; then each name gets its first letter or
 * digit that is left, or else the first that is left at all.
 */
static void
choose_symbols(Canvas *canvas)
{
	const ScatterPlan *plan = canvas->plan;
	bool		is_taken[sizeof(symbols)] = {false};

	memset(canvas->symbol, 0, sizeof(canvas->symbol));
	for (int32_t g = 0; g < plan->group_count; g++)
		if (plan->group[g].length == 1 &&
			take_symbol(is_taken, plan->group[g].text[0]))
			canvas->symbol[g] = plan->group[g].text[0];
	for (int32_t g = 0; g < plan->group_count; g++)
	{
		const ScatterGroup *group = &plan->group[g];

		for (int64_t i = 0; i < group->length && canvas->symbol[g] == 0; i++)
			if (take_symbol(is_taken, group->text[i]))
				canvas->symbol[g] = group->text[i];
		for (const char *s = symbols; canvas->symbol[g] == 0; s++)
			if (take_symbol(is_taken, *s))
				canvas->symbol[g] = *s;
	}
	if (plan->other >= 0)
		canvas->symbol[plan->other] = OTHER_SYMBOL;
	if (plan->none >= 0)
		canvas->symbol[plan->none] = NONE_SYMBOL;
}

/* The bit of a dot: braille counts columns of three, then the fourth row. */
static unsigned char
dot_bit(int32_t x, int32_t y)
{
	return (unsigned char) (y < 3 ? 1 << (3 * x + y) : 0x40 << x);
}

static GlStatus
place_rows(GlHost *host, const Scatter *scatter, Canvas *canvas)
{
	const ScatterPlan *plan = canvas->plan;

	for (int64_t i = 0; i < scatter->row_count; i++)
	{
		int32_t		x = axis_position(&plan->x, scatter->x[i], WIDTH * DOTS_X);
		int32_t		y = HEIGHT * DOTS_Y - 1 -
			axis_position(&plan->y, scatter->y[i], HEIGHT * DOTS_Y);
		int32_t		at = y / DOTS_Y * WIDTH + x / DOTS_X;

		GL_TRY(gl_work(host, 16));
		canvas->rows[(int64_t) at * plan->all_count +
					 scatter_plan_group(plan, scatter, i)]++;
		canvas->dots[at] |= dot_bit(x % DOTS_X, y % DOTS_Y);
	}
	return GL_OK;
}

/* One place: empty, dots, or the symbol of the group with most rows. */
static GlStatus
write_place(GlHost *host, const Canvas *canvas, int32_t at)
{
	int32_t		groups = canvas->plan->all_count;
	const int64_t *rows = canvas->rows + (int64_t) at * groups;
	int32_t		most = 0;

	for (int32_t g = 1; g < groups; g++)
		if (rows[g] > rows[most])
			most = g;
	if (rows[most] == 0)
		return text_writer_add(host, canvas->writer, " ");
	if (!canvas->has_dots)
		return text_writer_add(host, canvas->writer, "%c",
							   canvas->symbol[most]);
	if (canvas->ascii)
		return text_writer_add(host, canvas->writer, "*");
	/* U+2800 and the bits of the dots */
	return text_writer_add(host, canvas->writer, "\xE2%c%c",
						   (char) (0xA0 | canvas->dots[at] >> 6),
						   (char) (0x80 | (canvas->dots[at] & 0x3F)));
}

/* The tick of an axis at a place, or -1. */
static int32_t
tick_at(const Axis *axis, int32_t at, int32_t count)
{
	for (int32_t t = 0; t < axis->tick_count; t++)
		if (axis_position(axis, axis_tick(axis, t), count) == at)
			return t;
	return -1;
}

static void
drop_spaces(TextWriter *writer)
{
	while (writer->length > 0 && writer->text[writer->length - 1] == ' ')
		writer->length--;
}

static GlStatus
write_plot(GlHost *host, const Canvas *canvas)
{
	const Axis *axis = &canvas->plan->y;

	for (int32_t row = 0; row < HEIGHT; row++)
	{
		int32_t		tick = tick_at(axis, HEIGHT - 1 - row, HEIGHT);
		char		label[AXIS_LABEL_SIZE] = "";

		if (tick >= 0)
			axis_label(axis, tick, label);
		GL_TRY(text_writer_add(host, canvas->writer, "%*s %s",
							   (int) canvas->label_width, label,
							   tick >= 0 ? canvas->glyphs->tick_y :
							   canvas->glyphs->side));
		for (int32_t x = 0; x < WIDTH; x++)
			GL_TRY(write_place(host, canvas, row * WIDTH + x));
		drop_spaces(canvas->writer);
		GL_TRY(text_writer_add(host, canvas->writer, "\n"));
	}
	return GL_OK;
}

/* The line below the plot, and the labels below it where they have room. */
static GlStatus
write_x_axis(GlHost *host, const Canvas *canvas)
{
	const Axis *axis = &canvas->plan->x;
	TextWriter *writer = canvas->writer;
	int32_t		next_free = -(int32_t) canvas->label_width - 2;

	GL_TRY(text_writer_add(host, writer, "%*s %s", (int) canvas->label_width,
						   "", canvas->glyphs->corner));
	for (int32_t x = 0; x < WIDTH; x++)
		GL_TRY(text_writer_add(host, writer, "%s",
							   tick_at(axis, x, WIDTH) >= 0 ?
							   canvas->glyphs->tick_x :
							   canvas->glyphs->line));
	GL_TRY(text_writer_add(host, writer, "\n"));
	for (int32_t t = 0; t < axis->tick_count; t++)
	{
		char		label[AXIS_LABEL_SIZE];
		int32_t		at = axis_position(axis, axis_tick(axis, t), WIDTH);
		int32_t		start;

		axis_label(axis, t, label);
		start = at - (int32_t) strlen(label) / 2;
		if (start < next_free)
			continue;
		GL_TRY(text_writer_add(host, writer, "%*s%s",
							   (int) (start - next_free), "", label));
		next_free = start + (int32_t) strlen(label);
		/* a space at least between two labels */
		GL_TRY(text_writer_add(host, writer, " "));
		next_free++;
	}
	drop_spaces(writer);
	return GL_OK;
}

static GlStatus
write_name(GlHost *host, const Canvas *canvas, int32_t g)
{
	const ScatterGroup *group = &canvas->plan->group[g];
	char		word[SCATTER_WORD_SIZE];

	if (scatter_plan_word(canvas->plan, g, word))
		return text_writer_add(host, canvas->writer, "%s", word);
	return text_writer_plain(host, canvas->writer, group->text,
							 group->length, NAME_LIMIT, canvas->ascii);
}

/* Symbols and names, one after the other. */
static GlStatus
write_legend(GlHost *host, const Canvas *canvas)
{
	const ScatterPlan *plan = canvas->plan;
	int64_t		columns = 0;

	if (plan->group_count == 0)
		return GL_OK;
	for (int32_t g = 0; g < plan->all_count; g++)
	{
		const ScatterGroup *group = &plan->group[g];
		int64_t		wanted = group->text == NULL ? 24 : 6 +
			text_columns(group->text, group->length, NAME_LIMIT);

		if (columns == 0 || columns + wanted > LINE_COLUMNS)
		{
			GL_TRY(text_writer_add(host, canvas->writer, "\n%*s  ",
								   (int) canvas->label_width, ""));
			columns = 0;
		}
		else
			GL_TRY(text_writer_add(host, canvas->writer, "   "));
		/* a name of one character is its own symbol */
		if (!canvas->has_dots && !(group->length == 1 &&
								   group->text[0] == canvas->symbol[g]))
			GL_TRY(text_writer_add(host, canvas->writer, "%c ",
								   canvas->symbol[g]));
		GL_TRY(write_name(host, canvas, g));
		columns += wanted;
	}
	return GL_OK;
}

static int32_t
widest_label(const Axis *axis)
{
	size_t		widest = 0;

	for (int32_t t = 0; t < axis->tick_count; t++)
	{
		char		label[AXIS_LABEL_SIZE];

		axis_label(axis, t, label);
		if (strlen(label) > widest)
			widest = strlen(label);
	}
	return (int32_t) widest;
}

GlStatus
scatter_text_write(GlHost *host, const Scatter *scatter, bool ascii,
				   TextWriter *writer)
{
	ScatterPlan plan;
	Canvas		canvas = {
		.plan = &plan, .ascii = ascii, .writer = writer,
		.glyphs = ascii ? &ascii_glyphs : &unicode_glyphs
	};

	GL_TRY(scatter_plan_begin(host, scatter, 6, 5, &plan));
	canvas.has_dots = plan.all_count == 1;
	canvas.label_width = widest_label(&plan.y);
	choose_symbols(&canvas);
	GL_NEW_ZEROED(host, canvas.rows,
				  (int64_t) HEIGHT * WIDTH * plan.all_count);
	GL_NEW_ZEROED(host, canvas.dots, HEIGHT * WIDTH);
	GL_TRY(place_rows(host, scatter, &canvas));
	GL_TRY(write_plot(host, &canvas));
	GL_TRY(write_x_axis(host, &canvas));
	GL_TRY(write_legend(host, &canvas));
	gl_release(host, canvas.dots);
	gl_release(host, canvas.rows);
	scatter_plan_end(host, &plan);
	return GL_OK;
}
