#include "validate/block.h"

#include <stdlib.h>
#include <string.h>

#include "validate/glance.h"
#include "validate/memory.h"

#define ROOM ((size_t)128 << 10) /* text and tokens fit in a core's cache */

void tr2_block_make_room(struct tr2_block *block, size_t more)
{
	size_t wanted = block->len + more;

	if (wanted <= block->room)
		return;
	/* A long line: doubling keeps the copying linear. */
	block->room = wanted <= ROOM ? ROOM : 2 * wanted;
	block->text =
		tr2_must_grow(block->text, block->room + TR2_TOKENS_PADDING);
}

static void add_line(struct tr2_block *block, size_t at, size_t len)
{
	struct tr2_block_line *line = tr2_vec_add(&block->lines, sizeof(*line));

	*line = (struct tr2_block_line){
		.at = (uint32_t)at,
		.len = (uint32_t)len,
	};
}

static void find_lines(struct tr2_block *block)
{
	const char *at = block->text, *end = at + block->len, *lf;

	for (; at < end; at = lf + 1) {
		lf = memchr(at, '\n', (size_t)(end - at));
		if (!lf)
			lf = end;
		add_line(block, (size_t)(at - block->text), (size_t)(lf - at));
	}
}

/*
 * Whether a line that doesn't begin an object is told depends on the line
 * before it, so both are for all. What follows the block is not known.
 */
static void glance_at_lines(struct tr2_block *block)
{
	struct tr2_block_line *first = block->lines.items, *line = first;
	struct tr2_block_line *end = first + block->lines.count;
	struct tr2_glance glance = { .sid = NULL };
	const char *text;

	for (; line < end; line++) {
		text = block->text + line->at;
		line->shared = !tr2_glance_line(text, line->len, &glance);
		line->owner = glance.owner;
		if (line > first && *text != '{')
			line[-1].shared = true;
	}
	end[-1].shared = true;
}

void tr2_block_prepare(struct tr2_block *block, bool glance)
{
	if (block->format == TR2_LOG_UNKNOWN || block->format == TR2_LOG_FXT ||
	    !block->len)
		return;
	memset(block->text + block->len, 0, TR2_TOKENS_PADDING);
	find_lines(block);
	if (block->format != TR2_LOG_EVENT)
		return;
	if (glance)
		glance_at_lines(block);
	if (block->lines.count > 1 || glance)
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
		.ended = !block->torn || place + 1 < block->lines.count,
		.cut = cut,
		.second = block->datagram && place == 1,
		.owner = line->owner,
		.shared = line->shared,
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
