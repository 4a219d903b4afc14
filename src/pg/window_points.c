/*
 * window_points.c
 *		Read a partition row by row, sort its rows, number them as nodes.
 *
 * Three lifetimes.  What is kept for the rows still to come lives in the
 * partition's context, which the server resets.  Points, graph and learner
 * live in `work`, dropped before the first answer is given.  Arguments are
 * evaluated in `scratch`, emptied at every row: nothing else frees what their
 * expressions allocate before the partition is read.
 */
#include "window_points.h"
#include "feature_arrays.h"

#include "access/htup_details.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type.h"
#include "utils/datum.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/syscache.h"

/* The argument at a row, evaluated in the current context. */
static Datum
argument_at(WindowObject window, int argument, int64 row, bool *is_null)
{
	bool		is_out;
	Datum		value = WinGetFuncArgInPartition(window, argument, (int) row,
												 WINDOW_SEEK_HEAD, false,
												 is_null, &is_out);

	if (is_out)
		elog(ERROR, "row " INT64_FORMAT " is not in the partition", row);
	return value;
}

/*
 * Options go where plain functions find them.  A copy of each, for the value
 * may lie in the row that was read.
 */
static void
read_options(WindowPoints *rows, int first_option)
{
	FunctionCallInfo fcinfo = rows->fcinfo;

	for (int i = first_option; i < PG_NARGS(); i++)
	{
		WindowOption option = {.argument = i};
		bool		is_null;
		Datum		value = argument_at(rows->window, i, 0, &is_null);

		get_typlenbyval(get_fn_expr_argtype(fcinfo->flinfo, i),
						&option.length, &option.by_value);
		fcinfo->args[i].isnull = is_null;
		fcinfo->args[i].value = is_null ? (Datum) 0 :
			datumCopy(value, option.by_value, option.length);
		if (!get_fn_expr_arg_stable(fcinfo->flinfo, i))
			rows->varying[rows->varying_count++] = option;
	}
}

void
window_points_begin(WindowPoints *rows, FunctionCallInfo fcinfo,
					int first_option, void *partition_memory)
{
	MemoryContext old;

	memset(rows, 0, sizeof(*rows));
	rows->window = PG_WINDOW_OBJECT();
	rows->fcinfo = fcinfo;
	rows->partition = GetMemoryChunkContext(partition_memory);
	rows->work = AllocSetContextCreate(rows->partition, "graphlearn window",
									   ALLOCSET_DEFAULT_SIZES);
	rows->scratch = AllocSetContextCreate(rows->work, "graphlearn window row",
										  ALLOCSET_DEFAULT_SIZES);
	pg_host_on(&rows->host, rows->work);
	rows->host.rows_are_numbered = true;
	rows->row_count = WinGetPartitionRowCount(rows->window);
	rows->row = -1;
	if (rows->row_count > POINT_SET_MAX_POINTS)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a partition has more than %lld rows",
						(long long) POINT_SET_MAX_POINTS)));
	old = MemoryContextSwitchTo(rows->work);
	read_options(rows, first_option);
	MemoryContextSwitchTo(old);
}

/* The name of an argument of the running function, for messages. */
static const char *
argument_name(FunctionCallInfo fcinfo, int argument)
{
	HeapTuple	tuple = SearchSysCache1(PROCOID,
										ObjectIdGetDatum(fcinfo->flinfo->fn_oid));
	Oid		   *types;
	char	  **names;
	char	   *modes;
	int			count;

	if (!HeapTupleIsValid(tuple))
		elog(ERROR, "cache lookup failed for function %u",
			 fcinfo->flinfo->fn_oid);
	count = get_func_arg_info(tuple, &types, &names, &modes);
	ReleaseSysCache(tuple);
	return names != NULL && argument < count ? names[argument] : "an option";
}

static void
check_options(WindowPoints *rows)
{
	FunctionCallInfo fcinfo = rows->fcinfo;

	for (int v = 0; v < rows->varying_count; v++)
	{
		const WindowOption *option = &rows->varying[v];
		int			i = option->argument;
		bool		is_null;
		Datum		value = argument_at(rows->window, i, rows->row, &is_null);

		if (is_null != fcinfo->args[i].isnull ||
			(!is_null && !datum_image_eq(value, fcinfo->args[i].value,
										 option->by_value, option->length)))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("%s must be the same in all rows of a partition",
							argument_name(fcinfo, i)),
					 errdetail("It is not the same in row 1 and in row "
							   INT64_FORMAT ".", rows->row + 1)));
	}
}

static void
collect_features(WindowPoints *rows, Datum features)
{
	ArrayType  *array = DatumGetArrayTypeP(features);
	int64		number = rows->row + 1;
	int			count = feature_array_count(&rows->host, array, &number);
	void	   *slot;

	pg_check(&rows->host,
			 point_collector_reserve(&rows->host, &rows->collector,
									 ARR_ELEMTYPE(array) == FLOAT4OID ?
									 SCALAR_FLOAT4 : SCALAR_FLOAT8,
									 number, count, &slot));
	feature_array_load(&rows->host, array, count, &number, slot);
	pg_check(&rows->host,
			 point_collector_commit(&rows->host, &rows->collector, number));
	rows->collected_count++;
}

bool
window_points_next(WindowPoints *rows)
{
	MemoryContext old = MemoryContextSwitchTo(rows->scratch);
	bool		found = false;

	while (!found && rows->row + 1 < rows->row_count)
	{
		Datum		features;
		bool		is_null;

		MemoryContextReset(rows->scratch);
		rows->row++;
		check_options(rows);
		features = argument_at(rows->window, WINDOW_FEATURES, rows->row,
							   &is_null);
		if (is_null)
			continue;
		collect_features(rows, features);
		found = true;
	}
	MemoryContextSwitchTo(old);
	return found;
}

Datum
window_points_argument(WindowPoints *rows, int argument, bool *is_null)
{
	MemoryContext old = MemoryContextSwitchTo(rows->scratch);
	Datum		value = argument_at(rows->window, argument, rows->row, is_null);

	MemoryContextSwitchTo(old);
	return value;
}

/* Nodes are ranks; the collector's ids, which were numbers, become them. */
static void
number_nodes(WindowPoints *rows)
{
	const RowOrder *order = &rows->order;
	int64_t    *ids = rows->collector.ids;
	int64_t    *numbers = pg_allocate(&rows->host, order->row_count,
									  sizeof(int64_t));

	for (int64 rank = 0; rank < order->row_count; rank++)
	{
		pg_check(&rows->host, gl_work(&rows->host, 8));
		numbers[rank] = ids[order->row[rank]];
		rows->node_of_row[numbers[rank] - 1] = order->first[rank];
	}
	for (int64 rank = 0; rank < order->row_count; rank++)
	{
		pg_check(&rows->host, gl_work(&rows->host, 4));
		ids[order->row[rank]] = rank;
	}
	rows->host.row_numbers = numbers;
}

void
window_points_sort(WindowPoints *rows, const int32_t *tie)
{
	/* the server may forget each row as soon as its answer is out */
	WinSetMarkPosition(rows->window, rows->row_count - 1);
	rows->node_of_row =
		MemoryContextAllocHuge(rows->partition,
							   sizeof(int32) * (Size) rows->row_count);
	for (int64 row = 0; row < rows->row_count; row++)
	{
		pg_check(&rows->host, gl_work(&rows->host, 1));
		rows->node_of_row[row] = -1;
	}
	if (rows->collected_count == 0)
		return;
	pg_check(&rows->host, row_order_find(&rows->host, &rows->collector.matrix,
										 tie, &rows->order));
	number_nodes(rows);
	pg_check(&rows->host, point_collector_finish(&rows->host,
												 &rows->collector,
												 &rows->points));
}

void
window_points_end(WindowPoints *rows)
{
	MemoryContextDelete(rows->work);
	rows->work = rows->scratch = NULL;
}

bool
window_first_notice(FunctionCallInfo fcinfo, WindowNotice what)
{
	uint32	   *given = fcinfo->flinfo->fn_extra;

	if (given == NULL)
		fcinfo->flinfo->fn_extra = given =
			MemoryContextAllocZero(fcinfo->flinfo->fn_mcxt, sizeof(uint32));
	if (*given & what)
		return false;
	*given |= what;
	return true;
}
