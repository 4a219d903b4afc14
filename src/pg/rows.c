/*
 * rows.c
 *		Fill the tuplestore of a set-returning function.
 */
#include "rows.h"

#include "miscadmin.h"
#include "utils/memutils.h"
#include "utils/tuplestore.h"

/* Rows between two resets of the scratch context, and two polls. */
#define ROWS_PER_RESET	256

void
rows_begin(FunctionCallInfo fcinfo, ResultRows *rows)
{
	ReturnSetInfo *result;

	memset(rows, 0, sizeof(*rows));
	InitMaterializedSRF(fcinfo, 0);
	result = (ReturnSetInfo *) fcinfo->resultinfo;
	rows->store = result->setResult;
	rows->descriptor = result->setDesc;
	rows->scratch = AllocSetContextCreate(CurrentMemoryContext,
										  "graphlearn rows",
										  ALLOCSET_DEFAULT_SIZES);
	rows->outer = MemoryContextSwitchTo(rows->scratch);
}

void
rows_put(ResultRows *rows)
{
	tuplestore_putvalues(rows->store, rows->descriptor, rows->values,
						 rows->nulls);
	memset(rows->nulls, 0, sizeof(rows->nulls));
	if (++rows->count % ROWS_PER_RESET == 0)
	{
		CHECK_FOR_INTERRUPTS();
		MemoryContextReset(rows->scratch);
	}
}

Datum
rows_end(ResultRows *rows)
{
	MemoryContextSwitchTo(rows->outer);
	MemoryContextDelete(rows->scratch);
	return (Datum) 0;
}
