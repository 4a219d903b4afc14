/*
 * refine_functions.c
 *		gl_refine.
 */
#include "refine_functions.h"
#include "block_functions.h"
#include "options.h"

#include "utils/memutils.h"

#include "graph/block_refine.h"

/* Positions of the arguments of gl_refine. */
enum
{
	ARG_GRAPH, ARG_BLOCKS_PER_ROW, ARG_TOLERANCE
};

static void
read_options(FunctionCallInfo fcinfo, BlockRefineOptions *options)
{
	memset(options, 0, sizeof(*options));
	options->blocks_per_row = option_float8(fcinfo, ARG_BLOCKS_PER_ROW,
											"blocks_per_row", 0);
	/* to the core 0 means not given */
	if (!PG_ARGISNULL(ARG_BLOCKS_PER_ROW) && options->blocks_per_row <= 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("blocks_per_row must be positive, not %g",
						options->blocks_per_row)));
	options->has_tolerance = !PG_ARGISNULL(ARG_TOLERANCE);
	options->tolerance = option_float8(fcinfo, ARG_TOLERANCE, "tolerance", 0);
}

void
notice_bandwidth_floor(bool bandwidth_floored)
{
	if (bandwidth_floored)
		ereport(NOTICE,
				(errmsg("the likelihood grows without limit as the bandwidth shrinks, so it was held at a floor"),
				 errhint("This happens when every row has a duplicate. Give a bandwidth, or leave duplicates out.")));
}

PG_FUNCTION_INFO_V1(graphlearn_refine);
Datum
graphlearn_refine(PG_FUNCTION_ARGS)
{
	BlockRefineOptions options;
	BlockRefineReport report;
	MemoryContext arena;
	GlHost		view_host;
	GlHost		host;
	const BlockGraph *block;
	ExpandedValue *expanded;

	if (PG_ARGISNULL(ARG_GRAPH))
		PG_RETURN_NULL();
	read_options(fcinfo, &options);
	expanded = value_begin(&host, VALUE_GRAPH, "graphlearn refined graph");
	arena = pg_host_begin(&view_host, "graphlearn refine");
	block = block_argument(&view_host, PG_GETARG_DATUM(ARG_GRAPH),
						   "gl_refine");
	expanded->value.storage = STORAGE_BLOCK;
	pg_check(&host, block_graph_refine(&host, block, &options,
									   &expanded->value.block, &report));
	MemoryContextDelete(arena);
	notice_bandwidth_floor(report.bandwidth_floored);
	if (!report.tolerance_reached)
		ereport(NOTICE,
				(errmsg("tolerance %g was not reached within blocks_per_row, the guaranteed divergence is %g",
						options.tolerance, report.divergence_bound),
				 errhint("Allow more blocks_per_row, or leave it out.")));
	return value_result(expanded);
}
