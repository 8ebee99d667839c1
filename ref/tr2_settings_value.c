#include "tr2_settings_value.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>

#include "tr2_ascii.h"

static const struct {
	const char *word;
	int truth;
} words[] = {
	{ "", 0 },	{ "true", 1 }, { "yes", 1 }, { "on", 1 },
	{ "false", 0 }, { "no", 0 },   { "off", 0 },
};

/* What a unit multiplies by; 0: it's none. */
static intmax_t unit_factor(const char *unit)
{
	if (!*unit)
		return 1;
	if (unit[1])
		return 0;
	switch (tr2_ascii_fold(*unit)) {
	case 'k':
		return 1 << 10;
	case 'm':
		return 1 << 20;
	case 'g':
		return 1 << 30;
	default:
		return 0;
	}
}

/* SPEC: settings.boolean.integer */
static int read_integer(const char *text, int *integer)
{
	char *end;
	intmax_t value, factor;

	errno = 0;
	value = strtoimax(text, &end, 0);
	factor = unit_factor(end);
	if (end == text || errno || !factor || value > INT_MAX / factor ||
	    value < -INT_MAX / factor)
		return -1;
	*integer = (int)(value * factor);
	return 0;
}

int tr2_settings_bool(const char *text)
{
	int integer;
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (tr2_ascii_same_word(text, words[i].word))
			return words[i].truth;
	return read_integer(text, &integer) ? -1 : integer != 0;
}

int tr2_settings_size(const char *text)
{
	int size;

	return read_integer(text, &size) ? -1 : size;
}

/* SPEC: settings.number */
int tr2_settings_number(const char *text)
{
	long value = strtol(text, NULL, 10);

	if (value > INT_MAX)
		return INT_MAX;
	return value < INT_MIN ? INT_MIN : (int)value;
}
