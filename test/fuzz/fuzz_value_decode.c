/*
 * fuzz_value_decode.c
 *		Any bytes at all as points, a graph and a model, received and stored.
 *
 * Seeds are wire forms, and flat forms without their length word.  Required
 * of every input: no access out of bounds (the sanitizers); what is accepted
 * writes itself back to the same bytes; what is refused leaves a zeroed value
 * and a message; memory asked for is bounded by the bytes given.  A graph or
 * model that passed value_view() is then used, because that is all the check
 * that a stored one gets.
 */
#include "fuzz_host.h"

#include "codec/value_codec.h"
#include "learn/label_model.h"

/* Chunk overhead aside, a decoded value is no longer than its bytes. */
#define OVERHEAD	((size_t) 1024)

static void
require_zeroed(const GlHost *host, const GlValue *value)
{
	static const GlValue zero;

	FUZZ_REQUIRE(memcmp(value, &zero, sizeof(zero)) == 0);
	FUZZ_REQUIRE(host->message[0] != '\0');
}

/* Every operation of an accepted graph stays within its arrays. */
static void
use_graph(GlHost *host, const Graph *graph)
{
	size_t		n = (size_t) graph->node_count;
	double	   *x = gl_allocate_zeroed(host, 2 * n, sizeof(double));
	double	   *y = gl_allocate(host, 2 * n, sizeof(double));
	int32_t    *component = gl_allocate(host, n, sizeof(int32_t));
	int32_t		component_count;
	GraphEntry *entries;
	int64_t		entry_count;

	FUZZ_REQUIRE(x != NULL && y != NULL && component != NULL);
	FUZZ_REQUIRE(graph_apply(host, graph, x, y, 2) == GL_OK);
	FUZZ_REQUIRE(graph_apply_transpose(host, graph, x, y, 2) == GL_OK);
	FUZZ_REQUIRE(graph_row_sums(host, graph, y) == GL_OK);
	FUZZ_REQUIRE(graph->operations->diagonal(host, graph, y) == GL_OK);
	FUZZ_REQUIRE(graph_components(host, graph, component,
								  &component_count) == GL_OK);
	FUZZ_REQUIRE(component_count >= 1 && (size_t) component_count <= n);
	for (int32_t i = 0; i < graph->node_count; i++)
	{
		FUZZ_REQUIRE(graph->operations->row(host, graph, i, &entries,
											&entry_count) == GL_OK);
		gl_release(host, entries);
	}
	gl_release(host, x);
	gl_release(host, y);
	gl_release(host, component);
}

/* Every number of an accepted point set is there. */
static void
use_points(const PointSet *points)
{
	double	   *row = malloc((size_t) points->matrix.dimension_count *
							 sizeof(double));

	FUZZ_REQUIRE(row != NULL);
	for (int64_t i = 0; i < points->matrix.row_count; i++)
		point_matrix_row(&points->matrix, i, row);
	free(row);
}

/* Every row and class of an accepted model can be told. */
static void
use_model(const Model *model)
{
	ClassPrior	prior = label_model_prior(model);
	size_t		classes = (size_t) model->class_count;
	double	   *scores = malloc((classes + 1) * sizeof(double));
	int32_t		winner;
	double		confidence;
	int64_t		length;
	int64_t		total = 0;

	FUZZ_REQUIRE(scores != NULL);
	for (int64_t i = 0; i < model->row_count; i++)
	{
		label_model_row(model, &prior, i, scores, &winner, &confidence);
		FUZZ_REQUIRE(winner >= -1 && winner < model->class_count);
	}
	for (int32_t c = 0; c < model->class_count; c++)
	{
		model_class_label(model, c, &length);
		FUZZ_REQUIRE(length >= 0);
		total += length;
	}
	FUZZ_REQUIRE(total == model->text_bytes);
	free(scores);
}

static void
use_value(GlHost *host, const GlValue *value)
{
	if (value->type == VALUE_POINTS)
	{
		use_points(&value->points);
		return;
	}
	if (value->type == VALUE_MODEL)
		use_model(&value->model);
	use_graph(host, value_graph(value));
	if (value_graph(value)->points != NULL)
		use_points(value_graph(value)->points);
}

static void
try_decode(ValueType type, const uint8_t *data, size_t size)
{
	FuzzHost	fuzz;
	GlHost	   *host = fuzz_host_begin(&fuzz, size + OVERHEAD);
	GlValue		value;

	if (value_decode(host, type, data, size, &value) == GL_OK)
	{
		size_t		bytes;
		unsigned char *again;

		FUZZ_REQUIRE(value_wire_size(host, &value, &bytes) == GL_OK);
		FUZZ_REQUIRE(bytes == size);
		again = malloc(bytes);
		FUZZ_REQUIRE(value_encode(host, &value, again, bytes) == GL_OK);
		FUZZ_REQUIRE(memcmp(again, data, bytes) == 0);
		free(again);
		value_release(host, &value);
		FUZZ_REQUIRE(host->bytes_used == 0);
	}
	else
	{
		FUZZ_REQUIRE(host->status == GL_ERR_CORRUPT ||
					 host->status == GL_ERR_DATA);
		require_zeroed(host, &value);
	}
	fuzz_host_end(&fuzz);
}

static void
try_view(ValueType type, const uint8_t *data, size_t size)
{
	FuzzHost	fuzz;
	GlHost	   *host = fuzz_host_begin(&fuzz, 16 * size + OVERHEAD);
	GlValue		value;
	char	   *flat = malloc(size + 4);

	memset(flat, 0xFF, 4);		/* the length word is not looked at */
	if (size > 0)
		memcpy(flat + 4, data, size);
	if (value_view(host, type, flat, size + 4, &value) == GL_OK)
	{
		size_t		bytes;
		char	   *again;

		FUZZ_REQUIRE(value.storage == STORAGE_BLOCK ||
					 host->bytes_peak == 0);
		FUZZ_REQUIRE(value_flat_size(host, &value, &bytes) == GL_OK);
		FUZZ_REQUIRE(bytes == size + 4);
		again = malloc(bytes);
		FUZZ_REQUIRE(value_write_flat(host, &value, again + 4, bytes) ==
					 GL_OK);
		FUZZ_REQUIRE(memcmp(again + 4, data, size) == 0);
		free(again);
		use_value(host, &value);
		value_release(host, &value);
	}
	else
		require_zeroed(host, &value);
	free(flat);
	fuzz_host_end(&fuzz);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	try_decode(VALUE_POINTS, data, size);
	try_decode(VALUE_GRAPH, data, size);
	try_decode(VALUE_MODEL, data, size);
	try_view(VALUE_POINTS, data, size);
	try_view(VALUE_GRAPH, data, size);
	try_view(VALUE_MODEL, data, size);
	return 0;
}
