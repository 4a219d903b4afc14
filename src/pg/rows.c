/*
 * rows.c
 *		Fill the tuplestore of a set-returning function.
 */
#include "rows.h"

#include "catalog/pg_type.h"
#include "miscadmin.h"
#include "utils/array.h"
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

Datum
rows_float8_array(const double *numbers, int32 count)
{
	Datum	   *elements = palloc(sizeof(Datum) * Max(count, 1));

	for (int32 i = 0; i < count; i++)
		elements[i] = Float8GetDatum(numbers[i]);
	return PointerGetDatum(construct_array(elements, count, FLOAT8OID,
										   sizeof(float8), FLOAT8PASSBYVAL,
										   TYPALIGN_DOUBLE));
}
