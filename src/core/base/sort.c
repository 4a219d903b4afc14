/*
 * sort.c
 *		Least-significant-digit radix sort of 64-bit keys with their positions.
 *
 * One pass over the keys counts all eight bytes at once; a byte in which all
 * keys agree needs no pass, so ids 1 .. 10^6 cost three.
 */
#include "base/sort.h"

#include <string.h>

#define DIGITS		8
#define BUCKETS		256

typedef struct SortItem
{
	uint64_t	key;
	int32_t		position;
} SortItem;

int64_t
gl_sort_key(double value)
{
	int64_t		bits;

	value += 0.0;				/* -0.0 becomes 0.0 */
	memcpy(&bits, &value, sizeof(bits));
	return bits < 0 ? bits ^ INT64_MAX : bits;
}

static GlStatus
scatter_digit(GlHost *host, const SortItem *from, SortItem *to,
			  int64_t count, int digit, const int64_t *histogram)
{
	int64_t		start[BUCKETS];
	int64_t		sum = 0;

	for (int b = 0; b < BUCKETS; b++)
	{
		start[b] = sum;
		sum += histogram[b];
	}
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 4));
		to[start[(from[i].key >> (8 * digit)) & 0xFF]++] = from[i];
	}
	return GL_OK;
}

GlStatus
gl_sort_order(GlHost *host, const int64_t *keys, int64_t count,
			  int32_t *order)
{
	SortItem   *items;
	SortItem   *spare;
	int64_t		(*histogram)[BUCKETS];

	GL_NEW(host, items, count);
	GL_NEW(host, spare, count);
	GL_NEW_ZEROED(host, histogram, DIGITS);

	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, DIGITS));
		/* flip the sign bit: negative keys sort first as unsigned numbers */
		items[i].key = (uint64_t) keys[i] ^ (UINT64_C(1) << 63);
		items[i].position = (int32_t) i;
		for (int digit = 0; digit < DIGITS; digit++)
			histogram[digit][(items[i].key >> (8 * digit)) & 0xFF]++;
	}
	for (int digit = 0; digit < DIGITS && count > 0; digit++)
	{
		SortItem   *swap = items;

		if (histogram[digit][(items[0].key >> (8 * digit)) & 0xFF] == count)
			continue;
		GL_TRY(scatter_digit(host, items, spare, count, digit,
							 histogram[digit]));
		items = spare;
		spare = swap;
	}
	for (int64_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 1));
		order[i] = items[i].position;
	}
	gl_release(host, histogram);
	gl_release(host, spare);
	gl_release(host, items);
	return GL_OK;
}
