/*
 * label_arguments.h
 *		Labels of any SQL type as the class numbers the core works with.
 *
 * Classes are the distinct labels in the order of their type's default btree
 * operator class under collation "C", so that class numbers, and with them
 * the order of scores, depend on nothing but the labels.
 */
#ifndef GRAPHLEARN_LABEL_ARGUMENTS_H
#define GRAPHLEARN_LABEL_ARGUMENTS_H

#include "compat.h"

#include "graph/graph.h"
#include "learn/propagate.h"

typedef struct LabelClasses
{
	int32		count;
	Oid			type;			/* of the labels */
	Datum	   *label;			/* one datum per class, ascending */
} LabelClasses;

/* How labels of a type compare; 22023 if they do not. */
extern FmgrInfo *label_comparison(Oid type);
extern int	label_compare(FmgrInfo *comparison, Datum a, Datum b);

/*
 * Read ids (argument `ids`) and labels (the next one): seeds sorted by (node,
 * class) without repeats, and the classes they stand for.  A NULL label means
 * unlabelled; its id need not be in the graph.  Memory in
 * CurrentMemoryContext.
 */
extern void label_seeds_argument(FunctionCallInfo fcinfo, int ids,
								 const Graph *graph, LabelSeeds *seeds,
								 LabelClasses *classes);

#endif							/* GRAPHLEARN_LABEL_ARGUMENTS_H */
