/*
 * value_codec.c
 *		One engine that writes, views, encodes and decodes every kind of value.
 *
 * Reads:	a GlValue, or bytes that nobody vouches for.
 * Yields:	bytes, or a GlValue.
 *
 * Both directions go through a ValueLayout (value_layout.h).  Writing:
 * describe the value, admit the description, lay it out, copy.  Reading: read
 * the header, admit it, lay it out, compare the length it implies with the
 * bytes at hand, and only then look at, or make room for, a section.  The
 * flat and the wire form differ in byte order and in nothing else, which is
 * why they share every line below.
 *
 * What is admitted, on reading as on writing (so that we never write what we
 * refuse to read):
 *	 V1	magic, version and kind are known, no unknown flag is set
 *	 V2	each header field is within its range, and they agree
 *	 V3	the length is exactly what the header implies
 *	 V4	all padding is zero
 */
#include "codec/value_codec.h"

#include <string.h>

#include "base/checked.h"
#include "codec/byte_reader.h"
#include "codec/byte_writer.h"
#include "codec/value_layout.h"

/* Every kind there is.  A new kind is a new line here and a new file. */
static const ValueKind *const value_kinds[] = {
	&points_dense_kind,
	&graph_sparse_kind,
	&block_graph_kind,
	&model_kind
};

#define VALUE_KIND_COUNT	(sizeof(value_kinds) / sizeof(value_kinds[0]))

/*
 * The kind that holds this value (type is its own), or what it keeps.  A
 * second kind of a type decides here.
 */
static const ValueKind *
kind_of(const GlValue *value, ValueType type)
{
	switch (type)
	{
		case VALUE_POINTS:
			return &points_dense_kind;
		case VALUE_GRAPH:
			return value->storage == STORAGE_BLOCK ? &block_graph_kind :
				&graph_sparse_kind;
		case VALUE_MODEL:
			return &model_kind;
	}
	return NULL;
}

/* "GLPT", "GLGR" and "GLMD" in network order. */
static uint32_t
type_magic(ValueType type)
{
	return type == VALUE_POINTS ? 0x474C5054 :
		type == VALUE_GRAPH ? 0x474C4752 : 0x474C4D44;
}

const char *
value_type_name(ValueType type)
{
	return type == VALUE_POINTS ? "gl_points" :
		type == VALUE_GRAPH ? "gl_graph" : "gl_model";
}

/*
 * The next place for a section; the length word counts for alignment, hence
 * + 4 and - 4.
 */
static bool
align_end(size_t *end)
{
	if (!gl_size_add(*end, VALUE_LENGTH_WORD, end) ||
		!gl_size_align8(*end, end))
		return false;
	*end -= VALUE_LENGTH_WORD;
	return true;
}

/* Where each section lies, what is kept, and the end; false: overflow. */
static bool
place_sections(ValueLayout *layout, size_t end)
{
	const ValueKind *kind = layout->kind;

	for (int i = 0; i < kind->section_count; i++)
	{
		ValueSection *section = &layout->section[i];
		size_t		bytes;

		if (section->count > SIZE_MAX ||
			!gl_size_multiply((size_t) section->count, section->width,
							  &bytes) ||
			!align_end(&end))
			return false;
		section->offset = end;
		if (!gl_size_add(end, bytes, &end))
			return false;
	}
	if (kind->keeps && layout->field[kind->kept_type_field] != 0)
	{
		if (!align_end(&end))
			return false;
		layout->kept_offset = end;
		if (layout->field[kind->kept_bytes_field] > SIZE_MAX ||
			!gl_size_add(end, VALUE_LENGTH_WORD, &end) ||
			!gl_size_add(end, (size_t) layout->field[kind->kept_bytes_field],
						 &end))
			return false;
	}
	if (!align_end(&end))
		return false;
	layout->bytes = end;
	return true;
}

/*
 * V2, then where each section lies and how long the whole is.  fault_status
 * is GL_ERR_CORRUPT for bytes read and GL_ERR_INTERNAL for a value of ours.
 */
static GlStatus
lay_out(GlHost *host, ValueLayout *layout, GlStatus fault_status)
{
	const ValueKind *kind = layout->kind;
	const char *type_name = value_type_name(kind->type);
	const char *fault = NULL;
	size_t		end = VALUE_PREAMBLE;

	if ((layout->flags & ~kind->known_flags) != 0)
		return gl_fail(host, fault_status,
					   "invalid %s value: unknown flags", type_name);
	for (int i = 0; i < kind->field_count; i++)
	{
		const ValueField *field = &kind->fields[i];

		if (layout->field[i] < field->least || layout->field[i] > field->most)
			return gl_fail(host, fault_status,
						   "invalid %s value: %s is out of range",
						   type_name, field->name);
		end += field->width;
	}
	if (!kind->list_sections(layout, &fault))
		return gl_fail(host, fault_status, "invalid %s value: %s",
					   type_name, fault);
	if (!place_sections(layout, end))
		return gl_fail(host, fault_status == GL_ERR_CORRUPT ?
					   GL_ERR_CORRUPT : GL_ERR_TOO_LARGE,
					   "invalid %s value: its length exceeds all memory",
					   type_name);
	return GL_OK;
}

static GlStatus
describe_part(GlHost *host, const GlValue *value, ValueType type,
			  ValueLayout *layout)
{
	layout->kind = kind_of(value, type);
	if (layout->kind == NULL)
		return gl_fail(host, GL_ERR_INTERNAL, "a value has no type");
	if (!layout->kind->describe(value, layout))
		return gl_fail(host, GL_ERR_INTERNAL,
					   "parts of a %s value differ in length",
					   value_type_name(type));
	return GL_OK;
}

static GlStatus
lay_out_part(GlHost *host, ValueLayout *layout)
{
	GL_TRY(lay_out(host, layout, GL_ERR_INTERNAL));
	for (int i = 0; i < layout->kind->section_count; i++)
		if (layout->section[i].count > 0 && layout->section[i].data == NULL)
			return gl_fail(host, GL_ERR_INTERNAL,
						   "a %s value lacks its section %d",
						   value_type_name(layout->kind->type), i);
	return GL_OK;
}

GlStatus
value_lay_out(GlHost *host, const GlValue *value, WholeLayout *whole)
{
	const ValueKind *kind;

	memset(whole, 0, sizeof(*whole));
	GL_TRY(describe_part(host, value, value->type, &whole->own));
	kind = whole->own.kind;
	if (kind->keeps && value->kept_type != 0)
	{
		GL_TRY(describe_part(host, value, value->kept_type, &whole->kept));
		GL_TRY(lay_out_part(host, &whole->kept));
		whole->own.field[kind->kept_type_field] = value->kept_type;
		whole->own.field[kind->kept_bytes_field] = whole->kept.bytes;
	}
	return lay_out_part(host, &whole->own);
}

/* Header and sections; the writer stands at the start of the value. */
static GlStatus
write_part(GlHost *host, const ValueLayout *layout, ByteWriter *writer)
{
	size_t		start = writer->position;

	GL_TRY(byte_writer_number(host, writer, 4,
							  type_magic(layout->kind->type)));
	GL_TRY(byte_writer_number(host, writer, 2, VALUE_FORMAT_VERSION));
	GL_TRY(byte_writer_number(host, writer, 2, layout->kind->number));
	GL_TRY(byte_writer_number(host, writer, 4, layout->flags));
	for (int i = 0; i < layout->kind->field_count; i++)
		GL_TRY(byte_writer_number(host, writer,
								  layout->kind->fields[i].width,
								  layout->field[i]));
	for (int i = 0; i < layout->kind->section_count; i++)
	{
		const ValueSection *section = &layout->section[i];

		GL_TRY(byte_writer_zeros(host, writer, section->offset -
								 (writer->position - start)));
		GL_TRY(byte_writer_array(host, writer, section->width,
								 section->count, section->data));
	}
	return GL_OK;
}

static GlStatus
write_value(GlHost *host, const GlValue *value, void *destination,
			size_t bytes, ByteOrder order)
{
	WholeLayout whole;
	ByteWriter	writer;

	GL_TRY(value_lay_out(host, value, &whole));
	if (bytes != whole.own.bytes)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "%zu bytes of room for a value of %zu", bytes,
					   whole.own.bytes);
	byte_writer_begin(&writer, destination, bytes, order);
	GL_TRY(write_part(host, &whole.own, &writer));
	if (whole.kept.kind != NULL)
	{
		GL_TRY(byte_writer_zeros(host, &writer, whole.own.kept_offset +
								 VALUE_LENGTH_WORD - writer.position));
		GL_TRY(write_part(host, &whole.kept, &writer));
	}
	GL_TRY(byte_writer_zeros(host, &writer, bytes - writer.position));
	return byte_writer_end(host, &writer);
}

GlStatus
value_wire_size(GlHost *host, const GlValue *value, size_t *bytes)
{
	WholeLayout whole;

	*bytes = 0;
	GL_TRY(value_lay_out(host, value, &whole));
	*bytes = whole.own.bytes;
	return GL_OK;
}

GlStatus
value_flat_size(GlHost *host, const GlValue *value, size_t *bytes)
{
	GL_TRY(value_wire_size(host, value, bytes));
	*bytes += VALUE_LENGTH_WORD;	/* lay_out() has seen that it fits */
	return GL_OK;
}

GlStatus
value_write_flat(GlHost *host, const GlValue *value, char *destination,
				 size_t bytes)
{
	if (bytes < VALUE_LENGTH_WORD)
		return gl_fail(host, GL_ERR_INTERNAL, "no room for a value");
	return write_value(host, value, destination, bytes - VALUE_LENGTH_WORD,
					   BYTE_ORDER_HOST);
}

GlStatus
value_encode(GlHost *host, const GlValue *value, unsigned char *destination,
			 size_t bytes)
{
	return write_value(host, value, destination, bytes, BYTE_ORDER_NETWORK);
}

/* V1: what every value begins with. */
static GlStatus
read_preamble(GlHost *host, ValueType type, ByteReader *reader,
			  ValueLayout *layout)
{
	const char *type_name = value_type_name(type);
	uint64_t	magic;
	uint64_t	version;
	uint64_t	number;
	uint64_t	flags;

	GL_TRY(byte_reader_number(host, reader, 4, &magic));
	if (magic != type_magic(type))
		return gl_fail(host, GL_ERR_CORRUPT, "not a %s value", type_name);
	GL_TRY(byte_reader_number(host, reader, 2, &version));
	if (version > VALUE_FORMAT_VERSION)
	{
		gl_fail(host, GL_ERR_DATA,
				"this %s value was written by a newer version of graphlearn (format %d)",
				type_name, (int) version);
		gl_hint(host,
				"This server reads formats up to %d; update graphlearn here.",
				VALUE_FORMAT_VERSION);
		return GL_ERR_DATA;
	}
	if (version < 1)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "invalid %s value: format 0 does not exist",
					   type_name);
	GL_TRY(byte_reader_number(host, reader, 2, &number));
	for (size_t i = 0; i < VALUE_KIND_COUNT; i++)
		if (value_kinds[i]->type == type && value_kinds[i]->number == number)
			layout->kind = value_kinds[i];
	if (layout->kind == NULL)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "invalid %s value: unknown kind %d", type_name,
					   (int) number);
	GL_TRY(byte_reader_number(host, reader, 4, &flags));
	layout->flags = (uint32_t) flags;
	return GL_OK;
}

/* V1-V3: the header, and the length it implies against the bytes at hand. */
static GlStatus
read_header(GlHost *host, ValueType type, ByteReader *reader,
			ValueLayout *layout)
{
	memset(layout, 0, sizeof(*layout));
	GL_TRY(read_preamble(host, type, reader, layout));
	for (int i = 0; i < layout->kind->field_count; i++)
		GL_TRY(byte_reader_number(host, reader,
								  layout->kind->fields[i].width,
								  &layout->field[i]));
	GL_TRY(lay_out(host, layout, GL_ERR_CORRUPT));
	if (layout->bytes != reader->length)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "invalid %s value: it has %zu bytes, its header says %zu",
					   value_type_name(type), reader->length, layout->bytes);
	return GL_OK;
}

/* A section where it lies, or as a copy in host memory. */
static GlStatus
read_section(GlHost *host, ByteReader *reader, ValueSection *section,
			 bool in_place)
{
	void	   *copy;

	if (!section->present)
		return GL_OK;
	if (in_place)
		return byte_reader_view(host, reader, section->width, section->count,
								&section->data);
	copy = gl_allocate(host, (size_t) section->count, section->width);
	if (copy == NULL)
		return host->status;
	section->data = copy;
	return byte_reader_array(host, reader, section->width, section->count,
							 copy);
}

/*
 * Header and sections of one value; *kept reads what it keeps and is empty
 * where it keeps nothing.
 */
static GlStatus
read_part(GlHost *host, ValueType type, ByteReader *reader, bool in_place,
		  ValueLayout *layout, ByteReader *kept)
{
	const ValueKind *kind;
	const void *bytes = NULL;
	size_t		kept_bytes = 0;

	GL_TRY(read_header(host, type, reader, layout));
	kind = layout->kind;
	for (int i = 0; i < kind->section_count; i++)
	{
		ValueSection *section = &layout->section[i];

		GL_TRY(byte_reader_zeros(host, reader,
								 section->offset - reader->position));
		GL_TRY(read_section(host, reader, section, in_place));
	}
	if (layout->kept_offset != 0)
	{
		kept_bytes = (size_t) layout->field[kind->kept_bytes_field];
		GL_TRY(byte_reader_zeros(host, reader, layout->kept_offset +
								 VALUE_LENGTH_WORD - reader->position));
		GL_TRY(byte_reader_view(host, reader, 1, kept_bytes, &bytes));
	}
	byte_reader_begin(kept, value_type_name(type), bytes, kept_bytes,
					  reader->order);
	GL_TRY(byte_reader_zeros(host, reader, layout->bytes - reader->position));
	return byte_reader_end(host, reader);
}

/* Let the value have what was read, and check it. */
static GlStatus
settle_part(GlHost *host, const ValueLayout *layout, bool in_place,
			GlValue *value)
{
	const ValueKind *kind = layout->kind;

	kind->attach(layout, value);
	GL_TRY(kind->check_indices(host, value));
	if (kind->bind != NULL)
		GL_TRY(kind->bind(host, value));
	return in_place ? GL_OK : kind->check_invariants(host, value);
}

static GlStatus
read_value(GlHost *host, ValueType type, ByteReader *reader, bool in_place,
		   GlValue *out)
{
	ValueLayout own;
	ByteReader	kept_reader;
	ByteReader	nothing;

	GL_TRY(read_part(host, type, reader, in_place, &own, &kept_reader));
	out->type = type;
	if (own.kept_offset != 0)
	{
		ValueLayout kept;

		out->kept_type = (ValueType) own.field[own.kind->kept_type_field];
		GL_TRY(read_part(host, out->kept_type, &kept_reader, in_place, &kept,
						 &nothing));
		GL_TRY(settle_part(host, &kept, in_place, out));
	}
	GL_TRY(settle_part(host, &own, in_place, out));
	out->owns_arrays = !in_place;
	return GL_OK;
}

GlStatus
value_view(GlHost *host, ValueType type, const char *start, size_t bytes,
		   GlValue *out)
{
	ByteReader	reader;
	GlStatus	status;

	memset(out, 0, sizeof(*out));
	if ((uintptr_t) start % 8 != 0)
		return gl_fail(host, GL_ERR_INTERNAL,
					   "a stored value is not aligned");
	if (bytes < VALUE_LENGTH_WORD)
		return gl_fail(host, GL_ERR_CORRUPT,
					   "invalid %s value: it has %zu bytes",
					   value_type_name(type), bytes);
	byte_reader_begin(&reader, value_type_name(type),
					  start + VALUE_LENGTH_WORD, bytes - VALUE_LENGTH_WORD,
					  BYTE_ORDER_HOST);
	status = read_value(host, type, &reader, true, out);
	if (status != GL_OK)
		memset(out, 0, sizeof(*out));
	return status;
}

GlStatus
value_decode(GlHost *host, ValueType type, const unsigned char *source,
			 size_t bytes, GlValue *out)
{
	ByteReader	reader;
	GlStatus	status;

	memset(out, 0, sizeof(*out));
	byte_reader_begin(&reader, value_type_name(type), source, bytes,
					  BYTE_ORDER_NETWORK);
	status = read_value(host, type, &reader, false, out);
	if (status != GL_OK)
		memset(out, 0, sizeof(*out));
	return status;
}

/* What bind() derived and what decode() allocated, of a value or its kept. */
static void
release_part(GlHost *host, GlValue *value, ValueType type)
{
	const ValueKind *kind = kind_of(value, type);
	ValueLayout layout = {.kind = kind};

	if (kind == NULL)
		return;
	if (kind->unbind != NULL)
		kind->unbind(host, value);
	if (!value->owns_arrays)
		return;
	/* the description names each array once */
	kind->describe(value, &layout);
	for (int i = 0; i < kind->section_count; i++)
		gl_release(host, layout.section[i].data);
}

void
value_release(GlHost *host, GlValue *value)
{
	if (value->kept_type != 0)
		release_part(host, value, value->kept_type);
	release_part(host, value, value->type);
	gl_release(host, value->image);
	memset(value, 0, sizeof(*value));
}

/*
 * Blocks of a fixed length and no early exit let the compiler unroll and
 * vectorise; the answer is looked at once a block.
 */
#define CHECK_BLOCK		4096

GlStatus
value_check_ids(GlHost *host, ValueType type, const int64_t *ids,
				int64_t count)
{
	int64_t		pair = 0;		/* compares ids[pair] with ids[pair + 1] */

	while (pair < count - 1)
	{
		int64_t		left = count - 1 - pair;
		int64_t		block = left < CHECK_BLOCK ? left : CHECK_BLOCK;
		bool		disorder = false;

		for (int64_t i = pair; i < pair + block; i++)
			disorder |= ids[i] >= ids[i + 1];
		if (disorder)
			return gl_fail(host, GL_ERR_CORRUPT,
						   "invalid %s value: ids are not ascending",
						   value_type_name(type));
		pair += block;
		GL_TRY(gl_work(host, block));
	}
	return GL_OK;
}
