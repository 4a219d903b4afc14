/*
 * screen.h
 *		Float images of rows, and how far an image distance may be trusted.
 *
 * Reads:	a PointMatrix, and where it is searched by other rows those too.
 * Yields:	rows of floats, s (x - c) or s V (x - c), rounded, and limits.
 *
 * The scale s is a power of two that puts the largest magnitude near 2^60 /
 * sqrt d, so that no sum of d squares overflows and differences down to
 * 2^-123 of the largest do not vanish.  The centre c and the rotation V to
 * principal axes are optional.
 *
 * Why a rejected row can never be a neighbour.  Let u = 2^-24, X = s (x - c).
 * An image x~ differs from X (or V X) by at most u |X| in norm, plus
 * sqrt d 2^-149 where floats become subnormal.  If |x - y| <= sqrt tau then
 * with r = s sqrt tau: |Y| <= |X| + r, so
 *
 *		|x~ - y~| <= r (1 + e) + u (2 |X| + r) + 2 sqrt d 2^-149,
 *
 * where e bounds V's departure from orthogonality (measured, not assumed).
 * Squares summed in float have a relative error below (d + 2) u, with d 2^-149
 * for products that vanish.  screen_limit() puts these together with constants
 * a little larger.  Where every image is exact (float input, or doubles with
 * short mantissas, neither centred nor rotated) the terms in u |X| drop out.
 */
#ifndef SCREEN_H
#define SCREEN_H

#include "points/duplicates.h"
#include "points/point_set.h"

typedef enum ScreenKind
{
	SCREEN_PLAIN,				/* centred only if images are inexact anyway */
	SCREEN_CENTRED,				/* for products: smaller norms err less */
	SCREEN_ROTATED				/* principal axes, if they promise a gain */
} ScreenKind;

typedef struct Screen
{
	int32_t		dimension_count;
	double		scale;			/* s, a power of two */
	double		unit;			/* u, or 0 where images are exact */
	double		stretch;		/* e */
	double		slack;			/* relative error of float sums */
	double		tiny_root;		/* absolute errors from subnormal floats */
	double		tiny;
	double	   *centre;			/* c, or NULL */
	double	   *axes;			/* V, one axis per row, or NULL */
	double	   *buffer;			/* rows on their way through V */
	double	   *rotated;
} Screen;

/* Largest d for which axes are computed. */
#define SCREEN_MAX_ROTATED	512

/*
 * Choose scale, centre and axes for the rows and (or NULL) the rows they will
 * be searched with.  O(n d), and O(d^3 + 2000 d^2) for axes.
 */
extern GlStatus screen_begin(GlHost *host, const PointMatrix *points,
							 const PointMatrix *queries, ScreenKind kind,
							 Screen *out);

extern void screen_release(GlHost *host, Screen *screen);

/*
 * The images of `count` groups' first rows from `first` on (groups NULL: of
 * the rows themselves), row-major.
 */
extern GlStatus screen_images(GlHost *host, const Screen *screen,
							  const PointMatrix *points,
							  const DuplicateGroups *groups,
							  int64_t first, int64_t count, float *images);

/* |x~| of one image. */
extern double screen_norm(const Screen *screen, const float *image);

/*
 * The exact squared distance of images below which a row at true squared
 * distance <= tau must lie, tau in the units of the rows; infinite tau gives
 * FLT_MAX.
 */
extern double screen_reach(const Screen *screen, double tau, double norm);

/* The same for float sums of squares: what the screening kernels take. */
extern float screen_limit(const Screen *screen, double tau, double norm);

/*
 * The other way round: a row whose image is at exact squared distance
 * image_squared lies within this true squared distance, in the units of the
 * rows.
 */
extern double screen_bound(const Screen *screen, double image_squared,
						   double norm);

#endif							/* SCREEN_H */
