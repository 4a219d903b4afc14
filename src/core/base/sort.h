/*
 * sort.h
 *		Deterministic ordering of large arrays.
 */
#ifndef GL_SORT_H
#define GL_SORT_H

#include <stdint.h>

#include "base/host.h"

/*
 * The stable ascending order of 64-bit keys: order[r] is the position of the
 * r-th smallest key, equal keys by position.  Radix sort, O(count) time for
 * the bytes in which keys differ, 32 bytes of scratch per key.
 */
extern GlStatus gl_sort_order(GlHost *host, const int64_t *keys,
							  int64_t count, int32_t *order);

/* A real number as a key of the same order; -0.0 sorts as 0.0, NaN is barred. */
extern int64_t gl_sort_key(double value);

#endif							/* GL_SORT_H */
