/*
 * feature_arrays.h
 *		The features of a row: an array of any of six number types.
 *
 * Errors name the row by its id, in the host's words; a NULL id means the new
 * row.
 */
#ifndef GRAPHLEARN_FEATURE_ARRAYS_H
#define GRAPHLEARN_FEATURE_ARRAYS_H

#include "pg_host.h"

#include "utils/array.h"

/*
 * How many there are.  22000 for an array of several dimensions or with a
 * NULL in it.
 */
extern int	feature_array_count(const GlHost *host, ArrayType *array,
							   const int64 *id);

/* Copy them: as float4 if that is what the array holds, else as float8. */
extern void feature_array_load(const GlHost *host, ArrayType *array, int count,
							   const int64 *id, void *slot);

/* Copy them as float8, whatever the array holds. */
extern void feature_array_load_float8(const GlHost *host, ArrayType *array,
									  int count, const int64 *id,
									  double *values);

#endif							/* GRAPHLEARN_FEATURE_ARRAYS_H */
