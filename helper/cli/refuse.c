#include "cli/options_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/near.h"
#include "lib/text/foreign.h"

#define WORDS_MOST 64

static void begin_message(const struct tr2_cli *cli, const char *where)
{
	fprintf(stderr, "trace2 %s: ", cli->name);
	if (where) {
		tr2_foreign_print(stderr, where);
		fputs(": ", stderr);
	}
}

static int advise_help(const struct tr2_cli *cli, const char *where)
{
	fputc('\n', stderr);
	if (!where)
		fprintf(stderr, "Try 'trace2 %s --help'.\n", cli->name);
	return EXIT_USAGE;
}

/* The word that was probably meant, or how to get help. */
static int advise_word(const struct tr2_cli *cli, const char *where,
		       const char *dashes, const char *near)
{
	if (!near)
		return advise_help(cli, where);
	fprintf(stderr, "; did you mean '%s%s'?\n", dashes, near);
	return EXIT_USAGE;
}

static void print_quoted(const char *text)
{
	fputc('\'', stderr);
	tr2_foreign_print(stderr, text);
	fputc('\'', stderr);
}

static void print_name(const struct tr2_cli_given *given)
{
	if (given->where)
		fputs(given->option->name, stderr);
	else if (given->letter)
		fprintf(stderr, "-%c", given->letter);
	else
		fprintf(stderr, "--%s", given->option->name);
}

/* "a, b or c" */
static void print_words(const char *const *words)
{
	for (size_t i = 0; words[i]; i++)
		fprintf(stderr, "%s%s",
			!i	       ? ""
			: words[i + 1] ? ", "
				       : " or ",
			words[i]);
}

static void print_size(uint64_t size)
{
	static const char *const units[] = { "", "K", "M", "G" };
	unsigned unit = 0;

	for (; size && !(size & 1023) && unit < 3; unit++)
		size >>= 10;
	fprintf(stderr, "%" PRIu64 "%s", size, units[unit]);
}

static void print_limits(const struct tr2_cli_option *option,
			 void (*print)(uint64_t number))
{
	fputs(" from ", stderr);
	print(option->least);
	fputs(" to ", stderr);
	print(option->most);
	if (option->step)
		fprintf(stderr, ", a multiple of %" PRIu64, option->step);
}

static void print_number(uint64_t number)
{
	fprintf(stderr, "%" PRIu64, number);
}

/* A number without a limit has the greatest one of its type. */
static bool has_limit(const struct tr2_cli_option *option)
{
	return option->most != UINT64_MAX && option->most != ULONG_MAX;
}

static const char *const types[] = {
	[TR2_CLI_IS_NUMBER] = "a number",
	[TR2_CLI_IS_SIZE] = "a size",
	[TR2_CLI_IS_DURATION] = "a duration such as 500ms or 2s",
	[TR2_CLI_IS_PATH] = "a name",
	[TR2_CLI_IS_LIST] = NULL,
};

static void print_type(const struct tr2_cli_option *option)
{
	const char *type = types[option->kind];

	fputs(type ? type : "a value", stderr);
	if (option->kind == TR2_CLI_IS_NUMBER && has_limit(option))
		print_limits(option, print_number);
	else if (option->kind == TR2_CLI_IS_SIZE && has_limit(option))
		print_limits(option, print_size);
	else if (option->kind == TR2_CLI_IS_SIZE)
		fputs(" such as 64M", stderr);
}

static void print_need(const struct tr2_cli_given *given, const char *needs,
		       const char *value)
{
	const struct tr2_cli_option *option = given->option;

	if (needs)
		fputs(needs, stderr);
	else if (!value)
		fputs(option->words ? "a value: " : "a value", stderr);
	else if (!option->words)
		print_type(option);
	if (!needs && option->words)
		print_words(option->words);
	if (!value || option->is_secret)
		return;
	fputs(", not ", stderr);
	print_quoted(value);
}

int tr2_cli_refuse_value(const struct tr2_cli_given *given, const char *needs,
			 const char *value)
{
	const struct tr2_cli_option *option = given->option;
	const char *near = NULL;

	begin_message(given->cli, given->where);
	print_name(given);
	if (option->value) {
		fputs(" needs ", stderr);
		print_need(given, needs, value);
		if (option->words && value)
			near = tr2_near_find(option->words, value);
	} else {
		fputs(" takes no value", stderr);
	}
	return advise_word(given->cli, given->where, "", near);
}

/* Those of a file, or all. Of more than fit the last ones are left out. */
static void list_names(const struct tr2_cli *cli, bool in_file,
		       const char *words[WORDS_MOST + 1])
{
	const struct tr2_cli_option *option = cli->options;
	size_t count = 0;

	for (; option->name && count < WORDS_MOST; option++)
		if (option->in_file || !in_file)
			words[count++] = option->name;
	if (!in_file && count < WORDS_MOST)
		words[count++] = "help";
	words[count] = NULL;
}

int tr2_cli_refuse_name(const struct tr2_cli *cli, const char *where,
			const char *word)
{
	const char *words[WORDS_MOST + 1], *near;
	char name[64]; /* without dashes and a value */

	list_names(cli, where, words);
	if (where)
		snprintf(name, sizeof(name), "%s", word);
	else
		snprintf(name, sizeof(name), "%.*s",
			 (int)strcspn(word + 2, "="), word + 2);
	near = tr2_near_find(words, name);
	begin_message(cli, where);
	fputs(where ? "unknown setting " : "unknown option ", stderr);
	print_quoted(word);
	if (where && !near) {
		fputs("; expected ", stderr);
		print_words(words);
	}
	return advise_word(cli, where, where ? "" : "--", near);
}

int tr2_cli_refuse(const struct tr2_cli *cli, const char *what,
		   const char *value)
{
	begin_message(cli, NULL);
	fputs(what, stderr);
	if (value) {
		fputs(": ", stderr);
		tr2_foreign_print(stderr, value);
	}
	return advise_help(cli, NULL);
}

int tr2_cli_refuse_argument(const struct tr2_cli *cli, const char *word)
{
	begin_message(cli, NULL);
	fputs("unexpected argument ", stderr);
	print_quoted(word);
	return advise_help(cli, NULL);
}
