/*
 * block_row_field.c
 *		Sums of a field up the trees, and its value at a new row.
 */
#include "graph/block_row_field.h"

#include <string.h>

/* Where the sums of a node are: kept ones, or a row of the field itself. */
static const double *
field_at(const BlockRowIndex *index, const BlockRowField *field, int32_t t,
		 int32_t node)
{
	int64_t		inner_count = index->block->graph.node_count - 1;

	if (node < inner_count)
		return field->sums + (t * inner_count + node) * field->columns;
	return field->values + field->columns *
		(int64_t) index->block->trees[t].tree.leaf_row[node - inner_count];
}

GlStatus
block_row_field_begin(GlHost *host, const BlockRowIndex *index,
					  const double *values, int32_t columns,
					  BlockRowField *out)
{
	BlockRowField field = {.values = values, .columns = columns};
	int32_t		tree_count = index->tree_count;
	int32_t		inner_count = (int32_t) index->block->graph.node_count - 1;

	memset(out, 0, sizeof(*out));
	field.sums = gl_allocate(host, (size_t) tree_count * (size_t) inner_count,
							 (size_t) columns * sizeof(double));
	if (field.sums == NULL)
		return host->status;
	for (int32_t t = 0; t < tree_count; t++)
	{
		const TreeLinks *links = &index->block->trees[t].links;

		for (int32_t p = inner_count - 1; p >= 0; p--)
		{
			const double *left = field_at(index, &field, t, links->left[p]);
			const double *right = field_at(index, &field, t,
										   links->right[p]);
			double	   *sum = field.sums +
				((int64_t) t * inner_count + p) * columns;

			GL_TRY(gl_work(host, columns));
			for (int32_t c = 0; c < columns; c++)
				sum[c] = left[c] + right[c];
		}
	}
	*out = field;
	return GL_OK;
}

void
block_row_field_end(GlHost *host, BlockRowField *field)
{
	gl_release(host, field->sums);
	memset(field, 0, sizeof(*field));
}

GlStatus
block_row_apply(GlHost *host, const BlockRowIndex *index, const BlockRow *row,
				const BlockRowField *field, double *value)
{
	for (int32_t c = 0; c < field->columns; c++)
		value[c] = 0;
	for (int64_t e = 0; e < row->entry_count; e++)
	{
		const RowEntry *entry = &row->entries[e];
		const double *sum = field_at(index, field, entry->tree, entry->node);

		GL_TRY(gl_work(host, field->columns));
		for (int32_t c = 0; c < field->columns; c++)
			value[c] += entry->probability * sum[c];
	}
	return GL_OK;
}
