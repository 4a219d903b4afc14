/*
 * inspect_functions.c
 *		Looking into a graph: edges, degrees, components, rows, products.
 */
#include "value.h"
#include "node_arguments.h"
#include "options.h"
#include "rows.h"

#include <math.h>

#include "utils/memutils.h"

#include "graph/normalised.h"

/* A charged array, or the error. */
static void *
allocate(GlHost *host, int64 count, Size item_size)
{
	void	   *memory = gl_allocate(host, count, item_size);

	if (memory == NULL)
		pg_host_raise(host, host->status);
	return memory;
}

typedef struct EdgeOutput
{
	const Graph *graph;
	ResultRows	rows;
} EdgeOutput;

static GlStatus
put_edge(void *state, int32_t source, int32_t target, double weight)
{
	EdgeOutput *output = state;

	output->rows.values[0] = Int64GetDatum(output->graph->ids[source]);
	output->rows.values[1] = Int64GetDatum(output->graph->ids[target]);
	output->rows.values[2] = Float8GetDatum(weight);
	rows_put(&output->rows);
	return GL_OK;
}

PG_FUNCTION_INFO_V1(graphlearn_edges);
Datum
graphlearn_edges(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn edges");
	EdgeOutput	output;

	output.graph = graph_argument(&host, PG_GETARG_DATUM(0));
	if (output.graph->operations->visit_edges == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("this kind of graph holds no list of edges"),
				 errhint("Look at single rows with gl_row(g, id), or at all blocks with gl_blocks(g).")));
	rows_begin(fcinfo, &output.rows);
	pg_check(&host, output.graph->operations->visit_edges(&host, output.graph,
														  put_edge, &output));
	rows_end(&output.rows);
	MemoryContextDelete(arena);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(graphlearn_degrees);
Datum
graphlearn_degrees(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn degrees");
	const Graph *graph = graph_argument(&host, PG_GETARG_DATUM(0));
	double	   *sums = allocate(&host, graph->node_count, sizeof(double));
	ResultRows	rows;

	pg_check(&host, graph_row_sums(&host, graph, sums));
	rows_begin(fcinfo, &rows);
	for (int64 i = 0; i < graph->node_count; i++)
	{
		rows.values[0] = Int64GetDatum(graph->ids[i]);
		rows.values[1] = Float8GetDatum(sums[i]);
		rows_put(&rows);
	}
	rows_end(&rows);
	MemoryContextDelete(arena);
	return (Datum) 0;
}

PG_FUNCTION_INFO_V1(graphlearn_components);
Datum
graphlearn_components(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn components");
	const Graph *graph = graph_argument(&host, PG_GETARG_DATUM(0));
	int32_t    *component = allocate(&host, graph->node_count,
									 sizeof(int32_t));
	int32_t		component_count;
	ResultRows	rows;

	pg_check(&host, graph_components(&host, graph, component,
									 &component_count));
	rows_begin(fcinfo, &rows);
	for (int64 i = 0; i < graph->node_count; i++)
	{
		rows.values[0] = Int64GetDatum(graph->ids[i]);
		rows.values[1] = Int32GetDatum(component[i] + 1);
		rows_put(&rows);
	}
	rows_end(&rows);
	MemoryContextDelete(arena);
	return (Datum) 0;
}

/* One row of the walk: where a walker at this node goes next. */
PG_FUNCTION_INFO_V1(graphlearn_row);
Datum
graphlearn_row(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn row");
	const Graph *graph = graph_argument(&host, PG_GETARG_DATUM(0));
	GraphEntry *entries;
	int64_t		entry_count;
	double		degree = 0;
	ResultRows	rows;

	pg_check(&host, graph_require_similarity(&host, graph, "gl_row"));
	pg_check(&host, graph->operations->row(&host, graph,
										   node_argument(graph, PG_GETARG_INT64(1)),
										   &entries, &entry_count));
	for (int64 e = 0; e < entry_count; e++)
		degree += entries[e].value;
	rows_begin(fcinfo, &rows);
	for (int64 e = 0; e < entry_count; e++)
	{
		rows.values[0] = Int64GetDatum(graph->ids[entries[e].node]);
		rows.values[1] = Float8GetDatum(entries[e].value / degree);
		rows_put(&rows);
	}
	rows_end(&rows);
	MemoryContextDelete(arena);
	return (Datum) 0;
}

static const OptionWord normalise_words[] = {
	{"walk", NORMALISE_WALK},
	{"none", NORMALISE_NONE},
	{"spread", NORMALISE_SPREAD},
	{"symmetric", NORMALISE_SYMMETRIC},
	{NULL, 0}
};

/* The vector that ids and values name; nodes not named are 0. */
static double *
vector_argument(FunctionCallInfo fcinfo, GlHost *host, const Graph *graph)
{
	int			id_count;
	int32_t    *nodes = node_list_argument(fcinfo, 1, "ids", graph,
										   &id_count);
	ElementList values = element_list_argument(fcinfo, 2, "values");
	double	   *x = allocate(host, graph->node_count, sizeof(double));
	bool	   *named = allocate(host, graph->node_count, sizeof(bool));

	check_same_length(fcinfo, 1, "ids", id_count, 2, "values",
					  values.count);
	memset(x, 0, sizeof(double) * graph->node_count);
	memset(named, 0, sizeof(bool) * graph->node_count);
	for (int i = 0; i < id_count; i++)
	{
		if (values.nulls[i])
			ereport(ERROR,
					(errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED),
					 errmsg("element %d of values is NULL", i + 1)));
		if (named[nodes[i]])
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("id " INT64_FORMAT " occurs more than once in ids",
							graph->ids[nodes[i]])));
		named[nodes[i]] = true;
		x[nodes[i]] = DatumGetFloat8(values.values[i]);
		if (!isfinite(x[nodes[i]]))
			ereport(ERROR,
					(errcode(ERRCODE_DATA_EXCEPTION),
					 errmsg("element %d of values is %s", i + 1,
							isnan(x[nodes[i]]) ? "NaN" : "infinite")));
	}
	return x;
}

PG_FUNCTION_INFO_V1(graphlearn_multiply);
Datum
graphlearn_multiply(PG_FUNCTION_ARGS)
{
	GlHost		host;
	MemoryContext arena;
	Normalisation normalisation;
	NormalisedGraph normalised;
	const Graph *graph;
	double	   *x;
	double	   *y;
	ResultRows	rows;

	if (PG_ARGISNULL(0))
	{
		rows_begin(fcinfo, &rows);
		return rows_end(&rows);
	}
	arena = pg_host_begin(&host, "graphlearn multiply");
	graph = graph_argument(&host, PG_GETARG_DATUM(0));
	normalisation = option_word(fcinfo, 3, "normalise", normalise_words,
								NORMALISE_WALK);
	if (normalisation != NORMALISE_NONE)
		pg_check(&host, graph_require_similarity(&host, graph,
												 "a normalised gl_multiply"));
	x = vector_argument(fcinfo, &host, graph);
	y = allocate(&host, graph->node_count, sizeof(double));
	pg_check(&host, normalised_begin(&host, graph, normalisation, 1,
									 &normalised));
	pg_check(&host, normalised_apply(&host, &normalised, x, y, 1));
	rows_begin(fcinfo, &rows);
	for (int64 i = 0; i < graph->node_count; i++)
	{
		rows.values[0] = Int64GetDatum(graph->ids[i]);
		rows.values[1] = Float8GetDatum(y[i]);
		rows_put(&rows);
	}
	rows_end(&rows);
	MemoryContextDelete(arena);
	return (Datum) 0;
}
