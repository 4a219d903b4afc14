/*
 * model_codec.c
 *		The bytes of a Model, behind which lies what it keeps for new rows.
 *
 * Sections, with n rows: ids (n x 8, absent where the graph or points that
 * are kept have them), ends of the class labels (C x 8), their text (bytes),
 * values (n columns x 8), row factors (n x 8), coordinates (n dims x 8),
 * clusters (n x 4), row numbers (n x 8), parameters (8 each).  Then, at the
 * next multiple of 8, the kept value as if it stood alone, its length word 0.
 *
 * The fingerprint tells two models apart without reading them: a statement
 * that predicts a million rows asks a million times whether the model is
 * still the one it has prepared.
 */
#include "codec/value_layout.h"

#define FLAG_CONVERGED		((uint32_t) 1)
#define FLAG_IDS			((uint32_t) 2)
#define FLAG_ROW_FACTOR		((uint32_t) 4)
#define FLAG_CLUSTERS		((uint32_t) 8)
#define FLAG_ROW_NUMBER		((uint32_t) 16)

enum
{
	ROW_COUNT,					/* n */
	PARAMETER_COUNT,
	TEXT_BYTES,
	KEPT_BYTES,					/* set by the codec */
	ITERATIONS,
	RESIDUAL,
	FINGERPRINT,
	CLASS_COUNT,				/* C */
	COLUMN_COUNT,
	COORDINATE_COUNT,
	CLUSTER_COUNT,
	KIND,
	METHOD,
	KEPT_TYPE,					/* set by the codec */
	RESERVED,
	RESERVED_TOO,
	FIELD_COUNT
};

_Static_assert(FIELD_COUNT <= VALUE_MAX_FIELDS, "raise VALUE_MAX_FIELDS");

static const ValueField model_fields[FIELD_COUNT] = {
	[ROW_COUNT] = {"the number of rows", 8, 1, POINT_SET_MAX_POINTS},
	[PARAMETER_COUNT] = {"the number of parameters", 8, 0, INT64_MAX},
	[TEXT_BYTES] = {"the length of the labels", 8, 0, INT64_MAX},
	[KEPT_BYTES] = {"the length of what is kept", 8, 0, INT64_MAX},
	[ITERATIONS] = {"the number of iterations", 8, 0, INT64_MAX},
	[RESIDUAL] = {"the residual", 8, 0, UINT64_MAX},
	[FINGERPRINT] = {"the fingerprint", 8, 0, UINT64_MAX},
	[CLASS_COUNT] = {"the number of classes", 4, 0, INT32_MAX},
	[COLUMN_COUNT] = {"the number of columns", 4, 0, INT32_MAX},
	[COORDINATE_COUNT] = {"the number of coordinates", 4, 0, INT32_MAX},
	[CLUSTER_COUNT] = {"the number of clusters", 4, 0, INT32_MAX},
	[KIND] = {"the kind of model", 1, MODEL_LABEL, MODEL_MDS},
	[METHOD] = {"the method", 1, 0, UINT8_MAX},
	[KEPT_TYPE] = {"the type of what is kept", 1, 0, VALUE_GRAPH},
	[RESERVED] = {"the reserved byte", 1, 0, 0},
	[RESERVED_TOO] = {"the reserved number", 4, 0, 0}
};

enum
{
	IDS,
	CLASS_END,
	CLASS_TEXT,
	VALUES,
	ROW_FACTOR,
	COORDINATES,
	CLUSTERS,
	ROW_NUMBER,
	PARAMETERS,
	SECTION_COUNT
};

_Static_assert(SECTION_COUNT <= VALUE_MAX_SECTIONS,
			   "raise VALUE_MAX_SECTIONS");

static bool
model_describe(const GlValue *value, ValueLayout *layout)
{
	const Model *model = &value->model;
	uint64_t   *field = layout->field;
	ValueSection *section = layout->section;

	layout->flags = (model->converged ? FLAG_CONVERGED : 0) |
		(value->kept_type == 0 ? FLAG_IDS : 0) |
		(model->row_factor != NULL ? FLAG_ROW_FACTOR : 0) |
		(model->cluster != NULL ? FLAG_CLUSTERS : 0) |
		(model->row_number != NULL ? FLAG_ROW_NUMBER : 0);
	field[ROW_COUNT] = (uint64_t) model->row_count;
	field[PARAMETER_COUNT] = (uint64_t) model->parameter_count;
	field[TEXT_BYTES] = (uint64_t) model->text_bytes;
	field[ITERATIONS] = (uint64_t) model->iterations;
	field[RESIDUAL] = value_double_bits(model->residual);
	field[FINGERPRINT] = model->fingerprint;
	field[CLASS_COUNT] = (uint64_t) (int64_t) model->class_count;
	field[COLUMN_COUNT] = (uint64_t) (int64_t) model->column_count;
	field[COORDINATE_COUNT] = (uint64_t) (int64_t) model->coordinate_count;
	field[CLUSTER_COUNT] = (uint64_t) (int64_t) model->cluster_count;
	field[KIND] = (uint64_t) model->kind;
	field[METHOD] = (uint64_t) (int64_t) model->method;
	section[IDS].data = value->kept_type == 0 ? model->ids : NULL;
	section[CLASS_END].data = model->class_end;
	section[CLASS_TEXT].data = model->class_text;
	section[VALUES].data = model->values;
	section[ROW_FACTOR].data = model->row_factor;
	section[COORDINATES].data = model->coordinates;
	section[CLUSTERS].data = model->cluster;
	section[ROW_NUMBER].data = model->row_number;
	section[PARAMETERS].data = model->parameters;
	return value->kept_type == 0 ||
		model->row_count == value_kept_row_count(value);
}

static bool
model_list_sections(ValueLayout *layout, const char **fault)
{
	const uint64_t *field = layout->field;
	ValueSection *section = layout->section;
	uint64_t	n = field[ROW_COUNT];
	bool		ids = (layout->flags & FLAG_IDS) != 0;

	*fault = NULL;
	if (ids == (field[KEPT_TYPE] != 0))
		*fault = "its ids are there twice or not at all";
	else if ((field[KEPT_BYTES] != 0) != (field[KEPT_TYPE] != 0))
		*fault = "it is said to keep something and to keep nothing";
	else if (!value_is_extent(field[RESIDUAL]))
		*fault = "the residual is not a finite number >= 0";
	else if (field[CLASS_COUNT] == 0 && field[TEXT_BYTES] != 0)
		*fault = "it has labels but no classes";
	if (*fault != NULL)
		return false;

	/* n < 2^31 and the counts of columns < 2^31 are checked: products fit */
	value_list_section(&section[IDS], ids, 8, n);
	value_list_section(&section[CLASS_END], field[CLASS_COUNT] > 0, 8,
					   field[CLASS_COUNT]);
	value_list_section(&section[CLASS_TEXT], field[TEXT_BYTES] > 0, 1,
					   field[TEXT_BYTES]);
	value_list_section(&section[VALUES], field[COLUMN_COUNT] > 0, 8,
					   n * field[COLUMN_COUNT]);
	value_list_section(&section[ROW_FACTOR],
					   (layout->flags & FLAG_ROW_FACTOR) != 0, 8, n);
	value_list_section(&section[COORDINATES], field[COORDINATE_COUNT] > 0, 8,
					   n * field[COORDINATE_COUNT]);
	value_list_section(&section[CLUSTERS],
					   (layout->flags & FLAG_CLUSTERS) != 0, 4, n);
	value_list_section(&section[ROW_NUMBER],
					   (layout->flags & FLAG_ROW_NUMBER) != 0, 8, n);
	value_list_section(&section[PARAMETERS], field[PARAMETER_COUNT] > 0, 8,
					   field[PARAMETER_COUNT]);
	return true;
}

static void
model_attach(const ValueLayout *layout, GlValue *value)
{
	const uint64_t *field = layout->field;
	const ValueSection *section = layout->section;
	Model	   *model = &value->model;

	model->kind = (ModelKind) field[KIND];
	model->method = (int32_t) field[METHOD];
	model->iterations = (int64_t) field[ITERATIONS];
	model->residual = value_bits_double(field[RESIDUAL]);
	model->converged = (layout->flags & FLAG_CONVERGED) != 0;
	model->row_count = (int64_t) field[ROW_COUNT];
	model->ids = value->kept_type == 0 ? section[IDS].data :
		value_kept_ids(value);
	model->class_count = (int32_t) field[CLASS_COUNT];
	model->class_end = section[CLASS_END].data;
	model->class_text = section[CLASS_TEXT].data;
	model->text_bytes = (int64_t) field[TEXT_BYTES];
	model->column_count = (int32_t) field[COLUMN_COUNT];
	model->values = section[VALUES].data;
	model->row_factor = section[ROW_FACTOR].data;
	model->coordinate_count = (int32_t) field[COORDINATE_COUNT];
	model->coordinates = section[COORDINATES].data;
	model->cluster_count = (int32_t) field[CLUSTER_COUNT];
	model->cluster = section[CLUSTERS].data;
	model->row_number = section[ROW_NUMBER].data;
	model->parameter_count = (int64_t) field[PARAMETER_COUNT];
	model->parameters = section[PARAMETERS].data;
	model->fingerprint = field[FINGERPRINT];
}

static GlStatus
model_check_indices(GlHost *host, const GlValue *value)
{
	const Model *model = &value->model;

	if (value->kept_type == 0)
		GL_TRY(value_check_ids(host, VALUE_MODEL, model->ids,
							   model->row_count));
	else if (model->row_count != value_kept_row_count(value))
		return gl_fail(host, GL_ERR_CORRUPT,
					   "invalid gl_model value: it has other rows than what it keeps");
	return model_check(host, model, value->kept_type == VALUE_GRAPH &&
					   value_graph(value)->points != NULL);
}

static GlStatus
model_check_invariants(GlHost *host, const GlValue *value)
{
	uint64_t	fingerprint;

	GL_TRY(model_check_numbers(host, &value->model));
	GL_TRY(value_fingerprint(host, value, &fingerprint));
	if (fingerprint != value->model.fingerprint)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "invalid gl_model value: its fingerprint is another");
	return GL_OK;
}

const ValueKind model_kind = {
	.type = VALUE_MODEL,
	.number = 4,
	.known_flags = FLAG_CONVERGED | FLAG_IDS | FLAG_ROW_FACTOR |
	FLAG_CLUSTERS | FLAG_ROW_NUMBER,
	.field_count = FIELD_COUNT,
	.fields = model_fields,
	.section_count = SECTION_COUNT,
	.keeps = true,
	.kept_type_field = KEPT_TYPE,
	.kept_bytes_field = KEPT_BYTES,
	.fingerprint_field = FINGERPRINT,
	.describe = model_describe,
	.list_sections = model_list_sections,
	.attach = model_attach,
	.check_indices = model_check_indices,
	.check_invariants = model_check_invariants
};
