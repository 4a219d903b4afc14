/*
 * column_block.c
 *		Copy a few columns out of a wide array and back.
 */
#include "learn/column_block.h"

#include <string.h>

void
column_block_begin(int64_t row_count, int32_t columns, ColumnBlock *block)
{
	*block = (ColumnBlock) {.row_count = row_count, .columns = columns};
}

bool
column_block_next(ColumnBlock *block)
{
	block->first += block->width;
	block->width = column_block_width(block->columns - block->first);
	return block->width > 0;
}

GlStatus
column_block_take(GlHost *host, const ColumnBlock *block, double *array,
				  double *room, double **out)
{
	int32_t		width = block->width;

	*out = column_block_is_all(block) ? array : room;
	if (*out == array)
		return GL_OK;
	for (int64_t i = 0; i < block->row_count; i++)
	{
		GL_TRY(gl_work(host, width));
		memcpy(room + i * width, array + i * block->columns + block->first,
			   (size_t) width * sizeof(double));
	}
	return GL_OK;
}

GlStatus
column_block_put(GlHost *host, const ColumnBlock *block,
				 const double *columns, double *array)
{
	int32_t		width = block->width;

	if (columns == array)
		return GL_OK;
	for (int64_t i = 0; i < block->row_count; i++)
	{
		GL_TRY(gl_work(host, width));
		memcpy(array + i * block->columns + block->first,
			   columns + i * width, (size_t) width * sizeof(double));
	}
	return GL_OK;
}
