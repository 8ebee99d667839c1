/* What is a secret by the brackets around it: of a call, or of an object. */
#include "redact/secret/secret.h"

#include <string.h>

#include "lib/text/text.h"
#include "redact/secret/bytes.h"
#include "redact/secret/names.h"

#define CALL_MOST 256	/* bytes of the values before the secret */
#define OBJECT_MOST 256 /* bytes of the pairs before it */
#define NAME_MOST 64

/* ---- Calls */

/* Is the value with this number a secret of the call whose name ends here? */
static bool is_argument(const char *text, size_t end, unsigned number)
{
#define CALL(name, number, ...) { name, number },
	static const struct {
		const char *name;
		unsigned number;
	} calls[] = { TR2_SECRET_CALLS(CALL) };
	size_t i;

	if (end && text[end - 1] == '=')
		end--;
	for (i = 0; i < sizeof(calls) / sizeof(*calls); i++)
		if (calls[i].number == number &&
		    tr2_secret_ends_in(text, end, calls[i].name))
			return true;
	return false;
}

/* Returns where the quote begins that ends here, or `least`. */
static size_t skip_quoted(const char *text, size_t end, size_t least)
{
	size_t at = end;

	while (at > least + 1 && text[at - 2] != text[end - 1])
		at--;
	return at > least + 1 ? at - 2 : least;
}

/* Returns where the bracket is in which this place is, and counts commas. */
static size_t find_bracket(const char *text, size_t at, unsigned *commas)
{
	const size_t least = at > CALL_MOST ? at - CALL_MOST : 0;
	unsigned depth = 0;

	while (at > least) {
		if (tr2_secret_quote(text[at - 1])) {
			at = skip_quoted(text, at, least);
			continue;
		}
		at--;
		if (memchr(")]}", text[at], 3))
			depth++;
		else if (memchr("([{", text[at], 3) && !depth--)
			return text[at] == '(' ? at : 0;
		*commas += !depth && text[at] == ',';
	}
	return 0;
}

bool tr2_secret_find_argument(const struct tr2_secret_scan *scan, size_t at,
			      struct tr2_secret_span *found)
{
	const size_t next = tr2_secret_skip_blanks(scan, at + 1);
	const size_t open = tr2_secret_skip_escapes(scan, next);
	unsigned number = 1;
	size_t bracket;

	if (open >= scan->len || !tr2_secret_quote(scan->text[open]))
		return false;
	bracket = find_bracket(scan->text, at + 1, &number);
	return bracket && is_argument(scan->text, bracket, number) &&
	       tr2_secret_find_value(scan, next, found);
}

/* ---- Objects of JSON */

bool tr2_secret_in_object(const char *text, size_t at)
{
#define OBJECT(name, ...) name " "
	const size_t least = at > OBJECT_MOST ? at - OBJECT_MOST : 0;
	size_t start;

	while (at > least && !memchr("{}", text[at - 1], 2))
		at--;
	if (at == least || text[--at] != '{')
		return false;
	while (at && (tr2_secret_space(text[at - 1]) ||
		      memchr(":\\\"'", text[at - 1], 4)))
		at--;
	start = tr2_secret_begin_word(text, at, "_-", NAME_MOST);
	return tr2_secret_is_one(text + start, at - start,
				 TR2_SECRET_OBJECTS(OBJECT));
}
