/*
 * model_labels.h
 *		The labels of a model's classes between SQL and its stored text.
 *
 * A model keeps labels as text in UTF-8, so that it can move between
 * databases: the text by which the measures know a label (label_text.h),
 * whatever its type was.  In a database without an encoding (SQL_ASCII) the
 * bytes are taken as they are.
 */
#ifndef GRAPHLEARN_MODEL_LABELS_H
#define GRAPHLEARN_MODEL_LABELS_H

#include "label_arguments.h"

#include "learn/model.h"

/* Give a model the labels of its classes, in the context given. */
extern void model_labels_set(const LabelClasses *classes,
							 MemoryContext context, Model *model);

/* The label of a class as text of this database. */
extern text *model_label(const Model *model, int32 label_class);

/* 22021 unless every label is text of this database. */
extern void model_labels_check(const Model *model);

#endif							/* GRAPHLEARN_MODEL_LABELS_H */
