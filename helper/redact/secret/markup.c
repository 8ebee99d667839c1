#include "redact/secret/secret.h"

#include <string.h>

#include "base/ascii.h"
#include "redact/secret/bytes.h"
#include "lib/text/text.h"

#define TAG_MOST 256
#define CLAUSE_MOST 80 /* bytes from `identified` to its password */

/* ---- Elements of XML */

static bool is_name_byte(char c)
{
	return tr2_secret_alphanumeric(c) || memchr("_-.", c, 3);
}

/* Returns where the tag begins that ends here, after its `<`, or 0. */
static size_t begin_tag(const char *text, size_t end)
{
	size_t at = end;

	while (at && end - at < TAG_MOST && text[at - 1] != '<')
		if (text[--at] == '>')
			return 0;
	return at && text[at - 1] == '<' ? at : 0;
}

/* Is it the name of a secret, or has it one, as in `<entry key="NAME">`? */
static bool is_secret_tag(const char *text, size_t tag, size_t name, size_t end)
{
	const char *colon = memchr(text + tag, ':', name - tag);
	const size_t start = colon ? (size_t)(colon + 1 - text) : tag;

	return tr2_secret_name(text + start, name - start, false) ==
		       TR2_SECRET_VALUE ||
	       tr2_secret_value_before(text, end) == TR2_SECRET_VALUE;
}

/* `<token>` alone stands for a value in many messages. */
bool tr2_secret_find_element(const struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t tag = begin_tag(text, at);
	const char *open = memchr(text + at, '<', scan->len - at);
	const size_t end = open ? (size_t)(open - text) : scan->len;
	size_t name = tag, len;

	while (name < at && (is_name_byte(text[name]) || text[name] == ':'))
		name++;
	len = name - tag;
	*found = (struct tr2_secret_span){ at + 1, end };
	return len && scan->len - end > len + 2 && text[end + 1] == '/' &&
	       text[end + 2 + len] == '>' &&
	       !memcmp(text + end + 2, text + tag, len) &&
	       is_secret_tag(text, tag, name, at) &&
	       !tr2_secret_is_shown(text + at + 1, end - at - 1);
}

/* ---- Literals of SQL */

/* Is this the word that ends here? */
static bool is_word_before(const char *text, size_t end, const char *word)
{
	const size_t len = strlen(word);

	return end >= len && tr2_secret_word(text + end - len, word, len) &&
	       (end == len || !tr2_secret_alphanumeric(text[end - len - 1]));
}

/* `IDENTIFIED BY` and `IDENTIFIED WITH plugin BY` */
static bool is_clause(const char *text, size_t end)
{
	size_t at = end, least = end > CLAUSE_MOST ? end - CLAUSE_MOST : 0;

	if (!is_word_before(text, end, "by") &&
	    !is_word_before(text, end, "as"))
		return false;
	while (at > least && !is_word_before(text, at, "identified"))
		at--;
	return at > least;
}

/* `SET PASSWORD FOR user = ` */
static bool is_set_for(const char *text, size_t end)
{
	const size_t least = end > CLAUSE_MOST ? end - CLAUSE_MOST : 0;
	size_t at = end;

	if (!end || text[end - 1] != '=')
		return false;
	while (at > least && !is_word_before(text, at, "password for"))
		at--;
	return at > least;
}

bool tr2_secret_find_literal(const struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found)
{
	const char *text = scan->text;
	size_t end, start = at;

	while (start && text[start - 1] == '\\')
		start--;
	end = start - (start && text[start - 1] == '(');
	while (end && tr2_secret_space(text[end - 1]))
		end--;
	return end < start &&
	       (is_word_before(text, end, "password") || is_clause(text, end) ||
		is_set_for(text, end)) &&
	       tr2_secret_find_value(scan, start, found);
}
