#include "read/json/parse.h"

#include <string.h>

#include "read/json/fault.h"
#include "lib/common/memory.h"
#include "lib/common/vec.h"
#include "lib/text/text.h"

static void begin_parse(struct tr2_parse *parse, const char *text, size_t len)
{
	parse->text = text;
	parse->len = len;
	parse->objects = parse->depth = 0;
}

enum tr2_tokens_result tr2_parse_begin(struct tr2_parse *parse,
				       const char *text, size_t len)
{
	enum tr2_tokens_result result =
		tr2_tokens_find(&parse->tokens, text, len);

	begin_parse(parse, text, len);
	parse->escapes = memchr(text, '\\', len) != NULL;
	parse->base = text;
	parse->at = parse->tokens.at;
	parse->origin = 0;
	return result;
}

void tr2_parse_begin_among(struct tr2_parse *parse,
			   const struct tr2_tokens *tokens, const char *text,
			   size_t len, bool escapes)
{
	const uint32_t origin = (uint32_t)(text - tokens->text);
	uint32_t place;

	begin_parse(parse, text, len);
	parse->escapes = escapes;
	if (parse->next >= tokens->count || tokens->at[parse->next] != origin) {
		TR2_SEARCH(place, (uint32_t)tokens->count,
			   tokens->at[place] < origin);
		parse->next = place;
	}
	parse->base = tokens->text;
	parse->at = tokens->at + parse->next;
	parse->origin = origin;
}

void tr2_parse_release(struct tr2_parse *parse)
{
	tr2_tokens_release(&parse->tokens);
}

static inline bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* Returns the length of the scalar that begins at the token. */
static inline size_t scalar_len(const struct tr2_parse *parse, size_t token)
{
	const char *start = parse->base + parse->at[token];
	const char *end = parse->base + parse->at[token + 1];

	/* Before the next token there may be blanks; usually there are none. */
	while (is_blank(end[-1]))
		end--;
	return (size_t)(end - start);
}

/* Ask the strict reader about a scalar that is not plain. */
static bool is_sound(const char *text, size_t len)
{
	return tr2_fault_find(text, len).kind == TR2_FAULT_NONE;
}

/*
 * Each of these returns the scalar's kind, or 0 if it is not valid. Numbers
 * that are not plain go to the strict reader.
 */
static enum tr2_kind read_number(const char *start, size_t len)
{
	enum tr2_kind kind = TR2_INTEGER;

	if (memchr(start, '.', len) || memchr(start, 'e', len) ||
	    memchr(start, 'E', len))
		kind = TR2_FRACTION;
	return is_sound(start, len) ? kind : TR2_NO_VALUE;
}

static enum tr2_kind read_word(const char *start, size_t len, const char *word,
			       enum tr2_kind kind)
{
	return len == strlen(word) && !memcmp(start, word, len) ? kind
								: TR2_NO_VALUE;
}

/* The quotes are there, and there are no control characters between them. */
static enum tr2_kind read_string(const char *start, size_t len)
{
	return !memchr(start, '\\', len) || is_sound(start, len) ? TR2_STRING
								 : TR2_NO_VALUE;
}

static enum tr2_kind read_scalar(const char *start, size_t len)
{
	switch (*start) {
	case '"':
		return read_string(start, len);
	case 't':
		return read_word(start, len, "true", TR2_BOOLEAN);
	case 'f':
		return read_word(start, len, "false", TR2_BOOLEAN);
	case 'n':
		return read_word(start, len, "null", TR2_NULL);
	default:
		return read_number(start, len);
	}
}

/*
 * Read the members between braces. Returns the token of the closing brace. A
 * failure returns token 0, which is the beginning and so neither a comma nor
 * a bracket.
 */
static size_t read_members(struct tr2_parse *parse, size_t token)
{
	struct tr2_value ignored;

	if (tr2_parse_byte(parse, token) == '}')
		return token;
	do {
		token = tr2_parse_key(parse, token, &ignored);
		if (!token)
			return 0;
		token = tr2_parse_value(parse, token, &ignored);
	} while (tr2_parse_byte(parse, token++) == ',');
	return tr2_parse_byte(parse, token - 1) == '}' ? token - 1 : 0;
}

/* Read the elements between brackets; are all of them strings? */
static size_t read_elements(struct tr2_parse *parse, size_t token,
			    bool *strings)
{
	struct tr2_value element;

	if (tr2_parse_byte(parse, token) == ']')
		return token;
	do {
		token = tr2_parse_value(parse, token, &element);
		*strings &= element.kind == TR2_STRING;
	} while (tr2_parse_byte(parse, token++) == ',');
	return tr2_parse_byte(parse, token - 1) == ']' ? token - 1 : 0;
}

static size_t read_container(struct tr2_parse *parse, size_t token,
			     struct tr2_value *value)
{
	bool strings = true;
	size_t last;

	if (++parse->depth > TR2_PARSE_DEPTH)
		return 0;
	if (tr2_parse_byte(parse, token) == '{') {
		parse->objects++;
		last = read_members(parse, token + 1);
		value->kind = TR2_OBJECT;
	} else {
		last = read_elements(parse, token + 1, &strings);
		value->kind = strings ? TR2_STRINGS : TR2_ARRAY;
	}
	parse->depth--;
	value->end = tr2_parse_at(parse, last) + 1;
	return last ? last + 1 : 0;
}

size_t tr2_parse_other(struct tr2_parse *parse, size_t token,
		       struct tr2_value *value)
{
	uint32_t start = tr2_parse_at(parse, token);
	const char *text = parse->text + start;
	size_t len;

	if (start >= parse->len)
		return 0;
	value->token = (uint32_t)token;
	value->start = start;
	if (*text == '{' || *text == '[')
		return read_container(parse, token, value);
	len = scalar_len(parse, token);
	value->end = start + (uint32_t)len;
	value->kind = read_scalar(text, len);
	return value->kind ? token + 1 : 0;
}

/*
 * ---- Text
 */

static unsigned hex_value(const char *digits)
{
	unsigned value = 0;

	for (int i = 0; i < 4; i++)
		value = value << 4 | (((unsigned char)digits[i] & 0x0f) +
				      (digits[i] >= 'A' ? 9u : 0u));
	return value;
}

/* Decode the escape at `at`, which is valid. Returns the byte after it. */
static const char *decode_escape(struct tr2_buf *out, const char *at)
{
	static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
	const char *name = strchr(from, at[1]);
	char bytes[4];
	unsigned code;

	if (at[1] != 'u') {
		tr2_buf_byte(out, name ? to[name - from] : at[1]);
		return at + 2;
	}
	code = hex_value(at + 2);
	at += 6;
	if ((code & 0xf800) == 0xd800) { /* the first of two */
		code = 0x10000 +
		       ((code & 0x3ff) << 10 | (hex_value(at + 2) & 0x3ff));
		at += 6;
	}
	tr2_buf_add(out, bytes, tr2_text_spell(bytes, code));
	return at;
}

const char *tr2_parse_decode(const char *text, struct tr2_buf *scratch,
			     size_t *len)
{
	const char *end = text + *len;

	tr2_buf_reset(scratch);
	while (text < end) {
		if (*text == '\\')
			text = decode_escape(scratch, text);
		else
			tr2_buf_byte(scratch, *text++);
	}
	*len = scratch->len;
	tr2_buf_fill(scratch, '\0', 8);
	if (scratch->failed)
		tr2_memory_out();
	return scratch->bytes;
}
