/*
 * mds_model.h
 *		A map that is kept, and the places of rows that come later.
 *
 * Reads:	a layout and how it was made; later a model, the points it keeps,
 *			and a new row.
 * Yields:	a Model (learn/model.h); later the coordinates of the row.
 *
 * A new row is placed against a sample of the rows of the map, which do not
 * move (landmark_frame.h): what comes out depends on the model and the row
 * alone.  A map made of a distance table keeps no points and has no place for
 * new rows.
 */
#ifndef MDS_MODEL_H
#define MDS_MODEL_H

#include "embed/landmark_frame.h"
#include "embed/mds.h"
#include "learn/model.h"

/*
 * Fill a model; its arrays are host memory.  The method is the caller's own
 * number.  O(n axes).
 */
extern GlStatus mds_model_fit(GlHost *host, const Layout *layout,
							  const PlaceOptions *place, GraphMetric metric,
							  GraphScale scale, int32_t method,
							  const MdsReport *report, Model *out);

/* A model made ready for new rows. */
typedef struct MdsProjector
{
	PointSpace	space;
	LandmarkFrame frame;
	double	   *row;			/* d */
} MdsProjector;

/* points: what the model keeps.  O(n d) time, memory of some rows. */
extern GlStatus mds_model_begin(GlHost *host, const Model *model,
								const PointSet *points, MdsProjector *out);

extern void mds_model_end(GlHost *host, MdsProjector *projector);

/*
 * The place of a row; position has model->coordinate_count numbers.  Errors
 * as point_space_map_row().  O(landmarks (d + axes steps)), no memory.
 */
extern GlStatus mds_model_place(GlHost *host, MdsProjector *projector,
								const double *features, int64_t feature_count,
								double *position);

#endif							/* MDS_MODEL_H */
