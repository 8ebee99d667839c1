#include "tr2_json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "tr2_buf.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/*
 * What a lead byte promises: how many continuation bytes, and the range
 * of the first of them (it excludes overlong forms and surrogates).
 */
static int lead_byte(unsigned char lead, unsigned char *low,
		     unsigned char *high)
{
	*low = 0x80;
	*high = 0xbf;
	if (lead >= 0xc2 && lead <= 0xdf)
		return 1;
	if (lead == 0xe0)
		*low = 0xa0;
	if (lead == 0xed)
		*high = 0x9f;
	if (lead >= 0xe0 && lead <= 0xef)
		return 2;
	if (lead == 0xf0)
		*low = 0x90;
	if (lead == 0xf4)
		*high = 0x8f;
	if (lead >= 0xf0 && lead <= 0xf4)
		return 3;
	return 0;
}

int tr2_json_utf8_length(const char *text, size_t len)
{
	const unsigned char *byte = (const unsigned char *)text;
	unsigned char low, high;
	int more = lead_byte(byte[0], &low, &high);
	int i;

	if (!more)
		return -1;
	for (i = 1; i <= more; i++) {
		if ((size_t)i >= len || byte[i] < low || byte[i] > high)
			return -i;
		low = 0x80;
		high = 0xbf;
	}
	return more + 1;
}

static void escape_ascii(struct tr2_buf *out, char byte)
{
	static const char from[] = "\"\\\b\f\n\r\t";
	static const char to[] = "\"\\bfnrt";
	static const char hex[] = "0123456789abcdef";
	const char *at = strchr(from, byte);

	if (at && byte) {
		tr2_buf_byte(out, '\\');
		tr2_buf_byte(out, to[at - from]);
		return;
	}
	tr2_buf_str(out, "\\u00");
	tr2_buf_byte(out, hex[(byte >> 4) & 15]);
	tr2_buf_byte(out, hex[byte & 15]);
}

static int is_plain(char byte)
{
	return (unsigned char)byte >= 0x20 && (unsigned char)byte < 0x80 &&
	       byte != '"' && byte != '\\';
}

#define EVERY(byte) (0x0101010101010101u * (byte))

/* The high bit of each byte of `word` that is zero (none: 0). */
static uint64_t zero_bytes(uint64_t word)
{
	return (word - EVERY(0x01)) & ~word & EVERY(0x80);
}

static int has_special(uint64_t word)
{
	return ((word & EVERY(0x80)) |
		((word - EVERY(0x20)) & ~word & EVERY(0x80)) |
		zero_bytes(word ^ EVERY('"')) |
		zero_bytes(word ^ EVERY('\\'))) != 0;
}

/* Up to eight bytes in one word, some of them twice. */
static uint64_t short_word(const char *text, size_t len)
{
	uint32_t first, last;
	uint16_t low, high;

	if (len >= 4) {
		memcpy(&first, text, 4);
		memcpy(&last, text + len - 4, 4);
		return first | (uint64_t)last << 32;
	}
	if (len >= 2) {
		memcpy(&low, text, 2);
		memcpy(&high, text + len - 2, 2);
		return low | (uint64_t)high << 16 | EVERY(0x20) << 32;
	}
	return (unsigned char)text[0] | EVERY(0x20) << 8;
}

/* Most texts are: a few words tell. */
static int is_all_plain(const char *text, size_t len)
{
	uint64_t word;
	size_t at;

	if (len < sizeof(word))
		return !len || !has_special(short_word(text, len));
	for (at = 0; at + sizeof(word) < len; at += sizeof(word)) {
		memcpy(&word, text + at, sizeof(word));
		if (has_special(word))
			return 0;
	}
	memcpy(&word, text + len - sizeof(word), sizeof(word));
	return !has_special(word);
}

/* SPEC: json.escape, json.invalid-utf8 */
void tr2_json_escape(struct tr2_buf *out, const char *text, size_t len)
{
	size_t run = 0, at = 0;
	int length;

	if (is_all_plain(text, len)) {
		tr2_buf_add(out, text, len);
		return;
	}
	while (at < len) {
		if (is_plain(text[at])) {
			at++;
			continue;
		}
		length = (unsigned char)text[at] < 0x80
				 ? 0
				 : tr2_json_utf8_length(text + at, len - at);
		if (length > 0) {
			at += (size_t)length;
			continue;
		}
		tr2_buf_add(out, text + run, at - run);
		if (length < 0)
			tr2_buf_str(out, REPLACEMENT);
		else
			escape_ascii(out, text[at]);
		at += length < 0 ? (size_t)-length : 1;
		run = at;
	}
	tr2_buf_add(out, text + run, at - run);
}

void tr2_json_string(struct tr2_buf *out, const char *text)
{
	tr2_buf_byte(out, '"');
	tr2_json_escape(out, text, strlen(text));
	tr2_buf_byte(out, '"');
}

/*
 * ---- Is it one JSON value? Each reader takes the text behind what it
 * knows and gives the text behind what it read, or NULL.
 */

static const char *skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

static const char *read_digits(const char *at)
{
	size_t run = strspn(at, "0123456789");

	return run ? at + run : NULL;
}

static const char *read_number(const char *at)
{
	if (*at == '-')
		at++;
	at = *at == '0' ? at + 1 : read_digits(at);
	if (at && *at == '.')
		at = read_digits(at + 1);
	if (at && (*at == 'e' || *at == 'E')) {
		at++;
		if (*at == '+' || *at == '-')
			at++;
		at = read_digits(at);
	}
	return at;
}

/* The value of the four hexadecimal digits that stand here, or -1. */
static long read_hex(const char *at)
{
	char digits[5] = "";

	if (strspn(at, "0123456789abcdefABCDEF") < 4)
		return -1;
	memcpy(digits, at, 4);
	return strtol(digits, NULL, 16);
}

/* Behind `\u`. Half of a surrogate pair is no character. */
static const char *read_unicode(const char *at)
{
	long value = read_hex(at);

	if (value < 0)
		return NULL;
	if (value < 0xd800 || value > 0xdfff)
		return at + 4;
	if (value > 0xdbff || at[4] != '\\' || at[5] != 'u')
		return NULL;
	value = read_hex(at + 6);
	return value >= 0xdc00 && value <= 0xdfff ? at + 10 : NULL;
}

static const char *read_escape(const char *at)
{
	if (*at == 'u')
		return read_unicode(at + 1);
	return *at && strchr("\"\\/bfnrt", *at) ? at + 1 : NULL;
}

static const char *read_string(const char *at)
{
	int length;

	while (at && *at != '"') {
		if ((unsigned char)*at < 0x20)
			return NULL;
		if (*at == '\\') {
			at = read_escape(at + 1);
		} else if ((unsigned char)*at < 0x80) {
			at++;
		} else {
			length = tr2_json_utf8_length(
				at, 4); /* the NUL ends it too */
			at = length > 0 ? at + length : NULL;
		}
	}
	return at ? at + 1 : NULL;
}

static const char *read_scalar(const char *at)
{
	static const char *const words[] = { "true", "false", "null" };
	size_t i;

	if (*at == '"')
		return read_string(at + 1);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strncmp(at, words[i], strlen(words[i])))
			return at + strlen(words[i]);
	return read_number(at);
}

/* The event around the value is the 512th level. SPEC: input.depth */
#define DEPTH_MAX 511

struct open_values {
	char closer[DEPTH_MAX]; /* what would close each open value */
	int depth;
};

/* The key and the colon, where an object is open. */
static const char *read_key(const char *at, const struct open_values *open)
{
	if (!open->depth || open->closer[open->depth - 1] != '}')
		return at;
	if (*at != '"')
		return NULL;
	at = read_string(at + 1);
	if (!at)
		return NULL;
	at = skip_blanks(at);
	return *at == ':' ? skip_blanks(at + 1) : NULL;
}

/* Close what ends here; then a comma, if something is still open. */
static const char *read_ends(const char *at, struct open_values *open)
{
	at = skip_blanks(at);
	while (open->depth && *at == open->closer[open->depth - 1]) {
		open->depth--;
		at = skip_blanks(at + 1);
	}
	if (!open->depth)
		return at;
	return *at == ',' ? skip_blanks(at + 1) : NULL;
}

/* SPEC: json.data-json */
int tr2_json_is_value(const char *text)
{
	struct open_values open;
	const char *at = skip_blanks(text);

	open.depth = 0;
	do {
		at = read_key(at, &open);
		if (!at)
			return 0;
		if (*at == '{' || *at == '[') {
			if (open.depth == DEPTH_MAX)
				return 0;
			open.closer[open.depth++] = *at == '{' ? '}' : ']';
			at = skip_blanks(at + 1);
			if (*at != open.closer[open.depth - 1])
				continue;
		} else {
			at = read_scalar(at);
			if (!at)
				return 0;
		}
		at = read_ends(at, &open);
	} while (at && open.depth);
	return at && !*at;
}
