/*
 * text_table.c
 *		A hash table of texts, and a merge sort of them.
 *
 * Open addressing with linear probing over an array of numbers; the texts
 * themselves lie in a dense array in order of arrival.  Capacities double, so
 * the sum of all moves is linear.
 */
#include "base/text_table.h"

#include <string.h>

#include "base/checked.h"

#define FIRST_TEXTS		4
#define FIRST_BYTES		32

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

/* Put a text into the first free slot of its probe sequence. */
static void
insert(int32_t *slots, int64_t slot_count, uint32_t hash, int32_t number)
{
	uint64_t	slot = hash & (uint64_t) (slot_count - 1);

	while (slots[slot] != 0)
		slot = (slot + 1) & (uint64_t) (slot_count - 1);
	slots[slot] = number + 1;
}

/* The number of a text, or -1. */
static int32_t
find(const TextTable *table, const char *bytes, int64_t count, uint32_t hash)
{
	uint64_t	mask = (uint64_t) (table->slot_count - 1);

	if (table->slot_count == 0)
		return -1;
	for (uint64_t slot = hash & mask; table->slots[slot] != 0;
		 slot = (slot + 1) & mask)
	{
		int32_t		number = table->slots[slot] - 1;
		int64_t		text_count;
		const char *text = text_table_get(table, number, &text_count);

		if (table->hash[number] == hash && text_count == count &&
			(count == 0 || memcmp(text, bytes, (size_t) count) == 0))
			return number;
	}
	return -1;
}

/* Room for one more text and its slot. */
static GlStatus
reserve_text(GlHost *host, TextTable *table)
{
	if (table->count == table->capacity)
	{
		int64_t		capacity = table->capacity == 0 ? FIRST_TEXTS :
			2 * (int64_t) table->capacity;
		bool		first = table->start == NULL;

		if (capacity > TEXT_TABLE_MAX)
			return gl_fail(host, GL_ERR_TOO_LARGE,
						   "more than %lld different labels",
						   (long long) TEXT_TABLE_MAX);
		GROW(host, table->start, capacity + 1);
		if (first)
			table->start[0] = 0;
		GROW(host, table->hash, capacity);
		table->capacity = (int32_t) capacity;
	}
	if (table->slot_count < 2 * (int64_t) table->capacity)
	{
		int64_t		slot_count = 2 * (int64_t) table->capacity;
		int32_t    *slots;

		GL_NEW_ZEROED(host, slots, slot_count);
		for (int32_t t = 0; t < table->count; t++)
		{
			GL_TRY(gl_work(host, 4));
			insert(slots, slot_count, table->hash[t], t);
		}
		gl_release(host, table->slots);
		table->slots = slots;
		table->slot_count = slot_count;
	}
	return GL_OK;
}

static GlStatus
reserve_bytes(GlHost *host, TextTable *table, int64_t more)
{
	int64_t		used = table->count == 0 ? 0 : table->start[table->count];
	size_t		needed;

	if (!gl_size_add((size_t) used, (size_t) more, &needed) ||
		needed > (size_t) INT64_MAX / 2)
		return gl_fail(host, GL_ERR_TOO_LARGE, "labels are too long");
	if ((int64_t) needed > table->byte_capacity)
	{
		int64_t		capacity = table->byte_capacity == 0 ? FIRST_BYTES :
			table->byte_capacity * 2;

		if (capacity < (int64_t) needed)
			capacity = (int64_t) needed;
		GROW(host, table->bytes, capacity);
		table->byte_capacity = capacity;
	}
	return GL_OK;
}

GlStatus
text_table_number(GlHost *host, TextTable *table, const char *bytes,
				  int64_t count, int32_t *number)
{
	uint32_t	hash = hash_bytes(bytes, count);
	int32_t		text = find(table, bytes, count, hash);

	GL_TRY(gl_work(host, count + 8));
	if (text < 0)
	{
		int64_t		start;

		GL_TRY(reserve_text(host, table));
		GL_TRY(reserve_bytes(host, table, count));
		text = table->count;
		start = table->start[text];
		if (count > 0)
			memcpy(table->bytes + start, bytes, (size_t) count);
		table->start[text + 1] = start + count;
		table->hash[text] = hash;
		insert(table->slots, table->slot_count, hash, text);
		table->count++;
	}
	*number = text;
	return GL_OK;
}

int
text_order_bytes(const char *a, int64_t a_count, const char *b,
				 int64_t b_count)
{
	int64_t		shared = a_count < b_count ? a_count : b_count;
	int			order = shared == 0 ? 0 : memcmp(a, b, (size_t) shared);

	return order != 0 ? order : (a_count > b_count) - (a_count < b_count);
}

static int
compare(const TextTable *table, TextOrder order, int32_t a, int32_t b)
{
	int64_t		a_count;
	int64_t		b_count;
	const char *a_bytes = text_table_get(table, a, &a_count);
	const char *b_bytes = text_table_get(table, b, &b_count);

	return order(a_bytes, a_count, b_bytes, b_count);
}

/* Merge two neighbouring sorted runs, [start, middle) and [middle, end). */
static GlStatus
merge_runs(GlHost *host, const TextTable *table, TextOrder order,
		   const int32_t *from, int32_t *to, int64_t start, int64_t middle,
		   int64_t end)
{
	int64_t		left = start;
	int64_t		right = middle;

	for (int64_t i = start; i < end; i++)
	{
		GL_TRY(gl_work(host, 16));
		if (right == end ||
			(left < middle &&
			 compare(table, order, from[left], from[right]) < 0))
			to[i] = from[left++];
		else
			to[i] = from[right++];
	}
	return GL_OK;
}

/*
 * Bottom-up merge sort, because the C library's sort can neither poll nor
 * promise its worst case.
 */
GlStatus
text_table_rank(GlHost *host, const TextTable *table, TextOrder order,
				int32_t *rank)
{
	int64_t		count = table->count;
	int64_t		middle;
	int64_t		end;
	int32_t    *sorted;
	int32_t    *spare;

	GL_NEW(host, sorted, count);
	GL_NEW(host, spare, count);
	for (int64_t t = 0; t < count; t++)
		sorted[t] = (int32_t) t;
	for (int64_t width = 1; width < count; width *= 2)
	{
		int32_t    *swap = sorted;

		for (int64_t start = 0; start < count; start += 2 * width)
		{
			middle = start + width < count ? start + width : count;
			end = middle + width < count ? middle + width : count;
			GL_TRY(merge_runs(host, table, order, sorted, spare, start,
							  middle, end));
		}
		sorted = spare;
		spare = swap;
	}
	for (int64_t t = 0; t < count; t++)
		rank[sorted[t]] = (int32_t) t;
	gl_release(host, spare);
	gl_release(host, sorted);
	return GL_OK;
}

void
text_table_release(GlHost *host, TextTable *table)
{
	gl_release(host, table->start);
	gl_release(host, table->hash);
	gl_release(host, table->bytes);
	gl_release(host, table->slots);
	memset(table, 0, sizeof(*table));
}

GlStatus
text_table_check(GlHost *host, const TextTable *table)
{
	bool		valid = table->count <= table->capacity &&
		(table->count == 0 || table->start[0] == 0);

	for (int32_t t = 0; valid && t < table->count; t++)
	{
		int64_t		count;
		const char *bytes = text_table_get(table, t, &count);

		valid = count >= 0 && table->start[t + 1] <= table->byte_capacity &&
			find(table, bytes, count, hash_bytes(bytes, count)) == t;
		GL_TRY(gl_work(host, 8));
	}
	if (!valid)
		return gl_fail(host, GL_ERR_CORRUPT, "a table of texts is corrupt");
	return GL_OK;
}
