/*
 * distance_kernels.h
 *		The kernels of distance.h for one instruction set.
 *
 * Not a header in the usual sense: distance.c includes it once per level,
 * having defined
 *
 *	 KERNEL(name)		the name with the level's suffix
 *	 KERNEL_TARGET		the function attribute that selects the level
 *	 FLOATS, DOUBLES	numbers per vector register
 *	 FLOAT_MASK(v)		one bit per lane of a float comparison's result
 *	 FLOAT_MAX(a, b)	the larger of each lane
 *	 UNROLLED			asks for the loop's copies, so that arrays of vectors
 *						become registers
 *
 * Only loads, +, -, *, comparisons and min/max appear, each rounded once, so
 * the number of lanes per register cannot be seen in the results.
 */

typedef float KERNEL(Floats) __attribute__((vector_size(4 * FLOATS)));
typedef int32_t KERNEL(Bits) __attribute__((vector_size(4 * FLOATS)));
typedef float KERNEL(Halves) __attribute__((vector_size(4 * DOUBLES)));
typedef double KERNEL(Doubles) __attribute__((vector_size(8 * DOUBLES)));

#define DOUBLE_VECTORS	(DISTANCE_LANES / DOUBLES)

/* ((0+4)+(2+6)) + ((1+5)+(3+7)), whatever the register width. */
#define ADD_LANES(lane) \
	(((lane[0] + lane[4]) + (lane[2] + lane[6])) + \
	 ((lane[1] + lane[5]) + (lane[3] + lane[7])))

KERNEL_TARGET static double
KERNEL(squared_float) (const double *query, const float *row,
					   int32_t dimension_count)
{
	KERNEL(Doubles) sum[DOUBLE_VECTORS] = {{0}};
	double		lane[DISTANCE_LANES];
	double		total;
	int32_t		j = 0;

	for (; j + DISTANCE_LANES <= dimension_count; j += DISTANCE_LANES)
		UNROLLED for (int v = 0; v < DOUBLE_VECTORS; v++)
		{
			KERNEL(Halves) narrow;
			KERNEL(Doubles) x;

			memcpy(&narrow, row + j + v * DOUBLES, sizeof(narrow));
			memcpy(&x, query + j + v * DOUBLES, sizeof(x));
			x -= __builtin_convertvector(narrow, KERNEL(Doubles));
			sum[v] += x * x;
		}
	memcpy(lane, sum, sizeof(lane));
	total = ADD_LANES(lane);
	for (; j < dimension_count; j++)
	{
		double		difference = query[j] - (double) row[j];

		total += difference * difference;
	}
	return total;
}

KERNEL_TARGET static double
KERNEL(squared_double) (const double *query, const double *row,
						int32_t dimension_count)
{
	KERNEL(Doubles) sum[DOUBLE_VECTORS] = {{0}};
	double		lane[DISTANCE_LANES];
	double		total;
	int32_t		j = 0;

	for (; j + DISTANCE_LANES <= dimension_count; j += DISTANCE_LANES)
		UNROLLED for (int v = 0; v < DOUBLE_VECTORS; v++)
		{
			KERNEL(Doubles) x;
			KERNEL(Doubles) y;

			memcpy(&x, query + j + v * DOUBLES, sizeof(x));
			memcpy(&y, row + j + v * DOUBLES, sizeof(y));
			x -= y;
			sum[v] += x * x;
		}
	memcpy(lane, sum, sizeof(lane));
	total = ADD_LANES(lane);
	for (; j < dimension_count; j++)
	{
		double		difference = query[j] - row[j];

		total += difference * difference;
	}
	return total;
}

/* Columns summed between two looks whether any row is still in reach. */
#define SCREEN_STRIDE	16

/*
 * screen_block for a fixed number of rows; constant trip counts let the
 * compiler keep all sums in registers.
 */
#define SCREEN_ROWS(rows) \
KERNEL_TARGET static uint64_t \
KERNEL(screen_rows_##rows) (const float *query, const float *block, \
							int32_t width, int32_t dimension_count, \
							float limit, float *squared) \
{ \
	KERNEL(Floats) sum[rows / FLOATS] = {{0}}; \
	uint64_t	mask = 0; \
	int32_t		j = 0; \
	while (j < dimension_count) \
	{ \
		int32_t		stop = dimension_count - j > SCREEN_STRIDE + 4 ? \
			j + SCREEN_STRIDE : dimension_count; \
		for (; j < stop; j++) \
		{ \
			const float *column = block + (size_t) j * (size_t) width; \
			float		q = query[j]; \
			UNROLLED for (int v = 0; v < rows / FLOATS; v++) \
			{ \
				KERNEL(Floats) x; \
				memcpy(&x, column + v * FLOATS, sizeof(x)); \
				x -= q; \
				sum[v] += x * x; \
			} \
		} \
		mask = 0; \
		UNROLLED for (int v = 0; v < rows / FLOATS; v++) \
			mask |= (uint64_t) FLOAT_MASK(sum[v] <= limit) << (v * FLOATS); \
		if (mask == 0) \
			return 0; \
	} \
	memcpy(squared, sum, sizeof(sum)); \
	return mask; \
}

SCREEN_ROWS(8)
SCREEN_ROWS(16)
SCREEN_ROWS(24)
SCREEN_ROWS(32)

#undef SCREEN_ROWS

KERNEL_TARGET static uint64_t
KERNEL(screen_block) (const float *query, const float *block, int32_t width,
					  int32_t dimension_count, float limit, float *squared)
{
	uint64_t	mask = 0;

	for (int32_t first = 0; first < width; first += 32)
	{
		int32_t		rows = width - first;
		uint64_t	part;

		if (rows >= 32)
			part = KERNEL(screen_rows_32) (query, block + first, width,
										   dimension_count, limit,
										   squared + first);
		else if (rows == 24)
			part = KERNEL(screen_rows_24) (query, block + first, width,
										   dimension_count, limit,
										   squared + first);
		else if (rows == 16)
			part = KERNEL(screen_rows_16) (query, block + first, width,
										   dimension_count, limit,
										   squared + first);
		else
			part = KERNEL(screen_rows_8) (query, block + first, width,
										  dimension_count, limit,
										  squared + first);
		mask |= part << first;
	}
	return mask;
}

#define BOX_VECTORS		(SCREEN_BOXES / FLOATS)

KERNEL_TARGET static uint32_t
KERNEL(screen_boxes) (const float *query, const float *boxes,
					  int32_t dimension_count, float limit, float *squared)
{
	KERNEL(Floats) sum[BOX_VECTORS] = {{0}};
	uint32_t	mask = 0;
	int32_t		j = 0;

	while (j < dimension_count)
	{
		int32_t		stop = dimension_count - j > SCREEN_STRIDE + 4 ?
			j + SCREEN_STRIDE : dimension_count;

		for (; j < stop; j++)
		{
			const float *low = boxes + (size_t) j * (2 * SCREEN_BOXES);
			const float *high = low + SCREEN_BOXES;
			float		q = query[j];

			UNROLLED for (int v = 0; v < BOX_VECTORS; v++)
			{
				KERNEL(Floats) below;
				KERNEL(Floats) above;

				memcpy(&below, low + v * FLOATS, sizeof(below));
				memcpy(&above, high + v * FLOATS, sizeof(above));
				below -= q;
				above = q - above;
				below = FLOAT_MAX(FLOAT_MAX(below, above),
								  (KERNEL(Floats)) {0});
				sum[v] += below * below;
			}
		}
		mask = 0;
		UNROLLED for (int v = 0; v < BOX_VECTORS; v++)
			mask |= (uint32_t) FLOAT_MASK(sum[v] <= limit) << (v * FLOATS);
		if (mask == 0)
			return 0;
	}
	memcpy(squared, sum, sizeof(sum));
	return mask;
}

KERNEL_TARGET static bool
KERNEL(screen_products) (const float *products, const float *column_norm,
						 const float *column_limit, float row_norm,
						 float row_limit, int32_t count, uint64_t *mask)
{
	uint64_t	any = 0;

	for (int32_t word = 0; word < count / 64; word++)
	{
		uint64_t	bits = 0;

		UNROLLED for (int v = 0; v < 64 / FLOATS; v++)
		{
			size_t		at = (size_t) word * 64 + (size_t) v * FLOATS;
			KERNEL(Floats) product;
			KERNEL(Floats) norm;
			KERNEL(Floats) far;
			KERNEL(Bits) near;

			memcpy(&product, products + at, sizeof(product));
			memcpy(&norm, column_norm + at, sizeof(norm));
			memcpy(&far, column_limit + at, sizeof(far));
			near = (product + norm <= row_limit) | (product + row_norm <= far);
			bits |= (uint64_t) FLOAT_MASK(near) << (v * FLOATS);
		}
		mask[word] = bits;
		any |= bits;
	}
	return any != 0;
}

static const DistanceKernels KERNEL(kernels) =
{
	KERNEL(squared_float),
	KERNEL(squared_double),
	KERNEL(screen_block),
	KERNEL(screen_boxes),
	KERNEL(screen_products)
};

#undef DOUBLE_VECTORS
#undef ADD_LANES
#undef SCREEN_STRIDE
#undef BOX_VECTORS
