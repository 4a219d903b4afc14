/*
 * mds_stream.h
 *		MDS of many points: each is placed against a few landmarks only.
 *
 * Reads:	points, one at a time, in a fixed random order, some times over.
 * Yields:	coordinates for all.
 *
 * The first landmarks are the first rows of that order, placed among
 * themselves.  Then every row is placed against the landmarks of the moment,
 * and may become one:
 *
 *		random		with probability l/q at the q-th row (a reservoir), in
 *					place of a random one
 *		maxmin		if it stands farther from all landmarks than the closest
 *					two of them from each other, in place of one of these
 *		fixed		never
 *		kmeans		never; the landmarks are the centres of k-means clusters of
 *					the rows, no rows themselves
 *
 * A row that is a landmark refreshes its place, and does not see itself.
 * Memory beyond the coordinates: landmarks only.  PLACE-RANDOM of A. Agarwal
 * (2012), with the reservoir's probability put right.
 */
#ifndef MDS_STREAM_H
#define MDS_STREAM_H

#include "embed/mds_place.h"

typedef enum StreamPolicy
{
	STREAM_RANDOM = 1,
	STREAM_MAXMIN,
	STREAM_FIXED,
	STREAM_KMEANS
} StreamPolicy;

typedef struct StreamOptions
{
	PlaceOptions place;			/* loss, space, seed; for the first landmarks
								 * sweeps and tolerance too */
	int32_t		dimensions;
	int64_t		landmark_count; /* l; lowered to n */
	int64_t		passes;			/* T */
	StreamPolicy policy;
} StreamOptions;

#define STREAM_LANDMARKS	300
#define STREAM_PASSES		2

/*
 * O(passes n l (d + 20 axes)) time, O(l (d + axes)) memory beside the layout
 * (kmeans: 28 bytes a row more).
 * The report's cost and stress are those of a random sample of at most 1,000
 * rows.
 */
extern GlStatus mds_stream_run(GlHost *host, const PointSet *points,
							   GraphMetric metric, GraphScale scale,
							   const StreamOptions *options, Layout *out,
							   PlaceReport *report);

#endif							/* MDS_STREAM_H */
