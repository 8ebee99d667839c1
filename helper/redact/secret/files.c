/* Lines of files that have passwords: .netrc and .pgpass. */
#include "redact/secret/secret.h"

#include <string.h>

#include "base/ascii.h"
#include "lib/text/text.h"
#include "redact/secret/bytes.h"
#include "redact/secret/names.h"

/* ---- .netrc */

#define HIDDEN true
#define WORD(word, hidden, ...) { word, sizeof(word) - 1, hidden },

static const struct {
	const char *word;
	size_t len;
	bool hidden;
} words[] = { TR2_SECRET_NETRC(WORD) };

#define WORD_COUNT (sizeof(words) / sizeof(*words))

/* Returns the number of the word, or WORD_COUNT. */
static size_t find_number(const char *text, size_t len)
{
	size_t i = 0;

	while (i < WORD_COUNT &&
	       (len != words[i].len || memcmp(text, words[i].word, len)))
		i++;
	return i;
}

bool tr2_secret_note_netrc(struct tr2_secret_netrc *netrc, const char *text,
			   size_t len)
{
	size_t number;

	if (netrc->state == TR2_NETRC_VALUE) {
		netrc->state = TR2_NETRC_WORD;
		return false;
	}
	if (tr2_text_is(text, len, "machine")) {
		netrc->state = TR2_NETRC_VALUE; /* its host */
		return false;
	}
	if (tr2_text_is(text, len, "default")) {
		netrc->state = TR2_NETRC_WORD;
		return false;
	}
	number = netrc->state == TR2_NETRC_WORD ? find_number(text, len)
						: WORD_COUNT;
	netrc->state = number < WORD_COUNT ? TR2_NETRC_VALUE : TR2_NETRC_NONE;
	return number < WORD_COUNT && words[number].hidden;
}

/* Returns how many bytes of a blank, or of `\n`, end here. */
static size_t gap_before(const char *text, size_t end)
{
	if (end && tr2_secret_space(text[end - 1]))
		return 1;
	return end > 1 && text[end - 2] == '\\' &&
			       memchr("nrt", text[end - 1], 3)
		       ? 2
		       : 0;
}

/* Returns where the word begins that ends at most at `end`, which it moves. */
static size_t find_word(const char *text, size_t *end)
{
	size_t start, gap;

	while ((gap = gap_before(text, *end)))
		*end -= gap;
	for (start = *end; start && !gap_before(text, start);)
		start--;
	return start;
}

/* Returns where the word begins that ends here, without a quote or `=`. */
static size_t find_plain(const char *text, size_t *end)
{
	const size_t first = find_word(text, end);
	size_t start = *end;

	while (start > first && tr2_secret_alphanumeric(text[start - 1]))
		start--;
	return start;
}

static bool is_word(const char *text, size_t start, size_t end,
		    const char *word)
{
	return tr2_text_is(text + start, end - start, word);
}

/* Does `login` or `account` follow the value that begins here? */
static bool has_login_after(const struct tr2_secret_scan *scan, size_t at)
{
	const char *text = scan->text;
	size_t end;

	while (at < scan->len && tr2_secret_space(text[at]))
		at++;
	while (at < scan->len && !tr2_secret_space(text[at]))
		at++;
	while (at < scan->len && tr2_secret_space(text[at]))
		at++;
	for (end = at; end < scan->len && !tr2_secret_space(text[end]);)
		end++;
	return find_number(text + at, end - at) < WORD_COUNT;
}

/*
 * Go back over pairs to `machine HOST` or `default`. In `machine learning
 * password policy` nothing has to do with a machine's password: a host has a
 * dot, or another pair is in the line.
 */
static bool is_netrc(const struct tr2_secret_scan *scan, size_t at, size_t end)
{
	const char *text = scan->text;
	bool sure = has_login_after(scan, at);
	size_t start, value, i;

	for (i = 0; i < 8; i++) {
		value = find_word(text, &end);
		if (is_word(text, find_plain(text, &end), end, "default"))
			return sure;
		sure |= memchr(text + value, '.', end - value) != NULL;
		end = value;
		start = find_plain(text, &end);
		if (is_word(text, start, end, "machine"))
			return sure;
		if (find_number(text + start, end - start) == WORD_COUNT)
			return false;
		sure = true;
		end = start;
	}
	return false;
}

bool tr2_secret_find_netrc(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found)
{
	const char *text = scan->text;
	size_t end = at, start, number;

	if (!at || !memchr("dt", text[at - 1], 2))
		return false;
	start = find_plain(text, &end);
	number = find_number(text + start, end - start);
	if (number == WORD_COUNT || !words[number].hidden ||
	    !is_netrc(scan, at, start))
		return false;
	while (at < scan->len && tr2_secret_space(text[at]))
		at++;
	return tr2_secret_find_value(scan, at, found);
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
