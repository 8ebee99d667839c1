/*
 * vectors.c - by WebAssembly's vectors, what is each byte's work: the tokens
 * of a line, and memchr(), which the C library does byte by byte.
 */
#include <stdlib.h>
#include <string.h>
#include <wasm_simd128.h>

#include "base/utf8.h"
#include "read/json/tokens.h"

/* For each of 64 bytes a bit, the first byte's lowest. */
struct block {
	uint64_t quotes, backslashes, marks, blanks, controls, wide;
};

/* What the bytes before a block mean to it. */
struct before {
	uint64_t escaped; /* 1: a backslash is before the first byte */
	uint64_t word;	  /* 1: it is in a number or a word */
	uint64_t string;  /* ~0: it is in a string */
};

static uint64_t find_equal(v128_t bytes, char byte)
{
	return wasm_i8x16_bitmask(wasm_i8x16_eq(bytes, wasm_i8x16_splat(byte)));
}

static uint64_t find_marks(v128_t bytes)
{
	/* [ and { differ in this bit, and so do ] and }. */
	v128_t folded = wasm_v128_or(bytes, wasm_i8x16_splat(0x20));

	return find_equal(folded, '{') | find_equal(folded, '}') |
	       find_equal(bytes, ':') | find_equal(bytes, ',');
}

static void add_bytes(struct block *block, const char *text, int at)
{
	v128_t bytes = wasm_v128_load(text + at);
	v128_t control = wasm_u8x16_lt(bytes, wasm_i8x16_splat(' '));

	block->quotes |= find_equal(bytes, '"') << at;
	block->backslashes |= find_equal(bytes, '\\') << at;
	block->marks |= find_marks(bytes) << at;
	block->blanks |= (find_equal(bytes, ' ') | find_equal(bytes, '\t') |
			  find_equal(bytes, '\n') | find_equal(bytes, '\r'))
			 << at;
	block->controls |= (uint64_t)wasm_i8x16_bitmask(control) << at;
	block->wide |= (uint64_t)wasm_i8x16_bitmask(bytes) << at;
}

/* What is behind the text is blank. */
static void cut_block(struct block *block, size_t len)
{
	uint64_t kept = ((uint64_t)1 << len) - 1;

	block->quotes &= kept;
	block->backslashes &= kept;
	block->marks &= kept;
	block->controls &= kept;
	block->wide &= kept;
	block->blanks |= ~kept;
}

/* A backslash escapes the next byte, unless it is escaped itself. */
static uint64_t find_escaped(uint64_t backslashes, struct before *before)
{
	uint64_t escaped = before->escaped;

	backslashes &= ~escaped;
	before->escaped = 0;
	while (backslashes) {
		uint64_t lowest = backslashes & -backslashes;

		before->escaped = lowest >> 63;
		escaped |= lowest << 1;
		backslashes &= ~(lowest | lowest << 1);
	}
	return escaped;
}

/* From each quote that opens to before the one that closes. */
static uint64_t find_strings(uint64_t quotes, struct before *before)
{
	for (int by = 1; by < 64; by *= 2)
		quotes ^= quotes << by;
	quotes ^= before->string;
	before->string = -(quotes >> 63);
	return quotes;
}

/* The tokens of a block; false: a string has a raw control character. */
static bool find_in_block(struct block *block, struct before *before,
			  uint64_t *found)
{
	uint64_t quotes = block->quotes &
			  ~find_escaped(block->backslashes, before);
	uint64_t strings = find_strings(quotes, before);
	uint64_t word = ~(quotes | block->marks | block->blanks);
	uint64_t goes_on = word << 1 | before->word;

	before->word = word >> 63;
	*found = (block->marks | ((word | quotes) & ~goes_on)) &
		 ~(strings ^ quotes);
	return !(block->controls & strings);
}

/* From `checked` to behind a block, all bytes are characters. */
static bool check_wide(const char *text, size_t len, size_t end,
		       size_t *checked)
{
	while (*checked < end) {
		int taken = tr2_utf8_length(text + *checked, len - *checked);

		if (taken < 0)
			return false;
		*checked += (size_t)taken;
	}
	return true;
}

static struct block read_block(const char *text, size_t len)
{
	struct block block = { .quotes = 0 };

	for (int at = 0; at < 64; at += 16)
		add_bytes(&block, text, at);
	if (len < 64)
		cut_block(&block, len);
	return block;
}

static bool find_places(struct tr2_tokens *tokens, const char *text, size_t len)
{
	struct before before = { .word = 0 };
	size_t checked = 0;

	for (size_t at = 0; at < len; at += 64) {
		struct block block = read_block(text + at, len - at);
		size_t end = at + 64 < len ? at + 64 : len;
		uint64_t found;

		if (!find_in_block(&block, &before, &found))
			return false;
		for (; found; found &= found - 1)
			tokens->plain[tokens->count++] =
				(uint32_t)(at + (size_t)__builtin_ctzll(found));
		if (checked < at)
			checked = at;
		if (block.wide && !check_wide(text, len, end, &checked))
			return false;
	}
	return tokens->count && !before.string;
}

enum tr2_tokens_result tr2_tokens_find(struct tr2_tokens *tokens,
				       const char *text, size_t len)
{
	tr2_tokens_make_room(tokens, len);
	tokens->text = text;
	tokens->len = len;
	tokens->at = tokens->plain;
	tokens->count = 0;
	if (!find_places(tokens, text, len))
		return TR2_TOKENS_REFUSED;
	tokens->plain[tokens->count] = (uint32_t)len;
	return TR2_TOKENS_OK;
}

void tr2_tokens_release(struct tr2_tokens *tokens)
{
	free(tokens->plain);
	*tokens = (struct tr2_tokens){ .plain = NULL };
}

/* strnlen() of the C library asks for more bytes than there are. */
void *memchr(const void *from, int byte, size_t len)
{
	const char *text = from;
	const size_t there =
		(__builtin_wasm_memory_size(0) << 16) - (size_t)text;
	v128_t wanted = wasm_i8x16_splat((char)byte), same;

	if (len > there)
		len = there;
	for (; len >= 16; text += 16, len -= 16) {
		same = wasm_i8x16_eq(wasm_v128_load(text), wanted);
		if (wasm_v128_any_true(same))
			return (char *)text +
			       __builtin_ctz(wasm_i8x16_bitmask(same));
	}
	for (; len; text++, len--)
		if (*text == (char)byte)
			return (char *)text;
	return NULL;
}
