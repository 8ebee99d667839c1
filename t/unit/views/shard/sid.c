/* The first SID of a log: which line and which event it is of. */
#include "kit/validate.h"

#include "kit/log.h"
#include "views/shard/sid.h"

static struct tr2_first_sid first;
static struct tr2_lines lines = TR2_LINES_INIT;
static struct tr2_block block;
static char found[64];

/* Returns the SID, or "none", of a log of which so many bytes are read. */
static const char *find_in(const char *text, size_t len, size_t head)
{
	int fd = file_of(text, len);
	struct tr2_source *source = tr2_source_open(fd);
	const char *sid;
	size_t sid_len;

	tr2_lines_begin(&lines, source);
	block.len = 0;
	tr2_lines_read_ahead(&lines, &block, head);
	sid = tr2_first_sid_read(&first, &lines, &block, &sid_len);
	snprintf(found, sizeof(found), "%.*s", sid ? (int)sid_len : 4,
		 sid ? sid : "none");
	tr2_source_close(source);
	close(fd);
	return found;
}

static const char *find_sid(const char *text)
{
	return find_in(text, strlen(text), 1);
}

#define EVENT(sid) "{\"event\":\"start\",\"sid\":" sid ",\"argv\":[]}\n"

static void test_glance(void)
{
	tap_str(find_sid(EVENT("\"a/b\"")), "a/b", "a line shows its SID");
	tap_str(find_sid(EVENT("\"a\"") EVENT("\"b\"")), "a",
		"the first line counts");
	tap_str(find_sid("{\"sid\":\"a\",\"event\":\"start\"}"), "a",
		"it may stand anywhere in a line that has no end");
	tap_str(find_sid("\xef\xbb\xbf" EVENT("\"m\"")), "m",
		"a byte order mark may be before it");
}

static void test_reading(void)
{
	tap_str(find_sid(EVENT("\"a\\/b\"")), "a/b", "escapes are read");
	tap_str(find_sid("\xef\xbb\xbf" EVENT("\"a\\u0041\"")), "aA",
		"also after a byte order mark");
	tap_str(find_sid(EVENT("\"\\u0041\"") EVENT("\"b\"")), "A",
		"a line that is read counts before those after it");
	tap_str(find_sid(EVENT("\"a\\/b\"") EVENT("\"c\\/d\"")), "a/b",
		"the first of two such lines counts");
	tap_str(find_sid("{\"a\":1}{\"event\":\"error\",\"sid\":\"a\\/c\"}"),
		"a/c", "an object may be before it");
	tap_str(find_sid("{\"event\":\"error\",\"sid\":\"a\\/c\"}"
			 "{\"event\":\"error\",\"sid\":\"b\\/c\"}"),
		"a/c", "of two events in a line it is the first one's");
}

static void test_other_lines(void)
{
	tap_str(find_sid("\n\ntext\n{\"event\":\"sta\n" EVENT("\"b\"")), "b",
		"lines without a SID are passed over");
	tap_str(find_sid(EVENT("7") EVENT("\"\\u0062\"")), "b",
		"a number is no SID");
	tap_str(find_sid("text\n[1]\n"), "none", "a log may have none");
	tap_str(find_sid(""), "none", "an empty one has none");
	tap_str(find_sid("\xef\xbb\xbf"), "none", "nor has a mark alone");
	tap_str(find_sid(EVENT("\"x\"")), "x",
		"what was found before is forgotten");
}

/* A first event that is longer than what is read at once. */
static void test_long(void)
{
	const char *start = "{\"event\":\"start\",\"argv\":[\"";
	const char *plain = "\"],\"sid\":\"far\"}\n";
	const char *escaped = "\"],\"sid\":\"far\\/off\"}\n";
	size_t len = strlen(start), all;

	memcpy(given, start, len);
	memset(given + len, 'x', 300000);
	all = len + 300000 + strlen(plain);
	memcpy(given + len + 300000, plain, strlen(plain));
	tap_str(find_in(given, all, 10), "far", "a long line is read on");
	all = len + 300000 + strlen(escaped);
	memcpy(given + len + 300000, escaped, strlen(escaped));
	tap_str(find_in(given, all, 10), "far/off",
		"before its escapes are read");
	memset(given, '\n', 200000);
	memcpy(given + 200000, EVENT("\"z\""), strlen(EVENT("\"z\"")));
	tap_str(find_in(given, 200000 + strlen(EVENT("\"z\"")), 10), "z",
		"blank lines are passed over, however many");
}

int main(void)
{
	tr2_first_sid_begin(&first);
	test_glance();
	test_reading();
	test_other_lines();
	test_long();
	tr2_first_sid_release(&first);
	tr2_lines_release(&lines);
	tr2_block_release(&block);
	return tap_done();
}
