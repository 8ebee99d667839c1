/* Tokens that are known by their shape, and not only by their beginning. */
#include "redact/secret/secret.h"

#include <string.h>

#include "event/secrets.h"
#include "event/token.h"
#include "lib/text/text.h"
#include "redact/secret/names.h"

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
static size_t skip_kinds(const struct tr2_secret_scan *scan, size_t at,
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
	end = skip_kinds(scan, body, shape->head, &found);
	if (end - body < shape->least || end - body > shape->most ||
	    !tr2_text_starts(scan->text + end, scan->len - end, shape->mark))
		return 0;
	rest = end + strlen(shape->mark);
	end = skip_kinds(scan, rest, shape->tail, &found);
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
