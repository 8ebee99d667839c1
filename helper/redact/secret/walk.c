#include "redact/secret/secret.h"

#include <string.h>

#include "base/ascii.h"
#include "event/token.h"
#include "redact/secret/bytes.h"
#include "redact/secret/view.h"
#include "lib/text/text.h"

#define SCHEME_LEAST 8 /* bytes of what follows `bearer` */

static bool is_word_byte(char c)
{
	return tr2_secret_in(c, "_");
}

/* A byte of a URL may be spelled as `%3A`. */
static bool begins_word(const char *text, size_t at)
{
	return !at || !is_word_byte(text[at - 1]) ||
	       (at > 2 && text[at - 3] == '%');
}

/* `bearer TOKEN` also where no name comes before it */
static bool find_after_scheme(const struct tr2_secret_scan *scan, size_t at,
			      struct tr2_secret_span *found)
{
	unsigned kinds = 0;

	if (!memchr("bBnN", scan->text[at], 4) &&
	    !(scan->len - at > 4 &&
	      tr2_secret_word(scan->text + at, "dpop", 4)))
		return false;
	found->start = tr2_secret_skip_scheme(scan, at);
	if (found->start == at)
		return false;
	found->end = tr2_secret_skip_kinds(
		scan, found->start, TR2_TOKEN_ALL | TR2_TOKEN_MORE, &kinds);
	return found->end - found->start >= SCHEME_LEAST &&
	       (kinds & (TR2_TOKEN_DIGIT | TR2_TOKEN_MORE));
}

/* ---- Private keys */

size_t tr2_secret_measure_key(const char *text, size_t len)
{
	static const char begin[] = "-----BEGIN ", key[] = "PRIVATE KEY";
	const size_t size = sizeof(begin) - 1;
	const char *end;

	if (!tr2_text_starts(text, len, begin))
		return 0;
	end = tr2_text_find(text + size, len - size, "-----");
	return end && tr2_text_find(text, (size_t)(end - text), key)
		       ? (size_t)(end + 5 - text)
		       : 0;
}

static bool find_key(const struct tr2_secret_scan *scan, size_t at,
		     struct tr2_secret_span *found)
{
	const size_t size =
		tr2_secret_measure_key(scan->text + at, scan->len - at);
	const char *end;

	if (!size)
		return false;
	at += size;
	end = tr2_text_find(scan->text + at, scan->len - at, "-----END");
	return tr2_secret_take(
		scan, at, end ? (size_t)(end - scan->text) : scan->len, found);
}

/* ---- The walk */

/* A blank, a quote, or `\`s before one. */
static bool ends_word(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text + at;

	while (*text == '\\' && text + 1 < scan->text + scan->len)
		text++;
	return tr2_secret_space(*text) || tr2_secret_quote(*text);
}

/* Does an escape sequence that sets a colour end here? JSON has `\u001b`. */
static bool ends_colour(const char *text, size_t at)
{
	if (!at || text[--at] != 'm')
		return false;
	while (at && (tr2_ascii_digit(text[at - 1]) || text[at - 1] == ';'))
		at--;
	return at > 1 && text[at - 1] == '[' &&
	       (text[at - 2] == '\x1b' ||
		(at > 2 && !memcmp(text + at - 3, "1b", 2)));
}

static bool begins_after(const char *text, size_t at)
{
	return !at || tr2_secret_space(text[at - 1]) ||
	       tr2_secret_quote(text[at - 1]) || ends_colour(text, at);
}

/*
 * Returns the end of the word that begins here, or 0: none does. The `,` of a
 * list is none.
 */
static size_t end_word(const struct tr2_secret_scan *scan, size_t at)
{
	size_t end = at;

	if (!begins_after(scan->text, at))
		return 0;
	while (end < scan->len && !ends_word(scan, end))
		end++;
	if (end > at && end < scan->len && scan->text[end - 1] == ',')
		end--;
	return end > at ? end : 0;
}

/* `("NAME", "VALUE")`, or a call, where the comma is. */
static bool find_in_list(const struct tr2_secret_scan *scan, size_t at,
			 struct tr2_secret_span *found)
{
	return tr2_secret_find_tuple(scan, at, found) ||
	       tr2_secret_find_argument(scan, at, found);
}

/*
 * What a name, or what a URL or a line of .netrc has there. Of many blanks only
 * the first one can tell, so that they take no longer than their length.
 */
static bool find_after_name(struct tr2_secret_scan *scan, size_t at,
			    struct tr2_secret_span *found)
{
	if (at && tr2_secret_blank(scan->text[at]) &&
	    tr2_secret_blank(scan->text[at - 1]))
		return false;
	if (tr2_secret_find_named(scan, at, found))
		return true;
	if (scan->text[at] == ':')
		return tr2_secret_find_login(scan, at, found) ||
		       tr2_secret_find_bare(scan, at, found) ||
		       tr2_secret_find_pgpass(scan, at, found);
	if (scan->text[at] == ',')
		return find_in_list(scan, at, found);
	return tr2_secret_blank(scan->text[at]) &&
	       (tr2_secret_find_netrc(scan, at, found) ||
		tr2_secret_find_told(scan, at, found) ||
		tr2_secret_find_bracketed(scan, at, found));
}

static bool find_at_sign(struct tr2_secret_scan *scan, size_t at,
			 struct tr2_secret_span *found)
{
	if (memchr(":=, \t", scan->text[at], 5))
		return find_after_name(scan, at, found);
	switch (scan->text[at]) {
	case '(':
		return tr2_secret_find_argument(scan, at, found);
	case '\n':
		return tr2_secret_find_netrc(scan, at, found);
	case '>':
		return tr2_secret_find_element(scan, at, found);
	case '\'':
	case '"':
	case '$':
		return tr2_secret_find_literal(scan, at, found);
	case '-':
		return find_key(scan, at, found);
	default:
		return false;
	}
}

/* `word` is the end of the word that begins here, or 0. */
static bool find_here(struct tr2_secret_scan *scan, size_t at, size_t word,
		      struct tr2_secret_span *found)
{
	if (word && (tr2_secret_find_option(scan, at, word, found) ||
		     tr2_secret_find_piped(scan, at, word, found)))
		return true;
	if (find_at_sign(scan, at, found))
		return true;
	if (!is_word_byte(scan->text[at]) || !begins_word(scan->text, at))
		return false;
	return tr2_secret_find_shape(scan, at, found) ||
	       tr2_secret_find_token(scan, at, found) ||
	       find_after_scheme(scan, at, found) ||
	       tr2_secret_find_place(scan, at, found);
}

/* A `\` before its end goes on with a shell's line. */
static void end_line(struct tr2_secret_scan *scan, size_t at)
{
	scan->quote = '\0';
	scan->inside = false;
	if (!at || scan->text[at - 1] != '\\')
		scan->programs = (struct tr2_secret_programs){ 0 };
}

/* A `'` after a letter is an apostrophe, unless a quote is open. */
static void note_quote(struct tr2_secret_scan *scan, size_t at)
{
	const char c = scan->text[at];

	if (c == '\n')
		end_line(scan, at);
	if ((c != '"' && c != '\'') || (at && scan->text[at - 1] == '\\'))
		return;
	if (scan->quote == c) {
		if (scan->inside)
			scan->programs = scan->outer;
		scan->inside = false;
		scan->quote = '\0';
	} else if (!scan->quote && (!at || !is_word_byte(scan->text[at - 1])))
		scan->quote = c;
}

bool tr2_secret_find_next(struct tr2_secret_scan *scan, size_t *at,
			  struct tr2_secret_span *found)
{
	size_t word;

	while (*at < scan->len) {
		word = end_word(scan, *at);
		if (find_here(scan, *at, word, found)) {
			*at = found->end;
			return true;
		}
		if (word) {
			tr2_secret_note_in_text(scan, *at, word);
			tr2_secret_note_line(&scan->netrc, scan->text + *at,
					     word - *at);
		}
		note_quote(scan, (*at)++);
	}
	return false;
}

void tr2_secret_walk_plain(struct tr2_secret_scan *scan, struct tr2_buf *out)
{
	struct tr2_secret_span found;
	size_t done = 0, at = 0;

	while (tr2_secret_find_next(scan, &at, &found)) {
		tr2_buf_add(out, scan->text + done, found.start - done);
		tr2_buf_str(out, TR2_SECRET_GONE);
		done = found.end;
	}
	tr2_buf_add(out, scan->text + done, scan->len - done);
}

void tr2_secret_walk(struct tr2_secret_scan *scan, struct tr2_buf *out)
{
	if (tr2_view_differs(scan->text, scan->len))
		tr2_secret_walk_seen(scan, out);
	else
		tr2_secret_walk_plain(scan, out);
}

void tr2_secret_hide(struct tr2_buf *out, const char *text, size_t len)
{
	struct tr2_secret_scan scan = { .text = text, .len = len };

	tr2_secret_walk(&scan, out);
}

void tr2_secret_hide_pair(struct tr2_buf *out, const char *text, size_t len)
{
	struct tr2_secret_scan scan = { .text = text,
					.len = len,
					.pairs = true };

	tr2_secret_walk(&scan, out);
}

void tr2_secret_hide_value(struct tr2_buf *out, enum tr2_secret_value value,
			   const char *text, size_t len)
{
	struct tr2_secret_scan scan = { .text = text, .len = len };
	struct tr2_secret_span found = { 0, len };
	bool hidden;

	if (value == TR2_SECRET_NONE) {
		tr2_secret_hide(out, text, len);
		return;
	}
	if (value == TR2_SECRET_VALUE || value >= TR2_SECRET_USER)
		hidden = tr2_secret_narrow(text, value, &found);
	else
		hidden = tr2_secret_find_header(
			&scan, 0, '\0', value == TR2_SECRET_EXTRA, &found);
	if (!hidden) {
		if (value >= TR2_SECRET_USER)
			tr2_secret_hide(out, text, len);
		else
			tr2_buf_add(out, text, len);
		return;
	}
	tr2_buf_add(out, text, found.start);
	tr2_buf_str(out, TR2_SECRET_GONE);
	tr2_secret_hide(out, text + found.end, len - found.end);
}
