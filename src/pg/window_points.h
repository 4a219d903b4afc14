/*
 * window_points.h
 *		The rows of a window partition as a set of points: what every window
 *		function of ours begins with.
 *
 * A window function is called once per row.  At the first row of a partition
 * it reads all of them, learns, and keeps one answer per row; after that it
 * only looks answers up.  So each has the shape
 *
 *		WindowObject window = PG_WINDOW_OBJECT();
 *		MyAnswers  *answers = WinGetPartitionLocalMemory(window, sizeof(...));
 *
 *		if (!answers->is_ready)
 *		{
 *			WindowPoints rows;
 *
 *			window_points_begin(&rows, fcinfo, FIRST_OPTION, answers);
 *			... PG_GETARG_*, option_*() of the options work from here on ...
 *			while (window_points_next(&rows))
 *				... window_points_argument(&rows, ...) of the current row ...
 *			window_points_sort(&rows, NULL);
 *			answers->node_of_row = rows.node_of_row;
 *			... learn from rows.points with rows.host, copy what is to be
 *			... kept into rows.partition ...
 *			window_points_end(&rows);
 *			answers->is_ready = true;
 *		}
 *		node = answers->node_of_row[WinGetCurrentPosition(window)];
 *		if (node < 0)
 *			PG_RETURN_NULL();
 *
 * Rows have no ids.  They are sorted by their features, then by a number the
 * caller may give (the class of a label), and all equal rows are given the
 * node of the first: the answer of a row depends on what the partition
 * holds, not on the order in which it was scanned.  The whole partition is
 * read, whatever the frame.  Messages call rows by the number they have in
 * the partition, as row_number() over the same window would.
 *
 * An option is an expression like any other argument.  It is read once, and
 * must be the same in all rows of the partition.
 */
#ifndef GRAPHLEARN_WINDOW_POINTS_H
#define GRAPHLEARN_WINDOW_POINTS_H

#include "pg_host.h"

#include "windowapi.h"

#include "points/point_set.h"
#include "points/row_order.h"

/* Argument of the features, in all of our window functions. */
#define WINDOW_FEATURES		0

typedef struct WindowOption
{
	int			argument;
	bool		by_value;
	int16		length;			/* typlen */
} WindowOption;

typedef struct WindowPoints
{
	WindowObject window;
	FunctionCallInfo fcinfo;
	MemoryContext partition;	/* dropped by the server with the partition */
	MemoryContext work;			/* dropped by window_points_end() */
	MemoryContext scratch;		/* emptied by window_points_next() */
	GlHost		host;			/* memory in work */

	int64		row_count;		/* of the partition, all rows */
	int64		row;			/* the current one, 0 ... */
	int64		collected_count;	/* rows with features so far, current one
									 * included */
	PointCollector collector;

	/* options that are not constants, to be compared in every row */
	int			varying_count;
	WindowOption varying[FUNC_MAX_ARGS];

	/* after window_points_sort() */
	PointSet	points;			/* row_count 0: no row has features */
	int32	   *node_of_row;	/* per row of the partition, in its memory: a
								 * node of points, -1: features are NULL */
	RowOrder	order;			/* order.row[node]: which of the rows with
								 * features, in the order collected */
} WindowPoints;

/*
 * Begin at the first row of a partition.  Arguments from first_option on are
 * read into fcinfo->args, where the server left them empty.  partition_memory
 * is what WinGetPartitionLocalMemory() gave.
 */
extern void window_points_begin(WindowPoints *rows, FunctionCallInfo fcinfo,
								int first_option, void *partition_memory);

/*
 * Go to the next row whose features are not NULL, and collect them.  False
 * when there is none.  22000 for features that are not finite numbers, or
 * more or fewer than those of the rows before; 22023 for an option that
 * varies.
 */
extern bool window_points_next(WindowPoints *rows);

/* Another argument at the current row; lives until the next one. */
extern Datum window_points_argument(WindowPoints *rows, int argument,
									bool *is_null);

/*
 * All rows are collected: sort them by features, then by tie, which holds a
 * number per collected row or is NULL.
 */
extern void window_points_sort(WindowPoints *rows, const int32_t *tie);

/* Drop everything but node_of_row and what else is in rows->partition. */
extern void window_points_end(WindowPoints *rows);

/*
 * True the first time it is asked about `what` in this statement: a notice
 * about ten thousand partitions is given once.
 */
typedef enum WindowNotice
{
	WINDOW_COLUMN_SPREAD = 1,
	WINDOW_NOT_CONVERGED = 2
} WindowNotice;

extern bool window_first_notice(FunctionCallInfo fcinfo, WindowNotice what);

#endif							/* GRAPHLEARN_WINDOW_POINTS_H */
