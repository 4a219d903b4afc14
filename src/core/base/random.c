/*
 * random.c
 *		xoshiro256**, and the few distributions the learners draw from.
 */
#include "base/random.h"

#include <math.h>

static uint64_t
splitmix64(uint64_t *state)
{
	uint64_t	z = (*state += UINT64_C(0x9E3779B97F4A7C15));

	z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
	return z ^ (z >> 31);
}

void
gl_random_begin(GlRandom *random, int64_t seed)
{
	uint64_t	state = (uint64_t) seed;

	for (int i = 0; i < 4; i++)
		random->word[i] = splitmix64(&state);
}

static uint64_t
rotate_left(uint64_t x, int bits)
{
	return (x << bits) | (x >> (64 - bits));
}

uint64_t
gl_random_bits(GlRandom *random)
{
	uint64_t   *s = random->word;
	uint64_t	result = rotate_left(s[1] * 5, 7) * 9;
	uint64_t	t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

double
gl_random_unit(GlRandom *random)
{
	return (double) (gl_random_bits(random) >> 11) * 0x1.0p-53;
}

int64_t
gl_random_below(GlRandom *random, int64_t limit)
{
	uint64_t	range = (uint64_t) limit;

	/* values below 2^64 mod range would favour small results: redraw */
	uint64_t	unfair = (0 - range) % range;
	uint64_t	bits;

	do
		bits = gl_random_bits(random);
	while (bits < unfair);
	return (int64_t) (bits % range);
}

double
gl_random_normal(GlRandom *random)
{
	double		radius = sqrt(-2.0 * log(1.0 - gl_random_unit(random)));

	return radius * cos(6.283185307179586 * gl_random_unit(random));
}

GlStatus
gl_random_sample(GlHost *host, GlRandom *random, int64_t limit,
				 int64_t count, int32_t *chosen)
{
	int64_t		taken = 0;

	for (int64_t i = 0; i < limit && taken < count; i++)
	{
		GL_TRY(gl_work(host, 1));
		if (gl_random_below(random, limit - i) < count - taken)
			chosen[taken++] = (int32_t) i;
	}
	return GL_OK;
}
