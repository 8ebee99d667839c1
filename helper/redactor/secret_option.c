#include "redactor/secret.h"

#include <string.h>

#include "base/ascii.h"
#include "text/text.h"

static bool is_blank(char c)
{
	return c && strchr(" \t\r\n", c);
}

/* ---- Options of curl */

struct option {
	const char *name;
	char letter;
	enum tr2_secret_value value;
};

static const struct option options[] = {
	{ "--user", 'u', TR2_SECRET_USER },
	{ "--proxy-user", 'U', TR2_SECRET_USER },
	{ "--cert", 'E', TR2_SECRET_USER },
	{ "--proxy-cert", '\0', TR2_SECRET_USER },
	{ "--cookie", 'b', TR2_SECRET_PAIRS },
	{ "--proxy", 'x', TR2_SECRET_PROXY },
};

#define OPTION_COUNT (sizeof(options) / sizeof(*options))

/* `-sSu`: letters of options without a value may come first. */
static size_t measure_letters(const char *text, size_t len,
			      enum tr2_secret_value *value)
{
	static const char plain[] = "#0123456aBfgGiIjJklLMnNOpqRsSvZ";
	size_t at = 1, i;

	while (at < len && memchr(plain, text[at], sizeof(plain) - 1))
		at++;
	for (i = 0; at < len && i < OPTION_COUNT; i++) {
		if (options[i].letter != text[at])
			continue;
		*value = options[i].value;
		return at + 1;
	}
	return 0;
}

size_t tr2_secret_measure_option(const char *text, size_t len,
				 enum tr2_secret_value *value)
{
	size_t i, name;

	if (len < 2 || *text != '-')
		return 0;
	if (text[1] != '-')
		return measure_letters(text, len, value);
	for (i = 0; i < OPTION_COUNT; i++) {
		name = strlen(options[i].name);
		if (!tr2_text_starts(text, len, options[i].name) ||
		    (len > name && text[name] != '='))
			continue;
		*value = options[i].value;
		return name + (len > name);
	}
	return 0;
}

bool tr2_secret_find_option(const struct tr2_secret_scan *scan, size_t at,
			    struct tr2_secret_span *found)
{
	const char *text = scan->text;
	enum tr2_secret_value value = TR2_SECRET_NONE;
	size_t end = at, start;

	if (!scan->curl || (at && !strchr(" \t\r\n\"'", text[at - 1])))
		return false;
	while (end < scan->len && !strchr(" \t\r\n\"'\\", text[end]))
		end++;
	start = tr2_secret_measure_option(text + at, end - at, &value);
	if (!start)
		return false;
	start += at;
	while (start == end && start < scan->len && is_blank(text[start]))
		start++, end++;
	return tr2_secret_find_value(scan, start, found) &&
	       tr2_secret_narrow(text, value, found);
}

/* ---- .netrc */

/* Returns where the word begins that ends at most at `end`, which it moves. */
static size_t find_word(const char *text, size_t *end)
{
	size_t start;

	while (*end && is_blank(text[*end - 1]))
		--*end;
	for (start = *end; start && !is_blank(text[start - 1]);)
		start--;
	return start;
}

/* Does this word, perhaps after a quote or `=`, come before this place? */
static bool takes_word(const char *text, size_t *end, const char *word)
{
	const size_t len = strlen(word), first = find_word(text, end);
	const size_t start = *end - len;

	if (*end < first + len || !tr2_text_is(text + start, len, word) ||
	    (start > first && tr2_ascii_alpha(text[start - 1])))
		return false;
	*end = start;
	return true;
}

/* `machine HOST login USER password`, or `default login USER password` */
static bool is_netrc(const char *text, size_t end)
{
	if (!takes_word(text, &end, "password") &&
	    !takes_word(text, &end, "passwd"))
		return false;
	end = find_word(text, &end);
	if (!takes_word(text, &end, "login"))
		return false;
	if (takes_word(text, &end, "default"))
		return true;
	end = find_word(text, &end);
	return takes_word(text, &end, "machine");
}

bool tr2_secret_find_netrc(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found)
{
	return at && scan->text[at] == ' ' && scan->text[at - 1] == 'd' &&
	       is_netrc(scan->text, at) &&
	       tr2_secret_find_value(scan, at + 1, found);
}

/* ---- Their values */

static const char *find_last(const char *text, size_t len, char c)
{
	while (len && text[len - 1] != c)
		len--;
	return len ? text + len - 1 : NULL;
}

bool tr2_secret_narrow(const char *text, enum tr2_secret_value value,
		       struct tr2_secret_span *found)
{
	const char *start = text + found->start;
	size_t len = found->end - found->start;
	const char *colon = memchr(start, ':', len), *at;

	if (value == TR2_SECRET_PAIRS)
		return memchr(start, '=', len) &&
		       !tr2_secret_is_shown(start, len);
	if (!colon)
		return false;
	if (value == TR2_SECRET_PROXY) {
		at = find_last(start, len, '@');
		if (!at || at < colon || tr2_text_find(start, len, "://"))
			return false;
		found->end = (size_t)(at - text);
	}
	found->start = (size_t)(colon + 1 - text);
	return !tr2_secret_is_shown(colon + 1, found->end - found->start);
}
