/*
 * label_pairs.c
 *		A small hash table of pairs beside that of texts, and its ordered end.
 *
 * As text_table.c: open addressing with linear probing over an array of
 * positions; the pairs themselves lie in a dense array in order of arrival.
 */
#include "measure/label_pairs.h"

#include <string.h>

#define FIRST_PAIRS		4		/* of a new collection */
#define MOST_PAIRS		((int64_t) 1 << 30)

static uint32_t
hash_pair(int32_t truth_key, int32_t predicted_key)
{
	uint64_t	hash = ((uint64_t) (uint32_t) truth_key << 32) |
		(uint32_t) predicted_key;

	hash = (hash ^ (hash >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
	hash = (hash ^ (hash >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
	return (uint32_t) (hash >> 32);
}

/* Put an item into the first free slot of its probe sequence. */
static void
slot_insert(int32_t *slots, int64_t slot_count, uint32_t hash, int64_t item)
{
	uint64_t	slot = hash & (uint64_t) (slot_count - 1);

	while (slots[slot] != 0)
		slot = (slot + 1) & (uint64_t) (slot_count - 1);
	slots[slot] = (int32_t) item + 1;
}

static int64_t
find_pair(const LabelPairs *pairs, int32_t truth_key, int32_t predicted_key,
		  uint32_t hash)
{
	uint64_t	mask = (uint64_t) (pairs->pair_slot_count - 1);

	if (pairs->pair_slot_count == 0)
		return -1;
	for (uint64_t slot = hash & mask; pairs->pair_slots[slot] != 0;
		 slot = (slot + 1) & mask)
	{
		int64_t		item = pairs->pair_slots[slot] - 1;

		if (pairs->pairs[item].truth_key == truth_key &&
			pairs->pairs[item].predicted_key == predicted_key)
			return item;
	}
	return -1;
}

static GlStatus
reserve_pair(GlHost *host, LabelPairs *pairs)
{
	if (pairs->pair_count == pairs->pair_capacity)
	{
		int64_t		capacity = pairs->pair_capacity == 0 ? FIRST_PAIRS :
			2 * pairs->pair_capacity;
		ContingencyPair *grown;

		if (capacity > MOST_PAIRS)
			return gl_fail(host, GL_ERR_TOO_LARGE,
						   "measures are limited to %lld different pairs of labels",
						   (long long) MOST_PAIRS);
		grown = pairs->pairs == NULL ?
			gl_allocate(host, (size_t) capacity, sizeof(*grown)) :
			gl_resize(host, pairs->pairs, (size_t) capacity, sizeof(*grown));
		if (grown == NULL)
			return host->status;
		pairs->pairs = grown;
		pairs->pair_capacity = capacity;
	}
	if (pairs->pair_slot_count < 2 * pairs->pair_capacity)
	{
		int64_t		slot_count = 2 * pairs->pair_capacity;
		int32_t    *slots;

		GL_NEW_ZEROED(host, slots, slot_count);
		for (int64_t p = 0; p < pairs->pair_count; p++)
			slot_insert(slots, slot_count,
						hash_pair(pairs->pairs[p].truth_key,
								  pairs->pairs[p].predicted_key), p);
		gl_release(host, pairs->pair_slots);
		pairs->pair_slots = slots;
		pairs->pair_slot_count = slot_count;
	}
	return GL_OK;
}

GlStatus
label_pairs_add(GlHost *host, LabelPairs *pairs, const char *truth,
				int64_t truth_bytes, const char *predicted,
				int64_t predicted_bytes)
{
	int32_t		truth_key;
	int32_t		predicted_key = CONTINGENCY_NO_ANSWER;
	uint32_t	hash;
	int64_t		item;

	if (pairs->row_count == CONTINGENCY_MAX_ROWS)
		return gl_fail(host, GL_ERR_TOO_LARGE,
					   "measures are limited to %lld rows",
					   (long long) CONTINGENCY_MAX_ROWS);
	GL_TRY(text_table_number(host, &pairs->texts, truth, truth_bytes,
							 &truth_key));
	if (predicted != NULL)
		GL_TRY(text_table_number(host, &pairs->texts, predicted,
								 predicted_bytes, &predicted_key));
	hash = hash_pair(truth_key, predicted_key);
	item = find_pair(pairs, truth_key, predicted_key, hash);
	if (item < 0)
	{
		GL_TRY(reserve_pair(host, pairs));
		item = pairs->pair_count++;
		pairs->pairs[item].truth_key = truth_key;
		pairs->pairs[item].predicted_key = predicted_key;
		pairs->pairs[item].count = 0;
		slot_insert(pairs->pair_slots, pairs->pair_slot_count, hash, item);
	}
	pairs->pairs[item].count++;
	pairs->row_count++;
	return GL_OK;
}

GlStatus
label_pairs_table(GlHost *host, const LabelPairs *pairs, Contingency *table)
{
	int32_t    *rank;
	ContingencyPair *ranked;

	memset(table, 0, sizeof(*table));
	GL_NEW(host, rank, pairs->texts.count);
	GL_NEW(host, ranked, pairs->pair_count);
	GL_TRY(text_table_rank(host, &pairs->texts, text_order_bytes, rank));
	for (int64_t p = 0; p < pairs->pair_count; p++)
	{
		const ContingencyPair *pair = &pairs->pairs[p];

		GL_TRY(gl_work(host, 2));
		ranked[p].truth_key = rank[pair->truth_key];
		ranked[p].predicted_key =
			pair->predicted_key == CONTINGENCY_NO_ANSWER ?
			CONTINGENCY_NO_ANSWER : rank[pair->predicted_key];
		ranked[p].count = pair->count;
	}
	GL_TRY(contingency_build(host, ranked, pairs->pair_count, table));
	gl_release(host, ranked);
	gl_release(host, rank);
	return GL_OK;
}

void
label_pairs_release(GlHost *host, LabelPairs *pairs)
{
	text_table_release(host, &pairs->texts);
	gl_release(host, pairs->pairs);
	gl_release(host, pairs->pair_slots);
	memset(pairs, 0, sizeof(*pairs));
}

GlStatus
label_pairs_check(GlHost *host, const LabelPairs *pairs)
{
	bool		valid = pairs->pair_count <= pairs->pair_capacity;

	GL_TRY(text_table_check(host, &pairs->texts));
	for (int64_t p = 0; valid && p < pairs->pair_count; p++)
	{
		const ContingencyPair *pair = &pairs->pairs[p];

		valid = pair->count > 0 && pair->truth_key >= 0 &&
			pair->truth_key < pairs->texts.count &&
			pair->predicted_key >= CONTINGENCY_NO_ANSWER &&
			pair->predicted_key < pairs->texts.count &&
			find_pair(pairs, pair->truth_key, pair->predicted_key,
					  hash_pair(pair->truth_key,
								pair->predicted_key)) == p;
		GL_TRY(gl_work(host, 8));
	}
	if (!valid)
		return gl_fail(host, GL_ERR_CORRUPT, "label pairs are corrupt");
	return GL_OK;
}
