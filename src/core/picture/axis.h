/*
 * axis.h
 *		One axis of a plot: the range shown, round ticks and their labels.
 *
 * The range is that of the data and a little more at both ends.  Ticks are
 * multiples of 1, 2 or 5 times a power of ten.  Data that differ by less than
 * 10^-12 of their size, or not at all, are shown in the middle.
 */
#ifndef AXIS_H
#define AXIS_H

#include "base/host.h"

#define AXIS_LABEL_SIZE		32

typedef struct Axis
{
	double		low;			/* the range shown */
	double		high;
	double		step;			/* between ticks */
	double		first;			/* the first tick is first * step */
	int32_t		tick_count;
	int32_t		decimals;		/* of a label, or of its mantissa */
	bool		is_scientific;
} Axis;

/*
 * Fit an axis to data from min to max, with about wanted_ticks ticks.
 * GL_ERR_DATA if a double cannot say how far they are apart.  O(1).
 */
extern GlStatus axis_fit(GlHost *host, double min, double max,
						 int32_t wanted_ticks, Axis *out);

/* Where a value lies: 0 at low, 1 at high. */
extern double axis_place(const Axis *axis, double value);

/* The same as one of `count` positions, 0 ... count - 1. */
extern int32_t axis_position(const Axis *axis, double value, int32_t count);

extern double axis_tick(const Axis *axis, int32_t tick);

/* The label of a tick, terminated. */
extern void axis_label(const Axis *axis, int32_t tick,
					   char label[AXIS_LABEL_SIZE]);

#endif							/* AXIS_H */
