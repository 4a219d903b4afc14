/*
 * test_spanning_tree.c
 *		If this fails, the tree is not minimal, or ties break by method.
 */
#include "point_shapes.h"

#include "graph/spanning_tree.h"

typedef struct PlainEdge
{
	double		squared;
	int32_t		a;
	int32_t		b;
} PlainEdge;

static int
compare_lengths(const void *x, const void *y)
{
	const PlainEdge *e = x;
	const PlainEdge *f = y;

	if (e->squared != f->squared)
		return e->squared < f->squared ? -1 : 1;
	if (e->a != f->a)
		return e->a < f->a ? -1 : 1;
	return (e->b > f->b) - (e->b < f->b);
}

static int
compare_rows(const void *x, const void *y)
{
	const PlainEdge *e = x;
	const PlainEdge *f = y;

	if (e->a != f->a)
		return e->a < f->a ? -1 : 1;
	return (e->b > f->b) - (e->b < f->b);
}

/* Kruskal over all pairs; the tree's edges by (a, b). */
static PlainEdge *
kruskal(const PointMatrix *points)
{
	int			n = (int) points->row_count;
	PlainEdge  *all = malloc(sizeof(PlainEdge) * (size_t) n * (size_t) n);
	int		   *component = malloc(sizeof(int) * (size_t) n);
	int			pairs = 0;
	int			taken = 0;

	for (int i = 0; i < n; i++)
	{
		component[i] = i;
		for (int j = i + 1; j < n; j++)
			all[pairs++] = (PlainEdge)
			{
				point_shape_distance(points, i, j), i, j
			};
	}
	qsort(all, (size_t) pairs, sizeof(*all), compare_lengths);
	for (int e = 0; e < pairs; e++)
	{
		int			from = component[all[e].a];
		int			to = component[all[e].b];

		if (from == to)
			continue;
		for (int i = 0; i < n; i++)
			if (component[i] == from)
				component[i] = to;
		all[taken++] = all[e];
	}
	qsort(all, (size_t) taken, sizeof(*all), compare_rows);
	free(component);
	return all;
}

static void
expect_tree(const PointMatrix *points)
{
	PlainEdge  *wanted = kruskal(points);

	for (int method = 0; method <= NEIGHBOURS_GEMM; method++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		SpanningTree tree;
		bool		same = true;

		EXPECT_OK(host, spanning_tree_build(host, points, method, &tree));
		EXPECT(tree.edge_count == points->row_count - 1);
		for (int e = 0; e < tree.edge_count; e++)
			same &= tree.source[e] == wanted[e].a &&
				tree.target[e] == wanted[e].b &&
				tree.squared_distance[e] == wanted[e].squared;
		EXPECT(same);
		if (!same)
			printf("# n %d d %d method %d\n", (int) points->row_count,
				   (int) points->dimension_count, method);
		spanning_tree_release(host, &tree);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
	free(wanted);
}

static void
test_all_shapes_equal_kruskal(void)
{
	GlRandom	random;
	const int	sizes[] = {1, 2, 3, 9, 60, 250};
	const int	columns[] = {1, 2, 3, 9, 26};

	gl_random_begin(&random, 31);
	for (int shape = 0; shape < POINTS_SHAPES; shape++)
		for (int s = 0; s < 6; s++)
			for (int c = 0; c < 5; c++)
			{
				PointMatrix points = point_shape_make(&random, shape,
													  sizes[s], columns[c],
													  (s + c) % 2);

				expect_tree(&points);
				free((void *) points.values);
			}
}

/* Two far clusters: the last edge is longer than every remembered list. */
static void
test_separate_clusters(void)
{
	GlRandom	random;
	double		values[240 * 2];
	PointMatrix points = {240, 2, SCALAR_FLOAT8, values};

	gl_random_begin(&random, 32);
	for (int i = 0; i < 240; i++)
	{
		values[2 * i] = gl_random_normal(&random) + i % 4 * 1000.0;
		values[2 * i + 1] = gl_random_normal(&random);
	}
	expect_tree(&points);
}

/* Distances that overflow or vanish are ties, and ties go by row. */
static void
test_extreme_scales(void)
{
	const double scales[] = {1e-300, 1e-160, 1e160, 1e300};
	GlRandom	random;

	gl_random_begin(&random, 34);
	for (int s = 0; s < 4; s++)
	{
		double		values[120];
		PointMatrix points = {60, 2, SCALAR_FLOAT8, values};

		for (int i = 0; i < 120; i++)
			values[i] = gl_random_normal(&random) * scales[s];
		expect_tree(&points);
	}
}

/* Both roads agree where Kruskal would take too long. */
static void
test_roads_agree_on_many_rows(void)
{
	GlRandom	random;

	gl_random_begin(&random, 33);
	for (int shape = 0; shape <= POINTS_DUPLICATES; shape++)
	{
		PointMatrix points = point_shape_make(&random, shape, 3000, 4, false);
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		SpanningTree tree;
		SpanningTree products;
		bool		same = true;

		EXPECT_OK(host, spanning_tree_build(host, &points, NEIGHBOURS_TREE,
											&tree));
		EXPECT_OK(host, spanning_tree_build(host, &points, NEIGHBOURS_GEMM,
											&products));
		for (int e = 0; e < 2999; e++)
			same &= tree.source[e] == products.source[e] &&
				tree.target[e] == products.target[e] &&
				tree.squared_distance[e] == products.squared_distance[e];
		EXPECT(same);
		spanning_tree_release(host, &tree);
		spanning_tree_release(host, &products);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
		free((void *) points.values);
	}
}

static GlStatus
build_job(GlHost *host, NeighbourMethod method)
{
	double		values[40];
	PointMatrix points = {40, 1, SCALAR_FLOAT8, values};
	SpanningTree tree;

	for (int i = 0; i < 40; i++)
		values[i] = i * i % 37 + i % 3 * 100;
	GL_TRY(spanning_tree_build(host, &points, method, &tree));
	spanning_tree_release(host, &tree);
	return GL_OK;
}

static GlStatus
tree_job(GlHost *host)
{
	return build_job(host, NEIGHBOURS_TREE);
}

static GlStatus
gemm_job(GlHost *host)
{
	return build_job(host, NEIGHBOURS_GEMM);
}

static void
test_refused_builds(void)
{
	test_refusals(tree_job);
	test_refusals(gemm_job);
}

int
main(void)
{
	RUN(test_all_shapes_equal_kruskal);
	RUN(test_separate_clusters);
	RUN(test_extreme_scales);
	RUN(test_roads_agree_on_many_rows);
	RUN(test_refused_builds);
	UNIT_TEST_END();
}
