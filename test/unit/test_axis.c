/*
 * test_axis.c
 *		If this fails, ticks are not round, lie outside the plot, or say another
 *		number than the one they stand at.
 */
#include "unit_test.h"

#include <float.h>

#include "picture/axis.h"

static Axis
fit(double min, double max, int ticks)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Axis		axis;

	EXPECT_OK(host, axis_fit(host, min, max, ticks, &axis));
	test_host_end(&test);
	return axis;
}

/* Labels of all ticks, with a space after each. */
static const char *
labels_of(double min, double max)
{
	static char text[1000];
	Axis		axis = fit(min, max, 5);
	size_t		length = 0;

	text[0] = '\0';
	for (int32_t t = 0; t < axis.tick_count; t++)
	{
		char		label[AXIS_LABEL_SIZE];

		axis_label(&axis, t, label);
		length += (size_t) snprintf(text + length, sizeof(text) - length,
									"%s ", label);
	}
	return text;
}

static void
test_round_numbers(void)
{
	EXPECT(strcmp(labels_of(0, 1), "0 0.2 0.4 0.6 0.8 1.0 ") == 0);
	EXPECT(strcmp(labels_of(-1, 1), "-1.0 -0.5 0 0.5 1.0 ") == 0);
	EXPECT(strcmp(labels_of(0, 100), "0 20 40 60 80 100 ") == 0);
	EXPECT(strcmp(labels_of(0.001, 0.002),
				  "0.0010 0.0012 0.0014 0.0016 0.0018 0.0020 ") == 0);
	EXPECT(strcmp(labels_of(0, 5e6), "0 1e6 2e6 3e6 4e6 5e6 ") == 0);
	EXPECT(strcmp(labels_of(1e6, 1.2e6),
				  "1e6 1.05e6 1.1e6 1.15e6 1.2e6 ") == 0);
	EXPECT(strcmp(labels_of(-3e-7, 3e-7),
				  "-3e-7 -2e-7 -1e-7 0 1e-7 2e-7 3e-7 ") == 0 ||
		   strcmp(labels_of(-3e-7, 3e-7), "-2e-7 0 2e-7 ") == 0);
	EXPECT(strcmp(labels_of(1e300, 3e300),
				  "1e300 1.5e300 2e300 2.5e300 3e300 ") == 0);
}

/* One value is in the middle. */
static void
test_no_range(void)
{
	static const double values[] = {
		0, 1, -1, 5, 1e15, -1e-15, 1e-300, 1e-320, 1e300
	};

	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
	{
		Axis		axis = fit(values[i], values[i], 5);

		EXPECT_NEAR(axis_place(&axis, values[i]), 0.5, 1e-9);
		EXPECT(axis.tick_count >= 2 && axis.tick_count <= 12);
	}
	/* too near each other to be told apart */
	EXPECT_NEAR(axis_place(&(Axis) {.low = 0, .high = 2}, 1), 0.5, 0);
	EXPECT(fit(1e15, 1e15 + 1, 5).step > 1e12);
}

static void
test_properties(void)
{
	GlRandom	random;

	gl_random_begin(&random, 21);
	for (int trial = 0; trial < 20000; trial++)
	{
		double		scale = pow(10, (double) gl_random_below(&random, 500) -
								250);
		double		a = scale * ((double) gl_random_below(&random, 2000) -
								 1000);
		double		b = scale * (double) gl_random_below(&random, 2000);
		double		shift = trial % 3 == 0 ?
			scale * (double) gl_random_below(&random, 100000) : 0;
		double		min = fmin(a, b) + shift;
		double		max = fmax(a, b) + shift;
		int			wanted = 4 + (int) gl_random_below(&random, 5);
		Axis		axis = fit(min, max, wanted);
		double		ratio;

		EXPECT(axis.low < min || min == max);
		EXPECT(axis.high > max || min == max);
		EXPECT(axis.tick_count >= wanted / 2 &&
			   axis.tick_count <= 2 * wanted + 1);
		/* 1, 2 or 5 times a power of ten */
		ratio = axis.step / pow(10, floor(log10(axis.step) + 1e-9));
		EXPECT(fabs(ratio - 1) < 1e-6 || fabs(ratio - 2) < 1e-6 ||
			   fabs(ratio - 5) < 1e-6);
		for (int32_t t = 0; t < axis.tick_count; t++)
		{
			char		label[AXIS_LABEL_SIZE];
			double		tick = axis_tick(&axis, t);

			axis_label(&axis, t, label);
			EXPECT(axis_place(&axis, tick) > -1e-9 &&
				   axis_place(&axis, tick) < 1 + 1e-9);
			EXPECT_NEAR(strtod(label, NULL), tick, 0.01 * axis.step);
			EXPECT(strlen(label) <= 16);
		}
		if (unit_failures > 20)
			return;
	}
}

static void
test_positions(void)
{
	Axis		axis = {.low = 0, .high = 10};

	EXPECT(axis_position(&axis, -1, 20) == 0);
	EXPECT(axis_position(&axis, 0, 20) == 0);
	EXPECT(axis_position(&axis, 0.49, 20) == 0);
	EXPECT(axis_position(&axis, 0.5, 20) == 1);
	EXPECT(axis_position(&axis, 9.99, 20) == 19);
	EXPECT(axis_position(&axis, 10, 20) == 19);
	EXPECT(axis_position(&axis, 1e300, 20) == 19);
}

static void
test_too_far_apart(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Axis		axis;

	EXPECT(axis_fit(host, -DBL_MAX, DBL_MAX, 5, &axis) == GL_ERR_DATA);
	EXPECT(axis_fit(host, DBL_MAX, DBL_MAX, 5, &axis) == GL_ERR_DATA);
	EXPECT(axis.tick_count == 0);
	EXPECT(axis_fit(host, -DBL_MAX / 4, DBL_MAX / 4, 5, &axis) == GL_OK);
	test_host_end(&test);
}

int
main(void)
{
	RUN(test_round_numbers);
	RUN(test_no_range);
	RUN(test_properties);
	RUN(test_positions);
	RUN(test_too_far_apart);
	UNIT_TEST_END();
}
