#include "event/redact.h"

#include <stddef.h>
#include <string.h>

#include "base/buf.h"

/*
 * A walk through one text. The next `@` and the next blank are kept from
 * one `://` to the following ones: no byte is searched for them twice.
 */
struct scan {
	const char *stop;  /* the end of the text: `"` or NUL */
	const char *at;	   /* an `@`; stop: no more */
	const char *blank; /* the same for the end of a word */
};

/* The next `c`, or `stop`. */
static const char *find(const char *text, const char *stop, char c)
{
	const char *found = memchr(text, c, (size_t)(stop - text));

	return found ? found : stop;
}

static const char *next_at(struct scan *scan, const char *from)
{
	if (scan->at < from)
		scan->at = find(from, scan->stop, '@');
	return scan->at;
}

static int ends_word(char c)
{
	return (unsigned char)c <= ' ' || c == 0x7f;
}

static const char *next_blank(struct scan *scan, const char *from)
{
	if (scan->blank >= from)
		return scan->blank;
	while (from < scan->stop && !ends_word(*from))
		from++;
	return scan->blank = from;
}

/* What follows the next `://`; NULL: there is none. */
static const char *next_url(const char *text, const char *stop)
{
	while ((text = find(text, stop, ':')) < stop) {
		text++;
		if (text[0] == '/' && text[1] == '/')
			return text + 2;
	}
	return NULL;
}

/* Where the secret of this URL begins; NULL: it has none. */
static const char *secret_start(struct scan *scan, const char *url)
{
	const char *colon = find(url, scan->stop, ':');

	if (colon == scan->stop || find(url, colon, '/') < colon)
		return NULL;
	if (colon[1] == '/' && colon[2] == '/' && next_blank(scan, url) < colon)
		return NULL; /* SPEC: redact.url */
	return colon + 1;
}

/* Where the secret that may begin at `secret` ends; NULL: it is none. */
static const char *secret_end(struct scan *scan, const char *secret)
{
	const char *at = next_at(scan, secret), *end;

	if (at == scan->stop)
		return NULL;
	if (find(secret, at, '/') < at && next_blank(scan, secret) < at)
		return NULL; /* SPEC: redact.password-slash */
	do {
		end = at; /* SPEC: redact.password-at */
		at = next_at(scan, end + 1);
	} while (at < next_blank(scan, end));
	return end;
}

/* Append the text before `stop`; no secret reaches beyond it. */
static void add_part(struct tr2_buf *out, const char *text, const char *stop)
{
	struct scan scan = { stop, text, text };
	const char *done = text, *url = text;
	const char *start, *end;

	while ((url = next_url(url, stop))) {
		start = secret_start(&scan, url);
		end = start ? secret_end(&scan, start) : NULL;
		if (!end)
			continue;
		tr2_buf_add(out, done, (size_t)(start - done));
		tr2_buf_str(out, "<REDACTED>");
		done = url = end;
	}
	tr2_buf_add(out, done, (size_t)(stop - done));
}

/* `@` first: `://` is in many texts that hold no password. */
int tr2_redact_wanted(const char *text)
{
	return strchr(text, '@') && strstr(text, "://");
}

void tr2_redact_add(struct tr2_buf *out, const char *text)
{
	add_part(out, text, text + strlen(text));
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

/* SPEC: redact.json */
void tr2_redact_add_json(struct tr2_buf *out, const char *json)
{
	const char *quote;

	while ((quote = next_quote(json))) {
		add_part(out, json, quote);
		tr2_buf_byte(out, '"');
		json = quote + 1;
	}
	tr2_redact_add(out, json);
}
