#include "validate/text.h"

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
