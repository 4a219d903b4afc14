/*
 * label_text.h
 *		The text under which a label of any type is known to the measures.
 *
 * Two labels are equal when their texts are equal, whatever their types: an
 * int 1, a text '1' and a numeric 1.00 are one label.  For most types this is
 * the text that the type prints.  Numbers are written in one way that
 * depends neither on their scale nor on extra_float_digits, and char(n) loses
 * the blanks that its own comparison ignores.
 */
#ifndef GRAPHLEARN_LABEL_TEXT_H
#define GRAPHLEARN_LABEL_TEXT_H

#include "compat.h"

typedef struct LabelReader
{
	Oid			type;			/* base type, domains looked through */
	FmgrInfo	output;			/* its output function */
} LabelReader;

/*
 * Prepare to read labels of a type; what must last is put into context.
 */
extern void label_reader_begin(LabelReader *reader, Oid type,
							   MemoryContext context);

/*
 * The text of a label that is not NULL, and its length; not terminated.  In
 * CurrentMemoryContext, or inside the datum itself.
 */
extern const char *label_text(LabelReader *reader, Datum label,
							  int64 *length);

#endif							/* GRAPHLEARN_LABEL_TEXT_H */
