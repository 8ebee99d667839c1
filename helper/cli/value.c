#include "cli/options_part.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/near.h"

#define SECOND INT64_C(1000000)

const char TR2_CLI_TOLD[] = "";

/* Only digits: strtoull() alone also accepts blanks and signs. */
static bool read_digits(const char *text, uint64_t *number, char **end)
{
	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoull(text, end, 10);
	return !errno;
}

static bool read_number(const char *text, uint64_t *number)
{
	char *end;

	return read_digits(text, number, &end) && !*end;
}

/* Returns how far the letter after a number shifts it, or -1. */
static int find_shift(const char *unit)
{
	static const char units[] = "kKmMgG";
	const char *found = *unit ? strchr(units, *unit) : NULL;

	if (!*unit)
		return 0;
	return found && !unit[1] ? 10 * (int)((found - units) / 2 + 1) : -1;
}

static bool read_size(const char *text, uint64_t *size)
{
	uint64_t number;
	char *end;
	int shift;

	if (!read_digits(text, &number, &end))
		return false;
	shift = find_shift(end);
	if (shift < 0 || number > UINT64_MAX >> shift)
		return false;
	*size = number << shift;
	return true;
}

bool tr2_cli_read_duration(const char *text, int64_t *us)
{
	static const struct {
		const char *name;
		int64_t us;
	} units[] = { { "us", 1 },
		      { "ms", 1000 },
		      { "s", SECOND },
		      { "min", 60 * SECOND },
		      { "h", 3600 * SECOND },
		      { "d", 86400 * SECOND } };
	char *end;
	double value;
	size_t i;

	if (*text < '0' || *text > '9')
		return false;
	value = strtod(text, &end);
	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].name) &&
		    value * (double)units[i].us < 1e18) {
			*us = (int64_t)(value * (double)units[i].us + 0.5);
			return true;
		}
	return false;
}

static void store_number(const struct tr2_cli_option *option, void *place,
			 uint64_t number)
{
	if (option->size == sizeof(unsigned))
		*(unsigned *)place = (unsigned)number;
	else if (option->size == sizeof(unsigned long))
		*(unsigned long *)place = (unsigned long)number;
	else
		*(uint64_t *)place = number;
}

static bool take_number(const struct tr2_cli_option *option, void *place,
			const char *value)
{
	uint64_t number;

	if (!read_number(value, &number) || number < option->least ||
	    number > option->most)
		return false;
	store_number(option, place, number);
	return true;
}

static bool take_size(const struct tr2_cli_option *option, void *place,
		      const char *value)
{
	uint64_t size;

	if (!read_size(value, &size) || size < option->least ||
	    size > option->most || (option->step && size % option->step))
		return false;
	store_number(option, place, size);
	return true;
}

static bool take_word(const struct tr2_cli_option *option, void *place,
		      const char *value)
{
	const int number = tr2_near_index(option->words, value);

	if (number >= 0)
		*(unsigned *)place = (unsigned)option->least + (unsigned)number;
	return number >= 0;
}

/* False: the value is not what the option needs. */
static bool take_plain(const struct tr2_cli_option *option, void *place,
		       char *value)
{
	switch (option->kind) {
	case TR2_CLI_IS_NUMBER:
		return take_number(option, place, value);
	case TR2_CLI_IS_SIZE:
		return take_size(option, place, value);
	case TR2_CLI_IS_DURATION:
		return tr2_cli_read_duration(value, place);
	case TR2_CLI_IS_WORD:
		return take_word(option, place, value);
	case TR2_CLI_IS_FLAG:
		*(bool *)place = true;
		return true;
	case TR2_CLI_IS_TEXT:
	case TR2_CLI_IS_PATH:
		*(const char **)place = value;
		return *value || option->kind == TR2_CLI_IS_TEXT;
	case TR2_CLI_IS_HEADING:
	case TR2_CLI_IS_SET:
	case TR2_CLI_IS_LIST:
		break;
	}
	return false;
}

static int set_value(const struct tr2_cli_given *given, void *into, char *value)
{
	const struct tr2_cli_option *option = given->option;
	const char *needs;

	if (option->words && !(option->may_lack && !*value) &&
	    !(option->may_count && *value >= '0' && *value <= '9') &&
	    tr2_near_index(option->words, value) < 0)
		return tr2_cli_refuse_value(given, NULL, value);
	needs = option->set(into, value);
	if (!needs)
		return TR2_CLI_GO_ON;
	return needs == TR2_CLI_TOLD
		       ? EXIT_USAGE
		       : tr2_cli_refuse_value(given, needs, value);
}

static int take_list(const struct tr2_cli_given *given, void *into, char *value)
{
	int code = TR2_CLI_GO_ON;
	char *comma;

	given->option->set(into, NULL);
	for (; value && code == TR2_CLI_GO_ON; value = comma) {
		comma = strchr(value, ',');
		if (comma)
			*comma++ = '\0';
		code = set_value(given, into, value);
	}
	return code;
}

int tr2_cli_take(const struct tr2_cli_given *given, void *into, char *value)
{
	const struct tr2_cli_option *option = given->option;
	void *place = (char *)into + option->offset;

	if (option->kind == TR2_CLI_IS_LIST)
		return take_list(given, into, value);
	if (option->kind == TR2_CLI_IS_SET)
		return set_value(given, place, value);
	if (take_plain(option, place, value))
		return TR2_CLI_GO_ON;
	return tr2_cli_refuse_value(given, NULL, value);
}
