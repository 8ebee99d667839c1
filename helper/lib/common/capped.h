/* capped.h - sums that stay at the limit of their type. */
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

#endif
