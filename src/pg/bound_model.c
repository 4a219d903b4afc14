/*
 * bound_model.c
 *		Tell whether a model is one that is ready, else make it ready.
 */
#include "bound_model.h"
#include "options.h"

#include "access/detoast.h"
#include "utils/memutils.h"

#define KEPT_MODELS		16

/* Where an argument comes from, and what tells it from others. */
typedef enum ModelSource
{
	SOURCE_TOAST = 1,
	SOURCE_EXPANDED,
	SOURCE_FLAT
} ModelSource;

typedef struct ModelKey
{
	ModelSource source;
	struct varatt_external toast;
	uint64		serial;
	const char *place;			/* of flat bytes */
	Size		size;
	uint64_t	fingerprint;
} ModelKey;

typedef struct KeptModel
{
	ModelKey	key;
	MemoryContext context;		/* NULL: free */
	uint64		last_used;
	const char *bytes;			/* our copy of flat bytes */
	BoundModel	bound;
} KeptModel;

typedef struct ModelShelf
{
	uint64		clock;
	KeptModel	kept[KEPT_MODELS];
} ModelShelf;

static ModelKey
key_of(Datum datum)
{
	const char *pointer = DatumGetPointer(datum);
	ModelKey	key = {0};

	if (VARATT_IS_EXTERNAL_ONDISK(pointer))
	{
		key.source = SOURCE_TOAST;
		VARATT_EXTERNAL_GET_POINTER(key.toast, pointer);
	}
	else if (VARATT_IS_EXTERNAL_EXPANDED(pointer))
	{
		key.source = SOURCE_EXPANDED;
		key.serial = ((ExpandedValue *) DatumGetEOHP(datum))->serial;
	}
	else
	{
		struct varlena *flat = PG_DETOAST_DATUM(datum);

		key.source = SOURCE_FLAT;
		key.place = (const char *) flat;
		key.size = VARSIZE(flat);
		key.fingerprint = value_flat_fingerprint(key.place, key.size);
	}
	return key;
}

/* Is this the model that is kept? */
static bool
is_same(KeptModel *kept, const ModelKey *key)
{
	const ModelKey *own = &kept->key;

	if (kept->context == NULL || own->source != key->source)
		return false;
	switch (key->source)
	{
		case SOURCE_TOAST:
			return memcmp(&own->toast, &key->toast, sizeof(key->toast)) == 0;
		case SOURCE_EXPANDED:
			return own->serial == key->serial;
		case SOURCE_FLAT:
			if (own->size != key->size ||
				own->fingerprint != key->fingerprint)
				return false;
			if (own->place != key->place &&
				memcmp(kept->bytes + VARHDRSZ, key->place + VARHDRSZ,
					   key->size - VARHDRSZ) != 0)
				return false;
			kept->key.place = key->place;
			return true;
	}
	return false;
}

static void
let_go(KeptModel *kept)
{
	if (kept->context != NULL)
		MemoryContextDelete(kept->context);
	memset(kept, 0, sizeof(*kept));
}

/* A free place; models are let go until half of the budget is free. */
static KeptModel *
make_place(ModelShelf *shelf)
{
	for (;;)
	{
		Size		used = 0;
		KeptModel  *oldest = NULL;
		KeptModel  *free = NULL;

		for (int i = 0; i < KEPT_MODELS; i++)
		{
			KeptModel  *kept = &shelf->kept[i];

			if (kept->context == NULL)
			{
				free = kept;
				continue;
			}
			used += MemoryContextMemAllocated(kept->context, true);
			if (oldest == NULL || kept->last_used < oldest->last_used)
				oldest = kept;
		}
		if (free != NULL &&
			(oldest == NULL || used / 1024 <= (Size) graphlearn_max_memory / 2))
			return free;
		let_go(oldest);
	}
}

/*
 * The value behind the datum as something that lasts as long as the model is
 * kept: an expanded object as it is, for its serial number is asked for
 * before it is touched again; anything else as our own copy.
 */
static const GlValue *
fetch(GlHost *host, Datum datum, KeptModel *kept)
{
	if (kept->key.source == SOURCE_FLAT)
	{
		char	   *copy = MemoryContextAllocHuge(CurrentMemoryContext,
												  kept->key.size);

		memcpy(copy, kept->key.place, kept->key.size);
		kept->bytes = copy;
		datum = PointerGetDatum(copy);
	}
	return value_argument(host, VALUE_MODEL, datum);
}

static void
make_ready(KeptModel *place, const ModelKey *key, Datum datum,
		   MemoryContext parent, ModelKind kind, const char *function,
		   ModelBinder bind)
{
	BoundModel *bound = &place->bound;
	MemoryContext outer;

	place->key = *key;
	place->context = AllocSetContextCreate(parent, "graphlearn model",
										   ALLOCSET_DEFAULT_SIZES);
	bound_model_enter(bound);
	outer = MemoryContextSwitchTo(place->context);
	pg_host_on(&bound->host, place->context);
	bound->value = fetch(&bound->host, datum, place);
	if (bound->value->model.kind != kind)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("%s needs a model of kind '%s', but this one is of kind '%s'",
						function, option_word_of(model_kind_words, kind),
						option_word_of(model_kind_words,
									   bound->value->model.kind))));
	bound->state = bind(&bound->host, bound->value);
	MemoryContextSwitchTo(outer);
	bound_model_leave(bound, GL_OK);
}

BoundModel *
bound_model_argument(FunctionCallInfo fcinfo, int argument, ModelKind kind,
					 const char *function, ModelBinder bind)
{
	ModelShelf *shelf = fcinfo->flinfo->fn_extra;
	MemoryContext parent = fcinfo->flinfo->fn_mcxt;
	Datum		datum = PG_GETARG_DATUM(argument);
	ModelKey	key = key_of(datum);
	KeptModel  *place;

	if (shelf == NULL)
		shelf = fcinfo->flinfo->fn_extra =
			MemoryContextAllocZero(parent, sizeof(ModelShelf));
	shelf->clock++;
	for (int i = 0; i < KEPT_MODELS; i++)
	{
		KeptModel  *kept = &shelf->kept[i];

		if (kept->bound.is_busy)
			let_go(kept);
		else if (is_same(kept, &key))
		{
			kept->last_used = shelf->clock;
			return &kept->bound;
		}
	}
	place = make_place(shelf);
	make_ready(place, &key, datum, parent, kind, function, bind);
	place->last_used = shelf->clock;
	return &place->bound;
}
