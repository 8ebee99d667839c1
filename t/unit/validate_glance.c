/*
 * Of which process a line is: SIDs that are seen without reading the line,
 * and those that must not be taken for one.
 */
#include "memory_kit.h"

#include "tap.h"
#include "validate/glance.h"
#include "validate/hash.h"

static char *page, *page_end;

/* The text, behind which nothing can be read. */
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
	{ "{\"event\":\"sid\",\"sid\":\"abc\"}", "abc" },
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
 * Names of any length, of bytes that differ from a quote by a bit; the brace
 * in them hides the SID from who does not look right behind the name. And
 * lines that end in the name, behind which nothing can be read.
 */
static void test_names(void)
{
	static const char fillers[] = "#!\xa2x";
	char line[128];
	size_t len, sid_len, at;
	const char *text, *sid;
	int i, wrong = 0;

	for (len = 0; len < 160; len++) {
		i = (int)len / 4;
		sprintf(line, "{\"event\":\"%*s\",\"sid\":\"abc\"}", i, "");
		memset(line + 10, fillers[len % 4], (size_t)i);
		line[10] = i ? '{' : line[10];
		text = at_end(line);
		sid = tr2_glance_sid(text, strlen(line), &sid_len);
		at = (size_t)i + 19;
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

static unsigned partition(const char *sid)
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
		if (partition(sid) != (tr2_hash(sid, strlen(sid)).a >> 32) % 64)
			wrong++;
		seen |= UINT64_C(1) << partition(sid);
	}
	tap_int(wrong, 0, "a partition comes from the hash");
	tap_ok(!~seen, "all partitions have processes");
	tap_ok(partition("root1/child") == partition("root1") &&
		       partition("root1/child/its") == partition("root1") &&
		       partition("root1/") == partition("root1") &&
		       partition("root2/child") == partition("root2"),
	       "children are where their root is");
	tap_ok(partition("/a") == partition("") &&
		       partition("root1x") != partition("root1"),
	       "a partition is that of the whole first component");
}

static struct tr2_glance glance;

static bool is_one(const char *text)
{
	return tr2_glance_line(at_end(text), strlen(text), &glance);
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
	size_t i, again;
	char name[64];

	for (again = 0; again < 2; again++) {
		for (i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
			glance.sid = again ? glance.sid : NULL;
			glance.owner = again ? glance.owner : 77;
			snprintf(name, sizeof(name), "line %zu is %sof one", i,
				 again ? "again " : "");
			tap_ok(is_one(whole[i]) &&
				       glance.owner == partition("a"),
			       name);
			is_one(whole[i]);
		}
		for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
			memset(&glance, 0, sizeof(glance));
			if (again)
				is_one(whole[0]);
			snprintf(name, sizeof(name), "line %zu is %sof more", i,
				 again ? "again " : "");
			tap_ok(!is_one(others[i]), name);
		}
	}
}

static void test_next_lines(void)
{
	/* Each is at a place of its own: the one before stays readable. */
	char *lines[6];
	static const char *const names[] = { "ab", "a", "abc", "a/c", "a", "" };
	int i, wrong = 0;
	struct tr2_glance seen = { 0 };

	for (i = 0; i < 6; i++) {
		lines[i] = malloc(64);
		snprintf(lines[i], 64, USUAL "%s\"}", names[i]);
		wrong += !tr2_glance_line(lines[i], strlen(lines[i]), &seen);
		wrong += seen.owner !=
			 tr2_glance_partition(names[i], strlen(names[i]));
		wrong += seen.len != strlen(names[i]);
		wrong += seen.sid != lines[i] + sizeof(USUAL) - 1;
	}
	tap_int(wrong, 0, "a line of another process is seen as such");
	wrong = tr2_glance_line("{}", 2, &seen) || seen.owner || seen.sid;
	tap_int(wrong, 0, "a line of nobody has no owner");
	wrong += !tr2_glance_line(lines[0], strlen(lines[0]), &seen);
	wrong += tr2_glance_line(at_end(USUAL "ab"), sizeof(USUAL "ab") - 1,
				 &seen);
	tap_int(wrong, 0, "a line that ends in its SID is no other's");
	tr2_glance_line(lines[1], strlen(lines[1]), &seen);
	tr2_glance_line(lines[4], strlen(lines[4]), &seen);
	tap_ok(seen.sid == lines[4] + sizeof(USUAL) - 1,
	       "the SID is that of the line, though it is the same again");
	sprintf(lines[5], USUAL "a\\c\"}");
	wrong = tr2_glance_line(lines[5], strlen(lines[5]), &seen);
	wrong += !tr2_glance_line(lines[2], strlen(lines[2]), &seen);
	tap_ok(!wrong && seen.owner == partition("abc"),
	       "a line behind one with an escaped SID has its owner");
	for (i = 0; i < 6; i++)
		free(lines[i]);
}

int main(void)
{
	page = memory_page(&page_end);
	test_sids();
	test_names();
	test_braces();
	test_partitions();
	test_whole_lines();
	test_next_lines();
	return tap_done();
}
