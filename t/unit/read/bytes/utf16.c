/*
 * UTF-16 becomes UTF-8, whatever pieces of it are read at once.
 */
#include <stdio.h>
#include <string.h>

#include "kit/tap.h"
#include "read/bytes/utf16.h"

/* a, e acute, euro, a face outside of the first plane, two lone halves */
static const unsigned char text[] = {
	0xff, 0xfe, 0x61, 0x00, 0xe9, 0x00, 0xac, 0x20, 0x3d, 0xd8,
	0x00, 0xde, 0x3d, 0xd8, 0x62, 0x00, 0x00, 0xde, 0x0a, 0x00,
};
#define WANTED                                              \
	"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd" \
	"b\xef\xbf\xbd\n"

static void swap_bytes(const unsigned char *from, char *to, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++)
		to[i] = (char)from[i ^ 1];
}

/* Read it in pieces; the first one has the mark. */
static const char *read_pieces(const char *bytes, size_t len, size_t piece)
{
	static char out[TR2_UTF16_ROOM(sizeof(text)) + 1];
	struct tr2_utf16 utf16;
	size_t at = 2, done = 0, some;

	if (!tr2_utf16_begins(&utf16, bytes, len))
		return "no mark";
	for (; at < len; at += some) {
		some = len - at < piece ? len - at : piece;
		done += tr2_utf16_read(&utf16, bytes + at, some, out + done);
	}
	done += tr2_utf16_read(&utf16, bytes, 0, out + done);
	out[done] = '\0';
	return out;
}

int main(void)
{
	struct tr2_utf16 utf16;
	char big[sizeof(text)];
	size_t piece, wrong = 0;

	for (piece = 1; piece <= sizeof(text); piece++)
		wrong += strcmp(read_pieces((const char *)text, sizeof(text),
					    piece),
				WANTED) != 0;
	tap_int((intmax_t)wrong, 0, "a text is the same in pieces of any size");
	swap_bytes(text, big, sizeof(text));
	tap_str(read_pieces(big, sizeof(big), 3), WANTED,
		"the mark tells the order of bytes");
	tap_str(read_pieces((const char *)text, sizeof(text) - 1, 5),
		"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xef\xbf\xbd"
		"b\xef\xbf\xbd\xef\xbf\xbd",
		"half of a unit at the end is no character");
	tap_ok(!tr2_utf16_begins(&utf16, "\xff", 1) &&
		       !tr2_utf16_begins(&utf16, "\xef\xbb\xbf", 3),
	       "other texts have no mark");
	return tap_done();
}
