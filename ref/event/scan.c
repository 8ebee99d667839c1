#include "event/scan.h"

#include <string.h>

#include "base/ascii.h"
#include "event/secrets.h"
#include "event/token.h"

#define FIRST(word, ...) word,

int tr2_scan_hex(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = memchr(digits, tr2_ascii_fold(c), 16);

	return at ? (int)(at - digits) : -1;
}

/*
 * Read what follows `\u`: returns the end of the four digits, or NULL. Each
 * character that is not ASCII counts as `x`.
 */
static const char *read_hex(const char *at, char *c)
{
	int value = 0, digit;

	for (int i = 0; i < 4; i++) {
		digit = tr2_scan_hex(at[i]);
		if (digit < 0)
			return NULL;
		value = value * 16 + digit;
	}
	*c = value < 0x80 ? (char)value : 'x';
	return at + 4;
}

/*
 * Read what follows a run of `\`. JSON inside JSON has more of them; only a
 * text that may be a path depends on their number.
 * SPEC: redact.escapes
 */
static const char *read_escape(const struct tr2_scan *scan, const char *at,
			       int odd, char *c)
{
	const char *end;

	*c = '\\';
	if (at == scan->stop)
		return at;
	if (*at == '/' || *at == '"') {
		*c = *at;
		return at + 1;
	}
	end = *at == 'u' ? read_hex(at + 1, c) : NULL;
	if (end)
		return end;
	if (odd && memchr("nrtbf", *at, 5)) {
		*c = ' ';
		return at + 1;
	}
	return at;
}

const char *tr2_scan_read(const struct tr2_scan *scan, const char *at, char *c)
{
	const char *run = at;

	*c = *at;
	if (*at != '\\' || !scan->escapes)
		return at + 1;
	while (*at == '\\')
		at++;
	return read_escape(scan, at, (int)((at - run) & 1), c);
}

static const char *skip_character(const struct tr2_scan *scan, const char *at)
{
	char c;

	return tr2_scan_read(scan, at, &c);
}

/* The next `c`, or `stop`. */
static const char *find_character(const struct tr2_scan *scan, const char *text,
				  const char *stop, char wanted)
{
	const char *next;
	char c;

	if (!scan->escapes) {
		next = memchr(text, wanted, (size_t)(stop - text));
		return next ? next : stop;
	}
	for (; text < stop; text = next) {
		next = tr2_scan_read(scan, text, &c);
		if (c == wanted)
			return text;
	}
	return stop;
}

static const char *next_at(struct tr2_scan *scan, const char *from)
{
	if (scan->at < from)
		scan->at = find_character(scan, from, scan->stop, '@');
	return scan->at;
}

int tr2_scan_ends_word(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f;
}

static const char *next_blank(struct tr2_scan *scan, const char *from)
{
	const char *next;
	char c;

	if (scan->blank >= from)
		return scan->blank;
	for (; from < scan->stop; from = next) {
		next = tr2_scan_read(scan, from, &c);
		if (tr2_scan_ends_word(c))
			break;
	}
	return scan->blank = from;
}

/* Returns the place after two slashes, or NULL. */
static const char *skip_slashes(const struct tr2_scan *scan, const char *at)
{
	char c;

	at = tr2_scan_read(scan, at, &c);
	if (c != '/')
		return NULL;
	at = tr2_scan_read(scan, at, &c);
	return c == '/' ? at : NULL;
}

const char *tr2_scan_url(const struct tr2_scan *scan, const char *text)
{
	const char *colon, *url;

	for (;;) {
		colon = find_character(scan, text, scan->stop, ':');
		if (colon == scan->stop)
			return NULL;
		text = skip_character(scan, colon);
		url = skip_slashes(scan, text);
		if (url && (*colon == ':' || scan->escapes == TR2_ESCAPES_JSON))
			return url;
	}
}

/* Where the password of this URL begins; NULL: the URL has none. */
static const char *find_start(struct tr2_scan *scan, const char *url)
{
	const char *colon = find_character(scan, url, scan->stop, ':');
	const char *start;

	if (colon == scan->stop ||
	    find_character(scan, url, colon, '/') < colon)
		return NULL;
	start = skip_character(scan, colon);
	if (skip_slashes(scan, start) && next_blank(scan, url) < colon)
		return NULL; /* SPEC: redact.url */
	return start;
}

/*
 * Where the password that may begin at `start` ends; NULL: it is not a
 * password.
 */
static const char *find_end(struct tr2_scan *scan, const char *start)
{
	const char *at = next_at(scan, start), *end;

	if (at == scan->stop)
		return NULL;
	if (find_character(scan, start, at, '/') < at &&
	    next_blank(scan, start) < at)
		return NULL; /* SPEC: redact.password-slash */
	do {
		end = at; /* SPEC: redact.password-at */
		at = next_at(scan, skip_character(scan, end));
	} while (at < next_blank(scan, end));
	return end;
}

void tr2_scan_password(struct tr2_scan *scan, const char *from,
		       struct tr2_secret *found)
{
	while ((from = tr2_scan_url(scan, from))) {
		found->start = find_start(scan, from);
		if (!found->start)
			continue;
		found->end = find_end(scan, found->start);
		if (found->end)
			return;
	}
	found->start = found->end = scan->stop;
}

/* A `\` of a shell may precede the byte that ends the user. */
static int ends_user(const struct tr2_scan *scan, const char *at)
{
	char c = ' ';

	if (at < scan->stop)
		tr2_scan_read(scan, at, &c);
	if (c == '\\' && at + 1 < scan->stop)
		c = at[1];
	return tr2_scan_ends_word(c) || memchr("@:/?#\"", c, 6);
}

/* Returns the end of the user that may begin at `url`. */
static const char *read_user(const struct tr2_scan *scan, const char *url,
			     struct tr2_token *token)
{
	char c;

	while (!ends_user(scan, url)) {
		url = tr2_scan_read(scan, url, &c);
		tr2_token_add(token, c);
	}
	return url;
}

/* Returns the place after this character, before which a `\` may be. */
static const char *skip_sign(const struct tr2_scan *scan, const char *at,
			     char sign)
{
	char c;

	if (at < scan->stop && *at == '\\' && at[1] == sign)
		at++;
	if (at == scan->stop)
		return NULL;
	at = tr2_scan_read(scan, at, &c);
	return c == sign ? at : NULL;
}

/* Is the password this one? */
static int is_password(const struct tr2_scan *scan, const char *at,
		       const char *password)
{
	char c;

	for (; *password; password++) {
		if (at == scan->stop)
			return 0;
		at = tr2_scan_read(scan, at, &c);
		if (c != *password)
			return 0;
	}
	return skip_sign(scan, at, '@') != NULL;
}

/* Is the password one that makes the user a token, whatever it looks like? */
static int has_dummy(const struct tr2_scan *scan, const char *at)
{
	static const char *const dummies[] = { TR2_SECRET_DUMMIES(FIRST) };

	for (size_t i = 0; i < sizeof(dummies) / sizeof(*dummies); i++)
		if (is_password(scan, at, dummies[i]))
			return 1;
	return 0;
}

void tr2_scan_user(struct tr2_scan *scan, const char *from,
		   struct tr2_secret *found)
{
	struct tr2_token token;
	const char *password;

	while ((from = tr2_scan_url(scan, from))) {
		memset(&token, 0, sizeof(token));
		found->start = from;
		found->end = from = read_user(scan, from, &token);
		if (!token.len)
			continue;
		password = skip_sign(scan, from, ':');
		if (password && has_dummy(scan, password))
			return;
		if (!tr2_token_is_user(&token))
			continue;
		if (skip_sign(scan, from, '@') ||
		    (password && find_end(scan, password)))
			return;
	}
	found->start = found->end = scan->stop;
}
