/*
 * distance.c
 *		The kernels of distance.h, compiled once per instruction set.
 *
 * Reads:	nothing but its arguments.
 * Yields:	a constant table of functions per level, chosen at run time.
 *
 * GL_NO_DISPATCH leaves the baseline alone, for compilers or machines where
 * per-function targets do not exist.
 */
#include "points/distance.h"

#include <string.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(GL_NO_DISPATCH)
#define HAVE_AVX2_LEVEL	1
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

#ifdef __clang__
#define UNROLLED		_Pragma("unroll")
#else
#define UNROLLED		_Pragma("GCC unroll 16")
#endif

/* The baseline: four floats, two doubles in a register. */
#define KERNEL(name)	name##_baseline
#define KERNEL_TARGET
#define FLOATS			4
#define DOUBLES			2
#ifdef __SSE2__
#define FLOAT_MASK(v)	_mm_movemask_ps((__m128) (v))
#define FLOAT_MAX(a, b) \
	((KERNEL(Floats)) _mm_max_ps((__m128) (a), (__m128) (b)))
#else
#define FLOAT_MASK(v)	sign_bits((v)[0], (v)[1], (v)[2], (v)[3])
#define FLOAT_MAX(a, b) max_by_choice((a), (b))

static inline int
sign_bits(int32_t a, int32_t b, int32_t c, int32_t d)
{
	return (a != 0) | (b != 0) << 1 | (c != 0) << 2 | (d != 0) << 3;
}

typedef float FourFloats __attribute__((vector_size(16)));
typedef int32_t FourBits __attribute__((vector_size(16)));

static inline FourFloats
max_by_choice(FourFloats a, FourFloats b)
{
	FourBits	first = a > b;

	return (FourFloats) (((FourBits) a & first) | ((FourBits) b & ~first));
}
#endif
#include "points/distance_kernels.h"
#undef KERNEL
#undef KERNEL_TARGET
#undef FLOATS
#undef DOUBLES
#undef FLOAT_MASK
#undef FLOAT_MAX

#ifdef HAVE_AVX2_LEVEL
#define KERNEL(name)	name##_avx2
#define KERNEL_TARGET	__attribute__((target("avx2")))
#define FLOATS			8
#define DOUBLES			4
#define FLOAT_MASK(v)	_mm256_movemask_ps((__m256) (v))
#define FLOAT_MAX(a, b) \
	((KERNEL(Floats)) _mm256_max_ps((__m256) (a), (__m256) (b)))
#include "points/distance_kernels.h"
#endif

bool
distance_level_supported(DistanceLevel level)
{
	if (level == DISTANCE_BASELINE)
		return true;
#ifdef HAVE_AVX2_LEVEL
	return level == DISTANCE_AVX2 && __builtin_cpu_supports("avx2");
#else
	return false;
#endif
}

const DistanceKernels *
distance_kernels_at(DistanceLevel level)
{
#ifdef HAVE_AVX2_LEVEL
	if (level == DISTANCE_AVX2)
		return &kernels_avx2;
#endif
	(void) level;
	return &kernels_baseline;
}

const DistanceKernels *
distance_kernels(void)
{
	if (distance_level_supported(DISTANCE_AVX2))
		return distance_kernels_at(DISTANCE_AVX2);
	return distance_kernels_at(DISTANCE_BASELINE);
}
