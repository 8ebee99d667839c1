/* Pieces of a log: their lines, whose those are, and what stays in memory. */
#include "kit/memory.h"

#include "kit/checker.h"
#include "read/bytes/block.h"

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
	size_t wrong = 0;
	void *items;

	block.format = TR2_LOG_NORMAL;
	for (size_t i = 0; i < 5000; i++)
		put_line(&block, i % 2 ? "a\n" : "\n");
	tr2_block_prepare(&block);
	for (size_t i = 0; i < 5000; i++)
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

int main(void)
{
	struct tr2_host host = *tr2_host;

	memory_install(&host);
	tap_run(test_lines, test_many_lines, test_tokens);
	return tap_done();
}
