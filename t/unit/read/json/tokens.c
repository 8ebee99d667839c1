/* Two ways to find tokens, by simdjson and without it, find the same. */
#include "kit/tap.h"

#include "kit/json.h"

static struct tr2_tokens fast, plain;

/* The places of the tokens, or that the text is refused. */
static const char *show_plain(const char *bytes)
{
	static char said[256];
	size_t len = strlen(bytes), at = 0;

	if (tr2_tokens_find_plain(&plain, pad_json(bytes, len), len))
		return "refused";
	for (size_t i = 0; i <= plain.count; i++)
		at += (size_t)snprintf(said + at, sizeof(said) - at, "%s%u",
				       i ? " " : "", plain.at[i]);
	return said;
}

static void test_places(void)
{
	static const char *const rows[][2] = {
		{ "1", "0 1" },
		{ " -12 ", "1 5" },
		{ "{\"a\":[1,true]}", "0 1 4 5 6 7 8 12 13 14" },
		{ "\t\"\\\"\"\r\n", "1 7" },
		{ "\"\\\\\"1", "0 4 5" },
		{ "1\"a\"", "0 4" },
		{ "\\\"1", "0 3" },
		{ "\\\\\"1\"", "0 5" },
		{ "\\", "0 1" },
		{ "\\x\"\"", "0 4" },
		{ "\303\244 \"\303\244\"", "0 3 7" },
		{ "", "refused" },
		{ " \n", "refused" },
		{ "\"", "refused" },
		{ "\"a", "refused" },
		{ "\"\\", "refused" },
		{ "\"\\\"", "refused" },
		{ "\"\n\"", "refused" },
		{ "\"\\\n\"", "refused" },
		{ "\"\377\"", "refused" },
		{ "\377", "refused" },
		{ "\"\303\"", "refused" },
	};
	char name[40];

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(name, sizeof(name), "text %zu has its tokens", i);
		tap_str(show_plain(rows[i][0]), rows[i][1], name);
	}
}

static int find_alike(const char *bytes, size_t len)
{
	enum tr2_tokens_result by_fast, by_plain;

	pad_json(bytes, len);
	by_fast = tr2_tokens_find(&fast, text, len);
	by_plain = tr2_tokens_find_plain(&plain, text, len);
	if (by_fast != by_plain)
		return 0;
	return by_fast ||
	       (fast.count == plain.count &&
		!memcmp(fast.at, plain.at, plain.count * sizeof(*plain.at)) &&
		plain.at[plain.count] == len);
}

static void test_random_texts(void)
{
	static const char *const parts[] = {
		"{",	    "}",	  "[",
		"]",	    ":",	  ",",
		"\"",	    "\"",	  "\"",
		"\\",	    "\\\\",	  " ",
		"\n",	    "1",	  "true",
		"a",	    "\303\244",	  "\342\202\254",
		"\"key\":", "\"value\",",
	};
	static const char broken[][3] = { "\377", "\300\200", "\303" };
	unsigned seed = 1, alike = 0, accepted = 0, runs = 20000;
	char bytes[512];

	for (unsigned run = 0; run < runs; run++) {
		size_t len = 0, i, count = run % 60;

		for (i = 0; i < count; i++) {
			const char *part;

			seed = seed * 1103515245 + 12345;
			part = parts[(seed >> 16) % 20];
			if (seed >> 16 == 7)
				part = broken[run % 3];
			memcpy(bytes + len, part, strlen(part));
			len += strlen(part);
		}
		alike += (unsigned)find_alike(bytes, len);
		accepted += !tr2_tokens_find_plain(&plain, text, len);
	}
	tap_ok(find_alike("[1\0]", 4), "so has a NUL in a word");
	tap_int(alike, runs, "random texts have the same tokens in both ways");
	tap_ok(accepted > runs / 4 && accepted < runs - runs / 4,
	       "many are accepted and many refused");
}

static void test_long_texts(void)
{
	static char bytes[40000];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = "[1,\"\",2]"[i % 8];
	tap_ok(find_alike(bytes, 3), "a short text after which one grows");
	tap_ok(find_alike(bytes, sizeof(bytes)),
	       "a long text has the same tokens");
	memset(bytes, ',', sizeof(bytes));
	tap_ok(find_alike(bytes, sizeof(bytes)), "each byte may be a token");
}

int main(void)
{
	test_places();
	test_random_texts();
	test_long_texts();
	tr2_tokens_release(&fast);
	tr2_tokens_release(&plain);
	return tap_done();
}
