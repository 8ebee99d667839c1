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

static void test_texts(void)
{
	static const char *const cases[][2] = {
		{ "plain", "plain" },
		{ "", "" },
		{ "\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t" },
		{ "a\\nb", "a\nb" },
		{ "\\u0041\\u007f", "A\x7f" },
		{ "\\u0080\\u07ff", "\xc2\x80\xdf\xbf" },
		{ "\\u0800\\uffff", "\xe0\xa0\x80\xef\xbf\xbf" },
		{ "\\ud7ff\\ue000", "\xed\x9f\xbf\xee\x80\x80" },
		{ "\\ud800\\udc00", "\xf0\x90\x80\x80" },
		{ "\\udbff\\udfff", "\xf4\x8f\xbf\xbf" },
		{ "\\uD83D\\uDE00x", "\xf0\x9f\x98\x80x" },
		{ "\\uabcd\\uABCD\\uefEF",
		  "\xea\xaf\x8d\xea\xaf\x8d\xee\xbf\xaf" },
		{ "\xc3\xa9\\t", "\xc3\xa9\t" },
	};
	char whole[256], name[64];
	const char *got;
	size_t i, len;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(whole, sizeof(whole),
			 "{\"k\":\"\\n\",\"name\":\"%s\"}", cases[i][0]);
		snprintf(name, sizeof(name), "text %zu is decoded", i);
		read_record(whole);
		got = tr2_record_text(&record, TR2_KEY_NAME, &len);
		tap_bytes(got, len, cases[i][1], strlen(cases[i][1]), name);
	}
	read_record("{\"name\":\"a\\u0000b\"}");
	got = tr2_record_text(&record, TR2_KEY_NAME, &len);
	tap_bytes(got, len, "a\0b", 3, "a text may hold a NUL");
	tap_ok(!memcmp(got + len, "\0\0\0\0\0\0\0\0", 8),
	       "behind a decoded text are zeros");
	read_record("{\"name\":1}");
	tap_ok(!tr2_record_text(&record, TR2_KEY_NAME, &len) &&
		       !tr2_record_text(&record, TR2_KEY_FILE, &len),
	       "what is no string has no text");
}

static struct tr2_parse parse;

/* Where the repeated key begins, or 0. */
static size_t repeated_in(const char *bytes, bool inside)
{
	struct tr2_value found;

	tr2_parse_begin(&parse, pad_json(bytes, strlen(bytes)), strlen(bytes));
	return tr2_duplicate_find(&parse, inside, &found) ? found.start : 0;
}

static size_t find_repeated(const char *bytes)
{
	return repeated_in(bytes, false);
}

static void test_duplicates_inside(void)
{
	tap_int((intmax_t)repeated_in("{\"a\":1,\"a\":2}", true), 0,
		"keys that are known to differ are not looked at");
	tap_int((intmax_t)repeated_in("{\"a\":1,\"a\":{\"a\":1,\"a\":2}}",
				      true),
		18, "only those of objects inside are");
}

static void test_duplicates(void)
{
	static const struct {
		const char *text;
		size_t at;
	} cases[] = {
		{ "{}", 0 },
		{ "[]", 0 },
		{ "{\"a\":1}", 0 },
		{ "{\"a\":1,\"a\":2}", 7 },
		{ "{\"a\":1,\"b\":2}", 0 },
		{ "{\"a\":1,\"ab\":2}", 0 },
		{ "{\"ab\":1,\"a\":2}", 0 },
		{ "{\"a\":{\"a\":1}}", 0 },
		{ "{\"a\":{\"b\":1},\"b\":1}", 0 },
		{ "{\"a\":{\"b\":1,\"b\":2}}", 12 },
		{ "{\"a\":{\"b\":1},\"a\":2}", 13 },
		{ "{\"a\":1,\"b\":1,\"b\":2,\"a\":3}", 19 - 6 },
		{ "{\"b\":1,\"a\":1,\"b\":2,\"a\":3}", 13 },
		{ "{\"a\":1,\"a\":2,\"a\":3}", 7 },
		{ "{\"a\":1,\"a\":2,\"z\":3,\"z\":4}", 7 },
		{ "{\"z\":1,\"a\":2,\"z\":3,\"a\":4,\"z\":5}", 13 },
		{ "{\"a\":[[{\"b\":1,\"b\":2}],{}],\"a\":3}", 14 },
		{ "[{\"a\":1},{\"a\":1}]", 0 },
		{ "[{\"a\":1},{\"a\":1,\"a\":1}]", 16 },
		{ "{\"a\":[{\"b\":1}],\"a\":1}", 15 },
		{ "{\"\\u0061\":1,\"a\":2}", 12 },
		{ "{\"a\":1,\"\\u0061\":2}", 7 },
		{ "{\"\\u0061b\":1,\"\\u0062a\":2,\"\\u0061b\":2}", 25 },
		{ "{\"a\":\"a\",\"b\":\"a\"}", 0 },
		{ "{\"a\":\":\",\"b\":[\"a\",\"a\"]}", 0 },
	};
	static char bytes[1 << 14];
	char name[64], *end = bytes;
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		snprintf(name, sizeof(name), "repeated key %zu is found", i);
		tap_int((intmax_t)find_repeated(cases[i].text),
			(intmax_t)cases[i].at, name);
	}
	end += sprintf(end, "{");
	for (i = 0; i < 500; i++)
		end += sprintf(end, "\"\\u006b%zu\":%zu,", i * 7 % 500, i);
	sprintf(end, "\"z\":1}");
	tap_int((intmax_t)find_repeated(bytes), 0, "many keys may differ");
	i = (size_t)(end - bytes);
	sprintf(end, "\"k499\":1}");
	tap_int((intmax_t)find_repeated(bytes), (intmax_t)i,
		"one of many keys may be there twice");
}

#define ESCAPED "{\"\\u0061\":1,\"b\":2}"

static void look_often(void)
{
	int i;

	for (i = 0; i < 8; i++)
		find_repeated(ESCAPED);
}

static void test_key_memory(void)
{
	const struct tr2_host *before = tr2_host;
	struct tr2_host host = *before;
	int out;

	kit_fill = 0;
	tap_int((intmax_t)find_repeated("{\"\":1}"), 0,
		"no key is compared with what is no key");
	memory_install(&host);
	memory_fail(1);
	tap_int((intmax_t)find_repeated("{\"a\":1,\"a\":2}"), 7,
		"plain keys are not copied");
	out = kit_runs_out(look_often);
	tr2_host = before;
	tap_ok(out, "keys for which there is no memory end it");
}

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

static void test_time_limits(void)
{
	static const struct {
		size_t at;
		const char *low, *high, *less, *more;
	} parts[] = {
		{ 5, "01", "12", "00", "13" },	{ 8, "01", "31", "00", "32" },
		{ 11, "00", "23", NULL, "24" }, { 14, "00", "59", NULL, "60" },
		{ 17, "00", "60", NULL, "61" },
	};
	char bytes[64];
	size_t i, wrong;

	for (wrong = i = 0; i < 5; i++) {
		memcpy(bytes, when, 27);
		memcpy(bytes + parts[i].at, parts[i].low, 2);
		wrong += !tr2_match_time(bytes, 27);
		memcpy(bytes + parts[i].at, parts[i].high, 2);
		wrong += !tr2_match_time(bytes, 27);
		memcpy(bytes + parts[i].at, parts[i].more, 2);
		wrong += tr2_match_time(bytes, 27);
		if (!parts[i].less)
			continue;
		memcpy(bytes + parts[i].at, parts[i].less, 2);
		wrong += tr2_match_time(bytes, 27);
	}
	tap_int((intmax_t)wrong, 0, "the parts of a time have limits");
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
	test_texts();
	test_duplicates();
	test_duplicates_inside();
	test_key_memory();
	tr2_parse_release(&parse);
	test_time_shape();
	test_time_limits();
	test_other_matches();
	test_digits();
	test_mending();
	tr2_record_release(&record);
	return tap_done();
}
