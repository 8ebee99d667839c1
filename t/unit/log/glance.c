/*
 * The process of a line: SIDs that are found without reading the line, and
 * texts that must not be taken for one.
 */
#include "kit/memory.h"

#include "kit/tap.h"
#include "log/block.h"
#include "log/glance.h"
#include "common/hash.h"

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
	{ "{\"event\":\"sid\",\"sid\":\"abc\",\"k\":123}", "abc" },
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
 * brace in them hides the SID from code that does not look right after the
 * name, which it does after names of up to 16 bytes. Also lines that end with
 * the name, after which nothing can be read.
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
		if (brace && i > 16)
			wrong += sid != NULL;
		else
			wrong += sid != text + at || sid_len != 3;
		line[at - 9] = '\0';
		text = at_end(line);
		wrong += tr2_glance_sid(text, strlen(line), &sid_len) != NULL;
	}
	tap_int(wrong, 0, "a name may have any length before the SID");
}

static void test_braces(void)
{
	static const char line[] = ": {\t{ [ {";
	const char *end = line + sizeof(line) - 1;

	tap_ok(!tr2_glance_may_begin(line, line + 2, end) &&
		       tr2_glance_may_begin(line + 1, line + 2, end) &&
		       tr2_glance_may_begin(line, line + 4, end) &&
		       !tr2_glance_may_begin(line, line + 8, end),
	       "of what stands before a brace only the line's own counts");
}

static unsigned find_partition(const char *sid)
{
	return tr2_glance_partition(at_end(sid), strlen(sid));
}

static void test_partitions(void)
{
	uint64_t seen = 0;
	unsigned i, wrong = 0;
	char sid[64];

	for (i = 0; i < 1000; i++) {
		sprintf(sid, "20260101T000000.%06uZ-Hba5e-P%08x", i, i);
		if (find_partition(sid) !=
		    (tr2_hash(sid, strlen(sid)).a >> 32) % 64)
			wrong++;
		seen |= UINT64_C(1) << find_partition(sid);
	}
	tap_int(wrong, 0, "a partition comes from the hash");
	tap_ok(!~seen, "all partitions have processes");
	tap_ok(find_partition("root1/child") == find_partition("root1") &&
		       find_partition("root1/child/its") ==
			       find_partition("root1") &&
		       find_partition("root1/") == find_partition("root1") &&
		       find_partition("root2/child") == find_partition("root2"),
	       "children are where their root is");
	tap_ok(find_partition("/a") == find_partition("") &&
		       find_partition("root1x") != find_partition("root1"),
	       "a partition is that of the whole first component");
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
		tap_ok(sid && len && *sid == 'a' &&
			       tr2_glance_partition(sid, len) ==
				       find_partition("a"),
		       name);
	}
	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		snprintf(name, sizeof(name), "line %zu is of more", i);
		tap_ok(!of_one(others[i], &len), name);
	}
}

/*
 * ---- Lines of a block
 */

static struct tr2_block block;
static const struct tr2_block_line *line;

/* Look at the lines of the text; is it known what follows? */
static void look_at(const char *text, bool leads_on)
{
	tr2_block_clear(&block);
	block.leads_on = leads_on;
	block.format = TR2_LOG_EVENT;
	block.len = strlen(text);
	tr2_block_make_room(&block, block.len);
	memcpy(block.text, text, block.len);
	tr2_block_prepare(&block, true);
	line = block.lines.items;
}

/* Does the line belong to one process, and to which? */
static bool is_of(size_t number, const char *sid)
{
	return !line[number].shared &&
	       line[number].owner == find_partition(sid);
}

#define END ",\"t_abs\":0.123456}\n"

/*
 * Names of all kinds, one after the other: one is the beginning of another,
 * ...
 */
static void test_lines(void)
{
	static const char *const of[] = {
		"ab",  "ab",  "a",    "ab",  "abc", "ab", "a/c",
		"a/c", "a/d", "a/cd", "a/c", "",    "",	  "20260101T0/P1",
	};
	const size_t count = sizeof(of) / sizeof(*of);
	char text[2048] = "", *at = text;
	size_t i, wrong = 0;

	for (i = 0; i < count; i++)
		at += sprintf(at, USUAL "%s\"" END, of[i]);
	sprintf(at, "{}\n");
	look_at(text, false);
	for (i = 0; i + 1 < count; i++)
		wrong += !is_of(i, of[i]);
	tap_int((intmax_t)wrong, 0, "each line is of its process");
	tap_ok(line[6].alike == 4 && line[11].alike == 1 && !line[2].alike,
	       "a run is of all lines of a partition");
	tap_ok(!line[count].owner && line[count].shared,
	       "a line of nobody is for all");
}

/* Like the line before, but for something that matters. */
static void test_unlike_lines(void)
{
	static const char *const unlike[] = {
		USUAL "ab and what has no end\n",
		USUAL "ab\\\"" END, /* the quote is escaped */
		USUAL "a{\"" END,   /* an event might begin */
		"[\"event\":\"e\",\"sid\":\"ab\"" END,
		"{\"event\":\"e\",\"tid\":\"ab\"" END,
		"{\"event\":\"e\",\"sid\";\"ab\"" END,
		USUAL "ab",
	};
	char text[512], name[64];
	size_t i;

	for (i = 0; i < sizeof(unlike) / sizeof(*unlike); i++) {
		sprintf(text, USUAL "ab\"" END "%s", unlike[i]);
		look_at(text, false);
		snprintf(name, sizeof(name), "line %zu is not like another", i);
		tap_ok(line[1].shared && !line[1].owner, name);
	}
	look_at(USUAL "abc\"" END USUAL "a\\c\"" END USUAL "abc\"" END USUAL
		      "ab\"" END,
		false);
	tap_ok(is_of(0, "abc") && line[1].shared && is_of(2, "abc"),
	       "a line behind one with an escaped SID has its owner");
}

static void test_last_line(void)
{
	static const char text[] = USUAL "ab\"" END USUAL "ab\"" END;

	look_at(text, false);
	tap_ok(is_of(0, "ab") && line[1].shared && !line->alike,
	       "the last line is for all");
	look_at(text, true);
	tap_ok(is_of(1, "ab") && line->alike == 1,
	       "but not if it is known what the next one begins with");
	tr2_block_release(&block);
}

int main(void)
{
	page = memory_page(&page_end);
	test_sids();
	test_names();
	test_braces();
	test_partitions();
	test_whole_lines();
	test_lines();
	test_unlike_lines();
	test_last_line();
	return tap_done();
}
