/* Texts that are cut: no character is split. */
#include "kit/tap.h"

#include "lib/text/text.h"

static void test_cuts(void)
{
	static const char text[] = "a\xc3\xa9\xe2\x82\xac";

	tap_int((intmax_t)tr2_text_cut(text, 6, 7), 6, "a text that is short");
	tap_int((intmax_t)tr2_text_cut(text, 6, 6), 6, "or fits is not cut");
	tap_int((intmax_t)tr2_text_cut(text, 6, 5), 3,
		"of three bytes none is kept alone");
	tap_int((intmax_t)tr2_text_cut(text, 6, 4), 3, "nor are two");
	tap_int((intmax_t)tr2_text_cut(text, 6, 3), 3,
		"a cut between characters stays there");
	tap_int((intmax_t)tr2_text_cut(text, 6, 2), 1,
		"of two bytes none is kept alone");
	tap_int((intmax_t)tr2_text_cut(text, 6, 0), 0, "nothing may be kept");
	tap_int((intmax_t)tr2_text_cut("\x80\x80", 2, 1), 0,
		"bytes that are no characters end the search");
}

int main(void)
{
	test_cuts();
	return tap_done();
}
