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

	*utf16 = (struct tr2_utf16){ .half = -1 };
	utf16->is_big = is_marked ? !memcmp(bytes, BIG, 2)
				  : is_plain(bytes, len, true);
	utf16->is_on = is_marked || utf16->is_big ||
		       is_plain(bytes, len, false);
	utf16->mark = is_marked ? 2 : 0;
	return utf16->is_on;
}

static bool is_surrogate(unsigned unit, unsigned which)
{
	return (unit & 0xfc00) == which;
}

/* Put the unit, or keep it if a pair begins; returns the length. */
static size_t put_unit(struct tr2_utf16 *utf16, unsigned unit, char *out)
{
	const unsigned long high = utf16->high;
	size_t done = 0;

	utf16->high = 0;
	if (high && is_surrogate(unit, 0xdc00))
		return tr2_text_spell(out, 0x10000 + ((high & 0x3ff) << 10) +
						   (unit & 0x3ff));
	if (high)
		done = tr2_text_spell(out, BAD);
	if (is_surrogate(unit, 0xd800)) {
		utf16->high = unit;
		return done;
	}
	return done + tr2_text_spell(out + done,
				     is_surrogate(unit, 0xdc00) ? BAD : unit);
}

size_t tr2_utf16_read(struct tr2_utf16 *utf16, const char *bytes, size_t len,
		      char *out)
{
	size_t done = 0;
	unsigned byte, half;

	if (!len && (utf16->high || utf16->half >= 0)) {
		utf16->high = 0;
		utf16->half = -1;
		return tr2_text_spell(out, BAD);
	}
	for (size_t i = 0; i < len; i++) {
		byte = (unsigned char)bytes[i];
		if (utf16->half < 0) {
			utf16->half = (int)byte;
			continue;
		}
		half = (unsigned)utf16->half;
		utf16->half = -1;
		done += put_unit(utf16,
				 utf16->is_big ? half << 8 | byte
					       : byte << 8 | half,
				 out + done);
	}
	return done;
}
