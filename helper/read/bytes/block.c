#include "read/bytes/block.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"

#define ROOM ((size_t)128 << 10) /* text and tokens fit in a core's cache */

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

static const char *find_byte(const char *from, const char *end, char byte)
{
	return from < end ? memchr(from, byte, (size_t)(end - from)) : NULL;
}

/* The next backslash is kept from line to line: most have none. */
static void find_lines(struct tr2_block *block)
{
	const char *text = block->text, *end = text + block->len, *lf;
	const char *escape = find_byte(text, end, '\\');
	struct tr2_block_line *added;

	for (const char *line = text; line < end; line = lf + 1) {
		lf = find_byte(line, end, '\n');
		added = tr2_vec_add(&block->lines, sizeof(*added));
		*added = (struct tr2_block_line){
			.at = (uint32_t)(line - text),
			.len = (uint32_t)((lf ? lf : end) - line),
			.torn = !lf && block->torn,
		};
		if (!lf)
			lf = end;
		added->escapes = escape && escape < lf;
		if (added->escapes)
			escape = find_byte(lf, end, '\\');
	}
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
