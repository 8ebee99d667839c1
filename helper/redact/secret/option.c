#include "redact/secret/secret.h"

#include <assert.h>
#include <string.h>

#include "event/secrets.h"
#include "redact/secret/bytes.h"
#include "lib/text/text.h"

struct option {
	const char *programs, *command, *names;
	enum tr2_secret_value value;
	unsigned flags;
};

#define FIRST 1
#define LETTERS 2
#define VALUE TR2_SECRET_VALUE
#define USER TR2_SECRET_USER
#define PERCENT TR2_SECRET_PERCENT
#define COMMA TR2_SECRET_COMMA
#define PAIRS TR2_SECRET_PAIRS
#define PLAIN TR2_SECRET_PLAIN
#define PROXY TR2_SECRET_PROXY
#define JOINED TR2_SECRET_JOINED
#define OPTION(programs, command, names, value, flags, ...) \
	{ programs, command, names, value, flags },

static const struct option options[] = { TR2_SECRET_OPTIONS(OPTION) };

#define OPTION_COUNT (sizeof(options) / sizeof(*options))

static_assert(OPTION_COUNT <= TR2_SECRET_PROGRAMS, "a row for each option");

/* ---- Which programs the words name */

/* What is known of the program of a row. */
enum { UNSEEN, NAMED, ACTIVE };

/* Is the word one of these, which have a blank between them? */
static bool is_one(const char *names, const char *word, size_t len)
{
	size_t name;

	for (; *names; names += name + (names[name] == ' ')) {
		name = strcspn(names, " ");
		if (name == len && !memcmp(names, word, len))
			return true;
	}
	return false;
}

static bool is_name_byte(char c)
{
	return tr2_secret_alphanumeric(c) || memchr("_-.+", c, 4);
}

/* Returns where the name of the program begins in `a=/usr/bin/curl.exe`. */
static size_t find_program(const char *text, size_t *len)
{
	size_t at;

	while (*len && !is_name_byte(text[*len - 1]))
		--*len;
	if (*len > 4 && !memcmp(text + *len - 4, ".exe", 4))
		*len -= 4;
	for (at = *len; at && is_name_byte(text[at - 1]);)
		at--;
	while (at < *len && text[at] == '.') /* of PERF's nesting */
		at++;
	return at;
}

/* `;` and the like end a command, and so does a `;` after a word. */
static bool ends_command(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && memchr("|&;", text[i], 3))
		i++;
	return len && (i == len || text[len - 1] == ';');
}

/* A word of sshpass that is no option's value is a program of its own. */
static bool ends_options(const struct tr2_secret_programs *programs,
			 const struct option *option)
{
	static const char with_value[] = "dfP";

	return option->flags & FIRST &&
	       !memchr(with_value, programs->letter, sizeof(with_value));
}

static void note_name(struct tr2_secret_programs *programs, const char *name,
		      size_t len)
{
	const struct option *option = options;
	unsigned char *row = programs->rows;

	for (; option < options + OPTION_COUNT; option++, row++) {
		if (is_one(option->programs, name, len))
			*row = *option->command ? NAMED : ACTIVE;
		else if (*row == NAMED && is_one(option->command, name, len))
			*row = ACTIVE;
		else if (*row == ACTIVE && ends_options(programs, option))
			*row = UNSEEN;
		else
			continue;
		programs->any = true;
	}
}

/* `git config`, after which the key of a setting and its value may come */
static void note_setting(struct tr2_secret_programs *programs, const char *name,
			 size_t len)
{
	if (is_one("git npm pnpm yarn aws rclone pip poetry composer ngrok",
		   name, len))
		programs->setting = TR2_SECRET_OWNER;
	else if (programs->setting == TR2_SECRET_OWNER &&
		 is_one("config configure", name, len))
		programs->setting = TR2_SECRET_CONFIG;
}

void tr2_secret_note_word(struct tr2_secret_programs *programs,
			  const char *text, size_t len)
{
	size_t name, end = len;

	if (len > 1 && *text == '-' && !memchr(text, '=', len)) {
		programs->letter = len == 2 ? text[1] : '-';
		return;
	}
	name = find_program(text, &end);
	if (name < end) {
		note_name(programs, text + name, end - name);
		note_setting(programs, text + name, end - name);
	}
	programs->letter = '\0';
	if (ends_command(text, len))
		*programs = (struct tr2_secret_programs){ 0 };
}

/* ---- Their options */

/* Skip `-sS` of `-sSu`. */
static size_t skip_letters(const struct option *option, const char *text,
			   size_t len)
{
	static const char plain[] = "#0123456aBfgGiIjJklLMnNOpqRsSvZ";
	size_t at = 1;

	while (option->flags & LETTERS && at < len &&
	       memchr(plain, text[at], sizeof(plain) - 1))
		at++;
	return at;
}

/* Returns the length of this name of an option, before its value, or 0. */
static size_t match_name(const struct option *option, const char *name,
			 size_t size, const char *text, size_t len)
{
	size_t at;

	if (size == 2 && *name == '-') {
		at = skip_letters(option, text, len);
		return *text == '-' && at < len && text[at] == name[1] ? at + 1
								       : 0;
	}
	if (len < size || memcmp(text, name, size))
		return 0;
	if (len == size || option->value == JOINED)
		return size;
	return *name == '-' && text[size] == '=' ? size + 1 : 0;
}

static size_t match_option(const struct option *option, const char *text,
			   size_t len)
{
	const char *name = option->names;
	size_t size, found = 0;

	for (; *name && !found; name += size + (name[size] == ' ')) {
		size = strcspn(name, " ");
		found = match_name(option, name, size, text, len);
	}
	return option->value == JOINED && found == len ? 0 : found;
}

size_t tr2_secret_measure_option(const struct tr2_secret_programs *programs,
				 const char *text, size_t len,
				 enum tr2_secret_value *value)
{
	size_t i, found;

	for (i = 0; programs->any && i < OPTION_COUNT; i++) {
		found = programs->rows[i] == ACTIVE
				? match_option(options + i, text, len)
				: 0;
		if (!found)
			continue;
		*value = options[i].value == JOINED ? VALUE : options[i].value;
		return found;
	}
	return 0;
}

/* Returns where the next word begins, perhaps after `", "` of JSON. */
static size_t find_next(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text;
	size_t next = tr2_secret_skip_escapes(scan, at);

	if (next < scan->len && tr2_secret_quote(text[next])) {
		at = next + 1;
		if (at < scan->len && text[at] == ',')
			at++;
	}
	while (at < scan->len && (tr2_secret_space(text[at]) ||
				  (text[at] == '\\' && at + 1 < scan->len &&
				   tr2_secret_space(text[at + 1]))))
		at++;
	return at;
}

/* Is the value apart from the option, and begins none? */
static bool is_next_option(const struct tr2_secret_scan *scan, size_t start,
			   enum tr2_secret_value value)
{
	const char *text = scan->text + start;
	const size_t len = scan->len - start;

	return tr2_text_starts(text, len, "--") ||
	       (value != VALUE && len && *text == '-');
}

/* `-p"VALUE"`: a quote that is not the open one is of the word. */
static bool has_quote(const struct tr2_secret_scan *scan, size_t end)
{
	return tr2_secret_begins_quote(scan, end,
				       tr2_secret_skip_escapes(scan, end));
}

/*
 * `cargo login failed` is a sentence: what follows a subcommand in a text is
 * a secret if it has letters and digits.
 */
static bool is_mixed(const char *text, const struct tr2_secret_span *found)
{
	return tr2_secret_mixed(text + found->start, found->end - found->start);
}

bool tr2_secret_find_option(struct tr2_secret_scan *scan, size_t at, size_t end,
			    struct tr2_secret_span *found)
{
	enum tr2_secret_value value = TR2_SECRET_NONE;
	struct tr2_secret_scan next = *scan;
	const size_t len = end - at + has_quote(scan, end);
	size_t start = tr2_secret_measure_option(&scan->programs,
						 scan->text + at, len, &value);

	if (!start)
		return false;
	if (start == len) {
		start = find_next(scan, at + start);
		next.quote = '\0';
		if (is_next_option(scan, start, value))
			return false;
	} else {
		start += at;
	}
	scan->programs.letter = '\0';
	return tr2_secret_find_value(&next, start, found) &&
	       tr2_secret_narrow(scan->text, value, found) &&
	       (value != PLAIN || is_mixed(scan->text, found));
}

/* ---- Their values */

static const char *find_last(const char *text, size_t len, char c)
{
	while (len && text[len - 1] != c)
		len--;
	return len ? text + len - 1 : NULL;
}

/* Returns the byte before the password. */
static char find_mark(enum tr2_secret_value value)
{
	if (value == PERCENT)
		return '%';
	return value == COMMA ? ',' : ':';
}

/* An option, or NAME=VALUE. A token may have a `=`, too, but is no name. */
static bool has_other_shape(const char *text, size_t len)
{
	const char *equal = len ? memchr(text, '=', len) : NULL;

	if (!equal)
		return len && *text == '-';
	return *text == '-' || !tr2_secret_mixed(text, (size_t)(equal - text));
}

bool tr2_secret_narrow(const char *text, enum tr2_secret_value value,
		       struct tr2_secret_span *found)
{
	const char *start = text + found->start;
	size_t len = found->end - found->start;
	const char *mark = memchr(start, find_mark(value), len), *at;

	if (value == PLAIN && has_other_shape(start, len))
		return false;
	if (value == VALUE || value == PLAIN)
		return !tr2_secret_is_shown(start, len);
	if (value == PAIRS)
		return memchr(start, '=', len) &&
		       !tr2_secret_is_shown(start, len);
	if (!mark)
		return false;
	if (value == PROXY) {
		at = find_last(start, len, '@');
		if (!at || at < mark || tr2_text_find(start, len, "://"))
			return false;
		found->end = (size_t)(at - text);
	}
	found->start = (size_t)(mark + 1 - text);
	return !tr2_secret_is_shown(mark + 1, found->end - found->start);
}
