/*
 * landmark_mds.h
 *		Layouts in one pass, from the distances to a few landmarks.
 *
 * Reads:	the rows of L landmarks among n points.
 * Yields:	coordinates for all points: a method of its own, and the start of
 *			the iterative one.
 *
 *		landmark	the eigenvectors of the landmarks' own Gram matrix, and
 *					for every point the place its distances to them ask for
 *		pivot		the leading singular vectors of the whole n x L block:
 *					every point has a say, not just the landmarks
 *		fastmap		one axis at a time, from the cosine law on a far pair
 *
 * With L = n landmark and pivot are both classical MDS.  For spheres the Gram
 * matrix holds cosines of angles, is not centred, and rows are brought to the
 * radius.
 *
 * Landmarks are spread by farthest-first choice from a first one far out, so
 * that the answer does not depend on a seed.
 */
#ifndef LANDMARK_MDS_H
#define LANDMARK_MDS_H

#include "embed/place_step.h"

#define LANDMARK_LIMIT	1024	/* a dense eigenproblem cannot be stopped */

/*
 * Layout of `axes` coordinates; the layout is already there.  landmark_count
 * at most LANDMARK_LIMIT and n.  Axes that the data has not are 0.  O(n L (d
 * + axes) + L^3) time, n L numbers of memory.
 */
extern GlStatus landmark_mds_run(GlHost *host, DistanceRows *rows,
								 MdsSpace space, double radius,
								 int64_t landmark_count, Layout *layout);

extern GlStatus landmark_mds_pivot(GlHost *host, DistanceRows *rows,
								   int64_t landmark_count, Layout *layout);

/* O(n d axes): about seven rows an axis. */
extern GlStatus landmark_mds_fastmap(GlHost *host, DistanceRows *rows,
									 Layout *layout);

/*
 * Choose landmarks by farthest-first traversal; lengths[l] is the row of
 * landmark l (count x n).
 */
extern GlStatus landmark_mds_choose(GlHost *host, DistanceRows *rows,
									int64_t count, int32_t *landmark,
									double *lengths);

#endif							/* LANDMARK_MDS_H */
