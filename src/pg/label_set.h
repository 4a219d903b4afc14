/*
 * label_set.h
 *		The distinct labels of many rows, as they come.
 *
 * Rows that are read one by one hand in their label and get a number for it;
 * each distinct label is kept once, however many rows carry it.  Labels are
 * told apart by their bytes first.  label_set_classes() then sorts them as
 * label_arguments.h says and gives equal ones (1.0 and 1.00) one class, shown
 * as the one whose bytes are smallest: classes depend on nothing but the set.
 */
#ifndef GRAPHLEARN_LABEL_SET_H
#define GRAPHLEARN_LABEL_SET_H

#include "label_arguments.h"

typedef struct LabelSet LabelSet;

/* An empty set of labels of a type; everything is kept in context. */
extern LabelSet *label_set_begin(Oid type, MemoryContext context);

/* The number of a label that is not NULL: 0, 1, ... in order of arrival. */
extern int32 label_set_number(LabelSet *set, Datum label);

/*
 * The classes, and class_of[number] of every label handed in, both in
 * CurrentMemoryContext; the datums of the classes are the set's.
 */
extern int32 *label_set_classes(LabelSet *set, LabelClasses *classes);

#endif							/* GRAPHLEARN_LABEL_SET_H */
