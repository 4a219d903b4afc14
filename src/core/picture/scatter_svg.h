/*
 * scatter_svg.h
 *		A scatter plot as SVG: self-contained, in ASCII, of limited size.
 *
 * Axes with round ticks, a legend, an optional title.  Groups have the
 * colours of Okabe and Ito, which remain different to the colour-blind, and
 * where these are used up other shapes.  Text of the caller is escaped and,
 * in the legend, cut to a readable length; the whole is in a tooltip.
 */
#ifndef SCATTER_SVG_H
#define SCATTER_SVG_H

#include "picture/scatter.h"
#include "picture/text_writer.h"

/* Marks drawn at most, about 12 bytes each. */
#define SCATTER_SVG_MAX_MARKS	10000

/*
 * Append the picture of at least one row.  title: UTF-8, NULL for none.
 * Failures as scatter_plan_begin(); memory as scatter_marks_place().
 */
extern GlStatus scatter_svg_write(GlHost *host, const Scatter *scatter,
								  const char *title, int64_t title_bytes,
								  TextWriter *writer);

#endif							/* SCATTER_SVG_H */
