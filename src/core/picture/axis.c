/*
 * axis.c
 *		Round numbers for an axis.
 */
#include "picture/axis.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MARGIN				0.04	/* of the range, at either end */
#define SMALLEST_RANGE		1e-12	/* relative to the data */
#define SMALLEST_VALUE		1e-290	/* below, powers of ten get imprecise */
#define LARGEST_PLAIN		1e6		/* from here on labels have exponents */
#define SMALLEST_PLAIN		1e-5

/* The range to show. */
static void
choose_range(double min, double max, Axis *axis)
{
	double		size = fmax(fabs(min), fabs(max));
	double		range = max - min;
	double		middle = min + range / 2;

	if (range <= SMALLEST_RANGE * size || range < SMALLEST_VALUE)
	{
		double		half = size < SMALLEST_VALUE ? 1 : 0.1 * size;

		axis->low = middle - half;
		axis->high = middle + half;
	}
	else
	{
		axis->low = min - MARGIN * range;
		axis->high = max + MARGIN * range;
	}
}

/* The round number nearest to a step, in ratio. */
static double
round_step(double step, int32_t *exponent)
{
	double		power;
	double		ratio;

	*exponent = (int32_t) floor(log10(step));
	power = pow(10, *exponent);
	ratio = step / power;
	if (ratio < 1.5)
		return power;
	if (ratio < 3.5)
		return 2 * power;
	if (ratio < 7.5)
		return 5 * power;
	*exponent += 1;
	return 10 * power;
}

GlStatus
axis_fit(GlHost *host, double min, double max, int32_t wanted_ticks,
		 Axis *out)
{
	Axis		axis = {0};
	double		size;
	int32_t		exponent;

	memset(out, 0, sizeof(*out));
	choose_range(min, max, &axis);
	if (!isfinite(axis.high - axis.low))
		return gl_fail(host, GL_ERR_DATA,
					   "two rows are further apart than a double can say");
	size = fmax(fabs(axis.low), fabs(axis.high));
	axis.step = round_step((axis.high - axis.low) / wanted_ticks, &exponent);
	axis.first = ceil(axis.low / axis.step);
	axis.tick_count = (int32_t) (floor(axis.high / axis.step) -
								 axis.first) + 1;
	axis.is_scientific = size >= LARGEST_PLAIN || axis.step < SMALLEST_PLAIN;
	axis.decimals = axis.is_scientific ?
		(int32_t) floor(log10(size)) - exponent : -exponent;
	if (axis.decimals < 0)
		axis.decimals = 0;
	*out = axis;
	return GL_OK;
}

double
axis_place(const Axis *axis, double value)
{
	return (value - axis->low) / (axis->high - axis->low);
}

int32_t
axis_position(const Axis *axis, double value, int32_t count)
{
	double		place = axis_place(axis, value) * count;

	return place <= 0 ? 0 : place >= count - 1 ? count - 1 : (int32_t) place;
}

double
axis_tick(const Axis *axis, int32_t tick)
{
	return (axis->first + tick) * axis->step;
}

/* "1.50e+06" becomes "1.5e6". */
static void
tidy_exponent(char *label)
{
	char	   *e = strchr(label, 'e');
	char	   *end = e;
	char	   *from = e + 1;
	char		exponent[8];
	size_t		length = 0;

	if (*from == '-')
		exponent[length++] = '-';
	if (*from == '-' || *from == '+')
		from++;
	while (*from == '0' && from[1] != '\0')
		from++;
	for (; *from != '\0' && length + 1 < sizeof(exponent); from++)
		exponent[length++] = *from;
	exponent[length] = '\0';
	if (memchr(label, '.', (size_t) (e - label)) != NULL)
	{
		while (end[-1] == '0')
			end--;
		if (end[-1] == '.')
			end--;
	}
	*end++ = 'e';
	memcpy(end, exponent, length + 1);
}

void
axis_label(const Axis *axis, int32_t tick, char label[AXIS_LABEL_SIZE])
{
	double		value = axis_tick(axis, tick) + 0.0;	/* no -0 */

	if (value == 0)
		snprintf(label, AXIS_LABEL_SIZE, "0");
	else if (!axis->is_scientific)
		snprintf(label, AXIS_LABEL_SIZE, "%.*f", (int) axis->decimals, value);
	else
	{
		snprintf(label, AXIS_LABEL_SIZE, "%.*e", (int) axis->decimals, value);
		tidy_exponent(label);
	}
}
