/*
 * mds_stress.h
 *		How well positions, wherever they come from, show wanted distances.
 */
#ifndef MDS_STRESS_H
#define MDS_STRESS_H

#include "embed/mds.h"

/*
 * Over the pairs of points with a position: stress = sum w r^2, and the
 * normalised stress sqrt(sum w r^2 / sum w d^2), 0 if no pair is far apart.
 * O(known rows).
 */
extern GlStatus mds_stress_measure(GlHost *host, const PlaceRule *rule,
								   DistanceRows *rows,
								   const KnownPositions *known, int32_t axes,
								   double *stress, double *normalised);

#endif							/* MDS_STRESS_H */
