#include "base/real.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"

#define FRACTION_BITS 52
#define FRACTION ((UINT64_C(1) << FRACTION_BITS) - 1)
#define BIAS 1023

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static unsigned exponent_of(uint64_t bits)
{
	return bits >> FRACTION_BITS & 0x7ff;
}

int tr2_real_is_finite(double value)
{
	return exponent_of(bits_of(value)) != 0x7ff;
}

int tr2_real_is_nan(double value)
{
	return !tr2_real_is_finite(value) && bits_of(value) & FRACTION;
}

int tr2_real_is_negative(double value)
{
	return bits_of(value) >> 63 != 0;
}

#define SECOND UINT64_C(1000000000)

/* A division on paper until there is one bit more than a number has. */
double tr2_real_seconds(uint64_t ns)
{
	uint64_t bits = ns / SECOND, rest = ns % SECOND;
	uint64_t exponent = BIAS + FRACTION_BITS + 1;
	double value;

	for (; ns && !(bits >> (FRACTION_BITS + 1)); exponent--) {
		rest <<= 1;
		bits = bits << 1 | (rest >= SECOND);
		rest -= rest >= SECOND ? SECOND : 0;
	}
	/* A half is rounded to the even number; a carry is the next exponent. */
	bits = (bits >> 1) + (bits & 1 && (rest || bits & 2));
	bits = ns ? ((exponent - 1) << FRACTION_BITS) + bits : 0;
	memcpy(&value, &bits, sizeof(value));
	return value;
}

/*
 * Whole numbers of any size: none of those below has more than 1,127 bits.
 */
struct whole {
	uint32_t word[36];
	unsigned used;
};

static void multiply_whole(struct whole *number, uint32_t factor)
{
	uint64_t carry = 0;
	unsigned i;

	for (i = 0; i < number->used; i++) {
		carry += (uint64_t)number->word[i] * factor;
		number->word[i] = (uint32_t)carry;
		carry >>= 32;
	}
	if (carry)
		number->word[number->used++] = (uint32_t)carry;
}

/* number * 2^twos * 10^tens; what is below 0 counts as 0. */
static struct whole make_whole(uint64_t number, int twos, int tens)
{
	struct whole made = { { (uint32_t)number, (uint32_t)(number >> 32) },
			      2 };

	for (; tens >= 9; tens -= 9)
		multiply_whole(&made, 1000000000);
	for (; tens > 0; tens--)
		multiply_whole(&made, 10);
	for (; twos >= 31; twos -= 31)
		multiply_whole(&made, UINT32_C(1) << 31);
	if (twos > 0)
		multiply_whole(&made, UINT32_C(1) << twos);
	while (made.used && !made.word[made.used - 1])
		made.used--;
	return made;
}

/* Below 0, 0 or above 0, as memcmp(3). */
static int compare_wholes(const struct whole *one, const struct whole *other)
{
	unsigned i = one->used;

	if (one->used != other->used)
		return one->used < other->used ? -1 : 1;
	while (i--)
		if (one->word[i] != other->word[i])
			return one->word[i] < other->word[i] ? -1 : 1;
	return 0;
}

/* `one` is not below `other`. */
static struct whole subtract_whole(const struct whole *one,
				   const struct whole *other)
{
	struct whole rest = *one;
	int64_t borrow = 0;
	unsigned i;

	for (i = 0; i < rest.used; i++) {
		borrow += rest.word[i];
		borrow -= i < other->used ? other->word[i] : 0;
		rest.word[i] = (uint32_t)borrow;
		borrow >>= 32;
	}
	while (rest.used && !rest.word[rest.used - 1])
		rest.used--;
	return rest;
}

/* The text is digits * 10^tens. */
static uint64_t read_text(const char *text, int *tens)
{
	uint64_t digits = 0;
	int is_fraction = 0;

	*tens = 0;
	for (; *text && *text != 'e'; text++) {
		if (!tr2_ascii_digit(*text)) {
			is_fraction |= *text != '-';
			continue;
		}
		digits = digits * 10 + (uint64_t)(*text - '0');
		*tens -= is_fraction;
	}
	if (*text)
		*tens += (int)strtol(text + 1, NULL, 10);
	return digits;
}

/*
 * Is the text nearer to the number than half of the way to the next one? Both,
 * and the half, are multiplied until they are whole. Below a power of two the
 * next number is half as far.
 */
int tr2_real_is_text(double value, const char *text)
{
	const unsigned exponent = exponent_of(bits_of(value));
	const uint64_t fraction = bits_of(value) & FRACTION;
	const uint64_t number = fraction | (uint64_t)(exponent != 0)
						   << FRACTION_BITS;
	const int twos =
		(int)(exponent ? exponent : 1) - BIAS - FRACTION_BITS - 1;
	struct whole read, real, half, apart;
	int tens, order;
	const uint64_t digits = read_text(text, &tens);

	read = make_whole(digits, -twos, tens);
	real = make_whole(2 * number, twos, -tens);
	half = make_whole(1, twos, -tens);
	order = compare_wholes(&read, &real);
	apart = order < 0 ? subtract_whole(&real, &read)
			  : subtract_whole(&read, &real);
	if (order < 0 && !fraction && exponent > 1)
		multiply_whole(&apart, 2);
	order = compare_wholes(&apart, &half);
	return order < 0 || (!order && !(number & 1));
}
