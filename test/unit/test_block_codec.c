/*
 * test_block_codec.c
 *		If this fails, a stored block graph comes back as another one, or bytes
 *		that no build wrote are believed.
 */
#include "value_samples.h"

#include "graph/block_build.h"
#include "graph/block_refine.h"

#define MAX_N	12
#define CASES	7

/* A built graph, its arrays writable, and the value around it. */
typedef struct Built
{
	TestHost	test;
	double		values[MAX_N * 2];
	float		floats[MAX_N * 2];
	int64_t		ids[MAX_N];
	GlValue		value;
} Built;

static void
build_points(Built *built, int n, bool is_float, PointSet *points)
{
	GlRandom	random;

	gl_random_begin(&random, 9);
	for (int i = 0; i < n; i++)
		built->ids[i] = 7 * i - 20;
	for (int v = 0; v < 2 * n; v++)
	{
		built->values[v] = gl_random_normal(&random);
		built->floats[v] = (float) built->values[v];
	}
	*points = (PointSet)
	{
		{n, 2, is_float ? SCALAR_FLOAT4 : SCALAR_FLOAT8,
		is_float ? (const void *) built->floats : built->values}, built->ids
	};
}

/* Coarse, bare, scaled floats, a forest, refined, learnt, a single row. */
static GlHost *
built_begin(Built *built, int which)
{
	GlHost	   *host = test_host_begin(&built->test);
	BlockGraphOptions options;
	BlockGraphReport report;
	BlockRefineOptions refinement = {.blocks_per_row = 4};
	BlockRefineReport refined;
	BlockGraph	block;
	PointSet	points;

	build_points(built, which == 6 ? 1 : MAX_N, which == 2, &points);
	block_graph_defaults(&options);
	options.keep_points = which != 1;
	options.scale = which == 2 ? SCALE_STANDARD : SCALE_NONE;
	options.tree_count = which == 3 || which == 4 ? 3 : 1;
	options.learn_bandwidth = which == 5;
	options.seed = -5;
	EXPECT_OK(host, block_graph_build(host, &points, &options, &block,
									  &report));
	memset(&built->value, 0, sizeof(built->value));
	built->value.type = VALUE_GRAPH;
	built->value.storage = STORAGE_BLOCK;
	built->value.block = block;
	if (which != 4)
		return host;
	EXPECT_OK(host, block_graph_refine(host, &block, &refinement,
									   &built->value.block, &refined));
	graph_release(host, &block.graph);
	return host;
}

static void
built_end(Built *built)
{
	graph_release(&built->test.host, &built->value.block.graph);
	EXPECT_NOTHING_LEFT(&built->test);
	test_host_end(&built->test);
}

/* Products, densities and what is told of a graph: bit by bit. */
static void
expect_same(GlHost *host, const BlockGraph *a, const BlockGraph *b)
{
	int64_t		n = a->graph.node_count;
	double		x[MAX_N * 2];
	double		y[2][MAX_N * 2];

	EXPECT(b->graph.node_count == n && b->pair_total == a->pair_total);
	EXPECT((a->pair_a == NULL) == (b->pair_a == NULL));
	EXPECT((a->graph.points == NULL) == (b->graph.points == NULL));
	EXPECT(memcmp(&a->recipe, &b->recipe, sizeof(a->recipe)) == 0);
	EXPECT(a->graph.recipe.seed == b->graph.recipe.seed);
	EXPECT(memcmp(a->log_density, b->log_density,
				  (size_t) n * sizeof(double)) == 0);
	EXPECT(memcmp(a->bandwidth, b->bandwidth,
				  (size_t) a->recipe.tree_count * sizeof(double)) == 0);
	for (int v = 0; v < 2 * n; v++)
		x[v] = sin(v);
	EXPECT_OK(host, graph_apply(host, &a->graph, x, y[0], 2));
	EXPECT_OK(host, graph_apply(host, &b->graph, x, y[1], 2));
	EXPECT(memcmp(y[0], y[1], 2 * (size_t) n * sizeof(double)) == 0);
}

static void
test_round_trips(void)
{
	for (int which = 0; which < CASES; which++)
	{
		static Built built;
		GlHost	   *host = built_begin(&built, which);
		GlValue		back;
		size_t		bytes;
		unsigned char *wire = wire_bytes(host, &built.value, &bytes);
		char	   *flat;

		EXPECT(decode_and_compare(VALUE_GRAPH, wire, bytes) == GL_OK);
		EXPECT_OK(host, value_decode(host, VALUE_GRAPH, wire, bytes, &back));
		expect_same(host, &built.value.block, &back.block);
		value_release(host, &back);
		free(wire);
		flat = flat_bytes(host, &built.value, &bytes);
		EXPECT_OK(host, value_view(host, VALUE_GRAPH, flat, bytes, &back));
		expect_same(host, &built.value.block, &back.block);
		value_release(host, &back);
		if (which == 1)
			EXPECT(bytes <= 40 * MAX_N + 128);
		free(flat);
		built_end(&built);
	}
}

/* Every shorter and every longer form is refused. */
static void
test_every_length(void)
{
	for (int which = 0; which < CASES; which++)
	{
		static Built built;
		GlHost	   *host = built_begin(&built, which);
		size_t		bytes;
		unsigned char *wire = wire_bytes(host, &built.value, &bytes);

		for (size_t length = 0; length <= bytes + 9; length++)
		{
			unsigned char *part = calloc(1, length + 1);

			memcpy(part, wire, length < bytes ? length : bytes);
			EXPECT((decode_and_compare(VALUE_GRAPH, part, length) == GL_OK) ==
				   (length == bytes));
			free(part);
		}
		free(wire);
		built_end(&built);
	}
}

/* Any byte changed: refused, or another value that is what it says. */
static void
test_every_byte(void)
{
	for (int which = 0; which < CASES; which++)
	{
		static Built built;
		GlHost	   *host = built_begin(&built, which);
		size_t		bytes;
		unsigned char *wire = wire_bytes(host, &built.value, &bytes);
		int			refused = 0;

		for (size_t at = 0; at < bytes; at++)
			for (int change = 0; change < 3; change++)
			{
				unsigned char kept = wire[at];

				wire[at] ^= change == 0 ? 1 : change == 1 ? 0x80 : 0xFF;
				refused += decode_and_compare(VALUE_GRAPH, wire, bytes) !=
					GL_OK;
				wire[at] = kept;
			}
		EXPECT(refused > 100);
		free(wire);
		built_end(&built);
	}
}

/* Every way a tree, its blocks or its numbers can be wrong. */
static const char *
damage(BlockGraph *block, int way)
{
	int32_t    *left_size = (int32_t *) block->left_size;
	int32_t    *leaf_row = (int32_t *) block->leaf_row;
	int64_t    *pair_count = (int64_t *) block->pair_count;
	int32_t    *pair_a = (int32_t *) block->pair_a;
	int32_t    *pair_b = (int32_t *) block->pair_b;
	double	   *log_q_ab = (double *) block->log_q_ab;
	int64_t		last = block->pair_total - 1;

	switch (way)
	{
		case 0:					/* a child that is its parent: a cycle */
			left_size[3] = 0;
			return "left child of no leaves";
		case 1:
			left_size[0] = MAX_N;
			return "right child of no leaves";
		case 2:
			left_size[MAX_N] = -1;
			return "negative size in the second tree";
		case 3:
			left_size[1] += 1000000;
			return "ranges beyond the tree";
		case 4:
			leaf_row[2] = leaf_row[5];
			return "a row in two leaves";
		case 5:
			leaf_row[7] = MAX_N;
			return "a leaf without a row";
		case 6:
			leaf_row[MAX_N] = -1;
			return "a negative row";
		case 7:
			pair_count[0]++;
			return "more pairs than there are";
		case 8:
			pair_count[1]--;
			return "fewer pairs than there are";
		case 9:
			pair_count[0]++, pair_count[1]--;
			return "a pair of another tree";
		case 10:
			pair_count[2] = -1;
			return "a negative count";
		case 11:
			pair_a[4] = pair_b[4];
			return "a block on the diagonal";
		case 12:
			pair_a[last] = 0;
			return "a block with the root";
		case 13:
			pair_a[3] = pair_a[9], pair_b[3] = pair_b[9];
			return "one block twice";
		case 14:
			pair_b[5] = 2 * MAX_N - 1;
			return "a node that is not there";
		case 15:
			pair_a[6] = -3;
			return "a negative node";
		case 16:
			log_q_ab[2] = 0.5;
			return "a probability above 1";
		case 17:
			log_q_ab[last] = NAN;
			return "a probability that is no number";
		case 18:
			log_q_ab[0] -= 1;
			return "rows that do not sum to 1";
		case 19:
			((double *) block->bandwidth)[1] = -1;
			return "a negative bandwidth";
		case 20:
			((double *) block->log_density)[MAX_N - 1] = NAN;
			return "a density that is no number";
		case 21:
			((double *) block->log_likelihood)[2] = INFINITY;
			return "an infinite likelihood";
		case 22:
			((int64_t *) block->graph.ids)[4] = -1000;
			return "ids out of order";
	}
	return NULL;
}

static void
test_damage(void)
{
	for (int way = 0;; way++)
	{
		static Built built;
		GlHost	   *host = built_begin(&built, 4);
		const char *what = damage(&built.value.block, way);
		unsigned char *wire;
		size_t		bytes;
		GlStatus	status;

		if (what != NULL)
		{
			wire = wire_bytes(host, &built.value, &bytes);
			status = decode_and_compare(VALUE_GRAPH, wire, bytes);
			if (status != GL_ERR_CORRUPT)
				printf("# %s is accepted\n", what);
			EXPECT(status == GL_ERR_CORRUPT);
			free(wire);
		}
		built_end(&built);
		if (what == NULL)
			break;
	}
}

/* A stored form is looked at in place: shapes and indices must be right. */
static void
test_view_refuses_shapes(void)
{
	static const int ways[] = {0, 1, 2, 3, 5, 6, 7, 8, 10, 14, 15};

	for (int w = 0; w < 11; w++)
	{
		static Built built;
		GlHost	   *host = built_begin(&built, 4);
		const char *what = damage(&built.value.block, ways[w]);
		size_t		bytes;
		char	   *flat = flat_bytes(host, &built.value, &bytes);
		TestHost	test;
		GlHost	   *reader = test_host_begin(&test);
		GlValue		back;

		memset(&back, 0x5A, sizeof(back));
		if (value_view(reader, VALUE_GRAPH, flat, bytes, &back) !=
			GL_ERR_CORRUPT)
			printf("# %s is accepted\n", what);
		EXPECT(reader->status == GL_ERR_CORRUPT && is_zeroed(&back));
		test_host_end(&test);
		free(flat);
		built_end(&built);
	}
}

static unsigned char *refused_wire;
static size_t refused_bytes;

static GlStatus
decode_job(GlHost *host)
{
	GlValue		value;

	GL_TRY(value_decode(host, VALUE_GRAPH, refused_wire, refused_bytes,
						&value));
	value_release(host, &value);
	return GL_OK;
}

static void
test_refused(void)
{
	static Built built;
	GlHost	   *host = built_begin(&built, 4);

	refused_wire = wire_bytes(host, &built.value, &refused_bytes);
	test_refusals(decode_job);
	free(refused_wire);
	built_end(&built);
}

int
main(void)
{
	RUN(test_round_trips);
	RUN(test_every_length);
	RUN(test_every_byte);
	RUN(test_damage);
	RUN(test_view_refuses_shapes);
	RUN(test_refused);
	UNIT_TEST_END();
}
