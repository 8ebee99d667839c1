#include "cli/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/near.h"
#include "cli/options_part.h"

#define SECOND INT64_C(1000000)

const char TR2_CLI_TOLD[] = "";

/* Returns how far the letter after a number shifts it, or -1. */
static int find_shift(const char *unit)
{
	static const char units[] = "kKmMgG";
	const char *found = *unit ? strchr(units, *unit) : NULL;

	if (!*unit)
		return 0;
	return found && !unit[1] ? 10 * (int)((found - units) / 2 + 1) : -1;
}

/* Only digits, and a unit: strtoull() alone also accepts blanks and signs. */
static bool read_number(const char *text, bool has_unit, uint64_t *number)
{
	char *end;
	int shift;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	*number = strtoull(text, &end, 10);
	shift = has_unit ? find_shift(end) : *end ? -1 : 0;
	if (errno || shift < 0 || *number > UINT64_MAX >> shift)
		return false;
	*number <<= shift;
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

	if (*text < '0' || *text > '9')
		return false;
	value = strtod(text, &end);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (!strcmp(end, units[i].name) &&
		    value * (double)units[i].us < 1e18) {
			*us = (int64_t)(value * (double)units[i].us + 0.5);
			return true;
		}
	return false;
}

static bool take_number(const struct tr2_cli_option *option, void *place,
			const char *value)
{
	uint64_t number;

	if (!read_number(value, option->kind == TR2_CLI_IS_SIZE, &number) ||
	    number < option->least || number > option->most ||
	    (option->step && number % option->step))
		return false;
	if (option->size == sizeof(unsigned))
		*(unsigned *)place = (unsigned)number;
	else if (option->size == sizeof(unsigned long))
		*(unsigned long *)place = (unsigned long)number;
	else
		*(uint64_t *)place = number;
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
	case TR2_CLI_IS_SIZE:
		return take_number(option, place, value);
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

/* TR2_CLI_GO_ON, or EXIT_USAGE after a message. */
static int take_value(const struct tr2_cli_given *given, void *into,
		      char *value)
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

#define HELP "help"
#define LISTING "list-options" /* for completion; shown nowhere */

/* Where the reading is. */
struct reading {
	const struct tr2_cli *cli;
	void *into;
	char **next; /* the argument after the present one */
	bool helps;  /* --help was given */
};

const char *tr2_cli_program = "trace2";

static int note_help(struct reading *reading)
{
	reading->helps = true;
	return TR2_CLI_GO_ON;
}

/* `value` is what follows in the same argument, or NULL. */
static int take_option(struct reading *reading,
		       const struct tr2_cli_given *given, char *value)
{
	static char none[] = "";

	if (!given->option->value && value)
		return tr2_cli_refuse_value(given, NULL, value);
	if (!value && (!given->option->value || given->option->may_lack))
		value = none;
	if (!value && !*reading->next)
		return tr2_cli_refuse_value(given, NULL, NULL);
	return take_value(given, reading->into,
			  value ? value : *reading->next++);
}

static const struct tr2_cli_option help = { .name = HELP };

/* NULL: no option has this name, or several begin so. */
static const struct tr2_cli_option *find_option(const struct tr2_cli *cli,
						const char *name, size_t len)
{
	const struct tr2_cli_option *option, *found = NULL;
	unsigned count = 0;

	if (!len)
		return NULL;
	for (option = cli->options; option->name; option++) {
		if (strncmp(option->name, name, len) != 0)
			continue;
		if (!option->name[len])
			return option;
		found = option;
		count++;
	}
	if (!strncmp(HELP, name, len)) {
		found = &help;
		count = len < strlen(HELP) ? count + 1 : 1;
	}
	return count == 1 ? found : NULL;
}

/* An argument that begins with `--`. */
static int read_name(struct reading *reading, char *argument)
{
	char *name = argument + 2, *equals = strchr(name, '=');
	const size_t len = equals ? (size_t)(equals - name) : strlen(name);
	const struct tr2_cli_given given = {
		.cli = reading->cli,
		.option = find_option(reading->cli, name, len),
	};

	if (!strcmp(name, LISTING)) {
		tr2_cli_list_options(reading->cli);
		return EXIT_CLEAN;
	}
	if (!given.option)
		return tr2_cli_refuse_name(reading->cli, NULL, argument);
	if (given.option == &help && !equals)
		return note_help(reading);
	return take_option(reading, &given, equals ? equals + 1 : NULL);
}

static const struct tr2_cli_option *find_letter(const struct tr2_cli *cli,
						char letter)
{
	const struct tr2_cli_option *option = cli->options;

	while (option->name && option->letter != letter)
		option++;
	return option->name ? option : NULL;
}

/* An argument that begins with one `-`: letters, until one has a value. */
static int read_letters(struct reading *reading, char *letters)
{
	struct tr2_cli_given given = { .cli = reading->cli };
	char shown[] = "-?";
	int code = TR2_CLI_GO_ON;

	for (letters++; *letters && code == TR2_CLI_GO_ON; letters++) {
		shown[1] = given.letter = *letters;
		given.option = find_letter(reading->cli, *letters);
		if (!given.option && *letters != 'h')
			return tr2_cli_refuse_name(reading->cli, NULL, shown);
		if (given.option && given.option->value)
			return take_option(reading, &given,
					   letters[1] ? letters + 1 : NULL);
		code = given.option ? take_option(reading, &given, NULL)
				    : note_help(reading);
	}
	return code;
}

static int count_words(char **words)
{
	int count = 0;

	while (words[count])
		count++;
	return count;
}

static int check_arguments(const struct tr2_cli *cli, char **arguments)
{
	const int count = count_words(arguments);
	char text[256];

	if (count && cli->has_none)
		return tr2_cli_refuse_argument(cli, *arguments);
	if (cli->most && count > cli->most)
		return tr2_cli_refuse_argument(cli, arguments[cli->most]);
	if (count >= cli->least)
		return TR2_CLI_GO_ON;
	snprintf(text, sizeof(text), "expected %s", cli->wants);
	return tr2_cli_refuse(cli, text, NULL);
}

static int end_reading(const struct reading *reading, char **arguments)
{
	if (!reading->helps)
		return check_arguments(reading->cli, arguments);
	tr2_cli_print_help(reading->cli);
	return EXIT_CLEAN;
}

int tr2_cli_read(const struct tr2_cli *cli, void *into, char **argv)
{
	struct reading reading = { cli, into, argv + 1, false };
	char **rest = argv + 1, *word;
	int code = TR2_CLI_GO_ON;

	while (*reading.next && code == TR2_CLI_GO_ON) {
		word = *reading.next;
		if (cli->stops && (*word != '-' || !word[1]))
			break;
		reading.next++;
		if (*word != '-' || !word[1])
			*rest++ = word;
		else if (!strcmp(word, "--"))
			break;
		else
			code = word[1] == '-' ? read_name(&reading, word)
					      : read_letters(&reading, word);
	}
	while (*reading.next)
		*rest++ = *reading.next++;
	*rest = NULL;
	return code == TR2_CLI_GO_ON ? end_reading(&reading, argv + 1) : code;
}

int tr2_cli_set(const struct tr2_cli *cli, void *into, const char *where,
		const char *name, char *value)
{
	struct tr2_cli_given given = { .cli = cli, .where = where };
	const struct tr2_cli_option *option = cli->options;

	while (option->name &&
	       (!option->in_file || strcmp(option->name, name) != 0))
		option++;
	if (!option->name)
		return tr2_cli_refuse_name(cli, where, name);
	given.option = option;
	if (*value && !option->value)
		return tr2_cli_refuse_value(&given, NULL, value);
	if (!*value && option->value && !option->may_lack)
		return tr2_cli_refuse_value(&given, NULL, NULL);
	return take_value(&given, into, value);
}
