#include "redact/secret/scan.h"

#include <assert.h>
#include <string.h>

#include "event/token.h"
#include "lib/text/text.h"
#include "options_rows.h"

#define LONG_LEAST 6 /* bytes of a value that may be something else */

#define VALUE TR2_SECRET_VALUE
#define USER TR2_SECRET_USER
#define PERCENT TR2_SECRET_PERCENT
#define COMMA TR2_SECRET_COMMA
#define EQUAL TR2_SECRET_EQUAL
#define SLASH TR2_SECRET_SLASH
#define GREATER TR2_SECRET_GREATER
#define PAIRS TR2_SECRET_PAIRS
#define PLAIN TR2_SECRET_PLAIN
#define PROXY TR2_SECRET_PROXY
#define JOINED TR2_SECRET_JOINED
#define LAST TR2_OPTION_LAST
#define WORD(number) ((number) << TR2_OPTION_SHIFT)
#define EACH WORD(TR2_OPTION_EACH)
#define OPTION(programs, command, names, value, flags, ...) \
	{ programs, command, names, value, flags },

const struct tr2_secret_option tr2_secret_options[] = { OPTIONS_ROWS(OPTION) };
const size_t tr2_secret_option_count =
	sizeof(tr2_secret_options) / sizeof(*tr2_secret_options);

static_assert(sizeof(tr2_secret_options) / sizeof(*tr2_secret_options) <=
		      TR2_SECRET_PROGRAMS,
	      "a row for each option");

/* ---- Their options */

/* Skip `-sS` of `-sSu`: letters that have no value. */
static size_t skip_letters(const char *text, size_t len)
{
	static const char plain[] = "#0123456aBfgGiIjJklLMnNOpqRsSvZ";
	size_t at = 1;

	while (at < len && memchr(plain, text[at], sizeof(plain) - 1))
		at++;
	return at;
}

/* Returns the length of such an option of one letter, or 0. */
static size_t match_letter(char letter, const char *text, size_t len)
{
	const size_t at =
		len > 1 && text[1] == letter ? 1 : skip_letters(text, len);

	if (text[len - 1] == letter && tr2_secret_is_cluster(text, len))
		return len;
	return *text == '-' && at < len && text[at] == letter ? at + 1 : 0;
}

/* Returns the length of this name of an option, before its value, or 0. */
static size_t match_name(const struct tr2_secret_option *option,
			 const char *name, size_t size, const char *text,
			 size_t len)
{
	if (size == 2 && *name == '-')
		return match_letter(name[1], text, len);
	if (len < size || memcmp(text, name, size))
		return 0;
	if (len == size || option->value == JOINED || name[size - 1] == ':')
		return size;
	return *name == '-' && text[size] == '=' ? size + 1 : 0;
}

static size_t match_option(const struct tr2_secret_option *option,
			   const char *text, size_t len)
{
	const char *name = option->names;
	size_t size, found = 0;

	for (; *name && !found; name += size + (name[size] == ' ')) {
		size = strcspn(name, " ");
		found = match_name(option, name, size, text, len);
	}
	return option->value == JOINED && found == len ? 0 : found;
}

/* Returns the length of the option at the beginning, or 0. */
static size_t measure_option(const struct tr2_secret_programs *programs,
			     const char *text, size_t len,
			     enum tr2_secret_value *value)
{
	const struct tr2_secret_option *option = tr2_secret_options;
	size_t found;

	for (size_t i = 0; programs->any && i < tr2_secret_option_count; i++) {
		if (programs->rows[i] != TR2_OPTION_ACTIVE)
			continue;
		found = match_option(option + i, text, len);
		if (!found)
			continue;
		*value = option[i].value == JOINED ? VALUE : option[i].value;
		return found;
	}
	return 0;
}

/*
 * `-p"VALUE"`: a quote that is not the open one is of the word. That of a list
 * within JSON ends one.
 */
static bool has_quote(const struct tr2_secret_scan *scan, size_t end)
{
	const size_t at = tr2_secret_skip_escapes(scan, end);

	if (tr2_secret_measure_quote(scan, end))
		return true;
	return tr2_secret_begins_quote(scan, end, at) &&
	       !(at > end && at + 1 < scan->len && scan->text[at + 1] == ',');
}

/* Returns where the next word begins, perhaps after `", "` or `, ` of a list. */
static size_t find_next(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text;
	size_t next = tr2_secret_skip_escapes(scan, at);

	if (next < scan->len && tr2_secret_quote(text[next]))
		at = next + 1;
	if (at < scan->len && text[at] == ',')
		at++;
	while (at < scan->len && (tr2_secret_space(text[at]) ||
				  (text[at] == '\\' && at + 1 < scan->len &&
				   tr2_secret_space(text[at + 1]))))
		at++;
	return at;
}

static bool find_named(struct tr2_secret_scan *scan, size_t at, size_t end,
		       struct tr2_secret_span *found)
{
	enum tr2_secret_value value = TR2_SECRET_NONE;
	struct tr2_secret_scan next = *scan;
	const size_t len = end - at + has_quote(scan, end);
	size_t start =
		measure_option(&scan->programs, scan->text + at, len, &value);

	if (!start)
		return false;
	next.quote = '\0';
	if (start < len) {
		start += at;
		next.quote = scan->quote;
	} else {
		start = find_next(scan, at + start);
		if (tr2_text_starts(scan->text + start, scan->len - start,
				    "--"))
			return false;
	}
	if (!tr2_secret_find_value(&next, start, found) ||
	    !tr2_secret_may_be(value, scan->text + found->start,
			       found->end - found->start))
		return false;
	*found =
		(struct tr2_secret_span){ start,
					  tr2_secret_end_command(scan, start) };
	return true;
}

/* A secret may begin with a `-`, but a word such as `--all` or `-a` is none. */
bool tr2_secret_is_option(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text + at;
	const size_t len = tr2_secret_skip_word(scan, at) - at;
	enum tr2_secret_value value;

	return tr2_text_starts(text, len, "--") ||
	       (len == 2 && *text == '-' && tr2_ascii_alpha(text[1])) ||
	       (len && *text == '-' &&
		measure_option(&scan->programs, text, len, &value) == len);
}

/* Is the word `NAME=` or `NAME:`, before a value of its own? */
bool tr2_secret_is_mark(const struct tr2_secret_scan *scan, size_t at)
{
	const size_t end = tr2_secret_skip_word(scan, at);

	return end > at && memchr("=:", scan->text[end - 1], 2) &&
	       tr2_secret_name(scan->text + at, end - 1 - at, false);
}

/* ---- Words that are secrets by their place */

bool tr2_secret_in_sentence(const char *text, size_t len)
{
	unsigned kinds = 0;

	while (len && memchr(".,:;!?)]", text[len - 1], 8))
		len--;
	for (size_t i = 1; i < len; i++)
		kinds |= memchr("-_'", text[i], 3) ? 0
						   : tr2_token_byte(text[i]);
	if (!len || memchr("/~.<(", *text, 5))
		return true;
	kinds &= ~(unsigned)TR2_TOKEN_DOT;
	return !(kinds & ~(unsigned)TR2_TOKEN_LOWER) ||
	       !(kinds & ~(unsigned)TR2_TOKEN_UPPER) ||
	       (len < 4 && !(kinds & ~(unsigned)TR2_TOKEN_DIGIT));
}

/*
 * `t0001-basic.sh` and `tests/x_12` have letters and digits as well, and words
 * with a quote or a bracket tell more than a password.
 */
static bool is_title(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (memchr(" \"{[&|", text[i], 6))
			return true;
	if (tr2_text_count_word(text, len, "-_./:") < len)
		return false;
	return !tr2_secret_mixed(text, len) ||
	       tr2_secret_begin_word(text, len, "", len);
}

/* Where the word is: a text may be a sentence. */
enum where {
	IN_WORDS,
	IN_TEXT,
	LAST_IN_LINE /* of a line of a text */
};

/* May a word that looks like this be one of a sentence? */
static bool may_be_word(const struct tr2_secret_option *option,
			const char *text, size_t len, enum where where)
{
	if (option->value != PLAIN || tr2_secret_begins_dollar(text, len))
		return false;
	if (option->flags & LAST)
		return where == IN_TEXT || is_title(text, len) ||
		       tr2_secret_in_sentence(text, len);
	return where != IN_WORDS && tr2_secret_in_sentence(text, len);
}

/*
 * Is it the word that the row asks for? After options and quoted words, which are
 * counted, too, a later one may be it; so it may in a command line.
 */
static bool is_at_place(const struct tr2_secret_programs *programs, size_t i,
			enum where where)
{
	const unsigned place = tr2_secret_options[i].flags >> TR2_OPTION_SHIFT;
	const unsigned word = programs->rows[i] - TR2_OPTION_ACTIVE + 1U;

	if (programs->rows[i] < TR2_OPTION_ACTIVE || !place)
		return false;
	if (place == TR2_OPTION_EACH || word == place)
		return true;
	return word > place &&
	       (programs->more ||
		(where == IN_WORDS && !(tr2_secret_options[i].flags & LAST)));
}

/* Is the next word a secret by its place? */
static bool is_operand(const struct tr2_secret_programs *programs,
		       const char *text, size_t len, enum where where)
{
	const struct tr2_secret_option *option = tr2_secret_options;

	if (!programs->any || !len || *text == '-')
		return false;
	for (size_t i = 0; i < tr2_secret_option_count; i++)
		if (is_at_place(programs, i, where) &&
		    tr2_secret_may_be(option[i].value, text, len) &&
		    !may_be_word(option + i, text, len, where))
			return true;
	return false;
}

/* A quote may come before the line's end, and the bracket of PERF. */
static bool is_last(const struct tr2_secret_scan *scan, size_t at)
{
	at = tr2_secret_skip_on(scan, at, " \t\r\\\"'`];");
	return at == scan->len || scan->text[at] == '\n';
}

bool tr2_secret_find_option(struct tr2_secret_scan *scan, size_t at, size_t end,
			    struct tr2_secret_span *found)
{
	const bool whole = scan->words &&
			   (!scan->quote || scan->text[end] == scan->quote);
	const enum where where = whole		      ? IN_WORDS
				 : is_last(scan, end) ? LAST_IN_LINE
						      : IN_TEXT;
	bool quoted;

	if (!scan->programs.any)
		return false;
	if (find_named(scan, at, end, found))
		return true;
	quoted = memchr("=:%,/>$", scan->text[end - 1], 7) &&
		 has_quote(scan, end);
	if (!is_operand(&scan->programs, scan->text + at, end - at + quoted,
			where))
		return false;
	return tr2_secret_take(scan, at, tr2_secret_end_command(scan, at),
			       found);
}

/* ---- Their values */

/* Returns the byte before the password. */
static char find_mark(enum tr2_secret_value value)
{
	return value >= PERCENT && value <= GREATER ? "%,=/>"[value - PERCENT]
						    : ':';
}

/* An option, or NAME=VALUE. A token may have a `=`, too, but is no name. */
static bool has_other_shape(const char *text, size_t len)
{
	const char *equal;

	len = tr2_secret_skip_back(text, len, "=`'\"");
	equal = len ? memchr(text, '=', len) : NULL;
	return equal && !tr2_secret_mixed(text, (size_t)(equal - text));
}

/* Has it what comes before a password, and more after that? */
static bool has_password(const char *text, size_t len,
			 enum tr2_secret_value value)
{
	const char *mark = memchr(text, find_mark(value), len);
	const size_t user = mark ? (size_t)(mark - text) : 0;

	if (!mark || (value == SLASH && !user))
		return false;
	if (user + 1 == len) /* a token is a user without a password */
		return value == USER && tr2_secret_mixed(text, user);
	return value != PROXY || (memchr(mark, '@', len - user) &&
				  !tr2_text_find(text, len, "://"));
}

/* Is one of the parts random? A value in brackets or quotes has several. */
static bool has_random(const char *text, size_t len, bool strong)
{
	size_t at = 0, size;

	if (!strong && tr2_secret_mixed(text, len))
		return true;
	for (; at < len; at += size + 1) {
		for (size = 0;
		     at + size < len &&
		     !memchr(" \t\r\n'\"\\()[]{}$|", text[at + size], 14);)
			size++;
		if (strong ? tr2_secret_strong(text + at, size)
			   : tr2_secret_mixed(text + at, size))
			return true;
	}
	return false;
}

bool tr2_secret_may_be(enum tr2_secret_value value, const char *text,
		       size_t len)
{
	if (tr2_secret_is_shown(text, len))
		return false;
	if (value == TR2_SECRET_COMMAND)
		return tr2_text_find(text, len, "echo ") ||
		       tr2_text_find(text, len, "printf ");
	if (value == TR2_SECRET_RANDOM || value == TR2_SECRET_STRONG)
		return has_random(text, len, value == TR2_SECRET_STRONG);
	if (value == TR2_SECRET_LONG)
		return len >= LONG_LEAST;
	if (value == PAIRS)
		return memchr(text, '=', len);
	if (value == PLAIN)
		return !has_other_shape(text, len);
	return value < USER || has_password(text, len, value);
}
