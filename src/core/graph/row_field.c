/*
 * row_field.c
 *		Sum a field over the row of a new point.
 */
#include "graph/row_field.h"

#include <string.h>

#include "graph/normalised.h"

static bool
is_block_graph(const Graph *graph)
{
	return graph->recipe.kind == GRAPH_BLOCKS;
}

static GlStatus
begin_blocks(GlHost *host, RowField *field)
{
	const double *values = field->values;

	/* a block graph embeds the graph as its first member */
	GL_TRY(block_row_begin(host, (const BlockGraph *) field->graph,
						   &field->blocks));
	if (field->row_factor != NULL)
	{
		int64_t		n = field->graph->node_count;

		field->scaled = gl_allocate(host, (size_t) n,
									(size_t) field->columns * sizeof(double));
		if (field->scaled == NULL)
			return host->status;
		GL_TRY(normalised_scale_rows(host, field->row_factor, n,
									 field->columns, values, field->scaled));
		values = field->scaled;
	}
	return block_row_field_begin(host, &field->blocks, values,
								 field->columns, &field->sums);
}

GlStatus
row_field_begin(GlHost *host, const Graph *graph, const double *values,
				const double *row_factor, int32_t columns, RowField *out)
{
	memset(out, 0, sizeof(*out));
	GL_TRY(new_row_require(host, graph));
	/* stored numbers are believed only after a look: see value_view() */
	GL_TRY(point_set_check(host, graph->points));
	out->graph = graph;
	out->values = values;
	out->row_factor = row_factor;
	out->columns = columns;
	if (is_block_graph(graph))
		return begin_blocks(host, out);
	return new_row_begin(host, graph, &out->neighbours);
}

void
row_field_end(GlHost *host, RowField *field)
{
	if (is_block_graph(field->graph))
	{
		block_row_field_end(host, &field->sums);
		block_row_end(host, &field->blocks);
		gl_release(host, field->scaled);
	}
	else
		new_row_end(host, &field->neighbours);
	memset(field, 0, sizeof(*field));
}

static GlStatus
sum_neighbours(GlHost *host, RowField *field, const double *features,
			   int64_t feature_count, int32_t exclude, double *value,
			   RowFieldReport *report)
{
	int32_t		columns = field->columns;
	const GraphEntry *entries;
	int64_t		count;

	GL_TRY(new_row_query(host, &field->neighbours, features, feature_count,
						 exclude, &entries, &count));
	for (int32_t c = 0; c < columns; c++)
		value[c] = 0;
	for (int64_t e = 0; e < count; e++)
	{
		int32_t		node = entries[e].node;
		const double *row = field->values + (int64_t) node * columns;
		double		weight = entries[e].value *
			(field->row_factor != NULL ? field->row_factor[node] : 1);

		GL_TRY(gl_work(host, columns));
		for (int32_t c = 0; c < columns; c++)
			value[c] += weight * row[c];
	}
	report->node_count = report->entry_count = count;
	return GL_OK;
}

static GlStatus
sum_blocks(GlHost *host, RowField *field, const double *features,
		   int64_t feature_count, int32_t exclude, double tolerance,
		   double *value, RowFieldReport *report)
{
	BlockRow	row;

	GL_TRY(block_row_query(host, &field->blocks, features, feature_count,
						   exclude, tolerance, &row));
	report->node_count = row.node_count;
	report->entry_count = row.entry_count;
	return block_row_apply(host, &field->blocks, &row, &field->sums, value);
}

GlStatus
row_field_query(GlHost *host, RowField *field, const double *features,
				int64_t feature_count, int32_t exclude, double tolerance,
				double *value, RowFieldReport *report)
{
	RowFieldReport unused;

	if (report == NULL)
		report = &unused;
	if (is_block_graph(field->graph))
		return sum_blocks(host, field, features, feature_count, exclude,
						  tolerance, value, report);
	return sum_neighbours(host, field, features, feature_count, exclude,
						  value, report);
}
