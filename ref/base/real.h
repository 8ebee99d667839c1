/*
 * real.h - floating-point numbers by their bits. A program may have made its
 * exceptions fatal, that of an inexact result too, and may look at their
 * flags, so nothing here calculates with them.
 */
#ifndef TR2_BASE_REAL_H
#define TR2_BASE_REAL_H

#include <stdint.h>

/* 0 for NaN, also for one that signals, and for an infinity. */
int tr2_real_is_finite(double value);
int tr2_real_is_nan(double value);
int tr2_real_is_negative(double value);

/* The number that is nearest to ns / 1e9. */
double tr2_real_seconds(uint64_t ns);

/*
 * Would strtod(3) make `value`, which is finite, of this text? The text has at
 * most 19 digits, as printf(3) writes them in any locale. The sign does not
 * count.
 */
int tr2_real_is_text(double value, const char *text);

#endif
