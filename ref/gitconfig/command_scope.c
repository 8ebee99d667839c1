/*
 * The command scope: the settings that `git -c` and --config-env pass on in
 * the environment. An error ends the scope.
 * SPEC: config.command, config.command.parameters
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "gitconfig/reader.h"
#include "host/host.h"

struct command_scope {
	tr2_gitconfig_assign_fn *fn;
	void *data;
};

/* 0 is an error, as in all functions below. */
static int report_assignment(const struct command_scope *command,
			     const char *name, const char *value)
{
	struct tr2_buf key = TR2_BUF_INIT;
	int good = tr2_gitconfig_key(&key, name);

	if (good && !key.failed)
		command->fn(&(struct tr2_gitconfig_assignment){ key.bytes,
								value, 0 },
			    command->data);
	tr2_buf_release(&key);
	return good;
}

static const char *get_numbered_variable(const char *prefix, int number)
{
	char name[40];

	snprintf(name, sizeof(name), "%s%d", prefix, number);
	return tr2_host->getenv(name);
}

/* GIT_CONFIG_COUNT, GIT_CONFIG_KEY_<n>, GIT_CONFIG_VALUE_<n>. */
static int read_count(const struct command_scope *command)
{
	const char *text = tr2_host->getenv("GIT_CONFIG_COUNT");
	const char *key, *value;
	unsigned long count;
	char *end;

	if (!text)
		return 1;
	count = strtoul(text, &end, 10);
	if (*end || count > INT_MAX)
		return 0;
	for (int i = 0; i < (int)count; i++) {
		key = get_numbered_variable("GIT_CONFIG_KEY_", i);
		value = get_numbered_variable("GIT_CONFIG_VALUE_", i);
		if (!key || !value || !report_assignment(command, key, value))
			return 0;
	}
	return 1;
}

/* A quote or a `!` between two quoted parts: `\'` or `\!`. */
static int is_escape(const char *at)
{
	return at[0] == '\\' && (at[1] == '\'' || at[1] == '!') &&
	       at[2] == '\'';
}

/*
 * Remove one word in single quotes from the front of `*at`, in place. NULL:
 * there is none.
 */
static char *take_word(char **at)
{
	char *word = *at, *from = *at, *to = *at;

	if (*from++ != '\'')
		return NULL;
	for (; *from; from++) {
		if (*from != '\'') {
			*to++ = *from;
		} else if (is_escape(from + 1)) {
			*to++ = from[2];
			from += 3;
		} else {
			*at = from + 1;
			*to = '\0';
			return word;
		}
	}
	return NULL;
}

static int at_word_end(const char *at)
{
	return !*at || tr2_ascii_blank(*at);
}

/* 'key=value' or 'key': the form that git wrote before 2.31. */
static int assign_old(const struct command_scope *command, char *text)
{
	char *value = strchr(text, '='), *end, *at;

	if (value)
		*value++ = '\0';
	while (tr2_ascii_blank(*text))
		text++;
	for (end = at = text; *at; at++)
		if (!tr2_ascii_blank(*at))
			end = at + 1;
	*end = '\0';
	return report_assignment(command, text, value);
}

/* 'key'='value', or 'key'= for a key without a value. */
static int assign_new(const struct command_scope *command, const char *key,
		      char **at)
{
	char *value = take_word(at);

	return at_word_end(*at) && report_assignment(command, key, value);
}

static int assign_word(const struct command_scope *command, char **at)
{
	char *word = take_word(at);

	if (!word)
		return 0;
	if (at_word_end(*at))
		return assign_old(command, word);
	return *(*at)++ == '=' && assign_new(command, word, at);
}

static void read_list(const struct command_scope *command, char *at)
{
	while (assign_word(command, &at))
		while (tr2_ascii_blank(*at))
			at++;
}

static void read_parameters(const struct command_scope *command)
{
	const char *text = tr2_host->getenv("GIT_CONFIG_PARAMETERS");
	struct tr2_buf copy = TR2_BUF_INIT;

	if (!text)
		return;
	tr2_buf_add(&copy, text, strlen(text) + 1);
	if (!copy.failed)
		read_list(command, copy.bytes);
	tr2_buf_release(&copy);
}

void tr2_gitconfig_command(tr2_gitconfig_assign_fn *fn, void *data)
{
	struct command_scope command = { fn, data };

	if (read_count(&command))
		read_parameters(&command);
}
