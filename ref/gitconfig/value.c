#include "gitconfig/value.h"

#include <inttypes.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/ascii.h"

#define NONE INTMAX_MIN

static const struct {
	const char *word;
	int truth;
} words[] = {
	{ "", 0 },	{ "true", 1 }, { "yes", 1 }, { "on", 1 },
	{ "false", 0 }, { "no", 0 },   { "off", 0 }, { NULL, 0 },
};

/* The factor of a unit; 0: not a unit. */
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

/*
 * NONE: not an integer, or out of int's range.
 * SPEC: settings.boolean.integer
 */
static intmax_t read_integer(const char *text)
{
	char *end;
	intmax_t value = strtoimax(text, &end, 0), factor = unit_factor(end);

	/* Values beyond intmax_t's limits are read as the limit. */
	if (end == text || !factor || value > INT_MAX / factor ||
	    value < -INT_MAX / factor)
		return NONE;
	return value * factor;
}

int tr2_settings_bool(const char *text)
{
	intmax_t integer = read_integer(text);

	for (size_t i = 0; words[i].word; i++)
		if (tr2_ascii_same_word(text, words[i].word))
			return words[i].truth;
	return integer == NONE ? -1 : integer != 0;
}

int tr2_settings_size(const char *text)
{
	intmax_t size = read_integer(text);

	return size == NONE ? -1 : (int)size;
}

/* SPEC: settings.number, settings.number.range */
int tr2_settings_number(const char *text)
{
	long value = strtol(text, NULL, 10);

	if (value > INT_MAX)
		return INT_MAX;
	return value < INT_MIN ? INT_MIN : (int)value;
}
