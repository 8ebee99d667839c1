/* UTF-8: what is no character is replaced. */
#include "kit/memory.h"

#include "kit/tap.h"
#include "trace/engine/utf8.h"

/* One byte that is not part of a character, at each place of a text. */
static void test_mending(void)
{
	char room[64], *text = room + 32, want[32];
	char *end, *page = memory_page(&end);
	size_t at;

	for (at = 0; at < sizeof(want); at++) {
		memset(room, 'x', sizeof(room));
		memset(want, 'x', sizeof(want));
		text[at] = (char)0x80;
		want[at] = '?';
		tr2_trace_utf8_mend(text, sizeof(want));
		if (memcmp(text, want, sizeof(want)) != 0)
			break;
	}
	tap_int((intmax_t)at, sizeof(want),
		"a byte of no character is replaced wherever it stands");
	memcpy(text, "12345678\xc3\xa9\xc3\xe2\x82\xac", 15);
	memset(text + 14, '\xff', 2);
	tr2_trace_utf8_mend(text, 14);
	tap_bytes(text, 16, "12345678\xc3\xa9?\xe2\x82\xac\xff\xff", 16,
		  "characters stay, and what is behind the text");
	memcpy(text, "x\xc3\xa9", 3);
	tr2_trace_utf8_mend(text, 2);
	tap_bytes(text, 3, "x?\xa9", 3, "a character ends with its text");
	(void)page;
	for (at = 1; at <= sizeof(want); at++) {
		memset(end - at, 'x', at);
		tr2_trace_utf8_mend(end - at, at);
	}
	tap_int(end[-1], 'x', "nobody looks behind a text");
}

int main(void)
{
	test_mending();
	return tap_done();
}
