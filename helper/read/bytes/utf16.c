#include "read/bytes/utf16.h"

#include <string.h>

#include "lib/text/text.h"

#define BAD 0xfffdu
#define BIG "\xfe\xff"
#define LITTLE "\xff\xfe"

/* Without a mark, four characters of ASCII show it. */
static bool is_plain(const char *bytes, size_t len, bool is_big)
{
	for (size_t i = 0; i < 8; i++)
		if (len < 8 || !bytes[i] != ((i & 1) != is_big))
			return false;
	return true;
}

bool tr2_utf16_begins(struct tr2_utf16 *utf16, const char *bytes, size_t len)
{
	const bool is_marked = len > 1 && (!memcmp(bytes, BIG, 2) ||
					   !memcmp(bytes, LITTLE, 2));

	*utf16 = (struct tr2_utf16){ 0 };
	utf16->is_big = is_marked ? !memcmp(bytes, BIG, 2)
				  : is_plain(bytes, len, true);
	utf16->is_on = is_marked || utf16->is_big ||
		       is_plain(bytes, len, false);
	utf16->mark = is_marked ? 2 : 0;
	return utf16->is_on;
}

static unsigned read_unit(const struct tr2_utf16 *utf16,
			  const unsigned char *bytes)
{
	const unsigned high = bytes[!utf16->is_big];

	return high << 8 | bytes[utf16->is_big];
}

static bool is_surrogate(unsigned unit, unsigned which)
{
	return (unit & 0xfc00) == which;
}

/* Returns how many of the bytes are a character, or 0: it goes on. */
static size_t read_character(const struct tr2_utf16 *utf16,
			     const unsigned char *bytes, size_t len,
			     unsigned long *code)
{
	unsigned first, second;

	if (len < 2)
		return 0;
	first = read_unit(utf16, bytes);
	*code = first;
	if (!is_surrogate(first & ~0x400u, 0xd800))
		return 2;
	*code = BAD;
	if (!is_surrogate(first, 0xd800))
		return 2;
	if (len < 4)
		return 0;
	second = read_unit(utf16, bytes + 2);
	if (!is_surrogate(second, 0xdc00))
		return 2;
	*code = 0x10000 + ((first & 0x3fful) << 10) + (second & 0x3ff);
	return 4;
}

/* Complete the character that the last bytes began. */
static size_t read_rest(struct tr2_utf16 *utf16, const unsigned char **bytes,
			size_t *len, char *out)
{
	unsigned long code;
	size_t used, done = 0;

	while (utf16->rest_len && *len) {
		utf16->rest[utf16->rest_len++] = *(*bytes)++;
		--*len;
		while ((used = read_character(utf16, utf16->rest,
					      utf16->rest_len, &code))) {
			done += tr2_text_spell(out + done, code);
			utf16->rest_len -= used;
			memmove(utf16->rest, utf16->rest + used,
				utf16->rest_len);
		}
	}
	return done;
}

size_t tr2_utf16_read(struct tr2_utf16 *utf16, const char *bytes, size_t len,
		      char *out)
{
	const unsigned char *at = (const unsigned char *)bytes;
	size_t done, used;
	unsigned long code;

	if (!len) {
		done = utf16->rest_len ? tr2_text_spell(out, BAD) : 0;
		utf16->rest_len = 0;
		return done;
	}
	done = read_rest(utf16, &at, &len, out);
	while ((used = read_character(utf16, at, len, &code))) {
		done += tr2_text_spell(out + done, code);
		at += used;
		len -= used;
	}
	memcpy(utf16->rest + utf16->rest_len, at, len);
	utf16->rest_len += len;
	return done;
}
