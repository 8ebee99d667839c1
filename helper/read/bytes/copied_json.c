#include "read/bytes/copied.h"

#include <stdlib.h>
#include <string.h>

#include "lib/text/text.h"

/* ---- Values */

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

/*
 * Is this the only value, and clocks come after it? Then it is a line of another
 * tool in a log whose lines may have anything before them.
 */
static bool is_alone(const struct tr2_copied *copied, const char *value,
		     const char *end)
{
	while (value < end && (*value != '"' || value[-1] == '\\'))
		value++;
	if (tr2_text_find(value, (size_t)(end - value), copied->key))
		return false;
	while (value < end && !tr2_text_has_form(value, (size_t)(end - value),
						 TR2_COPIED_CLOCK))
		value++;
	return value < end;
}

/*
 * Are the lines in values, of objects that are no events (nor those of Chrome's
 * JSON), of a list, or in quotes after an equal sign? The first line of a log
 * tells, also where it is not the first one of the value.
 */
bool tr2_copied_has_values(struct tr2_copied *copied, const char *text,
			   const char *end)
{
	const char *at = text;

	copied->found = tr2_text_find(text, (size_t)(end - text), "\"sid\":") ||
			tr2_text_find(text, (size_t)(end - text), "\"ph\":");
	for (; at < end && !copied->found; at++) {
		copied->found = begins_line(text, at) &&
				tr2_copied_begins_event(at, (size_t)(end - at));
		if (copied->found && at > text && at[-1] != '\n')
			keep_key(copied, text, at);
	}
	return *copied->key && !is_alone(copied, at, end);
}

/* Read an escape. One that is not ASCII stays, as JSON may have it. */
static size_t read_escape(const char *text, size_t len, int *byte)
{
	static const char names[] = "nrtbf\"\\/", bytes[] = "\n\r\t\b\f\"\\/";
	const char *name = memchr(names, text[1], sizeof(names) - 1);
	char code[5] = "", *end;
	long number;

	if (name) {
		*byte = bytes[name - names];
		return 2;
	}
	if (text[1] != 'u' || len < 6)
		return 1;
	memcpy(code, text + 2, 4);
	number = strtol(code, &end, 16);
	if (*end || number < 0 || number >= 0x80)
		return 1;
	*byte = (int)number;
	return 6;
}

/* A cut value ends with its line; that of a cell may have lines. */
static bool ends_row(const struct tr2_copied *copied, const char *text,
		     size_t len)
{
	return *text == '\n' && (!copied->inside || copied->key[1] ||
				 (len > 1 && text[1] == '"'));
}

/* Between values only lines that are events themselves stay. */
static size_t read_outside(struct tr2_copied *copied, const char *text,
			   size_t len, int *byte)
{
	if (copied->is_bare)
		return 1;
	*byte = -1;
	copied->inside = tr2_text_starts(text, len, copied->key);
	copied->column = EMPTY;
	return copied->inside ? strlen(copied->key) : 1;
}

/*
 * Values without a line end get one, unless others have their own: they are parts
 * of a line. Of an empty one nothing is left.
 */
size_t tr2_copied_read_value(struct tr2_copied *copied, const char *text,
			     size_t len, bool at_end, int *byte)
{
	size_t used = 1;

	if (len < sizeof(copied->key) && !at_end)
		return 0;
	if (ends_row(copied, text, len)) {
		if (!copied->inside && !copied->is_bare)
			*byte = -1;
		copied->inside = false;
		copied->is_bare = tr2_copied_begins_event(text + 1, len - 1);
		return 1;
	}
	if (!copied->inside)
		return read_outside(copied, text, len, byte);
	if (*text == '"') {
		copied->inside = false;
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

/* ---- Lists, and objects of several lines */

#define BLANKS " \t\r"
#define HEAD 4096 /* the first object begins here */

/* Returns the first byte that is none of these, or the end. */
static const char *skip_any(const char *text, const char *end,
			    const char *these)
{
	while (text < end && memchr(these, *text, strlen(these)))
		text++;
	return text;
}

/*
 * Does a key follow the first brace, and is the brace alone in its line, or in
 * that of the bracket of a list? A trace of Chrome has other keys.
 */
bool tr2_copied_has_folds(struct tr2_copied *copied, const char *text,
			  const char *end)
{
	const size_t len = end - text < HEAD ? (size_t)(end - text) : HEAD;
	const char *line = text, *brace, *after, *key;

	(void)copied;
	end = text + len;
	brace = skip_any(line, end, BLANKS "\n[");
	while (brace < end && *brace != '{') {
		line = tr2_copied_find_end(brace, end);
		brace = skip_any(line, end, BLANKS "\n[");
	}
	if (brace == end)
		return false;
	after = skip_any(brace + 1, end, BLANKS);
	key = skip_any(after, end, BLANKS "\n");
	return key < end && *key == '"' &&
	       (*after == '\n' || memchr(line, '[', (size_t)(brace - line))) &&
	       tr2_text_find(text, len, "\"sid\":") &&
	       !tr2_text_find(text, len, "\"ph\":") &&
	       !tr2_text_find(text, len, "\"traceEvents\"");
}

/* Of an object, blanks between its tokens go, and a line end in a string. */
static bool stays_inside(struct tr2_copied *copied, char byte)
{
	if (copied->is_escaped) {
		copied->is_escaped = false;
	} else if (byte == '"') {
		copied->is_quoted = !copied->is_quoted;
	} else if (copied->is_quoted) {
		copied->is_escaped = byte == '\\';
		return byte != '\n';
	} else {
		copied->depth += byte == '{' || byte == '[';
		copied->depth -= byte == '}' || byte == ']';
		return !memchr(BLANKS "\n", byte, strlen(BLANKS "\n"));
	}
	return true;
}

/* Does the next object begin in the line after this LF, as far left? */
static bool precedes_object(const struct tr2_copied *copied, const char *text,
			    const char *end)
{
	const char *brace = skip_any(text + 1, end, BLANKS), *key;

	if (brace == end || *brace != '{' ||
	    (size_t)(brace - text) - 1 > copied->width)
		return false;
	key = skip_any(brace + 1, end, BLANKS "\n");
	return key < end && *key == '"';
}

/* An object that is damaged ends before the next one. */
static size_t read_object(struct tr2_copied *copied, const char *text,
			  size_t len, bool at_end, int *byte)
{
	if (*text == '\n' && len < TR2_COPIED_REST && !at_end)
		return 0;
	if (*text == '\n' && precedes_object(copied, text, text + len)) {
		copied->depth = copied->column = copied->width = 0;
		copied->is_quoted = copied->is_escaped = false;
	} else if (!stays_inside(copied, *text)) {
		*byte = -1;
	}
	return 1;
}

/*
 * The marks of a list around objects go, and lines that have nothing else. An
 * object ends its line.
 */
size_t tr2_copied_read_fold(struct tr2_copied *copied, const char *text,
			    size_t len, bool at_end, int *byte)
{
	static const char marks[] = BLANKS "\n[],";
	const bool is_mark = memchr(marks, *text, sizeof(marks) - 1);

	if (copied->depth)
		return read_object(copied, text, len, at_end, byte);
	if (copied->inside) { /* a line of something else */
		copied->inside = *text != '\n';
	} else if (copied->column && memchr("\n,]", *text, 3)) {
		copied->column = 0;
		copied->width = 0;
		*byte = '\n';
	} else if (is_mark) {
		copied->width = *text == '\n' ? 0 : copied->width + 1;
		*byte = -1;
	} else {
		copied->depth = *text == '{';
		copied->column = copied->depth; /* its line has no end yet */
		copied->inside = !copied->depth;
	}
	return 1;
}
