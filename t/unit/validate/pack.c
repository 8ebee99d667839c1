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

static bool has_tokens(size_t log, struct tr2_tokens *tokens)
{
	struct tr2_block one = tr2_block_unpack(&pack, log);

	tr2_block_find_tokens(&one, tokens);
	if (one.has_tokens != (tr2_block_line(&one, 0).tokens != NULL))
		return false;
	/* Places count from the log's first byte; the last one is its end. */
	return one.has_tokens && one.tokens.text == tokens->text &&
	       one.tokens.text == tr2_block_line(&one, 0).text &&
	       one.tokens.at[0] == 0 &&
	       one.tokens.at[one.tokens.count] == one.tokens.len;
}

/*
 * Each log has its own tokens: a string that is open at its end, or a byte
 * that is not UTF-8, does not reach the other logs.
 */
static void test_tokens(void)
{
	struct tr2_tokens tokens = { 0 };

	add_log(TR2_LOG_EVENT, EVENT("a") "\n" EVENT("b"));
	add_log(TR2_LOG_EVENT, "{\"event\":\"\n{\"event\":\"");
	add_log(TR2_LOG_UNKNOWN, "");
	add_log(TR2_LOG_EVENT, EVENT("c"));
	add_log(TR2_LOG_EVENT, EVENT("d") "\n\n" EVENT("e") "\n");
	tr2_block_prepare(&pack, true);
	tap_ok(has_tokens(0, &tokens), "tokens of a log are found together");
	tap_ok(tokens.count == 18 && tokens.len == strlen(EVENT("a")) * 2 + 1,
	       "these are all of it, and no others");
	tap_ok(!has_tokens(1, &tokens), "a torn log has none");
	tap_ok(!has_tokens(2, &tokens), "an empty log has none");
	tap_ok(!has_tokens(3, &tokens), "a single line is read on its own");
	tap_ok(has_tokens(4, &tokens), "a torn log leaves others alone");
	tap_str(lines_of(1), "|{\"event\":\"|{\"event\":\"~",
		"a torn log keeps its lines");
	clear_pack();
	add_log(TR2_LOG_NORMAL, "[]\n[]\n");
	tr2_block_prepare(&pack, true);
	tap_ok(!has_tokens(0, &tokens), "text has no tokens");
	clear_pack();
	tr2_tokens_release(&tokens);
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
