/* Users and passwords, in URLs and in lines of .netrc and .pgpass. */
#include "redact/secret/scan.h"

#include <string.h>

#include "event/token.h"
#include "lib/text/text.h"
#include "parts_rows.h"

#define USER_MOST 64 /* bytes of a user */
#define HOST_MOST 256
#define PORT_MOST 5 /* digits */

/* ---- Users and passwords */

/* What is hidden already may be in a URL that is around it. */
static size_t skip_url_byte(const struct tr2_secret_scan *scan, size_t at)
{
	if (at == scan->len)
		return at;
	if (!tr2_secret_ends_url(scan->text[at]))
		return at + 1;
	return tr2_text_starts(scan->text + at, scan->len - at, TR2_SECRET_GONE)
		       ? at + strlen(TR2_SECRET_GONE)
		       : at;
}

/*
 * Returns the place of the last `@` of the word, or 0. It is kept, for a word
 * may have many URLs. SPEC: redact.end, redact.password-at
 */
static size_t find_at(struct tr2_secret_scan *scan, size_t at)
{
	size_t next;

	if (at >= scan->url) {
		for (scan->last = 0; (next = skip_url_byte(scan, at)) > at;
		     at = next)
			if (scan->text[at] == '@')
				scan->last = at;
		scan->url = at;
		return scan->last;
	}
	return scan->last > at ? scan->last : 0;
}

/*
 * `http://USER:PASSWORD` whose end was cut: a port has no letters. Elsewhere a tag
 * may follow a colon, as in `docker://IMAGE:TAG`.
 */
static bool find_cut(const struct tr2_secret_scan *scan, size_t scheme,
		     size_t colon, struct tr2_secret_span *found)
{
	const size_t start = colon + 1;
	const size_t len = tr2_text_count_word(scan->text + start,
					       scan->len - start, "_-.~");

	return (tr2_secret_ends_in(scan->text, scheme, "http") ||
		tr2_secret_ends_in(scan->text, scheme, "https")) &&
	       (start + len == scan->len ||
		tr2_secret_ends_url(scan->text[start + len])) &&
	       tr2_secret_mixed(scan->text + start, len) &&
	       tr2_secret_take(scan, start, start + len, found);
}

static bool find_login(struct tr2_secret_scan *scan, size_t at,
		       struct tr2_secret_span *found)
{
	struct tr2_token token = { .len = 0 };
	const size_t url = at + 3;
	size_t end;
	char c;

	if (!tr2_text_starts(scan->text + at, scan->len - at, "://"))
		return false;
	for (at = url; at < scan->len && !tr2_secret_ends_url(scan->text[at]);
	     at++) {
		c = scan->text[at];
		if (c == ':') {
			end = find_at(scan, at + 1);
			if (tr2_token_is_user(&token) && end)
				return tr2_secret_take(scan, url, end, found);
			return end ? tr2_secret_take(scan, at + 1, end, found)
				   : find_cut(scan, url - 3, at, found);
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
	const size_t open =
		at + tr2_text_count_word(text + at, scan->len - at, "_-");

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
	       (end == scan->len || tr2_secret_ends_url(text[end]) ||
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
	if (!len ||
	    (is_label(text + user, size) && !tr2_secret_mixed(password, len)) ||
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

	for (; at < scan->len && at - colon < HOST_MOST &&
	       !tr2_secret_ends_url(scan->text[at]);
	     at++)
		if (scan->text[at] == '@' && ends_login(scan, colon, at))
			return at;
	return 0;
}

static bool find_bare(struct tr2_secret_scan *scan, size_t at,
		      struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t user = begin_user(text, at);
	size_t end = user < at ? find_at(scan, at + 1) : 0;

	if (!end || tr2_secret_skip_back(text, end, ">") < end)
		return false; /* it is hidden */
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

/* ---- .netrc */

#define HIDDEN true

/* Is it `login` or the like; or one of those whose value is `hidden`? */
static bool is_pair(const char *text, size_t len, bool hidden)
{
	static const struct tr2_secret_part words[] =
		TR2_SECRET_PARTS(PARTS_NETRC);
	const struct tr2_secret_part *part = words;

	while (part->text &&
	       !(tr2_text_is(text, len, part->text) && (part->more || !hidden)))
		part++;
	return part->text;
}

/* Also `\n` of a program's string. */
static bool is_between(const char *text, size_t at)
{
	const char c = text[at];

	return tr2_secret_space(c) || tr2_secret_quote(c) ||
	       memchr(",\\", c, 2) || (c == 'n' && at && text[at - 1] == '\\');
}

/* Returns the next word, after which `at` is then. */
static struct tr2_secret_span read_next(const struct tr2_secret_scan *scan,
					size_t *at)
{
	struct tr2_secret_span word;

	while (*at < scan->len && is_between(scan->text, *at))
		++*at;
	word.start = *at;
	while (*at < scan->len && !is_between(scan->text, *at))
		++*at;
	word.end = *at;
	return word;
}

/*
 * In `machine learning password policy` nothing has to do with a machine's
 * password: a host has a dot, or another pair follows.
 */
bool tr2_secret_find_netrc(struct tr2_secret_scan *scan, size_t at, size_t end,
			   struct tr2_secret_span *found)
{
	const char *text = scan->text;
	size_t pairs = tr2_secret_ends_in(text, end, "default"), last = 0;
	struct tr2_secret_span word;

	if (!pairs && !tr2_secret_ends_in(text, end, "machine"))
		return false;
	at = end;
	if (!pairs) {
		word = read_next(scan, &at);
		pairs = memchr(text + word.start, '.', word.end - word.start) !=
			NULL;
	}
	for (end = at;; pairs++) {
		word = read_next(scan, &at);
		if (!is_pair(text + word.start, word.end - word.start, !HIDDEN))
			break;
		read_next(scan, &at);
		if (is_pair(text + word.start, word.end - word.start, HIDDEN))
			last = at;
	}
	return last && pairs > 1 &&
	       tr2_secret_take(scan, end + 1,
			       tr2_secret_end_command(scan, last), found);
}

/* ---- .pgpass */

#define PART_MOST 256 /* bytes between two colons */
#define NEAR_MOST 256 /* bytes between a line and the name of its file */

/* Returns where the part ends, at a colon or at the word's end. */
static size_t end_part(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text;
	const size_t start = at;

	while (at < scan->len && at - start < PART_MOST && text[at] != ':' &&
	       (unsigned char)text[at] > ' ' && !tr2_secret_quote(text[at]))
		at += text[at] == '\\' && at + 1 < scan->len ? 2 : 1;
	return at;
}

/* Is the file named, which any port may be in? */
static bool names_file(const struct tr2_secret_scan *scan, size_t at)
{
	const size_t start = at < NEAR_MOST ? 0 : at - NEAR_MOST;
	const size_t end = scan->len - at < NEAR_MOST ? scan->len
						      : at + NEAR_MOST;

	return tr2_text_find(scan->text + start, end - start, "pgpass");
}

/* A port that PostgreSQL and its pools have, or any one. */
static bool is_port(const struct tr2_secret_scan *scan, size_t start,
		    size_t len)
{
	const char *text = scan->text + start;
	const bool any = tr2_text_is(text, len, "*");

	if (any || len > 5 || tr2_text_count_digits(text, len) < len)
		return any;
	return (len > 3 &&
		tr2_secret_is_one(text + len - 4, 4, "5432 5433 6432")) ||
	       names_file(scan, start);
}

/* It is no number: a line of /etc/shadow has one there. */
static bool is_database(const char *text, size_t len)
{
	size_t number = 0;

	while (number < len &&
	       (tr2_text_is_digit(text[number]) || text[number] == '-'))
		number++;
	return number < len &&
	       tr2_text_count_word(text, len, "_-.*$\\:") == len;
}

/* `HOST:PORT:DATABASE:USER:PASSWORD`, where its first colon is */
static bool find_pgpass(const struct tr2_secret_scan *scan, size_t at,
			struct tr2_secret_span *found)
{
	size_t end;

	for (size_t part = 0; part < 3; part++, at = end) {
		end = end_part(scan, ++at);
		if (end <= at || end + 1 >= scan->len ||
		    scan->text[end] != ':' ||
		    (part == 0 && !is_port(scan, at, end - at)) ||
		    (part == 1 && !is_database(scan->text + at, end - at)))
			return false;
	}
	return tr2_secret_find_value(scan, at + 1, found);
}

bool tr2_secret_find_account(struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found)
{
	return find_login(scan, at, found) || find_bare(scan, at, found) ||
	       find_pgpass(scan, at, found);
}
