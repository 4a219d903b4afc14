/*
 * mds_arguments.h
 *		The options of MDS, and lists of positions, wherever a function takes
 *		them.
 */
#ifndef GRAPHLEARN_MDS_ARGUMENTS_H
#define GRAPHLEARN_MDS_ARGUMENTS_H

#include "options.h"
#include "pg_host.h"

#include "embed/mds.h"
#include "embed/mds_stream.h"

/* Where a function finds its options; -1: it does not take that one. */
typedef struct MdsArguments
{
	int			dims;
	int			method;
	int			loss;
	int			power;
	int			space;
	int			radius;
	int			sweep;
	int			landmarks;
	int			passes;
	int			policy;
	int			iterations;
	int			tolerance;
	int			seed;
} MdsArguments;

/* The method that is not one of MdsMethod; part of the stored format. */
#define MDS_METHOD_STREAM	100

/* What the user asked for. */
typedef struct MdsRequest
{
	bool		stream;			/* method => 'stream': only this part counts */
	StreamOptions stream_options;
	MdsOptions	options;
} MdsRequest;

extern void mds_options_argument(FunctionCallInfo fcinfo,
								 const MdsArguments *at,
								 MdsRequest *request);

/*
 * Carry a request out on points.  Returns the spread of the columns, for
 * notice_column_spread().
 */
extern double mds_request_run(GlHost *host, const MdsRequest *request,
							  const PointSet *points, GraphMetric metric,
							  GraphScale scale, Layout *layout,
							  MdsReport *report);

/* WARNING unless the layout settled. */
extern void warn_not_settled(const PlaceReport *report);

/*
 * The positions that a pair of arguments, ids and the next one, gives to
 * points: coordinates are one array of count x axes numbers, in one dimension
 * or two.  name_ids and name_coords are for messages.  An id that is not
 * among ids[count] is an error, and so is a NULL or a repeated one.
 */
extern KnownPositions positions_argument(FunctionCallInfo fcinfo, int ids,
										 const char *name_ids,
										 const char *name_coords,
										 const int64_t *all_ids,
										 int64_t point_count, int32_t axes);

extern const OptionWord mds_method_words[];
extern const OptionWord mds_loss_words[];
extern const OptionWord mds_space_words[];

#endif							/* GRAPHLEARN_MDS_ARGUMENTS_H */
