/*
 * landmark_frame.h
 *		Points that stand already, and where a further one goes among them.
 *
 * Reads:	rows with coordinates (the landmarks), and the distances of a
 *			further point to them.
 * Yields:	its coordinates: a place from the linear map of landmark MDS, then
 *			steps (place_step.h) until the cost settles.
 *
 * A point's place depends on the landmarks only, never on other points: what
 * streams and predictions need.
 */
#ifndef LANDMARK_FRAME_H
#define LANDMARK_FRAME_H

#include "embed/place_step.h"

typedef struct LandmarkFrame
{
	PlaceRule	rule;
	PointMatrix matrix;			/* landmarks in the space of distances */
	double	   *values;			/* the same, writable: count x d */
	Layout		layout;			/* their coordinates */
	double	   *map;			/* axes x count: centred squares to a start */
	double	   *mean;			/* of the coordinates, axes */
	double	   *mean_square;	/* of each landmark's column, count */
	double	   *length;			/* scratch: distances to the landmarks */
	PlaceScratch scratch;
} LandmarkFrame;

/*
 * Room for count landmarks of d columns, flat space or sphere by the rule;
 * the caller fills values and layout, then calls landmark_frame_ready().
 */
extern GlStatus landmark_frame_begin(GlHost *host, const PlaceRule *rule,
									 int64_t count, int32_t dimension_count,
									 int32_t axes, LandmarkFrame *out);

/* Learn the starting map; again after landmarks changed.  O(count^2 d). */
extern GlStatus landmark_frame_ready(GlHost *host, const PointSpace *space,
									 LandmarkFrame *frame);

extern void landmark_frame_release(GlHost *host, LandmarkFrame *frame);

/*
 * Where a row of the space should begin, by the linear map; the landmarks are
 * still those of landmark_frame_ready().  O(count (d + axes)).
 */
extern GlStatus landmark_frame_start(GlHost *host, const PointSpace *space,
									 LandmarkFrame *frame, const double *row,
									 double *position);

/*
 * Place a row of the space.  own is the landmark that the row itself is, or
 * -1; position is where it begins, and where it ends.  O(count (d + axes
 * steps)).
 */
extern GlStatus landmark_frame_place(GlHost *host, const PointSpace *space,
									 LandmarkFrame *frame, const double *row,
									 int64_t own, double *position);

#endif							/* LANDMARK_FRAME_H */
