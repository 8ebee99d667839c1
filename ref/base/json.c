#include "base/json.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/*
 * What a lead byte promises: the length of the character (0: it is none),
 * and the range of the second byte (it excludes overlong forms and
 * surrogates).
 */
static int lead_byte(unsigned char lead, unsigned char *low,
		     unsigned char *high)
{
	*low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
	*high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
	if (lead < 0x80)
		return 1;
	if (lead < 0xc2 || lead > 0xf4)
		return 0;
	if (lead < 0xe0)
		return 2;
	return lead < 0xf0 ? 3 : 4;
}

int tr2_json_utf8_length(const char *text, size_t len)
{
	const unsigned char *byte = (const unsigned char *)text;
	unsigned char low, high;
	int length = lead_byte(byte[0], &low, &high);
	int i;

	for (i = 1; i < length; i++) {
		if ((size_t)i >= len || byte[i] < low || byte[i] > high)
			return -i;
		low = 0x80;
		high = 0xbf;
	}
	return length ? length : -1;
}

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

/* What is written as it is: ASCII but for quotes, `\` and controls. */
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
 * Not 0 if one of eight bytes is not plain: a subtraction sets the high bit
 * of the first byte that is smaller. It borrows from none before.
 */
static uint64_t has_special(uint64_t word)
{
	uint64_t high = word | (word - EVERY(0x20)) |
			((word ^ EVERY('"')) - EVERY(0x01)) |
			((word ^ EVERY('\\')) - EVERY(0x01));

	return high & EVERY(0x80);
}

/* Up to the next byte that is not plain; in words while it can. */
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
		return; /* there may be no text at all */
	for (; (at = skip_plain(text, at, len)) < len; at = next) {
		length = tr2_json_utf8_length(text + at, len - at);
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

/* Four hexadecimal digits; where they are not, *value stays. */
static const char *read_hex(const char *at, unsigned long *value)
{
	char digits[5] = "";

	if (strspn(at, "0123456789abcdefABCDEF") < 4)
		return NULL;
	memcpy(digits, at, 4);
	*value = strtoul(digits, NULL, 16);
	return at + 4;
}

/* Behind `\u`. Half of a surrogate pair is no character. */
static const char *read_unicode(const char *at)
{
	unsigned long value = 0;

	at = read_hex(at, &value);
	if (value < 0xd800 || value > 0xdfff)
		return at;
	if (value > 0xdbff || at[0] != '\\' || at[1] != 'u')
		return NULL;
	at = read_hex(at + 2, &value);
	return value >= 0xdc00 && value <= 0xdfff ? at : NULL;
}

static const char *read_escape(const char *at)
{
	static const char letters[] = {
		'"', '\\', '/', 'b', 'f', 'n', 'r', 't'
	};

	if (*at == 'u')
		return read_unicode(at + 1);
	return memchr(letters, *at, sizeof(letters)) ? at + 1 : NULL;
}

static const char *read_string(const char *at)
{
	int length;

	while (at && *at != '"') {
		if ((unsigned char)*at < 0x20)
			return NULL;
		if (*at == '\\') {
			at = read_escape(at + 1);
			continue;
		}
		length = tr2_json_utf8_length(at, SIZE_MAX); /* NUL ends it */
		at = length > 0 ? at + length : NULL;
	}
	return at ? at + 1 : NULL;
}

static const char *read_scalar(const char *at)
{
	static const char *const words[] = { "true", "false", "null", NULL };
	const char *const *word;

	if (*at == '"')
		return read_string(at + 1);
	for (word = words; *word; word++)
		if (!strncmp(at, *word, strlen(*word)))
			return at + strlen(*word);
	return read_number(at);
}

/* The event around the value is the 512th level. SPEC: input.depth */
#define DEPTH_MAX 511

/*
 * `depth` values are open; closer[1] and up are what would close them.
 * closer[0] is a blank, which is never met where something could close.
 */
struct open_values {
	char closer[DEPTH_MAX + 1];
	int depth;
};

/* The key and the colon, where an object is open. */
static const char *read_key(const char *at, const struct open_values *open)
{
	if (open->closer[open->depth] != '}')
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
	while (*at == open->closer[open->depth]) {
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
	struct open_values open = { " ", 0 };
	const char *at = skip_blanks(text);

	do {
		at = read_key(at, &open);
		if (!at)
			return 0;
		if (*at == '{' || *at == '[') {
			if (open.depth == DEPTH_MAX)
				return 0;
			open.closer[++open.depth] = *at == '{' ? '}' : ']';
			at = skip_blanks(at + 1);
			if (*at != open.closer[open.depth])
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
