#include "redact/redactor/value.h"

#include <string.h>

#include "base/ascii.h"
#include "lib/text/text.h"
#include "redact/redactor/line.h"

/* The kinds that may be in a path. */
#define IN_PATH (TR2_HIDE_PATHS | TR2_HIDE_REPOSITORIES | TR2_HIDE_USERS)

/* The parts of a URL or of an address; a part that is absent is empty. */
struct place {
	const char *user, *host, *path;
	size_t user_len, host_len, path_len;
};

void tr2_hide_kind(const struct tr2_hider *hider, struct tr2_buf *out,
		   unsigned kind, const char *word, const char *text,
		   size_t len)
{
	if (hider->hide & kind && len)
		tr2_placeholder_add(&hider->key, out, word, text, len);
	else
		tr2_buf_add(out, text, len);
}

void tr2_hide_other(const struct tr2_hider *hider, struct tr2_buf *out,
		    const char *text, size_t len)
{
	tr2_hide_kind(hider, out, TR2_HIDE_ALL, "text", text, len);
}

static bool is_slash(char c)
{
	return c == '/' || c == '\\';
}

bool tr2_hide_has_address(const char *text, size_t len)
{
	for (size_t i = 1; i + 1 < len; i++)
		if (text[i] == '@' &&
		    tr2_text_count_word(text + i - 1, 1, "") &&
		    tr2_text_count_word(text + i + 1, 1, ""))
			return true;
	return tr2_text_find(text, len, "://");
}

/* A path may have the URL of another host, as those of mirrors do. */
static unsigned find_kinds(const char *path, size_t len)
{
	return tr2_hide_has_address(path, len) ? IN_PATH | TR2_HIDE_HOSTS
					       : IN_PATH;
}

/* Two slashes may be followed by the name of a host. */
void tr2_hide_path(const struct tr2_hider *hider, struct tr2_buf *out,
		   const char *text, size_t len)
{
	unsigned kinds = find_kinds(text, len);

	if (len > 1 && is_slash(text[0]) && is_slash(text[1]))
		kinds |= TR2_HIDE_HOSTS;
	tr2_hide_kind(hider, out, kinds, "path", text, len);
}

/*
 * A number, perhaps with a sign, a fraction or a unit, or a version. Four
 * numbers with dots between them are the address of a host.
 */
static bool is_number(const char *text, size_t len)
{
	size_t digits, parts = 0;

	if (len && (*text == '-' || *text == '+'))
		text++, len--;
	do {
		digits = tr2_text_count_digits(text, len);
		text += digits, len -= digits;
	} while (++parts < 3 && digits && len > 1 && *text == '.' &&
		 (text++, len--));
	return digits && (!len || (len == 1 && memchr("kKmMgG%", *text, 7)));
}

static bool is_common_word(const char *text, size_t len)
{
	return tr2_text_is_among(
		text, len,
		"true false yes no on off auto always never none default HEAD "
		"origin main master upstream");
}

static bool has_blank(const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)text[i] <= ' ' || text[i] == 0x7f)
			return true;
	return false;
}

/* Returns the length of the scheme that the text begins with, or 0. */
static size_t find_scheme(const char *text, size_t len)
{
	const size_t end = tr2_text_count_word(text, len, "+-.");

	return end && tr2_ascii_alpha(*text) &&
			       tr2_text_starts(text + end, len - end, "://")
		       ? end
		       : 0;
}

/* Divide `[USER@]HOST`. A SID's or a name's `@` may not be the last one. */
static void divide_authority(struct place *place, const char *text, size_t len)
{
	size_t at = len;

	while (at && text[at - 1] != '@')
		at--;
	place->user = text;
	place->user_len = at ? at - 1 : 0;
	place->host = text + at;
	place->host_len = len - at;
}

/* A password that was replaced stays as it is. */
static void put_user(const struct tr2_hider *hider, struct tr2_buf *out,
		     const struct place *place)
{
	static const char gone[] = ":<REDACTED>";
	const size_t gone_len = sizeof(gone) - 1;
	size_t len = place->user_len;
	bool secret = len >= gone_len &&
		      !memcmp(place->user + len - gone_len, gone, gone_len);

	if (secret)
		len -= gone_len;
	tr2_hide_kind(hider, out, TR2_HIDE_USERS, "user", place->user, len);
	if (secret)
		tr2_buf_str(out, gone);
	if (place->host > place->user)
		tr2_buf_byte(out, '@');
}

/* The port is kept. */
static void put_host(const struct tr2_hider *hider, struct tr2_buf *out,
		     const struct place *place)
{
	size_t len = place->host_len, end = len;

	while (end && tr2_text_is_digit(place->host[end - 1]))
		end--;
	if (end && end < len && place->host[end - 1] == ':')
		len = end - 1;
	tr2_hide_kind(hider, out, TR2_HIDE_HOSTS, "host", place->host, len);
	tr2_buf_add(out, place->host + len, place->host_len - len);
}

/* The first byte tells where the host ends. */
static void put_repository(const struct tr2_hider *hider, struct tr2_buf *out,
			   const struct place *place)
{
	size_t first = place->path_len && memchr("/?#:", *place->path, 4);
	const char *path = place->path + first;
	size_t len = place->path_len - first;

	tr2_buf_add(out, place->path, first);
	tr2_hide_kind(hider, out, find_kinds(path, len), "repository", path,
		      len);
}

static void put_place(const struct tr2_hider *hider, struct tr2_buf *out,
		      const struct place *place)
{
	put_user(hider, out, place);
	put_host(hider, out, place);
	put_repository(hider, out, place);
}

/* A file's URL has a path of this machine. */
static void put_url(const struct tr2_hider *hider, struct tr2_buf *out,
		    const char *text, size_t len, size_t scheme)
{
	struct place place;
	size_t end;

	tr2_buf_add(out, text, scheme + 3);
	if (tr2_text_starts(text, len, "file:///")) {
		tr2_hide_path(hider, out, text + scheme + 3, len - scheme - 3);
		return;
	}
	text += scheme + 3, len -= scheme + 3;
	for (end = 0; end < len && !memchr("/?#\\", text[end], 4);)
		end++;
	divide_authority(&place, text, end);
	place.path = text + end;
	place.path_len = len - end;
	put_place(hider, out, &place);
}

/*
 * Is this `USER@HOST`, or `[USER@]HOST:PATH` with a dot in the host? The text
 * is no path.
 */
static bool divide_address(struct place *place, const char *text, size_t len)
{
	const char *stop = text + len, *colon = memchr(text, ':', len);
	size_t end;

	if (!colon)
		colon = stop;
	end = (size_t)(colon - text);
	divide_authority(place, text, end);
	place->path = colon;
	place->path_len = (size_t)(stop - colon);
	if (!place->host_len || memchr(text, '=', end))
		return false;
	if (place->host > place->user)
		return place->user_len;
	return place->path_len > 1 && memchr(text, '.', end);
}

static bool is_drive(const char *text, size_t len)
{
	return len > 2 && tr2_ascii_alpha(*text) && text[1] == ':' &&
	       is_slash(text[2]);
}

/*
 * A `:` before the first slash may be that of a host or of a commit, and a `=`
 * that of a setting.
 */
static bool is_path(const char *text, size_t len)
{
	size_t i;

	if (is_drive(text, len))
		return true;
	for (i = 0; i < len && !is_slash(text[i]); i++)
		if (text[i] == ':' || text[i] == '=')
			return false;
	return i < len;
}

void tr2_hide_text(const struct tr2_hider *hider, struct tr2_buf *out,
		   const char *text, size_t len)
{
	size_t scheme = find_scheme(text, len);
	struct place place;

	if (is_number(text, len) || is_common_word(text, len))
		tr2_buf_add(out, text, len);
	else if (has_blank(text, len))
		tr2_hide_other(hider, out, text, len);
	else if (scheme)
		put_url(hider, out, text, len, scheme);
	else if (tr2_text_find(text, len, "://"))
		tr2_hide_other(hider, out, text, len);
	else if (is_path(text, len))
		tr2_hide_path(hider, out, text, len);
	else if (divide_address(&place, text, len))
		put_place(hider, out, &place);
	else
		tr2_hide_other(hider, out, text, len);
}

#define HEX 8
#define HOST 25 /* bytes of 20260114T093042.112358Z-H */

/*
 * Is it a date, after whose seconds writers differ, up to so many bytes, and
 * then the form?
 */
static bool is_dated(const char *text, size_t len, size_t dated,
		     const char *form)
{
	return len == dated + strlen(form) &&
	       tr2_text_has_form(text, len, "00000000T000000") &&
	       tr2_text_has_form(text + dated, len - dated, form);
}

/* Is it the component of a writer whose SID has no host? */
static bool has_no_host(const char *text, size_t len)
{
	static const char repo[] = "repo-00000000T000000Z-Pxxxxxxxx";

	return is_dated(text, len, 23, "-Localhost-Pxxxxxxxx") ||
	       (len == sizeof(repo) - 1 && tr2_text_has_form(text, len, repo));
}

static void put_component(const struct tr2_hider *hider, struct tr2_buf *out,
			  const char *text, size_t len)
{
	if (is_dated(text, len, 22, "Z-Hxxxxxxxx-Pxxxxxxxx")) {
		tr2_buf_add(out, text, HOST);
		tr2_placeholder_digits(&hider->key, out, "sid", text + HOST,
				       HEX, HEX);
		tr2_buf_add(out, text + HOST + HEX, len - HOST - HEX);
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
