/* values.c - what the words of a call stand for; see calls.h. */
#define _POSIX_C_SOURCE 200809L
#include "calls.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct span read_name(const char *at, const char *end)
{
	struct span name = { at, at };

	while (name.end < end &&
	       (isalnum((unsigned char)*name.end) || *name.end == '_'))
		name.end++;
	return name;
}

static void put_utf8(unsigned int code, FILE *out)
{
	static const unsigned int first[] = { 0, 0xc0, 0xe0, 0xf0 };
	int more = (code > 0x7f) + (code > 0x7ff) + (code > 0xffff);

	fputc((int)(first[more] | code >> 6 * more), out);
	while (more--)
		fputc((int)(0x80 | (code >> 6 * more & 0x3f)), out);
}

/* The digits of `\u`, and of the second half of a surrogate pair. */
static const char *expand_character(const char *at, FILE *out)
{
	unsigned int code, low;

	sscanf(at, "%4x", &code);
	if (code - 0xd800 < 0x400 && sscanf(at + 4, "\\u%4x", &low) == 1) {
		code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
		at += 6;
	}
	put_utf8(code, out);
	return at + 4;
}

/* What a backslash and the bytes after it mean; the end of them. */
static const char *expand_escape(const char *at, FILE *out)
{
	static const char codes[] = "b\bf\fn\nr\rt\t";
	const char *code = strchr(codes, *at);
	unsigned int byte;

	if (*at == 'u')
		return expand_character(at + 1, out);
	if (*at == 'x') {
		sscanf(at + 1, "%2x", &byte);
		fputc((int)byte, out);
		return at + 3;
	}
	fputc(code ? code[1] : *at, out);
	return at + 1;
}

static const char *expand_name(const char *at, const char *end,
			       const struct scope *scope, FILE *out)
{
	struct span name = read_name(at, end);
	const char *text = find_text(scope, copy_span(name));

	if (text)
		fputs(text, out);
	else
		fprintf(out, "$%.*s", (int)(name.end - at), at);
	return name.end;
}

/* "TEXT", or "TEXT"*COUNT */
static const char *expand_quoted(struct span word, const struct scope *scope)
{
	const char *end = skip_quoted(word.at);
	long count = end < word.end ? strtol(end + 1, NULL, 10) : 1;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	while (count--)
		for (const char *at = word.at + 1; at < end - 1;)
			if (*at == '\\')
				at = expand_escape(at + 1, out);
			else if (*at == '$')
				at = expand_name(at + 1, end - 1, scope, out);
			else
				fputc(*at++, out);
	fclose(out);
	return lend_memory(text);
}

/* A word that is no list; NULL if it has no value. */
const char *expand_text(struct span word, const struct scope *scope)
{
	struct span name, rest = word;
	const char *text;
	char *sum;

	if (*word.at == '"')
		return expand_quoted(word, scope);
	rest.at = memchr(word.at, '+', measure_span(word));
	if (rest.at && rest.at[1] == '$') {
		rest.at++;
		text = expand_text(rest, scope);
		sum = lend_memory(malloc(NUMBER_SIZE));
		snprintf(sum, NUMBER_SIZE, "%ld",
			 atol(word.at) + atol(text ? text : ""));
		return sum;
	}
	if (*word.at != '$')
		return is_word(word, "null") ? NULL : copy_span(word);
	name = read_name(word.at + 1, word.end);
	text = find_text(scope, copy_span(name));
	rest.at = name.end + 1;
	if (!text && *name.end == '|')
		return expand_text(rest, scope);
	return text ? lend_memory(strdup(text)) : NULL;
}

static const char **find_args(const struct scope *scope)
{
	while (!scope->args)
		scope = scope->up;
	return scope->args;
}

static const char absent[1];

int is_absent(const char *item)
{
	return item == absent;
}

/* $2*, $* or [ITEM,...] */
static const char **expand_list(struct span word, const struct scope *scope)
{
	const char **list, **args = find_args(scope);
	struct span item;
	size_t most = 0;
	int count = 0;

	for (int skip = atoi(word.at + 1); *word.at == '$' && skip > 1; skip--)
		args += *args != NULL;
	if (*word.at == '$')
		return args;
	while (args[most])
		most++;
	/* An item has a byte at least. */
	list = lend_memory(
		calloc(measure_span(word) * (most + 1), sizeof(*list)));
	for (const char *at = word.at + 1; *at != ']'; at += *at == ',') {
		for (item.at = at; !strchr(",]", *at);)
			at = *at == '"' ? skip_quoted(at) : at + 1;
		item.end = at;
		if (is_word(item, "$*"))
			while (*args)
				list[count++] = *args++;
		else if (!(list[count++] = expand_text(item, scope)))
			list[count - 1] = absent;
	}
	return list;
}

int find_word(const struct call *call, const char *key, struct span *word)
{
	size_t len = strlen(key);

	for (int i = 0; i < call->count; i++) {
		*word = call->words[i];
		if (strncmp(word->at, key, len) || word->at[len] != '=')
			continue;
		word->at += len + 1;
		return 1;
	}
	return 0;
}

int has_word(const struct call *call, const char *key)
{
	struct span word;

	return find_word(call, key, &word);
}

void fail_with(const struct call *call, const char *key)
{
	struct span word = { NULL, NULL };

	find_word(call, key, &word);
	fail_verb(word, call->scope);
}

void fail_arguments(const struct call *call)
{
	const struct scope *scope = call->scope;

	while (!scope->args)
		scope = scope->up;
	fail_verb(scope->wrong, scope);
}

int is_number(const struct call *call, const char *key)
{
	struct span word;

	if (!find_word(call, key, &word) || *word.at != '$')
		return isdigit((unsigned char)*word.at);
	word.at++;
	return holds_number(call->scope, copy_span(word));
}

/* Memory may change errno, which a call of the library has to keep. */
const char *get_text(const struct call *call, const char *key)
{
	const int error = errno;
	struct span word;
	const char *text = NULL;

	if (find_word(call, key, &word))
		text = expand_text(word, call->scope);
	errno = error;
	return text;
}

const char **get_list(const struct call *call, const char *key)
{
	static const char *none[1];
	const int error = errno;
	struct span word;
	const char **list = none;

	if (find_word(call, key, &word))
		list = expand_list(word, call->scope);
	errno = error;
	return list;
}

intmax_t get_number(const struct call *call, const char *key, intmax_t fallback)
{
	const char *text = get_text(call, key);

	return text ? strtoimax(text, NULL, 10) : fallback;
}

const char *get_plain(const struct call *call, int at)
{
	return expand_text(call->words[at], call->scope);
}

const char **get_plain_list(const struct call *call, int at)
{
	return expand_list(call->words[at], call->scope);
}
