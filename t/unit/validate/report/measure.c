/*
 * Lines that are measured: the same as if each character were counted anew.
 */
#include "kit/validate.h"

#include "lib/common/hash.h"
#include "validate/report/measure.h"
#include "lib/text/text.h"

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
	size_t wrong = 0, at;

	fill_line();
	tr2_measure_line(&measure, line, LEN, 1, 1);
	for (at = 0; at < LEN + 9; at += 61)
		wrong += tr2_measure_characters(&measure, at) !=
			 count_characters(at);
	tap_int((intmax_t)wrong, 0, "characters are counted up to each place");
	for (at = LEN; at > 59; at -= 59)
		wrong += tr2_measure_characters(&measure, at) !=
			 count_characters(at);
	for (at = 4080; at < 4110; at++)
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

int main(void)
{
	test_characters();
	test_lines();
	tr2_measure_release(&measure);
	return tap_done();
}
