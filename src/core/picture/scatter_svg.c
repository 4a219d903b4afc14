/*
 * scatter_svg.c
 *		Draw a scatter plot as SVG.
 *
 * Marks are drawn in tenths of a pixel.  Circles and squares are lines of no
 * length with round or square ends, a dozen bytes each in one long path per
 * group; triangles are outlines.  As a path lies over all paths before it,
 * the marks are cut into slices, each with a path per group: then no group
 * hides the others everywhere.
 */
#include "picture/scatter_svg.h"

#include <string.h>

#include "picture/scatter_marks.h"

/* Pixels. */
#define PLOT_WIDTH		560
#define PLOT_HEIGHT		420
#define LEFT			64
#define TOP				20
#define TITLE_HEIGHT	26
#define BOTTOM			36
#define RIGHT			20
#define LEGEND_GAP		18		/* between plot and legend */
#define LEGEND_ROW		19
#define LEGEND_TEXT		14		/* from the mark to its text */
#define COLUMN_WIDTH	7		/* of a character, about */

#define FINE			10		/* positions per pixel */
#define SLICES			8
#define LEGEND_LIMIT	24		/* characters */
#define TOOLTIP_LIMIT	200

#define SHAPE_COUNT		3
typedef enum Shape
{
	SHAPE_CIRCLE,
	SHAPE_SQUARE,
	SHAPE_TRIANGLE
} Shape;

/*
 * Okabe and Ito without yellow, which is hard to see on white.
 */
static const char *const colours[] = {
	"#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00",
	"#000000"
};

#define COLOUR_COUNT	((int32_t) (sizeof(colours) / sizeof(colours[0])))
#define OTHER_COLOUR	"#777777"
#define NONE_COLOUR		"#BBBBBB"

typedef struct Drawing
{
	const Scatter *scatter;
	const ScatterPlan *plan;
	const ScatterMarks *marks;
	TextWriter *writer;
	int32_t		top;			/* of the plot */
	int32_t		width;			/* of everything */
	int32_t		height;
	int32_t		mark_size;		/* diameter in tenths of a pixel */
} Drawing;

static const char *
group_colour(const Drawing *drawing, int32_t group)
{
	if (group == drawing->plan->other)
		return OTHER_COLOUR;
	return group == drawing->plan->none ? NONE_COLOUR :
		colours[group % COLOUR_COUNT];
}

static Shape
group_shape(const Drawing *drawing, int32_t group)
{
	return group < drawing->plan->group_count ?
		(Shape) (group / COLOUR_COUNT % SHAPE_COUNT) : SHAPE_CIRCLE;
}

/* What a group is called, at most so many characters of it. */
static GlStatus
write_name(GlHost *host, const Drawing *drawing, int32_t group,
		   int64_t limit)
{
	const ScatterGroup *g = &drawing->plan->group[group];
	char		word[SCATTER_WORD_SIZE];

	if (scatter_plan_word(drawing->plan, group, word))
		return text_writer_add(host, drawing->writer, "%s", word);
	return text_writer_xml(host, drawing->writer, g->text, g->length, limit);
}

static int64_t
name_columns(const ScatterPlan *plan, int32_t group)
{
	char		word[SCATTER_WORD_SIZE];

	if (scatter_plan_word(plan, group, word))
		return (int64_t) strlen(word);
	return text_columns(plan->group[group].text, plan->group[group].length,
						LEGEND_LIMIT);
}

/* Rows without a group alone need no legend. */
static bool
has_legend(const ScatterPlan *plan)
{
	return plan->group_count > 0;
}

static int32_t
legend_width(const ScatterPlan *plan)
{
	int64_t		columns = 0;

	if (!has_legend(plan))
		return 0;
	for (int32_t g = 0; g < plan->all_count; g++)
		if (name_columns(plan, g) > columns)
			columns = name_columns(plan, g);
	return LEGEND_GAP + LEGEND_TEXT + (int32_t) columns * COLUMN_WIDTH;
}

static void
lay_out(Drawing *drawing, bool has_title)
{
	int64_t		marks = drawing->marks->mark_count;

	drawing->top = TOP + (has_title ? TITLE_HEIGHT : 0);
	drawing->width = LEFT + PLOT_WIDTH + RIGHT + legend_width(drawing->plan);
	drawing->height = drawing->top + PLOT_HEIGHT + BOTTOM;
	drawing->mark_size = marks <= 200 ? 70 : marks <= 1000 ? 55 :
		marks <= 4000 ? 42 : 32;
}

static GlStatus
write_head(GlHost *host, const Drawing *drawing, const char *title,
		   int64_t title_bytes)
{
	TextWriter *writer = drawing->writer;

	GL_TRY(text_writer_add(host, writer,
						   "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\"",
						   drawing->width, drawing->height, drawing->width,
						   drawing->height));
	GL_TRY(text_writer_add(host, writer,
						   " font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">\n"));
	if (title != NULL)
	{
		GL_TRY(text_writer_add(host, writer, "<title>"));
		GL_TRY(text_writer_xml(host, writer, title, title_bytes,
							   TOOLTIP_LIMIT));
		GL_TRY(text_writer_add(host, writer, "</title>\n"));
	}
	GL_TRY(text_writer_add(host, writer,
						   "<rect width=\"%d\" height=\"%d\" fill=\"#FFFFFF\"/>\n",
						   drawing->width, drawing->height));
	if (title == NULL)
		return GL_OK;
	GL_TRY(text_writer_add(host, writer,
						   "<text x=\"%d\" y=\"%d\" font-size=\"16\" font-weight=\"bold\" fill=\"#222222\">",
						   LEFT, TOP + 8));
	GL_TRY(text_writer_xml(host, writer, title, title_bytes,
						   (drawing->width - LEFT) / 9));
	return text_writer_add(host, writer, "</text>\n");
}

/* Lines of the grid with their labels, and the frame. */
static GlStatus
write_axes(GlHost *host, const Drawing *drawing)
{
	const ScatterPlan *plan = drawing->plan;
	TextWriter *writer = drawing->writer;
	double		bottom = drawing->top + PLOT_HEIGHT;
	char		label[AXIS_LABEL_SIZE];

	GL_TRY(text_writer_add(host, writer,
						   "<g fill=\"#555555\" text-anchor=\"middle\">\n"));
	for (int32_t t = 0; t < plan->x.tick_count; t++)
	{
		double		x = LEFT + PLOT_WIDTH * axis_place(&plan->x,
													   axis_tick(&plan->x, t));

		axis_label(&plan->x, t, label);
		GL_TRY(text_writer_add(host, writer,
							   "<path d=\"M%.1f %dV%.0f\" stroke=\"#E6E6E6\"/><text x=\"%.1f\" y=\"%.0f\">%s</text>\n",
							   x, drawing->top, bottom, x, bottom + 18,
							   label));
	}
	GL_TRY(text_writer_add(host, writer,
						   "</g>\n<g fill=\"#555555\" text-anchor=\"end\">\n"));
	for (int32_t t = 0; t < plan->y.tick_count; t++)
	{
		double		y = bottom - PLOT_HEIGHT *
			axis_place(&plan->y, axis_tick(&plan->y, t));

		axis_label(&plan->y, t, label);
		GL_TRY(text_writer_add(host, writer,
							   "<path d=\"M%d %.1fH%d\" stroke=\"#E6E6E6\"/><text x=\"%d\" y=\"%.1f\">%s</text>\n",
							   LEFT, y, LEFT + PLOT_WIDTH, LEFT - 8, y + 4,
							   label));
	}
	return text_writer_add(host, writer,
						   "</g>\n<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999999\"/>\n",
						   LEFT, drawing->top, PLOT_WIDTH, PLOT_HEIGHT);
}

/* The start of a path of marks: its colour and how it makes shapes. */
static GlStatus
begin_marks(GlHost *host, const Drawing *drawing, int32_t group,
			int32_t mark_size)
{
	Shape		shape = group_shape(drawing, group);
	const char *colour = group_colour(drawing, group);

	if (shape == SHAPE_TRIANGLE)
		return text_writer_add(host, drawing->writer,
							   "<path fill=\"%s\" d=\"", colour);
	return text_writer_add(host, drawing->writer,
						   "<path stroke=\"%s\" stroke-width=\"%d\" stroke-linecap=\"%s\" d=\"",
						   colour, shape == SHAPE_SQUARE ?
						   mark_size * 9 / 10 : mark_size,
						   shape == SHAPE_SQUARE ? "square" : "round");
}

static GlStatus
write_mark(GlHost *host, const Drawing *drawing, int32_t group, int32_t x,
		   int32_t y, int32_t mark_size)
{
	int32_t		half = mark_size * 6 / 10;

	if (group_shape(drawing, group) != SHAPE_TRIANGLE)
		return text_writer_add(host, drawing->writer, "M%d %dh1", x, y);
	return text_writer_add(host, drawing->writer, "M%d %dl%d %dh%dz", x,
						   y - half, half, 2 * half - half / 4, -2 * half);
}

/* One path per group for some of the marks. */
static GlStatus
write_slice(GlHost *host, const Drawing *drawing, int64_t start, int64_t end)
{
	/* grey ones below the others */
	for (int32_t step = 0; step < drawing->plan->all_count; step++)
	{
		int32_t		group = drawing->plan->all_count - 1 - step;
		bool		is_begun = false;

		for (int64_t m = start; m < end; m++)
		{
			const ScatterMark *mark = &drawing->marks->mark[m];

			GL_TRY(gl_work(host, 1));
			if (mark->group != group)
				continue;
			if (!is_begun)
				GL_TRY(begin_marks(host, drawing, group,
								   drawing->mark_size));
			is_begun = true;
			GL_TRY(write_mark(host, drawing, group, mark->x, mark->y,
							  drawing->mark_size));
		}
		if (is_begun)
			GL_TRY(text_writer_add(host, drawing->writer, "\"/>\n"));
	}
	return GL_OK;
}

static GlStatus
write_marks(GlHost *host, const Drawing *drawing)
{
	int64_t		count = drawing->marks->mark_count;

	GL_TRY(text_writer_add(host, drawing->writer,
						   "<g transform=\"translate(%d %d) scale(.1)\" opacity=\".85\" fill=\"none\">\n",
						   LEFT, drawing->top));
	for (int64_t slice = 0; slice < SLICES; slice++)
		GL_TRY(write_slice(host, drawing, count * slice / SLICES,
						   count * (slice + 1) / SLICES));
	return text_writer_add(host, drawing->writer, "</g>\n");
}

static GlStatus
write_legend(GlHost *host, const Drawing *drawing)
{
	const ScatterPlan *plan = drawing->plan;
	TextWriter *writer = drawing->writer;

	if (!has_legend(plan))
		return GL_OK;
	GL_TRY(text_writer_add(host, writer, "<g fill=\"#222222\">\n"));
	for (int32_t g = 0; g < plan->all_count; g++)
	{
		GL_TRY(text_writer_add(host, writer,
							   "<g transform=\"translate(%d %d)\"><title>",
							   LEFT + PLOT_WIDTH + LEGEND_GAP,
							   drawing->top + 10 + g * LEGEND_ROW));
		GL_TRY(write_name(host, drawing, g, TOOLTIP_LIMIT));
		GL_TRY(text_writer_add(host, writer,
							   ": %lld %s</title><g transform=\"scale(.1)\" fill=\"none\">",
							   (long long) plan->group[g].row_count,
							   plan->group[g].row_count == 1 ? "row" :
							   "rows"));
		GL_TRY(begin_marks(host, drawing, g, 90));
		GL_TRY(write_mark(host, drawing, g, 0, 0, 90));
		GL_TRY(text_writer_add(host, writer,
							   "\"/></g><text x=\"%d\" y=\"4\">",
							   LEGEND_TEXT - 2));
		GL_TRY(write_name(host, drawing, g, LEGEND_LIMIT));
		GL_TRY(text_writer_add(host, writer, "</text></g>\n"));
	}
	return text_writer_add(host, writer, "</g>\n");
}

/* Say so where rows are not all drawn. */
static GlStatus
write_note(GlHost *host, const Drawing *drawing)
{
	if (!drawing->marks->is_thinned)
		return GL_OK;
	return text_writer_add(host, drawing->writer,
						   "<text x=\"%d\" y=\"%d\" font-size=\"10\" fill=\"#777777\" text-anchor=\"end\">%lld rows, dense places thinned</text>\n",
						   LEFT + PLOT_WIDTH, drawing->height - 4,
						   (long long) drawing->scatter->row_count);
}

GlStatus
scatter_svg_write(GlHost *host, const Scatter *scatter, const char *title,
				  int64_t title_bytes, TextWriter *writer)
{
	ScatterPlan plan;
	ScatterMarks marks;
	Drawing		drawing = {
		.scatter = scatter, .plan = &plan, .marks = &marks, .writer = writer
	};

	GL_TRY(scatter_plan_begin(host, scatter, 7, 6, &plan));
	GL_TRY(scatter_marks_place(host, scatter, &plan, PLOT_WIDTH * FINE,
							   PLOT_HEIGHT * FINE, SCATTER_SVG_MAX_MARKS,
							   &marks));
	lay_out(&drawing, title != NULL);
	GL_TRY(write_head(host, &drawing, title, title_bytes));
	GL_TRY(write_axes(host, &drawing));
	GL_TRY(write_marks(host, &drawing));
	GL_TRY(write_legend(host, &drawing));
	GL_TRY(write_note(host, &drawing));
	GL_TRY(text_writer_add(host, writer, "</svg>\n"));
	scatter_marks_release(host, &marks);
	scatter_plan_end(host, &plan);
	return GL_OK;
}
