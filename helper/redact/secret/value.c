#include "redact/secret/scan.h"

#include <string.h>

#include "event/token.h"
#include "lib/text/text.h"
#include "parts_rows.h"

#define STRONG_LEAST 24
#define WORD_LEAST 3 /* small letters of a word in a name */

/* A conversion such as `%s`, as formats of messages have, perhaps of a line. */
static bool is_conversion(const char *text, size_t len)
{
	size_t i = 1;

	if (len < 2 || *text != '%')
		return false;
	while (i < len && memchr("0123456789-.*$lzh", text[i], 17))
		i++;
	return i < len && memchr("sdiuxc", text[i], 6) &&
	       (i + 1 == len ||
		tr2_text_starts(text + i + 1, len - i - 1, "\\n"));
}

bool tr2_secret_is_shown(const char *text, size_t len)
{
	return !len || tr2_text_starts(text, len, TR2_SECRET_GONE) ||
	       is_conversion(text, len);
}

bool tr2_secret_take(const struct tr2_secret_scan *scan, size_t start,
		     size_t end, struct tr2_secret_span *found)
{
	*found = (struct tr2_secret_span){ start, end };
	return !tr2_secret_is_shown(scan->text + start, end - start);
}

bool tr2_secret_mixed(const char *text, size_t len)
{
	unsigned kinds = 0;

	for (size_t i = 0; i < len; i++)
		kinds |= tr2_token_byte(text[i]);
	return len >= 8 && kinds & TR2_TOKEN_DIGIT &&
	       kinds & (TR2_TOKEN_UPPER | TR2_TOKEN_LOWER) &&
	       !memchr(text, '/', len);
}

/* Are most bytes those of words, as in `ReleaseBuild01Linux`? */
static bool has_words(const char *text, size_t len)
{
	size_t run = 0, words = 0;

	for (size_t i = 0; i < len; i++) {
		run = tr2_token_byte(text[i]) == TR2_TOKEN_LOWER ? run + 1 : 0;
		words += run > WORD_LEAST ? 1 : run == WORD_LEAST ? run : 0;
	}
	return 2 * words > len;
}

/*
 * Hashes, and the numbers of keys, have letters of one case. A public key of SSH
 * begins with zeros.
 */
bool tr2_secret_strong(const char *text, size_t len)
{
	struct tr2_token token = { .len = 0 };
	unsigned kinds = 0;

	len = tr2_secret_skip_back(text, len, "=");
	for (size_t i = 0; i < len; i++) {
		kinds |= tr2_token_byte(text[i]);
		tr2_token_add(&token, text[i]);
	}
	return len >= STRONG_LEAST && kinds == TR2_TOKEN_ALNUM &&
	       !tr2_text_starts(text, len, "AAAA") && !has_words(text, len) &&
	       tr2_token_is_user(&token);
}

/* ---- Where a value ends */

size_t tr2_secret_skip_on(const struct tr2_secret_scan *scan, size_t at,
			  const char *bytes)
{
	while (at < scan->len && scan->text[at] &&
	       strchr(bytes, scan->text[at]))
		at++;
	return at;
}

size_t tr2_secret_skip_back(const char *text, size_t at, const char *bytes)
{
	while (at && text[at - 1] && strchr(bytes, text[at - 1]))
		at--;
	return at;
}

size_t tr2_secret_skip_blanks(const struct tr2_secret_scan *scan, size_t at)
{
	while (at < scan->len && tr2_secret_blank(scan->text[at]))
		at++;
	return at;
}

size_t tr2_secret_skip_word(const struct tr2_secret_scan *scan, size_t at)
{
	while (at < scan->len && !tr2_secret_space(scan->text[at]))
		at++;
	return at;
}

static bool ends_line(char c)
{
	return c == '\n' || c == '\r';
}

/* Does the line go on after this end of it, behind a blank? */
static bool is_folded(const struct tr2_secret_scan *scan, size_t at)
{
	if (scan->text[at] == '\r' && at + 1 < scan->len)
		at++;
	return scan->text[at] == '\n' && at + 1 < scan->len &&
	       tr2_secret_blank(scan->text[at + 1]);
}

/* Returns the place of the quote, or the end of the line or text. */
static size_t find_quote(const struct tr2_secret_scan *scan, size_t at,
			 char quote, bool in_line)
{
	for (; at < scan->len; at++) {
		if (in_line && ends_line(scan->text[at]) && is_folded(scan, at))
			continue;
		if (scan->text[at] == quote &&
		    !(in_line && at && scan->text[at - 1] == '\\'))
			break;
		if (in_line && ends_line(scan->text[at]))
			break;
	}
	return at;
}

size_t tr2_secret_skip_escapes(const struct tr2_secret_scan *scan, size_t at)
{
	while (at < scan->len && scan->text[at] == '\\')
		at++;
	return at;
}

bool tr2_secret_begins_quote(const struct tr2_secret_scan *scan, size_t start,
			     size_t at)
{
	return at < scan->len && tr2_secret_quote(scan->text[at]) &&
	       (at > start || scan->text[at] != scan->quote);
}

/* The value of a name in quotes: the `\` before the last quote is not of it. */
static size_t end_quoted(const struct tr2_secret_scan *scan, size_t start,
			 bool escaped)
{
	const char quote = scan->text[start - 1];
	size_t at = find_quote(scan, start, quote, false);

	while (!escaped && at < scan->len && scan->text[at - 1] == '\\')
		at = find_quote(scan, at + 1, quote, false);
	while (escaped && at > start && scan->text[at - 1] == '\\')
		at--;
	return at;
}

/* A `,` or `;` ends a value only if no more of it can follow. */
static bool ends_value(const struct tr2_secret_scan *scan, size_t at)
{
	const char c = scan->text[at];

	if (c == ' ' && at && scan->text[at - 1] == '\\')
		return false; /* for a shell */
	if ((unsigned char)c <= ' ' || c == 0x7f || c == '&' ||
	    tr2_secret_quote(c))
		return true;
	return (c == ',' || c == ';') &&
	       (at + 1 == scan->len ||
		(unsigned char)scan->text[at + 1] <= ' ');
}

size_t tr2_secret_measure_quote(const struct tr2_secret_scan *scan,
				size_t start)
{
	const char *text = scan->text + start;
	const size_t len = scan->len - start;
	size_t at = start;

	if (!(scan->quote && tr2_text_starts(text, len, "'\\")) &&
	    !tr2_text_starts(text, len, "'\\''") &&
	    !tr2_text_starts(text, len, "'\"'\"'"))
		return 0;
	while (at < scan->len && memchr("'\\\"", scan->text[at], 3))
		at++;
	return at - start;
}

/* Does an object begin here, or a list of which the first part is in quotes? */
static bool begins_list(const struct tr2_secret_scan *scan, size_t at)
{
	if (at >= scan->len || !memchr("[(", scan->text[at], 2))
		return at < scan->len && scan->text[at] == '{';
	at = tr2_secret_skip_on(scan, at + 1, " \t\r\n\\");
	return at < scan->len && tr2_secret_quote(scan->text[at]);
}

/*
 * Does a value begin here whose end only its language knows? So it is with
 * `$(echo VALUE)` and `<(echo VALUE)` of a shell, `$$VALUE$$` of PostgreSQL and
 * `"""VALUE"""` of TOML.
 */
bool tr2_secret_begins_open(const struct tr2_secret_scan *scan, size_t start)
{
	const size_t open = tr2_secret_skip_escapes(scan, start);
	const char *text = scan->text + open;
	const size_t len = scan->len - open;

	if (len < 3)
		return false;
	if (tr2_secret_begins_quote(scan, start, open))
		return text[1] == *text && text[2] == *text;
	if (memchr("|>", *text, 2)) /* of YAML, also `|-` */
		return memchr(text + 1, '\n', 2);
	if (!memchr("$<", *text, 2))
		return false;
	return text[1] == '(' ||
	       (*text == '$' &&
		memchr(text + 1, '$',
		       tr2_secret_skip_word(scan, open + 1) - open - 1));
}

/* Is the value joined to a quote, as in `N'VALUE'` and `Some("VALUE")`? */
static bool is_joined(const struct tr2_secret_scan *scan, size_t end)
{
	const size_t quoted = tr2_secret_skip_on(scan, end, "\\'\"");

	return quoted > end && quoted < scan->len &&
	       !memchr(" \t\r\n,;)]}", scan->text[quoted], 9) &&
	       (tr2_secret_measure_quote(scan, end) ||
		scan->text[end] != scan->quote || scan->text[end - 1] == '\\');
}

/* All to the end of the command line, or to that of the text. */
static bool take_open(const struct tr2_secret_scan *scan, size_t start,
		      bool lines, struct tr2_secret_span *found)
{
	return tr2_secret_take(
		scan, start,
		lines ? scan->len : tr2_secret_end_command(scan, start), found);
}

static size_t end_plain(const struct tr2_secret_scan *scan, size_t start)
{
	size_t end = tr2_secret_skip_scheme(scan, start);

	while (end < scan->len && !ends_value(scan, end))
		end++;
	return end;
}

bool tr2_secret_find_value(const struct tr2_secret_scan *scan, size_t start,
			   struct tr2_secret_span *found)
{
	const size_t open = tr2_secret_skip_escapes(scan, start);
	const size_t shell = tr2_secret_measure_quote(scan, start);
	const bool quoted = tr2_secret_begins_quote(scan, start, open);
	size_t end;

	if (shell) {
		start += shell;
		end = find_quote(scan, start, '\'', false);
	} else if (begins_list(scan, start) ||
		   tr2_secret_begins_open(scan, start)) {
		return take_open(scan, start,
				 quoted || memchr("|>", scan->text[start], 2),
				 found);
	} else if (quoted) {
		end = end_quoted(scan, open + 1, open > start);
		start = open + 1;
	} else {
		end = end_plain(scan, start);
		if (end > start && is_joined(scan, end))
			return take_open(scan, start, false, found);
	}
	return tr2_secret_take(scan, start, end, found);
}

/* ---- YAML */

/*
 * `NAME: !!str VALUE` and a value in the lines below, of which the end is that of
 * the text; and `NAME: string = VALUE`.
 */
bool tr2_secret_find_in_yaml(const struct tr2_secret_scan *scan, size_t start,
			     struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t end = tr2_secret_skip_word(scan, start);
	const size_t line = tr2_secret_skip_on(scan, end, "\r");
	const bool typed =
		tr2_text_starts(text + end, scan->len - end, " = ") &&
		tr2_ascii_alpha(text[start]);
	const bool below = end == start && line + 1 < scan->len &&
			   text[line] == '\n' &&
			   tr2_secret_blank(text[line + 1]);

	if (below || (end < scan->len && tr2_secret_blank(text[end]) &&
		      memchr("!&", text[start], 2)))
		return take_open(scan, below ? line + 1 : start, true, found);
	return typed && take_open(scan, start, false, found);
}

/* ---- Headers */

/* Skip `Name: `. */
static size_t skip_name(const struct tr2_secret_scan *scan, size_t start)
{
	const char *text = scan->text;
	size_t at = start;

	while (at < scan->len &&
	       (tr2_secret_alphanumeric(text[at]) || text[at] == '-'))
		at++;
	if (at == start || at == scan->len || text[at] != ':')
		return start;
	return tr2_secret_skip_blanks(scan, at + 1);
}

size_t tr2_secret_skip_scheme(const struct tr2_secret_scan *scan, size_t at)
{
	static const struct tr2_secret_part schemes[] =
		TR2_SECRET_PARTS(PARTS_SCHEMES);
	const struct tr2_secret_part *part = schemes;

	for (; part->text; part++)
		if (scan->len - at > part->len &&
		    tr2_secret_blank(scan->text[at + part->len]) &&
		    tr2_secret_word(scan->text + at, part->text, part->len))
			return tr2_secret_skip_blanks(scan, at + part->len);
	return at;
}

/* What is hidden already is seen at once: a line may have it many times. */
bool tr2_secret_find_header(const struct tr2_secret_scan *scan, size_t start,
			    char end, bool named, struct tr2_secret_span *found)
{
	const size_t open = tr2_secret_skip_escapes(scan, start);
	const bool quoted = tr2_secret_begins_quote(scan, start, open);

	if (quoted)
		start = open + 1;
	found->start = named ? skip_name(scan, start) : start;
	found->start = tr2_secret_skip_scheme(scan, found->start);
	if (tr2_text_starts(scan->text + found->start, scan->len - found->start,
			    TR2_SECRET_GONE))
		return false;
	found->end =
		quoted ? end_quoted(scan, start,
				    scan->text[open ? open - 1 : 0] == '\\')
		       : find_quote(scan, start, end ? end : '\n', true);
	return found->start < found->end &&
	       tr2_secret_take(scan, found->start, found->end, found);
}
