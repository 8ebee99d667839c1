#define _GNU_SOURCE
/*
 * Lines that are measured: the same as if each character were counted anew;
 * and their fingerprints. Places of findings, and the line around one as it is
 * shown: measure.txt has the cases.
 */
#include <stdint.h>
#include <stdio.h>

#include "kit/validate.h"
#include "kit/memory.h"
#include "kit/script.h"
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
}

/*
 * ---- Text
 */

static char *page_end;

static const char *at_end(const char *text, size_t len)
{
	return memcpy(page_end - len, text, len);
}

static struct tr2_buf out;

static const char *take_output(void)
{
	const char *text = script_say("%.*s", (int)out.len, out.bytes);

	tr2_buf_reset(&out);
	return text;
}

/* `place COLUMN`, `place COLUMN binary` */
static const char *print_place(char **word)
{
	const struct tr2_finding finding = {
		.line = 12,
		.column = (size_t)script_number(word[0], 0),
		.binary = *word[1],
	};

	tr2_excerpt_place(&out, &finding);
	return take_output();
}

static const char *print_excerpt(char **word)
{
	const size_t width = (size_t)script_number(word[2], 0);
	const struct tr2_finding finding = {
		.text = at_end(word[0], strlen(word[0])),
		.text_len = strlen(word[0]),
		.column = (size_t)script_number(word[1], 0),
		.width = width,
		.expected = width == 3 ? "more" : NULL,
	};
	const struct tr2_shown shown = { .finding = &finding,
					 .color = width == 2 };

	tr2_excerpt_write(&out, &shown);
	return take_output();
}

static const struct script_verb verbs[] = {
	{ "place", print_place },
	{ "excerpt", print_excerpt },
	{ NULL, NULL },
};

static void end_case(void)
{
}

int main(void)
{
	run_tests_of_measure();
	memory_page(&page_end);
	script_run(script_read(__FILE__), verbs, NULL, end_case);
	tr2_buf_release(&out);
	return tap_done();
}
