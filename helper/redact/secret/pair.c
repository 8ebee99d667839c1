#include "redact/secret/secret.h"

#include <string.h>

#include "redact/secret/bytes.h"

#define BETWEEN_MOST 64 /* bytes between the parts of a pair */
#define NAME_MOST 64

static size_t skip_back(const char *text, size_t at, const char *bytes)
{
	size_t end = at;

	while (at && end - at < BETWEEN_MOST && strchr(bytes, text[at - 1]) &&
	       text[at - 1])
		at--;
	return at;
}

static size_t begin_name(const char *text, size_t end)
{
	size_t at = end;

	while (at && end - at < NAME_MOST &&
	       (tr2_secret_alphanumeric(text[at - 1]) ||
		memchr("_-.", text[at - 1], 3)))
		at--;
	while (at < end && text[at] == '.') /* PERF has dots */
		at++;
	return at;
}

bool tr2_secret_names_other(const char *name, size_t len)
{
	static const char *const names[] = { "name", "key",   "id",
					     "var",  "param", "variable" };
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (len == strlen(names[i]) &&
		    tr2_secret_word(name, names[i], len))
			return true;
	return false;
}

bool tr2_secret_is_value(const char *name, size_t len)
{
	return len == 5 && tr2_secret_word(name, "value", 5);
}

enum tr2_secret_value tr2_secret_value_before(const char *text, size_t at)
{
	const size_t end = skip_back(text, at, " \t\r\n,;\"'\\-");
	const size_t start = begin_name(text, end);
	size_t mark = skip_back(text, start, " \t\"'\\"), name;

	if (start == end || !mark)
		return TR2_SECRET_NONE;
	if (text[start - 1] == '<')
		return tr2_secret_name(text + start, end - start, false);
	if (!memchr(":=", text[mark - 1], 2))
		return TR2_SECRET_NONE;
	mark = skip_back(text, mark - 1, " \t\"'\\");
	name = begin_name(text, mark);
	return tr2_secret_names_other(text + name, mark - name)
		       ? tr2_secret_name(text + start, end - start, false)
		       : TR2_SECRET_NONE;
}
