#include "redact/secret/scan.h"

#include <string.h>

#include "lib/text/text.h"
#include "parts_rows.h"

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

/* ---- The walk */

/* A blank, a quote, or `\`s before one. */
static bool ends_word(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text + at;

	while (*text == '\\' && text + 1 < scan->text + scan->len)
		text++;
	return tr2_secret_space(*text) || tr2_secret_quote(*text);
}

static bool begins_after(const char *text, size_t at)
{
	return !at || tr2_secret_space(text[at - 1]) ||
	       tr2_secret_quote(text[at - 1]);
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

/* Where a secret may be, by a byte before it. */
static bool find_after_byte(struct tr2_secret_scan *scan, size_t at,
			    struct tr2_secret_span *found)
{
	static const struct {
		const char *bytes;
		tr2_secret_find_fn *find;
	} finders[] = {
		{ "=:, \t", tr2_secret_find_named },
		{ ":", tr2_secret_find_account },
		{ ",(", tr2_secret_find_in_list },
		{ " \t\n", tr2_secret_find_netrc },
		{ " \t", tr2_secret_find_told },
		{ ">", tr2_secret_find_element },
		{ "'\"$", tr2_secret_find_literal },
		{ "-", tr2_secret_find_key },
		{ "|", tr2_secret_find_cell },
	};
	const char c = scan->text[at];

	if (!c || tr2_secret_alphanumeric(c) || !strchr("=:, \t(\n>'\"$-|", c))
		return false;
	/* Many blanks take no longer than their length. */
	if (tr2_secret_blank(c) && at && tr2_secret_blank(scan->text[at - 1]))
		return false;
	for (size_t i = 0; i < sizeof(finders) / sizeof(*finders); i++)
		if (strchr(finders[i].bytes, c) &&
		    finders[i].find(scan, at, found))
			return true;
	return false;
}

/* `word` is the end of the word that begins here, or 0. */
static bool find_here(struct tr2_secret_scan *scan, size_t at, size_t word,
		      struct tr2_secret_span *found)
{
	if (word && (tr2_secret_find_option(scan, at, word, found) ||
		     tr2_secret_find_piped(scan, at, word, found)))
		return true;
	if (find_after_byte(scan, at, found))
		return true;
	if (!is_word_byte(scan->text[at]) || !begins_word(scan->text, at))
		return false;
	return tr2_secret_find_token(scan, at, found);
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

/* `$pw = ConvertTo-SecureString VALUE`: the word after the name is a program. */
static void note_program(struct tr2_secret_scan *scan,
			 const struct tr2_secret_span *found)
{
	if (tr2_secret_find_row(scan->text + found->start,
				found->end - found->start) >= 0)
		tr2_secret_note_in_text(scan, found->start, found->end);
}

bool tr2_secret_find_next(struct tr2_secret_scan *scan, size_t *at,
			  struct tr2_secret_span *found)
{
	size_t word;

	while (*at < scan->len) {
		word = end_word(scan, *at);
		if (find_here(scan, *at, word, found)) {
			note_program(scan, found);
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

	if (!scan->len) /* an empty text may be NULL */
		return;
	while (tr2_secret_find_next(scan, &at, &found)) {
		tr2_buf_add(out, scan->text + done, found.start - done);
		tr2_buf_str(out, TR2_SECRET_GONE);
		done = found.end;
	}
	tr2_buf_add(out, scan->text + done, scan->len - done);
}

static void walk_text(struct tr2_secret_scan *scan, struct tr2_buf *out)
{
	if (tr2_view_differs(scan->text, scan->len))
		tr2_secret_walk_seen(scan, out);
	else
		tr2_secret_walk_plain(scan, out);
}

void tr2_secret_hide(struct tr2_buf *out, const char *text, size_t len)
{
	struct tr2_secret_scan scan = { .text = text, .len = len };

	walk_text(&scan, out);
}

void tr2_secret_hide_pair(struct tr2_buf *out, const char *text, size_t len)
{
	struct tr2_secret_scan scan = { .text = text,
					.len = len,
					.pairs = true };

	walk_text(&scan, out);
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

/* ---- Words of a command line */

static bool is_name(const char *text, size_t len)
{
	return len && !tr2_secret_begin_word(text, len, "_-.", len);
}

/* A secret may begin with a `-`, but a word such as `--all` is none. */
static bool is_option(const char *text, size_t len)
{
	return tr2_text_starts(text, len, "--") ||
	       (len == 2 && *text == '-' && tr2_ascii_alpha(text[1]));
}

/* Returns where the last part of the key of a setting begins. */
static size_t find_last_part(const char *text, size_t len)
{
	size_t at = len;

	while (at && !memchr(".:/", text[at - 1], 3))
		at--;
	return at;
}

/*
 * What is the word after `--NAME`, or after the key of a setting? That of
 * `GIT_CONFIG_KEY_0=a.token` tells what `GIT_CONFIG_VALUE_0=` is.
 */
static enum tr2_secret_value find_next(const struct tr2_secret_words *words,
				       const char *text, size_t len)
{
	const size_t last = find_last_part(text, len);
	const bool config = words->config || words->programs.config ||
			    tr2_text_starts(text, len, "GIT_CONFIG_KEY_");
	size_t dashes = 0;
	enum tr2_secret_value next;

	while (dashes < len && text[dashes] == '-')
		dashes++;
	if (dashes)
		return is_name(text + dashes, len - dashes)
			       ? tr2_secret_name(text, len, false)
			       : TR2_SECRET_NONE;
	if ((!last && !config) || !is_name(text + last, len - last))
		return TR2_SECRET_NONE;
	next = tr2_secret_name(text, len, false);
	return config || next == TR2_SECRET_EXTRA ? next : TR2_SECRET_NONE;
}

/* `Basic`, of which the secret is apart. */
static bool is_scheme(const char *text, size_t len)
{
#define SCHEME(table, word, ...) word " "
	if (len && text[len - 1] == '\\')
		len--;
	return tr2_secret_is_one(text, len, PARTS_SCHEMES(SCHEME));
}

/* `=`, `:` or `:=`, a word between a name and its value. */
static bool is_mark(const char *text, size_t len)
{
	return tr2_secret_is_one(text, len, "= : := =>");
}

/* What does the name say before this mark, which may have escapes before it? */
static enum tr2_secret_value read_marked(const struct tr2_secret_scan *scan,
					 size_t at)
{
	const bool equal = scan->text[at] == '=';

	if (equal && memchr(scan->text, '.', at))
		return TR2_SECRET_NONE; /* a setting that is made empty */
	at = tr2_secret_skip_back(scan->text, at, equal ? "\\:" : "\\");
	return tr2_secret_name_before(scan, at);
}

/* `Authorization:` or `Authorization:Basic`, perhaps in quotes, and `NAME=`. */
static enum tr2_secret_value find_after_mark(const char *text, size_t len)
{
	const struct tr2_secret_scan scan = { .text = text, .len = len };
	enum tr2_secret_value value;
	size_t end = len;

	while (end && !memchr(":=", text[end - 1], 2))
		end--;
	if (end < 2)
		return TR2_SECRET_NONE;
	value = read_marked(&scan, end - 1);
	if (value != TR2_SECRET_NONE && is_scheme(text + end, len - end))
		return TR2_SECRET_VALUE;
	return end == len || (end + 1 == len && text[end - 1] == ':' &&
			      !tr2_secret_alphanumeric(text[end]))
		       ? value
		       : TR2_SECRET_NONE;
}

static enum tr2_secret_value find_after(struct tr2_secret_words *words,
					const char *text, size_t len)
{
	enum tr2_secret_value next = find_next(words, text, len);

	if (is_mark(text, len))
		next = tr2_secret_name(words->before, words->before_len, false);
	words->before_len = 0;
	if (len <= sizeof(words->before) && is_name(text, len)) {
		memcpy(words->before, text, len);
		words->before_len = len;
	}
	if (next == TR2_SECRET_NONE) {
		next = find_after_mark(text, len);
		words->colon = next != TR2_SECRET_NONE;
	}
	return next;
}

static void note_word(struct tr2_secret_words *words, const char *text,
		      size_t len)
{
	tr2_secret_note_word(&words->programs, text, len);
	words->config |= tr2_text_is(text, len, "config") ||
			 tr2_text_is(text, len, "configure");
}

/* The words that a word has may be options of the program, or its commands. */
static void walk_word(const struct tr2_secret_words *words, struct tr2_buf *out,
		      const char *text, size_t len, bool message)
{
	struct tr2_secret_scan scan = {
		.text = text, .len = len, .word = true, .message = message
	};

	if (words->programs.any && memchr(text, ' ', len)) {
		scan.programs = words->programs;
		scan.programs.config = false;
		tr2_secret_forget_counts(&scan.programs);
	}
	scan.programs.message = words->programs.message;
	walk_text(&scan, out);
}

static void put_word(struct tr2_secret_words *words, struct tr2_buf *out,
		     const char *text, size_t len)
{
	enum tr2_secret_value value = TR2_SECRET_NONE;
	size_t option =
		tr2_secret_measure_option(&words->programs, text, len, &value);
	const enum tr2_secret_value placed =
		option ? TR2_SECRET_NONE
		       : tr2_secret_find_operand(&words->programs, text, len,
						 TR2_SECRET_IN_WORDS);

	const bool message =
		words->programs.message &&
		tr2_secret_ends_message(words->before, words->before_len);

	words->colon = false;
	words->next = option && option == len ? value
					      : find_after(words, text, len);
	if (tr2_secret_note_netrc(&words->netrc, text, len))
		words->next = TR2_SECRET_VALUE;
	if (option && option < len) {
		tr2_buf_add(out, text, option);
		tr2_secret_hide_value(out, value, text + option, len - option);
	} else if (placed) {
		tr2_secret_hide_value(out, placed, text, len);
	} else {
		walk_word(words, out, text, len, message);
	}
	note_word(words, text, len);
}

/* `keytool -storepasswd -new PASSWORD`: the first word has no value. */
static bool is_known_option(const struct tr2_secret_words *words,
			    const char *text, size_t len)
{
	enum tr2_secret_value value;

	return len && *text == '-' &&
	       tr2_secret_measure_option(&words->programs, text, len, &value) ==
		       len;
}

/* Is the word none that an option or a name before it has? */
static bool is_no_value(const struct tr2_secret_words *words,
			enum tr2_secret_value next, const char *text,
			size_t len)
{
	struct tr2_secret_span all = { 0, len };

	return next == TR2_SECRET_NONE || is_option(text, len) ||
	       is_known_option(words, text, len) ||
	       ((next == TR2_SECRET_PROXY || next == TR2_SECRET_STRONG) &&
		!tr2_secret_narrow(text, next, &all)) ||
	       (words->colon && find_after_mark(text, len));
}

void tr2_secret_hide_word(struct tr2_secret_words *words, struct tr2_buf *out,
			  const char *text, size_t len)
{
	const bool printed = tr2_secret_is_printed(words, text, len);
	const enum tr2_secret_value next = printed ? TR2_SECRET_VALUE
						   : words->next;

	words->next = TR2_SECRET_NONE;
	if (next != TR2_SECRET_NONE && is_mark(text, len)) {
		words->next = next;
		tr2_buf_add(out, text, len);
		return;
	}
	if (is_no_value(words, next, text, len)) {
		put_word(words, out, text, len);
		return;
	}
	if (printed || (len && *text == '(')) /* or the value of a command */
		note_word(words, text, len);
	words->programs.letter = '\0';
	words->netrc.state = words->netrc.state == TR2_NETRC_NONE
				     ? TR2_NETRC_NONE
				     : TR2_NETRC_WORD;
	if (next == TR2_SECRET_LINE && is_scheme(text, len))
		words->next = TR2_SECRET_VALUE;
	tr2_secret_hide_value(out, next, text, len);
}
