/*
 * value_layout.h
 *		How a kind of value describes its bytes to the codec, for all uses.
 *
 * Private to src/core/codec.  A kind (dense points, sparse graph, later
 * others) is one ValueKind: a table of header fields with their widths and
 * ranges, and a function that lists the sections the header's counts imply.
 * value_codec.c turns that one description into flat size, flat write, view,
 * wire size, encode, decode and release; no kind reads or writes a byte
 * itself.
 *
 * Offsets here count from the first byte behind the 4-byte length word, so
 * that the flat and the wire form have the same ones.  Every value begins
 *
 *		0	4	magic		of the type
 *		4	2	version		of the format
 *		6	2	kind		number of the ValueKind
 *		8	4	flags		meaning by kind; unknown bits are refused
 *		12	...	fields		of the kind
 *
 * and its sections start at offsets that are 4 modulo 8: multiples of 8 from
 * the start of the varlena.
 *
 * A kind may keep another value (a model its graph), described by its own
 * kind; it lies behind the last section, at the next multiple of 8, with a
 * length word of 0.  What is kept keeps nothing itself.
 */
#ifndef VALUE_LAYOUT_H
#define VALUE_LAYOUT_H

#include <math.h>
#include <string.h>

#include "codec/value_codec.h"

#define VALUE_LENGTH_WORD	((size_t) 4)	/* VARHDRSZ */
#define VALUE_PREAMBLE		((size_t) 12)	/* magic to flags */
#define VALUE_MAX_FIELDS	17
#define VALUE_MAX_SECTIONS	14

typedef struct ValueKind ValueKind;

/* One number of the header; `least` and `most` bound what may be stored. */
typedef struct ValueField
{
	const char *name;			/* for messages */
	uint8_t		width;			/* 1, 2, 4 or 8 bytes */
	uint64_t	least;
	uint64_t	most;
} ValueField;

/* One array; absent optional arrays have count 0 and data NULL. */
typedef struct ValueSection
{
	bool		present;
	uint8_t		width;			/* bytes of an item: 1, 4 or 8 */
	uint64_t	count;
	size_t		offset;			/* set by the codec */
	const void *data;			/* host order, 8-byte aligned */
} ValueSection;

/* The description of one value. */
typedef struct ValueLayout
{
	const ValueKind *kind;
	uint32_t	flags;
	uint64_t	field[VALUE_MAX_FIELDS];	/* doubles as their bits */
	ValueSection section[VALUE_MAX_SECTIONS];
	size_t		kept_offset;	/* of what is kept, its length word included */
	size_t		bytes;			/* of all, without the length word */
} ValueLayout;

struct ValueKind
{
	ValueType	type;
	uint16_t	number;			/* in the header; unique over all types */
	uint32_t	known_flags;
	int			field_count;
	const ValueField *fields;
	int			section_count;

	/* a kind that may keep a value, and the fields the codec fills for it */
	bool		keeps;
	int			kept_type_field;
	int			kept_bytes_field;
	int			fingerprint_field;

	/*
	 * value -> flags, fields and the data of each section.  False if parts of
	 * the value that ought to have one length have two.
	 */
	bool		(*describe) (const GlValue *value, ValueLayout *layout);

	/*
	 * flags and fields (each within its range) -> present, width and count of
	 * each section.  False, with *fault told, if they contradict each other.
	 */
	bool		(*list_sections) (ValueLayout *layout, const char **fault);

	/*
	 * flags, fields and data -> value; cannot fail.  What is kept is attached
	 * already.
	 */
	void		(*attach) (const ValueLayout *layout, GlValue *value);

	/* every index that could lead out of bounds; O(items), polled */
	GlStatus	(*check_indices) (GlHost *host, const GlValue *value);

	/*
	 * what is derived from checked indices, in host memory, and its end; NULL
	 * for a kind that derives nothing
	 */
	GlStatus	(*bind) (GlHost *host, GlValue *value);
	void		(*unbind) (GlHost *host, GlValue *value);

	/* every other invariant of the structures; O(items), polled */
	GlStatus	(*check_invariants) (GlHost *host, const GlValue *value);
};

extern const ValueKind points_dense_kind;	/* points_codec.c */
extern const ValueKind graph_sparse_kind;	/* graph_codec.c */
extern const ValueKind block_graph_kind;	/* block_codec.c */
extern const ValueKind model_kind;	/* model_codec.c */

/* A whole value: its own layout, and that of what it keeps. */
typedef struct WholeLayout
{
	ValueLayout own;
	ValueLayout kept;			/* kind NULL: nothing */
} WholeLayout;

/* The layout of a value of ours. */
extern GlStatus value_lay_out(GlHost *host, const GlValue *value,
							  WholeLayout *whole);

/* GL_ERR_CORRUPT unless ids are strictly ascending.  O(count), polled. */
extern GlStatus value_check_ids(GlHost *host, ValueType type,
								const int64_t *ids, int64_t count);

/* Doubles travel as their bits. */
static inline uint64_t
value_double_bits(double number)
{
	uint64_t	bits;

	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

static inline double
value_bits_double(uint64_t bits)
{
	double		number;

	memcpy(&number, &bits, sizeof(number));
	return number;
}

/* Finite and not negative: a number of a recipe. */
static inline bool
value_is_extent(uint64_t bits)
{
	double		extent = value_bits_double(bits);

	return isfinite(extent) && extent >= 0;
}

static inline void
value_list_section(ValueSection *section, bool present, size_t width,
				   uint64_t count)
{
	section->present = present;
	section->width = (uint8_t) width;
	section->count = present ? count : 0;
}

#endif							/* VALUE_LAYOUT_H */
