#include "read/bytes/copied.h"

#include <string.h>

#include "lib/text/text.h"

#define HEAD ((size_t)4096) /* the first object begins here */

#define BLANKS " \t\r"

/* Returns the first byte at or after `at` that is none of these. */
static size_t skip_any(const char *bytes, size_t len, size_t at,
		       const char *these)
{
	while (at < len && bytes[at] && strchr(these, bytes[at]))
		at++;
	return at;
}

/* Is there nothing in the line after its brace, and then a key? */
static bool is_laid_out(const char *brace, size_t len)
{
	const size_t lf = skip_any(brace, len, 1, BLANKS);
	const size_t key = skip_any(brace, len, lf, BLANKS "\n");

	return key < len && brace[lf] == '\n' && brace[key] == '"';
}

/* Returns the first line that begins with a brace, or NULL. */
static const char *find_brace(const char *line, const char *end)
{
	size_t at;

	for (; line; line = memchr(line, '\n', (size_t)(end - line))) {
		at = skip_any(line, (size_t)(end - line), 0, BLANKS "\n[");
		line += at;
		if (line < end && *line == '{')
			return line;
	}
	return NULL;
}

/* Does the log begin as a list of objects? */
static bool is_list(const char *bytes, size_t len)
{
	const size_t at = skip_any(bytes, len, 0, BLANKS "\n");
	const size_t first = skip_any(bytes, len, at + 1, BLANKS "\n");

	return first < len && bytes[at] == '[' && bytes[first] == '{';
}

/*
 * The first object tells. A trace of Chrome may have the same layout, and other
 * keys.
 */
bool tr2_unfold_begins(struct tr2_unfold *unfold, const char *bytes, size_t len)
{
	const char *brace;

	*unfold = (struct tr2_unfold){ 0 };
	len = len > HEAD ? HEAD : len;
	if (!tr2_text_find(bytes, len, "\"sid\":") ||
	    tr2_text_find(bytes, len, "\"ph\":") ||
	    tr2_text_find(bytes, len, "\"traceEvents\""))
		return false;
	brace = find_brace(bytes, bytes + len);
	unfold->is_on =
		is_list(bytes, len) ||
		(brace && is_laid_out(brace, (size_t)(bytes + len - brace)));
	return unfold->is_on;
}

/* All bytes of a string stay. */
static void pass_string(struct tr2_unfold *unfold, char byte)
{
	if (unfold->place == TR2_UNFOLD_ESCAPE)
		unfold->place = TR2_UNFOLD_STRING;
	else if (byte == '\\')
		unfold->place = TR2_UNFOLD_ESCAPE;
	else if (byte == '"')
		unfold->place = TR2_UNFOLD_INSIDE;
}

/* Returns whether a byte of an object stays: not a line break and its blanks. */
static bool take_inside(struct tr2_unfold *unfold, char byte)
{
	if (byte == '\n' || byte == '\r') {
		unfold->place = TR2_UNFOLD_BREAK;
		return false;
	}
	if (unfold->place == TR2_UNFOLD_BREAK && (byte == ' ' || byte == '\t'))
		return false;
	unfold->place = byte == '"' ? TR2_UNFOLD_STRING : TR2_UNFOLD_INSIDE;
	unfold->depth += byte == '{' || byte == '[';
	unfold->depth -= byte == '}' || byte == ']';
	if (!unfold->depth)
		unfold->place = TR2_UNFOLD_AFTER;
	return true;
}

/*
 * The marks of a list around objects go, and lines that have nothing else. An
 * object ends its line.
 */
static bool take_outside(struct tr2_unfold *unfold, char *at)
{
	const char byte = *at;

	if ((byte == ',' || byte == ']') && unfold->place == TR2_UNFOLD_AFTER)
		*at = '\n';
	if (*at == '\n' && unfold->place != TR2_UNFOLD_BEGIN) {
		unfold->place = TR2_UNFOLD_BEGIN;
		return true;
	}
	if (unfold->place == TR2_UNFOLD_REST)
		return byte != ',';
	if (memchr(BLANKS "\n[],", byte, strlen(BLANKS "\n[],")))
		return false;
	unfold->depth = byte == '{';
	unfold->place = unfold->depth ? TR2_UNFOLD_INSIDE : TR2_UNFOLD_REST;
	return true;
}

size_t tr2_unfold_read(struct tr2_unfold *unfold, char *bytes, size_t len)
{
	size_t left = 0;
	bool stays;

	for (size_t i = 0; i < len; i++) {
		stays = true;
		if (unfold->place >= TR2_UNFOLD_STRING)
			pass_string(unfold, bytes[i]);
		else if (unfold->depth)
			stays = take_inside(unfold, bytes[i]);
		else
			stays = take_outside(unfold, &bytes[i]);
		bytes[left] = bytes[i];
		left += stays;
	}
	return left;
}
