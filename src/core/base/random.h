/*
 * random.h
 *		Our own seeded random numbers: the same stream on every machine.
 *
 * xoshiro256** (Blackman and Vigna, 2018), its state filled by splitmix64
 * from the SQL argument "seed".  Nothing here reads a clock or the server's
 * generator, so a seed fixes every random choice the extension makes.
 */
#ifndef GL_RANDOM_H
#define GL_RANDOM_H

#include <stdint.h>

#include "base/host.h"

typedef struct GlRandom
{
	uint64_t	word[4];
} GlRandom;

extern void gl_random_begin(GlRandom *random, int64_t seed);

/* 64 fresh bits. */
extern uint64_t gl_random_bits(GlRandom *random);

/* Uniform on [0, 1), 53 bits. */
extern double gl_random_unit(GlRandom *random);

/* Uniform on 0 .. limit-1 without bias; limit > 0. */
extern int64_t gl_random_below(GlRandom *random, int64_t limit);

/* Standard normal (Box-Muller, one value a call). */
extern double gl_random_normal(GlRandom *random);

/*
 * Choose count distinct numbers of 0 .. limit-1, ascending, each subset
 * equally likely (selection sampling).  O(limit) time, no
 * memory.  count <= limit.
 */
extern GlStatus gl_random_sample(GlHost *host, GlRandom *random,
								 int64_t limit, int64_t count,
								 int32_t *chosen);

#endif							/* GL_RANDOM_H */
