/*
 * real.h - floating-point numbers of a program that has made exceptions fatal,
 * perhaps that of an inexact result, too, or that looks at their flags.
 */
#ifndef TR2_BASE_REAL_H
#define TR2_BASE_REAL_H

#include <stdint.h>
#include <string.h>

/*
 * What calculates stands between these two: all exceptions are masked, and
 * results are rounded as usual. Other CPUs than x86-64 have no fatal ones, or
 * are asked in the same way by nobody.
 */
#ifdef __SSE2_MATH__
static inline unsigned tr2_real_begin(void)
{
	const unsigned state = __builtin_ia32_stmxcsr();

	__builtin_ia32_ldmxcsr(0x1f80); /* as a program begins */
	return state;
}

static inline void tr2_real_end(unsigned state)
{
	__builtin_ia32_ldmxcsr(state);
}
#else
static inline unsigned tr2_real_begin(void)
{
	return 0;
}

static inline void tr2_real_end(unsigned state)
{
	(void)state;
}
#endif

/* Even a comparison raises an exception for some numbers: look at the bits. */
static inline uint64_t tr2_real_bits(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static inline int tr2_real_is_negative(double value)
{
	return tr2_real_bits(value) >> 63 != 0;
}

/* 0 for NaN and for an infinity. */
static inline int tr2_real_is_finite(double value)
{
	return (~tr2_real_bits(value) >> 52 & 0x7ff) != 0;
}

static inline int tr2_real_is_nan(double value)
{
	return !tr2_real_is_finite(value) && tr2_real_bits(value) << 12;
}

/* A volatile number is not calculated earlier or later than here. */
static inline double tr2_real_seconds(uint64_t ns)
{
	const unsigned state = tr2_real_begin();
	const volatile uint64_t number = ns;
	const volatile double seconds = (double)number / 1e9;

	tr2_real_end(state);
	return seconds;
}

#endif
