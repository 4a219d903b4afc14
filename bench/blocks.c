/*
 * blocks.c
 *		Time block graphs in the core, without a server around them.
 *
 *		blocks bandwidth					GB/s of a plain triad
 *		blocks build ROWS COLUMNS POINTS TREE
 *											seconds
 *		blocks product ROWS COLUMNS POINTS BLOCKS_PER_ROW
 *											"blocks columns seconds" lines
 *		blocks walk ROWS COLUMNS POINTS ITERATIONS
 *											seconds of Y <- a Q Y + (1-a) Y0
 *
 * POINTS is a file of doubles.  Times are the best of several runs.
 */
#include <string.h>

#include "graph/block_build.h"
#include "graph/block_refine.h"
#include "plain_host.h"

#define DAMPING		0.01

/* Runs until a second has gone, between 3 and 200 of them. */
typedef struct Stopwatch
{
	int			runs;
	double		began;
	double		started;
	double		best;
} Stopwatch;

static bool
stopwatch_again(Stopwatch *watch)
{
	double		time = now();

	if (watch->runs == 0)
		*watch = (Stopwatch) {.began = time, .best = 1e30};
	else if (time - watch->started < watch->best)
		watch->best = time - watch->started;
	if (watch->runs >= 200 || (watch->runs >= 3 && time - watch->began > 1))
		return false;
	watch->runs++;
	watch->started = now();
	return true;
}

/* a <- b + s c over arrays no cache holds: 24 bytes an entry. */
static void
time_bandwidth(void)
{
	size_t		count = (size_t) 1 << 25;
	double	   *a = numbers(count);
	double	   *b = numbers(count);
	double	   *c = numbers(count);
	Stopwatch	watch = {0};

	while (stopwatch_again(&watch))
		for (size_t i = 0; i < count; i++)
			a[i] = b[i] + 0.5 * c[i];
	printf("%.2f %g\n", 24e-9 * (double) count / watch.best, a[count / 2]);
}

static TreeKind
tree_kind(const char *name)
{
	return strcmp(name, "anchor") == 0 ? TREE_ANCHOR :
		strcmp(name, "random") == 0 ? TREE_RANDOM : TREE_BISECT;
}

static void
build(GlHost *host, const PointSet *points, const char *tree, BlockGraph *out)
{
	BlockGraphOptions options;
	BlockGraphReport report;

	block_graph_defaults(&options);
	options.tree_kind = tree_kind(tree);
	must(host, block_graph_build(host, points, &options, out, &report));
}

static void
time_build(GlHost *host, const PointSet *points, const char *tree)
{
	Stopwatch	watch = {0};

	while (stopwatch_again(&watch))
	{
		BlockGraph	block;

		build(host, points, tree, &block);
		graph_release(host, &block.graph);
	}
	printf("%.9f\n", watch.best);
}

static void
time_product(GlHost *host, const PointSet *points, double blocks_per_row)
{
	size_t		n = (size_t) points->matrix.row_count;
	BlockGraph	block;

	build(host, points, "bisect", &block);
	if (blocks_per_row > 2)
	{
		BlockRefineOptions options = {.blocks_per_row = blocks_per_row};
		BlockRefineReport report;
		BlockGraph	finer;

		must(host, block_graph_refine(host, &block, &options, &finer,
									  &report));
		graph_release(host, &block.graph);
		block = finer;
	}
	for (int columns = 1; columns <= 8; columns *= 2)
	{
		double	   *x = numbers(n * (size_t) columns);
		double	   *y = numbers(n * (size_t) columns);
		Stopwatch	watch = {0};

		while (stopwatch_again(&watch))
			must(host, graph_apply(host, &block.graph, x, y, columns));
		printf("%lld %d %.9f\n", 2 * (long long) block.pair_total, columns,
			   watch.best);
		free(x);
		free(y);
	}
}

/* Two columns, as many steps as asked for, no test of convergence. */
static void
time_walk(GlHost *host, const PointSet *points, int iterations)
{
	size_t		count = 2 * (size_t) points->matrix.row_count;
	double	   *given = numbers(count);
	double	   *y = numbers(count);
	double	   *product = numbers(count);
	double		start;
	BlockGraph	block;

	build(host, points, "bisect", &block);
	start = now();
	for (int t = 0; t < iterations; t++)
	{
		must(host, graph_apply(host, &block.graph, y, product, 2));
		for (size_t i = 0; i < count; i++)
			y[i] = DAMPING * product[i] + (1 - DAMPING) * given[i];
	}
	printf("%.9f %g\n", now() - start, y[count / 2]);
}

int
main(int argc, char **argv)
{
	GlHost		host = plain_host();
	PointSet	points;

	if (argc == 2 && strcmp(argv[1], "bandwidth") == 0)
	{
		time_bandwidth();
		return 0;
	}
	if (argc != 6)
		return 2;
	points = read_points(argv[4], atoll(argv[2]), atoi(argv[3]));
	if (strcmp(argv[1], "build") == 0)
		time_build(&host, &points, argv[5]);
	else if (strcmp(argv[1], "product") == 0)
		time_product(&host, &points, atof(argv[5]));
	else if (strcmp(argv[1], "walk") == 0)
		time_walk(&host, &points, atoi(argv[5]));
	else
		return 2;
	return 0;
}
