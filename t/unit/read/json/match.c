/*
 * What texts of JSON decode to, keys that are there twice, the patterns of
 * the schemas, and bytes that are no characters.
 */
#include "kit/memory.h"
#include "kit/validate.h"

#include <stdio.h>

#include "kit/json.h"
#include "read/json/duplicate.h"
#include "read/json/fault.h"
#include "read/json/match.h"

static struct tr2_parse parse;

static const char when[] = "2026-12-31T23:59:60.123456Z";

/* Must this byte stay, at a place where the text has `now`? */
static bool is_digit_for(size_t byte, char now)
{
	return byte >= '0' && byte <= '9' && now >= '0' && now <= '9';
}

static void test_time_shape(void)
{
	char bytes[64], *end, *page = memory_page(&end);
	size_t i, j, wrong = 0;

	(void)page;
	tap_ok(tr2_match_time(when, 27), "a time is one");
	for (i = 0; i < 27; i++) {
		memcpy(end - 27, when, 27);
		wrong += tr2_match_time(end - i, i);
		for (j = 0; j < 256; j++) {
			if (is_digit_for(j, when[i]))
				continue;
			end[(long)i - 27] = (char)j;
			wrong += tr2_match_time(end - 27, 27) !=
				 (j == (unsigned char)when[i]);
		}
	}
	memcpy(bytes, when, 27);
	wrong += tr2_match_time(bytes, 28) || tr2_match_time(bytes, 26);
	tap_int((intmax_t)wrong, 0, "a time has its shape");
}

static void test_other_matches(void)
{
	char *end, *page = memory_page(&end);
	size_t i, j, wrong, not_plain;

	(void)page;
	for (wrong = not_plain = 0, i = 1; i <= 24; i++)
		for (j = 0; j < 256 * i; j++) {
			const size_t byte = j / i;

			memset(end - i, 'x', i);
			end[(long)(j % i) - (long)i] = (char)byte;
			wrong += tr2_match_sid(end - i, i) ==
				 (byte < 0x20 || byte == 0x7f);
			not_plain +=
				tr2_match_plain(end - i, i) ==
				(byte >= 0x80 || byte == '{' || byte == '\\');
		}
	tap_ok(!not_plain && tr2_match_plain(end, 0),
	       "a plain text is ASCII without backslashes and braces");
	tap_int((intmax_t)wrong, 0, "a SID has no control characters");
	tap_ok(!tr2_match_sid(end, 0), "nothing is no SID");
}

static void test_digits(void)
{
	tap_ok(!tr2_match_digits("7", 0), "nothing is no number");
	tap_ok(tr2_match_digits("0123456789", 10) && tr2_match_digits("7", 1) &&
		       tr2_match_digits("12a", 2),
	       "a number has digits");
	tap_ok(!tr2_match_digits("/", 1) && !tr2_match_digits(":", 1) &&
		       !tr2_match_digits("12a", 3),
	       "a number has nothing but digits");
}

static const char *mended_up_to(const char *bytes, size_t len)
{
	static char copy[64];

	strcpy(copy, bytes);
	tr2_fault_mend_utf8(copy, len);
	return copy;
}

static const char *mend_bytes(const char *bytes)
{
	return mended_up_to(bytes, strlen(bytes));
}

static void test_mending(void)
{
	tap_str(mend_bytes("abc\x7f"), "abc\x7f", "ASCII needs no mending");
	tap_str(mend_bytes("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
		"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		"nor do other characters");
	tap_str(mend_bytes("a\x80z\xff"), "a?z?", "a byte is mended");
	tap_str(mend_bytes("\xe2\x82z\xc3"), "??z?", "parts of one are mended");
	tap_str(mended_up_to("\xff\xff", 1), "?\xff",
		"what is behind the text is not");
	tap_str(mended_up_to("a\xc3\xa9", 2), "a?\xa9",
		"nor is it a part of a character");
}

int main(void)
{
	tr2_parse_release(&parse);
	tap_run(test_time_shape, test_other_matches, test_digits, test_mending);
	tr2_record_release(&record);
	return tap_done();
}
