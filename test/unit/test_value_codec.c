/*
 * test_value_codec.c
 *		If this fails, stored graphs and points no longer read back as they were
 *		written, or hostile bytes reach memory that is not theirs.
 *
 * Every buffer under test is a heap chunk of exactly its length, so that the
 * address sanitizer sees a read one byte too far.
 */
#include "unit_test.h"

#include "codec/value_codec.h"

/*
 * Version-1 wire bytes, made by an independent script from the tables of
 * docs/format.md.  They must decode, and encode to themselves, forever.
 */
static const char v1_points_float4[] =
"474c5054000100010000000000000000000000030000000300000001ffffffff"
"fffffffb000000000000000700000100000000003f000000bfa0000040400000"
"0da242600000000040200000800000007f7fffff4100000000000000";

static const char v1_points_float8[] =
"474c505400010001000000000000000000000002000000010000000280000000"
"000000007fffffffffffffff3fb999999999999afe37e43c8800759c";

static const char v1_graph[] =
"474c4752000100020000001d0000000000000003000000000000000301010101"
"01010100000000020000000100000000000000003ff8000000000000ffffffff"
"ffffffd60000000000000000000000000000000a000000000000001400000000"
"0000001e00000000000000000000000000000001000000000000000300000000"
"00000003000000010000000000000001000000003fe80000000000003fe80000"
"000000003fd00000000000003fc00000c00000003e000000000000003fe00000"
"0000000000000000000000003ff00000000000004002000000000000";

/* The arrays of the sample values. */
static const int64_t sample_ids[] = {10, 20, 30};
static const float sample_floats[] = {1.5f, -2.0f, 0.125f};
static const double sample_doubles[] = {0.1, -1e300, 5e-324, 7, 8, -0.0};
static const int64_t sample_starts[] = {0, 1, 3, 3};
static const int32_t sample_neighbours[] = {1, 0, 1};
static const double sample_weights[] = {0.75, 0.75, 0.25};
static const double sample_column_scale[] = {0.5};
static const double sample_node_scale[] = {0, 1, 2.25};

#define SAMPLE_COUNT	5

/* Samples: points of either scalar, a bare graph, and graphs that keep all. */
static void
make_sample(int which, GlValue *value, PointSet *points)
{
	Graph	   *graph = &value->sparse.graph;

	memset(value, 0, sizeof(*value));
	memset(points, 0, sizeof(*points));
	points->ids = sample_ids;
	points->matrix.row_count = 3;
	points->matrix.dimension_count = which == 1 || which == 4 ? 2 : 1;
	points->matrix.scalar = which == 1 || which == 4 ? SCALAR_FLOAT8 :
		SCALAR_FLOAT4;
	points->matrix.values = which == 1 || which == 4 ?
		(const void *) sample_doubles : sample_floats;
	if (which < 2)
	{
		value->type = VALUE_POINTS;
		value->points = *points;
		return;
	}
	value->type = VALUE_GRAPH;
	value->sparse.entry_count = 3;
	value->sparse.row_start = sample_starts;
	value->sparse.neighbour = sample_neighbours;
	value->sparse.weight = sample_weights;
	graph->node_count = 3;
	graph->ids = sample_ids;
	graph->is_symmetric = true;
	graph->meaning = GRAPH_SIMILARITY;
	graph->recipe.kind = GRAPH_KNN;
	graph->recipe.metric = METRIC_EUCLIDEAN;
	graph->recipe.weights = WEIGHTS_ADAPTIVE;
	graph->recipe.symmetry = SYMMETRY_SUM;
	graph->recipe.scale = SCALE_STANDARD;
	graph->recipe.k = 2;
	graph->recipe.bandwidth = 1.5;
	graph->recipe.seed = -42;
	sparse_graph_bind(&value->sparse);
	if (which == 2)
		return;
	graph->points = points;
	graph->node_scale = sample_node_scale;
	if (which == 3)
		graph->column_scale = sample_column_scale;
}

/* A value as bytes on the heap: flat with a length word, or wire. */
static char *
flat_bytes(GlHost *host, const GlValue *value, size_t *bytes)
{
	char	   *flat;

	EXPECT_OK(host, value_flat_size(host, value, bytes));
	flat = malloc(*bytes);
	memset(flat, 0xEE, *bytes);
	EXPECT_OK(host, value_write_flat(host, value, flat + 4, *bytes));
	return flat;
}

static unsigned char *
wire_bytes(GlHost *host, const GlValue *value, size_t *bytes)
{
	unsigned char *wire;

	EXPECT_OK(host, value_wire_size(host, value, bytes));
	wire = malloc(*bytes);
	memset(wire, 0xEE, *bytes);
	EXPECT_OK(host, value_encode(host, value, wire, *bytes));
	return wire;
}

static bool
is_zeroed(const GlValue *value)
{
	static const GlValue zero;

	return memcmp(value, &zero, sizeof(zero)) == 0;
}

/*
 * The heart of the hostile tests: whatever is accepted must write itself back
 * to the very same bytes, and whatever is refused leaves nothing behind.
 */
static GlStatus
decode_and_compare(ValueType type, const unsigned char *wire, size_t bytes)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlValue		value;
	GlStatus	status;

	memset(&value, 0x5A, sizeof(value));
	status = value_decode(host, type, wire, bytes, &value);
	if (status == GL_OK)
	{
		size_t		again_bytes;
		unsigned char *again = wire_bytes(host, &value, &again_bytes);

		EXPECT(again_bytes == bytes && memcmp(again, wire, bytes) == 0);
		free(again);
		value_release(host, &value);
		EXPECT_NOTHING_LEFT(&test);
	}
	else
		EXPECT(host->message[0] != '\0');
	EXPECT(is_zeroed(&value));
	test_host_end(&test);
	return status;
}

static GlStatus
view_and_compare(ValueType type, const char *flat, size_t bytes)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlValue		value;
	GlStatus	status;

	memset(&value, 0x5A, sizeof(value));
	status = value_view(host, type, flat, bytes, &value);
	EXPECT(host->bytes_peak == 0);
	if (status == GL_OK)
	{
		size_t		again_bytes;
		char	   *again = flat_bytes(host, &value, &again_bytes);

		EXPECT(again_bytes == bytes &&
			   memcmp(again + 4, flat + 4, bytes - 4) == 0);
		free(again);
		value_release(host, &value);	/* frees nothing of a view */
	}
	EXPECT(is_zeroed(&value));
	test_host_end(&test);
	return status;
}

/* Run either on a fresh chunk of exactly `bytes` bytes. */
static GlStatus
decode_copy(ValueType type, const unsigned char *wire, size_t bytes)
{
	unsigned char *copy = malloc(bytes);
	GlStatus	status;

	memcpy(copy, wire, bytes);
	status = decode_and_compare(type, copy, bytes);
	free(copy);
	return status;
}

static GlStatus
view_copy(ValueType type, const char *flat, size_t bytes)
{
	char	   *copy = malloc(bytes);
	GlStatus	status;

	memcpy(copy, flat, bytes);
	status = view_and_compare(type, copy, bytes);
	free(copy);
	return status;
}

static void
expect_same_graph(const GlValue *a, const GlValue *b)
{
	const Graph *g = &a->sparse.graph;
	const Graph *h = &b->sparse.graph;

	EXPECT(g->node_count == h->node_count);
	EXPECT(a->sparse.entry_count == b->sparse.entry_count);
	EXPECT(g->is_symmetric == h->is_symmetric);
	EXPECT(g->is_stochastic == h->is_stochastic);
	EXPECT(g->meaning == h->meaning);
	EXPECT(memcmp(&g->recipe, &h->recipe, sizeof(g->recipe)) == 0);
	EXPECT(memcmp(g->ids, h->ids, 3 * 8) == 0);
	EXPECT(memcmp(a->sparse.row_start, b->sparse.row_start, 4 * 8) == 0);
	EXPECT(memcmp(a->sparse.neighbour, b->sparse.neighbour, 3 * 4) == 0);
	EXPECT(memcmp(a->sparse.weight, b->sparse.weight, 3 * 8) == 0);
	EXPECT((g->points == NULL) == (h->points == NULL));
	EXPECT((g->column_scale == NULL) == (h->column_scale == NULL));
	EXPECT((g->node_scale == NULL) == (h->node_scale == NULL));
	EXPECT(h->operations != NULL);
	if (g->points != NULL && h->points != NULL)
	{
		EXPECT(h->points->ids == h->ids);
		EXPECT(h->points->matrix.row_count == 3);
		EXPECT(g->points->matrix.scalar == h->points->matrix.scalar);
		EXPECT(memcmp(g->points->matrix.values, h->points->matrix.values,
					  3 * (size_t) g->points->matrix.dimension_count *
					  scalar_size(g->points->matrix.scalar)) == 0);
	}
	if (g->node_scale != NULL && h->node_scale != NULL)
		EXPECT(memcmp(g->node_scale, h->node_scale, 3 * 8) == 0);
	if (g->column_scale != NULL && h->column_scale != NULL)
		EXPECT(g->column_scale[0] == h->column_scale[0]);
}

static void
expect_same(const GlValue *a, const GlValue *b)
{
	const PointMatrix *p = &a->points.matrix;
	const PointMatrix *q = &b->points.matrix;

	EXPECT(a->type == b->type);
	if (a->type == VALUE_GRAPH)
	{
		expect_same_graph(a, b);
		return;
	}
	EXPECT(p->row_count == q->row_count);
	EXPECT(p->dimension_count == q->dimension_count);
	EXPECT(p->scalar == q->scalar);
	EXPECT(memcmp(a->points.ids, b->points.ids, 3 * 8) == 0);
	EXPECT(memcmp(p->values, q->values, 3 * (size_t) p->dimension_count *
				  scalar_size(p->scalar)) == 0);
}

static void
test_round_trips(void)
{
	for (int which = 0; which < SAMPLE_COUNT; which++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSet	points;
		GlValue		value;
		GlValue		back;
		size_t		flat_size;
		size_t		wire_size;
		char	   *flat;
		unsigned char *wire;

		make_sample(which, &value, &points);
		flat = flat_bytes(host, &value, &flat_size);
		wire = wire_bytes(host, &value, &wire_size);
		EXPECT(flat_size == wire_size + 4);
		EXPECT(flat_size % 8 == 0);
		EXPECT_OK(host, value_view(host, value.type, flat, flat_size, &back));
		expect_same(&value, &back);
		EXPECT_OK(host, value_decode(host, value.type, wire, wire_size,
									 &back));
		expect_same(&value, &back);
		value_release(host, &back);
		EXPECT_NOTHING_LEFT(&test);
		EXPECT(decode_and_compare(value.type, wire, wire_size) == GL_OK);
		EXPECT(view_and_compare(value.type, flat, flat_size) == GL_OK);
		free(flat);
		free(wire);
		test_host_end(&test);
	}
}

static void
test_every_length(void)
{
	for (int which = 0; which < SAMPLE_COUNT; which++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSet	points;
		GlValue		value;
		size_t		flat_size;
		size_t		wire_size;
		char	   *flat;
		unsigned char *wire;

		make_sample(which, &value, &points);
		flat = flat_bytes(host, &value, &flat_size);
		flat = realloc(flat, flat_size + 16);
		wire = wire_bytes(host, &value, &wire_size);
		wire = realloc(wire, wire_size + 16);
		memset(flat + flat_size, 0, 16);
		memset(wire + wire_size, 0, 16);
		for (size_t cut = 0; cut <= flat_size + 16; cut++)
			EXPECT(view_copy(value.type, flat, cut) ==
				   (cut == flat_size ? GL_OK : GL_ERR_CORRUPT));
		for (size_t cut = 0; cut <= wire_size + 16; cut++)
			EXPECT(decode_copy(value.type, wire, cut) ==
				   (cut == wire_size ? GL_OK : GL_ERR_CORRUPT));
		free(flat);
		free(wire);
		test_host_end(&test);
	}
}

/* All 255 other values of every byte: header, sections and padding. */
static void
test_every_byte(void)
{
	for (int which = 0; which < SAMPLE_COUNT; which++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSet	points;
		GlValue		value;
		size_t		flat_size;
		size_t		wire_size;
		char	   *flat;
		unsigned char *wire;
		int			accepted = 0;

		make_sample(which, &value, &points);
		flat = flat_bytes(host, &value, &flat_size);
		wire = wire_bytes(host, &value, &wire_size);
		for (size_t at = 0; at < wire_size; at++)
			for (int flip = 1; flip < 256; flip++)
			{
				GlStatus	status;

				wire[at] ^= (unsigned char) flip;
				status = decode_and_compare(value.type, wire, wire_size);
				EXPECT(status == GL_OK || status == GL_ERR_CORRUPT ||
					   (status == GL_ERR_DATA && (at == 4 || at == 5)));
				accepted += status == GL_OK;
				wire[at] ^= (unsigned char) flip;

				flat[at + 4] ^= (char) flip;
				status = view_and_compare(value.type, flat, flat_size);
				EXPECT(status == GL_OK || status == GL_ERR_CORRUPT ||
					   (status == GL_ERR_DATA && (at == 4 || at == 5)));
				flat[at + 4] ^= (char) flip;
			}
		EXPECT(accepted > 0);	/* another number is another valid value */
		free(flat);
		free(wire);
		test_host_end(&test);
	}
}

/* Two bytes at once, at random: counts that agree with each other but lie. */
static void
test_random_damage(void)
{
	GlRandom	random;

	gl_random_begin(&random, 1);
	for (int which = 0; which < SAMPLE_COUNT; which++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSet	points;
		GlValue		value;
		size_t		wire_size;
		unsigned char *wire;

		make_sample(which, &value, &points);
		wire = wire_bytes(host, &value, &wire_size);
		for (int round = 0; round < 20000; round++)
		{
			unsigned char *copy = malloc(wire_size);
			GlStatus	status;

			memcpy(copy, wire, wire_size);
			for (int hit = 0; hit < 4; hit++)
				copy[gl_random_below(&random, (int64_t) wire_size)] =
					(unsigned char) gl_random_below(&random, 4);
			status = decode_and_compare(value.type, copy, wire_size);
			EXPECT(status == GL_OK || status == GL_ERR_CORRUPT ||
				   status == GL_ERR_DATA);
			free(copy);
		}
		free(wire);
		test_host_end(&test);
	}
}

static void
put_network(unsigned char *at, int width, uint64_t number)
{
	for (int i = 0; i < width; i++)
		at[i] = (unsigned char) (number >> (8 * (width - 1 - i)));
}

/* Hostile counts must be refused before any memory is asked for. */
static void
test_hostile_counts(void)
{
	static const uint64_t counts[] = {
		0, 4, 1000, INT32_MAX, (uint64_t) INT32_MAX + 1, UINT32_MAX,
		(uint64_t) 1 << 60, (uint64_t) 1 << 61, (uint64_t) INT64_MAX,
		(uint64_t) 1 << 63, UINT64_MAX - 7, UINT64_MAX
	};
	static const struct
	{
		int			which;
		int			offset;
		int			width;
	}			places[] = {
		{0, 12, 8}, {0, 20, 4}, {1, 12, 8}, {1, 20, 4},
		{3, 12, 8}, {3, 20, 8}, {3, 40, 4}, {3, 68, 8}
	};

	for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++)
		for (size_t c = 0; c < sizeof(counts) / sizeof(counts[0]); c++)
		{
			TestHost	test;
			GlHost	   *host = test_host_begin(&test);
			PointSet	points;
			GlValue		value;
			size_t		bytes;
			unsigned char *wire;

			if (p == 7 && counts[c] == 0)
				continue;		/* no node statistics: what we write */
			make_sample(places[p].which, &value, &points);
			wire = wire_bytes(host, &value, &bytes);
			put_network(wire + places[p].offset, places[p].width, counts[c]);
			EXPECT(value_decode(host, value.type, wire, bytes, &value) ==
				   GL_ERR_CORRUPT);
			EXPECT(host->bytes_peak == 0);
			free(wire);
			test_host_end(&test);
		}
}

/* Products that wrap to exactly the right length are not right. */
static void
test_wrapping_length(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		value;
	size_t		bytes;
	unsigned char *wire;

	make_sample(2, &value, &points);
	wire = wire_bytes(host, &value, &bytes);
	/* 2^62 + 3 entries: times 4 and times 8 both wrap to those of 3 */
	put_network(wire + 20, 8, ((uint64_t) 1 << 62) + 3);
	EXPECT(value_decode(host, VALUE_GRAPH, wire, bytes, &value) ==
		   GL_ERR_CORRUPT);
	EXPECT(strstr(host->message, "exceeds all memory") != NULL);
	EXPECT(host->bytes_peak == 0);
	free(wire);

	make_sample(2, &value, &points);
	value.sparse.entry_count = INT64_MAX;
	EXPECT(value_flat_size(host, &value, &bytes) == GL_ERR_TOO_LARGE);
	EXPECT(bytes == 0);
	test_host_end(&test);
}

static void
test_newer_version(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		value;
	size_t		bytes;
	unsigned char *wire;

	make_sample(0, &value, &points);
	wire = wire_bytes(host, &value, &bytes);
	put_network(wire + 4, 2, 2);
	put_network(wire + 6, 2, 999);	/* whatever else it may hold */
	EXPECT(value_decode(host, VALUE_POINTS, wire, bytes, &value) ==
		   GL_ERR_DATA);
	EXPECT(strstr(host->message, "written by a newer version of graphlearn"
				  " (format 2)") != NULL);
	EXPECT(host->hint[0] != '\0');
	free(wire);
	test_host_end(&test);
}

/* Points are not a graph, and the other way round. */
static void
test_wrong_type(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		value;
	size_t		bytes;
	unsigned char *wire;
	char	   *flat;

	make_sample(0, &value, &points);
	wire = wire_bytes(host, &value, &bytes);
	EXPECT(decode_and_compare(VALUE_GRAPH, wire, bytes) == GL_ERR_CORRUPT);
	/* the magic alone does not make points a graph either */
	wire[2] = 'G';
	wire[3] = 'R';
	EXPECT(decode_and_compare(VALUE_GRAPH, wire, bytes) == GL_ERR_CORRUPT);
	free(wire);
	make_sample(3, &value, &points);
	flat = flat_bytes(host, &value, &bytes);
	EXPECT(view_and_compare(VALUE_POINTS, flat, bytes) == GL_ERR_CORRUPT);
	free(flat);
	test_host_end(&test);
}

/* Our own impossible values are refused before a byte is written. */
static void
test_impossible_values(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		value;
	size_t		bytes;
	char		small[8];

	memset(&value, 0, sizeof(value));
	EXPECT(value_flat_size(host, &value, &bytes) == GL_ERR_INTERNAL);
	make_sample(0, &value, &points);
	value.points.matrix.row_count = -1;
	EXPECT(value_flat_size(host, &value, &bytes) == GL_ERR_INTERNAL);
	make_sample(0, &value, &points);
	value.points.ids = NULL;
	EXPECT(value_flat_size(host, &value, &bytes) == GL_ERR_INTERNAL);
	make_sample(0, &value, &points);
	EXPECT(value_write_flat(host, &value, small, 8) == GL_ERR_INTERNAL);
	EXPECT(value_write_flat(host, &value, small, 3) == GL_ERR_INTERNAL);
	make_sample(3, &value, &points);
	points.matrix.row_count = 2;
	EXPECT(value_flat_size(host, &value, &bytes) == GL_ERR_INTERNAL);
	make_sample(3, &value, &points);
	value.sparse.graph.points = NULL;	/* but a scale for its columns */
	EXPECT(value_flat_size(host, &value, &bytes) == GL_ERR_INTERNAL);
	make_sample(3, &value, &points);
	value.sparse.graph.recipe.radius = NAN;
	EXPECT(value_flat_size(host, &value, &bytes) == GL_ERR_INTERNAL);
	make_sample(3, &value, &points);
	value.sparse.graph.recipe.k = -1;
	EXPECT(value_flat_size(host, &value, &bytes) == GL_ERR_INTERNAL);
	test_host_end(&test);
}

/* A view must start on an 8-byte boundary; anything else is our bug. */
static void
test_misaligned_view(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		value;
	GlValue		back;
	size_t		bytes;
	char	   *flat;
	char	   *shifted;

	make_sample(0, &value, &points);
	flat = flat_bytes(host, &value, &bytes);
	shifted = malloc(bytes + 4);
	memcpy(shifted + 4, flat, bytes);
	EXPECT(value_view(host, VALUE_POINTS, shifted + 4, bytes, &back) ==
		   GL_ERR_INTERNAL);
	EXPECT(is_zeroed(&back));
	free(flat);
	free(shifted);
	test_host_end(&test);
}

/* What memory safety does not need is left to decode, and decode does it. */
static void
test_view_is_less_strict(void)
{
	static const double not_allowed[] = {NAN, INFINITY, -1};
	double		weights[3];
	double		scales[3];
	float		floats[3];

	for (int i = 0; i < 9; i++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSet	points;
		GlValue		value;
		size_t		bytes;
		char	   *flat;
		unsigned char *wire;

		make_sample(3, &value, &points);
		memcpy(weights, sample_weights, sizeof(weights));
		memcpy(scales, sample_node_scale, sizeof(scales));
		memcpy(floats, sample_floats, sizeof(floats));
		value.sparse.weight = weights;
		value.sparse.graph.node_scale = scales;
		points.matrix.values = floats;
		if (i < 3)
			weights[2] = not_allowed[i];
		else if (i < 6)
			scales[2] = not_allowed[i - 3];
		else
			floats[2] = (float) not_allowed[i - 6];
		flat = flat_bytes(host, &value, &bytes);
		EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) == GL_OK);
		wire = wire_bytes(host, &value, &bytes);
		EXPECT(decode_and_compare(VALUE_GRAPH, wire, bytes) ==
			   (i == 8 ? GL_OK : GL_ERR_CORRUPT));	/* a point may be -1 */
		free(flat);
		free(wire);
		test_host_end(&test);
	}
}

/* A ring of n nodes, for the blocks of the scans. */
#define RING	10000

typedef struct Ring
{
	int64_t		ids[RING];
	int64_t		starts[RING + 1];
	int32_t		neighbours[RING];
	double		weights[RING];
	GlValue		value;
} Ring;

static void
make_ring(Ring *ring)
{
	PointSet	unused;

	make_sample(2, &ring->value, &unused);
	for (int i = 0; i < RING; i++)
	{
		ring->ids[i] = i * 3 - 5000;
		ring->starts[i] = i;
		ring->neighbours[i] = (i + 1) % RING;
		ring->weights[i] = i + 1;
	}
	ring->starts[RING] = RING;
	ring->value.sparse.graph.node_count = RING;
	ring->value.sparse.graph.is_symmetric = false;
	ring->value.sparse.graph.ids = ring->ids;
	ring->value.sparse.entry_count = RING;
	ring->value.sparse.row_start = ring->starts;
	ring->value.sparse.neighbour = ring->neighbours;
	ring->value.sparse.weight = ring->weights;
}

/* One bad index anywhere in a long array is found, also at block ends. */
static void
test_every_block(void)
{
	static const int places[] = {0, 1, 4094, 4095, 4096, 4097, 8191, 8192,
	RING - 2, RING - 1};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	Ring	   *ring = malloc(sizeof(Ring));
	size_t		bytes;
	char	   *flat;
	int64_t    *ids;
	int64_t    *starts;
	int32_t    *neighbours;

	make_ring(ring);
	flat = flat_bytes(host, &ring->value, &bytes);
	EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) == GL_OK);
	ids = (int64_t *) (flat + 80);
	starts = ids + RING;
	neighbours = (int32_t *) (starts + RING + 1);
	for (size_t p = 0; p < sizeof(places) / sizeof(places[0]); p++)
	{
		int			at = places[p];
		int64_t		id = ids[at];
		int64_t		start = starts[at];
		int32_t		neighbour = neighbours[at];
		static const int32_t strangers[] = {-1, RING, INT32_MIN, INT32_MAX};
		static const int64_t far[] = {-1, INT64_MIN, INT64_MAX, RING + 1};

		ids[at] = at == RING - 1 ? ids[at - 1] : ids[at + 1];
		EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) == GL_ERR_CORRUPT);
		ids[at] = at == 0 ? INT64_MAX : INT64_MIN;
		EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) == GL_ERR_CORRUPT);
		ids[at] = id;
		for (int i = 0; i < 4; i++)
		{
			starts[at] = far[i];
			EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) ==
				   GL_ERR_CORRUPT);
			starts[at] = start;
			neighbours[at] = strangers[i];
			EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) ==
				   GL_ERR_CORRUPT);
			neighbours[at] = neighbour;
		}
	}
	starts[RING] = RING - 1;
	EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) == GL_ERR_CORRUPT);
	starts[RING] = RING;
	EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) == GL_OK);
	free(flat);
	free(ring);
	test_host_end(&test);
}

/* A graph without edges is a value like any other. */
static void
test_no_entries(void)
{
	static const int64_t starts[] = {0, 0};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		value;
	size_t		bytes;
	unsigned char *wire;
	char	   *flat;

	make_sample(2, &value, &points);
	value.sparse.graph.node_count = 1;
	value.sparse.entry_count = 0;
	value.sparse.row_start = starts;
	value.sparse.neighbour = NULL;
	value.sparse.weight = NULL;
	wire = wire_bytes(host, &value, &bytes);
	EXPECT(decode_and_compare(VALUE_GRAPH, wire, bytes) == GL_OK);
	flat = flat_bytes(host, &value, &bytes);
	EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) == GL_OK);
	free(wire);
	free(flat);
	test_host_end(&test);
}

static unsigned char *
from_hex(const char *hex, size_t *bytes)
{
	unsigned char *out = malloc(strlen(hex) / 2);

	*bytes = strlen(hex) / 2;
	for (size_t i = 0; i < *bytes; i++)
	{
		unsigned int byte;

		sscanf(hex + 2 * i, "%2x", &byte);
		out[i] = (unsigned char) byte;
	}
	return out;
}

static void
test_version_1_points(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	GlValue		value;
	size_t		bytes;
	unsigned char *wire = from_hex(v1_points_float4, &bytes);
	const float *floats;
	const double *doubles;

	EXPECT(decode_and_compare(VALUE_POINTS, wire, bytes) == GL_OK);
	EXPECT_OK(host, value_decode(host, VALUE_POINTS, wire, bytes, &value));
	EXPECT(value.points.matrix.row_count == 3);
	EXPECT(value.points.matrix.dimension_count == 3);
	EXPECT(value.points.matrix.scalar == SCALAR_FLOAT4);
	EXPECT(value.points.ids[0] == -5 && value.points.ids[1] == 7 &&
		   value.points.ids[2] == (int64_t) 1 << 40);
	floats = value.points.matrix.values;
	EXPECT(floats[0] == 0.5f && floats[1] == -1.25f && floats[2] == 3 &&
		   floats[3] == 1e-30f && floats[5] == 2.5f &&
		   signbit(floats[6]) && floats[7] == 3.4028234663852886e38f &&
		   floats[8] == 8);
	value_release(host, &value);
	free(wire);

	wire = from_hex(v1_points_float8, &bytes);
	EXPECT(decode_and_compare(VALUE_POINTS, wire, bytes) == GL_OK);
	EXPECT_OK(host, value_decode(host, VALUE_POINTS, wire, bytes, &value));
	EXPECT(value.points.matrix.row_count == 2);
	EXPECT(value.points.matrix.scalar == SCALAR_FLOAT8);
	EXPECT(value.points.ids[0] == INT64_MIN &&
		   value.points.ids[1] == INT64_MAX);
	doubles = value.points.matrix.values;
	EXPECT(doubles[0] == 0.1 && doubles[1] == -1e300);
	value_release(host, &value);
	free(wire);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

static void
test_version_1_graph(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		sample;
	GlValue		value;
	size_t		bytes;
	unsigned char *wire = from_hex(v1_graph, &bytes);

	EXPECT(decode_and_compare(VALUE_GRAPH, wire, bytes) == GL_OK);
	EXPECT_OK(host, value_decode(host, VALUE_GRAPH, wire, bytes, &value));
	make_sample(3, &sample, &points);
	expect_same(&sample, &value);
	EXPECT(value.sparse.graph.recipe.seed == -42);
	value_release(host, &value);
	free(wire);
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
}

/* Every use in one job, for the refusals. */
static GlStatus
use_everything(GlHost *host)
{
	PointSet	points;
	GlValue		value;
	GlValue		back;
	size_t		bytes;
	unsigned char *wire;
	char	   *flat;

	make_sample(3, &value, &points);
	GL_TRY(value_wire_size(host, &value, &bytes));
	GL_NEW(host, wire, bytes);
	GL_TRY(value_encode(host, &value, wire, bytes));
	GL_NEW(host, flat, bytes + 4);
	GL_TRY(value_write_flat(host, &value, flat + 4, bytes + 4));
	GL_TRY(value_view(host, VALUE_GRAPH, flat, bytes + 4, &back));
	GL_TRY(value_decode(host, VALUE_GRAPH, wire, bytes, &back));
	value_release(host, &back);
	gl_release(host, wire);
	gl_release(host, flat);
	return GL_OK;
}

static void
test_use_refused(void)
{
	test_refusals(use_everything);
}

int
main(void)
{
	RUN(test_round_trips);
	RUN(test_every_length);
	RUN(test_every_byte);
	RUN(test_random_damage);
	RUN(test_hostile_counts);
	RUN(test_wrapping_length);
	RUN(test_newer_version);
	RUN(test_wrong_type);
	RUN(test_impossible_values);
	RUN(test_misaligned_view);
	RUN(test_view_is_less_strict);
	RUN(test_every_block);
	RUN(test_no_entries);
	RUN(test_version_1_points);
	RUN(test_version_1_graph);
	RUN(test_use_refused);
	UNIT_TEST_END();
}
