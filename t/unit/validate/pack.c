/*
 * Small logs that share a block: each has its own lines, name and format, as
 * if it were a block of its own.
 */
#include "kit/validate.h"

#include "log/block.h"
#include "common/memory.h"

#define EVENT(name) "{\"event\":\"" name "\",\"sid\":\"" name "\"}"

static struct tr2_block pack, small;

static void add_log(enum tr2_log_format format, const char *text)
{
	size_t len = strlen(text);

	small.name = tr2_must_copy("name");
	small.visit++;
	small.format = format;
	tr2_block_make_room(&small, len);
	memcpy(small.text, text, len);
	small.len = len;
	tr2_block_pack(&pack, &small);
	small.visit = pack.logs.count;
}

static void clear_pack(void)
{
	tr2_block_clear(&pack);
	tr2_block_clear(&small);
}

/*
 * Returns the lines of a log, with `|` before each, and `~` after one that is
 * torn.
 */
static const char *lines_of(size_t log)
{
	static char text[256];
	struct tr2_block one = tr2_block_unpack(&pack, log);
	struct tr2_line line;
	size_t i, len = 0;

	for (text[0] = '\0', i = 0; i < one.lines.count; i++) {
		line = tr2_block_line(&one, i);
		len += (size_t)sprintf(text + len, "|%.*s%s", (int)line.len,
				       line.text, line.ended ? "" : "~");
	}
	return text;
}

static void test_lines(void)
{
	add_log(TR2_LOG_NORMAL, "a\nb\n");
	add_log(TR2_LOG_NORMAL, "c");
	add_log(TR2_LOG_UNKNOWN, "");
	add_log(TR2_LOG_UNKNOWN, "no log");
	add_log(TR2_LOG_NORMAL, "\n\nd\ne");
	add_log(TR2_LOG_NORMAL, "f\n");
	tr2_block_prepare(&pack, false);
	tap_str(lines_of(0), "|a|b", "a log has its lines");
	tap_str(lines_of(1), "|c~", "a log may end without an LF");
	tap_str(lines_of(2), "", "an empty log has no lines");
	tap_str(lines_of(3), "", "what is no log has none, either");
	tap_str(lines_of(4), "|||d|e~", "lines may be empty");
	tap_str(lines_of(5), "|f", "the last log has its lines");
	clear_pack();
}

static void test_fields(void)
{
	struct tr2_block one;

	small.fault = tr2_must_copy("fault");
	add_log(TR2_LOG_UNKNOWN, "");
	add_log(TR2_LOG_UNKNOWN, "other");
	add_log(TR2_LOG_EVENT, EVENT("a") "\n");
	tap_ok(!small.name && !small.fault && !small.len,
	       "what was packed leaves nothing behind");
	tr2_block_prepare(&pack, false);
	one = tr2_block_unpack(&pack, 0);
	tap_ok(!strcmp(one.name, "name") && !strcmp(one.fault, "fault") &&
		       one.visit == 1 && !one.len,
	       "a log has its name and its fault");
	one = tr2_block_unpack(&pack, 1);
	tap_ok(one.format == TR2_LOG_UNKNOWN && one.visit == 2 &&
		       one.len == 5 && !one.fault,
	       "what is no log has its length");
	one = tr2_block_unpack(&pack, 2);
	tap_ok(one.format == TR2_LOG_EVENT && one.visit == 3 &&
		       one.lines.count == 1 && !one.logs.count,
	       "a log has its format");
	tap_ok(pack.format == TR2_LOG_EVENT, "a block has that of its lines");
	clear_pack();
}

/* A string that is open at the end of a log does not reach the next one. */
static void test_tokens(void)
{
	add_log(TR2_LOG_EVENT, EVENT("a"));
	add_log(TR2_LOG_EVENT, EVENT("b"));
	tr2_block_prepare(&pack, false);
	tap_ok(pack.has_tokens, "tokens are found of all logs together");
	clear_pack();
	add_log(TR2_LOG_EVENT, "{\"event\":\"");
	add_log(TR2_LOG_EVENT, "{\"event\":\"");
	tr2_block_prepare(&pack, false);
	tap_ok(!pack.has_tokens, "a string does not go on in the next log");
	tap_str(lines_of(0), "|{\"event\":\"~", "a torn log keeps its line");
	clear_pack();
}

static bool is_shared(size_t log, size_t line)
{
	struct tr2_block one = tr2_block_unpack(&pack, log);

	return tr2_block_line(&one, line).shared;
}

static void test_owners(void)
{
	add_log(TR2_LOG_EVENT, EVENT("a") "\n" EVENT("a") "\n");
	add_log(TR2_LOG_EVENT, "junk\n" EVENT("b"));
	add_log(TR2_LOG_UNKNOWN, "");
	add_log(TR2_LOG_EVENT, EVENT("c") "\njunk\n");
	tr2_block_prepare(&pack, true);
	tap_ok(!is_shared(0, 0) && !is_shared(0, 1),
	       "the last line of a whole log is not for all");
	tap_ok(is_shared(1, 0) && !is_shared(1, 1),
	       "what begins the next log is not asked");
	tap_ok(is_shared(3, 0) && is_shared(3, 1),
	       "the line before junk is for all");
	clear_pack();
}

static void test_room(void)
{
	static char text[(128 << 10) - 8];
	int i;

	memset(text, 'x', sizeof(text) - 1);
	add_log(TR2_LOG_EVENT, "a\n");
	small.format = TR2_LOG_NORMAL;
	small.len = 1;
	tap_ok(!tr2_block_has_room(&pack, &small),
	       "a block has lines of one format");
	small.format = TR2_LOG_UNKNOWN;
	tap_ok(tr2_block_has_room(&pack, &small), "what is no log fits");
	small.format = TR2_LOG_NORMAL;
	small.len = 0;
	tap_ok(tr2_block_has_room(&pack, &small), "what is empty fits");
	small.format = TR2_LOG_EVENT;
	small.len = (64 << 10) - 3;
	tap_ok(tr2_block_has_room(&pack, &small), "there is room for 64 KiB");
	small.len++;
	tap_ok(!tr2_block_has_room(&pack, &small), "and for not more");
	clear_pack();
	add_log(TR2_LOG_UNKNOWN, "");
	small.format = TR2_LOG_NORMAL;
	small.len = 1;
	tap_ok(tr2_block_has_room(&pack, &small),
	       "a block without lines has room for any format");
	small.len = 0;
	for (i = 1; i < 1023; i++)
		add_log(TR2_LOG_UNKNOWN, "");
	tap_ok(tr2_block_has_room(&pack, &small), "1023 logs are not too many");
	add_log(TR2_LOG_UNKNOWN, "");
	tap_ok(!tr2_block_has_room(&pack, &small), "1024 are");
	clear_pack();
}

static void use_all(void)
{
	int i;

	for (i = 0; i < 100; i++)
		add_log(TR2_LOG_EVENT, EVENT("a"));
	tr2_block_prepare(&pack, true);
	clear_pack();
	tr2_block_release(&pack);
	tr2_block_release(&small);
}

int main(void)
{
	test_lines();
	test_fields();
	test_tokens();
	test_owners();
	test_room();
	tap_ok(!kit_leaks_each_time(use_all),
	       "packed logs give back all of their memory");
	return tap_done();
}
