/*
 * layout.h
 *		Points with coordinates, and the motions that keep their distances.
 *
 * Reads:	coordinates.
 * Yields:	the same picture in a standard position, or laid over another.
 */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "base/host.h"

#define LAYOUT_MAX_DIMENSIONS	64

/* Room for the coordinates of a point; a sphere needs one axis more. */
#define LAYOUT_MAX_AXES			(LAYOUT_MAX_DIMENSIONS + 1)

/*
 * Coordinates, one axis after another: those of axis a begin at
 * coordinates + a * point_count.
 */
typedef struct Layout
{
	int64_t		point_count;
	int32_t		axes;
	double	   *coordinates;
} Layout;

/* Memory for a layout, all coordinates 0. */
extern GlStatus layout_begin(GlHost *host, int64_t point_count, int32_t axes,
							 Layout *out);
extern void layout_release(GlHost *host, Layout *layout);

/* Coordinates of one point, out[axes]; and back. */
extern void layout_get(const Layout *layout, int64_t point, double *out);
extern void layout_set(Layout *layout, int64_t point, const double *position);

/*
 * The standard position: centred (unless about_origin, as on a sphere), the
 * widest direction first, and on each axis the coordinate that is largest in
 * magnitude positive (the first of equals).  O(n axes^2).
 */
extern GlStatus layout_standardise(GlHost *host, Layout *layout,
								   bool about_origin);

/* Has some axis no extent, measured by `size`? */
extern bool layout_is_flat(const Layout *layout, double size);

/*
 * Points on one line, or in any flat part of the space, would stay there for
 * ever: give an axis without extent random coordinates of `size`.  Axes with
 * extent are not touched.
 */
extern GlStatus layout_thicken(GlHost *host, Layout *layout, double size,
							   int64_t seed);

/*
 * The rigid motion (with a reflection if that fits better, and a scaling if
 * wanted) that brings the points `moving` nearest to `fixed` in the sense of
 * least squares: y = scale * R x + shift.  Both are axes x axes by row major
 * points: count x axes.  Fills a LayoutMotion.  O(count axes^2 + axes^3).
 */
typedef struct LayoutMotion
{
	int32_t		axes;
	double		scale;
	double		rotation[LAYOUT_MAX_AXES * LAYOUT_MAX_AXES];	/* row-major */
	double		from[LAYOUT_MAX_AXES];	/* centre before */
	double		to[LAYOUT_MAX_AXES];	/* centre after */
	double		residual;		/* sum of squares left over */
	double		spread;			/* sum of squares of fixed about its centre */
} LayoutMotion;

extern GlStatus layout_match(GlHost *host, int32_t axes, int64_t count,
							 const double *moving, const double *fixed,
							 bool allow_scale, LayoutMotion *motion);

/* out = motion(position); out may be position. */
extern void layout_move(const LayoutMotion *motion, const double *position,
						double *out);

#endif							/* LAYOUT_H */
