/*
 * test_distance.c
 *		If this fails, the same two rows have two distances: results would
 *		depend on the machine or on the road a search took.
 */
#include "unit_test.h"

#include "points/distance.h"

#define MAX_D	140

/* The definition of distance.h, written out once more. */
static double
reference(const double *x, const double *y, int d)
{
	double		lane[8] = {0};
	double		sum = 0.0;
	int			j = 0;

	if (d >= 8)
	{
		for (; j < d / 8 * 8; j++)
		{
			volatile double difference = x[j] - y[j];
			volatile double square = difference * difference;

			lane[j % 8] += square;
		}
		sum = ((lane[0] + lane[4]) + (lane[2] + lane[6])) +
			((lane[1] + lane[5]) + (lane[3] + lane[7]));
	}
	for (; j < d; j++)
	{
		volatile double difference = x[j] - y[j];
		volatile double square = difference * difference;

		sum += square;
	}
	return sum;
}

static void
test_every_level_follows_the_definition(void)
{
	GlRandom	random;
	double		x[MAX_D];
	double		y[MAX_D];
	float		narrow[MAX_D];

	gl_random_begin(&random, 1);
	for (int d = 1; d <= MAX_D; d++)
		for (int trial = 0; trial < 20; trial++)
		{
			double		scale = pow(10.0, (double) (trial % 5 - 2) * 30.0);
			PointMatrix doubles = {1, d, SCALAR_FLOAT8, y};
			PointMatrix floats = {1, d, SCALAR_FLOAT4, narrow};

			for (int j = 0; j < d; j++)
			{
				x[j] = gl_random_normal(&random) * scale;
				y[j] = gl_random_normal(&random) * scale;
				narrow[j] = (float) gl_random_normal(&random);
			}
			for (int level = 0; level <= DISTANCE_AVX2; level++)
			{
				const DistanceKernels *kernels = distance_kernels_at(level);
				double		widened[MAX_D];

				if (!distance_level_supported(level))
					continue;
				EXPECT(distance_squared(kernels, &doubles, x, 0) ==
					   reference(x, y, d));
				distance_widen(&floats, 0, widened);
				EXPECT(distance_squared(kernels, &floats, x, 0) ==
					   reference(x, widened, d));
			}
		}
}

static void
test_distance_is_symmetric(void)
{
	GlRandom	random;
	double		values[2 * MAX_D];

	gl_random_begin(&random, 2);
	for (int d = 1; d <= MAX_D; d++)
	{
		PointMatrix points = {2, d, SCALAR_FLOAT8, values};

		for (int j = 0; j < 2 * d; j++)
			values[j] = gl_random_normal(&random);
		EXPECT(distance_squared(distance_kernels(), &points, values, 1) ==
			   distance_squared(distance_kernels(), &points, values + d, 0));
		EXPECT(distance_squared(distance_kernels(), &points, values, 0) == 0);
	}
}

/* Screening may not lose a row: the mask is checked against plain sums. */
static void
test_block_screen_matches_plain_sums(void)
{
	static float block[MAX_D * SCREEN_MAX_WIDTH];
	GlRandom	random;
	float		query[MAX_D];

	gl_random_begin(&random, 3);
	for (int width = 8; width <= SCREEN_MAX_WIDTH; width += 8)
		for (int d = 1; d <= MAX_D; d += width == 32 ? 1 : 13)
		{
			uint64_t	wanted = 0;
			float		sums[SCREEN_MAX_WIDTH];
			float		squared[SCREEN_MAX_WIDTH];
			float		limit;

			for (int i = 0; i < d * width; i++)
				block[i] = (float) gl_random_below(&random, 5);
			for (int j = 0; j < d; j++)
				query[j] = (float) gl_random_below(&random, 5);
			limit = (float) (d * 4);
			for (int i = 0; i < width; i++)
			{
				float		sum = 0;

				for (int j = 0; j < d; j++)
					sum += (block[j * width + i] - query[j]) *
						(block[j * width + i] - query[j]);
				wanted |= (uint64_t) (sum <= limit) << i;
				sums[i] = sum;
			}
			for (int level = 0; level <= DISTANCE_AVX2; level++)
				if (distance_level_supported(level))
				{
					EXPECT(distance_kernels_at(level)->screen_block(query,
						   block, width, d, limit, squared) == wanted);
					for (int i = 0; i < width; i++)
						EXPECT(!(wanted >> i & 1) || squared[i] == sums[i]);
				}
		}
}

static void
test_box_screen_matches_plain_sums(void)
{
	static float boxes[MAX_D * 2 * SCREEN_BOXES];
	GlRandom	random;
	float		query[MAX_D];

	gl_random_begin(&random, 4);
	for (int d = 1; d <= MAX_D; d++)
	{
		float		wanted[SCREEN_BOXES] = {0};
		float		limit = (float) d;

		for (int j = 0; j < d; j++)
		{
			query[j] = (float) gl_random_below(&random, 9) - 4;
			for (int b = 0; b < SCREEN_BOXES; b++)
			{
				float		low = (float) gl_random_below(&random, 5) - 3;
				float		high = low + (float) gl_random_below(&random, 3);
				float		gap = fmaxf(fmaxf(low - query[j],
											  query[j] - high), 0);

				boxes[j * 32 + b] = low;
				boxes[j * 32 + 16 + b] = high;
				wanted[b] += gap * gap;
			}
		}
		/* the last box is empty, as in a node with fewer children */
		for (int j = 0; j < d; j++)
		{
			boxes[j * 32 + 15] = INFINITY;
			boxes[j * 32 + 31] = -INFINITY;
		}
		wanted[15] = INFINITY;
		for (int level = 0; level <= DISTANCE_AVX2; level++)
		{
			float		squared[SCREEN_BOXES];
			uint32_t	mask;

			if (!distance_level_supported(level))
				continue;
			mask = distance_kernels_at(level)->screen_boxes(query, boxes, d,
															limit, squared);
			for (int b = 0; b < SCREEN_BOXES; b++)
			{
				EXPECT((mask >> b & 1) == (wanted[b] <= limit));
				if (mask >> b & 1)
					EXPECT(squared[b] == wanted[b]);
			}
		}
	}
}

static void
test_product_screen_matches_plain_tests(void)
{
	GlRandom	random;
	float		products[192];
	float		norm[192];
	float		limit[192];

	gl_random_begin(&random, 5);
	for (int trial = 0; trial < 100; trial++)
	{
		float		row_norm = (float) gl_random_normal(&random);
		float		row_limit = (float) gl_random_normal(&random) - 1;

		for (int i = 0; i < 192; i++)
		{
			products[i] = (float) gl_random_normal(&random);
			norm[i] = i > 180 ? INFINITY : (float) gl_random_normal(&random);
			limit[i] = i > 180 ? -INFINITY :
				(float) gl_random_normal(&random) - 1;
		}
		if (trial == 0)
			row_limit = 3e38f;
		for (int level = 0; level <= DISTANCE_AVX2; level++)
		{
			uint64_t	mask[3];
			bool		any = false;

			if (!distance_level_supported(level))
				continue;
			bool		said = distance_kernels_at(level)->screen_products(
				products, norm, limit, row_norm, row_limit, 192, mask);

			for (int i = 0; i < 192; i++)
			{
				bool		near = products[i] + norm[i] <= row_limit ||
					products[i] + row_norm <= limit[i];

				any |= near;
				EXPECT((mask[i / 64] >> (i % 64) & 1) == near);
			}
			EXPECT(said == any);
		}
	}
}

int
main(void)
{
	RUN(test_every_level_follows_the_definition);
	RUN(test_distance_is_symmetric);
	RUN(test_block_screen_matches_plain_sums);
	RUN(test_box_screen_matches_plain_sums);
	RUN(test_product_screen_matches_plain_tests);
	UNIT_TEST_END();
}
