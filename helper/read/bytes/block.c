#include "read/bytes/block.h"

#include <stdlib.h>
#include <string.h>

#include "read/bytes/marks.h"
#include "lib/common/memory.h"

#define ROOM ((size_t)128 << 10) /* text and tokens fit in a core's cache */
#define MARKS 64		 /* words of marks that are found at a time */

void tr2_block_make_room(struct tr2_block *block, size_t more)
{
	size_t wanted = block->len + more;

	if (wanted <= block->room)
		return;
	/* For a long line, doubling keeps the copying linear. */
	block->room = wanted <= ROOM ? ROOM : 2 * wanted;
	block->text =
		tr2_must_grow(block->text, block->room + TR2_TOKENS_PADDING);
}

/* The line is complete; the next one begins. */
static void end_line(struct tr2_block *block, struct tr2_block_line *line,
		     size_t end)
{
	struct tr2_block_line *added =
		tr2_vec_add(&block->lines, sizeof(*added));

	line->len = (uint32_t)end - line->at;
	*added = *line;
	*line = (struct tr2_block_line){ .at = (uint32_t)end + 1 };
}

static void take_mark(struct tr2_block *block, struct tr2_block_line *line,
		      size_t place)
{
	const char *text = block->text;

	if (text[place] == '\n')
		end_line(block, line, place);
	else
		line->escapes = true;
}

/* Find more words of marks, as many as fit or are left. */
static void take_marks(struct tr2_block *block, struct tr2_block_line *line,
		       size_t from)
{
	size_t left = block->len - from + TR2_MARKS_WORD - 1, i;
	uint64_t marks[MARKS];

	left /= TR2_MARKS_WORD;
	if (left > MARKS)
		left = MARKS;
	tr2_marks_find(block->text + from, left, marks);
	for (i = 0; i < left; i++, from += TR2_MARKS_WORD)
		for (; marks[i]; marks[i] &= marks[i] - 1)
			take_mark(block, line,
				  from + (size_t)__builtin_ctzll(marks[i]));
}

static void find_lines(struct tr2_block *block)
{
	struct tr2_block_line line = { .at = 0 };
	size_t from;

	for (from = 0; from < block->len; from += MARKS * TR2_MARKS_WORD)
		take_marks(block, &line, from);
	line.torn = block->torn;
	if (line.at < block->len)
		end_line(block, &line, block->len);
}

void tr2_block_prepare(struct tr2_block *block)
{
	if (!tr2_block_has_lines(block) || !block->len)
		return;
	memset(block->text + block->len, 0, TR2_TOKENS_PADDING);
	find_lines(block);
	if (block->format == TR2_LOG_EVENT && block->lines.count > 1)
		block->has_tokens = tr2_tokens_find(&block->tokens, block->text,
						    block->len) ==
				    TR2_TOKENS_OK;
}

struct tr2_line tr2_block_line(const struct tr2_block *block, size_t place)
{
	const struct tr2_block_line *lines = block->lines.items;
	const struct tr2_block_line *line = &lines[place];
	bool cut = block->cut || line->len > TR2_LINE_MAX;

	return (struct tr2_line){
		.text = block->text + line->at,
		.len = cut ? TR2_LINE_MAX : line->len,
		.ended = !line->torn,
		.cut = cut,
		.second = block->datagram && place == 1,
		.escapes = line->escapes,
		.tokens = block->has_tokens ? &block->tokens : NULL,
	};
}

void tr2_block_clear(struct tr2_block *block)
{
	free(block->name);
	free(block->fault);
	if (block->room > ROOM)
		tr2_block_release(block);
	*block = (struct tr2_block){
		.text = block->text,
		.room = block->room,
		.lines = { block->lines.items, 0, block->lines.room },
		.tokens = block->tokens,
	};
}

void tr2_block_release(struct tr2_block *block)
{
	free(block->text);
	tr2_vec_release(&block->lines);
	tr2_tokens_release(&block->tokens);
	*block = (struct tr2_block){ 0 };
}
