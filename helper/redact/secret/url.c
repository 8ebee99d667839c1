#include "redact/secret/secret.h"

#include <string.h>

#include "event/token.h"
#include "redact/secret/bytes.h"
#include "redact/secret/names.h"
#include "lib/text/text.h"

#define USER_MOST 64 /* bytes of a user */
#define HOST_MOST 256
#define PORT_MOST 5 /* digits */

/* Does the word end here? A quote or a `&` that is not encoded ends a URL. */
static bool ends_url(const struct tr2_secret_scan *scan, size_t at)
{
	const char c = scan->text[at];

	return (unsigned char)c <= ' ' || c == 0x7f || tr2_secret_quote(c) ||
	       memchr("&<>", c, 3);
}

/* ---- Users and passwords */

/*
 * Returns the place of the last `@` of the word, or 0. It is kept, for a word
 * may have many URLs. SPEC: redact.end, redact.password-at
 */
static size_t find_at(struct tr2_secret_scan *scan, size_t at)
{
	if (at >= scan->url) {
		for (scan->last = 0; at < scan->len && !ends_url(scan, at);
		     at++)
			if (scan->text[at] == '@')
				scan->last = at;
		scan->url = at;
		return scan->last;
	}
	return scan->last > at ? scan->last : 0;
}

bool tr2_secret_find_login(struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found)
{
	struct tr2_token token = { .len = 0 };
	const size_t url = at + 3;
	size_t end;
	char c;

	if (!tr2_text_starts(scan->text + at, scan->len - at, "://"))
		return false;
	for (at = url; at < scan->len && !ends_url(scan, at); at++) {
		c = scan->text[at];
		if (c == ':') {
			end = find_at(scan, at + 1);
			if (tr2_token_is_user(&token) && end)
				return tr2_secret_take(scan, url, end, found);
			return end && tr2_secret_take(scan, at + 1, end, found);
		}
		if (c == '@')
			return tr2_token_is_user(&token) &&
			       tr2_secret_take(scan, url, at, found);
		if (memchr("/?#", c, 3))
			return false;
		tr2_token_add(&token, c);
	}
	return false;
}

/* ---- The same without a scheme */

/* Returns where the user begins that ends here, or `end`: none does. */
static size_t begin_user(const char *text, size_t end)
{
	return tr2_secret_begin_word(text, end, "_.+-%~$!", USER_MOST);
}

/* `//` after which the user is; a scheme before it has a rule of its own. */
static bool is_relative(const char *text, size_t start)
{
	return start > 1 && text[start - 1] == '/' && text[start - 2] == '/' &&
	       (start == 2 || !memchr(":/", text[start - 3], 2));
}

/* `tcp(HOST)/`, `(HOST)/` or `/` after the `@`. */
static bool is_driver(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text;
	const char *close;
	size_t open = at;

	while (open < scan->len && tr2_secret_in(text[open], "_-"))
		open++;
	if (open == scan->len || text[open] != '(')
		return open == at && open < scan->len && text[open] == '/';
	close = memchr(text + open, ')', scan->len - open);
	return close && close + 1 < text + scan->len && close[1] == '/';
}

/* `thin:USER/PASSWORD@HOST` of Oracle's driver for Java. */
static bool find_thin(const struct tr2_secret_scan *scan, size_t at, size_t end,
		      struct tr2_secret_span *found)
{
	const char *mark;

	if (at < 4 || memcmp(scan->text + at - 4, "thin", 4) != 0 ||
	    (at > 4 && scan->text[at - 5] != ':'))
		return false;
	mark = memchr(scan->text + at, '/', end - at);
	return mark && tr2_secret_take(scan, (size_t)(mark + 1 - scan->text),
				       end, found);
}

/* Skip the name of a host, or its number in brackets. */
static size_t skip_host(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text;
	const bool open = at < scan->len && text[at] == '[';
	const size_t most = scan->len - at < HOST_MOST ? scan->len
						       : at + HOST_MOST;

	for (at += open; at < most; at++)
		if (!tr2_secret_alphanumeric(text[at]) &&
		    !memchr(".-_:", text[at], open ? 4 : 3))
			break;
	return at + (open && at < scan->len && text[at] == ']');
}

/*
 * `HOST:PORT`, of which a path may follow. The number of a digest is longer
 * than a port, and those of a place in a file have another one after them.
 */
static bool has_port(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text;
	const size_t colon = skip_host(scan, at);
	size_t end = colon + 1;

	if (colon == at || colon >= scan->len || text[colon] != ':' ||
	    tr2_text_starts(text + at, colon - at, "sha"))
		return false;
	while (end < scan->len && tr2_ascii_digit(text[end]))
		end++;
	return end > colon + 1 && end - colon <= PORT_MOST + 1 &&
	       (end == scan->len || ends_url(scan, end) ||
		memchr("/?#\\,;)]}|=", text[end], 11));
}

/* What comes before `me@host:22`, and is no user. */
static bool is_label(const char *text, size_t len)
{
	return tr2_secret_is_one(
		text, len,
		"address email from host https http login mailto npm origin "
		"remote scp server sip sips ssh to upstream uri url user "
		"username via xmpp");
}

/* Is this `HH:MM` of a time, around a colon? */
static bool is_time(const char *text, size_t start, size_t colon, size_t end)
{
	return colon >= start + 2 && end >= colon + 3 &&
	       tr2_text_count_digits(text + colon - 2, 2) == 2 &&
	       tr2_text_count_digits(text + colon + 1, end - colon - 1) == 2;
}

/*
 * Does USER:PASSWORD end here? PERF has `label:` before a text, so the last
 * colon decides. Ports, times, paths and what asks for no password are none.
 */
static bool ends_account(const char *text, size_t start, size_t end)
{
	size_t colon = end - 1, user, size, len, digits;
	const char *password;

	while (colon > start && text[colon] != ':')
		colon--;
	user = begin_user(text, colon);
	password = text + colon + 1;
	size = colon - user;
	len = end - colon - 1;
	digits = tr2_text_count_digits(password, len);
	if (!len || is_label(text + user, size) ||
	    tr2_text_is(password, len, "git") ||
	    tr2_text_count_digits(text + user, size) == size ||
	    is_time(text, user, colon, end))
		return false;
	return !memchr("/\\[(", *password, 4) &&
	       !(digits && digits < len && password[digits] == '/');
}

/* Is this the `@` after which `HOST:PORT` follows? */
static bool ends_login(const struct tr2_secret_scan *scan, size_t colon,
		       size_t at)
{
	return has_port(scan, at + 1) && ends_account(scan->text, colon, at);
}

/* Returns the first such `@`: another URL in the word may have the last one. */
static size_t find_first(const struct tr2_secret_scan *scan, size_t colon)
{
	size_t at = colon + 1;

	for (; at < scan->len && at - colon < HOST_MOST && !ends_url(scan, at);
	     at++)
		if (scan->text[at] == '@' && ends_login(scan, colon, at))
			return at;
	return 0;
}

bool tr2_secret_find_bare(struct tr2_secret_scan *scan, size_t at,
			  struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t user = begin_user(text, at);
	size_t end = user < at ? find_at(scan, at + 1) : 0;

	if (!end)
		return false;
	if (find_thin(scan, at, end, found))
		return true;
	if (is_relative(text, user)) {
		if (memchr(text + at, '/', end - at))
			return false;
	} else if (!is_driver(scan, end + 1) && !ends_login(scan, at, end)) {
		end = find_first(scan, at);
	}
	return end && tr2_secret_take(scan, at + 1, end, found);
}

/* ---- Webhooks */

#define PLACE(place, ...) place,

static const char *const places[] = { TR2_SECRET_PLACES(PLACE) };

/* Returns the end of the address's beginning, or 0. */
static size_t match_place(const struct tr2_secret_scan *scan, size_t at,
			  const char *place)
{
	for (; *place; at++) {
		if (at == scan->len || ends_url(scan, at))
			return 0;
		if (*place == '*' && scan->text[at] != '/')
			continue;
		place += *place == '*';
		if (tr2_ascii_fold(scan->text[at]) != *place++)
			return 0;
	}
	return at;
}

static bool ends_place(const struct tr2_secret_scan *scan, size_t at)
{
	return ends_url(scan, at) || memchr("?#),;|\\", scan->text[at], 7);
}

bool tr2_secret_find_place(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found)
{
	size_t i, end = 0;

	for (i = 0; !end && i < sizeof(places) / sizeof(*places); i++)
		if (tr2_ascii_fold(scan->text[at]) == *places[i])
			end = match_place(scan, at, places[i]);
	if (!end)
		return false;
	for (at = end; at < scan->len && !ends_place(scan, at);)
		at++;
	return tr2_secret_take(scan, end, at, found);
}
