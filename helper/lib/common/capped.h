/* capped.h - sums that stay at the limit of their type; limits of others. */
#ifndef TR2_COMMON_CAPPED_H
#define TR2_COMMON_CAPPED_H

#include <stdint.h>

static inline int64_t tr2_capped_add(int64_t a, int64_t b)
{
	if (b > 0 && a > INT64_MAX - b)
		return INT64_MAX;
	if (b < 0 && a < INT64_MIN - b)
		return INT64_MIN;
	return a + b;
}

static inline int64_t tr2_least(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

static inline int64_t tr2_most(int64_t one, int64_t other)
{
	return one > other ? one : other;
}

#endif
