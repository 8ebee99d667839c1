#define _GNU_SOURCE /* MAP_ANONYMOUS */
/*
 * Strings for JSON in words and buffers of any size, and the depth and memory
 * of values. What is a value is in t/library/targets/json.tsv.
 */
#include "base/json.h"
#include "base/utf8.h"

#include "base/buf.h"

#include "kit/memory.h"
#include "kit/tap.h"

#define WRONG "\xef\xbf\xbd"

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
	tap_int(wrong_escapes(), 0, "each byte is escaped at each place");
	tap_run(test_strings);
	tap_int(is_deep_value(511), 1, "511 levels of JSON are not too many");
	test_short_memory();
	tap_int(is_deep_value(512), 0, "512 levels of JSON are too many");
	return tap_done();
}
