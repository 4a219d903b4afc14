/*
 * node_arguments.c
 *		Check arrays of ids against a graph.
 */
#include "node_arguments.h"

#include "catalog/pg_type.h"
#include "lib/stringinfo.h"
#include "utils/lsyscache.h"

#define UNKNOWN_IDS_SHOWN	5

ElementList
element_list_argument(FunctionCallInfo fcinfo, int argument,
					  const char *name)
{
	ElementList list = {0};
	ArrayType  *array;
	int16		length;
	bool		by_value;
	char		alignment;

	if (PG_ARGISNULL(argument))
		return list;
	array = PG_GETARG_ARRAYTYPE_P(argument);
	if (ARR_NDIM(array) > 1)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s has %d dimensions, not one", name,
						ARR_NDIM(array))));
	list.type = ARR_ELEMTYPE(array);
	get_typlenbyvalalign(list.type, &length, &by_value, &alignment);
	deconstruct_array(array, list.type, length, by_value, alignment,
					  &list.values, &list.nulls, &list.count);
	return list;
}

void
check_same_length(FunctionCallInfo fcinfo, int a, const char *name_a,
				  int count_a, int b, const char *name_b, int count_b)
{
	if (count_a == count_b)
		return;
	if (PG_ARGISNULL(a) || PG_ARGISNULL(b))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s is NULL, but %s is not",
						PG_ARGISNULL(a) ? name_a : name_b,
						PG_ARGISNULL(a) ? name_b : name_a)));
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s has %d elements, but %s has %d", name_a, count_a,
					name_b, count_b)));
}

static void
fail_unknown_ids(const IdSet *set, const int64 *ids, int shown,
				 int64 unknown)
{
	StringInfoData list;

	initStringInfo(&list);
	for (int i = 0; i < shown; i++)
		appendStringInfo(&list, "%s" INT64_FORMAT, i == 0 ? "" : ", ", ids[i]);
	if (unknown > shown)
		appendStringInfo(&list, " and " INT64_FORMAT " more", unknown - shown);
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("not %s: id %s", set->place, list.data),
			 set->from_points ?
			 errhint("A row whose features are NULL is not %s.",
					 set->place) : 0));
}

IdSet
graph_ids(const Graph *graph)
{
	return (IdSet) {
		.ids = graph->ids,
		.count = graph->node_count,
		.place = "in the graph",
		.from_points = graph->recipe.metric != METRIC_NONE
	};
}

/*
 * The position of each id, -1 for one that is not in the set, which only
 * those with may_be_unknown (NULL: none) are allowed to be.
 */
static int32_t *
find_ids(const IdSet *set, const ElementList *ids, const char *name,
		 const bool *may_be_unknown)
{
	int32_t    *nodes = palloc(sizeof(int32_t) * Max(ids->count, 1));
	int64		shown[UNKNOWN_IDS_SHOWN];
	int64		unknown = 0;

	for (int i = 0; i < ids->count; i++)
	{
		int64		id;

		if (ids->nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("element %d of %s is NULL", i + 1, name)));
		id = DatumGetInt64(ids->values[i]);
		nodes[i] = (int32_t) point_set_find(set->ids, set->count, id);
		if (nodes[i] >= 0 || (may_be_unknown != NULL && may_be_unknown[i]))
			continue;
		if (unknown < UNKNOWN_IDS_SHOWN)
			shown[unknown] = id;
		unknown++;
	}
	if (unknown > 0)
		fail_unknown_ids(set, shown, Min(unknown, UNKNOWN_IDS_SHOWN), unknown);
	return nodes;
}

int32_t *
node_list_argument(FunctionCallInfo fcinfo, int argument, const char *name,
				   const Graph *graph, int *count)
{
	ElementList ids = element_list_argument(fcinfo, argument, name);
	IdSet		set = graph_ids(graph);

	*count = ids.count;
	return find_ids(&set, &ids, name, NULL);
}

int32_t *
id_pairs_argument(FunctionCallInfo fcinfo, int ids, const char *ids_name,
				  const char *name, const IdSet *set, ElementList *values)
{
	ElementList id_list = element_list_argument(fcinfo, ids, ids_name);
	int32_t    *nodes;
	int			kept = 0;

	*values = element_list_argument(fcinfo, ids + 1, name);
	check_same_length(fcinfo, ids, ids_name, id_list.count, ids + 1, name,
					  values->count);
	nodes = find_ids(set, &id_list, ids_name, values->nulls);
	for (int i = 0; i < values->count; i++)
	{
		if (nodes[i] < 0)
			continue;
		nodes[kept] = nodes[i];
		values->values[kept] = values->values[i];
		values->nulls[kept++] = values->nulls[i];
	}
	values->count = kept;
	return nodes;
}

int32_t *
node_pairs_argument(FunctionCallInfo fcinfo, int ids, const Graph *graph,
					const char *name, ElementList *values)
{
	IdSet		set = graph_ids(graph);

	return id_pairs_argument(fcinfo, ids, "ids", name, &set, values);
}

int32_t
node_argument(const Graph *graph, int64 id)
{
	int64		node = point_set_find(graph->ids, graph->node_count, id);

	if (node < 0)
	{
		IdSet		set = graph_ids(graph);

		fail_unknown_ids(&set, &id, 1, 1);
	}
	return (int32_t) node;
}
