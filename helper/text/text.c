#include "text/text.h"

#include <string.h>

bool tr2_text_starts(const char *bytes, size_t len, const char *wanted)
{
	size_t wanted_len = strlen(wanted);

	return len >= wanted_len && !memcmp(bytes, wanted, wanted_len);
}

bool tr2_text_is(const char *bytes, size_t len, const char *wanted)
{
	return len == strlen(wanted) && tr2_text_starts(bytes, len, wanted);
}

const char *tr2_text_find(const char *bytes, size_t len, const char *wanted)
{
	const char *end = bytes + len;

	for (; (bytes = memchr(bytes, *wanted, (size_t)(end - bytes))); bytes++)
		if (tr2_text_starts(bytes, (size_t)(end - bytes), wanted))
			return bytes;
	return NULL;
}

unsigned long tr2_text_count_lines(const char *bytes, size_t len)
{
	const char *lf, *end = bytes + len;
	unsigned long count = 0;

	for (; bytes < end; bytes = lf + 1, count++) {
		lf = memchr(bytes, '\n', (size_t)(end - bytes));
		if (!lf)
			lf = end;
	}
	return count;
}

const char *tr2_text_find_end(const char *bytes, size_t len)
{
	if (!memchr(bytes, '\n', len))
		return NULL;
	while (bytes[len - 1] != '\n')
		len--;
	return bytes + len;
}

size_t tr2_text_cut(const char *bytes, size_t len, size_t most)
{
	if (len <= most)
		return len;
	while (most && ((unsigned char)bytes[most] & 0xc0) == 0x80)
		most--;
	return most;
}
