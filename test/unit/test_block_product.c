/*
 * test_block_product.c
 *		If this fails, products of graphs too large for one stretch or one
 *		panel differ from the sum over their blocks.
 */
#include "unit_test.h"

#include <math.h>

#include "graph/block_build.h"
#include "graph/block_refine.h"

#define ROWS		2600		/* more than two stretches */
#define DIMENSIONS	3
#define COLUMNS		11			/* more than a panel */

static void
make_graph(GlHost *host, int32_t tree_count, bool refined, BlockGraph *out)
{
	static double values[ROWS * DIMENSIONS];
	static int64_t ids[ROWS];
	PointSet	points = {0};
	BlockGraphOptions options;
	BlockGraphReport report;
	GlRandom	random;

	gl_random_begin(&random, 5);
	for (int v = 0; v < ROWS * DIMENSIONS; v++)
		values[v] = gl_random_normal(&random);
	for (int i = 0; i < ROWS; i++)
		ids[i] = i;
	points.matrix.row_count = ROWS;
	points.matrix.dimension_count = DIMENSIONS;
	points.matrix.scalar = SCALAR_FLOAT8;
	points.matrix.values = values;
	points.ids = ids;
	block_graph_defaults(&options);
	options.tree_count = tree_count;
	EXPECT_OK(host, block_graph_build(host, &points, &options, out,
									  &report));
	if (refined)
	{
		BlockRefineOptions finer = {.blocks_per_row = 5};
		BlockRefineReport refinement;
		BlockGraph	coarse = *out;

		EXPECT_OK(host, block_graph_refine(host, &coarse, &finer, out,
										   &refinement));
		graph_release(host, &coarse.graph);
	}
}

static void
node_span(const TreeLinks *links, int32_t node, int *first, int *size)
{
	bool		is_leaf = node >= ROWS - 1;

	*first = is_leaf ? node - (ROWS - 1) : links->first[node];
	*size = is_leaf ? 1 : links->size[node];
}

/* y of all rows of a get q times the sum of x over the rows of b. */
static void
add_block(const BlockTree *tree, int32_t a, int32_t b, double q,
		  const double *x, double *y)
{
	double		sum[COLUMNS] = {0};
	int			first;
	int			size;

	node_span(&tree->links, b, &first, &size);
	for (int i = first; i < first + size; i++)
		for (int c = 0; c < COLUMNS; c++)
			sum[c] += x[tree->tree.leaf_row[i] * COLUMNS + c];
	node_span(&tree->links, a, &first, &size);
	for (int i = first; i < first + size; i++)
		for (int c = 0; c < COLUMNS; c++)
			y[tree->tree.leaf_row[i] * COLUMNS + c] += q * sum[c];
}

static void
multiply_by_blocks(const BlockGraph *block, bool transpose, const double *x,
				   double *y)
{
	memset(y, 0, ROWS * COLUMNS * sizeof(double));
	for (int t = 0; t < block->recipe.tree_count; t++)
	{
		const BlockTree *tree = &block->trees[t];

		for (int64_t e = 0; e < tree->pair_count; e++)
		{
			int32_t		a = block_tree_a(tree)[e];
			int32_t		b = block_tree_b(tree)[e];
			double		q_ab = exp(tree->log_q_ab[e]);
			double		q_ba = exp(tree->log_q_ba[e]);

			add_block(tree, a, b, transpose ? q_ba : q_ab, x, y);
			add_block(tree, b, a, transpose ? q_ab : q_ba, x, y);
		}
	}
	for (int v = 0; v < ROWS * COLUMNS; v++)
		y[v] /= block->recipe.tree_count;
}

static void
test_against_blocks(void)
{
	static double x[ROWS * COLUMNS];
	static double y[ROWS * COLUMNS];
	static double wanted[ROWS * COLUMNS];
	GlRandom	random;

	gl_random_begin(&random, 6);
	for (int v = 0; v < ROWS * COLUMNS; v++)
		x[v] = gl_random_normal(&random);
	for (int kind = 0; kind < 8; kind++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		bool		transpose = kind & 1;
		BlockGraph	block;

		make_graph(host, kind & 4 ? 3 : 1, kind & 2, &block);
		EXPECT((block.pair_a != NULL) == ((kind & 2) != 0));
		memset(y, 0xA5, sizeof(y));
		EXPECT_OK(host, transpose ?
				  graph_apply_transpose(host, &block.graph, x, y, COLUMNS) :
				  graph_apply(host, &block.graph, x, y, COLUMNS));
		multiply_by_blocks(&block, transpose, x, wanted);
		for (int v = 0; v < ROWS * COLUMNS; v++)
			EXPECT_NEAR(y[v], wanted[v], 1e-11);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Columns do not know of each other, nor of their panel. */
static void
test_columns_alone(void)
{
	static double x[ROWS * COLUMNS];
	static double y[ROWS * COLUMNS];
	static double column[ROWS];
	static double alone[ROWS];
	GlRandom	random;

	gl_random_begin(&random, 7);
	for (int v = 0; v < ROWS * COLUMNS; v++)
		x[v] = gl_random_normal(&random);
	for (int refined = 0; refined <= 1; refined++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		BlockGraph	block;

		make_graph(host, 2, refined, &block);
		EXPECT_OK(host, graph_apply(host, &block.graph, x, y, COLUMNS));
		for (int c = 0; c < COLUMNS; c++)
		{
			bool		same = true;

			for (int i = 0; i < ROWS; i++)
				column[i] = x[i * COLUMNS + c];
			EXPECT_OK(host, graph_apply(host, &block.graph, column, alone,
										1));
			for (int i = 0; i < ROWS; i++)
				same = same && alone[i] == y[i * COLUMNS + c];
			EXPECT(same);
		}
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* A refined list is in the order products like, smaller nodes first. */
static void
test_order_of_pairs(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	BlockGraph	block;
	bool		ordered = true;

	make_graph(host, 1, true, &block);
	for (int64_t e = 0; e < block.pair_total; e++)
		ordered = ordered && block.pair_a[e] < block.pair_b[e] &&
			(e == 0 || block.pair_a[e - 1] < block.pair_a[e] ||
			 (block.pair_a[e - 1] == block.pair_a[e] &&
			  block.pair_b[e - 1] < block.pair_b[e]));
	EXPECT(ordered);
	graph_release(host, &block.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

int
main(void)
{
	RUN(test_against_blocks);
	RUN(test_columns_alone);
	RUN(test_order_of_pairs);
	UNIT_TEST_END();
}
