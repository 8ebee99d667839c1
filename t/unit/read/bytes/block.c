/* Pieces of a log: their lines, whose those are, and what stays in memory. */
#include "kit/memory.h"

#include "kit/checker.h"
#include "read/bytes/block.h"

#define ROOM ((size_t)128 << 10)
#define A "{\"event\":\"e\",\"sid\":\"a\"}"
#define B "{\"event\":\"e\",\"sid\":\"b\"}"

static void put_line(struct tr2_block *block, const char *text)
{
	size_t len = strlen(text);

	tr2_block_make_room(block, len);
	memcpy(block->text + block->len, text, len);
	block->len += len;
}

/* An EVENT block of this text, whose lines were found. */
static void prepare_block(struct tr2_block *block, const char *text)
{
	tr2_block_clear(block);
	block->format = TR2_LOG_EVENT;
	put_line(block, text);
	block->torn = block->len && block->text[block->len - 1] != '\n';
	tr2_block_prepare(block);
}

static bool has_room(const struct tr2_block *block, size_t room)
{
	return block->room == room && block->text;
}

static bool has_nothing(const struct tr2_block *block)
{
	size_t sum = block->visit + block->dropped + block->len + block->room +
		     block->torn + block->cut + block->datagram +
		     block->has_tokens;

	return !sum && !block->format && !block->name && !block->fault &&
	       !block->text && !block->lines.items && !block->tokens.tokenizer;
}

static void test_room(void)
{
	struct tr2_block block = { 0 };
	char *text;

	tr2_block_make_room(&block, 1);
	tap_ok(has_room(&block, ROOM), "a block begins with its usual room");
	text = memset(block.text, 'x', ROOM);
	block.len = 10;
	tr2_block_make_room(&block, ROOM - 10);
	tap_ok(block.text == text && has_room(&block, ROOM),
	       "a block with room stays");
	tr2_block_make_room(&block, ROOM - 9);
	tap_ok(has_room(&block, 2 * ROOM + 2) && block.len == 10 &&
		       block.text[0] == 'x' && block.text[ROOM - 1] == 'x',
	       "a longer block is doubled");
	text = block.text;
	tr2_block_make_room(&block, 2 * ROOM - 8);
	tap_ok(block.text == text && has_room(&block, 2 * ROOM + 2),
	       "what there is room for changes nothing");
	tr2_block_release(&block);
	tr2_block_make_room(&block, ROOM);
	tap_ok(has_room(&block, ROOM), "the usual room is enough for itself");
	tr2_block_release(&block);
	tr2_block_make_room(&block, ROOM + 1);
	tap_ok(has_room(&block, 2 * ROOM + 2), "one byte more is doubled");
	tr2_block_release(&block);
	tap_ok(has_nothing(&block), "a released block has nothing");
}

static bool is_line(const struct tr2_block *block, size_t place,
		    const char *text)
{
	struct tr2_line line = tr2_block_line(block, place);

	return line.len == strlen(text) && !memcmp(line.text, text, line.len) &&
	       !line.cut;
}

static void test_lines(void)
{
	struct tr2_block block = { 0 };
	struct tr2_line line;

	prepare_block(&block, "one\n\nthree\n");
	tap_ok(block.lines.count == 3 && is_line(&block, 0, "one") &&
		       is_line(&block, 1, "") && is_line(&block, 2, "three"),
	       "a block has its lines");
	tap_ok(tr2_block_line(&block, 2).ended, "a whole line has ended");
	prepare_block(&block, "one\ntwo");
	tap_ok(block.lines.count == 2 && is_line(&block, 1, "two"),
	       "a block may end without an LF");
	tap_ok(tr2_block_line(&block, 0).ended &&
		       !tr2_block_line(&block, 1).ended,
	       "only the last line is torn");
	prepare_block(&block, "\n");
	tap_ok(is_line(&block, 0, ""), "an LF alone is a line");
	line = tr2_block_line(&block, 0);
	tap_ok(!line.number && !line.tokens,
	       "a line alone has neither a number nor tokens");
	tr2_block_release(&block);
}

/* Lines of many blocks, one after the other: the memory is that of the most. */
static void test_many_lines(void)
{
	struct tr2_block block = { 0 };
	size_t i, wrong = 0;
	void *items;

	block.format = TR2_LOG_NORMAL;
	for (i = 0; i < 5000; i++)
		put_line(&block, i % 2 ? "a\n" : "\n");
	tr2_block_prepare(&block);
	for (i = 0; i < 5000; i++)
		wrong += !is_line(&block, i, i % 2 ? "a" : "");
	tap_ok(block.lines.count == 5000 && !wrong, "a block has many lines");
	tap_ok(!block.has_tokens, "text logs have no tokens");
	items = block.lines.items;
	tr2_block_clear(&block);
	tap_ok(!block.lines.count && block.lines.items == items &&
		       block.lines.room == 8192,
	       "an empty block keeps the memory of its lines");
	tr2_block_release(&block);
	tap_ok(!block.lines.items && !block.lines.room,
	       "a released block has no lines");
}

static void test_formats(void)
{
	static const enum tr2_log_format formats[] = {
		TR2_LOG_UNKNOWN, TR2_LOG_EVENT, TR2_LOG_NORMAL,
		TR2_LOG_PERF,	 TR2_LOG_FXT,
	};
	struct tr2_block block = { 0 };
	size_t i, count_record, wrong = 0;

	for (i = 0; i < 5; i++) {
		tr2_block_clear(&block);
		put_line(&block, A "\n" A "\n");
		memset(block.text + block.len, 'x', TR2_TOKENS_PADDING + 1);
		block.format = formats[i];
		tr2_block_prepare(&block);
		count_record = formats[i] == TR2_LOG_UNKNOWN ||
					       formats[i] == TR2_LOG_FXT
				       ? 0
				       : 2;
		wrong += block.lines.count != count_record;
		wrong += block.has_tokens != (formats[i] == TR2_LOG_EVENT);
		if (!count_record)
			continue;
		while (count_record < 2 + TR2_TOKENS_PADDING)
			wrong += block.text[block.len + count_record++ - 2] !=
				 0;
		wrong += block.text[block.len + count_record - 2] != 'x';
	}
	tap_int((intmax_t)wrong, 0, "lines are those of logs that have some");
	tr2_block_clear(&block);
	block.format = TR2_LOG_EVENT;
	tr2_block_prepare(&block);
	tap_ok(!block.lines.count && !block.has_tokens,
	       "an empty block has no lines");
	tr2_block_release(&block);
	block.format = TR2_LOG_EVENT;
	tr2_block_prepare(&block);
	tap_ok(!block.lines.count, "nor has a block without memory");
}

static void test_tokens(void)
{
	struct tr2_block block = { 0 };

	prepare_block(&block, A "\n");
	tap_ok(!block.has_tokens && !tr2_block_line(&block, 0).tokens,
	       "the tokens of one line are not looked for");
	prepare_block(&block, A "\n" B "\n");
	tap_ok(block.has_tokens && block.tokens.count == 18 &&
		       block.tokens.len == block.len &&
		       tr2_block_line(&block, 1).tokens == &block.tokens,
	       "the tokens of several lines are found together");
	prepare_block(&block, A "\n\"" B "\n");
	tap_ok(!block.has_tokens && !tr2_block_line(&block, 0).tokens,
	       "a broken line leaves no tokens to the others");
	prepare_block(&block, "\n\n");
	tap_ok(!block.has_tokens, "there may be no token");
	tr2_block_release(&block);
	tap_ok(!block.tokens.tokenizer, "a released block has no tokenizer");
}

static void test_clear(void)
{
	struct tr2_block block = { 0 }, kept;
	char *text;

	prepare_block(&block, A "\n" A "\n");
	text = block.text;
	block.name = tr2_must_copy("name");
	block.fault = tr2_must_copy("fault");
	block.visit = 3;
	block.dropped = 4;
	block.torn = block.cut = true;
	tr2_block_clear(&block);
	tap_ok(block.text == text && block.room == ROOM &&
		       block.tokens.tokenizer,
	       "an empty block keeps its memory");
	kept = block;
	block.text = NULL;
	block.room = 0;
	memset(&block.lines, 0, sizeof(block.lines));
	memset(&block.tokens, 0, sizeof(block.tokens));
	tap_ok(has_nothing(&block), "an empty block has nothing else");
	tr2_block_release(&kept);
	tr2_block_make_room(&block, ROOM + 1);
	tr2_block_clear(&block);
	tap_ok(!block.text && !block.room && !block.lines.items,
	       "the memory of a long line is given back");
}

static void test_cut(void)
{
	struct tr2_block block = { .format = TR2_LOG_NORMAL };
	struct tr2_line line;
	size_t i;

	tr2_block_make_room(&block, 2 * TR2_LINE_MAX + 4);
	memset(block.text, 'x', 2 * TR2_LINE_MAX + 4);
	block.text[TR2_LINE_MAX] = '\n';
	block.text[2 * TR2_LINE_MAX + 2] = '\n';
	block.len = 2 * TR2_LINE_MAX + 4;
	tr2_block_prepare(&block);
	for (i = 0; i < 2; i++) {
		line = tr2_block_line(&block, i);
		tap_ok(line.cut == (i == 1) && line.len == TR2_LINE_MAX &&
			       line.ended,
		       i ? "a line beyond the limit is cut"
			 : "a line of the limit is whole");
	}
	tap_ok(is_line(&block, 2, "x"), "a line behind it is whole");
	tr2_block_clear(&block);
	block.format = TR2_LOG_NORMAL;
	tr2_block_make_room(&block, TR2_LINE_MAX);
	memset(block.text, 'x', TR2_LINE_MAX);
	block.len = TR2_LINE_MAX;
	block.cut = true;
	tr2_block_prepare(&block);
	line = tr2_block_line(&block, 0);
	tap_ok(line.cut && line.len == TR2_LINE_MAX,
	       "the line of a cut block is cut");
	tr2_block_release(&block);
}

int main(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	test_room();
	test_lines();
	test_many_lines();
	test_formats();
	test_tokens();
	test_clear();
	test_cut();
	return tap_done();
}
