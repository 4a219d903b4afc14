/*
 * graph_options.c
 *		Read the options of graphs of points.
 */
#include "graph_options.h"
#include "options.h"

void
builder_options_argument(FunctionCallInfo fcinfo, const BuilderArguments *at,
						 PointGraphOptions *options)
{
	point_graph_defaults(options);
	options->metric = option_word(fcinfo, at->metric, "metric", metric_words,
								  METRIC_EUCLIDEAN);
	options->scale = option_word(fcinfo, at->scale, "scale", scale_words,
								 SCALE_NONE);
	if (at->keep_points >= 0)
		options->keep_points = option_bool(fcinfo, at->keep_points, true);
	options->seed = option_bigint(fcinfo, at->seed, 0);
	if (at->weights >= 0)
		options->weights = option_word(fcinfo, at->weights, "weights",
									   weights_words, WEIGHTS_ADAPTIVE);
	if (at->symmetry >= 0)
		options->symmetry = option_word(fcinfo, at->symmetry, "symmetry",
										symmetry_words, SYMMETRY_SUM);
	if (at->k >= 0 && !PG_ARGISNULL(at->k))
	{
		options->k = PG_GETARG_INT32(at->k);
		options->lower_k = false;
	}
	if (at->bandwidth >= 0 && !PG_ARGISNULL(at->bandwidth))
	{
		options->bandwidth = option_float8(fcinfo, at->bandwidth,
										   "bandwidth", 0);
		options->has_bandwidth = true;
	}
	if (at->radius >= 0)
	{
		if (PG_ARGISNULL(at->radius))
			ereport(ERROR,
					(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
					 errmsg("radius must not be NULL")));
		options->radius = option_float8(fcinfo, at->radius, "radius", 0);
	}
}

bool
builder_options_need_neighbours(FunctionCallInfo fcinfo,
								const BuilderArguments *at,
								const PointGraphOptions *options)
{
	return !PG_ARGISNULL(at->k) || options->has_bandwidth ||
		options->weights != WEIGHTS_ADAPTIVE ||
		options->symmetry != SYMMETRY_SUM;
}
