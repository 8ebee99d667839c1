#define _GNU_SOURCE /* MAP_ANONYMOUS */
/*
 * Texts: lists of words, characters, quotes for a shell, strings and values of
 * JSON, each at the sizes and ends where the code takes another path. text.txt
 * has cases; what they mean is in t/library/targets/secrets.tsv and json.tsv.
 */
#include "base/list.h"
#include <string.h>
#include "kit/script.h"
#include "base/utf8.h"
#include "kit/memory.h"
#include "base/buf.h"
#include "base/quote.h"
#include "base/json.h"

/*
 * ---- Verbs
 */

static const char *has_word(char **word)
{
	return script_say_yes(tr2_list_has(word[0], word[1], strlen(word[1])));
}

/* There may be a NUL among the bytes. */
static const char *measure_character(char **word)
{
	return script_say_number(
		tr2_utf8_length(word[0], (size_t)script_number(word[1], 0)));
}

static const char *quote_word(char **word)
{
	char bytes[64];
	struct tr2_buf out = TR2_BUF_FIXED(bytes);

	tr2_quote_word(&out, word[0]);
	return script_say("%.*s", (int)out.len, bytes);
}

/* Up to the word `end`; without words there are none. */
static const char *quote_words(char **word)
{
	const char *words[SCRIPT_WORDS] = { NULL };
	char bytes[64];
	struct tr2_buf out = TR2_BUF_FIXED(bytes);

	for (int i = 0; *word[0] && strcmp(word[i], "end"); i++)
		words[i] = word[i];
	tr2_quote_words(&out, *word[0] ? words : NULL);
	return script_say("%.*s", (int)out.len, bytes);
}

/* As JSON, in quotes. */
static const char *quote_string(char **word)
{
	char bytes[64];
	struct tr2_buf out = TR2_BUF_FIXED(bytes);

	memset(bytes, 0, sizeof(bytes));
	tr2_json_text(&out, word[0],
		      (size_t)script_number(word[1], (long)strlen(word[0])));
	return script_say("%.*s", (int)out.len, bytes);
}

static const struct script_verb verbs[] = {
	{ "list", has_word },	    { "utf8", measure_character },
	{ "quote", quote_word },    { "quote-words", quote_words },
	{ "string", quote_string }, { NULL, NULL },
};

static void end_case(void)
{
}

/*
 * ---- Json
 */

#define WRONG "\xef\xbf\xbd"

/* Write the escaped form of an ASCII byte, or of a byte that is not UTF-8. */
static size_t write_escaped(char *to, int byte)
{
	static const char letters[][2] = { { '\b', 'b' }, { '\f', 'f' },
					   { '\n', 'n' }, { '\r', 'r' },
					   { '\t', 't' }, { '"', '"' },
					   { '\\', '\\' } };

	for (size_t i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
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
	size_t used;
	int wrong = 0;

	for (size_t len = 1; len < 20; len++) {
		for (size_t at = 0; at < len; at++) {
			for (int byte = 0; byte < 256; byte++) {
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

static void run_json(void)
{
	tap_int(wrong_escapes(), 0, "each byte is escaped at each place");
	tap_int(is_deep_value(511), 1, "511 levels of JSON are not too many");
	test_short_memory();
	tap_int(is_deep_value(512), 0, "512 levels of JSON are too many");
}

int main(void)
{
	script_run(script_read(__FILE__), verbs, NULL, end_case);
	run_json();
	return tap_done();
}
