/*
 * column_block.h
 *		A few columns of a wide array at a time, by themselves in memory.
 *
 * A product with a graph gathers rows from all over its input.  Of an array
 * with hundreds of columns no cache holds them; of a copy of a few columns it
 * may.  An array of no more than COLUMN_BLOCK_WIDTH columns is its own block,
 * and nothing is copied.
 */
#ifndef COLUMN_BLOCK_H
#define COLUMN_BLOCK_H

#include "base/host.h"

/* A cache line of each row; 16 and 32 were slower at 10^5 rows. */
#define COLUMN_BLOCK_WIDTH	8

/* The columns [first, first + width) of row-major arrays. */
typedef struct ColumnBlock
{
	int64_t		row_count;
	int32_t		columns;		/* of the whole array */
	int32_t		first;
	int32_t		width;
} ColumnBlock;

/* How wide the widest block is: the room it needs is that times rows. */
static inline int32_t
column_block_width(int32_t columns)
{
	return columns < COLUMN_BLOCK_WIDTH ? columns : COLUMN_BLOCK_WIDTH;
}

/* Is the whole array one block? */
static inline bool
column_block_is_all(const ColumnBlock *block)
{
	return block->width == block->columns;
}

/* Before the first block: for (begin; next;) { ... } */
extern void column_block_begin(int64_t row_count, int32_t columns,
							   ColumnBlock *block);

/* Go to the next block; false after the last one. */
extern bool column_block_next(ColumnBlock *block);

/*
 * *out <- the block's columns of array: the array itself if they are all it
 * has, else a copy in room.  O(rows * width).
 */
extern GlStatus column_block_take(GlHost *host, const ColumnBlock *block,
								  double *array, double *room, double **out);

/* Write columns that have been worked on back, where they are a copy. */
extern GlStatus column_block_put(GlHost *host, const ColumnBlock *block,
								 const double *columns, double *array);

#endif							/* COLUMN_BLOCK_H */
