/* Lines of files that have passwords: .netrc and .pgpass. */
#include "redact/secret/secret.h"

#include <string.h>

#include "lib/text/text.h"
#include "redact/secret/bytes.h"
#include "redact/secret/names.h"

/* ---- .netrc */

#define HIDDEN true

/* Do `login` and the like, or a name whose value is hidden, stand here? */
static bool is_pair(const char *text, size_t len, bool *hidden)
{
#define WORD(word, hidden, ...) { word, hidden },
	static const struct {
		const char *word;
		bool hidden;
	} words[] = { TR2_SECRET_NETRC(WORD) };
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (tr2_text_is(text, len, words[i].word)) {
			*hidden = words[i].hidden;
			return true;
		}
	return false;
}

bool tr2_secret_note_netrc(struct tr2_secret_netrc *netrc, const char *text,
			   size_t len)
{
	bool value = netrc->state == TR2_NETRC_VALUE, hidden = false;

	if (value || tr2_text_is(text, len, "default")) {
		netrc->sure = value && (netrc->sure || memchr(text, '.', len));
		netrc->state = TR2_NETRC_WORD;
	} else if (tr2_text_is(text, len, "machine")) {
		netrc->sure = false;
		netrc->state = TR2_NETRC_VALUE; /* its host */
	} else {
		value = netrc->state == TR2_NETRC_WORD &&
			is_pair(text, len, &hidden);
		netrc->sure |= value && !hidden;
		netrc->state = value ? TR2_NETRC_VALUE : TR2_NETRC_NONE;
	}
	return netrc->hidden = hidden;
}

/* The same of a word of a text, in which `\n` may end a line. */
void tr2_secret_note_line(struct tr2_secret_netrc *netrc, const char *text,
			  size_t len)
{
	const char *end = text + len, *next;

	for (; text < end; text = next + 2) {
		next = tr2_text_find(text, (size_t)(end - text), "\\n");
		if (!next)
			next = end;
		len = tr2_secret_begin_word(text, (size_t)(next - text), "",
					    SIZE_MAX);
		if (netrc->state == TR2_NETRC_VALUE)
			len = 0;
		tr2_secret_note_netrc(netrc, text + len,
				      (size_t)(next - text) - len);
	}
}

static size_t skip_word(const struct tr2_secret_scan *scan, size_t at,
			bool space)
{
	while (at < scan->len && tr2_secret_space(scan->text[at]) == space)
		at++;
	return at;
}

/* Does `login` or `account` follow the value that begins here? */
static bool has_login_after(const struct tr2_secret_scan *scan, size_t at)
{
	bool hidden;

	at = skip_word(scan, skip_word(scan, at, false), true);
	return is_pair(scan->text + at, skip_word(scan, at, false) - at,
		       &hidden);
}

/*
 * In `machine learning password policy` nothing has to do with a machine's
 * password: a host has a dot, or another pair is in the line.
 */
bool tr2_secret_find_netrc(struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found)
{
	if (!scan->netrc.hidden)
		return false;
	scan->netrc.hidden = false;
	at = skip_word(scan, at, true);
	if (!(scan->netrc.sure || has_login_after(scan, at)) ||
	    !tr2_secret_find_value(scan, at, found))
		return false;
	scan->netrc.state = TR2_NETRC_WORD;
	return true;
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
		    size_t end)
{
	const char *text = scan->text + start;
	const size_t len = end - start;

	if (tr2_text_is(text, len, "*"))
		return true;
	if (len > 5 || tr2_text_count_digits(text, len) < len)
		return false;
	return (len > 3 &&
		tr2_secret_is_one(text + len - 4, 4, "5432 5433 6432")) ||
	       names_file(scan, start);
}

/* It is no number: a line of /etc/shadow has one there. */
static bool is_database(const struct tr2_secret_scan *scan, size_t start,
			size_t end)
{
	const char *text = scan->text + start;
	bool number = true;

	for (; text < scan->text + end; text++) {
		if (!tr2_secret_in(*text, "_-.*$\\:"))
			return false;
		number &= tr2_text_is_digit(*text) || *text == '-';
	}
	return !number;
}

/* Returns where the host begins that ends here. */
static size_t begin_host(const char *text, size_t end)
{
	size_t at = end;

	while (at && end - at < PART_MOST &&
	       (tr2_secret_in(text[at - 1], "_-.*/@[]\\") ||
		(at > 1 && text[at - 1] == ':' && text[at - 2] == '\\')))
		at--;
	return at;
}

/* Does a word, or a value, begin after what is before? */
static bool begins_line(const char *text, size_t at)
{
	if (!at || (unsigned char)text[at - 1] <= ' ' ||
	    tr2_secret_quote(text[at - 1]) || memchr("=(>,;", text[at - 1], 5))
		return true;
	if (at > 1 && text[at - 1] == ':') /* PERF's label */
		return tr2_secret_alphanumeric(text[at - 2]);
	return at > 1 && !memcmp(text + at - 2, "\\n", 2);
}

bool tr2_secret_find_pgpass(const struct tr2_secret_scan *scan, size_t at,
			    struct tr2_secret_span *found)
{
	const size_t host = begin_host(scan->text, at);
	size_t part, end;

	if (host == at || !begins_line(scan->text, host))
		return false;
	for (part = 0; part < 3; part++) {
		end = end_part(scan, ++at);
		if (end <= at || end + 1 >= scan->len ||
		    scan->text[end] != ':' ||
		    (part == 0 && !is_port(scan, at, end)) ||
		    (part == 1 && !is_database(scan, at, end)))
			return false;
		at = end;
	}
	return tr2_secret_find_value(scan, at + 1, found);
}
