/*
 * row_functions.c
 *		gl_row(g, features): the walk at a row never seen.
 */
#include "value.h"
#include "feature_arrays.h"
#include "options.h"
#include "rows.h"

#include "utils/memutils.h"

#include "graph/block_row.h"
#include "graph/new_row.h"

/* Positions of the arguments. */
enum
{
	ARG_GRAPH, ARG_FEATURES, ARG_TOLERANCE
};

static void
put_probability(ResultRows *rows, const Graph *graph, int64 node,
				double probability)
{
	rows->values[0] = Int64GetDatum(graph->ids[node]);
	rows->values[1] = Float8GetDatum(probability);
	rows_put(rows);
}

static void
put_block_row(FunctionCallInfo fcinfo, GlHost *host, const BlockGraph *block,
			  const double *features, int count, double tolerance)
{
	const Graph *graph = &block->graph;
	BlockRowIndex index;
	BlockRow	row;
	double	   *probability;
	ResultRows	rows;

	pg_check(host, block_row_begin(host, block, &index));
	pg_check(host, block_row_query(host, &index, features, count, -1,
								   tolerance, &row));
	probability = pg_allocate(host, graph->node_count, sizeof(double));
	pg_check(host, block_row_spread(host, &index, &row, probability));
	rows_begin(fcinfo, &rows);
	for (int64 i = 0; i < graph->node_count; i++)
		if (probability[i] > 0)
			put_probability(&rows, graph, i, probability[i]);
	rows_end(&rows);
}

static void
put_neighbours(FunctionCallInfo fcinfo, GlHost *host, const Graph *graph,
			   const double *features, int count)
{
	NewRowIndex index;
	const GraphEntry *entries;
	int64_t		entry_count;
	ResultRows	rows;

	pg_check(host, new_row_begin(host, graph, &index));
	pg_check(host, new_row_query(host, &index, features, count, -1, &entries,
								 &entry_count));
	rows_begin(fcinfo, &rows);
	for (int64 e = 0; e < entry_count; e++)
		put_probability(&rows, graph, entries[e].node, entries[e].value);
	rows_end(&rows);
}

PG_FUNCTION_INFO_V1(graphlearn_row_features);
Datum
graphlearn_row_features(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	const GlValue *value;
	ArrayType  *array;
	double	   *features;
	double		tolerance;
	int			count;

	if (PG_ARGISNULL(ARG_GRAPH) || PG_ARGISNULL(ARG_FEATURES))
	{
		ResultRows	rows;

		rows_begin(fcinfo, &rows);
		return rows_end(&rows);
	}
	tolerance = option_float8(fcinfo, ARG_TOLERANCE, "tolerance",
							  BLOCK_ROW_DEFAULT_TOLERANCE);
	arena = pg_host_begin(&host, "graphlearn new row");
	value = value_argument(&host, VALUE_GRAPH, PG_GETARG_DATUM(ARG_GRAPH));
	array = PG_GETARG_ARRAYTYPE_P(ARG_FEATURES);
	count = feature_array_count(&host, array, NULL);
	features = pg_allocate(&host, count, sizeof(double));
	feature_array_load_float8(&host, array, count, NULL, features);
	if (value->storage == STORAGE_BLOCK)
		put_block_row(fcinfo, &host, &value->block, features, count,
					  tolerance);
	else
		put_neighbours(fcinfo, &host, value_graph(value), features, count);
	MemoryContextDelete(arena);
	return (Datum) 0;
}
