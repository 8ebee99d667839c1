#include "trace/engine/utf8.h"

#include <stdint.h>
#include <string.h>

static int is_character(uint32_t code)
{
	return code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
}

size_t tr2_trace_utf8_length(const char *text, size_t len)
{
	static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
	const uint8_t *at = (const uint8_t *)text;
	uint32_t code = at[0];
	size_t bytes, i;

	if (code < 0x80)
		return 1;
	bytes = code >= 0xf0 ? 4 : code >= 0xe0 ? 3 : 2;
	if (code < 0xc2 || code > 0xf4 || bytes > len)
		return 0;
	code &= 0x7fu >> bytes;
	for (i = 1; i < bytes; i++) {
		if ((at[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (at[i] & 0x3f);
	}
	return code < least[bytes] || !is_character(code) ? 0 : bytes;
}

/* How many bytes at the start are ASCII, counted in steps of eight. */
static size_t skip_ascii(const char *bytes, size_t len)
{
	size_t at = 0;
	uint64_t word = 0;

	for (; at + sizeof(word) <= len; at += sizeof(word)) {
		memcpy(&word, bytes + at, sizeof(word));
		if (word & UINT64_C(0x8080808080808080))
			break;
	}
	return at;
}

void tr2_trace_utf8_mend(char *bytes, size_t len)
{
	size_t at = skip_ascii(bytes, len);

	while (at < len) {
		size_t length = tr2_trace_utf8_length(bytes + at, len - at);

		if (length)
			at += length;
		else
			bytes[at++] = '?';
	}
}
