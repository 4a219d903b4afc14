/*
 * test_value_codec.c
 *		If this fails, stored graphs and points no longer read back as they
 *		were written, or hostile bytes reach memory that is not theirs.
 */
#include "value_samples.h"

#include "codec/base64.h"

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
	EXPECT((a->sparse.importance == NULL) == (b->sparse.importance == NULL));
	EXPECT(h->operations != NULL);
	if (a->sparse.importance != NULL && b->sparse.importance != NULL)
		EXPECT(memcmp(a->sparse.importance, b->sparse.importance, 3 * 8) == 0);
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
expect_same_model(const GlValue *a, const GlValue *b)
{
	const Model *m = &a->model;
	const Model *w = &b->model;

	EXPECT(a->kept_type == b->kept_type);
	EXPECT(m->kind == w->kind && m->method == w->method);
	EXPECT(m->iterations == w->iterations && m->residual == w->residual);
	EXPECT(m->converged == w->converged);
	EXPECT(m->fingerprint == w->fingerprint);
	EXPECT(w->row_count == 3 && w->class_count == 2 && w->column_count == 2);
	EXPECT(w->ids == b->sparse.graph.ids);
	EXPECT(w->text_bytes == 5 && memcmp(m->class_text, w->class_text, 5) == 0);
	EXPECT(memcmp(m->class_end, w->class_end, 2 * 8) == 0);
	EXPECT(memcmp(m->values, w->values, 6 * 8) == 0);
	EXPECT((m->row_factor == NULL) == (w->row_factor == NULL));
	if (m->row_factor != NULL && w->row_factor != NULL)
		EXPECT(memcmp(m->row_factor, w->row_factor, 3 * 8) == 0);
	EXPECT(w->parameter_count == m->parameter_count);
	EXPECT(memcmp(m->parameters, w->parameters,
				  (size_t) m->parameter_count * 8) == 0);
	EXPECT(w->coordinates == NULL && w->cluster == NULL &&
		   w->row_number == NULL);
}

static void
expect_same(const GlValue *a, const GlValue *b)
{
	const PointMatrix *p = &a->points.matrix;
	const PointMatrix *q = &b->points.matrix;

	EXPECT(a->type == b->type);
	if (a->type == VALUE_MODEL)
		expect_same_model(a, b);
	if (a->type != VALUE_POINTS)
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

/* Text out, text in: what a dump does to a value. */
static void
test_text_round_trips(void)
{
	for (int which = 0; which < SAMPLE_COUNT; which++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSet	points;
		GlValue		value;
		size_t		bytes;
		size_t		back_bytes;
		size_t		characters = 0;
		unsigned char *wire;
		unsigned char *back;
		char	   *text;

		make_sample(which, &value, &points);
		wire = wire_bytes(host, &value, &bytes);
		EXPECT(base64_encoded_size(bytes, &characters));
		text = malloc(characters);
		EXPECT_OK(host, base64_encode(host, wire, bytes, text, characters));
		/* the magic makes the first characters of the text, too */
		EXPECT(memcmp(text, which < 2 ? "R0xQV" :
					  SAMPLE_IS_MODEL(which) ? "R0xNR" : "R0xHU", 5) == 0);
		back = malloc(base64_decoded_limit(characters));
		EXPECT_OK(host, base64_decode(host, text, characters, back,
									  base64_decoded_limit(characters),
									  &back_bytes));
		EXPECT(back_bytes == bytes && memcmp(wire, back, bytes) == 0);
		EXPECT(decode_and_compare(value.type, back, back_bytes) == GL_OK);
		free(wire);
		free(back);
		free(text);
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

/* Is this byte the format version of a value that starts there? */
static bool
is_version(size_t at, size_t start)
{
	return at == start + 4 || at == start + 5;
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
		size_t		kept = 0;

		if (SAMPLE_IS_MODEL(which))
		{
			make_sample(which - 3, &value, &points);
			EXPECT_OK(host, value_wire_size(host, &value, &kept));
		}
		make_sample(which, &value, &points);
		flat = flat_bytes(host, &value, &flat_size);
		wire = wire_bytes(host, &value, &wire_size);
		kept = wire_size - kept;	/* what is kept comes last */
		for (size_t at = 0; at < wire_size; at++)
			for (int flip = 1; flip < 256; flip++)
			{
				GlStatus	status;

				wire[at] ^= (unsigned char) flip;
				status = decode_and_compare(value.type, wire, wire_size);
				EXPECT(status == GL_OK || status == GL_ERR_CORRUPT ||
					   (status == GL_ERR_DATA &&
						(is_version(at, 0) || is_version(at, kept))));
				accepted += status == GL_OK;
				wire[at] ^= (unsigned char) flip;

				flat[at + 4] ^= (char) flip;
				status = view_and_compare(value.type, flat, flat_size);
				EXPECT(status == GL_OK || status == GL_ERR_CORRUPT ||
					   (status == GL_ERR_DATA &&
						(is_version(at, 0) || is_version(at, kept))));
				flat[at + 4] ^= (char) flip;
			}
		/* another number is another valid value, but no other model's */
		EXPECT((accepted > 0) == !SAMPLE_IS_MODEL(which));
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
	RUN(test_text_round_trips);
	RUN(test_every_length);
	RUN(test_every_byte);
	RUN(test_random_damage);
	RUN(test_hostile_counts);
	RUN(test_wrapping_length);
	RUN(test_newer_version);
	RUN(test_wrong_type);
	RUN(test_impossible_values);
	RUN(test_misaligned_view);
	RUN(test_version_1_points);
	RUN(test_version_1_graph);
	RUN(test_use_refused);
	UNIT_TEST_END();
}
