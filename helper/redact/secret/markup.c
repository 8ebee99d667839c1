#include "redact/secret/secret.h"

#include <string.h>

#include "base/ascii.h"
#include "redact/secret/bytes.h"
#include "lib/text/text.h"

#define CLAUSE_MOST 80 /* bytes from `identified` to its password */

/* ---- Elements of XML */

static size_t begin_name(const char *text, size_t end)
{
	while (end && (tr2_secret_alphanumeric(text[end - 1]) ||
		       memchr("_-.", text[end - 1], 3)))
		end--;
	return end;
}

/* `<token>` alone stands for a value in many messages. */
bool tr2_secret_find_element(const struct tr2_secret_scan *scan, size_t at,
			     struct tr2_secret_span *found)
{
	const char *text = scan->text;
	const size_t name = begin_name(text, at), len = at - name;
	const char *open = memchr(text + at, '<', scan->len - at);
	const size_t end = open ? (size_t)(open - text) : scan->len;

	*found = (struct tr2_secret_span){ at + 1, end };
	return name && text[name - 1] == '<' && scan->len - end > len + 2 &&
	       text[end + 1] == '/' && text[end + 2 + len] == '>' &&
	       !memcmp(text + end + 2, text + name, len) &&
	       tr2_secret_name(text + name, len, false) == TR2_SECRET_VALUE &&
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
