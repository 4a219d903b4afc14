/*
 * row_order.c
 *		Sort rows from the first column on, run by run.
 *
 * All rows are one run.  A long run is sorted by its first column with the
 * radix sort and falls apart into runs of rows that agree in it, which are
 * sorted by the second column, and so on; a short run is sorted by comparing
 * whole rows.  After the columns comes the number beside the row.  The runs
 * of one column are a list, so that nothing recurses as deep as a row is
 * wide.  Both sorts are stable.
 */
#include "points/row_order.h"

#include <string.h>

#include "base/sort.h"
#include "points/distance.h"

/* Below this comparing is cheaper than the radix sort's tables. */
#define SHORT_RUN	32

/* Ranks start .. end - 1, equal in all columns before the current one. */
typedef struct Run
{
	int32_t		start;
	int32_t		end;
} Run;

typedef struct RowSorter
{
	const PointMatrix *points;
	const int32_t *tie;
	int32_t    *row;			/* the order so far */
	int64_t    *keys;			/* n */
	int32_t    *sorted;			/* n */
	Run		   *runs;			/* of this column */
	Run		   *next_runs;		/* of the next */
	int64_t		run_count;
	int64_t		next_count;
} RowSorter;

/* The key of a row in a column; the number beside it is column d. */
static int64_t
column_key(const RowSorter *sorter, int32_t row, int32_t column)
{
	const PointMatrix *points = sorter->points;

	if (column == points->dimension_count)
		return sorter->tie == NULL ? 0 : sorter->tie[row];
	if (points->scalar == SCALAR_FLOAT8)
		return gl_sort_key(((const double *) point_matrix_at(points, row))[column]);
	return gl_sort_key(((const float *) point_matrix_at(points, row))[column]);
}

/* < 0, 0 or > 0, by the columns from `column` on. */
static int
compare_rows(const RowSorter *sorter, int32_t a, int32_t b, int32_t column)
{
	for (; column <= sorter->points->dimension_count; column++)
	{
		int64_t		left = column_key(sorter, a, column);
		int64_t		right = column_key(sorter, b, column);

		if (left != right)
			return left < right ? -1 : 1;
	}
	return 0;
}

/* Insertion sort; done with for good. */
static GlStatus
sort_short_run(GlHost *host, RowSorter *sorter, Run run, int32_t column)
{
	int32_t    *row = sorter->row;

	for (int32_t i = run.start + 1; i < run.end; i++)
	{
		int32_t		moved = row[i];
		int32_t		at = i;

		while (at > run.start &&
			   compare_rows(sorter, row[at - 1], moved, column) > 0)
		{
			GL_TRY(gl_work(host, 2 * sorter->points->dimension_count));
			row[at] = row[at - 1];
			at--;
		}
		GL_TRY(gl_work(host, 2 * sorter->points->dimension_count));
		row[at] = moved;
	}
	return GL_OK;
}

/* Sort by one column and note the runs that are left. */
static GlStatus
sort_long_run(GlHost *host, RowSorter *sorter, Run run, int32_t column)
{
	int32_t    *row = sorter->row + run.start;
	int32_t		count = run.end - run.start;
	int32_t		first = 0;

	for (int32_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 4));
		sorter->keys[i] = column_key(sorter, row[i], column);
	}
	GL_TRY(gl_sort_order(host, sorter->keys, count, sorter->sorted));
	for (int32_t i = 1; i <= count; i++)
	{
		GL_TRY(gl_work(host, 4));
		if (i < count && sorter->keys[sorter->sorted[i]] ==
			sorter->keys[sorter->sorted[first]])
			continue;
		if (i - first > 1 && column < sorter->points->dimension_count)
			sorter->next_runs[sorter->next_count++] =
				(Run) {run.start + first, run.start + i};
		first = i;
	}
	for (int32_t i = 0; i < count; i++)
	{
		GL_TRY(gl_work(host, 4));
		sorter->sorted[i] = row[sorter->sorted[i]];
	}
	memcpy(row, sorter->sorted, (size_t) count * sizeof(int32_t));
	return GL_OK;
}

static GlStatus
sort_rows(GlHost *host, RowSorter *sorter)
{
	for (int32_t column = 0;
		 column <= sorter->points->dimension_count && sorter->run_count > 0;
		 column++)
	{
		Run		   *finished = sorter->runs;

		sorter->next_count = 0;
		for (int64_t r = 0; r < sorter->run_count; r++)
		{
			Run			run = sorter->runs[r];

			GL_TRY(gl_work(host, 1));
			if (run.end - run.start <= SHORT_RUN)
				GL_TRY(sort_short_run(host, sorter, run, column));
			else
				GL_TRY(sort_long_run(host, sorter, run, column));
		}
		sorter->runs = sorter->next_runs;
		sorter->run_count = sorter->next_count;
		sorter->next_runs = finished;
	}
	return GL_OK;
}

static GlStatus
find_equal(GlHost *host, const RowSorter *sorter, RowOrder *order)
{
	for (int64_t r = 0; r < order->row_count; r++)
	{
		GL_TRY(gl_work(host, 2 * sorter->points->dimension_count));
		order->first[r] = r > 0 &&
			compare_rows(sorter, order->row[r - 1], order->row[r], 0) == 0 ?
			order->first[r - 1] : (int32_t) r;
	}
	return GL_OK;
}

GlStatus
row_order_find(GlHost *host, const PointMatrix *points, const int32_t *tie,
			   RowOrder *out)
{
	int64_t		n = points->row_count;
	RowOrder	order = {.row_count = n};
	RowSorter	sorter = {.points = points, .tie = tie};

	memset(out, 0, sizeof(*out));
	GL_NEW(host, order.row, n);
	GL_NEW(host, order.first, n);
	GL_NEW(host, sorter.keys, n);
	GL_NEW(host, sorter.sorted, n);
	GL_NEW(host, sorter.runs, n / 2 + 1);
	GL_NEW(host, sorter.next_runs, n / 2 + 1);
	sorter.row = order.row;
	for (int64_t i = 0; i < n; i++)
	{
		GL_TRY(gl_work(host, 1));
		order.row[i] = (int32_t) i;
	}
	if (n > 1)
	{
		sorter.runs[0] = (Run) {0, (int32_t) n};
		sorter.run_count = 1;
	}
	GL_TRY(sort_rows(host, &sorter));
	GL_TRY(find_equal(host, &sorter, &order));
	gl_release(host, sorter.keys);
	gl_release(host, sorter.sorted);
	gl_release(host, sorter.runs);
	gl_release(host, sorter.next_runs);
	*out = order;
	return GL_OK;
}

void
row_order_release(GlHost *host, RowOrder *order)
{
	gl_release(host, order->row);
	gl_release(host, order->first);
	memset(order, 0, sizeof(*order));
}
