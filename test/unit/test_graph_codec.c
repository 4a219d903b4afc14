/*
 * test_graph_codec.c
 *		If this fails, a stored graph can send a learner out of its arrays, or
 *		a dump brings back a graph that breaks its own promises.
 */
#include "value_samples.h"

/* What memory safety does not need is left to decode, and decode does it. */
static void
test_view_is_less_strict(void)
{
	static const double not_allowed[] = {NAN, INFINITY, -1};
	double		weights[3];
	double		scales[3];
	double		importance[3];
	float		floats[3];

	for (int i = 0; i < 12; i++)
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
		memcpy(importance, sample_importance, sizeof(importance));
		value.sparse.importance = importance;
		if (i < 3)
			weights[2] = not_allowed[i];
		else if (i < 6)
			scales[2] = not_allowed[i - 3];
		else if (i < 9)
			floats[2] = (float) not_allowed[i - 6];
		else
			importance[2] = not_allowed[i - 9];
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
	/* differences that wrap: every step from 5 to here seems to go up */
	starts[6] = INT64_MIN;
	starts[7] = -1;
	EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) == GL_ERR_CORRUPT);
	starts[6] = 6;
	starts[7] = 7;
	starts[0] = 1;				/* in order, but entry 0 has no row */
	EXPECT(view_and_compare(VALUE_GRAPH, flat, bytes) == GL_ERR_CORRUPT);
	starts[0] = 0;
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

/*
 * Each byte of the recipe holds its enum and nothing beyond; the number of
 * the first value refused is part of the format.
 */
static void
test_recipe_ranges(void)
{
	static const struct
	{
		int			offset;
		int			least;
		int			most;
	}			ranges[] = {
		{28, 1, 8},				/* builder */
		{29, 0, 2},				/* metric */
		{30, 0, 5},				/* weights */
		{31, 0, 4},				/* symmetry */
		{32, 0, 1},				/* scale */
		{33, 1, 3},				/* meaning */
		{34, 0, 0},				/* scalar: no points kept */
		{35, 0, 0}				/* reserved */
	};
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		value;
	size_t		bytes;
	unsigned char *wire;

	make_sample(2, &value, &points);
	wire = wire_bytes(host, &value, &bytes);
	for (size_t r = 0; r < sizeof(ranges) / sizeof(ranges[0]); r++)
	{
		unsigned char kept = wire[ranges[r].offset];

		for (int number = 0; number < 256; number++)
		{
			wire[ranges[r].offset] = (unsigned char) number;
			EXPECT(decode_and_compare(VALUE_GRAPH, wire, bytes) ==
				   (number >= ranges[r].least && number <= ranges[r].most ?
					GL_OK : GL_ERR_CORRUPT));
		}
		wire[ranges[r].offset] = kept;
	}
	free(wire);
	test_host_end(&test);
}

/* Every combination of flags: accepted only if the sections are there. */
static void
test_flags_agree(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		value;
	size_t		bytes;
	unsigned char *wire;

	make_sample(3, &value, &points);
	wire = wire_bytes(host, &value, &bytes);
	EXPECT(wire[11] == (1 | 4 | 8 | 16));
	for (int flags = 0; flags < 256; flags++)
	{
		wire[11] = (unsigned char) flags;
		/* symmetric and stochastic are claims; the others are sections */
		EXPECT(decode_and_compare(VALUE_GRAPH, wire, bytes) ==
			   ((flags & ~3) == (4 | 8 | 16) ? GL_OK : GL_ERR_CORRUPT));
	}
	free(wire);
	test_host_end(&test);
}

/* The scans of a long graph ask now and then whether to go on. */
static GlStatus
scan_ring(GlHost *host)
{
	Ring	   *ring;
	GlValue		back;
	size_t		bytes;
	char	   *flat;

	GL_NEW(host, ring, 1);
	make_ring(ring);
	GL_TRY(value_flat_size(host, &ring->value, &bytes));
	GL_NEW(host, flat, bytes);
	GL_TRY(value_write_flat(host, &ring->value, flat + 4, bytes));
	GL_TRY(value_view(host, VALUE_GRAPH, flat, bytes, &back));
	gl_release(host, flat);
	gl_release(host, ring);
	return GL_OK;
}

static void
test_scan_refused(void)
{
	test_refusals(scan_ring);
}

int
main(void)
{
	RUN(test_view_is_less_strict);
	RUN(test_every_block);
	RUN(test_no_entries);
	RUN(test_recipe_ranges);
	RUN(test_flags_agree);
	RUN(test_scan_refused);
	UNIT_TEST_END();
}
