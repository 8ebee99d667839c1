/* Which bytes are a character, and how long a broken one is. */
#include "base/utf8.h"

#include "kit/tap.h"

static void test_characters(void)
{
	static const struct {
		const char *bytes;
		size_t len;
		int length;
	} rows[] = {
		{ "\x00", 1, 1 },
		{ "\x7f", 1, 1 },
		{ "\x80\x80", 2, -1 },
		{ "\xbf\xbf", 2, -1 },
		{ "\xc1\xbf", 2, -1 },
		{ "\xc2\x80", 2, 2 },
		{ "\xc2\x80", 1, -1 },
		{ "\xc2\x7f", 2, -1 },
		{ "\xc2\xc0", 2, -1 },
		{ "\xdf\xbf!", 3, 2 },
		{ "\xe0\x9f\xbf", 3, -1 },
		{ "\xe0\xa0\x80", 3, 3 },
		{ "\xe0\xa0\x80", 2, -2 },
		{ "\xe1\x80\x00", 3, -2 },
		{ "\xe1\x00\x80", 3, -1 },
		{ "\xed\x9f\xbf", 3, 3 },
		{ "\xed\xa0\x80", 3, -1 },
		{ "\xed\xbf\xbf", 3, -1 },
		{ "\xee\x80\x80", 3, 3 },
		{ "\xef\xbf\xbf", 3, 3 },
		{ "\xf0\x8f\xbf\xbf", 4, -1 },
		{ "\xf0\x90\x80\x80", 4, 4 },
		{ "\xf0\x90\x80\x80", 3, -3 },
		{ "\xf1\x80\x80\x00", 4, -3 },
		{ "\xf4\x8f\xbf\xbf", 4, 4 },
		{ "\xf4\x90\x80\x80", 4, -1 },
		{ "\xf5\x80\x80\x80", 4, -1 },
		{ "\xf8\x90\x80\x80", 4, -1 },
		{ "\xff\x80\x80\x80", 4, -1 },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (tr2_utf8_length(rows[i].bytes, rows[i].len) !=
		    rows[i].length)
			break;
	tap_int((intmax_t)i, sizeof(rows) / sizeof(*rows),
		"characters and broken sequences have their lengths");
}

int main(void)
{
	test_characters();
	return tap_done();
}
