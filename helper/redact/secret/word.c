#include "redact/secret/secret.h"

#include <string.h>

#include "base/ascii.h"
#include "redact/secret/bytes.h"
#include "redact/secret/names.h"
#include "lib/text/text.h"

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

/* What is the word after `--NAME`, or after the key of a setting? */
static enum tr2_secret_value find_next(const struct tr2_secret_words *words,
				       const char *text, size_t len)
{
	const size_t last = find_last_part(text, len);
	const bool config = words->config || words->programs.config;
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
	next = tr2_secret_name(text + last, len - last, false);
	return config || next == TR2_SECRET_EXTRA ? next : TR2_SECRET_NONE;
}

/* `Basic`, of which the secret is apart. */
static bool is_scheme(const char *text, size_t len)
{
#define SCHEME(word, ...) word " "
	if (len && text[len - 1] == '\\')
		len--;
	return tr2_secret_is_one(text, len, TR2_SECRET_SCHEMES(SCHEME));
}

/* `Authorization:` or `Authorization:Basic`, perhaps after a quote. */
static enum tr2_secret_value find_after_colon(const char *text, size_t len)
{
	size_t start, end = len;
	enum tr2_secret_value value;

	if (end && text[end - 1] == '\\')
		end--;
	while (end && text[end - 1] != ':')
		end--;
	if (end < 2)
		return TR2_SECRET_NONE;
	for (start = end - 1; start && is_name(text + start - 1, 1);)
		start--;
	value = tr2_secret_name(text + start, end - 1 - start, false);
	if (value == TR2_SECRET_LINE && is_scheme(text + end, len - end))
		return TR2_SECRET_VALUE;
	return len - end < 2 && !tr2_secret_alphanumeric(text[len - 1])
		       ? value
		       : TR2_SECRET_NONE;
}

/* `GIT_CONFIG_KEY_0=a.token` tells what `GIT_CONFIG_VALUE_0=` is. */
static enum tr2_secret_value find_after_key(const char *text, size_t len)
{
	const size_t last = find_last_part(text, len);

	if (!tr2_text_starts(text, len, "GIT_CONFIG_KEY_") || !last)
		return TR2_SECRET_NONE;
	return tr2_secret_name(text + last, len - last, false);
}

static enum tr2_secret_value find_after(struct tr2_secret_words *words,
					const char *text, size_t len)
{
	enum tr2_secret_value next = find_next(words, text, len);

	if (next == TR2_SECRET_NONE)
		next = find_after_key(text, len);
	if (next == TR2_SECRET_NONE) {
		next = find_after_colon(text, len);
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
		tr2_secret_forget_counts(&scan.programs);
	}
	tr2_secret_walk(&scan, out);
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

void tr2_secret_hide_word(struct tr2_secret_words *words, struct tr2_buf *out,
			  const char *text, size_t len)
{
	const enum tr2_secret_value next = words->next;

	words->next = TR2_SECRET_NONE;
	if (next == TR2_SECRET_NONE || is_option(text, len) ||
	    is_known_option(words, text, len) ||
	    (next == TR2_SECRET_PROXY && !memchr(text, '@', len)) ||
	    (words->colon && find_after_colon(text, len))) {
		put_word(words, out, text, len);
		return;
	}
	words->programs.letter = '\0';
	words->netrc.state = words->netrc.state == TR2_NETRC_NONE
				     ? TR2_NETRC_NONE
				     : TR2_NETRC_WORD;
	if (next == TR2_SECRET_LINE && is_scheme(text, len))
		words->next = TR2_SECRET_VALUE;
	tr2_secret_hide_value(out, next, text, len);
}
