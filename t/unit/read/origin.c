/*
 * The process of a line: SIDs that are found without reading the line, and
 * texts that must not be taken for one.
 */
#include "kit/memory.h"

#include "kit/tap.h"
#include "read/origin.h"

static char *page, *page_end;

/* Nothing can be read after the text. */
static const char *at_end(const char *text)
{
	size_t len = strlen(text);

	(void)page;
	return memcpy(page_end - len, text, len);
}

#define USUAL "{\"event\":\"e\",\"sid\":\""

static const char *const sids[][2] = {
	{ USUAL "abc\"}", "abc" },
	{ USUAL "\"}", "" },
	{ USUAL "abc\"", "abc" },
	{ USUAL "abc", NULL },
	{ "{\"event\":\"sid\",\"sid\":\"abc\",\"k\":123}", NULL },
	{ "{\"event\":\"sid\",\"sid\":\"abc\",\"k\":12}", NULL },
	{ USUAL, NULL },
	{ "{\"event\":\"e\",\"sid\":", NULL },
	{ "{\"event\":\"e\"", NULL },
	{ "{\"event\":\"e", NULL },
	{ "{\"event\":\"", NULL },
	{ "{\"event\":", NULL },
	{ "", NULL },
	{ "{", NULL },
	{ "x\"event\":\"e\",\"sid\":\"abc\"}", NULL },
	{ "{\"event\":\"e\",\"k\":1,\"sid\":\"abc\"}", "abc" },
	{ "{\"sid\":\"abc\"}", "abc" },
	{ "{ \"sid\" : \"abc\"}", "abc" },
	{ "{\"sid\"\t:\t\"abc\"}", "abc" },
	{ "{\"sid\" \t \t: \t \t\"abc\"}", "abc" },
	{ "{\"sid\";\"abc\"}", NULL },
	{ "{\"sid\":1,\"a\":\"abc\"}", NULL },
	{ "{\"sid\":\"", NULL },
	{ "{\"sid\": ", NULL },
	{ "{\"sid\":", NULL },
	{ "{\"sid\" ", NULL },
	{ "{\"sid\"", NULL },
	{ "{\"sid\":x", NULL },
	{ "[\"sid\":\"abc\"}", NULL },
	{ " {\"sid\":\"abc\"}", NULL },
	{ "\"sid\":\"abc\"}", NULL },
	{ "{\"\\\"sid\":\"abc\"}", NULL },
	{ "{\"k\":{\"sid\":\"abc\"}", NULL },
	{ "{{\"sid\":\"abc\"}", NULL },
	{ "{\"k\":{},\"sid\":\"abc\"}", NULL },
	{ "{\"k\":1,\"sid\":\"abc\",\"k\":{}}", "abc" },
	{ "{\"k\":\"sid\",\"sid\":\"abc\"}", NULL },
	{ "{\"id\":\"sad\",\"sid\":\"abc\"}", "abc" },
	{ USUAL "abcdefg\"}", "abcdefg" },
	{ USUAL "abcdefgh\"}", "abcdefgh" },
	{ USUAL "abcdefghi\"}", "abcdefghi" },
	{ USUAL "abcdefghijklmnop\"}", "abcdefghijklmnop" },
	{ USUAL "abc\x80"
		"efgh\"}",
	  NULL },
	{ USUAL "\x80"
		"bcdefghijkl\"}",
	  NULL },
	{ USUAL "abcdefg\x80ijkl\"}", NULL },
	{ USUAL "abcdefgh\x80\"}", NULL },
	{ USUAL "abcdefghi\xff\"}", NULL },
	{ USUAL "abcdefgh\xc3\xa9yz\"}", NULL },
	{ USUAL "abcdefghijklmno\x80\"}", NULL },
	{ USUAL "a\\c\"}", NULL },
	{ USUAL "\\u0061\"}", NULL },
	{ USUAL "a{c\"}", NULL },
	{ USUAL "a\x7f\"}", "a\x7f" },
	{ USUAL "abcdefghij{\"}", NULL },
	{ USUAL "a}c \t~\"}", "a}c \t~" },
};

static void test_sids(void)
{
	const char *text, *sid;
	size_t i, len, sid_len;
	char name[64];

	for (i = 0; i < sizeof(sids) / sizeof(sids[0]); i++) {
		len = strlen(sids[i][0]);
		text = at_end(sids[i][0]);
		sid_len = 0;
		sid = tr2_glance_sid(text, len, &sid_len);
		snprintf(name, sizeof(name), "the SID of text %zu is seen", i);
		tap_bytes(sid, sid ? sid_len : 0, sids[i][1],
			  sids[i][1] ? strlen(sids[i][1]) : 0, name);
	}
}

/*
 * Names of any length, with bytes that differ from a quote by one bit. A
 * brace in them hides the SID. Also lines that end with the name, after which
 * nothing can be read.
 */
static void test_names(void)
{
	static const char fillers[] = "#!\xa2x";
	char line[128];
	size_t len, sid_len, at;
	const char *text, *sid;
	int i, brace, wrong = 0;

	for (len = 0; len < 320; len++) {
		i = (int)len / 8;
		brace = i && len % 2;
		sprintf(line, "{\"event\":\"%*s\",\"sid\":\"abc\",\"k\":12345}",
			i, "");
		memset(line + 10, fillers[len / 2 % 4], (size_t)i);
		line[10] = brace ? '{' : line[10];
		text = at_end(line);
		sid = tr2_glance_sid(text, strlen(line), &sid_len);
		at = (size_t)i + 19;
		if (brace)
			wrong += sid != NULL;
		else
			wrong += sid != text + at || sid_len != 3;
		line[at - 9] = '\0';
		text = at_end(line);
		wrong += tr2_glance_sid(text, strlen(line), &sid_len) != NULL;
	}
	tap_int(wrong, 0, "a name may have any length before the SID");
}

/* The SID of the whole line, or NULL. */
static const char *of_one(const char *text, size_t *sid_len)
{
	return tr2_glance_line(at_end(text), strlen(text), sid_len);
}

static const char *const whole[] = {
	USUAL "a\"}",
	USUAL "a\",\"k\":{\"l\":1}}",
	USUAL "a/0123456789012345678901234567890123456789\"}",
	USUAL "a\",\"k\": {}}",
	USUAL "a\",\"k\":\t \t{}}",
	USUAL "a\",\"k\":[{},{}, {}]}",
	USUAL "a\",\"k\":\"x:{\"}",
	"{\"sid\":\"a\",\"event\":\"e\"}",
	USUAL "a\"",
};

static const char *const others[] = {
	USUAL "a\"}" USUAL "b\"}",
	USUAL "a\",\"k\":" USUAL "b\"}",
	USUAL "a\"} {",
	USUAL "a\"}{}",
	USUAL "a\",\"k\":\"x{\"}",
	USUAL "a\",\"k\":{},\"l\"{}}",
	USUAL "a\"}\t{",
	USUAL "a\"{",
	USUAL "a{\"",
	USUAL "a\",\"k\":{\"event\":\"",
	"{\"event\":\"e\"}",
	"",
};

static void test_whole_lines(void)
{
	size_t i, len;
	char name[64];
	const char *sid;

	for (i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		sid = of_one(whole[i], &len);
		snprintf(name, sizeof(name), "line %zu is of one", i);
		tap_ok(sid && len && *sid == 'a', name);
	}
	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		snprintf(name, sizeof(name), "line %zu is of more", i);
		tap_ok(!of_one(others[i], &len), name);
	}
}

int main(void)
{
	page = memory_page(&page_end);
	tap_run(test_sids, test_names, test_whole_lines);
	return tap_done();
}
