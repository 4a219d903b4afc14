/*
 * value_codec.h
 *		Points and graphs as bytes: the one description of the stored format.
 *
 * A value is a fixed header followed by 8-byte aligned sections whose lengths
 * follow from the header's counts, so its total length is one exact equation.
 * The same description serves four uses: the flat form on disk (host byte
 * order, read in place), the wire form of send/recv (network order), the text
 * form (base64 of the wire form) and the length of either.
 *
 * Everything that turns bytes into a value goes through value_view() or
 * value_decode(); both check before they believe.  docs/format.md is the
 * prose version of this file.
 */
#ifndef VALUE_CODEC_H
#define VALUE_CODEC_H

#include "graph/sparse_graph.h"

#define VALUE_FORMAT_VERSION	1

/*
 * Largest flat value: what base64 text of one row, pg_dump and postgres_fdw
 * can carry.
 */
#define VALUE_MAX_BYTES			((size_t) 700 * 1024 * 1024)

typedef enum ValueType
{
	VALUE_POINTS = 1,
	VALUE_GRAPH = 2
} ValueType;

/* A decoded value.  Which member holds is said by `type`. */
typedef struct GlValue
{
	ValueType	type;
	PointSet	points;
	SparseGraph sparse;
	PointSet	graph_points;	/* what sparse.graph.points points to, if kept */
} GlValue;

/*
 * Exact number of bytes of the flat form, the 4-byte varlena length word
 * included.  May exceed VALUE_MAX_BYTES; the caller decides.
 */
extern GlStatus value_flat_size(GlHost *host, const GlValue *value,
								size_t *bytes);

/*
 * Write the flat form behind the 4-byte length word: destination has
 * bytes - 4 bytes and lies 4 bytes behind an 8-byte boundary.  All padding is
 * zeroed.
 */
extern GlStatus value_write_flat(GlHost *host, const GlValue *value,
								 char *destination, size_t bytes);

/*
 * Look at a flat form in place: the value's arrays point into `start`, which
 * is 8-byte aligned and includes the length word (ignored here; `bytes` is
 * the truth).  Checks header, length equation and every index that could
 * lead out of bounds (memory safety), not the statistical invariants.
 * GL_ERR_CORRUPT otherwise.
 */
extern GlStatus value_view(GlHost *host, ValueType type, const char *start,
						   size_t bytes, GlValue *out);

/* The wire form: same fields and sections in network order, no length word. */
extern GlStatus value_wire_size(GlHost *host, const GlValue *value,
								size_t *bytes);
extern GlStatus value_encode(GlHost *host, const GlValue *value,
							 unsigned char *destination, size_t bytes);

/* Read the wire form into host memory and run every *_check(). */
extern GlStatus value_decode(GlHost *host, ValueType type,
							 const unsigned char *source, size_t bytes,
							 GlValue *out);

extern void value_release(GlHost *host, GlValue *value);

#endif							/* VALUE_CODEC_H */
