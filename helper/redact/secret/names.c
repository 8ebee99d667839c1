/* Names of secrets, as names.h has them. */
#include "redact/secret/secret.h"

#include <string.h>

#include "base/ascii.h"
#include "redact/secret/bytes.h"
#include "redact/secret/names.h"
#include "redact/secret/view.h"
#include "lib/text/text.h"

#define NAME_MOST 128

#define ASKED TR2_SECRET_ASKED
#define AT TR2_SECRET_AT_WORD
#define FRONT TR2_SECRET_FRONT
#define OPTION TR2_SECRET_OPTION
#define OWNED TR2_SECRET_OWNED
#define GUESS (TR2_SECRET_LONG << TR2_SECRET_SHIFT)
#define MIXED (TR2_SECRET_RANDOM << TR2_SECRET_SHIFT)
#define HEADER (TR2_SECRET_LINE << TR2_SECRET_SHIFT)
#define EXTRA (TR2_SECRET_EXTRA << TR2_SECRET_SHIFT)
#define LOGIN (TR2_SECRET_PROXY << TR2_SECRET_SHIFT)
#define COMMAND (TR2_SECRET_COMMAND << TR2_SECRET_SHIFT)
#define NAME(name, flags, meaning, source) { name, sizeof(name) - 1, flags },

const struct tr2_secret_name tr2_secret_names[] = { TR2_SECRET_QUERY(
	NAME) TR2_SECRET_NAMES(NAME){ NULL, 0, 0 } };

bool tr2_secret_is_one(const char *text, size_t len, const char *words)
{
	size_t size;

	for (; *words; words += size + (words[size] == ' ')) {
		size = strcspn(words, " ");
		if (size == len && tr2_secret_word(text, words, len))
			return true;
	}
	return false;
}

/* `admin`, after which `pass` may be in the same word */
static bool ends_in_owner(const char *name, size_t len)
{
#define OWNER(word, ...) word,
	static const char *const owners[] = { TR2_SECRET_OWNERS(OWNER) };
	size_t i, size;

	for (i = 0; i < sizeof(owners) / sizeof(*owners); i++) {
		size = strlen(owners[i]);
		if (len >= size &&
		    tr2_secret_word(name + len - size, owners[i], size))
			return true;
	}
	return false;
}

/* May a name end in this one, of which so many bytes are before it? */
static bool may_end(const struct tr2_secret_name *row, const char *name,
		    size_t before)
{
	if (!(row->flags & (AT | OWNED)) || !before ||
	    !tr2_secret_alphanumeric(name[before - 1]))
		return true;
	return row->flags & OWNED && ends_in_owner(name, before);
}

static bool has_name(const struct tr2_secret_name *row, const char *name,
		     size_t len, bool asked)
{
	const size_t tail = row->len;

	if (row->flags & FRONT)
		return len > tail && tr2_secret_word(name, row->name, tail);
	if (len < tail || !tr2_secret_word(name + len - tail, row->name, tail))
		return false;
	if (row->flags & ASKED && !asked)
		return false;
	if (row->flags & OPTION && !tr2_text_starts(name, len, "--"))
		return false;
	return may_end(row, name, len - tail);
}

/* `TOKEN_2` and `password2` are names, too. */
static size_t trim_number(const char *name, size_t len)
{
	size_t end = len;

	while (end && tr2_ascii_digit(name[end - 1]))
		end--;
	if (end < len && end && memchr("_-", name[end - 1], 2))
		end--;
	return end;
}

static bool has_numbered(const struct tr2_secret_name *row, const char *name,
			 size_t len, bool asked)
{
	return has_name(row, name, len, asked) ||
	       (tr2_ascii_digit(name[len - 1]) && row->len > 4 &&
		has_name(row, name, trim_number(name, len), asked));
}

/* The present directory is no secret. */
static enum tr2_secret_value find_name(const char *name, size_t len, bool asked)
{
	const struct tr2_secret_name *row = tr2_secret_names;

	if (!len)
		return TR2_SECRET_NONE;
	while (row->name && !has_numbered(row, name, len, asked))
		row++;
	if (!row->name || tr2_text_is(name, len, "PWD") ||
	    tr2_text_is(name, len, "OLDPWD"))
		return TR2_SECRET_NONE;
	return row->flags >> TR2_SECRET_SHIFT
		       ? (enum tr2_secret_value)(row->flags >> TR2_SECRET_SHIFT)
		       : TR2_SECRET_VALUE;
}

/* The end of a name tells what it is, so the beginning of a long one may go. */
static enum tr2_secret_value find_spelled(const char *name, size_t len,
					  bool asked)
{
	char bytes[NAME_MOST];
	struct tr2_buf seen = TR2_BUF_FIXED(bytes);

	tr2_view_add(&seen, name, len);
	return find_name(bytes, seen.len, asked);
}

enum tr2_secret_value tr2_secret_name(const char *name, size_t len, bool asked)
{
	if (len > NAME_MOST)
		name += len - NAME_MOST, len = NAME_MOST;
	return tr2_view_differs(name, len) ? find_spelled(name, len, asked)
					   : find_name(name, len, asked);
}
