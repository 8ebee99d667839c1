#include "redact/secret/secret.h"

#include <string.h>

#include "event/secrets.h"
#include "redact/secret/bytes.h"
#include "lib/text/text.h"

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

/* ---- One word after the other */

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

/* ---- In a text */

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
