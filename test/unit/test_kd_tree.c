/*
 * test_kd_tree.c
 *		If this fails, a walk can miss a leaf in reach, or lopsided data can
 *		overrun a stack.
 */
#include "unit_test.h"

#include "points/kd_tree.h"

typedef enum Shape
{
	SHAPE_NORMAL, SHAPE_GRID, SHAPE_EQUAL, SHAPE_GEOMETRIC, SHAPE_SPIKES,
	SHAPE_COUNT
} Shape;

/* Rows in host memory, for kd_tree_build() to keep. */
static float *
make_rows(GlHost *host, GlRandom *random, Shape shape, int n, int d)
{
	float	   *rows = gl_allocate(host, (size_t) n * d, sizeof(float));

	for (int i = 0; i < n && rows != NULL; i++)
		for (int j = 0; j < d; j++)
		{
			float	   *value = &rows[i * d + j];

			switch (shape)
			{
				case SHAPE_NORMAL:
					*value = (float) gl_random_normal(random);
					break;
				case SHAPE_GRID:
					*value = (float) gl_random_below(random, 3);
					break;
				case SHAPE_EQUAL:
					*value = 4.25f;
					break;
				case SHAPE_GEOMETRIC:
					/* means peel off the ends of such data */
					*value = ldexpf(1.0f, (int) ((i * 7 + j) % 240) - 120);
					break;
				default:
					*value = i % 97 == 0 ? 1e18f * (float) i : 1e-18f * j;
					break;
			}
		}
	return rows;
}

static void
test_every_shape_keeps_the_invariants(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	const int	sizes[] = {1, 2, 32, 33, 64, 65, 700, 5000};
	const int	columns[] = {1, 2, 10, 30};

	gl_random_begin(&random, 11);
	for (int shape = 0; shape < SHAPE_COUNT; shape++)
		for (int s = 0; s < 8; s++)
			for (int c = 0; c < 4; c++)
			{
				KdTree		tree;
				float	   *rows = make_rows(host, &random, shape, sizes[s],
											 columns[c]);

				EXPECT_OK(host, kd_tree_build(host, rows, sizes[s],
											  columns[c], &tree));
				EXPECT_OK(host, kd_tree_check(host, &tree));
				kd_tree_release(host, &tree);
			}
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* A walk with a fixed limit must offer every row within it. */
static void
test_walk_misses_nothing(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	KdWalk	   *walk = malloc(sizeof(*walk));

	gl_random_begin(&random, 12);
	for (int shape = 0; shape < SHAPE_COUNT; shape++)
		for (int d = 1; d <= 40; d += 13)
		{
			int			n = 900;
			KdTree		tree;
			float	   *rows = make_rows(host, &random, shape, n, d);
			float	   *copy = malloc(sizeof(float) * (size_t) (n * d));
			bool		seen[900];

			memcpy(copy, rows, sizeof(float) * (size_t) (n * d));
			EXPECT_OK(host, kd_tree_build(host, rows, n, d, &tree));
			for (int q = 0; q < n; q += 37)
				for (int scale = -30; scale <= 40; scale += 10)
				{
					float		limit = ldexpf((float) d, scale);
					int32_t		leaf;

					memset(seen, 0, sizeof(seen));
					kd_walk_begin(walk, &tree, distance_kernels(),
								  copy + q * d, limit);
					for (;;)
					{
						float		squared[SCREEN_MAX_WIDTH];
						uint64_t	mask;

						EXPECT_OK(host, kd_walk_next(host, walk, &leaf));
						if (leaf < 0)
							break;
						mask = kd_walk_screen(walk, leaf, squared);
						for (int b = 0; b < 64; b++)
							if (mask >> b & 1)
								seen[tree.order[tree.leaf_start[leaf] + b]] =
									true;
					}
					for (int i = 0; i < n; i++)
					{
						float		sum = 0;

						for (int j = 0; j < d; j++)
							sum += (copy[i * d + j] - copy[q * d + j]) *
								(copy[i * d + j] - copy[q * d + j]);
						EXPECT(seen[i] == (sum <= limit));
					}
				}
			free(copy);
			kd_tree_release(host, &tree);
		}
	free(walk);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_check_notices_damage(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlRandom	random;
	KdTree		tree;
	float	   *rows;

	gl_random_begin(&random, 13);
	rows = make_rows(host, &random, SHAPE_NORMAL, 300, 2);
	EXPECT_OK(host, kd_tree_build(host, rows, 300, 2, &tree));
	tree.order[5] = tree.order[6];
	EXPECT(kd_tree_check(host, &tree) == GL_ERR_CORRUPT);
	test_host_end(&test);

	host = test_host_begin(&test);
	rows = make_rows(host, &random, SHAPE_NORMAL, 300, 2);
	EXPECT_OK(host, kd_tree_build(host, rows, 300, 2, &tree));
	tree.blocks[0] = 1e9f;
	EXPECT(kd_tree_check(host, &tree) == GL_ERR_CORRUPT);
	test_host_end(&test);
}

static GlStatus
build_job(GlHost *host)
{
	GlRandom	random;
	KdTree		tree;
	float	   *rows;

	gl_random_begin(&random, 14);
	rows = make_rows(host, &random, SHAPE_NORMAL, 150, 2);
	if (rows == NULL)
		return host->status;
	GL_TRY(kd_tree_build(host, rows, 150, 2, &tree));
	kd_tree_release(host, &tree);
	return GL_OK;
}

static void
test_refused_build(void)
{
	test_refusals(build_job);
}

int
main(void)
{
	RUN(test_every_shape_keeps_the_invariants);
	RUN(test_walk_misses_nothing);
	RUN(test_check_notices_damage);
	RUN(test_refused_build);
	UNIT_TEST_END();
}
