/*
 * label_pairs.c
 *		Two small hash tables, of texts and of pairs, and their ordered end.
 *
 * Both tables are open addressing with linear probing over arrays of
 * positions; the items themselves lie in dense arrays in order of arrival.
 * Capacities double, so the sum of all moves is linear.
 */
#include "measure/label_pairs.h"

#include <string.h>

#include "base/checked.h"

#define FIRST_ITEMS		4		/* texts or pairs of a new collection */
#define FIRST_BYTES		32
#define MOST_ITEMS		((int64_t) 1 << 30)

/* FNV-1a, then a finaliser: the low bits choose the slot. */
static uint32_t
hash_bytes(const char *bytes, int64_t count)
{
	uint64_t	hash = UINT64_C(14695981039346656037);

	for (int64_t i = 0; i < count; i++)
		hash = (hash ^ (unsigned char) bytes[i]) * UINT64_C(1099511628211);
	hash ^= hash >> 32;
	hash *= UINT64_C(0xD6E8FEB86659FD93);
	return (uint32_t) (hash >> 32);
}

static uint32_t
hash_pair(int32_t truth_key, int32_t predicted_key)
{
	uint64_t	hash = ((uint64_t) (uint32_t) truth_key << 32) |
		(uint32_t) predicted_key;

	hash = (hash ^ (hash >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
	hash = (hash ^ (hash >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
	return (uint32_t) (hash >> 32);
}

/* Allocate the first time, resize afterwards; NULL: refused, array kept. */
static void *
grown(GlHost *host, void *array, int64_t count, size_t item_size)
{
	return array == NULL ?
		gl_allocate(host, (size_t) count, item_size) :
		gl_resize(host, array, (size_t) count, item_size);
}

#define GROW(host, pointer, count) \
	do { \
		void	   *grown_ = grown((host), (pointer), (count), \
								   sizeof(*(pointer))); \
		if (grown_ == NULL) \
			return (host)->status; \
		(pointer) = grown_; \
	} while (0)

static int64_t
doubled(int64_t capacity)
{
	return capacity == 0 ? FIRST_ITEMS : capacity * 2;
}

static GlStatus
fail_too_many(GlHost *host, const char *what)
{
	return gl_fail(host, GL_ERR_TOO_LARGE,
				   "measures are limited to %lld different %s",
				   (long long) MOST_ITEMS, what);
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

static const char *
text_bytes(const LabelPairs *pairs, int64_t text, int64_t *count)
{
	*count = pairs->text_start[text + 1] - pairs->text_start[text];
	return pairs->bytes + pairs->text_start[text];
}

/* The number of a text, or -1. */
static int32_t
find_text(const LabelPairs *pairs, const char *bytes, int64_t count,
		  uint32_t hash)
{
	uint64_t	mask = (uint64_t) (pairs->text_slot_count - 1);

	if (pairs->text_slot_count == 0)
		return -1;
	for (uint64_t slot = hash & mask; pairs->text_slots[slot] != 0;
		 slot = (slot + 1) & mask)
	{
		int32_t		text = pairs->text_slots[slot] - 1;
		int64_t		text_count;
		const char *text_start = text_bytes(pairs, text, &text_count);

		if (pairs->text_hash[text] == hash && text_count == count &&
			(count == 0 || memcmp(text_start, bytes, (size_t) count) == 0))
			return text;
	}
	return -1;
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

/* Room for one more text number and its slot. */
static GlStatus
reserve_text(GlHost *host, LabelPairs *pairs)
{
	if (pairs->text_count == pairs->text_capacity)
	{
		int64_t		capacity = doubled(pairs->text_capacity);
		bool		first = pairs->text_start == NULL;

		if (capacity > MOST_ITEMS)
			return fail_too_many(host, "labels");
		GROW(host, pairs->text_start, capacity + 1);
		if (first)
			pairs->text_start[0] = 0;
		GROW(host, pairs->text_hash, capacity);
		pairs->text_capacity = (int32_t) capacity;
	}
	if (pairs->text_slot_count < 2 * (int64_t) pairs->text_capacity)
	{
		int64_t		slot_count = 2 * (int64_t) pairs->text_capacity;
		int32_t    *slots;

		GL_NEW_ZEROED(host, slots, slot_count);
		for (int64_t t = 0; t < pairs->text_count; t++)
			slot_insert(slots, slot_count, pairs->text_hash[t], t);
		gl_release(host, pairs->text_slots);
		pairs->text_slots = slots;
		pairs->text_slot_count = slot_count;
	}
	return GL_OK;
}

static GlStatus
reserve_bytes(GlHost *host, LabelPairs *pairs, int64_t more)
{
	int64_t		used = pairs->text_count == 0 ? 0 :
		pairs->text_start[pairs->text_count];
	size_t		needed;

	if (!gl_size_add((size_t) used, (size_t) more, &needed) ||
		needed > (size_t) INT64_MAX / 2)
		return gl_fail(host, GL_ERR_TOO_LARGE, "labels are too long");
	if ((int64_t) needed > pairs->byte_capacity)
	{
		int64_t		capacity = pairs->byte_capacity == 0 ? FIRST_BYTES :
			pairs->byte_capacity * 2;

		if (capacity < (int64_t) needed)
			capacity = (int64_t) needed;
		GROW(host, pairs->bytes, capacity);
		pairs->byte_capacity = capacity;
	}
	return GL_OK;
}

/* The number of a text, which is given one if it is new. */
static GlStatus
intern_text(GlHost *host, LabelPairs *pairs, const char *bytes,
			int64_t count, int32_t *number)
{
	uint32_t	hash = hash_bytes(bytes, count);
	int32_t		text = find_text(pairs, bytes, count, hash);

	GL_TRY(gl_work(host, count + 8));
	if (text < 0)
	{
		int64_t		start;

		GL_TRY(reserve_text(host, pairs));
		GL_TRY(reserve_bytes(host, pairs, count));
		text = pairs->text_count;
		start = pairs->text_start[text];
		if (count > 0)
			memcpy(pairs->bytes + start, bytes, (size_t) count);
		pairs->text_start[text + 1] = start + count;
		pairs->text_hash[text] = hash;
		slot_insert(pairs->text_slots, pairs->text_slot_count, hash, text);
		pairs->text_count++;
	}
	*number = text;
	return GL_OK;
}

static GlStatus
reserve_pair(GlHost *host, LabelPairs *pairs)
{
	if (pairs->pair_count == pairs->pair_capacity)
	{
		int64_t		capacity = doubled(pairs->pair_capacity);

		if (capacity > MOST_ITEMS)
			return fail_too_many(host, "pairs of labels");
		GROW(host, pairs->pairs, capacity);
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
	GL_TRY(intern_text(host, pairs, truth, truth_bytes, &truth_key));
	if (predicted != NULL)
		GL_TRY(intern_text(host, pairs, predicted, predicted_bytes,
						   &predicted_key));
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

static int
compare_texts(const LabelPairs *pairs, int32_t a, int32_t b)
{
	int64_t		a_count;
	int64_t		b_count;
	const char *a_bytes = text_bytes(pairs, a, &a_count);
	const char *b_bytes = text_bytes(pairs, b, &b_count);
	int64_t		shared = a_count < b_count ? a_count : b_count;
	int			order = shared == 0 ? 0 :
		memcmp(a_bytes, b_bytes, (size_t) shared);

	return order != 0 ? order : (a_count > b_count) - (a_count < b_count);
}

/* Merge two neighbouring sorted runs, [start, middle) and [middle, end). */
static GlStatus
merge_runs(GlHost *host, const LabelPairs *pairs, const int32_t *from,
		   int32_t *to, int64_t start, int64_t middle, int64_t end)
{
	int64_t		left = start;
	int64_t		right = middle;

	for (int64_t i = start; i < end; i++)
	{
		GL_TRY(gl_work(host, 16));
		if (right == end ||
			(left < middle &&
			 compare_texts(pairs, from[left], from[right]) < 0))
			to[i] = from[left++];
		else
			to[i] = from[right++];
	}
	return GL_OK;
}

/*
 * rank[t]: the place of text t in byte order.  Bottom-up merge sort, because
 * the C library's sort can neither poll nor promise its worst case.
 */
static GlStatus
rank_texts(GlHost *host, const LabelPairs *pairs, int32_t *rank)
{
	int64_t		count = pairs->text_count;
	int64_t		middle;
	int64_t		end;
	int32_t    *order;
	int32_t    *spare;

	GL_NEW(host, order, count);
	GL_NEW(host, spare, count);
	for (int64_t t = 0; t < count; t++)
		order[t] = (int32_t) t;
	for (int64_t width = 1; width < count; width *= 2)
	{
		int32_t    *swap = order;

		for (int64_t start = 0; start < count; start += 2 * width)
		{
			middle = start + width < count ? start + width : count;
			end = middle + width < count ? middle + width : count;
			GL_TRY(merge_runs(host, pairs, order, spare, start, middle, end));
		}
		order = spare;
		spare = swap;
	}
	for (int64_t t = 0; t < count; t++)
		rank[order[t]] = (int32_t) t;
	gl_release(host, spare);
	gl_release(host, order);
	return GL_OK;
}

GlStatus
label_pairs_table(GlHost *host, const LabelPairs *pairs, Contingency *table)
{
	int32_t    *rank;
	ContingencyPair *ranked;

	memset(table, 0, sizeof(*table));
	GL_NEW(host, rank, pairs->text_count);
	GL_NEW(host, ranked, pairs->pair_count);
	GL_TRY(rank_texts(host, pairs, rank));
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
	gl_release(host, pairs->text_start);
	gl_release(host, pairs->text_hash);
	gl_release(host, pairs->bytes);
	gl_release(host, pairs->text_slots);
	gl_release(host, pairs->pairs);
	gl_release(host, pairs->pair_slots);
	memset(pairs, 0, sizeof(*pairs));
}

GlStatus
label_pairs_check(GlHost *host, const LabelPairs *pairs)
{
	bool		valid = pairs->text_count <= pairs->text_capacity &&
		pairs->pair_count <= pairs->pair_capacity &&
		(pairs->text_count == 0 || pairs->text_start[0] == 0);

	for (int32_t t = 0; valid && t < pairs->text_count; t++)
	{
		int64_t		count;
		const char *bytes = text_bytes(pairs, t, &count);

		valid = count >= 0 &&
			pairs->text_start[t + 1] <= pairs->byte_capacity &&
			find_text(pairs, bytes, count, hash_bytes(bytes, count)) == t;
		GL_TRY(gl_work(host, 8));
	}
	for (int64_t p = 0; valid && p < pairs->pair_count; p++)
	{
		const ContingencyPair *pair = &pairs->pairs[p];

		valid = pair->count > 0 && pair->truth_key >= 0 &&
			pair->truth_key < pairs->text_count &&
			pair->predicted_key >= CONTINGENCY_NO_ANSWER &&
			pair->predicted_key < pairs->text_count &&
			find_pair(pairs, pair->truth_key, pair->predicted_key,
					  hash_pair(pair->truth_key,
								pair->predicted_key)) == p;
		GL_TRY(gl_work(host, 8));
	}
	if (!valid)
		return gl_fail(host, GL_ERR_CORRUPT, "label pairs are corrupt");
	return GL_OK;
}
