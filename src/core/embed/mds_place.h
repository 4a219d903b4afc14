/*
 * mds_place.h
 *		Improve a layout sweep by sweep until the distances it shows settle.
 *
 * Reads:	wanted distances, a start, a loss and a space (place_step.h).
 * Yields:	a layout whose cost no sweep lowers any more.
 *
 *		sequential	one point after another, each seeing the others where
 *					they are now; the fewest sweeps
 *		parallel	all points at once from the same layout, half a step
 *					each: the answer does not depend on the order of points
 *
 * No sweep raises the cost.  A robust loss starts with a smoothing as large
 * as the largest residual, which is halved whenever the layout has settled,
 * down to 1e-9 of the distances: block descent on the bare loss would stop at
 * points that are no minimum.
 */
#ifndef MDS_PLACE_H
#define MDS_PLACE_H

#include "embed/place_step.h"

typedef enum MdsSweep
{
	MDS_SEQUENTIAL = 1,
	MDS_PARALLEL,
	MDS_GUTTMAN					/* parallel; SMACOF where every pair is known */
} MdsSweep;

typedef struct PlaceOptions
{
	MdsLoss		loss;
	double		power;
	MdsSpace	space;
	double		radius;
	MdsSweep	sweep;
	int64_t		sweep_limit;
	double		tolerance;		/* settled: a sweep gains less than this part
								 * of the cost, or the square of this part of
								 * the sum of squared distances */
	int64_t		seed;
} PlaceOptions;

typedef struct PlaceReport
{
	int64_t		sweeps;
	bool		converged;
	double		cost;			/* over unordered pairs, not smoothed */
	double		normalised_stress;	/* sqrt(sum w r^2 / sum w d^2) */
} PlaceReport;

/*
 * Points with fixed[i] stay where they are; fixed may be NULL.  Time:
 * sweeps times the number of ordered pairs.
 */
extern GlStatus mds_place_run(GlHost *host, const PlaceOptions *options,
							  DistanceRows *rows, const bool *fixed,
							  Layout *layout, PlaceReport *report);

/*
 * One sweep under a rule.  *cost is the sum over points of their cost when
 * they were visited, *gain at least how much the total over ordered pairs
 * fell.
 */
extern GlStatus mds_place_sweep(GlHost *host, const PlaceRule *rule,
								MdsSweep sweep, DistanceRows *rows,
								const bool *fixed, Layout *layout,
								double *cost, double *gain);

/*
 * The cost of a layout over unordered pairs under a rule, and the normalised
 * stress; either may be NULL.
 */
extern GlStatus mds_place_cost(GlHost *host, const PlaceRule *rule,
							   DistanceRows *rows, const Layout *layout,
							   double *cost, double *normalised_stress);

#endif							/* MDS_PLACE_H */
