/*
 * compressed_rows.c
 *		Sort, transpose and merge sparse rows.
 *
 * Scanning rows in order and appending to their columns yields a transpose
 * whose rows are sorted already, so symmetrising is one counting pass and one
 * merge per row.
 */
#include "graph/compressed_rows.h"

#include <math.h>
#include <string.h>

void
compressed_rows_release(GlHost *host, CompressedRows *rows)
{
	gl_release(host, rows->row_start);
	gl_release(host, rows->column);
	gl_release(host, rows->value);
	memset(rows, 0, sizeof(*rows));
}

/* Heap sort of one row by column: in place, O(k log k) whatever the order. */
static void
sort_row(int32_t *column, double *value, int64_t count)
{
	for (int64_t start = count / 2, end = count; end > 1;)
	{
		int64_t		root;
		int32_t		held_column;
		double		held_value;

		if (start > 0)
			root = --start;
		else
		{
			end--;
			held_column = column[end];
			held_value = value[end];
			column[end] = column[0];
			value[end] = value[0];
			column[0] = held_column;
			value[0] = held_value;
			root = 0;
		}
		held_column = column[root];
		held_value = value[root];
		for (int64_t child = 2 * root + 1; child < end; child = 2 * root + 1)
		{
			if (child + 1 < end && column[child + 1] > column[child])
				child++;
			if (column[child] <= held_column)
				break;
			column[root] = column[child];
			value[root] = value[child];
			root = child;
		}
		column[root] = held_column;
		value[root] = held_value;
	}
}

GlStatus
compressed_rows_from_lists(GlHost *host, NeighbourLists *lists,
						   bool keep_zeros, CompressedRows *out)
{
	CompressedRows rows = {
		.row_count = lists->row_count,
		.column = lists->neighbour,
		.value = lists->squared_distance
	};
	int64_t		filled = 0;

	memset(out, 0, sizeof(*out));
	GL_NEW(host, rows.row_start, lists->row_count + 1);
	for (int64_t i = 0; i < lists->row_count; i++)
	{
		int64_t		start = i * lists->k;

		GL_TRY(gl_work(host, 8 * (int64_t) lists->k + 1));
		rows.row_start[i] = filled;
		sort_row(rows.column + start, rows.value + start, lists->k);
		for (int64_t e = start; e < start + lists->k; e++)
			if (keep_zeros || rows.value[e] > 0)
			{
				rows.column[filled] = rows.column[e];
				rows.value[filled++] = rows.value[e];
			}
	}
	rows.row_start[lists->row_count] = filled;
	memset(lists, 0, sizeof(*lists));
	*out = rows;
	return GL_OK;
}

/* Turn per-row counts, held one place on, into starts. */
static void
accumulate(int64_t *row_start, int64_t row_count)
{
	for (int64_t i = 0; i < row_count; i++)
		row_start[i + 1] += row_start[i];
}

/* Room for the entries that row_start promises. */
static GlStatus
allocate_entries(GlHost *host, CompressedRows *rows)
{
	int64_t		count = rows->row_start[rows->row_count];

	GL_NEW(host, rows->column, count);
	GL_NEW(host, rows->value, count);
	return GL_OK;
}

static GlStatus
transpose(GlHost *host, const CompressedRows *rows, CompressedRows *out)
{
	int64_t		n = rows->row_count;
	int64_t		entries = rows->row_start[n];
	int64_t    *next;

	out->row_count = n;
	GL_NEW_ZEROED(host, out->row_start, n + 1);
	for (int64_t e = 0; e < entries; e++)
	{
		GL_TRY(gl_work(host, 1));
		out->row_start[rows->column[e] + 1]++;
	}
	accumulate(out->row_start, n);
	GL_TRY(allocate_entries(host, out));
	GL_NEW(host, next, n);
	memcpy(next, out->row_start, (size_t) n * sizeof(int64_t));
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 4 * (rows->row_start[i + 1] -
								  rows->row_start[i] + 1)));
		for (int64_t e = rows->row_start[i]; e < rows->row_start[i + 1]; e++)
		{
			int64_t		place = next[rows->column[e]]++;

			out->column[place] = (int32_t) i;
			out->value[place] = rows->value[e];
		}
	}
	gl_release(host, next);
	return GL_OK;
}

/* The merged value of a and b; has_a or has_b says which are present. */
static double
merge_values(GraphSymmetry symmetry, bool lengths, bool has_a, double a,
			 bool has_b, double b)
{
	if (lengths)
		return has_a ? a : b;
	if (symmetry == SYMMETRY_SUM)
		return ((has_a ? a : 0) + (has_b ? b : 0)) / 2;
	if (has_a && has_b)
		return symmetry == SYMMETRY_UNION ? fmax(a, b) : fmin(a, b);
	return has_a ? a : b;
}

/*
 * Merge row i of a and b into out, or only count if out is NULL; returns the
 * number of merged entries.
 */
static int64_t
merge_row(const CompressedRows *a, const CompressedRows *b, int64_t i,
		  GraphSymmetry symmetry, bool lengths, CompressedRows *out)
{
	int64_t		p = a->row_start[i];
	int64_t		q = b->row_start[i];
	int64_t		p_end = a->row_start[i + 1];
	int64_t		q_end = b->row_start[i + 1];
	int64_t		count = 0;

	while (p < p_end || q < q_end)
	{
		int32_t		column_a = p < p_end ? a->column[p] : INT32_MAX;
		int32_t		column_b = q < q_end ? b->column[q] : INT32_MAX;
		int32_t		column = column_a < column_b ? column_a : column_b;
		bool		has_a = p < p_end && column_a == column;
		bool		has_b = q < q_end && column_b == column;

		if (symmetry != SYMMETRY_MUTUAL || (has_a && has_b))
		{
			if (out != NULL)
			{
				int64_t		place = out->row_start[i] + count;

				out->column[place] = column;
				out->value[place] =
					merge_values(symmetry, lengths, has_a,
								 has_a ? a->value[p] : 0, has_b,
								 has_b ? b->value[q] : 0);
			}
			count++;
		}
		p += has_a;
		q += has_b;
	}
	return count;
}

GlStatus
compressed_rows_symmetrise(GlHost *host, CompressedRows *rows,
						   GraphSymmetry symmetry, bool lengths,
						   CompressedRows *out)
{
	int64_t		n = rows->row_count;
	CompressedRows mirror = {0};
	CompressedRows merged = {.row_count = n};

	memset(out, 0, sizeof(*out));
	GL_TRY(transpose(host, rows, &mirror));
	GL_NEW_ZEROED(host, merged.row_start, n + 1);
	for (int pass = 0; pass < 2; pass++)
	{
		for (int64_t i = 0; i < n; i++)
		{
			int64_t		count = merge_row(rows, &mirror, i, symmetry, lengths,
										  pass == 0 ? NULL : &merged);

			GL_TRY(gl_work(host, 4 * count + 4));
			if (pass == 0)
				merged.row_start[i + 1] = count;
		}
		if (pass == 0)
		{
			accumulate(merged.row_start, n);
			GL_TRY(allocate_entries(host, &merged));
		}
	}
	compressed_rows_release(host, &mirror);
	compressed_rows_release(host, rows);
	*out = merged;
	return GL_OK;
}

GlStatus
compressed_rows_from_pairs(GlHost *host, int64_t row_count,
						   int64_t pair_count, const int32_t *source,
						   const int32_t *target, const double *value,
						   CompressedRows *out)
{
	CompressedRows rows = {.row_count = row_count};
	int64_t    *next;

	memset(out, 0, sizeof(*out));
	GL_NEW_ZEROED(host, rows.row_start, row_count + 1);
	for (int64_t e = 0; e < pair_count; e++)
	{
		GL_TRY(gl_work(host, 2));
		rows.row_start[source[e] + 1]++;
		if (target[e] != source[e])
			rows.row_start[target[e] + 1]++;
	}
	accumulate(rows.row_start, row_count);
	GL_TRY(allocate_entries(host, &rows));
	GL_NEW(host, next, row_count);
	memcpy(next, rows.row_start, (size_t) row_count * sizeof(int64_t));

	/*
	 * Lower neighbours first: pairs are sorted by source, so each row sees
	 * its smaller partners in ascending order; then its larger ones.
	 */
	for (int64_t e = 0; e < pair_count; e++)
		if (target[e] != source[e])
		{
			int64_t		place = next[target[e]]++;

			GL_TRY(gl_work(host, 4));
			rows.column[place] = source[e];
			rows.value[place] = value[e];
		}
	for (int64_t e = 0; e < pair_count; e++)
	{
		int64_t		place = next[source[e]]++;

		GL_TRY(gl_work(host, 4));
		rows.column[place] = target[e];
		rows.value[place] = value[e];
	}
	gl_release(host, next);
	*out = rows;
	return GL_OK;
}
