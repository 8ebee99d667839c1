#include "base/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

static void escape_ascii(struct tr2_buf *out, char byte)
{
	static const char from[] = { '"', '\\', '\b', '\f', '\n', '\r', '\t' };
	static const char to[] = "\"\\bfnrt";
	static const char hex[] = "0123456789abcdef";
	const char *at = memchr(from, byte, sizeof(from));

	if (at) {
		tr2_buf_byte(out, '\\');
		tr2_buf_byte(out, to[at - from]);
		return;
	}
	tr2_buf_str(out, "\\u00");
	tr2_buf_byte(out, hex[byte >> 4]);
	tr2_buf_byte(out, hex[byte & 15]);
}

/*
 * The bytes that are copied unchanged: ASCII except quotes, `\` and controls.
 */
#define ONES 1, 1, 1, 1, 1, 1, 1, 1
/* clang-format off */
static const char plain[256] = {
	[' '] = 1, 1,
	['#'] = 1, 1, 1, 1, 1, ONES, ONES, ONES,
	['@'] = ONES, ONES, ONES, 1, 1, 1, 1,
	[']'] = 1, 1, 1, ONES, ONES, ONES, ONES
};
/* clang-format on */

#define EVERY(byte) (0x0101010101010101u * (byte))

/*
 * Not 0 if one of eight bytes is not plain: the subtraction sets the high bit
 * of the first byte that is too small. No byte before it borrows.
 */
static uint64_t has_special(uint64_t word)
{
	uint64_t high = word | (word - EVERY(0x20)) |
			((word ^ EVERY('"')) - EVERY(0x01)) |
			((word ^ EVERY('\\')) - EVERY(0x01));

	return high & EVERY(0x80);
}

/*
 * Skip to the next byte that is not plain; eight bytes at a time if possible.
 */
static size_t skip_plain(const char *text, size_t at, size_t len)
{
	uint64_t word = 0;

	for (; len - at >= sizeof(word); at += sizeof(word)) {
		memcpy(&word, text + at, sizeof(word));
		if (has_special(word))
			break;
	}
	while (at < len && plain[(unsigned char)text[at]])
		at++;
	return at;
}

/* SPEC: json.escape, json.invalid-utf8 */
void tr2_json_escape(struct tr2_buf *out, const char *text, size_t len)
{
	size_t run = 0, at = 0, next;
	int length;

	if (!len)
		return; /* the text may be NULL */
	for (; (at = skip_plain(text, at, len)) < len; at = next) {
		length = tr2_utf8_length(text + at, len - at);
		next = at + (size_t)abs(length);
		if (length > 1)
			continue;
		tr2_buf_add(out, text + run, at - run);
		if (length == 1)
			escape_ascii(out, text[at]);
		else
			tr2_buf_str(out, REPLACEMENT);
		run = next;
	}
	tr2_buf_add(out, text + run, at - run);
}

static void escape_string(struct tr2_buf *out, const char *text, size_t len)
{
	tr2_buf_byte(out, '"');
	tr2_json_escape(out, text, len);
	tr2_buf_byte(out, '"');
}

/* Are all bytes plain? The last words may overlap those before them. */
static int is_plain(const char *text, size_t len)
{
	uint64_t word = 0;
	uint32_t half;

	if (len < sizeof(half))
		return skip_plain(text, 0, len) == len;
	if (len < sizeof(word)) {
		memcpy(&half, text, sizeof(half));
		word = (uint64_t)half << 32;
		memcpy(&half, text + len - sizeof(half), sizeof(half));
		return !has_special(word | half);
	}
	for (size_t at = 0; at + sizeof(word) < len; at += sizeof(word)) {
		memcpy(&word, text + at, sizeof(word));
		if (has_special(word))
			return 0;
	}
	memcpy(&word, text + len - sizeof(word), sizeof(word));
	return !has_special(word);
}

/* Nearly every string is plain: one append writes it with its quotes. */
void tr2_json_text(struct tr2_buf *out, const char *text, size_t len)
{
	char *at;

	if (!len || !is_plain(text, len)) {
		escape_string(out, text, len);
		return;
	}
	at = tr2_buf_take(out, len + 2);
	if (!at)
		return;
	at[0] = '"';
	memcpy(at + 1, text, len);
	at[len + 1] = '"';
}

void tr2_json_string(struct tr2_buf *out, const char *text)
{
	tr2_json_text(out, text, strlen(text));
}
