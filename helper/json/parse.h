/*
 * parse.h - one JSON text and the values in it: the stage behind tokens.h.
 * A value is a place in the text; nothing is copied or converted before
 * somebody asks.
 */
#ifndef TR2_JSON_PARSE_H
#define TR2_JSON_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "json/tokens.h"

#define TR2_PARSE_DEPTH 512 /* deeper nesting is refused */

/* Kinds of values, as bits. */
enum tr2_kind {
	TR2_NO_VALUE = 0,
	TR2_STRING = 1,
	TR2_INTEGER = 2,  /* digits alone */
	TR2_FRACTION = 4, /* a number with a point or an exponent */
	TR2_BOOLEAN = 8,
	TR2_NULL = 16,
	TR2_STRINGS = 32, /* an array of strings, maybe of none */
	TR2_ARRAY = 64,	  /* any other array */
	TR2_OBJECT = 128
};

/*
 * Most values are plain: strings that hold something and no escapes, and
 * numbers that are digits and maybe a point and digits. They have kinds
 * below this.
 */
#define TR2_PLAIN_KINDS (TR2_FRACTION + 1)

struct tr2_value {
	enum tr2_kind kind;
	uint32_t token;	     /* of an array or object: its first one */
	uint32_t start, end; /* its bytes, with quotes or brackets */
};

struct tr2_parse {
	const char *text; /* places of values are counted from here */
	size_t len;
	const char *base;   /* places of tokens are counted from here */
	const uint32_t *at; /* the tokens of the text, and those behind it */
	uint32_t origin;    /* of the text, from the base */
	bool escapes;	    /* the text may have backslashes */
	unsigned objects;   /* how many were read */
	unsigned depth;	    /* of what is being read */
	size_t next;	    /* among the tokens of many texts: the next one's */
	struct tr2_tokens tokens; /* of a text that has its own */
};

/*
 * Begin with a text. Its tokens are found now; whether they make sense is
 * seen as the values are read. Behind the text are TR2_TOKENS_PADDING
 * bytes; the first of them is an LF, CR, NUL or `{`, which lets no value
 * go on.
 */
enum tr2_tokens_result tr2_parse_begin(struct tr2_parse *parse,
				       const char *text, size_t len);

/*
 * The same with a text that is one of many, whose tokens were found; and it
 * is known whether it has backslashes.
 */
void tr2_parse_begin_among(struct tr2_parse *parse,
			   const struct tr2_tokens *tokens, const char *text,
			   size_t len, bool escapes);
void tr2_parse_release(struct tr2_parse *parse);

/* Where the token begins. */
static inline uint32_t tr2_parse_at(const struct tr2_parse *parse, size_t token)
{
	return parse->at[token] - parse->origin;
}

/* The byte with which the token begins. */
static inline char tr2_parse_byte(const struct tr2_parse *parse, size_t token)
{
	return parse->base[parse->at[token]];
}

/* Is that token the first one behind the text? Then all of it was read. */
static inline bool tr2_parse_is_end(const struct tr2_parse *parse, size_t token)
{
	return token && tr2_parse_at(parse, token - 1) < parse->len &&
	       tr2_parse_at(parse, token) >= parse->len;
}

/*
 * How many digits the text begins with; 8 are as good as more. All 8 bytes
 * are looked at at once: in those that are no digits a top bit is left.
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
 * The kind of a number that is up to 7 digits, and maybe a point and up to 8.
 * Others, which are rare, are TR2_NO_VALUE here.
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
 * The kind of a plain value up to the next token, if there are no escapes;
 * else TR2_NO_VALUE.
 */
static inline enum tr2_kind tr2_parse_plain_kind(const char *text, size_t len)
{
	if (*text != '"')
		return tr2_parse_plain_number(text, len);
	return len > 2 && text[len - 1] == '"' ? TR2_STRING : TR2_NO_VALUE;
}

/* The part of tr2_parse_value() for what is not plain. */
size_t tr2_parse_other(struct tr2_parse *parse, size_t token,
		       struct tr2_value *value);

/*
 * Read the value at the token, with all that is in it. Gives the token
 * behind it, or 0 if it is no JSON. Refused are also integers beyond
 * int64_t and uint64_t, other numbers beyond double, escapes of lone
 * surrogates, and what is nested deeper than TR2_PARSE_DEPTH.
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
 * Read a key of an object and the colon. Gives the token of its value, or
 * 0 if that is no JSON.
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
 * A string without quotes and escapes: as it lies in the text, or decoded
 * in `scratch`. 8 bytes behind it are readable; the first is a quote or NUL.
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
