#include "trace/engine/utf8.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"

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
		const int length = tr2_utf8_length(bytes + at, len - at);

		if (length > 0)
			at += (size_t)length;
		else
			bytes[at++] = '?';
	}
}
