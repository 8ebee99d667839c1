#include "event/redact.h"

#include <stddef.h>
#include <string.h>

#include "base/ascii.h"
#include "base/buf.h"
#include "event/scan.h"
#include "event/token.h"

static int ends_with(const char *tail, const char *word)
{
	size_t len = strlen(word);

	return !memcmp(tail + TR2_SCAN_TAIL - len, word, len);
}

static int is_alphanumeric(char c)
{
	return tr2_ascii_alpha(c) || tr2_ascii_digit(c);
}

/* SPEC: redact.query */
static int is_secret_name(const char *tail)
{
	const struct tr2_query_name *end;

	for (end = tr2_query_names; end->name; end++)
		if (ends_with(tail, end->name) &&
		    !(end->at_word &&
		      is_alphanumeric(
			      tail[TR2_SCAN_TAIL - 1 - strlen(end->name)])))
			return 1;
	return 0;
}

static char fold_byte(char c)
{
	return (char)(c == '-' ? '_' : tr2_ascii_fold(c));
}

/* Replace `%70` at the end by its byte. A `%` that is one begins no other. */
static void decode_last(char *tail)
{
	char *escape = tail + TR2_SCAN_TAIL - TR2_SCAN_ESCAPE;
	int high, low;

	if (*escape != '%')
		return;
	high = tr2_scan_hex(escape[1]);
	low = tr2_scan_hex(escape[2]);
	if (high < 0 || low < 0)
		return;
	memmove(tail + 2, tail, (size_t)(escape - tail));
	escape[2] = fold_byte((char)(high * 16 + low));
	if (escape[2] == '%')
		escape[2] = '\0';
}

static void keep_tail(char *tail, char c)
{
	memmove(tail, tail + 1, TR2_SCAN_TAIL - 1);
	tail[TR2_SCAN_TAIL - 1] = fold_byte(c);
	decode_last(tail);
}

static int ends_url(char c)
{
	return c == '"' || tr2_scan_ends_word(c);
}

static const char *find_value_end(const struct tr2_scan *scan, const char *at)
{
	const char *next;
	char c;

	for (; at < scan->stop; at = next) {
		next = tr2_scan_read(scan, at, &c);
		if (c == '&' || c == '#' || ends_url(c))
			break;
	}
	return at;
}

/* Read one more character of a URL. 1: a secret value follows. */
static int read_url(struct tr2_scan *scan, const char **at)
{
	char c;
	int is_value;

	*at = tr2_scan_read(scan, *at, &c);
	scan->in_url = !ends_url(c);
	is_value = c == '=' && is_secret_name(scan->tail);
	keep_tail(scan->tail, c);
	return is_value;
}

/* Find a secret value in a URL's query that begins before `limit`. */
static int find_value(struct tr2_scan *scan, const char *at, const char *limit,
		      struct tr2_secret *found)
{
	while (at && at < limit) {
		if (!scan->in_url) {
			at = tr2_scan_url(scan, at);
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

/* A value that ends inside another secret ends after it. */
static void extend_value(const struct tr2_scan *scan, struct tr2_secret *value,
			 const struct tr2_secret *other)
{
	if (value->end > other->start && value->end < other->end)
		value->end = find_value_end(scan, other->end);
}

/*
 * Find the next secret after `from`; `user` and `password` are the next ones
 * of their kind.
 */
static int find_secret(struct tr2_scan *scan, const char *from,
		       const struct tr2_secret *user,
		       const struct tr2_secret *password,
		       struct tr2_secret *found)
{
	const struct tr2_secret *next =
		user->start < password->start ? user : password;

	if (!find_value(scan, from, next->start, found)) {
		*found = *next;
		scan->in_url = 1; /* the host follows */
		return next->start < scan->stop;
	}
	extend_value(scan, found, user);
	extend_value(scan, found, password);
	return 1;
}

/* Append the text before `stop`; no secret crosses `stop`. */
static void add_part(struct tr2_buf *out, const char *text, const char *stop,
		     enum tr2_escapes escapes)
{
	struct tr2_scan scan = { .stop = stop, .at = text, .blank = text };
	struct tr2_scan users;
	struct tr2_secret password, user, secret;
	const char *done = text;

	if (memchr(text, '\\', (size_t)(stop - text)))
		scan.escapes = escapes;
	users = scan;
	tr2_scan_user(&users, text, &user);
	tr2_scan_password(&scan, text, &password);
	while (find_secret(&scan, done, &user, &password, &secret)) {
		tr2_buf_add(out, done, (size_t)(secret.start - done));
		tr2_buf_str(out, "<REDACTED>");
		done = secret.end;
		if (done >= password.end)
			tr2_scan_password(&scan, done, &password);
		if (done >= user.end)
			tr2_scan_user(&users, done, &user);
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
		 begins_as_url(text) ? TR2_ESCAPES_NONE : TR2_ESCAPES_TEXT);
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
		add_part(out, json, quote, TR2_ESCAPES_JSON);
		tr2_buf_byte(out, '"');
		json = quote + 1;
	}
	add_part(out, json, json + strlen(json), TR2_ESCAPES_JSON);
	tr2_buf_byte(out, '\0');
}
