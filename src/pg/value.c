/*
 * value.c
 *		Expanded objects, and the in, out, recv and send functions of our types.
 *
 * All types share one expanded representation and one codec; the SQL-callable
 * functions at the end only say which type they mean.
 */
#include "value.h"
#include "model_labels.h"

#include "lib/stringinfo.h"
#include "libpq/pqformat.h"
#include "utils/builtins.h"
#include "utils/memutils.h"

#include "codec/base64.h"

#define EXPANDED_VALUE_MAGIC	0x474C5831	/* "GLX1" */

/* What makes a value smaller that is too large to be stored. */
static const char *
smaller_value_hint(ValueType type)
{
	switch (type)
	{
		case VALUE_POINTS:
			return "Nest the calls, so that the points are never copied: FROM (SELECT gl_points(id, f) AS p FROM t) s, gl_propagate(gl_knn_graph(s.p, keep_points => false), ids, labels). Features of type real[] need half the room.";
		case VALUE_GRAPH:
			return "Build the graph with keep_points => false, or with a smaller k.";
		case VALUE_MODEL:
			break;
	}
	return "A model keeps the points it was fitted on. Features of type real[] need half the room; a sample of the rows, or fewer classes, need less.";
}

/*
 * Called when a value leaves the statement that made it: stored, sorted,
 * copied by a plan node.  This is where the limit of a stored value bites.
 */
static Size
expanded_flat_size(ExpandedObjectHeader *header)
{
	ExpandedValue *expanded = (ExpandedValue *) header;
	GlHost		host;
	size_t		bytes;

	if (expanded->flat_size != 0)
		return expanded->flat_size;
	pg_host_on(&host, CurrentMemoryContext);
	pg_check(&host, value_flat_size(&host, &expanded->value, &bytes));
	if (bytes > VALUE_MAX_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a %s value of %zu MB is too large to be stored or copied, the limit is %zu MB",
						value_type_name(expanded->value.type), bytes >> 20,
						VALUE_MAX_BYTES >> 20),
				 errhint("%s", smaller_value_hint(expanded->value.type))));
	expanded->flat_size = bytes;
	return bytes;
}

static void
expanded_flatten_into(ExpandedObjectHeader *header, void *result,
					  Size allocated_size)
{
	ExpandedValue *expanded = (ExpandedValue *) header;
	GlHost		host;

	pg_host_on(&host, CurrentMemoryContext);
	SET_VARSIZE(result, allocated_size);
	pg_check(&host, value_write_flat(&host, &expanded->value,
									 VARDATA(result), allocated_size));
}

static const ExpandedObjectMethods expanded_methods = {
	expanded_flat_size,
	expanded_flatten_into
};

/* Objects made so far: tells two apart that had the same address. */
static uint64 value_serial = 0;

ExpandedValue *
value_adopt(MemoryContext context, ValueType type)
{
	ExpandedValue *expanded =
		MemoryContextAllocZero(context, sizeof(ExpandedValue));

	EOH_init_header(&expanded->header, &expanded_methods, context);
	expanded->magic = EXPANDED_VALUE_MAGIC;
	expanded->serial = ++value_serial;
	expanded->value.type = type;
	return expanded;
}

ExpandedValue *
value_begin(GlHost *host, ValueType type, const char *name)
{
	return value_adopt(pg_host_begin(host, name), type);
}

Datum
value_result(ExpandedValue *expanded)
{
	return EOHPGetRWDatum(&expanded->header);
}

Datum
value_final_result(ExpandedValue *expanded)
{
	char	   *pointer = palloc(EXPANDED_POINTER_SIZE);

	memcpy(pointer, expanded->header.eoh_ro_ptr, EXPANDED_POINTER_SIZE);
	return PointerGetDatum(pointer);
}

const GlValue *
value_argument(GlHost *host, ValueType type, Datum datum)
{
	struct varlena *flat;
	GlValue    *value;

	if (VARATT_IS_EXTERNAL_EXPANDED(DatumGetPointer(datum)))
	{
		ExpandedValue *expanded = (ExpandedValue *) DatumGetEOHP(datum);

		if (expanded->magic != EXPANDED_VALUE_MAGIC ||
			expanded->value.type != type)
			elog(ERROR, "expanded object is not a %s value", value_type_name(type));
		return &expanded->value;
	}
	flat = PG_DETOAST_DATUM(datum);
	value = palloc0(sizeof(GlValue));
	pg_check(host, value_view(host, type, (const char *) flat, VARSIZE(flat),
							  value));
	return value;
}

const PointSet *
points_argument(GlHost *host, Datum datum)
{
	return &value_argument(host, VALUE_POINTS, datum)->points;
}

const Graph *
graph_argument(GlHost *host, Datum datum)
{
	return value_graph(value_argument(host, VALUE_GRAPH, datum));
}

const Model *
model_argument(GlHost *host, Datum datum)
{
	return &value_argument(host, VALUE_MODEL, datum)->model;
}

Datum
model_result(GlHost *host, ExpandedValue *expanded, const GlValue *kept,
			 const Model *model)
{
	GlValue    *value = &expanded->value;

	if (kept != NULL)
	{
		Model		rows;

		pg_check(host, value_keep(host, kept, value));
		rows = value->model;
		value->model = *model;
		value->model.row_count = rows.row_count;
		value->model.ids = rows.ids;
	}
	else
		value->model = *model;
	pg_check(host, value_fingerprint(host, value, &value->model.fingerprint));
	return value_result(expanded);
}

/* The wire bytes behind a varlena header. */
static bytea *
value_wire(Datum datum, ValueType type)
{
	GlHost		host;
	MemoryContext arena = pg_host_begin(&host, "graphlearn send");
	const GlValue *value = value_argument(&host, type, datum);
	size_t		bytes;
	bytea	   *wire;

	pg_check(&host, value_wire_size(&host, value, &bytes));
	if (bytes > VALUE_MAX_BYTES)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a %s value of %zu MB is too large to be sent, the limit is %zu MB",
						value_type_name(type), bytes >> 20,
						VALUE_MAX_BYTES >> 20)));
	wire = palloc(VARHDRSZ + bytes);
	SET_VARSIZE(wire, VARHDRSZ + bytes);
	pg_check(&host, value_encode(&host, value,
								 (unsigned char *) VARDATA(wire), bytes));
	MemoryContextDelete(arena);
	return wire;
}

static Datum
value_from_wire(const unsigned char *source, size_t bytes, ValueType type)
{
	GlHost		host;
	ExpandedValue *expanded = value_begin(&host, type, "graphlearn value");

	pg_check(&host, value_decode(&host, type, source, bytes,
								 &expanded->value));
	if (type == VALUE_MODEL)
		model_labels_check(&expanded->value.model);
	return value_result(expanded);
}

static Datum
value_in(FunctionCallInfo fcinfo, ValueType type)
{
	const char *text = PG_GETARG_CSTRING(0);
	size_t		characters = strlen(text);
	size_t		room = base64_decoded_limit(characters);
	unsigned char *wire;
	size_t		bytes;
	GlHost		host;

	pg_host_on(&host, CurrentMemoryContext);
	wire = MemoryContextAllocHuge(CurrentMemoryContext, Max(room, 1));
	if (characters == 0)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s: \"\"",
						value_type_name(type))));
	if (base64_decode(&host, text, characters, wire, room, &bytes) != GL_OK)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_TEXT_REPRESENTATION),
				 errmsg("invalid input syntax for type %s", value_type_name(type)),
				 errdetail("%s.", host.message)));
	return value_from_wire(wire, bytes, type);
}

static Datum
value_out(FunctionCallInfo fcinfo, ValueType type)
{
	bytea	   *wire = value_wire(PG_GETARG_DATUM(0), type);
	size_t		bytes = VARSIZE(wire) - VARHDRSZ;
	size_t		characters;
	char	   *text;
	GlHost		host;

	pg_host_on(&host, CurrentMemoryContext);
	if (!base64_encoded_size(bytes, &characters) || characters >= MaxAllocSize)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a %s value of %zu MB is too large to be printed",
						value_type_name(type), bytes >> 20)));
	text = palloc(characters + 1);
	pg_check(&host, base64_encode(&host, (unsigned char *) VARDATA(wire),
								  bytes, text, characters));
	text[characters] = '\0';
	pfree(wire);
	PG_RETURN_CSTRING(text);
}

static Datum
value_recv(FunctionCallInfo fcinfo, ValueType type)
{
	StringInfo	message = (StringInfo) PG_GETARG_POINTER(0);
	int			bytes = message->len - message->cursor;
	const char *source = pq_getmsgbytes(message, bytes);

	return value_from_wire((const unsigned char *) source, bytes, type);
}

#define DEFINE_TYPE(name, type) \
PG_FUNCTION_INFO_V1(graphlearn_##name##_in); \
Datum \
graphlearn_##name##_in(PG_FUNCTION_ARGS) \
{ \
	return value_in(fcinfo, type); \
} \
\
PG_FUNCTION_INFO_V1(graphlearn_##name##_out); \
Datum \
graphlearn_##name##_out(PG_FUNCTION_ARGS) \
{ \
	return value_out(fcinfo, type); \
} \
\
PG_FUNCTION_INFO_V1(graphlearn_##name##_recv); \
Datum \
graphlearn_##name##_recv(PG_FUNCTION_ARGS) \
{ \
	return value_recv(fcinfo, type); \
} \
\
PG_FUNCTION_INFO_V1(graphlearn_##name##_send); \
Datum \
graphlearn_##name##_send(PG_FUNCTION_ARGS) \
{ \
	PG_RETURN_BYTEA_P(value_wire(PG_GETARG_DATUM(0), type)); \
}

DEFINE_TYPE(points, VALUE_POINTS)
DEFINE_TYPE(graph, VALUE_GRAPH)
DEFINE_TYPE(model, VALUE_MODEL)
