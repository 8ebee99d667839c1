/* Numbers by their bits, against the C library's arithmetic. */
#include "base/real.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kit/tap.h"

#define TIMES 20000

static double of_bits(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

/* xorshift: the same numbers each time. */
static uint64_t next_random(void)
{
	static uint64_t state = 88172645463325252u;

	state ^= state << 13;
	state ^= state >> 7;
	return state ^= state << 17;
}

static void test_kinds(void)
{
	const double signals = of_bits(UINT64_C(0x7ff0000000000001));

	feclearexcept(FE_ALL_EXCEPT);
	tap_ok(!tr2_real_is_finite(signals) && tr2_real_is_nan(signals),
	       "a NaN that signals is one");
	tap_ok(!tr2_real_is_finite(HUGE_VAL) && !tr2_real_is_nan(HUGE_VAL),
	       "an infinity is none");
	tap_ok(tr2_real_is_finite(of_bits(1)) && !tr2_real_is_nan(of_bits(1)),
	       "the smallest number is finite");
	tap_ok(tr2_real_is_negative(-0.0) && !tr2_real_is_negative(0.0),
	       "0 has a sign");
	tap_int(fetestexcept(FE_ALL_EXCEPT), 0,
		"what a number is raises nothing");
}

static int are_seconds(uint64_t ns)
{
	const double seconds = tr2_real_seconds(ns);

	if (seconds == (double)ns / 1e9)
		return 1;
	printf("# %llu ns: %a\n", (unsigned long long)ns, seconds);
	return 0;
}

static void test_seconds(void)
{
	int i, same = 1;

	for (i = 0; i < TIMES; i++)
		same &= are_seconds((next_random() >> 11) >> i % 53);
	tap_ok(same, "seconds are what a division makes");
	tap_ok(are_seconds(0) && are_seconds(1) && are_seconds(500000000) &&
		       are_seconds((uint64_t)1 << 53),
	       "at their ends, too");
	tap_ok(tr2_real_seconds(UINT64_MAX) == 0x1.12e0be826d695p+34,
	       "the most there is");
	feclearexcept(FE_ALL_EXCEPT);
	tap_ok(tr2_real_seconds(333333333) > 0.333, "a third of a second");
	tap_int(fetestexcept(FE_ALL_EXCEPT), 0, "nor does a division");
}

/* Is the text of so many digits judged as strtod(3) does it? */
static int is_judged(double value, int digits)
{
	char text[40];
	const int is_same =
		snprintf(text, sizeof(text), "%.*g", digits, value) > 0 &&
		strtod(text, NULL) == value;

	if (tr2_real_is_text(value, text) == is_same)
		return 1;
	printf("# %a: %s, %d digits\n", value, text, digits);
	return 0;
}

static int are_judged(double value)
{
	return is_judged(value, 15) & is_judged(value, 16) &
	       is_judged(value, 17) & is_judged(value, 3);
}

static void test_texts(void)
{
	int i, same = 1;
	double value;

	for (i = 0; i < TIMES; i++) {
		value = of_bits(next_random() >> 1);
		same &= !tr2_real_is_finite(value) || are_judged(value);
		same &= are_judged((double)(next_random() >> 11) / 1e9);
	}
	tap_ok(same, "numbers at random, and times");
	for (i = 0; i < 2046; i++) {
		value = of_bits((uint64_t)i << 52);
		same &= are_judged(value) && are_judged(-value) &&
			are_judged(of_bits(((uint64_t)i << 52) + 1)) &&
			are_judged(of_bits(((uint64_t)(i + 1) << 52) - 1));
	}
	tap_ok(same, "each power of two, and its neighbours");
}

/* Halves between two numbers that are whole. */
static void test_halves(void)
{
	tap_ok(tr2_real_is_text(0x1p53, "9007199254740993"),
	       "a half belongs to the even number");
	tap_ok(!tr2_real_is_text(0x1p53 + 2, "9007199254740993"),
	       "and not to the odd one");
	tap_ok(tr2_real_is_text(0x1p54, "18014398509481983"),
	       "below a power of two it is nearer");
	tap_ok(!tr2_real_is_text(0x1p54, "18014398509481982"),
	       "and what is farther is not that number");
	tap_ok(tr2_real_is_text(0.5, "0,5"), "a locale has its own point");
	feclearexcept(FE_ALL_EXCEPT);
	tap_ok(tr2_real_is_text(0.1, "0.1"), "a tenth");
	tap_int(fetestexcept(FE_ALL_EXCEPT), 0, "nor does a text");
}

int main(void)
{
	if (FLT_EVAL_METHOD) {
		tap_skip("numbers by their bits",
			 "this processor calculates with more of them");
		return tap_done();
	}
	tap_run(test_kinds, test_seconds, test_texts, test_halves);
	return tap_done();
}
