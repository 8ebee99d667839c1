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
#define FIRST TR2_OPTION_FIRST
#define LETTERS TR2_OPTION_LETTERS
#define CLUSTER TR2_OPTION_CLUSTER
#define SLASHES TR2_OPTION_SLASHES
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

/* Skip `-sS` of `-sSu`. */
static size_t skip_letters(const struct tr2_secret_option *option,
			   const char *text, size_t len)
{
	static const char plain[] = "#0123456aBfgGiIjJklLMnNOpqRsSvZ";
	size_t at = 1;

	while (option->flags & LETTERS && at < len &&
	       memchr(plain, text[at], sizeof(plain) - 1))
		at++;
	return at;
}

/* Returns the length of such an option of one letter, or 0. */
static size_t match_letter(const struct tr2_secret_option *option, char letter,
			   const char *text, size_t len)
{
	const size_t at = skip_letters(option, text, len);

	if (option->flags & CLUSTER && text[len - 1] == letter &&
	    tr2_secret_is_cluster(text, len))
		return len;
	return *text == '-' && at < len && text[at] == letter ? at + 1 : 0;
}

/* Returns the length of this name of an option, before its value, or 0. */
static size_t match_name(const struct tr2_secret_option *option,
			 const char *name, size_t size, const char *text,
			 size_t len)
{
	if (size == 2 && *name == '-')
		return match_letter(option, name[1], text, len);
	if (len < size || memcmp(text, name, size))
		return 0;
	if (len == size || option->value == JOINED || name[size - 1] == ':')
		return size;
	return *name == '-' && text[size] == '=' ? size + 1 : 0;
}

size_t tr2_secret_match_option(const struct tr2_secret_option *option,
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

size_t tr2_secret_measure_option(const struct tr2_secret_programs *programs,
				 const char *text, size_t len,
				 enum tr2_secret_value *value)
{
	const struct tr2_secret_option *option = tr2_secret_options;
	size_t found;

	for (size_t i = 0; programs->any && i < tr2_secret_option_count; i++) {
		if (programs->rows[i] != TR2_OPTION_ACTIVE ||
		    option[i].flags >> TR2_OPTION_SHIFT)
			continue;
		found = tr2_secret_match_option(option + i, text, len);
		if (!found)
			continue;
		*value = option[i].value == JOINED ? VALUE : option[i].value;
		return found;
	}
	return 0;
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

/* Is the value apart from the option, and begins none? */
static bool is_next_option(const struct tr2_secret_scan *scan, size_t start,
			   enum tr2_secret_value value)
{
	const char *text = scan->text + start;
	const size_t len = scan->len - start;

	return tr2_text_starts(text, len, "--") ||
	       (value != VALUE && len && *text == '-');
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

/* `NAME='VALUE'`, of which the word ends before the quote. */
static void add_quoted(const struct tr2_secret_scan *scan,
		       struct tr2_secret_span *found)
{
	const size_t end = found->end;
	struct tr2_secret_span value;

	if (end > found->start && scan->text[end - 1] == '=' &&
	    end < scan->len && tr2_secret_find_value(scan, end, &value))
		found->end = value.end;
}

static bool find_named(struct tr2_secret_scan *scan, size_t at, size_t end,
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
	if (!tr2_secret_find_value(&next, start, found))
		return false;
	add_quoted(&next, found);
	return tr2_secret_narrow(scan->text, value, found);
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

/* `>PASSWORD` is one for Redis, which has it in quotes in a shell. */
static bool is_no_word(const struct tr2_secret_option *option, const char *text,
		       size_t len)
{
	return tr2_secret_is_option_of(option, text, len) ||
	       (*text == '\\' && option->flags & SLASHES) ||
	       (option->value != GREATER &&
		tr2_secret_is_redirection(text, len));
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

/* May a word that looks like this be one of a sentence? */
static bool may_be_word(const struct tr2_secret_option *option,
			const char *text, size_t len,
			enum tr2_secret_where where)
{
	if (option->value != PLAIN)
		return false;
	if (option->flags & LAST)
		return where == TR2_SECRET_IN_TEXT || is_title(text, len) ||
		       tr2_secret_in_sentence(text, len);
	return where != TR2_SECRET_IN_WORDS &&
	       tr2_secret_in_sentence(text, len);
}

static bool is_at_place(const struct tr2_secret_option *option, unsigned row,
			const char *text, size_t len,
			enum tr2_secret_where where)
{
	const unsigned place = option->flags >> TR2_OPTION_SHIFT;
	struct tr2_secret_span all = { 0, len };

	if (row < TR2_OPTION_ACTIVE || row & TR2_OPTION_SKIP || !place ||
	    (place != TR2_OPTION_EACH && row - TR2_OPTION_ACTIVE + 1 != place))
		return false;
	return !is_no_word(option, text, len) &&
	       tr2_secret_narrow(text, option->value, &all) &&
	       !may_be_word(option, text, len, where);
}

enum tr2_secret_value
tr2_secret_find_operand(const struct tr2_secret_programs *programs,
			const char *text, size_t len,
			enum tr2_secret_where where)
{
	const struct tr2_secret_option *option = tr2_secret_options;

	if (!programs->any || !len)
		return TR2_SECRET_NONE;
	for (size_t i = 0; i < tr2_secret_option_count; i++)
		if (is_at_place(option + i, programs->rows[i], text, len,
				where))
			return option[i].value;
	return TR2_SECRET_NONE;
}

/* Returns where the word's quote begins, if it is in one. */
static size_t find_opening(const struct tr2_secret_scan *scan, size_t at)
{
	if (!at || !tr2_secret_quote(scan->text[at - 1]))
		return at;
	return tr2_secret_skip_back(scan->text, at - 1, "\\");
}

/* `NAME="VALUE"`, of which the value begins after the `=`. */
static bool find_equal(const struct tr2_secret_scan *scan, size_t at,
		       size_t end, struct tr2_secret_span *found)
{
	const char *equal = memchr(scan->text + at, '=', end - at);

	return equal && tr2_secret_find_value(
				scan, (size_t)(equal + 1 - scan->text), found);
}

/* A quote may come before the line's end, and the bracket of PERF. */
static bool is_last(const struct tr2_secret_scan *scan, size_t at)
{
	at = tr2_secret_skip_on(scan, at, " \t\r\\\"'`];");
	return at == scan->len || scan->text[at] == '\n';
}

static bool find_placed(struct tr2_secret_scan *scan, size_t at, size_t end,
			struct tr2_secret_span *found)
{
	struct tr2_secret_scan next = *scan;
	const size_t start = find_opening(scan, at);
	const bool around = start < at && !scan->programs.quote;
	enum tr2_secret_value value;

	next.quote = '\0';
	if (!tr2_secret_find_value(&next, around ? start : at, found) ||
	    found->start == found->end)
		return false;
	add_quoted(&next, found);
	if (found->end < end && scan->text[found->end] != '$')
		found->end = end;
	value = tr2_secret_find_operand(&scan->programs,
					scan->text + found->start,
					found->end - found->start,
					is_last(scan, found->end)
						? TR2_SECRET_LAST
						: TR2_SECRET_IN_TEXT);
	if (value == TR2_SECRET_NONE ||
	    !(value == EQUAL && !around
		      ? find_equal(&next, at, end, found)
		      : tr2_secret_narrow(scan->text, value, found)))
		return false;
	tr2_secret_note_word(&scan->programs, "", 0);
	return true;
}

bool tr2_secret_find_option(struct tr2_secret_scan *scan, size_t at, size_t end,
			    struct tr2_secret_span *found)
{
	return scan->programs.any && (find_named(scan, at, end, found) ||
				      find_placed(scan, at, end, found));
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
	return value >= PERCENT && value <= GREATER ? "%,=/>"[value - PERCENT]
						    : ':';
}

/* An option, or NAME=VALUE. A token may have a `=`, too, but is no name. */
static bool has_other_shape(const char *text, size_t len)
{
	const char *equal;

	len = tr2_secret_skip_back(text, len, "=");
	equal = len ? memchr(text, '=', len) : NULL;
	if (!equal)
		return len && *text == '-';
	return *text == '-' || !tr2_secret_mixed(text, (size_t)(equal - text));
}

/* Returns where USER/PASSWORD@HOST and the like end, or 0: it is none. */
static size_t end_login(const char *text, size_t len, size_t mark,
			enum tr2_secret_value value)
{
	const char *last = find_last(text, len, '@');
	const size_t at = last ? (size_t)(last - text) : 0;

	if (value == PROXY)
		return at > mark && !tr2_text_find(text, len, "://") ? at : 0;
	return value == SLASH && at > mark ? at : len;
}

/* `TOKEN:`, `TOKEN:x-oauth-basic`, and a user that looks like a token. */
static bool is_token_user(const char *text, const char *mark, size_t len)
{
	const size_t user = (size_t)(mark - text);
	struct tr2_token token = { .len = 0 };

	for (size_t i = 0; i < user; i++)
		tr2_token_add(&token, text[i]);
	return tr2_token_is_user(&token) || user + 1 == len
		       ? tr2_secret_mixed(text, user)
		       : tr2_text_is(mark + 1, len - user - 1, "x-oauth-basic");
}

/* May the whole word be such a value? */
static bool is_whole(const char *text, size_t len, enum tr2_secret_value value)
{
	if (value == TR2_SECRET_RANDOM)
		return tr2_secret_mixed(text, len);
	if (value == TR2_SECRET_STRONG)
		return tr2_secret_strong(text, len);
	if (value == TR2_SECRET_LONG)
		return len >= LONG_LEAST;
	if (value == PAIRS ? !memchr(text, '=', len)
			   : value == PLAIN && has_other_shape(text, len))
		return false;
	return !tr2_secret_is_shown(text, len);
}

/* What is hidden is found again, or the name of the option would tell. */
static bool is_password(const char *text, size_t len)
{
	return len && (*text == '<' || !tr2_secret_is_shown(text, len));
}

bool tr2_secret_narrow(const char *text, enum tr2_secret_value value,
		       struct tr2_secret_span *found)
{
	const char *start = text + found->start;
	const size_t len = found->end - found->start;
	const char *mark = memchr(start, find_mark(value), len);
	size_t end;

	if (value == TR2_SECRET_COMMAND)
		return tr2_secret_narrow_echo(text, found);
	if (value < USER || value >= PLAIN)
		return is_whole(start, len, value);
	if (value == SLASH && mark == start)
		return false;
	if (value == USER && mark && is_token_user(start, mark, len))
		return !tr2_secret_is_shown(start, len);
	end = mark ? end_login(start, len, (size_t)(mark - start), value) : 0;
	if (!end)
		return false;
	found->end = found->start + end;
	found->start = (size_t)(mark + 1 - text);
	return is_password(mark + 1, found->end - found->start);
}
