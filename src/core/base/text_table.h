/*
 * text_table.h
 *		Distinct texts, each kept once and numbered as it arrives.
 *
 * Reads:	byte strings, in any order, any number of times.
 * Yields:	a number per distinct text, and their order.
 *
 * The table grows with what differs, not with what was seen, and starts at a
 * few hundred bytes.  Begin with a zeroed struct.
 *
 * Invariants, checked by text_table_check():
 *	 X1	texts lie end to end: start[0] = 0, non-decreasing
 *	 X2	every text is found under its hash, and under one number only
 */
#ifndef TEXT_TABLE_H
#define TEXT_TABLE_H

#include "base/host.h"

/* No more texts than this in one table. */
#define TEXT_TABLE_MAX		((int64_t) 1 << 30)

typedef struct TextTable
{
	int32_t		count;
	int32_t		capacity;
	int64_t    *start;			/* capacity + 1 offsets into bytes */
	uint32_t   *hash;
	char	   *bytes;
	int64_t		byte_capacity;
	int32_t    *slots;			/* open addressing: number + 1, 0 is free */
	int64_t		slot_count;		/* a power of 2, at least half free */
} TextTable;

/*
 * The number of a text, a new one if it is new; then it is copied.
 * GL_ERR_MEMORY, or GL_ERR_TOO_LARGE beyond TEXT_TABLE_MAX texts; after a
 * failure the table is as it was.  O(bytes) amortised.
 */
extern GlStatus text_table_number(GlHost *host, TextTable *table,
								  const char *bytes, int64_t count,
								  int32_t *number);

/* The bytes of a text, and how many. */
static inline const char *
text_table_get(const TextTable *table, int32_t number, int64_t *count)
{
	*count = table->start[number + 1] - table->start[number];
	return table->bytes + table->start[number];
}

/* < 0, 0 or > 0; a total order. */
typedef int (*TextOrder) (const char *a, int64_t a_count, const char *b,
						  int64_t b_count);

/* The order of bytes. */
extern int	text_order_bytes(const char *a, int64_t a_count, const char *b,
							 int64_t b_count);

/*
 * rank[number]: the place of every text in an order.  O(count log count)
 * comparisons, 8 bytes a text while running.
 */
extern GlStatus text_table_rank(GlHost *host, const TextTable *table,
								TextOrder order, int32_t *rank);

extern void text_table_release(GlHost *host, TextTable *table);

/* Verify X1 and X2; GL_ERR_CORRUPT if violated. */
extern GlStatus text_table_check(GlHost *host, const TextTable *table);

#endif							/* TEXT_TABLE_H */
