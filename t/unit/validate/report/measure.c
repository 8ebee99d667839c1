#define _GNU_SOURCE
/*
 * Lines that are measured: the same as if each character were counted anew;
 * and their fingerprints. Text of the validator: finding it, the line around a
 * finding as it is shown, and memory that is not there.
 */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "kit/validate.h"
#include "kit/memory.h"
#include "kit/tap.h"
#include "lib/common/hash.h"
#include "validate/report/measure.h"
#include "lib/text/text.h"
#include "lib/common/memory.h"
#include "validate/report/report.h"

/*
 * ---- Measure
 */

#define LEN ((size_t)40000)

static char line[LEN];
static struct tr2_measure measure;

/*
 * Characters of one to four bytes, and bytes that are not characters; always
 * the same.
 */
static void fill_line(void)
{
	static const char *const parts[] = { "a", "\xc3\xa9", "\xe2\x82\xac",
					     "\xf0\x9f\x98\x80", "\xff" };
	size_t at = 0, i = 0, len;

	for (; at < LEN; at += len, i = i * 7 + at + 1) {
		len = strlen(parts[i % 5]);
		if (at + len > LEN)
			len = LEN - at;
		memcpy(line + at, parts[i % 5], len);
	}
}

static size_t count_characters(size_t bytes)
{
	size_t at = 0, count = 0;

	for (; at < bytes && at < LEN; count++)
		at += tr2_text_step(line + at, LEN - at);
	return count;
}

static void test_characters(void)
{
	size_t wrong = 0;

	fill_line();
	tr2_measure_line(&measure, line, LEN, 1, 1);
	for (size_t at = 0; at < LEN + 9; at += 61)
		wrong += tr2_measure_characters(&measure, at) !=
			 count_characters(at);
	tap_int((intmax_t)wrong, 0, "characters are counted up to each place");
	for (size_t at = LEN; at > 59; at -= 59)
		wrong += tr2_measure_characters(&measure, at) !=
			 count_characters(at);
	for (size_t at = 4080; at < 4110; at++)
		wrong += tr2_measure_characters(&measure, at) !=
			 count_characters(at);
	tap_int((intmax_t)wrong, 0, "the places may come in any order");
	tr2_measure_release(&measure);
	measure = (struct tr2_measure){ 0 };
	tr2_measure_line(&measure, line, LEN, 1, 1);
	tap_int((intmax_t)tr2_measure_characters(&measure, LEN),
		(intmax_t)count_characters(LEN), "the last place may be first");
}

static bool is_of(const char *text, size_t len)
{
	return tr2_measure_hash(&measure) ==
		       tr2_measure_fingerprint(text, len) &&
	       tr2_measure_characters(&measure, len) == len;
}

static void test_lines(void)
{
	static const char text[] = "abcdefgh";

	tr2_measure_line(&measure, text, 8, 1, 1);
	tap_ok(is_of(text, 8), "a line has its hash");
	tr2_measure_line(&measure, text + 1, 7, 1, 1);
	tap_ok(is_of(text + 1, 7), "a line may begin elsewhere");
	tr2_measure_line(&measure, text + 1, 6, 1, 1);
	tap_ok(is_of(text + 1, 6), "a line may be shorter");
	tr2_measure_hash(&measure);
	tr2_measure_line(&measure, line, 6, 1, 1);
	memset(line, 'b', 6);
	tap_ok(is_of(line, 6), "a line may be elsewhere");
	memset(line, 'c', 6);
	tap_ok(!is_of(line, 6), "the same line is measured once");
	tr2_measure_line(&measure, line, 6, 1, 2);
	tap_ok(is_of(line, 6), "another line may be in the same place");
	memset(line, 'd', 6);
	tr2_measure_line(&measure, line, 6, 2, 2);
	tap_ok(is_of(line, 6), "another log may be in the same place");
}

#define MOST 40

/* Of a text with other bytes before and after it. */
static uint64_t hash_between(const char *text, size_t len, char around)
{
	static char bytes[MOST + 64];

	memset(bytes, around, sizeof(bytes));
	memcpy(bytes + 32, text, len);
	return tr2_measure_fingerprint(bytes + 32, len);
}

/* Other programs have kept these. */
static void test_kept(void)
{
	static const struct {
		const char *text;
		uint64_t hash;
	} rows[] = {
		{ "", UINT64_C(0x3d4d51c332419aa7) },
		{ "a", UINT64_C(0x3a4bfad23a0d018e) },
		{ "abcdefg", UINT64_C(0xc4a798bebe88d0f3) },
		{ "abcdefgh", UINT64_C(0xc956facee8dbb4e8) },
		{ "abcdefghi", UINT64_C(0x23e666881ccb93d6) },
		{ "{\"event\":\"exit\",\"code\":0}",
		  UINT64_C(0x7239d618ac5d7f43) },
	};
	char name[64];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(name, sizeof(name), "the hash of '%s' never changes",
			 rows[i].text);
		tap_ok(hash_between(rows[i].text, strlen(rows[i].text), 'x') ==
			       rows[i].hash,
		       name);
	}
}

static void run_tests_of_measure(void)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	test_kept();
#endif
	test_characters();
	test_lines();
	tr2_measure_release(&measure);
}

/*
 * ---- Text
 */

static char *page, *page_end;

static const char *at_end(const char *text, size_t len)
{
	(void)page;
	return memcpy(page_end - len, text, len);
}

static struct tr2_buf out;

static const char *take_output(void)
{
	static char text[1024];

	memcpy(text, out.bytes, out.len);
	text[out.len] = '\0';
	tr2_buf_reset(&out);
	return text;
}

static void test_places(void)
{
	struct tr2_finding finding = { .line = 12, .column = 0x1b };

	tr2_excerpt_place(&out, &finding);
	tap_str(take_output(), "12:27", "a place is a line and a column");
	finding.binary = true;
	tr2_excerpt_place(&out, &finding);
	tap_str(take_output(), "0x1a", "or an offset");
	finding.column = 1;
	tr2_excerpt_place(&out, &finding);
	tap_str(take_output(), "0x0", "the first offset is 0");
}

/* The excerpt of the text, with an LF for a `|`. */
static const char *print_excerpt(const char *text, size_t column, size_t width)
{
	struct tr2_finding finding = {
		.text = at_end(text, strlen(text)),
		.text_len = strlen(text),
		.column = column,
		.width = width,
		.expected = width == 3 ? "more" : NULL,
	};
	const struct tr2_shown shown = { .finding = &finding,
					 .color = width == 2 };

	tr2_excerpt_write(&out, &shown);
	return take_output();
}

#define TEN "0123456789"
#define FIFTY TEN TEN TEN TEN TEN

static void test_excerpts(void)
{
	tap_str(print_excerpt("abc", 1, 1), "    abc\n    ^\n",
		"a byte is shown");
	tap_str(print_excerpt("ab\xc3", 1, 1), "    ab?\n    ^\n",
		"half of a character may be last");
	tap_str(print_excerpt("abc", 3, 1), "    abc\n      ^\n",
		"the last byte is shown");
	tap_str(print_excerpt("abc", 4, 0), "    abc\n       ^\n",
		"the end of a line is shown");
	tap_str(print_excerpt("abc", 2, 9), "    abc\n     ^^\n",
		"carets end with the line");
	tap_str(print_excerpt("abcde", 2, 3),
		"    abcde\n     ^^^ expected more\n",
		"it is told what should be there");
	tap_str(print_excerpt("abcde", 2, 2),
		"    abcde\n     \033[1;31m^^\033[0m\n", "carets have colours");
	tap_str(print_excerpt("", 1, 0), "    \n    ^\n",
		"a line may be empty");
	tap_str(print_excerpt("\xc3\xa9\xc3\xa9\xc3\xa9", 3, 2),
		"    \xc3\xa9\xc3\xa9\xc3\xa9\n     \033[1;31m^\033[0m\n",
		"characters have a column each");
	tap_str(print_excerpt("a\xc3\xa9", 3, 1), "    a\xc3\xa9\n      ^\n",
		"a byte inside a character is marked behind it");
	tap_str(print_excerpt(FIFTY FIFTY, 51, 1),
		"    ...4567890123456789" TEN TEN "0123456789" TEN TEN
		"0123456...\n"
		"                                           ^\n",
		"of a long line a part is shown");
	tap_str(print_excerpt(FIFTY, 37, 1),
		"    " FIFTY "\n                                        ^\n",
		"36 bytes before are shown");
	tap_ok(!strncmp(print_excerpt(FIFTY, 38, 1), "    ...12345", 12) &&
		       out.len == 0,
	       "what is before them is not");
	tap_ok(strstr(print_excerpt(FIFTY, 14, 1), "89\n"),
	       "36 bytes behind are shown");
	tap_ok(strstr(print_excerpt(FIFTY, 13, 1), "678...\n"),
	       "what is behind them is not");
	tap_ok(strstr(print_excerpt(FIFTY FIFTY, 1, 90),
		      "\n    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^\n"),
	       "there are at most 40 carets");
	tap_ok(strstr(print_excerpt("\xe2\x82\xad" FIFTY, 38, 1), "   ...0123"),
	       "a part begins with a whole character");
	tap_ok(strstr(print_excerpt("\xe2\x82\xac" FIFTY, 41, 1), "   ...1234"),
	       "a part begins behind a character");
}

static void run_tests_of_text(void)
{
	page = memory_page(&page_end);
	tap_run(test_places, test_excerpts);
	tr2_buf_release(&out);
}

int main(void)
{
	tap_run(run_tests_of_measure, run_tests_of_text);
	return tap_done();
}
