#include "cli/options.h"

#include <stdio.h>
#include <string.h>

#include "cli/options_part.h"

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

static bool is_last(const struct tr2_cli_option *option)
{
	return !option->name && !option->help;
}

static int note_help(struct reading *reading)
{
	reading->helps = true;
	return TR2_CLI_GO_ON;
}

static int show_listing(const struct tr2_cli *cli)
{
	tr2_cli_list_options(cli);
	return EXIT_CLEAN;
}

/* The value is empty if there is none. */
static int take_without(const struct tr2_cli_given *given, void *into)
{
	static char none[] = "";

	return tr2_cli_take(given, into, none);
}

/* `value` is what follows in the same argument, or NULL. */
static int take_option(struct reading *reading,
		       const struct tr2_cli_given *given, char *value)
{
	if (!given->option->value && value)
		return tr2_cli_refuse_value(given, NULL, value);
	if (!value && (!given->option->value || given->option->may_lack))
		return take_without(given, reading->into);
	if (!value && !*reading->next)
		return tr2_cli_refuse_value(given, NULL, NULL);
	return tr2_cli_take(given, reading->into,
			    value ? value : *reading->next++);
}

/* NULL: no option has this name, or several begin so. */
static const struct tr2_cli_option *find_option(const struct tr2_cli *cli,
						const char *name, size_t len)
{
	static const struct tr2_cli_option help = { .name = HELP };
	const struct tr2_cli_option *option, *found = NULL;
	unsigned count = 0;

	if (!len)
		return NULL;
	for (option = cli->options; !is_last(option); option++) {
		if (!option->name || strncmp(option->name, name, len) != 0)
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

	if (!strcmp(name, LISTING))
		return show_listing(reading->cli);
	if (!given.option)
		return tr2_cli_refuse_name(reading->cli, NULL, argument);
	if (!given.option->help && !equals)
		return note_help(reading);
	return take_option(reading, &given, equals ? equals + 1 : NULL);
}

static const struct tr2_cli_option *find_letter(const struct tr2_cli *cli,
						char letter)
{
	const struct tr2_cli_option *option = cli->options;

	while (!is_last(option) && option->letter != letter)
		option++;
	return is_last(option) ? NULL : option;
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
		code = given.option ? take_without(&given, reading->into)
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

	while (!is_last(option) &&
	       (!option->in_file || strcmp(option->name, name) != 0))
		option++;
	if (is_last(option))
		return tr2_cli_refuse_name(cli, where, name);
	given.option = option;
	if (*value && !option->value)
		return tr2_cli_refuse_value(&given, NULL, value);
	if (!*value && option->value && !option->may_lack)
		return tr2_cli_refuse_value(&given, NULL, NULL);
	return tr2_cli_take(&given, into, value);
}
