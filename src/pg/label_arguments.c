/*
 * label_arguments.c
 *		Sort labels by their type, number the classes, sort the seeds by node.
 */
#include "label_arguments.h"
#include "node_arguments.h"

#include "catalog/pg_collation.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/typcache.h"

/* A label given for a node, while classes are being numbered. */
typedef struct GivenLabel
{
	Datum		label;
	int32_t		node;
	int32_t		label_class;
} GivenLabel;

FmgrInfo *
label_comparison(Oid type)
{
	TypeCacheEntry *entry = lookup_type_cache(type,
											  TYPECACHE_CMP_PROC_FINFO);

	if (!OidIsValid(entry->cmp_proc_finfo.fn_oid))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("labels of type %s cannot be sorted",
						format_type_be(type)),
				 errhint("Cast the labels to text.")));
	return &entry->cmp_proc_finfo;
}

int
label_compare(FmgrInfo *comparison, Datum a, Datum b)
{
	/* sorting a million labels takes a while */
	CHECK_FOR_INTERRUPTS();
	return DatumGetInt32(FunctionCall2Coll(comparison, C_COLLATION_OID, a, b));
}

static int
compare_labels(const void *a, const void *b, void *comparison)
{
	return label_compare(comparison, ((const GivenLabel *) a)->label,
						 ((const GivenLabel *) b)->label);
}

/*
 * Equal labels may look different (1.0 and 1.00): the one at the smallest
 * node comes first and is shown, in whatever order they were listed.
 */
static int
order_labels(const void *a, const void *b, void *comparison)
{
	int			order = compare_labels(a, b, comparison);
	int32_t		left = ((const GivenLabel *) a)->node;
	int32_t		right = ((const GivenLabel *) b)->node;

	if (order != 0)
		return order;
	return left < right ? -1 : left > right;
}

static int
compare_seeds(const void *a, const void *b)
{
	const GivenLabel *left = a;
	const GivenLabel *right = b;

	if (left->node != right->node)
		return left->node < right->node ? -1 : 1;
	return left->label_class < right->label_class ? -1 :
		left->label_class > right->label_class;
}

/* Sort by label and give equal labels one number; returns the classes. */
static LabelClasses
number_classes(GivenLabel *given, int count, Oid type)
{
	LabelClasses classes = {.type = type};
	FmgrInfo   *comparison;

	classes.label = palloc(sizeof(Datum) * Max(count, 1));
	if (count == 0)
		return classes;
	comparison = label_comparison(type);
	qsort_arg(given, count, sizeof(GivenLabel), order_labels, comparison);
	for (int i = 0; i < count; i++)
	{
		if (i == 0 || compare_labels(&given[i - 1], &given[i], comparison) != 0)
			classes.label[classes.count++] = given[i].label;
		given[i].label_class = classes.count - 1;
	}
	return classes;
}

void
label_seeds_argument(FunctionCallInfo fcinfo, int ids, const Graph *graph,
					 LabelSeeds *seeds, LabelClasses *classes)
{
	ElementList labels;
	int32_t    *nodes = node_pairs_argument(fcinfo, ids, graph, "labels",
											&labels);
	GivenLabel *given = palloc(sizeof(GivenLabel) * Max(labels.count, 1));
	int32_t    *seed_node;
	int32_t    *seed_class;
	int			given_count = 0;
	int64		seed_count = 0;

	for (int i = 0; i < labels.count; i++)
		if (!labels.nulls[i])
		{
			given[given_count].node = nodes[i];
			given[given_count++].label = labels.values[i];
		}
	*classes = number_classes(given, given_count, labels.type);
	qsort(given, given_count, sizeof(GivenLabel), compare_seeds);

	seed_node = palloc(sizeof(int32_t) * Max(given_count, 1));
	seed_class = palloc(sizeof(int32_t) * Max(given_count, 1));
	for (int i = 0; i < given_count; i++)
	{
		if (i > 0 && compare_seeds(&given[i - 1], &given[i]) == 0)
			continue;			/* the same label twice says no more */
		seed_node[seed_count] = given[i].node;
		seed_class[seed_count++] = given[i].label_class;
	}
	seeds->class_count = classes->count;
	seeds->seed_count = seed_count;
	seeds->node = seed_node;
	seeds->label_class = seed_class;
}
