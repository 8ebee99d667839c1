/* Lines of a log that are values of JSON or of keys. */
#include "read/bytes/copied.h"

#include <stdlib.h>
#include <string.h>

#include "lib/text/text.h"

#define EMPTY ((size_t)-1) /* the column of a value of which nothing is read */

/*
 * Returns where the key of the value begins, with the byte before its name; or
 * the quote of a value that has none, as in a list; or NULL.
 */
static const char *find_key(const char *text, const char *value)
{
	const char *key = value - 1;

	while (key > text && key[-1] == ' ')
		key--;
	if (key == text || memchr("\n[,-", key[-1], 4))
		return value - 1;
	if (key - text < 2 || (key[-1] != ':' && key[-1] != '='))
		return NULL;
	key -= 1 + (key[-2] == '"');
	while (key > text && !memchr(" \"\n", key[-1], 3))
		key--;
	return key - (key > text);
}

/* Keep the key of the value in which there is a line here. */
static void keep_key(struct tr2_copied *copied, const char *text,
		     const char *line)
{
	const char *key;

	while (line > text &&
	       (line[-1] != '"' || (line - text > 1 && line[-2] == '\\')))
		line--;
	key = line > text ? find_key(text, line) : NULL;
	if (key && (size_t)(line - key) < sizeof(copied->key))
		memcpy(copied->key, key, (size_t)(line - key));
}

static bool begins_line(const char *text, const char *at)
{
	return at == text || at[-1] == '\n' || at[-1] == '"' ||
	       (at[-1] == 'n' && at - text > 1 && at[-2] == '\\');
}

bool tr2_quoted_begin(struct tr2_copied *copied, const char *text,
		      const char *end)
{
	const char *at = text;

	copied->found = tr2_text_find(text, (size_t)(end - text), "\"sid\":") ||
			tr2_text_find(text, (size_t)(end - text), "\"ph\":");
	for (; at < end && !copied->found; at++) {
		copied->found = begins_line(text, at) &&
				tr2_copied_begins(at, (size_t)(end - at));
		if (copied->found && at > text && at[-1] != '\n')
			keep_key(copied, text, at);
	}
	return *copied->key;
}

/* Read an escape. One that is not ASCII stays, as JSON may have it. */
static size_t read_escape(const char *text, size_t len, int *byte)
{
	static const char names[] = "nrtbf\"\\/", bytes[] = "\n\r\t\b\f\"\\/";
	const char *name = memchr(names, text[1], sizeof(names) - 1);
	char code[5] = "";
	long number;

	if (name) {
		*byte = bytes[name - names];
		return 2;
	}
	if (text[1] != 'u' || len < 6)
		return 1;
	memcpy(code, text + 2, 4);
	number = strtol(code, NULL, 16);
	if (number >= 0x80)
		return 1;
	*byte = (int)number;
	return 6;
}

/*
 * Values without a line end get one, unless others have their own: they are
 * parts of a line. Of an empty one nothing is left.
 */
size_t tr2_quoted_read(struct tr2_copied *copied, const char *text, size_t len,
		       bool at_end, int *byte)
{
	size_t used = 1;

	if (len < sizeof(copied->key) && !at_end)
		return 0;
	if (!copied->in_event) {
		*byte = -1;
		copied->in_event = tr2_text_starts(text, len, copied->key);
		copied->column = EMPTY;
		return copied->in_event ? strlen(copied->key) : 1;
	}
	if (*text == '"') {
		copied->in_event = false;
		copied->width |= !copied->column;
		if (copied->width || copied->column == EMPTY)
			*byte = -1;
		else
			*byte = '\n';
		copied->column = 0;
		return 1;
	}
	if (*text == '\\' && len > 1)
		used = read_escape(text, len, byte);
	copied->column = *byte != '\n';
	return used;
}
