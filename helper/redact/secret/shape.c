/* Tokens, which are known by their beginning or by their shape. */
#include "redact/secret/secret.h"

#include <string.h>

#include "event/secrets.h"
#include "event/token.h"
#include "lib/text/text.h"
#include "redact/secret/bytes.h"
#include "redact/secret/names.h"

#define LONG 16 /* bytes after the beginning of a token */
#define SURE 64 /* a text that is so long is no word */

#define ALNUM TR2_TOKEN_ALNUM
#define CAPITALS TR2_TOKEN_CAPITALS
#define WORD TR2_TOKEN_WORD
#define HYPHEN TR2_TOKEN_HYPHEN
#define LOWER TR2_TOKEN_LOWER
#define DIGIT TR2_TOKEN_DIGIT
#define ALL TR2_TOKEN_ALL
#define SHAPE(needle, prefix, kinds, least, most, ...) \
	{ prefix, kinds, least, most, TAIL(__VA_ARGS__) },
#define TAIL(mark, kinds, least, ...) mark, kinds, least

static const struct token_shape {
	const char *prefix;
	unsigned head, least, most; /* bytes after it */
	const char *mark;	    /* that follows them */
	unsigned tail, rest;	    /* bytes after that */
} shapes[] = { TR2_SECRET_SHAPES(SHAPE) };

/* Returns where the bytes of these kinds end, and adds which kinds they are. */
size_t tr2_secret_skip_kinds(const struct tr2_secret_scan *scan, size_t at,
			     unsigned kinds, unsigned *found)
{
	unsigned kind;

	while (at < scan->len &&
	       (kind = tr2_token_byte(scan->text[at])) & kinds)
		*found |= kind, at++;
	return at;
}

/* Returns the end of the token of this shape that begins here, or 0. */
static size_t end_shape(const struct tr2_secret_scan *scan, size_t start,
			const struct token_shape *shape)
{
	const size_t body = start + strlen(shape->prefix);
	unsigned found = 0;
	size_t end, rest;

	if (!tr2_text_starts(scan->text + start, scan->len - start,
			     shape->prefix))
		return 0;
	end = tr2_secret_skip_kinds(scan, body, shape->head, &found);
	if (end - body < shape->least || end - body > shape->most ||
	    !tr2_text_starts(scan->text + end, scan->len - end, shape->mark))
		return 0;
	rest = end + strlen(shape->mark);
	end = tr2_secret_skip_kinds(scan, rest, shape->tail, &found);
	return end - rest >= shape->rest && found & TR2_TOKEN_CAPITALS ? end
								       : 0;
}

bool tr2_secret_find_shape(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found)
{
	size_t i, end;

	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		end = end_shape(scan, at, shapes + i);
		if (end)
			return tr2_secret_take(scan, at, end, found);
	}
	return false;
}

/* ---- By their beginning */

/* A `-` or a `.` at the end is none of the token, but of the sentence. */
static size_t trim_run(const struct tr2_secret_scan *scan, size_t start,
		       size_t end)
{
	while (end > start && memchr("-.", scan->text[end - 1], 2))
		end--;
	return end;
}

/* Is it a part of a path, or a file's name? Those have words like tokens. */
static bool is_in_path(const struct tr2_secret_scan *scan, size_t start,
		       size_t end)
{
	const char *text = scan->text;

	if (start && memchr("/\\", text[start - 1], 2))
		return true;
	if (end == scan->len)
		return false;
	return memchr("/\\", text[end], 2) ||
	       (text[end] == '.' && end + 1 < scan->len &&
		tr2_ascii_alpha(text[end + 1]));
}

/* Returns the end of the token of this kind that begins here, or 0. */
static size_t end_token(const struct tr2_secret_scan *scan, size_t start,
			const struct tr2_token_kind *kind)
{
	const size_t body = start + kind->len;
	const unsigned dot = TR2_TOKEN_DOT;
	unsigned found = 0;
	size_t end = tr2_secret_skip_kinds(scan, body, kind->bytes & ~dot,
					   &found),
	       len;

	if (kind->bytes & dot && end - body >= LONG)
		end = tr2_secret_skip_kinds(scan, end, kind->bytes, &found);
	end = trim_run(scan, body, end);
	len = end - body;
	if (len >= SURE)
		return end;
	if (len < kind->least || (len < LONG && is_in_path(scan, start, end)) ||
	    (end < scan->len && tr2_secret_in(scan->text[end], "_")))
		return 0;
	if (found & TR2_TOKEN_CAPITALS)
		return end;
	return kind->loose && len >= LONG ? end : 0;
}

bool tr2_secret_find_token(const struct tr2_secret_scan *scan, size_t at,
			   struct tr2_secret_span *found)
{
	const struct tr2_token_kind *kind;

	found->start = at;
	for (kind = tr2_token_kinds; kind->prefix; kind++) {
		if (*kind->prefix != scan->text[at] ||
		    !tr2_text_starts(scan->text + at, scan->len - at,
				     kind->prefix))
			continue;
		found->end = end_token(scan, at, kind);
		if (found->end)
			return true;
	}
	return false;
}
