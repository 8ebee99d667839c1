/* A line of a state: its fields, their escapes, numbers and buckets. */
#define _GNU_SOURCE /* pages of memory */
#include "kit/validate.h"

#include <errno.h>

#include "kit/memory.h"
#include "views/summary/fields.h"

static struct tr2_fields fields;

static void split_text(const char *line)
{
	tr2_fields_split(&fields, line, strlen(line));
}

/* The fields between < and >. */
static const char *show_fields(void)
{
	static char shown[512];
	size_t i, len = 0;

	shown[0] = '\0';
	for (i = 0; i < fields.count; i++)
		len += (size_t)snprintf(shown + len, sizeof(shown) - len,
					"<%s>", fields.at[i]);
	return shown;
}

static const char *put_text(const char *text)
{
	static struct tr2_buf out;

	out.len = 0;
	tr2_buf_str(&out, "row");
	tr2_fields_put(&out, text);
	tr2_buf_byte(&out, '\0');
	return out.bytes;
}

static void test_put(void)
{
	tap_str(put_text("a b"), "row\ta b", "a text follows a tab");
	tap_str(put_text(""), "row\t", "an empty text is only a tab");
	tap_str(put_text("\tx\ny\\z\r"), "row\t\\tx\\ny\\\\z\\r",
		"what would end a field or a line is escaped");
	tap_str(put_text("tnr\1\x7f\xc3\xa4"), "row\ttnr\1\x7f\xc3\xa4",
		"other characters stay");
}

static void test_split(void)
{
	split_text("row\ta b\t7");
	tap_str(show_fields(), "<row><a b><7>", "tabs separate fields");
	split_text("");
	tap_str(show_fields(), "<>", "an empty line has one empty field");
	split_text("\t\t");
	tap_str(show_fields(), "<><><>", "fields may be empty");
	tr2_fields_split(&fields, "ab\tcdef", 5);
	tap_str(show_fields(), "<ab><cd>", "the line ends where it is told");
	split_text("\\ta\\\\\\nb\t\\r\t\\\\t");
	tap_str(show_fields(), "<\ta\\\nb><\r><\\t>", "escapes are undone");
	split_text("a\\\t\\q\\");
	tap_str(show_fields(), "<a\\><q\\>",
		"a backslash before nothing stays, one before a letter goes");
}

static void test_limit(void)
{
	split_text("0\t1\t2\t3\t4\t5\t6\t7\t8\t9\ta\tb\tc\td\te\tf");
	tap_str(show_fields(),
		"<0><1><2><3><4><5><6><7><8><9><a><b><c><d><e><f>",
		"a line may have 16 fields");
	split_text("0\t1\t2\t3\t4\t5\t6\t7\t8\t9\ta\tb\tc\td\te\tf\tg\t\\t");
	tap_str(show_fields(),
		"<0><1><2><3><4><5><6><7><8><9><a><b><c><d><e><f>",
		"more fields than 16 are left out");
}

static void test_round_trip(void)
{
	static const char text[] = "\\t\t\\\n\r\\\\nr\"\1 \\";

	split_text(put_text(text));
	tap_ok(fields.count == 2 && !strcmp(fields.at[1], text),
	       "a text that was written is read again");
}

static void split_much(void)
{
	split_text("much");
}

static void test_memory(void)
{
	struct tr2_host short_host = *tr2_host;
	const struct tr2_host *usual = tr2_host;

	tr2_buf_release(&fields.text);
	memory_install(&short_host);
	memory_fail(1);
	tap_ok(kit_runs_out(split_much), "a line needs memory");
	tr2_host = usual;
}

static bool read_numbers(const char *line, size_t first, size_t count,
			 int64_t *values)
{
	split_text(line);
	errno = ERANGE; /* an error of before does not matter */
	return tr2_fields_numbers(&fields, first, values, count);
}

static void test_numbers(void)
{
	int64_t values[3] = { 1, 1, 1 };

	tap_ok(read_numbers("x\t0\t-12\t9", 1, 2, values) && values[0] == 0 &&
		       values[1] == -12 && values[2] == 1,
	       "so many numbers are read as are wanted");
	tap_ok(read_numbers("x\t0\t-12\t9", 3, 1, values) && values[0] == 9,
	       "the last field may be the last number");
	tap_ok(read_numbers(
		       "9223372036854775807\t-9223372036854775808\t0000000010",
		       0, 3, values) &&
		       values[0] == INT64_MAX && values[1] == INT64_MIN &&
		       values[2] == 10,
	       "the largest and the smallest number are read");
	tap_ok(!read_numbers("1\t2", 1, 2, values), "a number may be missing");
	tap_ok(!read_numbers("1\t2", 3, 1, values), "all numbers may be");
	tap_ok(read_numbers("1\t2", 2, 0, values), "none are always there");
}

static void test_no_numbers(void)
{
	static const char *const lines[] = {
		"1\t",
		"1\tx",
		"1\t7x",
		"1\t1.5",
		"1\t9223372036854775808",
		"1\t-9223372036854775809",
	};
	int64_t values[2];
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		snprintf(name, sizeof(name), "'%s' is no number", lines[i] + 2);
		tap_ok(!read_numbers(lines[i], 0, 2, values), name);
	}
}

static void test_sketch(void)
{
	struct tr2_sketch sketch = { .count = 0 };

	errno = ERANGE;
	tap_ok(tr2_fields_sketch("", &sketch) && !sketch.count,
	       "a field without buckets adds none");
	tap_ok(tr2_fields_sketch("5:3,120:1,", &sketch) && sketch.count == 4 &&
		       tr2_sketch_quantile(&sketch, 75) == 5 &&
		       tr2_sketch_quantile(&sketch, 76) == 120,
	       "each bucket is added with its count");
	tap_ok(tr2_fields_sketch("5:6,", &sketch) && sketch.count == 10 &&
		       sketch.buckets.count == 2 &&
		       tr2_sketch_quantile(&sketch, 90) == 5,
	       "buckets add to those that are there");
	tap_ok(tr2_fields_sketch("3775:1,", &sketch) && sketch.count == 11,
	       "the last bucket may be used");
	tap_ok(tr2_fields_sketch("0:0,9:9,", &sketch) && sketch.count == 20,
	       "numbers may begin with any digit");
	tr2_sketch_release(&sketch);
}

static void test_no_sketch(void)
{
	static const char *const texts[] = {
		"5",	   "5:",    "5:3",
		":3,",	   "5:,",   "x:1,",
		"5:x,",	   "5,3:",  "5:3;",
		"3776:1,", "5:3,x", "5:18446744073709551616,",
		"-5:3,",   "5:-1,", "18446744073709551617:1,",
		"5: 1,",   " 5:1,", "+5:1,",
	};
	struct tr2_sketch sketch = { .count = 0 };
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		snprintf(name, sizeof(name), "'%s' lists no buckets", texts[i]);
		tap_ok(!tr2_fields_sketch(texts[i], &sketch), name);
	}
	tr2_sketch_release(&sketch);
}

int main(void)
{
	test_put();
	test_split();
	test_limit();
	test_round_trip();
	test_numbers();
	test_no_numbers();
	test_sketch();
	test_no_sketch();
	test_memory();
	return tap_done();
}
