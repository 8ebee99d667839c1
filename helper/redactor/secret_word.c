#include "redactor/secret.h"

#include <string.h>

#include "base/ascii.h"
#include "text/text.h"

static bool is_name(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		if (!tr2_ascii_alpha(text[i]) && !tr2_ascii_digit(text[i]) &&
		    !memchr("_-.", text[i], 3))
			return false;
	return len;
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

	while (at && text[at - 1] != '.' && text[at - 1] != ':')
		at--;
	return at;
}

/* What is the word after `--NAME`, or after the key of a setting? */
static enum tr2_secret_value find_next(const struct tr2_secret_words *words,
				       const char *text, size_t len)
{
	const size_t last = find_last_part(text, len);
	size_t dashes = 0;
	enum tr2_secret_value next;

	while (dashes < len && text[dashes] == '-')
		dashes++;
	if (dashes)
		return is_name(text + dashes, len - dashes)
			       ? tr2_secret_name(text + dashes, len - dashes,
						 false)
			       : TR2_SECRET_NONE;
	if ((!last && !words->config) || !is_name(text + last, len - last))
		return TR2_SECRET_NONE;
	next = tr2_secret_name(text + last, len - last, false);
	return words->config || next == TR2_SECRET_EXTRA ? next
							 : TR2_SECRET_NONE;
}

static bool is_program(const char *text, size_t len, const char *name)
{
	size_t at = len;

	while (at && !memchr("/\\", text[at - 1], 2))
		at--;
	text += at, len -= at;
	if (len > 4 && !memcmp(text + len - 4, ".exe", 4))
		len -= 4;
	return tr2_text_is(text, len, name);
}

/* `GIT_CONFIG_KEY_0=a.token` tells what `GIT_CONFIG_VALUE_0=` is. */
static enum tr2_secret_value find_after_key(const char *text, size_t len)
{
	const size_t last = find_last_part(text, len);

	if (!tr2_text_starts(text, len, "GIT_CONFIG_KEY_") || !last)
		return TR2_SECRET_NONE;
	return tr2_secret_name(text + last, len - last, false);
}

static void put_word(struct tr2_secret_words *words, struct tr2_buf *out,
		     const char *text, size_t len)
{
	struct tr2_secret_scan scan = { .text = text,
					.len = len,
					.word = true };
	enum tr2_secret_value value = TR2_SECRET_NONE;
	size_t option =
		words->curl ? tr2_secret_measure_option(text, len, &value) : 0;

	words->next = find_next(words, text, len);
	if (option == len && option)
		words->next = value;
	else if (words->next == TR2_SECRET_NONE)
		words->next = find_after_key(text, len);
	words->curl |= is_program(text, len, "curl");
	words->config |= tr2_text_is(text, len, "config") ||
			 tr2_text_is(text, len, "configure");
	if (option && option < len) {
		tr2_buf_add(out, text, option);
		tr2_secret_hide_value(out, value, text + option, len - option);
	} else {
		tr2_secret_walk(&scan, out);
	}
}

void tr2_secret_hide_word(struct tr2_secret_words *words, struct tr2_buf *out,
			  const char *text, size_t len)
{
	const enum tr2_secret_value next = words->next;

	words->next = TR2_SECRET_NONE;
	if (next != TR2_SECRET_NONE && !is_option(text, len))
		tr2_secret_hide_value(out, next, text, len);
	else
		put_word(words, out, text, len);
}
