/*
 * test_block_graph.c
 *		If this fails, the compact walk goes where its blocks do not say, or a
 *		damaged one is taken for sound.
 */
#include "block_shapes.h"

#include "learn/local_global.h"

#define MAX_COLUMNS	11

/* Every operation against the matrix. */
static void
expect_operations(GlHost *host, const Graph *graph, const double *q,
				  GlRandom *random)
{
	int			n = (int) graph->node_count;
	double		x[MAX_N * MAX_COLUMNS];
	double		y[MAX_N * MAX_COLUMNS];
	double		sums[MAX_N];
	double		diagonal[MAX_N];
	int32_t		component[MAX_N];
	int32_t		component_count;

	for (int columns = 1; columns <= MAX_COLUMNS; columns++)
		for (int transpose = 0; transpose <= 1; transpose++)
		{
			for (int v = 0; v < n * columns; v++)
				x[v] = gl_random_normal(random);
			memset(y, 0xA5, sizeof(y));
			EXPECT_OK(host, transpose ?
					  graph_apply_transpose(host, graph, x, y, columns) :
					  graph_apply(host, graph, x, y, columns));
			for (int i = 0; i < n; i++)
				for (int c = 0; c < columns; c++)
				{
					double		wanted = 0;

					for (int j = 0; j < n; j++)
						wanted += x[j * columns + c] *
							(transpose ? q[j * n + i] : q[i * n + j]);
					EXPECT_NEAR(y[i * columns + c], wanted, 1e-13);
				}
		}
	for (int i = 0; i < n; i++)
		x[i] = 1;
	EXPECT_OK(host, graph_apply(host, graph, x, y, 1));
	EXPECT_OK(host, graph_row_sums(host, graph, sums));
	EXPECT_OK(host, graph->operations->diagonal(host, graph, diagonal));
	EXPECT_OK(host, graph_components(host, graph, component,
									 &component_count));
	EXPECT(component_count == 1);
	for (int i = 0; i < n; i++)
	{
		EXPECT_NEAR(y[i], 1, 1e-12);
		EXPECT(sums[i] == 1 && diagonal[i] == 0 && component[i] == 0);
	}
	EXPECT(graph->operations->visit_edges == NULL);
}

static void
expect_rows(GlHost *host, const Graph *graph, const double *q)
{
	int			n = (int) graph->node_count;

	for (int i = 0; i < n; i++)
	{
		GraphEntry *entries = NULL;
		int64_t		count = 0;
		int64_t		next = 0;

		EXPECT_OK(host, graph->operations->row(host, graph, i, &entries,
											   &count));
		for (int j = 0; j < n; j++)
			if (q[i * n + j] > 0)
			{
				EXPECT(next < count && entries[next].node == j);
				if (next < count)
					EXPECT_NEAR(entries[next].value, q[i * n + j], 1e-14);
				next++;
			}
		EXPECT(count == next);
		gl_release(host, entries);
	}
}

/* Spec seed000 5.12, G1: six numbers, tree (((1,2),3),((4,5),6)), sigma 2. */
static const double golden_x[6] = {0, 1, 3, 7, 8, 14};
static const Shape golden_shape = {
	.n = 6,
	.left_size = {3, 2, 1, 2, 1},
	.leaf_row = {0, 1, 2, 3, 4, 5}
};

static void
test_golden_products(void)
{
	static const double y[6] = {1, 2, 3, 4, 5, 6};
	static const double walk[6] = {
		2.334881360502, 1.669543678389, 1.500383324575,
		5.003627571102, 4.009820197443, 4.498396840475
	};
	static const double back[6] = {
		2.833717401314, 2.168379719201, 1.006864708790,
		7.967332119478, 6.973524745820, 0.050181305398
	};
	static const double exact[6] = {
		2.272829121656, 1.835464410184, 2.070088330270,
		4.699453042464, 3.971171899822, 4.835446122841
	};

	/* coarsest, the same as a list, and every pair of rows by itself */
	for (int kind = 0; kind < 3; kind++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		GlRandom	random;
		static Shape shape;
		BlockGraph	block;
		double		z[6];

		gl_random_begin(&random, 1);
		shape = golden_shape;
		shape_coarsest(&shape);
		shape.is_coarsest = kind == 0;
		if (kind == 2)
			shape_refine(&shape, &random, 15);
		EXPECT_OK(host, hand_forest(host, &shape, 1, golden_x, 2, &block));
		EXPECT_OK(host, block_graph_bind(host, &block));
		EXPECT_OK(host, block_graph_check(host, &block));
		EXPECT((block.pair_a == NULL) == (kind == 0));
		EXPECT(!block.graph.is_symmetric && block.graph.is_stochastic);
		EXPECT(block.graph.meaning == GRAPH_TRANSITION);
		EXPECT_OK(host, graph_apply(host, &block.graph, y, z, 1));
		for (int i = 0; i < 6; i++)
			EXPECT_NEAR(z[i], kind == 2 ? exact[i] : walk[i], 1e-11);
		EXPECT_OK(host, graph_apply_transpose(host, &block.graph, y, z, 1));
		for (int i = 0; i < 6 && kind < 2; i++)
			EXPECT_NEAR(z[i], back[i], 1e-11);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* G1: the limit of label propagation from the first row. */
static void
test_golden_propagation(void)
{
	static const struct
	{
		double		damping;
		double		limit[4];
	}			cases[] = {
		{0.01, {0.990060608365, 0.00660391632486, 0.00498277684581,
		2.16268014862e-06}},
		{0.9, {0.415188005442, 0.352641248376, 0.345485531972,
		0.00212949532863}}
	};
	static const int32_t first = 0;
	LabelSeeds	seeds = {1, 1, &first, &first};
	Shape		shape = golden_shape;

	shape_coarsest(&shape);
	for (int c = 0; c < 2; c++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PropagateOptions options;
		PropagateReport report;
		BlockGraph	block;
		double		f[6];

		propagate_defaults(&options);
		options.method = PROPAGATE_LGC;
		options.damping = cases[c].damping;
		options.tolerance = 1e-14;
		options.iteration_limit = 2000;
		EXPECT_OK(host, hand_forest(host, &shape, 1, golden_x, 2, &block));
		EXPECT_OK(host, block_graph_bind(host, &block));
		EXPECT_OK(host, local_global_solve(host, &block.graph, &seeds,
										   &options, f, &report));
		for (int i = 0; i < 6; i++)
			EXPECT_NEAR(f[i], cases[c].limit[i < 3 ? i : 3], 1e-11);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Random trees, lists and forests against the matrix of their blocks. */
static void
test_dense(void)
{
	GlRandom	random;
	static Shape shapes[MAX_TREES];
	static double q[MAX_N * MAX_N];

	gl_random_begin(&random, 2);
	for (int trial = 0; trial < 90; trial++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		int			n = trial < 30 ? 2 + trial / 5 :
			3 + (int) gl_random_below(&random, MAX_N - 2);
		int			tree_count = 1 + trial % MAX_TREES;
		BlockGraph	block;
		double		x[MAX_N];

		for (int i = 0; i < n; i++)
			x[i] = gl_random_normal(&random);
		for (int t = 0; t < tree_count; t++)
		{
			shape_random(&shapes[t], &random, n);
			if (trial % 2)
				shape_refine(&shapes[t], &random,
							 (int) gl_random_below(&random, n * n / 2 + 1));
		}
		EXPECT_OK(host, hand_forest(host, shapes, tree_count, x,
									trial % 5 ? 0.5 : 5, &block));
		EXPECT_OK(host, block_graph_bind(host, &block));
		EXPECT_OK(host, block_graph_check(host, &block));
		expand_forest(shapes, &block, q);
		expect_operations(host, &block.graph, q, &random);
		expect_rows(host, &block.graph, q);
		graph_release(host, &block.graph);
		EXPECT(block.trees == NULL && block.graph.operations == NULL);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* One row has nowhere to go. */
static void
test_single_row(void)
{
	for (int is_list = 0; is_list <= 1; is_list++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		Shape		shape = {.n = 1, .is_coarsest = !is_list};
		BlockGraph	block;
		GraphEntry *entries;
		int64_t		count = -1;
		int32_t		component[1];
		int32_t		components;
		double		x[2] = {3, 4};
		double		y[2] = {1, 1};
		double		sums[1] = {1};

		EXPECT_OK(host, hand_forest(host, &shape, 1, x, 1, &block));
		EXPECT_OK(host, block_graph_bind(host, &block));
		EXPECT_OK(host, block_graph_check(host, &block));
		EXPECT(!block.graph.is_stochastic);
		EXPECT_OK(host, graph_apply(host, &block.graph, x, y, 2));
		EXPECT(y[0] == 0 && y[1] == 0);
		y[0] = 1;
		EXPECT_OK(host, graph_apply_transpose(host, &block.graph, x, y, 1));
		EXPECT(y[0] == 0);
		EXPECT_OK(host, graph_row_sums(host, &block.graph, sums));
		EXPECT(sums[0] == 0);
		EXPECT_OK(host, graph_components(host, &block.graph, component,
										 &components));
		EXPECT(components == 1 && component[0] == 0);
		EXPECT_OK(host, block.graph.operations->row(host, &block.graph, 0,
													&entries, &count));
		EXPECT(count == 0);
		gl_release(host, entries);
		graph_release(host, &block.graph);
		EXPECT_NOTHING_LEFT(&test);
		test_host_end(&test);
	}
}

/* Probabilities too small for a double are 0 in products and rows. */
static void
test_underflow(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static const double x[6] = {0, 1, 3, 1e6, 1e6 + 1, 1e6 + 8};
	Shape		shape = golden_shape;
	BlockGraph	block;
	GraphEntry *entries;
	int64_t		count;

	shape_coarsest(&shape);
	EXPECT_OK(host, hand_forest(host, &shape, 1, x, 1, &block));
	EXPECT_OK(host, block_graph_bind(host, &block));
	((double *) block.log_q_ba)[0] = -INFINITY;
	EXPECT_OK(host, block_graph_check(host, &block));
	EXPECT(block.log_q_ab[0] < -1e11 && block.trees[0].q_ab[0] == 0);
	EXPECT_OK(host, block.graph.operations->row(host, &block.graph, 4,
												&entries, &count));
	EXPECT(count == 2 && entries[0].node == 3 && entries[1].node == 5);
	gl_release(host, entries);
	graph_release(host, &block.graph);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* ---- damage ---- */

/* A forest of two refined trees over eight rows, all of it writable. */
typedef struct Damaged
{
	BlockGraph	block;
	int32_t    *left_size;
	int32_t    *leaf_row;
	int64_t    *pair_count;
	int32_t    *pair_a;
	int32_t    *pair_b;
	double	   *log_q_ab;
	double	   *log_q_ba;
} Damaged;

static void
damaged_begin(GlHost *host, bool is_coarsest, Damaged *damaged)
{
	static Shape shapes[2];
	GlRandom	random;
	double		x[8];

	gl_random_begin(&random, 3);
	for (int i = 0; i < 8; i++)
		x[i] = gl_random_normal(&random);
	for (int t = 0; t < 2; t++)
	{
		shape_random(&shapes[t], &random, 8);
		if (!is_coarsest)
			shape_refine(&shapes[t], &random, 16);
	}
	EXPECT_OK(host, hand_forest(host, shapes, 2, x, 1, &damaged->block));
	damaged->left_size = (int32_t *) damaged->block.left_size;
	damaged->leaf_row = (int32_t *) damaged->block.leaf_row;
	damaged->pair_count = (int64_t *) damaged->block.pair_count;
	damaged->pair_a = (int32_t *) damaged->block.pair_a;
	damaged->pair_b = (int32_t *) damaged->block.pair_b;
	damaged->log_q_ab = (double *) damaged->block.log_q_ab;
	damaged->log_q_ba = (double *) damaged->block.log_q_ba;
}

/* The first pair of the second tree with an inner node on side a. */
static int
inner_pair(const Damaged *damaged)
{
	int			e = 16;

	while (damaged->pair_a[e] >= 7 && e < 31)
		e++;
	EXPECT(damaged->pair_a[e] < 7);
	return e;
}

/* The first pair of two leaves from e on. */
static int
leaf_pair(const Damaged *damaged, int e)
{
	while ((damaged->pair_a[e] < 7 || damaged->pair_b[e] < 7) && e < 31)
		e++;
	EXPECT(damaged->pair_a[e] >= 7 && damaged->pair_b[e] >= 7);
	return e;
}

/* Damage the arrays in one of several ways; NULL: no such way. */
static const char *
damage(Damaged *damaged, int way)
{
	int			inner = inner_pair(damaged);
	int			leaves = leaf_pair(damaged, 16);
	int			others = leaf_pair(damaged, leaves + 1);
	const TreeLinks *links = &damaged->block.trees[1].links;

	switch (way)
	{
		case 0:					/* a gap */
			damaged->pair_a[inner] = links->left[damaged->pair_a[inner]];
			return "cover";
		case 1:					/* a gap and an overlap of the same area */
			damaged->pair_a[leaves] = damaged->pair_a[others];
			damaged->pair_b[leaves] = damaged->pair_b[others];
			return "cover";
		case 2:					/* a node and its child */
			damaged->pair_b[inner] = links->right[damaged->pair_a[inner]];
			return "share a row";
		case 3:
			damaged->pair_a[leaves] = 0;
			return "share a row";
		case 4:
			damaged->pair_b[leaves] = damaged->pair_a[leaves];
			return "share a row";
		case 5:
			damaged->pair_a[31] = -1;
			return "not there";
		case 6:
			damaged->pair_b[31] = 15;
			return "not there";
		case 7:
			damaged->pair_a[0] = INT32_MIN;
			return "not there";
		case 8:
			damaged->leaf_row[8] = damaged->leaf_row[9];
			return "not the rows";
		case 9:
			damaged->leaf_row[15] = 8;
			return "not the rows";
		case 10:
			damaged->leaf_row[0] = -1;
			return "not the rows";
		case 11:
			damaged->left_size[7] = 0;
			return "without leaves";
		case 12:
			damaged->left_size[0] = 8;
			return "without leaves";
		case 13:
			damaged->log_q_ab[31] = 0.01;
			return "above 1";
		case 14:
			damaged->log_q_ba[16] = NAN;
			return "above 1";
		case 15:
			damaged->log_q_ab[0] = INFINITY;
			return "above 1";
		case 16:
			damaged->log_q_ab[20] -= 1e-6;
			return "sum to 1";
		case 17:
			damaged->log_q_ba[3] = -INFINITY;
			return "sum to 1";
	}
	return NULL;
}

/* Each damage by itself, found by its own name. */
static void
test_check_finds(void)
{
	for (int way = 0;; way++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		static Damaged damaged;
		const char *wanted;

		damaged_begin(host, false, &damaged);
		EXPECT_OK(host, block_graph_bind(host, &damaged.block));
		EXPECT_OK(host, block_graph_check(host, &damaged.block));
		wanted = damage(&damaged, way);
		if (wanted != NULL)
		{
			/* probabilities are made by bind; shapes must do without */
			if (strstr(wanted, "sum") != NULL)
			{
				block_graph_unbind(host, &damaged.block);
				EXPECT_OK(host, block_graph_bind(host, &damaged.block));
			}
			EXPECT(block_graph_check(host, &damaged.block) ==
				   GL_ERR_CORRUPT);
			if (strstr(host->message, wanted) == NULL)
				printf("# way %d: %s\n", way, host->message);
			EXPECT(strstr(host->message, wanted) != NULL);
		}
		test_host_end(&test);
		if (wanted == NULL)
			break;
	}
}

/* Equal area and rows that sum to 1, and still no cover. */
static void
test_check_cover(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	static Shape shape;
	GlRandom	random;
	static const double x[4] = {5, 5, 5, 5};
	BlockGraph	block;

	gl_random_begin(&random, 4);
	shape_random(&shape, &random, 4);
	shape_refine(&shape, &random, 6);
	for (int e = 0; e < 6; e++)
	{
		static const int sides[6][2] = {
			{0, 1}, {2, 3}, {0, 2}, {1, 3}, {0, 3}, {1, 2}
		};

		shape.pair_a[e] = 3 + sides[e][0];
		shape.pair_b[e] = 3 + sides[e][1];
	}
	EXPECT_OK(host, hand_forest(host, &shape, 1, x, 1, &block));
	EXPECT_OK(host, block_graph_bind(host, &block));
	EXPECT_OK(host, block_graph_check(host, &block));
	/* {0,1} and {2,3} become {0,2} and {1,3}: every row keeps its sum */
	((int32_t *) block.pair_b)[0] = 3 + 2;
	((int32_t *) block.pair_a)[1] = 3 + 1;
	EXPECT(block_graph_check(host, &block) == GL_ERR_CORRUPT);
	EXPECT(strstr(host->message, "cover") != NULL);
	test_host_end(&test);
}

/* One tree loses what the other gains: the mean is sound, they are not. */
static void
test_check_every_tree(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Shape		shapes[2] = {
		{.n = 3, .left_size = {1, 1}, .leaf_row = {0, 1, 2}}
	};
	static const double x[3] = {5, 5, 5};
	BlockGraph	block;

	shape_coarsest(&shapes[0]);
	shapes[1] = shapes[0];
	EXPECT_OK(host, hand_forest(host, shapes, 2, x, 1, &block));
	((double *) block.log_q_ab)[0] = log(0.4);
	((double *) block.log_q_ab)[2] = log(0.6);
	EXPECT_OK(host, block_graph_bind(host, &block));
	EXPECT(block_graph_check(host, &block) == GL_ERR_CORRUPT);
	EXPECT(strstr(host->message, "sum to 1") != NULL);
	test_host_end(&test);
}

/* What products index by is refused before it is used. */
static void
test_bind_refuses(void)
{
	for (int way = 0; way <= 14; way++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		static Damaged damaged;
		BlockGraph *block = &damaged.block;

		damaged_begin(host, way % 2 == 0, &damaged);
		switch (way)
		{
			case 0: case 1: damaged.left_size[0] = 0; break;
			case 2: case 3: damaged.left_size[7] = 8; break;
			case 4: damaged.left_size[3] = INT32_MIN; break;
			case 5: damaged.left_size[13] = INT32_MAX; break;
			case 6: damaged.pair_count[0] = 6; block->pair_total = 13; break;
			case 7: damaged.pair_count[1] = -1; break;
			case 8: damaged.pair_count[1] = 8; block->pair_total = 15; break;
			case 9: block->pair_total = 31; break;
			case 10: block->recipe.tree_count = 0; break;
			case 11: block->pair_b = NULL; break;
			case 12: block->graph.node_count = 0; break;
			case 13: damaged.pair_count[0] = INT64_MAX; break;
			case 14: block->graph.node_count = (int64_t) 1 << 31; break;
		}
		EXPECT(block_graph_bind(host, block) == GL_ERR_CORRUPT);
		EXPECT(block->graph.operations == NULL);
		test_host_end(&test);
	}
}

static GlStatus
block_job(GlHost *host)
{
	static Shape shapes[2];
	GlRandom	random;
	double		x[6];
	double		y[6];
	int32_t		component[6];
	int32_t		component_count;

	gl_random_begin(&random, 5);
	for (int i = 0; i < 6; i++)
		x[i] = gl_random_normal(&random);
	for (int refined = 0; refined <= 1; refined++)
	{
		BlockGraph	block;
		GraphEntry *entries;
		int64_t		count;

		for (int t = 0; t < 2; t++)
		{
			shape_random(&shapes[t], &random, 6);
			if (refined)
				shape_refine(&shapes[t], &random, 9);
		}
		GL_TRY(hand_forest(host, shapes, 2, x, 1, &block));
		GL_TRY(block_graph_bind(host, &block));
		GL_TRY(block_graph_check(host, &block));
		GL_TRY(graph_apply(host, &block.graph, x, y, 1));
		GL_TRY(graph_apply_transpose(host, &block.graph, x, y, 1));
		GL_TRY(graph_row_sums(host, &block.graph, y));
		GL_TRY(block.graph.operations->diagonal(host, &block.graph, y));
		GL_TRY(graph_components(host, &block.graph, component,
								&component_count));
		GL_TRY(block.graph.operations->row(host, &block.graph, 3, &entries,
										   &count));
		gl_release(host, entries);
		graph_release(host, &block.graph);
	}
	return GL_OK;
}

static void
test_refused(void)
{
	test_refusals(block_job);
}

int
main(void)
{
	RUN(test_golden_products);
	RUN(test_golden_propagation);
	RUN(test_dense);
	RUN(test_single_row);
	RUN(test_underflow);
	RUN(test_check_finds);
	RUN(test_check_cover);
	RUN(test_check_every_tree);
	RUN(test_bind_refuses);
	RUN(test_refused);
	UNIT_TEST_END();
}
