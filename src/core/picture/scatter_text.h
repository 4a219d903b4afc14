/*
 * scatter_text.h
 *		A scatter plot of characters, for a terminal.
 *
 * Several groups: a letter or digit stands for each, taken from its name where
 * that is possible, and a place shows the group with most rows there.  One
 * group, or none: braille dots, eight to a place.
 */
#ifndef SCATTER_TEXT_H
#define SCATTER_TEXT_H

#include "picture/scatter.h"
#include "picture/text_writer.h"

#define SCATTER_TEXT_WIDTH		64	/* places inside the frame */
#define SCATTER_TEXT_HEIGHT		20

/*
 * Append the picture of at least one row, in UTF-8 or with nothing but ASCII;
 * lines end with a newline but the last.  Failures as scatter_plan_begin().
 */
extern GlStatus scatter_text_write(GlHost *host, const Scatter *scatter,
								   bool ascii, TextWriter *writer);

#endif							/* SCATTER_TEXT_H */
