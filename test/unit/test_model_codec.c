/*
 * test_model_codec.c
 *		If this fails, a stored model reads back as another one, or hostile
 *		bytes send a prediction out of its arrays.
 */
#include "value_samples.h"

#include "graph/block_build.h"
#include "graph/point_graph.h"

/*
 * Version-1 wire bytes of sample 6, made by an independent script from the
 * tables of docs/format.md, its fingerprint included.
 */
static const char v1_model[] =
"474c4d4400010004000000010000000000000003000000000000000a00000000"
"0000000500000000000000dc000000000000000c3e7ad7f29abcaf48bf771228"
"7eeede9d00000002000000020000000000000000010102000000000000000000"
"00000005000000000000000572c3b674210000003ff000000000000000000000"
"000000003fd00000000000003fc0000000000000000000000000000000000000"
"000000003fef5c28f5c28f5c3ee4f8b588e368f13ff000000000000040240000"
"0000000040000000000000003ff00000000000003fe80000000000003fd00000"
"000000003ff40000000000003fc000000000000000000000474c475200010002"
"0000001d00000000000000030000000000000003010101010101010000000002"
"0000000100000000000000003ff8000000000000ffffffffffffffd600000000"
"00000000000000000000000a0000000000000014000000000000001e00000000"
"0000000000000000000000010000000000000003000000000000000300000001"
"0000000000000001000000003fe80000000000003fe80000000000003fd00000"
"000000003fc00000c00000003e000000000000003fe000000000000000000000"
"000000003ff00000000000004002000000000000";

static void
test_version_1(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	unsigned char old[sizeof(v1_model) / 2];
	PointSet	points;
	GlValue		value;
	size_t		bytes;
	unsigned char *wire;

	for (size_t i = 0; i < sizeof(old); i++)
	{
		unsigned int byte;

		sscanf(v1_model + 2 * i, "%2x", &byte);
		old[i] = (unsigned char) byte;
	}
	make_sample(6, &value, &points);
	EXPECT(value.model.fingerprint == UINT64_C(0xbf7712287eeede9d));
	wire = wire_bytes(host, &value, &bytes);
	EXPECT(bytes == sizeof(old) && memcmp(wire, old, bytes) == 0);
	EXPECT(decode_copy(VALUE_MODEL, old, sizeof(old)) == GL_OK);
	free(wire);
	test_host_end(&test);
}

/* One change to sample 7 that view() and decode() answer for. */
typedef enum Damage
{
	DAMAGE_NONE,
	DAMAGE_CLASS_ORDER,
	DAMAGE_CLASS_NEGATIVE,
	DAMAGE_CLASS_BEYOND,
	DAMAGE_CLASS_SHORT,
	DAMAGE_COLUMNS,
	DAMAGE_PARAMETERS,
	DAMAGE_KIND,
	DAMAGE_COORDINATES,
	DAMAGE_CLUSTERS,
	DAMAGE_ROW_NUMBER,
	DAMAGE_NO_POINTS,
	DAMAGE_NOTHING_KEPT,
	DAMAGE_POINTS_KEPT,
	DAMAGE_VALUE,				/* from here on decode() alone */
	DAMAGE_NEGATIVE_VALUE,
	DAMAGE_FACTOR,
	DAMAGE_PARAMETER,
	DAMAGE_FINGERPRINT,
	DAMAGE_COUNT
} Damage;

static void
damage_model(Damage damage, GlValue *value, PointSet *points)
{
	static int64_t ends[2];
	static double f[9];
	static double factor[3];
	static double parameters[LABEL_PARAMETERS + 4];
	static const int32_t clusters[3] = {1, 0, 1};
	Model	   *model = &value->model;

	memcpy(ends, sample_class_ends, sizeof(ends));
	memcpy(f, sample_f, sizeof(sample_f));
	memcpy(factor, sample_row_factor, sizeof(factor));
	memcpy(parameters, sample_parameters, sizeof(parameters));
	model->class_end = ends;
	model->values = f;
	model->row_factor = factor;
	model->parameters = parameters;
	switch (damage)
	{
		case DAMAGE_CLASS_ORDER:
			ends[0] = 6;
			break;
		case DAMAGE_CLASS_NEGATIVE:
			ends[0] = -1;
			break;
		case DAMAGE_CLASS_BEYOND:
			ends[1] = 6;
			break;
		case DAMAGE_CLASS_SHORT:
			ends[0] = ends[1] = 4;
			break;
		case DAMAGE_COLUMNS:
			model->column_count = 3;
			break;
		case DAMAGE_PARAMETERS:
			model->parameter_count--;
			break;
		case DAMAGE_KIND:
			model->kind = MODEL_MDS;
			break;
		case DAMAGE_COORDINATES:
			model->coordinate_count = 1;
			model->coordinates = factor;
			break;
		case DAMAGE_CLUSTERS:
			model->cluster = clusters;
			break;
		case DAMAGE_ROW_NUMBER:
			model->row_number = factor;
			break;
		case DAMAGE_NO_POINTS:
			value->sparse.graph.points = NULL;
			break;
		case DAMAGE_NOTHING_KEPT:
			value->kept_type = 0;
			break;
		case DAMAGE_POINTS_KEPT:
			value->kept_type = VALUE_POINTS;
			value->points = *points;
			break;
		case DAMAGE_VALUE:
			f[3] = NAN;
			break;
		case DAMAGE_NEGATIVE_VALUE:
			f[3] = -0.125;
			break;
		case DAMAGE_FACTOR:
			factor[1] = INFINITY;
			break;
		case DAMAGE_PARAMETER:
			parameters[LABEL_DAMPING] = -1;
			break;
		default:
			break;
	}
}

/*
 * Parts that do not fit are never looked at; numbers that make no sense are
 * refused at the door only.
 */
static void
test_parts(void)
{
	for (Damage damage = DAMAGE_NONE; damage < DAMAGE_COUNT; damage++)
	{
		TestHost	test;
		GlHost	   *host = test_host_begin(&test);
		PointSet	points;
		GlValue		value;
		size_t		bytes;
		unsigned char *wire;
		char	   *flat;

		make_sample(7, &value, &points);
		damage_model(damage, &value, &points);
		EXPECT_OK(host, value_fingerprint(host, &value,
										  &value.model.fingerprint));
		value.model.fingerprint += damage == DAMAGE_FINGERPRINT;
		wire = wire_bytes(host, &value, &bytes);
		EXPECT(decode_copy(VALUE_MODEL, wire, bytes) ==
			   (damage == DAMAGE_NONE ? GL_OK : GL_ERR_CORRUPT));
		flat = flat_bytes(host, &value, &bytes);
		EXPECT(view_copy(VALUE_MODEL, flat, bytes) ==
			   (damage == DAMAGE_NONE || damage >= DAMAGE_VALUE ? GL_OK :
				GL_ERR_CORRUPT));
		free(wire);
		free(flat);
		test_host_end(&test);
	}
}

/* The model's rows and those of its graph are the same rows. */
static void
test_other_rows(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		value;
	size_t		bytes;

	make_sample(6, &value, &points);
	value.model.row_count = 2;
	EXPECT(value_wire_size(host, &value, &bytes) == GL_ERR_INTERNAL);
	test_host_end(&test);
}

/* Only a model has one, and every part of it counts. */
static void
test_fingerprint(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);
	PointSet	points;
	GlValue		value;
	GlValue		other;
	PointSet	other_points;
	double		weights[3] = {0.75, 0.75, 0.5};
	uint64_t	fingerprint;

	make_sample(3, &value, &points);
	EXPECT(value_fingerprint(host, &value, &fingerprint) == GL_ERR_INTERNAL);
	make_sample(6, &value, &points);
	make_sample(6, &other, &other_points);
	EXPECT(value.model.fingerprint == other.model.fingerprint);
	other.sparse.weight = weights;
	EXPECT_OK(host, value_fingerprint(host, &other, &fingerprint));
	EXPECT(fingerprint != value.model.fingerprint);
	make_sample(6, &other, &other_points);
	other.model.class_text = "r\xC3\xB6t?";
	EXPECT_OK(host, value_fingerprint(host, &other, &fingerprint));
	EXPECT(fingerprint != value.model.fingerprint);
	make_sample(6, &other, &other_points);
	other.model.fingerprint = 0;
	EXPECT_OK(host, value_fingerprint(host, &other, &fingerprint));
	EXPECT(fingerprint == value.model.fingerprint);
	test_host_end(&test);
}

#define ROWS	60

static int64_t row_ids[ROWS];
static double row_values[2 * ROWS];
static double row_f[2 * ROWS];

static PointSet
some_points(void)
{
	GlRandom	random;

	gl_random_begin(&random, 5);
	for (int i = 0; i < ROWS; i++)
	{
		row_ids[i] = 3 * i - 7;
		row_values[2 * i] = gl_random_normal(&random);
		row_values[2 * i + 1] = gl_random_normal(&random);
		row_f[2 * i] = row_f[2 * i + 1] = 0.5;
	}
	return (PointSet)
	{
		{ROWS, 2, SCALAR_FLOAT8, row_values}, row_ids
	};
}

/* A graph of either storage, as a value. */
static GlStatus
some_graph(GlHost *host, bool blocks, GlValue *value)
{
	PointSet	points = some_points();

	memset(value, 0, sizeof(*value));
	value->type = VALUE_GRAPH;
	if (blocks)
	{
		BlockGraphOptions options;
		BlockGraphReport report;

		block_graph_defaults(&options);
		options.tree_count = 2;
		value->storage = STORAGE_BLOCK;
		return block_graph_build(host, &points, &options, &value->block,
								 &report);
	}
	else
	{
		PointGraphOptions options;
		PointGraphReport report;

		point_graph_defaults(&options);
		return point_graph_build(host, &points, &options, &value->sparse,
								 &report);
	}
}

static GlStatus
keep_job(GlHost *host)
{
	for (int blocks = 0; blocks <= 1; blocks++)
	{
		GlValue		graph;
		GlValue		model;
		GlValue		back;
		Model		label;
		size_t		bytes;
		unsigned char *wire;

		GL_TRY(some_graph(host, blocks, &graph));
		GL_TRY(value_keep(host, &graph, &model));
		EXPECT(model.type == VALUE_MODEL && model.kept_type == VALUE_GRAPH);
		EXPECT(value_graph(&model)->points->matrix.values !=
			   (const void *) row_values);
		EXPECT(memcmp(value_graph(&model)->points->matrix.values, row_values,
					  sizeof(row_values)) == 0);
		EXPECT(memcmp(model.model.ids, row_ids, sizeof(row_ids)) == 0);
		EXPECT(blocks || model.sparse.entry_count == 0);
		EXPECT(memcmp(&value_graph(&model)->recipe,
					  &value_graph(&graph)->recipe,
					  sizeof(GraphRecipe)) == 0);
		graph_release(host, blocks ? &graph.block.graph :
					  &graph.sparse.graph);

		/* a model around it travels */
		label = model.model;
		label.kind = MODEL_LABEL;
		label.class_count = label.column_count = 2;
		label.class_end = sample_class_ends;
		label.class_text = "abcde";
		label.text_bytes = 5;
		label.values = row_f;
		label.parameter_count = LABEL_PARAMETERS + 4;
		label.parameters = sample_parameters;
		model.model = label;
		GL_TRY(value_fingerprint(host, &model, &model.model.fingerprint));
		GL_TRY(value_wire_size(host, &model, &bytes));
		GL_NEW(host, wire, bytes);
		GL_TRY(value_encode(host, &model, wire, bytes));
		value_release(host, &model);
		GL_TRY(value_decode(host, VALUE_MODEL, wire, bytes, &back));
		EXPECT(back.storage == (blocks ? STORAGE_BLOCK : STORAGE_SPARSE));
		EXPECT(memcmp(back.model.ids, row_ids, sizeof(row_ids)) == 0);
		value_release(host, &back);
		gl_release(host, wire);
	}
	return GL_OK;
}

static void
test_keep(void)
{
	TestHost	test;
	GlHost	   *host = test_host_begin(&test);

	EXPECT_OK(host, keep_job(host));
	EXPECT_NOTHING_LEFT(&test);
	test_host_end(&test);
	test_refusals(keep_job);
}

int
main(void)
{
	RUN(test_version_1);
	RUN(test_parts);
	RUN(test_other_rows);
	RUN(test_fingerprint);
	RUN(test_keep);
	UNIT_TEST_END();
}
