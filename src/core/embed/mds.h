/*
 * mds.h
 *		Multidimensional scaling: distances in, coordinates out.
 *
 * Reads:	wanted distances (distance_rows.h), and positions known already.
 * Yields:	a layout, and how well it shows the distances.
 *
 *		place		a start, then sweeps (mds_place.h)
 *		smacof		the classic majorisation: sweeps in parallel, each
 *					counting the point itself; every pair must be known
 *		classical	eigenvectors of the centred squared distances
 *		landmark, pivot, fastmap	landmark_mds.h
 *
 * Known positions are of two sorts.  Anchors never move; initial ones are
 * where points begin.  If there are any, the layout stays in their frame;
 * otherwise it is brought to a standard position.
 *
 * A table may fall apart into components.  Distances between them mean
 * nothing, so each is placed by itself, and those without known positions are
 * put side by side along the first axis, in the order of their first point.
 */
#ifndef MDS_H
#define MDS_H

#include "embed/mds_place.h"

typedef enum MdsMethod
{
	MDS_PLACE = 1,
	MDS_SMACOF,
	MDS_CLASSICAL,
	MDS_LANDMARK,
	MDS_PIVOT,
	MDS_FASTMAP
} MdsMethod;

/* Positions known beforehand: count x axes, row-major, points ascending. */
typedef struct KnownPositions
{
	int64_t		count;
	const int32_t *point;
	const double *coordinates;
} KnownPositions;

typedef struct MdsOptions
{
	MdsMethod	method;
	int32_t		dimensions;		/* k; a sphere has k + 1 coordinates */
	PlaceOptions place;
	int64_t		landmark_count; /* 0: MDS_LANDMARKS, or all points if fewer */
	KnownPositions anchors;
	KnownPositions initial;
} MdsOptions;

#define MDS_LANDMARKS		128
#define MDS_SWEEP_LIMIT		300
#define MDS_TOLERANCE		1e-6

typedef struct MdsReport
{
	PlaceReport place;			/* cost and stress for every method */
	int32_t		component_count;
} MdsReport;

/* place, stress, two dimensions, the plane. */
extern void mds_defaults(MdsOptions *options);

/*
 * The layout of all points; for spheres axes = dimensions + 1.  GL_ERR_OPTION
 * for options out of range or that do not go together; GL_ERR_DATA where the
 * distances do not fit the sphere, or a table is too thin for the method.
 */
extern GlStatus mds_run(GlHost *host, DistanceRows *rows,
						const MdsOptions *options, Layout *out,
						MdsReport *report);

#endif							/* MDS_H */
