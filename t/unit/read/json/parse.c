/* Values of a text, alone or among others: their places and contents. */
#include "kit/memory.h"
#include "kit/validate.h"

#include "kit/json.h"

static struct tr2_parse parse;

/* Where the value is that the text begins with: FIRST-END; `-`: nowhere. */
static const char *find_place(const char *bytes)
{
	static char said[64];
	struct tr2_value value;
	size_t len = strlen(bytes);

	if (tr2_parse_begin(&parse, pad_json(bytes, len), len) ||
	    !tr2_parse_value(&parse, 0, &value))
		return "-";
	snprintf(said, sizeof(said), "%u-%u", value.start, value.end);
	return said;
}

static void test_places(void)
{
	static const char *const rows[][2] = {
		{ "1", "0-1" },
		{ " -12 ", "1-4" },
		{ "123456789\t", "0-9" },
		{ "true\r", "0-4" },
		{ "false\n", "0-5" },
		{ "null \t\r\n", "0-4" },
		{ "\"\"", "0-2" },
		{ " \"a\" ", "1-4" },
		{ "\"\\n\"\r", "0-4" },
		{ "[]", "0-2" },
		{ " [ 1 , \"\" ] ", "1-11" },
		{ "{}", "0-2" },
		{ "{ \"a\" : [ 0 ] }", "0-15" },
		{ "[1,{\"a\":1]]", "-" },
		{ "[1,[{]]", "-" },
	};
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(name, sizeof(name), "the place of value %zu is seen",
			 i);
		tap_str(find_place(rows[i][0]), rows[i][1], name);
	}
}

static struct tr2_buf scratch;

/*
 * Show a string: a byte above 7f as `?` and two digits; after a decoded one,
 * `+` and how many bytes after it can be read.
 */
static const char *decode_string(const char *string)
{
	static char said[128];
	struct tr2_value value = { .end = (uint32_t)strlen(string) };
	const char *bytes;
	char *at = said;
	size_t len, i;

	tr2_parse_begin(&parse, pad_json(string, value.end), value.end);
	bytes = tr2_parse_text(&parse, &value, &scratch, &len);
	for (*at = '\0', i = 0; i < len; i++)
		at += sprintf(at, (unsigned char)bytes[i] < 0x80 ? "%c" : "?%x",
			      (unsigned char)bytes[i]);
	if (bytes == scratch.bytes)
		sprintf(at, " +%zu", scratch.len - len);
	return said;
}

static void test_text(void)
{
	static const char *const rows[][2] = {
		{ "\"abc\"", "abc" },
		{ "\"\xc3\xa9\"", "?c3?a9" },
		{ "\"\\\"a\\\\b\\/\"", "\"a\\b/ +8" },
		{ "\"\\b\\f\\n\\r\\t.\"", "\b\f\n\r\t. +8" },
		{ "\"A\\u007f\\u0080\\u00A0\"", "A\x7f?c2?80?c2?a0 +8" },
		{ "\"\\u00e9\\u07FF\\u0800\"", "?c3?a9?df?bf?e0?a0?80 +8" },
		{ "\"\\uabCD\\uD7ff.\"", "?ea?af?8d?ed?9f?bf. +8" },
		{ "\"\\ue000\\uffff\"", "?ee?80?80?ef?bf?bf +8" },
		{ "\"\\ud800\\udc00.\"", "?f0?90?80?80. +8" },
		{ "\"\\ud83d\\uDE01\"", "?f0?9f?98?81 +8" },
		{ "\"\\udbff\\udfff\"", "?f4?8f?bf?bf +8" },
	};
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		snprintf(name, sizeof(name), "string %zu is read", i);
		tap_str(decode_string(rows[i][0]), rows[i][1], name);
	}
}

/*
 * ---- Texts one after the other
 */

static void test_depth_again(void)
{
	char deep[TR2_PARSE_DEPTH + 2];
	int i, wrong = 0;

	memset(deep, '[', sizeof(deep));
	deep[sizeof(deep) - 1] = '\0';
	for (i = 0; i < TR2_PARSE_DEPTH; i++)
		wrong += strcmp(find_place(deep), "-") != 0;
	tap_int(wrong, 0, "what is nested too deeply has no place");
	tap_str(find_place("[[]]"), "0-4",
		"and takes no depth from the next text");
	find_place("{\"a\":[{},{}]}");
	find_place("{\"a\":{}}");
	tap_int(parse.objects, 2, "objects of one text are counted");
}

/* A missing value, before blanks after which nothing can be read. */
static void test_padding(void)
{
	static const char bytes[] = "[1, ";
	size_t len = sizeof(bytes) - 1;
	struct tr2_value value;
	char *end, *line;

	memory_page(&end);
	line = end - TR2_TOKENS_PADDING - len;
	memset(line, '\n', len + TR2_TOKENS_PADDING);
	memcpy(line, bytes, len);
	tap_ok(!tr2_parse_begin(&parse, line, len) &&
		       !tr2_parse_value(&parse, 0, &value),
	       "nothing is read far behind the text");
}

/* All names are in the first slot of this table. */
static void test_names(void)
{
	static const char longer[] = "a name of 20 letters and more behind it";
	static const char *const name[] = { "a name of 20 letters" };
	struct tr2_names names = { .name = name };

	names.slot[0].head = tr2_names_head(longer, 20);
	names.slot[0].len = 20;
	tap_int(tr2_names_find(&names, longer, 20), 0,
		"a name of a table may be long");
	tap_ok(tr2_names_find(&names, "a name of 20 litters", 20) == -1 &&
		       tr2_names_find(&names, longer, 21) == -1 &&
		       tr2_names_find(&names, longer, 9) == -1,
	       "one that begins like it is another");
}

static void decode_one(void)
{
	struct tr2_buf none = TR2_BUF_INIT;
	size_t len = 2;

	memory_fail(1);
	tr2_parse_decode("\\n", &none, &len);
}

/* In the place of C++'s new (std::nothrow), and what it is made of. */
void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow);
void *_Znwm(size_t size);

static int new_fails;

void *_ZnwmRKSt9nothrow_t(size_t size, const void *nothrow)
{
	(void)nothrow;
	return new_fails ? NULL : _Znwm(size);
}

static void test_no_memory(void)
{
	static const char name[] = "a first text needs memory";
	struct tr2_parse first = { 0 };

	new_fails = 1;
	if (getenv("TEST_UNDER_VALGRIND"))
		tap_skip(name, "valgrind has a new of its own");
	else
		tap_int(tr2_parse_begin(&first, pad_json("1", 1), 1),
			TR2_TOKENS_NO_MEMORY, name);
	new_fails = 0;
	tr2_parse_release(&first);
	tap_ok(kit_runs_out(decode_one), "a text needs memory for escapes");
	memory_fail(0);
}

int main(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	test_places();
	test_text();
	test_depth_again();
	test_padding();
	test_names();
	test_no_memory();
	tr2_parse_release(&parse);
	tr2_buf_release(&scratch);
	return tap_done();
}
