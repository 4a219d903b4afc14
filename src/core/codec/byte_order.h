/*
 * byte_order.h
 *		Moving numbers between this machine's byte order and a stated one.
 *
 * Reads:	numbers of 1, 2, 4 or 8 bytes, at any address.
 * Yields:	the same numbers in the other order; the copy is its own inverse,
 *			so the reader and the writer share it.
 */
#ifndef BYTE_ORDER_H
#define BYTE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef enum ByteOrder
{
	BYTE_ORDER_HOST,			/* as this machine computes */
	BYTE_ORDER_NETWORK			/* most significant byte first */
} ByteOrder;

/* Array work between two polls; a multiple of every item width. */
#define BYTE_ORDER_BLOCK	((size_t) 64 * 1024)

static inline bool
byte_order_reverses(ByteOrder order)
{
	return order == BYTE_ORDER_NETWORK &&
		__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
}

/*
 * Copy count items between the host's order and `order`.  The areas do not
 * overlap and need no alignment.  The fixed-size memcpy calls become single
 * loads and stores, and the loops vectorise.
 */
static inline void
byte_order_copy(ByteOrder order, void *to, const void *from, size_t width,
				size_t count)
{
	unsigned char *target = to;
	const unsigned char *source = from;

	if (count == 0)
		return;
	if (width == 1 || !byte_order_reverses(order))
		memcpy(target, source, width * count);
	else if (width == 2)
	{
		uint16_t	item;

		for (size_t i = 0; i < count; i++)
		{
			memcpy(&item, source + 2 * i, 2);
			item = __builtin_bswap16(item);
			memcpy(target + 2 * i, &item, 2);
		}
	}
	else if (width == 4)
	{
		uint32_t	item;

		for (size_t i = 0; i < count; i++)
		{
			memcpy(&item, source + 4 * i, 4);
			item = __builtin_bswap32(item);
			memcpy(target + 4 * i, &item, 4);
		}
	}
	else
	{
		uint64_t	item;

		for (size_t i = 0; i < count; i++)
		{
			memcpy(&item, source + 8 * i, 8);
			item = __builtin_bswap64(item);
			memcpy(target + 8 * i, &item, 8);
		}
	}
}

#endif							/* BYTE_ORDER_H */
