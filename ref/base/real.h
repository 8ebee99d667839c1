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
 * results are rounded as usual. On other CPUs than x86 nothing is done.
 */
struct tr2_real_state {
	uint32_t words[7];
};

static inline struct tr2_real_state tr2_real_begin(void)
{
	struct tr2_real_state state = { { 0 } };

#if defined(__SSE2_MATH__)
	state.words[0] = __builtin_ia32_stmxcsr();
	__builtin_ia32_ldmxcsr(0x1f80); /* as a program begins */
#elif defined(__i386__)
	const uint16_t control = 0x37f;

	__asm__ volatile("fnstenv %0\n\tfldcw %1" : "=m"(state) : "m"(control));
#endif
	return state;
}

static inline void tr2_real_end(struct tr2_real_state state)
{
#if defined(__SSE2_MATH__)
	__builtin_ia32_ldmxcsr(state.words[0]);
#elif defined(__i386__)
	__asm__ volatile("fldenv %0" : : "m"(state));
#else
	(void)state;
#endif
}

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
	const struct tr2_real_state state = tr2_real_begin();
	const volatile uint64_t number = ns;
	const volatile double seconds = (double)number / 1e9;

	tr2_real_end(state);
	return seconds;
}

#endif
