/*
 * rows.h
 *		Returning many rows from a set-returning function.
 *
 *		ResultRows rows;
 *		rows_begin(fcinfo, &rows);
 *		... rows.values[0] = ...; rows_put(&rows);
 *		return rows_end(&rows);
 *
 * Datums of a row are built in a scratch context (current between rows_begin
 * and rows_end) that is reset now and then, so a million rows with arrays
 * need the memory of a few.
 */
#ifndef GRAPHLEARN_ROWS_H
#define GRAPHLEARN_ROWS_H

#include "compat.h"

#define RESULT_MAX_COLUMNS	6

typedef struct ResultRows
{
	Tuplestorestate *store;
	TupleDesc	descriptor;
	MemoryContext scratch;
	MemoryContext outer;
	int64		count;
	Datum		values[RESULT_MAX_COLUMNS];
	bool		nulls[RESULT_MAX_COLUMNS];	/* cleared after each row */
} ResultRows;

extern void rows_begin(FunctionCallInfo fcinfo, ResultRows *rows);
extern void rows_put(ResultRows *rows);
extern Datum rows_end(ResultRows *rows);

/* A float8[] of these numbers, in CurrentMemoryContext. */
extern Datum rows_float8_array(const double *numbers, int32 count);

#endif							/* GRAPHLEARN_ROWS_H */
