/*
 * node_arguments.h
 *		Arrays that name nodes of a graph: gl_propagate(g, ids, labels) and kin.
 */
#ifndef GRAPHLEARN_NODE_ARGUMENTS_H
#define GRAPHLEARN_NODE_ARGUMENTS_H

#include "compat.h"

#include "utils/array.h"

#include "graph/graph.h"

/* An array argument as elements; no dimension but one, NULL: no elements. */
typedef struct ElementList
{
	int			count;
	Datum	   *values;
	bool	   *nulls;
	Oid			type;			/* of the elements; InvalidOid for NULL */
} ElementList;

extern ElementList element_list_argument(FunctionCallInfo fcinfo,
										 int argument, const char *name);

/*
 * The nodes that a bigint[] argument, called name, lists, in its order.  An
 * id that the graph does not have is an error that lists up to five; so is a
 * NULL.
 */
extern int32_t *node_list_argument(FunctionCallInfo fcinfo, int argument,
								   const char *name, const Graph *graph,
								   int *count);

/*
 * The same for a pair of array arguments, `ids` and the next one, which is
 * called name and has a value for each id.  The value NULL means "nothing is
 * known", so it may stand beside an id that the graph does not have (a row
 * without features, say); such pairs are left out.  values->count nodes.
 */
extern int32_t *node_pairs_argument(FunctionCallInfo fcinfo, int ids,
									const Graph *graph, const char *name,
									ElementList *values);

/* The ids a function may be asked about, and how errors call them. */
typedef struct IdSet
{
	const int64_t *ids;			/* strictly ascending */
	int64		count;
	const char *place;			/* "in the graph" or "among the points" */
	bool		from_points;	/* rows without features are not in it */
} IdSet;

extern IdSet graph_ids(const Graph *graph);

/*
 * node_pairs_argument() for any set of ids and for arguments of any name.
 */
extern int32_t *id_pairs_argument(FunctionCallInfo fcinfo, int ids,
								  const char *ids_name, const char *name,
								  const IdSet *set, ElementList *values);

/*
 * Raise 22023 unless the array arguments a and b are equally long.  Both may
 * be NULL, which is how array_agg() spells "none".
 */
extern void check_same_length(FunctionCallInfo fcinfo,
							  int a, const char *name_a, int count_a,
							  int b, const char *name_b, int count_b);

/* The node of one id, or 22023. */
extern int32_t node_argument(const Graph *graph, int64 id);

#endif							/* GRAPHLEARN_NODE_ARGUMENTS_H */
