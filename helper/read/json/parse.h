/*
 * parse.h - one JSON text and its values: the stage after tokens.h. A value
 * is a place in the text; nothing is copied or converted before it is needed.
 */
#ifndef TR2_JSON_PARSE_H
#define TR2_JSON_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "read/json/tokens.h"

#define TR2_PARSE_DEPTH 512 /* deeper nesting is refused */

/* Kinds of values, as bits. */
enum tr2_kind {
	TR2_NO_VALUE = 0,
	TR2_STRING = 1,
	TR2_INTEGER = 2,  /* only digits */
	TR2_FRACTION = 4, /* a number with a point or an exponent */
	TR2_BOOLEAN = 8,
	TR2_NULL = 16,
	TR2_STRINGS = 32, /* an array of strings; it may be empty */
	TR2_ARRAY = 64,	  /* any other array */
	TR2_OBJECT = 128
};

/*
 * Most values are plain: strings that are not empty and have no escapes, and
 * numbers of digits, perhaps with a point and more digits. The kinds of plain
 * values are below this.
 */
#define TR2_PLAIN_KINDS (TR2_FRACTION + 1)

struct tr2_value {
	enum tr2_kind kind;
	uint32_t token;	     /* for an array or object: its first token */
	uint32_t start, end; /* place of its bytes, with quotes or brackets */
};

struct tr2_parse {
	const char *text; /* places of values are relative to this */
	size_t len;
	const char *base;   /* places of tokens are relative to this */
	const uint32_t *at; /* the text's tokens, and those after it */
	uint32_t origin;    /* place of the text, relative to `base` */
	bool escapes;	    /* the text may have backslashes */
	unsigned objects;   /* number of objects that were read */
	unsigned depth;	    /* present depth */
	size_t next;	    /* if the text is one of many: token of the next */
	struct tr2_tokens tokens; /* if the text has its own tokens */
};

/*
 * Begin with a text. This finds its tokens; whether they are JSON becomes
 * known when the values are read. TR2_TOKENS_PADDING bytes follow the text;
 * the first of them is an LF, CR, NUL or `{`, which can't continue a value.
 */
enum tr2_tokens_result tr2_parse_begin(struct tr2_parse *parse,
				       const char *text, size_t len);

/*
 * The same for a text that is one of many; its tokens are known, and whether
 * it has backslashes.
 */
void tr2_parse_begin_among(struct tr2_parse *parse,
			   const struct tr2_tokens *tokens, const char *text,
			   size_t len, bool escapes);
void tr2_parse_release(struct tr2_parse *parse);

/* Returns where the token begins. */
static inline uint32_t tr2_parse_at(const struct tr2_parse *parse, size_t token)
{
	return parse->at[token] - parse->origin;
}

/* Returns the first byte of the token. */
static inline char tr2_parse_byte(const struct tr2_parse *parse, size_t token)
{
	return parse->base[parse->at[token]];
}

/* Is this the first token after the text? Then the whole text was read. */
static inline bool tr2_parse_is_end(const struct tr2_parse *parse, size_t token)
{
	return token && tr2_parse_at(parse, token - 1) < parse->len &&
	       tr2_parse_at(parse, token) >= parse->len;
}

/*
 * Returns how many digits the text begins with, at most 8. Tests 8 bytes at
 * once: a top bit is set for each byte that is not a digit.
 */
static inline size_t tr2_parse_digits(const char *text)
{
	const uint64_t each = UINT64_C(0x0101010101010101);
	uint64_t word, other;

	memcpy(&word, text, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	word ^= each * '0';
	other = (word | ((word & each * 0x7f) + each * (0x80 - 10))) &
		each * 0x80;
	return other ? (size_t)__builtin_ctzll(other) / 8 : 8;
}

/*
 * Returns the kind of a number with up to 7 digits, and perhaps a point and
 * up to 8 digits; TR2_NO_VALUE for all other numbers, which are rare.
 */
static inline enum tr2_kind tr2_parse_plain_number(const char *text, size_t len)
{
	size_t whole = tr2_parse_digits(text);

	if (!whole || whole > 7 || (*text == '0' && whole > 1))
		return TR2_NO_VALUE;
	if (whole == len)
		return TR2_INTEGER;
	if (text[whole] != '.' || whole + 1 == len ||
	    whole + 1 + tr2_parse_digits(text + whole + 1) != len)
		return TR2_NO_VALUE;
	return TR2_FRACTION;
}

/*
 * Returns the kind of a plain value that ends before the next token and has
 * no escapes; otherwise TR2_NO_VALUE.
 */
static inline enum tr2_kind tr2_parse_plain_kind(const char *text, size_t len)
{
	if (*text != '"')
		return tr2_parse_plain_number(text, len);
	return len > 2 && text[len - 1] == '"' ? TR2_STRING : TR2_NO_VALUE;
}

/* The part of tr2_parse_value() for values that are not plain. */
size_t tr2_parse_other(struct tr2_parse *parse, size_t token,
		       struct tr2_value *value);

/*
 * Read the value at the token, with everything in it. Returns the token after
 * it, or 0 if it is not JSON. It also refuses integers outside of int64_t and
 * uint64_t, other numbers outside of double, escapes of lone surrogates, and
 * values deeper than TR2_PARSE_DEPTH.
 */
static inline size_t tr2_parse_value(struct tr2_parse *parse, size_t token,
				     struct tr2_value *value)
{
	const char *text = parse->base + parse->at[token];
	size_t len = parse->at[token + 1] - parse->at[token];

	value->kind = parse->escapes && *text == '"'
			      ? TR2_NO_VALUE
			      : tr2_parse_plain_kind(text, len);
	if (!value->kind)
		return tr2_parse_other(parse, token, value);
	value->start = tr2_parse_at(parse, token);
	value->end = tr2_parse_at(parse, token + 1);
	return token + 1;
}

/*
 * Read a key of an object and the colon. Returns the token of its value, or 0
 * if this is not JSON.
 */
static inline size_t tr2_parse_key(struct tr2_parse *parse, size_t token,
				   struct tr2_value *key)
{
	if (tr2_parse_byte(parse, token) != '"' ||
	    tr2_parse_byte(parse, token + 1) != ':' ||
	    !tr2_parse_value(parse, token, key))
		return 0;
	return token + 2;
}

/* The part of tr2_parse_text() for strings with escapes. */
const char *tr2_parse_decode(const char *text, struct tr2_buf *scratch,
			     size_t *len);

/*
 * Returns a string without quotes: in place, or with its escapes decoded in
 * `scratch`. 8 bytes after it are readable; the first one is a quote or NUL.
 */
static inline const char *tr2_parse_text(const struct tr2_parse *parse,
					 const struct tr2_value *string,
					 struct tr2_buf *scratch, size_t *len)
{
	const char *text = parse->text + string->start + 1;

	*len = string->end - string->start - 2;
	if (parse->escapes && memchr(text, '\\', *len))
		return tr2_parse_decode(text, scratch, len);
	return text;
}

#endif
