/* The words of a command line, each a text of its own. */
#include "redact/secret/scan.h"

#include <string.h>

#include "lib/text/text.h"
#include "parts_rows.h"

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
		      const char *text, size_t len)
{
	struct tr2_secret_scan scan = { .text = text,
					.len = len,
					.word = true };

	if (words->programs.any && memchr(text, ' ', len)) {
		scan.programs = words->programs;
		scan.programs.config = false;
	}
	tr2_secret_walk(&scan, out);
}

static void put_word(struct tr2_secret_words *words, struct tr2_buf *out,
		     const char *text, size_t len)
{
	enum tr2_secret_value value = TR2_SECRET_NONE;
	const size_t option =
		tr2_secret_measure_option(&words->programs, text, len, &value);
	const bool placed = !option &&
			    tr2_secret_is_operand(&words->programs, text, len,
						  TR2_SECRET_IN_WORDS);
	words->colon = false;
	words->rest = option && option == len;
	words->next = words->rest ? value : find_after(words, text, len);
	if (tr2_secret_note_netrc(&words->netrc, text, len))
		words->next = TR2_SECRET_VALUE;
	if (option && option < len) {
		tr2_buf_add(out, text, option);
		words->gone =
			tr2_secret_may_be(value, text + option, len - option);
		tr2_secret_hide_value(out, value, text + option, len - option);
	} else if (placed) {
		words->gone = true;
		tr2_secret_hide_value(out, TR2_SECRET_VALUE, text, len);
	} else {
		walk_word(words, out, text, len);
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
	return next == TR2_SECRET_NONE || is_option(text, len) ||
	       is_known_option(words, text, len) ||
	       ((next == TR2_SECRET_PROXY || next == TR2_SECRET_STRONG) &&
		!tr2_secret_may_be(next, text, len)) ||
	       (words->colon && find_after_mark(text, len));
}

/* After `printf`, a conversion and the name of a secret, any word may be it. */
static void note_printf(struct tr2_secret_words *words, const char *text,
			size_t len)
{
	if (words->printf) {
		words->percent |= len && memchr(text, '%', len);
		words->named |= tr2_secret_names_any(text, len) ||
				tr2_secret_is_format(text, len);
		words->gone = words->percent && words->named;
	}
	words->printf |= tr2_secret_ends_in(text, len, "printf");
}

void tr2_secret_hide_word(struct tr2_secret_words *words, struct tr2_buf *out,
			  const char *text, size_t len)
{
	const enum tr2_secret_value next = words->gone ? TR2_SECRET_VALUE
						       : words->next;
	const bool rest = words->rest;

	if (words->gone) {
		tr2_secret_hide_value(out, next, text, len);
		return;
	}
	note_printf(words, text, len);
	words->next = TR2_SECRET_NONE;
	words->rest = false;
	if (next != TR2_SECRET_NONE && is_mark(text, len)) {
		words->next = next;
		tr2_buf_add(out, text, len);
		return;
	}
	if (is_no_value(words, next, text, len)) {
		put_word(words, out, text, len);
		return;
	}
	if (len && *text == '(') /* the value of a command */
		note_word(words, text, len);
	if (next == TR2_SECRET_LINE && is_scheme(text, len))
		words->next = TR2_SECRET_VALUE;
	words->gone |= rest && tr2_secret_may_be(next, text, len);
	tr2_secret_hide_value(out, next, text, len);
}
