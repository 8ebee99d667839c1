#include "redact/secret/secret.h"

#include <string.h>

#include "base/ascii.h"
#include "lib/text/text.h"
#include "redact/secret/bytes.h"

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

static bool is_number(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && (tr2_ascii_digit(text[i]) || text[i] == '-'))
		i++;
	return i == len;
}

/* A port that PostgreSQL and its pools have, or any one. */
static bool is_usual_port(const char *text, size_t len)
{
	if (tr2_text_is(text, len, "*"))
		return true;
	return len > 3 && (!memcmp(text + len - 4, "5432", 4) ||
			   !memcmp(text + len - 4, "5433", 4) ||
			   !memcmp(text + len - 4, "6432", 4));
}

/* Is the file named, which any port may be in? */
static bool names_file(const struct tr2_secret_scan *scan, size_t at)
{
	const size_t start = at < NEAR_MOST ? 0 : at - NEAR_MOST;
	const size_t end = scan->len - at < NEAR_MOST ? scan->len
						      : at + NEAR_MOST;

	return tr2_text_find(scan->text + start, end - start, "pgpass");
}

static bool is_port(const struct tr2_secret_scan *scan, size_t start,
		    size_t end)
{
	const char *text = scan->text + start;
	const size_t len = end - start;

	if (!tr2_text_is(text, len, "*") &&
	    (!is_number(text, len) || len > 5 || !len || *text == '-'))
		return false;
	return is_usual_port(text, len) || names_file(scan, start);
}

static bool is_name(const char *text, size_t len)
{
	size_t i = 0;

	while (i < len && (tr2_secret_alphanumeric(text[i]) ||
			   memchr("_-.*$\\:", text[i], 7)))
		i++;
	return i == len;
}

static bool is_host_byte(char c)
{
	return tr2_secret_alphanumeric(c) || memchr("_-.*/@[]\\", c, 9);
}

/* Returns where the host begins that ends here. */
static size_t begin_host(const char *text, size_t end)
{
	size_t at = end;

	while (at && end - at < PART_MOST &&
	       (is_host_byte(text[at - 1]) ||
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

/* Returns the place after the part and its colon, or 0. */
static size_t skip_part(const struct tr2_secret_scan *scan, size_t at)
{
	const size_t end = end_part(scan, at);

	return end > at && end + 1 < scan->len && scan->text[end] == ':'
		       ? end + 1
		       : 0;
}

/* It is no number: a line of /etc/shadow has one there. */
static bool is_database(const char *text, size_t len)
{
	return is_name(text, len) && !is_number(text, len);
}

bool tr2_secret_find_pgpass(const struct tr2_secret_scan *scan, size_t at,
			    struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t host = begin_host(text, at), port = at + 1;
	size_t database, user, password;

	if (host == at || !begins_line(text, host) || port >= scan->len ||
	    !memchr("*0123456789", text[port], 11))
		return false;
	database = skip_part(scan, port);
	if (!database || !is_port(scan, port, database - 1))
		return false;
	user = skip_part(scan, database);
	if (!user || !is_database(text + database, user - 1 - database))
		return false;
	password = skip_part(scan, user);
	return password && tr2_secret_find_value(scan, password, found);
}
