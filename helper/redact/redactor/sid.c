#include "redact/redactor/value.h"

#include <string.h>

#include "redact/redactor/line.h"
#include "lib/text/text.h"

#define DATE_LEN 23 /* 20260114T093042.112358Z */
#define HEX 8

static bool is_hex(const char *text)
{
	size_t i;

	for (i = 0; i < HEX; i++)
		if (!text[i] || !strchr("0123456789abcdef", text[i]))
			return false;
	return true;
}

/* Does it begin as `YYYYMMDDTHHMMSS`, after which writers differ? */
static bool has_date(const char *text, size_t len)
{
	size_t i;

	for (i = 0; i < 15; i++)
		if (i >= len ||
		    (i == 8 ? text[i] != 'T' : !tr2_text_is_digit(text[i])))
			return false;
	return true;
}

/* Is it the component of a writer whose SID has no host? */
static bool has_no_host(const char *text, size_t len)
{
	static const char other[] = "repo-", localhost[] = "-Localhost-P";
	const char *end = text + len;

	if (tr2_text_starts(text, len, other)) {
		text += sizeof(other) - 1;
		return len == 5 + 15 + 1 + 2 + HEX &&
		       has_date(text, (size_t)(end - text)) &&
		       !memcmp(text + 15, "Z-P", 3) && is_hex(end - HEX);
	}
	return len == DATE_LEN + 12 + HEX && has_date(text, len) &&
	       !memcmp(text + DATE_LEN, localhost, 12) && is_hex(end - HEX);
}

/* `DATE-Hxxxxxxxx-Pxxxxxxxx` */
static bool has_host(const char *text, size_t len)
{
	return len == DATE_LEN + 2 * (2 + HEX) && has_date(text, len) &&
	       text[DATE_LEN - 1] == 'Z' && !memcmp(text + DATE_LEN, "-H", 2) &&
	       is_hex(text + DATE_LEN + 2) &&
	       !memcmp(text + DATE_LEN + 2 + HEX, "-P", 2) &&
	       is_hex(text + DATE_LEN + 2 + HEX + 2);
}

static void put_component(const struct tr2_hider *hider, struct tr2_buf *out,
			  const char *text, size_t len)
{
	const size_t host = DATE_LEN + 2;

	if (has_host(text, len)) {
		tr2_buf_add(out, text, host);
		tr2_placeholder_digits(&hider->key, out, "sid", text + host,
				       HEX, HEX);
		tr2_buf_add(out, text + host + HEX, len - host - HEX);
	} else if (has_no_host(text, len)) {
		tr2_buf_add(out, text, len);
	} else {
		tr2_hide_kind(hider, out, TR2_HIDE_HOSTS, "host", text, len);
	}
}

void tr2_hide_sid(const struct tr2_hider *hider, struct tr2_buf *out,
		  const char *text, size_t len)
{
	const char *slash;
	size_t part;

	if (!(hider->hide & TR2_HIDE_HOSTS)) {
		tr2_buf_add(out, text, len);
		return;
	}
	while ((slash = memchr(text, '/', len))) {
		part = (size_t)(slash - text);
		put_component(hider, out, text, part);
		tr2_buf_byte(out, '/');
		text += part + 1, len -= part + 1;
	}
	put_component(hider, out, text, len);
}
