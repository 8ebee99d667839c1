/*
 * script.h - tests that are a text beside the program, t/unit/x.txt beside
 * t/unit/x.c:
 *
 *	= a sentence that must be true
 *	verb word "words\n"; another verb => what the last one answers
 *	verb =~ a part of what it answers
 *	20 verb $i
 *	child; verb word => what it answers in a forked child
 *	parent
 *	== a case that valgrind has no use for, since it has limits of its own,
 *	or that script.skips is the reason to leave out
 *	=~ a case that only script.skips is a reason to leave out
 *
 * A verb that answers nothing may have caused what script.rest() tells of the
 * whole line. A number is how often the verb comes; $i counts from 0. A line goes on with
 * the next one if that begins with a tab. What is wanted is plain text, or
 * quoted parts, in which backslashes are as in C. Lines that begin with # are
 * comments. A case also fails if it leaves a descriptor open.
 */
#ifndef UNIT_KIT_SCRIPT_H
#define UNIT_KIT_SCRIPT_H

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>

#include "kit/directory.h"
#include "kit/file.h"
#include "kit/tap.h"

#define SCRIPT_WORDS 16
#define SCRIPT_ROOM (1 << 16)

struct script_verb {
	const char *name;
	/* Words that are not given are "". Returns an answer, or NULL. */
	const char *(*run)(char **word);
};

/* A number that a case may `set`, and that is 0 when a case begins. */
struct script_value {
	const char *name;
	int *at;
};

/* The words of a verb that looks at none. */
#define SCRIPT_NONE char **no_words __attribute__((unused))

static struct {
	const struct script_verb *verbs;
	const struct script_value *values; /* NULL: there are none */
	/* What a line answers whose last verb does not, or NULL. */
	const char *(*rest)(void);
	const char *path;  /* of the text */
	const char *skips; /* why cases that are marked are left out, or NULL */
	bool is_child;	   /* runs the lines up to `parent`, and ends there */
	bool is_parent;	   /* leaves out the lines up to `parent` */
	int line, failed_at;
	char *word[SCRIPT_WORDS]; /* the verb, and what it gets */
	size_t len[SCRIPT_WORDS]; /* of each: there may be a NUL */
	char copy[SCRIPT_ROOM];	  /* the words */
	char answer[SCRIPT_ROOM];
} script;

/* Returns a text that is valid until the next call. */
__attribute__((format(printf, 1, 2))) static inline const char *
script_say(const char *format, ...)
{
	va_list more;

	va_start(more, format);
	vsnprintf(script.answer, sizeof(script.answer), format, more);
	va_end(more);
	return script.answer;
}

static inline const char *script_say_number(intmax_t number)
{
	static char text[24];

	snprintf(text, sizeof(text), "%jd", number);
	return text;
}

static inline const char *script_say_yes(bool is_so)
{
	return is_so ? "yes" : "no";
}

/* The number of a word; one that is not given is the usual one. */
static inline long script_number(const char *word, long usual)
{
	return *word ? strtol(word, NULL, 0) : usual;
}

#define SCRIPT_ERROR(name)  \
	{                   \
#name, name \
	}

/* What a call returned: "done", the name of an errno value, or a number. */
static const struct {
	const char *name;
	int number;
} script_errors[] = {
	{ "done", 0 },
	SCRIPT_ERROR(EACCES),
	SCRIPT_ERROR(EAGAIN),
	SCRIPT_ERROR(EBADF),
	SCRIPT_ERROR(EBADMSG),
	SCRIPT_ERROR(EBUSY),
	SCRIPT_ERROR(ECANCELED),
	SCRIPT_ERROR(ECHILD),
	SCRIPT_ERROR(ECONNABORTED),
	SCRIPT_ERROR(ECONNREFUSED),
	SCRIPT_ERROR(ECONNRESET),
	SCRIPT_ERROR(EDQUOT),
	SCRIPT_ERROR(EEXIST),
	SCRIPT_ERROR(EFBIG),
	SCRIPT_ERROR(EINTR),
	SCRIPT_ERROR(EINVAL),
	SCRIPT_ERROR(EIO),
	SCRIPT_ERROR(EISDIR),
	SCRIPT_ERROR(ELOOP),
	SCRIPT_ERROR(EMFILE),
	SCRIPT_ERROR(ENAMETOOLONG),
	SCRIPT_ERROR(ENODATA),
	SCRIPT_ERROR(ENOENT),
	SCRIPT_ERROR(ENOLCK),
	SCRIPT_ERROR(ENOMEM),
	SCRIPT_ERROR(ENOSPC),
	SCRIPT_ERROR(ENOSYS),
	SCRIPT_ERROR(ENOTDIR),
	SCRIPT_ERROR(ENOTSUP),
	SCRIPT_ERROR(ENXIO),
	SCRIPT_ERROR(EOVERFLOW),
	SCRIPT_ERROR(EPERM),
	SCRIPT_ERROR(EPIPE),
	SCRIPT_ERROR(EPROTO),
	SCRIPT_ERROR(EROFS),
	SCRIPT_ERROR(ESTALE),
	SCRIPT_ERROR(ETIMEDOUT),
};

#define SCRIPT_ERRORS (sizeof(script_errors) / sizeof(*script_errors))

static inline const char *script_say_error(int error)
{
	for (size_t i = 0; i < SCRIPT_ERRORS; i++)
		if (script_errors[i].number == error)
			return script_errors[i].name;
	return script_say_number(error);
}

/* A number, or an errno value by its name. */
static inline int script_value_of(const char *word)
{
	for (size_t i = 0; i < SCRIPT_ERRORS; i++)
		if (!strcmp(script_errors[i].name, word))
			return script_errors[i].number;
	tap_need(*word != 'E');
	return (int)script_number(word, 0);
}

/* `set NAME VALUE`, of script.values; without a value it is 1. */
static inline const char *script_set(char **word)
{
	const struct script_value *value = script.values;

	while (value->name && strcmp(value->name, word[0]))
		value++;
	if (!value->name)
		return script_say("no verb 'set %s'", word[0]);
	*value->at = *word[1] ? script_value_of(word[1]) : 1;
	return NULL;
}

static inline void script_clear_values(void)
{
	const struct script_value *value = script.values;

	for (; value && value->name; value++)
		*value->at = 0;
}

/* Copy one character, which may be an escape. */
static inline void script_take(const char **at, char **to)
{
	static const char names[] = "n\nt\tr\re\033";
	const char *known = names;
	unsigned byte;

	if (**at != '\\') {
		*(*to)++ = *(*at)++;
		return;
	}
	++*at;
	while (*known && *known != **at)
		known += 2;
	if (**at == 'x' && sscanf(*at + 1, "%2x", &byte) == 1)
		*at += 2;
	else
		byte = *known	     ? (unsigned char)known[1]
		       : **at == '0' ? 0
				     : (unsigned char)**at;
	++*at;
	*(*to)++ = (char)byte;
}

/* Copy a word, or a quoted part; returns its length. */
static inline size_t script_copy(const char **at, char **to)
{
	const char *const begin = *to;
	const bool quoted = **at == '"';

	*at += quoted;
	while (**at && (quoted ? **at != '"' : !strchr(" \t\n;", **at)))
		script_take(at, to);
	*at += quoted && **at;
	*(*to)++ = '\0';
	return (size_t)(*to - begin) - 1;
}

/* Returns the text that is wanted. */
static inline const char *script_want(const char *at)
{
	static char want[SCRIPT_ROOM];
	char *to = want;

	at += strspn(at, " \t\n");
	if (*at != '"') {
		snprintf(want, sizeof(want), "%s", at);
		return want;
	}
	for (; *at == '"'; at += strspn(at, " \t\n"), to--)
		script_copy(&at, &to);
	tap_need(!*at); /* a command there would not run */
	return want;
}

/* Split a command into its words. Returns where it ends. */
static inline const char *script_split(const char *at)
{
	static char none[] = "";
	char *to = script.copy;
	int count = 0;

	for (int i = 0; i < SCRIPT_WORDS; i++) {
		script.word[i] = none;
		script.len[i] = 0;
	}
	for (at += strspn(at, " \t\n");
	     *at && *at != ';' && strncmp(at, "=>", 2) && strncmp(at, "=~", 2);
	     at += strspn(at, " \t\n")) {
		tap_need(count < SCRIPT_WORDS);
		script.word[count] = to;
		script.len[count++] = script_copy(&at, &to);
	}
	return at;
}

static inline const char *script_call(char **word)
{
	const struct script_verb *verb = script.verbs;

	while (verb->name && strcmp(verb->name, *word))
		verb++;
	if (verb->name)
		return verb->run(word + 1);
	return script_say("no verb '%s'", *word);
}

/* Call it as often as it is to be. Returns the last answer. */
static inline const char *script_repeat(void)
{
	const bool many = isdigit((unsigned char)**script.word);
	const long times = many ? strtol(*script.word, NULL, 10) : 1;
	const char *answer = NULL;
	char *word[SCRIPT_WORDS], number[24];
	long n;

	for (long i = 0; i < times; i++) {
		snprintf(number, sizeof(number), "%ld", i);
		for (n = 0; n < SCRIPT_WORDS - many; n++)
			word[n] = strcmp(script.word[n + many], "$i")
					  ? script.word[n + many]
					  : number;
		for (; n < SCRIPT_WORDS; n++)
			word[n] = number + strlen(number);
		answer = script_call(word);
	}
	return answer;
}

static inline void script_fail(const char *want, const char *answer)
{
	printf("# %s:%d: %s\n", script.path, script.line, *script.word);
	tap_show("want", want, strlen(want));
	tap_show("got ", answer, answer ? strlen(answer) : 0);
	if (!script.failed_at)
		script.failed_at = script.line;
}

/* Compare what the last command answered; `at` is the sign, if there is one. */
static inline void script_judge(const char *at, const char *answer)
{
	const char *want = *at ? script_want(at + 2) : NULL;
	bool is_right;

	if (!want) {
		if (answer && !strncmp(answer, "no verb", 7))
			script_fail("", answer);
		return;
	}
	if (!answer && script.rest)
		answer = script.rest();
	is_right = answer && (at[1] == '~' ? strstr(answer, want) != NULL
					   : !strcmp(answer, want));
	if (!is_right)
		script_fail(want, answer);
}

/* A line of commands, of which the last one may have to answer something. */
static inline void script_line(const char *at)
{
	const char *answer;

	if (script.rest)
		script.rest();
	do {
		at = script_split(at);
		answer = script_repeat();
	} while (!script.is_parent && *at == ';' && *++at);
	if (!script.is_parent)
		script_judge(at, answer);
}

/* Cut the next line off, with those that belong to it. */
static inline char *script_cut(char **rest)
{
	char *line = *rest, *end = line;

	script.line++;
	while ((end = strchr(end, '\n')) && end[1] == '\t')
		end++;
	*rest = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	return line;
}

static inline void script_end_case(const char *name, int before,
				   void (*end)(void))
{
	if (!name)
		return;
	end();
	if (count_descriptors() != before)
		script_fail("no descriptor more", "descriptors");
	tap_report(!script.failed_at, name, script.path, script.failed_at);
	script.failed_at = 0;
}

/* Returns the sentence, or NULL: this case is left out. */
static inline const char *script_begin_case(const char *line)
{
	const char *why = script.skips;

	if (*line != '=' && *line != '~')
		return line + 1;
	if (*line == '=' && getenv("TEST_UNDER_VALGRIND"))
		why = "valgrind has limits of its own";
	if (!why)
		return line + 2;
	tap_skip(line + 2, why);
	return NULL;
}

/* `begin`, or NULL, and `end` are of each case. The text is freed. */
static inline void script_run(char *text, const struct script_verb *verbs,
			      void (*begin)(void), void (*end)(void))
{
	static char *all; /* also known where the first thread has ended */
	const char *name = NULL;
	char *line;
	int before = 0;

	all = text;
	script.verbs = verbs;
	while (*text) {
		line = script_cut(&text);
		if (*line == '=') {
			script_end_case(name, before, end);
			name = script_begin_case(line + 1);
			before = count_descriptors();
			script_clear_values();
			if (name && begin)
				begin();
		} else if (name && *line && *line != '#' &&
			   (!script.is_parent || !strcmp(line, "parent"))) {
			script_line(line);
		}
		for (const char *at = line; (at = strchr(at, '\n')); at++)
			script.line++;
	}
	script_end_case(name, before, end);
	free(all);
}

/* Returns the text beside this source, before the test goes elsewhere. */
static inline char *script_read(const char *source)
{
	static char path[256];
	char *text;

	snprintf(path, sizeof(path), "%.*s.txt", (int)strlen(source) - 2,
		 source);
	script.path = path;
	text = strdup(file_text(path));
	tap_need(text && *text);
	return text;
}

/* The main() of cases that are in a directory of their own. */
static inline int script_main(const char *source,
			      const struct script_verb *verbs,
			      void (*begin)(void), void (*end)(void))
{
	char *text = script_read(source);

	enter_directory();
	script_run(text, verbs, begin, end);
	leave_directory();
	return tap_done();
}

#endif
