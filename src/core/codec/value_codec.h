/*
 * value_codec.h
 *		Points, graphs and models as bytes: the one description of the stored
 *		format.
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
 *
 * Common to all functions: GL_ERR_INTERNAL means that our own value, or the
 * room given for it, is impossible; GL_ERR_INTERRUPTED may come from a poll.
 */
#ifndef VALUE_CODEC_H
#define VALUE_CODEC_H

#include "graph/block_graph.h"
#include "graph/sparse_graph.h"
#include "learn/model.h"

#define VALUE_FORMAT_VERSION	1

/*
 * Largest flat value: what base64 text of one row, pg_dump and postgres_fdw
 * can carry.
 */
#define VALUE_MAX_BYTES			((size_t) 700 * 1024 * 1024)

typedef enum ValueType
{
	VALUE_POINTS = 1,
	VALUE_GRAPH = 2,
	VALUE_MODEL = 3
} ValueType;

/* SQL name of a type, for messages. */
extern const char *value_type_name(ValueType type);

/* How a graph is held. */
typedef enum GraphStorage
{
	STORAGE_SPARSE = 0,
	STORAGE_BLOCK
} GraphStorage;

/*
 * A value, ours or decoded.  Which member holds is said by `type`, and for a
 * graph by `storage`.  A model may keep points or a graph (`kept_type`), which
 * are then in the members they would be in if they were the value.  After value_view() and value_decode() of a graph that
 * keeps its points, graph.points points to graph_points of the same struct:
 * such a GlValue is passed by address, never copied by assignment, and is
 * given back by value_release(), not by graph_release().
 */
typedef struct GlValue
{
	ValueType	type;
	ValueType	kept_type;		/* of a model: what it keeps; 0: nothing */
	GraphStorage storage;
	bool		owns_arrays;	/* set by value_decode(), for value_release() */
	PointSet	points;
	SparseGraph sparse;
	BlockGraph	block;
	PointSet	graph_points;
	Model		model;
	char	   *image;			/* where value_keep() put what is kept */
} GlValue;

/* The graph of a value that is or keeps one, however it is held. */
static inline const Graph *
value_graph(const GlValue *value)
{
	return value->storage == STORAGE_BLOCK ? &value->block.graph :
		&value->sparse.graph;
}

/* The rows of what a model keeps (kept_type != 0). */
static inline int64_t
value_kept_row_count(const GlValue *value)
{
	return value->kept_type == VALUE_POINTS ?
		value->points.matrix.row_count : value_graph(value)->node_count;
}

static inline const int64_t *
value_kept_ids(const GlValue *value)
{
	return value->kept_type == VALUE_POINTS ? value->points.ids :
		value_graph(value)->ids;
}

/*
 * Exact number of bytes of the flat form, the 4-byte varlena length word
 * included.  May exceed VALUE_MAX_BYTES; the caller decides.  GL_ERR_TOO_LARGE
 * if no machine can hold it.  O(1), no memory.
 */
extern GlStatus value_flat_size(GlHost *host, const GlValue *value,
								size_t *bytes);

/*
 * Write the flat form behind the 4-byte length word: destination has
 * bytes - 4 bytes and lies 4 bytes behind an 8-byte boundary.  All padding is
 * zeroed.  O(bytes), no memory.
 */
extern GlStatus value_write_flat(GlHost *host, const GlValue *value,
								 char *destination, size_t bytes);

/*
 * Look at a flat form in place: the value's arrays point into `start`, which
 * is 8-byte aligned and includes the length word (ignored here; `bytes` is
 * the truth).  Checks header, length equation and every index that could
 * lead out of bounds (memory safety), not the statistical invariants.
 * GL_ERR_CORRUPT otherwise; GL_ERR_DATA if a newer graphlearn wrote it; *out
 * is then zeroed.  O(rows + entries), no memory but for what a block graph
 * derives (block_graph_bind()).
 */
extern GlStatus value_view(GlHost *host, ValueType type, const char *start,
						   size_t bytes, GlValue *out);

/*
 * The wire form: the flat form without its length word, each number in
 * network order.  O(1) and O(bytes), no memory.
 */
extern GlStatus value_wire_size(GlHost *host, const GlValue *value,
								size_t *bytes);
extern GlStatus value_encode(GlHost *host, const GlValue *value,
							 unsigned char *destination, size_t bytes);

/*
 * Read the wire form into host memory and run every *_check().  Errors as
 * value_view(), and GL_ERR_MEMORY; memory is asked for only after the length
 * equation holds, so never for more than about `bytes`.  O(bytes), and
 * O(entries log entries per row) for a symmetric graph.
 */
extern GlStatus value_decode(GlHost *host, ValueType type,
							 const unsigned char *source, size_t bytes,
							 GlValue *out);

/*
 * Begin a model that keeps a copy of these points or of this graph, in host
 * memory: *out is a value of type VALUE_MODEL, its Model still empty but for
 * rows and ids.  Of a sparse graph what new rows need is kept and its edges
 * are not: the recipe, the points and the scales.  O(bytes) time and memory.
 */
extern GlStatus value_keep(GlHost *host, const GlValue *source, GlValue *out);

/*
 * A number drawn from all of a model but its fingerprint, the same on every
 * machine: two models with one fingerprint are the same for all that chance
 * can do.  GL_ERR_INTERNAL for values that have none.  O(bytes), polled.
 */
extern GlStatus value_fingerprint(GlHost *host, const GlValue *value,
								  uint64_t *fingerprint);

/*
 * The fingerprint in the flat form of a model, which is not looked at
 * otherwise; 0 if the bytes are too few.  O(1).
 */
extern uint64_t value_flat_fingerprint(const char *start, size_t bytes);

/*
 * Give back what value_decode() and value_keep() allocated, and what either
 * derived, and zero the value.
 */
extern void value_release(GlHost *host, GlValue *value);

#endif							/* VALUE_CODEC_H */
