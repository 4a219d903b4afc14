/*
 * checked.h
 *		Size arithmetic that reports overflow instead of wrapping.
 *
 * Every byte count in the core comes from here or from gl_allocate(), which
 * uses it.  Each function returns false, leaving *result untouched, when the
 * exact value does not fit.
 */
#ifndef GL_CHECKED_H
#define GL_CHECKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool
gl_size_multiply(size_t a, size_t b, size_t *result)
{
	size_t		product;

	if (__builtin_mul_overflow(a, b, &product))
		return false;
	*result = product;
	return true;
}

static inline bool
gl_size_add(size_t a, size_t b, size_t *result)
{
	size_t		sum;

	if (__builtin_add_overflow(a, b, &sum))
		return false;
	*result = sum;
	return true;
}

/* Round up to a multiple of 8, the alignment of stored sections. */
static inline bool
gl_size_align8(size_t size, size_t *result)
{
	size_t		padded;

	if (!gl_size_add(size, 7, &padded))
		return false;
	*result = padded & ~(size_t) 7;
	return true;
}

#endif							/* GL_CHECKED_H */
