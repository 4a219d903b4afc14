/*
 * label_set.c
 *		Distinct labels in a hash table by their bytes, then sorted by type.
 */
#include "label_set.h"

#include "miscadmin.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"

typedef struct LabelEntry
{
	Datum		label;
	uint32		hash;
	int32		number;
	char		status;
} LabelEntry;

struct LabelSet
{
	MemoryContext context;
	Oid			type;
	int16		length;			/* typlen */
	bool		by_value;
	int32		count;
	int32		capacity;
	Datum	   *label;			/* by number */
	struct labels_hash *table;
};

/* the table's key is the label; its set is the table's private data */
#define SET_OF(table)	((LabelSet *) (table)->private_data)
#define SH_PREFIX		labels
#define SH_ELEMENT_TYPE	LabelEntry
#define SH_KEY_TYPE		Datum
#define SH_KEY			label
#define SH_HASH_KEY(table, key) \
	datum_image_hash(key, SET_OF(table)->by_value, SET_OF(table)->length)
#define SH_EQUAL(table, a, b) \
	datum_image_eq(a, b, SET_OF(table)->by_value, SET_OF(table)->length)
#define SH_STORE_HASH
#define SH_GET_HASH(table, entry)	(entry)->hash
#define SH_SCOPE		static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

LabelSet *
label_set_begin(Oid type, MemoryContext context)
{
	LabelSet   *set = MemoryContextAllocZero(context, sizeof(LabelSet));

	if (!OidIsValid(type))
		elog(ERROR, "could not determine the type of a label");
	set->context = context;
	set->type = type;
	get_typlenbyval(type, &set->length, &set->by_value);
	set->capacity = 8;
	set->label = MemoryContextAlloc(context, sizeof(Datum) * set->capacity);
	set->table = labels_create(context, set->capacity, set);
	return set;
}

/* A copy that needs nothing else: not toasted, not expanded. */
static Datum
keep_label(LabelSet *set, Datum label)
{
	MemoryContext old = MemoryContextSwitchTo(set->context);

	if (!set->by_value)
		label = set->length == -1 ?
			PointerGetDatum(PG_DETOAST_DATUM_COPY(label)) :
			datumCopy(label, set->by_value, set->length);
	MemoryContextSwitchTo(old);
	return label;
}

int32
label_set_number(LabelSet *set, Datum label)
{
	bool		found;
	LabelEntry *entry = labels_insert(set->table, label, &found);

	if (found)
		return entry->number;
	entry->label = keep_label(set, label);
	entry->number = set->count;
	if (set->count == set->capacity)
	{
		set->capacity *= 2;
		set->label = repalloc_huge(set->label,
								   sizeof(Datum) * (Size) set->capacity);
	}
	set->label[set->count] = entry->label;
	return set->count++;
}

/* A total order of bytes; which one does not matter. */
static int
compare_images(const LabelSet *set, Datum a, Datum b)
{
	Size		left;
	Size		right;
	int			order;

	if (set->by_value)
		return a < b ? -1 : a > b;
	left = datumGetSize(a, false, set->length);
	right = datumGetSize(b, false, set->length);
	order = memcmp(DatumGetPointer(a), DatumGetPointer(b), Min(left, right));
	if (order != 0)
		return order;
	return left < right ? -1 : left > right;
}

typedef struct LabelOrder
{
	const LabelSet *set;
	FmgrInfo   *comparison;
} LabelOrder;

static int
order_numbers(const void *a, const void *b, void *state)
{
	const LabelOrder *sort = state;
	Datum		left = sort->set->label[*(const int32 *) a];
	Datum		right = sort->set->label[*(const int32 *) b];
	int			order = label_compare(sort->comparison, left, right);

	return order != 0 ? order : compare_images(sort->set, left, right);
}

int32 *
label_set_classes(LabelSet *set, LabelClasses *classes)
{
	int32	   *sorted = palloc(sizeof(int32) * Max(set->count, 1));
	int32	   *class_of = palloc(sizeof(int32) * Max(set->count, 1));
	LabelOrder	sort = {.set = set};

	classes->count = 0;
	classes->label = palloc(sizeof(Datum) * Max(set->count, 1));
	if (set->count > 0)
		sort.comparison = label_comparison(set->type);
	for (int32 i = 0; i < set->count; i++)
		sorted[i] = i;
	qsort_arg(sorted, set->count, sizeof(int32), order_numbers, &sort);
	for (int32 i = 0; i < set->count; i++)
	{
		Datum		label = set->label[sorted[i]];

		if (i == 0 || label_compare(sort.comparison,
									set->label[sorted[i - 1]], label) != 0)
			classes->label[classes->count++] = label;
		class_of[sorted[i]] = classes->count - 1;
	}
	pfree(sorted);
	return class_of;
}
