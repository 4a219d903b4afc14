/*
 * place_step.h
 *		Where one point should go when all others stay: the step of MDS.
 *
 * Reads:	a layout, a row of wanted distances, a loss and a space.
 * Yields:	the step that lowers the point's cost, and what that cost was.
 *
 * A point x sees the others at distance s_j and wants them at d_j.  With the
 * residual r_j = s_j - d_j and a weight w_j the cost of the point is
 *
 *		stress				sum w r^2
 *		absolute			sum w (r^2 + e^2)^(1/2)
 *		power p in (0,2]	sum w (r^2 + e^2)^(p/2)
 *		squared_absolute	sum w (v^2 + e^2)^(1/2),  v = s^2 - d^2
 *
 * e, the smoothing, keeps the robust ones from stalling; it is lowered to
 * almost nothing as the layout settles (mds_place.h).  Each term lies below a
 * parabola that touches it at x; the sum of parabolas has its least value at
 *
 *		x' = x - pull / stiffness,	pull = sum w' r u,	stiffness = sum w'
 *
 * (u the unit vector from j to x, w' = w (r^2+e^2)^((p-2)/2)), so a step there,
 * or anywhere up to twice as far, never raises the cost.  On a sphere the
 * same sums serve: with chords the mean is projected on the sphere, which is
 * its exact minimum there; with geodesics u is a tangent and the step follows
 * the great circle (Toponogov's comparison makes the parabola valid).  The
 * formulas are those of the universal MDS of A. Agarwal (2012) in forms that
 * can be proven monotone.
 */
#ifndef PLACE_STEP_H
#define PLACE_STEP_H

#include "embed/distance_rows.h"
#include "embed/layout.h"

typedef enum MdsLoss
{
	MDS_STRESS = 1,
	MDS_ABSOLUTE,
	MDS_POWER,
	MDS_SQUARED_ABSOLUTE
} MdsLoss;

typedef enum MdsSpace
{
	MDS_FLAT = 1,				/* straight lines in R^k */
	MDS_CHORDAL,				/* on a sphere, distances through it */
	MDS_GEODESIC				/* on a sphere, distances along it */
} MdsSpace;

typedef struct PlaceRule
{
	MdsLoss		loss;
	double		power;			/* p, MDS_POWER only */
	double		smoothing;		/* e */
	MdsSpace	space;
	double		radius;			/* of the sphere */
	int64_t		seed;			/* directions for points that coincide */
} PlaceRule;

typedef struct PlaceSums
{
	double		pull[LAYOUT_MAX_AXES];
	double		stiffness;
	double		cost;			/* of the point where it is */
} PlaceSums;

/* Working memory of a step. */
typedef struct PlaceScratch
{
	double	   *gathered;		/* coordinates of a chunk of targets */
} PlaceScratch;

extern GlStatus place_step_begin(GlHost *host, int32_t axes,
								 PlaceScratch *scratch);
extern void place_step_end(GlHost *host, PlaceScratch *scratch);

/*
 * The sums for a point that stands at `position` and has the number `point`
 * (which its row leaves out; -1: a point outside the layout).  O(row axes).
 */
extern GlStatus place_step_sums(GlHost *host, const PlaceRule *rule,
								const Layout *layout, PlaceScratch *scratch,
								const DistanceRow *row, int64_t point,
								const double *position, PlaceSums *sums);

/*
 * The point moved by `relaxation` (0 .. 2, not including) times the step the
 * sums ask for; out may be position.  Returns by how much the cost falls at
 * least.  A point nobody pulls stays.
 */
extern double place_step_move(const PlaceRule *rule, const PlaceSums *sums,
							  int32_t axes, double relaxation,
							  const double *position, double *out);

/*
 * The distance shown between two positions under the rule's space.
 */
extern double place_step_distance(const PlaceRule *rule, int32_t axes,
								  const double *a, const double *b);

/* The cost of one pair shown at `shown` instead of `wanted`, weight 1. */
extern double place_step_loss(const PlaceRule *rule, double shown,
							  double wanted);

#endif							/* PLACE_STEP_H */
