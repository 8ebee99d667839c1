#define _GNU_SOURCE /* MAP_ANONYMOUS */
/*
 * Strings for JSON, and whether a text is a JSON value: each case next to
 * one that is nearly the same and comes out differently.
 */
#include "base/json.h"
#include "base/utf8.h"

#include "base/buf.h"

#include "kit/memory.h"
#include "kit/tap.h"

#define WRONG "\xef\xbf\xbd"

static const struct {
	const char *text;
	const char *escaped;
} texts[] = {
	{ "", "" },
	{ "a", "a" },
	{ "\"", "\\\"" },
	{ "\\", "\\\\" },
	{ "\x1f", "\\u001f" },
	{ "\x01", "\\u0001" },
	{ " ", " " },
	{ "\x7f", "\x7f" },
	{ "!#[]", "!#[]" },
	{ "\b\f\n\r\t\v", "\\b\\f\\n\\r\\t\\u000b" },
	{ "a\n", "a\\n" },
	{ "\nb", "\\nb" },
	{ "ab\n", "ab\\n" },
	{ "a\nc", "a\\nc" },
	{ "abc\n", "abc\\n" },
	{ "abcd\n", "abcd\\n" },
	{ "\nbcdefg", "\\nbcdefg" },
	{ "abc\nefg", "abc\\nefg" },
	{ "abcdef\n", "abcdef\\n" },
	{ "abcdefg\n", "abcdefg\\n" },
	{ "abcdefgh\n", "abcdefgh\\n" },
	{ "\nbcdefghi", "\\nbcdefghi" },
	{ "0123456789abcde\n", "0123456789abcde\\n" },
	{ "01234567\n9abcdefghijklmn", "01234567\\n9abcdefghijklmn" },
	{ "0123456789abcdef\n", "0123456789abcdef\\n" },
	{ "0123456789abcdefghijklm", "0123456789abcdefghijklm" },
	/* The first and the last of each length, and their neighbours. */
	{ "\xc2\x80", "\xc2\x80" },
	{ "\xdf\xbf", "\xdf\xbf" },
	{ "\xe0\xa0\x80", "\xe0\xa0\x80" },
	{ "\xed\x9f\xbf", "\xed\x9f\xbf" },
	{ "\xee\x80\x80", "\xee\x80\x80" },
	{ "\xef\xbf\xbf", "\xef\xbf\xbf" },
	{ "\xf0\x90\x80\x80", "\xf0\x90\x80\x80" },
	{ "\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf" },
	{ "\xf1\x80\xbf\x80", "\xf1\x80\xbf\x80" },
	{ "\x80", WRONG },
	{ "\xbf", WRONG },
	{ "\xc1\xbf", WRONG WRONG },
	{ "\xc0\x80", WRONG WRONG },
	{ "\xc2\x7f", WRONG "\x7f" },
	{ "\xc2\xc0", WRONG WRONG },
	{ "\xe0\x9f\x80", WRONG WRONG WRONG },
	{ "\xe1\x80", WRONG },
	{ "\xe1\x80 ", WRONG " " },
	{ "\xe1\xbf\xc0", WRONG WRONG },
	{ "\xe0\xa0\x7f", WRONG "\x7f" },
	{ "\xed\xa0\x80", WRONG WRONG WRONG },
	{ "\xed\x80\xbf", "\xed\x80\xbf" },
	{ "\xf0\x8f\x80\x80", WRONG WRONG WRONG WRONG },
	{ "\xf0\x90\x80", WRONG },
	{ "\xf4\x90\x80\x80", WRONG WRONG WRONG WRONG },
	{ "\xf4\x80\xbf\xbf", "\xf4\x80\xbf\xbf" },
	{ "\xf5\x80\x80\x80", WRONG WRONG WRONG WRONG },
	{ "a\xc2", "a" WRONG },
	{ "a\xc3\xa9", "a\xc3\xa9" },
	{ "\nb\nc\xc2z", "\\nb\\nc" WRONG "z" },
	{ "\xc2\x80\n", "\xc2\x80\\n" },
};

static const struct {
	const char *text;
	int is_value;
} values[] = {
	/* Numbers that a reader can hold, and the next. */
	{ "18446744073709551615", 1 },
	{ "18446744073709551616", 0 },
	{ "18446744073709551615e0", 1 },
	{ "100000000000000000000", 0 },
	{ "-9223372036854775808", 1 },
	{ "-9223372036854775809", 0 },
	{ "-10000000000000000000", 0 },
	{ "1.7976931348623157e308", 1 },
	{ "1.7976931348623158079e308", 0 },
	{ "1.7976931348623158078e+308", 1 },
	{ "1.8E308", 0 },
	{ "-1e309", 0 },
	{ "0.1e309", 1 },
	{ "0.001e312", 0 },
	{ "0.001e311", 1 },
	{ "1e400", 0 },
	{ "1e-400", 1 },
	{ "0e400", 1 },
	{ "0.0e400", 1 },
	{ "1e999999999999999999999999999999", 0 },
	{ "1e-999999999999999999999999999999", 1 },
	{ "[1e400]", 0 },
	/* Keys, however they are spelled, are there once in their object. */
	{ "{\"a\":1,\"a\":1}", 0 },
	{ "{\"a\":1,\"A\":1}", 1 },
	{ "{\"a\":{\"a\":1},\"b\":[{\"a\":1},{\"a\":1}]}", 1 },
	{ "{\"a\":{},\"b\":{},\"a\":1}", 0 },
	{ "{\"\":1,\"\":1}", 0 },
	{ "{\"\\u0061\":1,\"a\":1}", 0 },
	{ "{\"\\n\":1,\"\\u000a\":1}", 0 },
	{ "{\"\\/\":1,\"/\":1}", 0 },
	{ "{\"\\\"\":1,\"\\u0022\":1}", 0 },
	{ "{\"\\u00e9\":1,\"\xc3\xa9\":1}", 0 },
	{ "{\"\\u00a9\":1,\"\xc2\xa9\":1}", 0 },
	{ "{\"\\u20ac\":1,\"\xe2\x82\xac\":1}", 0 },
	{ "{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x80\":1}", 0 },
	{ "{\"\\ud83d\\ude00\":1,\"\xf0\x9f\x98\x81\":1}", 1 },
	{ "{\"\\u20ac\":1,\"\xe2\x82\xad\":1}", 1 },
	{ "{\"\\u00e9\":1,\"\xc3\xa8\":1}", 1 },
	{ "", 0 },
	{ "0", 1 },
	{ "-0", 1 },
	{ "--0", 0 },
	{ "-", 0 },
	{ "01", 0 },
	{ "10", 1 },
	{ "1.", 0 },
	{ "1.5", 1 },
	{ ".5", 0 },
	{ "0.5e", 0 },
	{ "0e1", 1 },
	{ "1E+2", 1 },
	{ "1e-2", 1 },
	{ "1e*2", 0 },
	{ "1e+", 0 },
	{ "1f2", 0 },
	{ "true", 1 },
	{ "truex", 0 },
	{ "tru", 0 },
	{ "false", 1 },
	{ "null", 1 },
	{ "nul", 0 },
	{ " \t1\t ", 1 },
	{ "1\n", 0 },
	{ "1 2", 0 },
	{ "\"\"", 1 },
	{ "\"", 0 },
	{ "\"a", 0 },
	{ "\"\x1f\"", 0 },
	{ "\" \"", 1 },
	{ "\"\x7f\"", 1 },
	{ "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", 1 },
	{ "\"\\a\"", 0 },
	{ "\"\\\"", 0 },
	{ "\"\\", 0 },
	{ "\"\\u00e9\"", 1 },
	{ "\"\\u00E9\"", 1 },
	{ "\"\\u00g9\"", 0 },
	{ "\"\\u00e\"", 0 },
	{ "\"\\u00e\"\"", 0 },
	{ "\"\\u0000\"", 1 },
	{ "\"\\ud7ff\"", 1 },
	{ "\"\\ue000\"", 1 },
	{ "\"\\ud800\\udc00\"", 1 },
	{ "\"\\udbff\\udfff\"", 1 },
	{ "\"\\ud800\"", 0 },
	{ "\"\\ud8000\"", 0 },
	{ "\"\\udfff\"", 0 },
	{ "\"\\ud800 udc00\"", 0 },
	{ "\"\\ud800\\tdc00\"", 0 },
	{ "\"\\ud800\\udbff\"", 0 },
	{ "\"\\ud800\\ue000\"", 0 },
	{ "\"\\ud800\\uxyz0\"", 0 },
	{ "\"\\udc00\\udc00\"", 0 },
	{ "\"\xc3\xa9\"", 1 },
	{ "\"\xc3\"", 0 },
	{ "\"\xf0\x9f\x98\x80\"", 1 },
	{ "\"\x80\"", 0 },
	{ "\"a\x80\"", 0 },
	{ "[]", 1 },
	{ "[ ]", 1 },
	{ "[", 0 },
	{ "]", 0 },
	{ "[}", 0 },
	{ "1!,[", 0 },
	{ "[1]", 1 },
	{ "[1,]", 0 },
	{ "[,1]", 0 },
	{ "[1 , 2]", 1 },
	{ "[1 2]", 0 },
	{ "[[],[1]]", 1 },
	{ "[[1]", 0 },
	{ "[1]]", 0 },
	{ "{}", 1 },
	{ "{ }", 1 },
	{ "{]", 0 },
	{ "{\"a\":1}", 1 },
	{ "{ \"a\" : 1 }", 1 },
	{ "{\"a\":1,\"b\":[]}", 1 },
	{ "{\"a\":1,}", 0 },
	{ "{\"a\":1,2}", 0 },
	{ "{\"a\" 1}", 0 },
	{ "{\"a\":}", 0 },
	{ "{\"a\"}", 0 },
	{ "{\"a}", 0 },
	{ "{\"\":1}", 1 },
	{ "{\"a\"x1}", 0 },
	{ "{\"a\":1 2}", 0 },
	{ "{1:1}", 0 },
	{ "{a\":1}", 0 },
	{ "[{\"a\":[1]},2]", 1 },
	{ "[\"a\":1]", 0 },
};

static void test_escapes(void)
{
	char bytes[256], name[64];
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct tr2_buf out = TR2_BUF_FIXED(bytes);

		tr2_json_escape(&out, texts[i].text, strlen(texts[i].text));
		snprintf(name, sizeof(name), "text %zu is escaped", i);
		tap_bytes(bytes, out.len, texts[i].escaped,
			  strlen(texts[i].escaped), name);
	}
}

/* Write the escaped form of an ASCII byte, or of a byte that is not UTF-8. */
static size_t write_escaped(char *to, int byte)
{
	static const char letters[][2] = { { '\b', 'b' }, { '\f', 'f' },
					   { '\n', 'n' }, { '\r', 'r' },
					   { '\t', 't' }, { '"', '"' },
					   { '\\', '\\' } };
	size_t i;

	for (i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		if (byte == letters[i][0])
			return (size_t)sprintf(to, "\\%c", letters[i][1]);
	if (byte >= 0x80)
		return (size_t)sprintf(to, WRONG);
	return (size_t)sprintf(to, byte < 0x20 ? "\\u%04x" : "%c", byte);
}

/*
 * Put each byte at each place of short texts, between plain ones, because
 * bytes are read in words.
 */
static int wrong_escapes(void)
{
	char around[64], want[64], bytes[64], *const text = around + 32;
	size_t len, at, used;
	int byte, wrong = 0;

	for (len = 1; len < 20; len++) {
		for (at = 0; at < len; at++) {
			for (byte = 0; byte < 256; byte++) {
				struct tr2_buf out = TR2_BUF_FIXED(bytes);

				memset(around, '0', sizeof(around));
				memset(want, '0', sizeof(want));
				text[at] = (char)byte;
				used = at + write_escaped(want + at, byte);
				memset(want + used, '0', len - at);
				used += len - at - 1;
				tr2_json_escape(&out, text, len);
				wrong += out.len != used ||
					 memcmp(bytes, want, used) != 0;
			}
		}
	}
	return wrong;
}

/* A string with quotes, in buffers of each size. */
static int wrong_strings(const char *text, const char *want)
{
	const size_t needed = strlen(want);
	char bytes[64];
	int wrong = 0;

	for (size_t room = 0; room < 32; room++) {
		struct tr2_buf out = { bytes, 1, room + 1, 1, 0 };

		memset(bytes, '?', sizeof(bytes));
		tr2_json_string(&out, text);
		wrong += out.failed != (room < needed) || bytes[0] != '?' ||
			 memchr(bytes + room + 1, '"', 32) ||
			 (!out.failed && (out.len != needed + 1 ||
					  memcmp(bytes + 1, want, needed)));
	}
	return wrong;
}

static void test_strings(void)
{
	struct tr2_buf out = TR2_BUF_INIT;

	tap_int(wrong_strings("", "\"\""), 0, "an empty string has quotes");
	tap_int(wrong_strings("0123456789", "\"0123456789\""), 0,
		"a plain string has quotes");
	tap_int(wrong_strings("a\nb", "\"a\\nb\""), 0,
		"a string is escaped between its quotes");
	tap_int(wrong_strings("caf\xc3\xa9", "\"caf\xc3\xa9\""), 0,
		"a string that is not ASCII has quotes");
	tr2_json_string(&out, "plain");
	tap_bytes(out.bytes, out.len, "\"plain\"", 7,
		  "a string makes room in an empty buffer");
	tr2_buf_release(&out);
}

static void test_values(void)
{
	char name[128];
	size_t i;

	for (i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
		snprintf(name, sizeof(name), "value %zu %s", i,
			 values[i].is_value ? "is one" : "is none");
		tap_int(tr2_json_is_value(values[i].text), values[i].is_value,
			name);
	}
}

/* `depth` arrays, each in the one before. */
static int is_deep_value(size_t depth)
{
	static char text[2048];

	memset(text, '[', depth);
	memset(text + depth, ']', depth);
	text[2 * depth] = '\0';
	return tr2_json_is_value(text);
}

/* Two keys of the same hash bits are compared, and this needs memory. */
static void test_short_memory(void)
{
	static const char many[] = "{\"a\":1,\"\\uffff\":2,\"\\ud7ff\":3,"
				   "\"\\ue000\":4,\"b\":5,\"c\":6,\"d\":7,"
				   "\"e\":8,\"f\":9,\"g\":10,\"h\":11,"
				   "\"i\":12,\"j\":13,\"k\":14,\"l\":15,"
				   "\"m\":16,\"n\":17,\"o\":18,\"p\":19}";
	static struct tr2_host host;

	tap_int(tr2_json_is_value(many), 1, "many keys are fine");
	host = *tr2_host;
	memory_install(&host);
	memory_fail(1);
	tap_int(tr2_json_is_value(many), 0,
		"keys that cannot be compared are refused");
	tap_ok(memory_calls > 0, "because there was no memory");
	memory_fail(0);
	tap_int(tr2_json_is_value(many), 1, "later they are fine again");
	tap_int(memory_live, 0, "and no memory is kept");
}

int main(void)
{
	test_escapes();
	tap_int(wrong_escapes(), 0, "each byte is escaped at each place");
	tap_run(test_strings, test_values);
	tap_int(is_deep_value(511), 1, "511 levels of JSON are not too many");
	test_short_memory();
	tap_int(is_deep_value(512), 0, "512 levels of JSON are too many");
	return tap_done();
}
