#include "event/redact.h"

#include <stddef.h>
#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"

/* The number of last bytes that is_secret_name() needs. */
#define TAIL_MAX 10

enum escapes {
	ESCAPES_NONE,
	ESCAPES_TEXT, /* except the first `:` of a URL */
	ESCAPES_JSON
};

/*
 * A walk through one text. It keeps the next `@` and the next blank from one
 * `://` to the next, so that it never searches a byte for them twice.
 */
struct scan {
	const char *stop;	 /* the end of the text: `"` or NUL */
	const char *at;		 /* the next `@`; stop: there is none */
	const char *blank;	 /* the same for the end of a word */
	enum escapes escapes;	 /* which escapes of JSON are decoded */
	int in_url;		 /* find_value() has passed a `://` */
	char tail[TAIL_MAX + 1]; /* the last characters that it has read */
};

struct secret {
	const char *start;
	const char *end;
};

static int hex_digit(char c)
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
	int value = 0, i, digit;

	for (i = 0; i < 4; i++) {
		digit = hex_digit(at[i]);
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
static const char *read_escape(const struct scan *scan, const char *at, int odd,
			       char *c)
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

/* Read the character at `at`, escaped or not; returns its end. */
static const char *read_character(const struct scan *scan, const char *at,
				  char *c)
{
	const char *run = at;

	*c = *at;
	if (*at != '\\' || !scan->escapes)
		return at + 1;
	while (*at == '\\')
		at++;
	return read_escape(scan, at, (int)((at - run) & 1), c);
}

static const char *skip_character(const struct scan *scan, const char *at)
{
	char c;

	return read_character(scan, at, &c);
}

/* The next `c`, or `stop`. */
static const char *find_character(const struct scan *scan, const char *text,
				  const char *stop, char wanted)
{
	const char *next;
	char c;

	if (!scan->escapes) {
		next = memchr(text, wanted, (size_t)(stop - text));
		return next ? next : stop;
	}
	for (; text < stop; text = next) {
		next = read_character(scan, text, &c);
		if (c == wanted)
			return text;
	}
	return stop;
}

static const char *next_at(struct scan *scan, const char *from)
{
	if (scan->at < from)
		scan->at = find_character(scan, from, scan->stop, '@');
	return scan->at;
}

static int ends_word(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f;
}

static const char *next_blank(struct scan *scan, const char *from)
{
	const char *next;
	char c;

	if (scan->blank >= from)
		return scan->blank;
	for (; from < scan->stop; from = next) {
		next = read_character(scan, from, &c);
		if (ends_word(c))
			break;
	}
	return scan->blank = from;
}

/* Returns the place after two slashes, or NULL. */
static const char *skip_slashes(const struct scan *scan, const char *at)
{
	char c;

	at = read_character(scan, at, &c);
	if (c != '/')
		return NULL;
	at = read_character(scan, at, &c);
	return c == '/' ? at : NULL;
}

/* Returns the place after the next `://`; NULL: there is none. */
static const char *next_url(const struct scan *scan, const char *text)
{
	const char *colon, *url;

	for (;;) {
		colon = find_character(scan, text, scan->stop, ':');
		if (colon == scan->stop)
			return NULL;
		text = skip_character(scan, colon);
		url = skip_slashes(scan, text);
		if (url && (*colon == ':' || scan->escapes == ESCAPES_JSON))
			return url;
	}
}

/* Where the password of this URL begins; NULL: the URL has none. */
static const char *find_start(struct scan *scan, const char *url)
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
static const char *find_end(struct scan *scan, const char *start)
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

/* Find the next password after `from`; at the stop: there is none. */
static void find_password(struct scan *scan, const char *from,
			  struct secret *found)
{
	while ((from = next_url(scan, from))) {
		found->start = find_start(scan, from);
		if (!found->start)
			continue;
		found->end = find_end(scan, found->start);
		if (found->end)
			return;
	}
	found->start = found->end = scan->stop;
}

static int ends_with(const char *tail, const char *word)
{
	size_t len = strlen(word);

	return !memcmp(tail + TAIL_MAX - len, word, len);
}

static int is_alphanumeric(char c)
{
	return tr2_ascii_alpha(c) || tr2_ascii_digit(c);
}

/* SPEC: redact.query */
static int is_secret_name(const char *tail)
{
	static const char *const ends[] = {
		"signature",  "token",	    "secret", "password", "passwd",
		"passphrase", "credential", "apikey", "api_key",  NULL
	};
	const char *const *end;

	for (end = ends; *end; end++)
		if (ends_with(tail, *end))
			return 1;
	return ends_with(tail, "sig") && !is_alphanumeric(tail[TAIL_MAX - 4]);
}

static void keep_tail(char *tail, char c)
{
	memmove(tail, tail + 1, TAIL_MAX - 1);
	tail[TAIL_MAX - 1] = (char)(c == '-' ? '_' : tr2_ascii_fold(c));
}

static int ends_url(char c)
{
	return c == '"' || ends_word(c);
}

static const char *find_value_end(const struct scan *scan, const char *at)
{
	const char *next;
	char c;

	for (; at < scan->stop; at = next) {
		next = read_character(scan, at, &c);
		if (c == '&' || c == '#' || ends_url(c))
			break;
	}
	return at;
}

/* Read one more character of a URL. 1: a secret value follows. */
static int read_url(struct scan *scan, const char **at)
{
	char c;
	int is_value;

	*at = read_character(scan, *at, &c);
	scan->in_url = !ends_url(c);
	is_value = c == '=' && is_secret_name(scan->tail);
	keep_tail(scan->tail, c);
	return is_value;
}

/* Find a secret value in a URL's query that begins before `limit`. */
static int find_value(struct scan *scan, const char *at, const char *limit,
		      struct secret *found)
{
	while (at && at < limit) {
		if (!scan->in_url) {
			at = next_url(scan, at);
			scan->in_url = at && at < limit;
			continue;
		}
		if (!read_url(scan, &at))
			continue;
		found->start = at;
		found->end = find_value_end(scan, at);
		if (found->end > at)
			return 1;
	}
	return 0;
}

/* Find the next secret after `from`; `password` is the next password. */
static int find_secret(struct scan *scan, const char *from,
		       const struct secret *password, struct secret *found)
{
	if (!find_value(scan, from, password->start, found)) {
		*found = *password;
		scan->in_url = 1; /* the host follows */
		return password->start < scan->stop;
	}
	if (found->end > password->start && found->end < password->end)
		found->end = find_value_end(scan, password->end);
	return 1;
}

/* Append the text before `stop`; no secret crosses `stop`. */
static void add_part(struct tr2_buf *out, const char *text, const char *stop,
		     enum escapes escapes)
{
	struct scan scan = { .stop = stop, .at = text, .blank = text };
	struct secret password, secret;
	const char *done = text;

	if (memchr(text, '\\', (size_t)(stop - text)))
		scan.escapes = escapes;
	find_password(&scan, text, &password);
	while (find_secret(&scan, done, &password, &secret)) {
		tr2_buf_add(out, done, (size_t)(secret.start - done));
		tr2_buf_str(out, "<REDACTED>");
		done = secret.end;
		if (done >= password.end)
			find_password(&scan, done, &password);
	}
	tr2_buf_add(out, done, (size_t)(stop - done));
}

/* May two slashes follow the `:` at `colon`? */
static int may_begin_url(const char *colon)
{
	return colon[1] == '\\' ||
	       (colon[1] == '/' && (colon[2] == '/' || colon[2] == '\\'));
}

/* Most texts have no `:`, and most texts with one have no URL. */
int tr2_redact_wanted(const char *text)
{
	for (text = strchr(text, ':'); text; text = strchr(text + 1, ':'))
		if (may_begin_url(text))
			return strpbrk(text, "@=\\") != NULL;
	return 0;
}

int tr2_redact_wanted_json(const char *json)
{
	return strchr(json, '\\') || tr2_redact_wanted(json);
}

/* Such a text is not JSON: a `\` is only a `\`. SPEC: redact.git */
static int begins_as_url(const char *text)
{
	return !strncmp(text, "http://", 7) || !strncmp(text, "https://", 8);
}

void tr2_redact_add(struct tr2_buf *out, const char *text)
{
	add_part(out, text, text + strlen(text),
		 begins_as_url(text) ? ESCAPES_NONE : ESCAPES_TEXT);
	tr2_buf_byte(out, '\0');
}

/* The next `"` that is not escaped; NULL: there is none. */
static const char *next_quote(const char *json)
{
	for (; *json && *json != '"'; json++)
		if (*json == '\\' && json[1])
			json++;
	return *json ? json : NULL;
}

/* SPEC: redact.json, redact.escapes */
void tr2_redact_add_json(struct tr2_buf *out, const char *json)
{
	const char *quote;

	while ((quote = next_quote(json))) {
		add_part(out, json, quote, ESCAPES_JSON);
		tr2_buf_byte(out, '"');
		json = quote + 1;
	}
	add_part(out, json, json + strlen(json), ESCAPES_JSON);
	tr2_buf_byte(out, '\0');
}
