/*
 * value_samples.h
 *		Sample values and the comparisons that every test of the codec uses.
 *
 * Every buffer under test is a heap chunk of exactly its length, so that the
 * address sanitizer sees a read one byte too far.
 */
#ifndef VALUE_SAMPLES_H
#define VALUE_SAMPLES_H

#include "unit_test.h"

#include "codec/value_codec.h"

/* The arrays of the sample values. */
static const int64_t sample_ids[] = {10, 20, 30};
static const float sample_floats[] = {1.5f, -2.0f, 0.125f};
static const double sample_doubles[] = {0.1, -1e300, 5e-324, 7, 8, -0.0};
static const int64_t sample_starts[] = {0, 1, 3, 3};
static const int32_t sample_neighbours[] = {1, 0, 1};
static const double sample_weights[] = {0.75, 0.75, 0.25};
static const double sample_column_scale[] = {0.5};
static const double sample_node_scale[] = {0, 1, 2.25};
static const double sample_importance[] = {3, 3, 0.5};

static const int64_t sample_class_ends[] = {5, 5};
static const double sample_f[] = {1, 0, 0.25, 0.125, 0, 0};
static const double sample_row_factor[] = {1, 0.5, 2};
static const double sample_parameters[LABEL_PARAMETERS + 4] = {
	0.98, 1e-5, 1, 10, 2, 1, 0.75, 0.25, 1.25, 0.125
};

#define SAMPLE_COUNT	8
#define SAMPLE_IS_MODEL(which)	((which) >= 6)

/* A label model over the graph that the value holds. */
static inline void
make_sample_model(int which, GlValue *value)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	value->type = VALUE_MODEL;
	value->kept_type = VALUE_GRAPH;
	value->model = (Model)
	{
		.kind = MODEL_LABEL, .method = 1, .iterations = 12, .residual = 1e-7,
		.converged = true, .row_count = 3, .ids = sample_ids,
		.class_count = 2, .class_end = sample_class_ends,
		.class_text = "r\xC3\xB6t!", .text_bytes = 5,
		.column_count = 2, .values = sample_f,
		.row_factor = which == 7 ? sample_row_factor : NULL,
		.parameter_count = LABEL_PARAMETERS + 4,
		.parameters = sample_parameters
	};
	EXPECT_OK(host, value_fingerprint(host, value,
									  &value->model.fingerprint));
	test_host_end(&test);
}

/*
 * Samples: points of either scalar, a bare graph, graphs that keep all, a
 * graph of lengths with importances, and models over the graphs 3 and 4.
 */
static inline void
make_sample(int which, GlValue *value, PointSet *points)
{
	Graph	   *graph = &value->sparse.graph;

	if (SAMPLE_IS_MODEL(which))
	{
		make_sample(which - 3, value, points);
		make_sample_model(which, value);
		return;
	}
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
	if (which == 5)
	{
		graph->meaning = GRAPH_LENGTH;
		value->sparse.importance = sample_importance;
	}
	if (which == 2 || which == 5)
		return;
	graph->points = points;
	graph->node_scale = sample_node_scale;
	if (which == 3)
		graph->column_scale = sample_column_scale;
}

/* A value as bytes on the heap: flat with a length word, or wire. */
static inline char *
flat_bytes(GlHost *host, const GlValue *value, size_t *bytes)
{
	char	   *flat;

	EXPECT_OK(host, value_flat_size(host, value, bytes));
	flat = malloc(*bytes);
	memset(flat, 0xEE, *bytes);
	EXPECT_OK(host, value_write_flat(host, value, flat + 4, *bytes));
	return flat;
}

static inline unsigned char *
wire_bytes(GlHost *host, const GlValue *value, size_t *bytes)
{
	unsigned char *wire;

	EXPECT_OK(host, value_wire_size(host, value, bytes));
	wire = malloc(*bytes);
	memset(wire, 0xEE, *bytes);
	EXPECT_OK(host, value_encode(host, value, wire, *bytes));
	return wire;
}

static inline bool
is_zeroed(const GlValue *value)
{
	static const GlValue zero;

	return memcmp(value, &zero, sizeof(zero)) == 0;
}

/*
 * The heart of the hostile tests: whatever is accepted must write itself back
 * to the very same bytes, and whatever is refused leaves nothing behind.
 */
static inline GlStatus
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

static inline GlStatus
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
static inline GlStatus
decode_copy(ValueType type, const unsigned char *wire, size_t bytes)
{
	unsigned char *copy = malloc(bytes);
	GlStatus	status;

	memcpy(copy, wire, bytes);
	status = decode_and_compare(type, copy, bytes);
	free(copy);
	return status;
}

static inline GlStatus
view_copy(ValueType type, const char *flat, size_t bytes)
{
	char	   *copy = malloc(bytes);
	GlStatus	status;

	memcpy(copy, flat, bytes);
	status = view_and_compare(type, copy, bytes);
	free(copy);
	return status;
}

#endif							/* VALUE_SAMPLES_H */
