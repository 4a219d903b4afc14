/*
 * test_neighbour_index.c
 *		If this fails, a row that comes alone has other neighbours than in a
 *		batch, or after a tree was built than before.
 */
#include "point_shapes.h"

#include "points/neighbour_index.h"
#include "points/neighbours.h"

#define N	400
#define D	24
#define QUERIES	40

static double values[N * D];
static float floats[N * D];
static double queries[QUERIES * D];

/* Rows of a shape, and queries: rows of it, near it, and far outside. */
static PointMatrix
fill(GlRandom *random, PointShape shape, int n, int d, bool as_float)
{
	double		largest = 0;

	point_shape_fill(random, shape, n, d, values);
	for (int i = 0; i < n * d; i++)
	{
		floats[i] = (float) fmin(fmax(values[i], -1e38), 1e38);
		if (as_float)
			values[i] = (double) floats[i];
		largest = fmax(largest, fabs(values[i]));
	}
	for (int q = 0; q < QUERIES; q++)
		for (int j = 0; j < d; j++)
		{
			int			i = (int) gl_random_below(random, n);
			double		off = q % 4 == 0 ? 0 : q % 4 == 1 ? 1e-3 :
				q % 4 == 2 ? 1 : 1e6;

			queries[q * d + j] = (q % 8 == 0 ? values[q % n * d + j] :
								  values[i * d + j]) +
				off * largest * gl_random_normal(random);
		}
	return (PointMatrix)
	{
		n, d, as_float ? SCALAR_FLOAT4 : SCALAR_FLOAT8,
		as_float ? (void *) floats : (void *) values
	};
}

static void
expect_nearest(GlHost *host, NeighbourIndex *index, const PointMatrix *points,
			   const double *query, int32_t exclude, int32_t k)
{
	PointMatrix one = {1, points->dimension_count, SCALAR_FLOAT8, query};
	NeighbourLists lists;

	EXPECT_OK(host, neighbour_index_nearest(host, index, query, exclude, k));
	EXPECT_OK(host, neighbours_query(host, points, &one, &exclude, k,
									 NEIGHBOURS_GEMM, &lists));
	EXPECT(index->found_count == k);
	for (int32_t r = 0; r < k; r++)
	{
		EXPECT(index->found[r].row == lists.neighbour[r]);
		EXPECT(index->found[r].squared == lists.squared_distance[r]);
	}
	neighbour_lists_release(host, &lists);
}

static void
expect_within(GlHost *host, NeighbourIndex *index, const PointMatrix *points,
			  const double *query, int32_t exclude, double limit)
{
	const DistanceKernels *kernels = distance_kernels();
	static double seen[N];
	int64_t		count = 0;

	for (int64_t i = 0; i < points->row_count; i++)
		seen[i] = -1;
	EXPECT_OK(host, neighbour_index_within(host, index, query, exclude,
										   limit));
	for (int64_t f = 0; f < index->found_count; f++)
	{
		EXPECT(seen[index->found[f].row] == -1);
		seen[index->found[f].row] = index->found[f].squared;
	}
	for (int64_t i = 0; i < points->row_count; i++)
	{
		double		squared = distance_squared(kernels, points, query, i);
		bool		wanted = i != exclude && squared <= limit;

		EXPECT(seen[i] == (wanted ? squared : -1));
		count += wanted;
	}
	EXPECT(index->found_count == count);
}

/* Every shape, scanned and by tree, some rows excluded. */
static void
test_all_shapes(void)
{
	static const int dimensions[] = {1, 2, 7, 8, 24};
	GlRandom	random;

	gl_random_begin(&random, 8);
	for (int shape = 0; shape < POINTS_SHAPES; shape++)
		for (int trial = 0; trial < 10; trial++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			int			d = dimensions[trial % 5];
			PointMatrix points = fill(&random, (PointShape) shape, N, d,
									  trial >= 5);
			NeighbourIndex index;

			EXPECT_OK(host, neighbour_index_begin(host, &points, 12, &index));
			index.scan_limit = 5;
			for (int q = 0; q < QUERIES; q++)
			{
				const double *query = queries + q * d;
				int32_t		exclude = q % 8 == 0 ? q % N : -1;

				expect_nearest(host, &index, &points, query, exclude,
							   1 + q % 12);
				expect_within(host, &index, &points, query, exclude,
							  index.found[index.found_count - 1].squared);
			}
			EXPECT(index.has_tree && index.scan_count == 5);
			neighbour_index_end(host, &index);
			EXPECT_NOTHING_LEFT(&test);
			test_host_end(&test);
		}
}

/* Long lists, more neighbours than rows, few rows, one row. */
static void
test_sizes(void)
{
	static const int sizes[] = {1, 2, 3, 255, 256, 400};
	GlRandom	random;

	gl_random_begin(&random, 4);
	for (size_t s = 0; s < sizeof(sizes) / sizeof(sizes[0]); s++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = sizes[s];
		PointMatrix points = fill(&random, POINTS_GRID, n, 3, false);
		NeighbourIndex index;

		EXPECT_OK(host, neighbour_index_begin(host, &points, n, &index));
		for (int q = 0; q < 80; q++)
		{
			int32_t		k = 1 + q * (n - 1) / 80;

			expect_nearest(host, &index, &points, queries + q % QUERIES * 3,
						   -1, k);
		}
		EXPECT(index.has_tree == (n >= 256));
		EXPECT_OK(host, neighbour_index_nearest(host, &index, queries, 0, n));
		EXPECT(index.found_count == n - 1);
		EXPECT_OK(host, neighbour_index_nearest(host, &index, queries, 0, 0));
		EXPECT(index.found_count == 0);
		EXPECT(neighbour_index_nearest(host, &index, queries, 0, n + 1) ==
			   GL_ERR_INTERNAL);
		neighbour_index_end(host, &index);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

static GlStatus
index_job(GlHost *host)
{
	GlRandom	random;
	PointMatrix points;
	NeighbourIndex index;

	gl_random_begin(&random, 1);
	points = fill(&random, POINTS_DUPLICATES, 40, 2, false);
	GL_TRY(neighbour_index_begin(host, &points, 3, &index));
	index.scan_limit = 1;
	for (int q = 0; q < 3; q++)
	{
		GL_TRY(neighbour_index_nearest(host, &index, queries + 2 * q, -1, 3));
		GL_TRY(neighbour_index_within(host, &index, queries + 2 * q, -1, 9));
	}
	neighbour_index_end(host, &index);
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(index_job);
}

int
main(void)
{
	RUN(test_all_shapes);
	RUN(test_sizes);
	RUN(test_refused);
	UNIT_TEST_END();
}
