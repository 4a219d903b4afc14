/*
 * points_codec.c
 *		The bytes of a PointSet whose rows are all of one length.
 *
 * Sections: ids (n x 8), values (n d x 4 or 8, as the scalar says).  A sparse
 * kind will be another file with another number.
 */
#include "codec/value_layout.h"

enum
{
	POINT_COUNT,				/* n */
	DIMENSION_COUNT,			/* d */
	SCALAR,
	FIELD_COUNT
};

static const ValueField points_dense_fields[FIELD_COUNT] = {
	[POINT_COUNT] = {"the number of points", 8, 1, POINT_SET_MAX_POINTS},
	[DIMENSION_COUNT] = {"the number of dimensions", 4, 1,
	POINT_SET_MAX_DIMENSIONS},
	[SCALAR] = {"the type of numbers", 4, SCALAR_FLOAT4, SCALAR_FLOAT8}
};

enum
{
	IDS,
	VALUES,
	SECTION_COUNT
};

static bool
points_dense_describe(const GlValue *value, ValueLayout *layout)
{
	const PointMatrix *matrix = &value->points.matrix;

	/* signed numbers are widened: a negative one falls out of range */
	layout->field[POINT_COUNT] = (uint64_t) matrix->row_count;
	layout->field[DIMENSION_COUNT] =
		(uint64_t) (int64_t) matrix->dimension_count;
	layout->field[SCALAR] = (uint64_t) matrix->scalar;
	layout->section[IDS].data = value->points.ids;
	layout->section[VALUES].data = matrix->values;
	return true;
}

static bool
points_dense_list_sections(ValueLayout *layout, const char **fault)
{
	ValueSection *section = layout->section;
	uint64_t	n = layout->field[POINT_COUNT];

	(void) fault;				/* these fields cannot contradict each other */
	section[IDS].present = true;
	section[IDS].width = 8;
	section[IDS].count = n;
	section[VALUES].present = true;
	section[VALUES].width = (uint8_t)
		scalar_size((ScalarType) layout->field[SCALAR]);
	/* at most 2^31 * 10^6, both checked */
	section[VALUES].count = n * layout->field[DIMENSION_COUNT];
	return true;
}

static void
points_dense_attach(const ValueLayout *layout, GlValue *value)
{
	PointMatrix *matrix = &value->points.matrix;

	matrix->row_count = (int64_t) layout->field[POINT_COUNT];
	matrix->dimension_count = (int32_t) layout->field[DIMENSION_COUNT];
	matrix->scalar = (ScalarType) layout->field[SCALAR];
	matrix->values = layout->section[VALUES].data;
	value->points.ids = layout->section[IDS].data;
}

static GlStatus
points_dense_check_indices(GlHost *host, const GlValue *value)
{
	return value_check_ids(host, VALUE_POINTS, value->points.ids,
						   value->points.matrix.row_count);
}

static GlStatus
points_dense_check_invariants(GlHost *host, const GlValue *value)
{
	return point_set_check(host, &value->points);
}

const ValueKind points_dense_kind = {
	.type = VALUE_POINTS,
	.number = 1,
	.known_flags = 0,
	.field_count = FIELD_COUNT,
	.fields = points_dense_fields,
	.section_count = SECTION_COUNT,
	.describe = points_dense_describe,
	.list_sections = points_dense_list_sections,
	.attach = points_dense_attach,
	.check_indices = points_dense_check_indices,
	.check_invariants = points_dense_check_invariants
};
