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

	while (at && text[at - 1] != '.')
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
	if (!last || !is_name(text + last, len - last))
		return TR2_SECRET_NONE;
	next = tr2_secret_name(text + last, len - last, false);
	return words->config || next == TR2_SECRET_EXTRA ? next
							 : TR2_SECRET_NONE;
}

/* `USER:PASSWORD`, as curl takes it */
static void hide_login(struct tr2_buf *out, const char *text, size_t len)
{
	const char *colon = memchr(text, ':', len);
	size_t user = colon ? (size_t)(colon - text) + 1 : len;

	tr2_secret_hide(out, text, user);
	tr2_secret_hide_value(out, TR2_SECRET_VALUE, text + user, len - user);
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

/* Returns the length of curl's option for a login at the beginning, or 0. */
static size_t measure_login(const char *text, size_t len)
{
	static const char *const options[] = { "--user=", "--proxy-user=",
					       "--user",  "--proxy-user",
					       "-u",	  "-U",
					       NULL };
	const char *const *option = options;

	while (*option && !tr2_text_starts(text, len, *option))
		option++;
	return *option ? strlen(*option) : 0;
}

static void put_word(struct tr2_secret_words *words, struct tr2_buf *out,
		     const char *text, size_t len)
{
	struct tr2_secret_scan scan = { .text = text,
					.len = len,
					.word = true };
	size_t login = words->curl ? measure_login(text, len) : 0;

	words->next = find_next(words, text, len);
	words->login = login == len && login;
	words->curl |= is_program(text, len, "curl");
	words->config |= tr2_text_is(text, len, "config");
	if (login && login < len) {
		tr2_buf_add(out, text, login);
		hide_login(out, text + login, len - login);
	} else {
		tr2_secret_walk(&scan, out);
	}
}

void tr2_secret_hide_word(struct tr2_secret_words *words, struct tr2_buf *out,
			  const char *text, size_t len)
{
	const enum tr2_secret_value next = words->next;
	const bool login = words->login;

	words->next = TR2_SECRET_NONE;
	words->login = false;
	if (next != TR2_SECRET_NONE && !is_option(text, len))
		tr2_secret_hide_value(out, next, text, len);
	else if (login)
		hide_login(out, text, len);
	else
		put_word(words, out, text, len);
}
