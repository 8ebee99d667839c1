/* Can every reader hold a number? */
#include "base/json.h"

#include <limits.h>
#include <string.h>

#include "base/ascii.h"

/* A number is 0.DIGITS times ten to the power of `magnitude`. */
struct decimal {
	char digits[21]; /* the first significant ones, and a NUL */
	long magnitude;
	int is_integer;
};

static const char *read_mantissa(const char *at, struct decimal *number)
{
	size_t kept = 0;

	for (; *at == '-' || *at == '.' || tr2_ascii_digit(*at); at++) {
		if (*at == '.')
			number->is_integer = 0;
		if (!tr2_ascii_digit(*at))
			continue;
		if (!kept && *at == '0') {
			number->magnitude -= !number->is_integer;
			continue;
		}
		if (kept < sizeof(number->digits) - 1)
			number->digits[kept++] = *at;
		number->magnitude += number->is_integer;
	}
	return at;
}

static void read_exponent(const char *at, struct decimal *number)
{
	int negative = *at == '-';
	long exponent = 0;

	for (at += *at == '-' || *at == '+'; tr2_ascii_digit(*at); at++)
		if (exponent < LONG_MAX / 100)
			exponent = exponent * 10 + (*at - '0');
	number->magnitude += negative ? -exponent : exponent;
	number->is_integer = 0;
}

static int is_below(const struct decimal *number, const char *digits,
		    long magnitude)
{
	if (number->magnitude != magnitude)
		return number->magnitude < magnitude || !*number->digits;
	return strcmp(number->digits, digits) < 0;
}

/* strtod() would not do, because its decimal point depends on the locale. */
int tr2_json_is_in_range(const char *text)
{
	struct decimal number = { "", 0, 1 };
	const char *at = read_mantissa(text, &number);

	if (*at == 'e' || *at == 'E')
		read_exponent(at + 1, &number);
	if (!number.is_integer)
		return is_below(&number, "17976931348623158079", 309);
	return *text == '-' ? is_below(&number, "9223372036854775809", 19)
			    : is_below(&number, "18446744073709551616", 20);
}
