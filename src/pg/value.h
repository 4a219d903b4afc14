/*
 * value.h
 *		gl_points, gl_graph and gl_model between SQL and the core.
 *
 * In flight a value is an expanded object: a GlValue and its arrays in a
 * memory context of their own, of any size.  At rest it is flat (value_codec).
 * A function reads an argument with points_argument(), graph_argument() or
 * value_argument(), which take either form, and makes a result with value_begin() ...
 * value_result().
 */
#ifndef GRAPHLEARN_VALUE_H
#define GRAPHLEARN_VALUE_H

#include "pg_host.h"

#include "utils/expandeddatum.h"

#include "codec/value_codec.h"

typedef struct ExpandedValue
{
	ExpandedObjectHeader header;	/* must be first */
	uint32		magic;			/* EXPANDED_VALUE_MAGIC */
	Size		flat_size;		/* 0: not computed yet */
	uint64		serial;			/* of this object in this backend, from 1 */
	GlValue		value;
} ExpandedValue;

/*
 * The value behind a datum: the expanded object's, or a checked view of the
 * flat bytes, whose arrays live in CurrentMemoryContext.  Read-only.
 */
extern const GlValue *value_argument(GlHost *host, ValueType type,
									 Datum datum);
extern const PointSet *points_argument(GlHost *host, Datum datum);
extern const Graph *graph_argument(GlHost *host, Datum datum);
extern const Model *model_argument(GlHost *host, Datum datum);

/*
 * A new, empty value below CurrentMemoryContext; host allocates in the
 * value's own context, so what the core builds there needs no copying.
 */
extern ExpandedValue *value_begin(GlHost *host, ValueType type,
								  const char *name);

/* The same in a context that exists already and becomes the value's. */
extern ExpandedValue *value_adopt(MemoryContext context, ValueType type);

/* What a plain function returns. */
extern Datum value_result(ExpandedValue *expanded);

/*
 * What a learner returns that fits a model: the model, whose arrays the host
 * of value_begin() allocated, with a copy of the graph or points that it
 * needs for new rows (or NULL).  Rows and ids are those of what is kept.
 */
extern Datum model_result(GlHost *host, ExpandedValue *expanded,
						  const GlValue *kept, const Model *model);

/*
 * What a final function returns.  15 flattens any other form of an expanded
 * object: the pointer itself must be a chunk of the current context.
 */
extern Datum value_final_result(ExpandedValue *expanded);

#endif							/* GRAPHLEARN_VALUE_H */
