#include "read/bytes/lines.h"

#include <stdlib.h>
#include <string.h>

#include "lib/common/memory.h"

/* Here a log begins at the latest, after what else a program says. */
#define HEAD ((uint64_t)65536)

void tr2_lines_begin(struct tr2_lines *lines, struct tr2_source *source)
{
	*lines = (struct tr2_lines){
		.source = source,
		.rest = lines->rest,
		.rest_room = lines->rest_room,
	};
}

static void keep_rest(struct tr2_lines *lines, const char *rest, size_t len)
{
	if (len > lines->rest_room) {
		lines->rest_room = len;
		lines->rest = tr2_must_grow(lines->rest, len);
	}
	if (len)
		memcpy(lines->rest, rest, len);
	lines->rest_len = len;
}

/* If there is a rest, the block is empty. */
static void take_rest(struct tr2_lines *lines, struct tr2_block *block)
{
	if (!lines->rest_len)
		return;
	tr2_block_make_room(block, lines->rest_len);
	memcpy(block->text, lines->rest, lines->rest_len);
	block->len = lines->rest_len;
	lines->rest_len = 0;
}

/* Turn the last bytes of the block into UTF-8. */
static void decode_utf16(struct tr2_lines *lines, struct tr2_block *block,
			 size_t got)
{
	struct tr2_buf copy = TR2_BUF_INIT;

	tr2_buf_add(&copy, block->text + block->len, got);
	if (copy.failed)
		tr2_memory_out();
	tr2_block_make_room(block, TR2_UTF16_ROOM(got));
	block->len += tr2_utf16_read(&lines->utf16, copy.bytes, got,
				     block->text + block->len);
	tr2_buf_release(&copy);
}

/* The bytes from there on stand for others, and so does the rest before. */
static void read_copied(struct tr2_lines *lines, struct tr2_block *block,
			size_t from)
{
	tr2_block_make_room(block, TR2_COPIED_ROOM);
	block->copied = &lines->copied;
	block->len = from + tr2_copied_read(&lines->copied, block->text + from,
					    block->len - from, lines->at_end);
}

/*
 * The first bytes tell what they are, up to an event; those of UTF-16 have no
 * other use.
 */
static void take_bytes(struct tr2_lines *lines, struct tr2_block *block,
		       size_t got)
{
	const bool first = !lines->bytes;
	const size_t from = block->len;
	char *bytes = block->text + from;

	if (first && tr2_utf16_begins(&lines->utf16, bytes, got)) {
		got -= lines->utf16.mark;
		memmove(bytes, bytes + lines->utf16.mark, got);
		lines->bytes = lines->utf16.mark;
	}
	lines->bytes += got;
	block->utf16 = lines->utf16.is_on;
	if (block->utf16)
		decode_utf16(lines, block, got);
	else
		block->len += got;
	if (first || (!lines->copied.count && !lines->copied.found &&
		      lines->bytes < HEAD))
		tr2_copied_begin(&lines->copied, block->text + from,
				 block->len - from);
	if (lines->copied.count)
		read_copied(lines, block, from);
}

int tr2_lines_read(struct tr2_lines *lines, struct tr2_block *block)
{
	ssize_t got;

	if (lines->failed)
		return -1;
	tr2_block_make_room(block, TR2_BLOCK_READ);
	got = tr2_source_read(lines->source, block->text + block->len,
			      block->room - block->len, &lines->failed);
	if (got < 0)
		return -1;
	lines->at_end = !got;
	take_bytes(lines, block, (size_t)got);
	return 0;
}

void tr2_lines_read_ahead(struct tr2_lines *lines, struct tr2_block *block,
			  size_t len)
{
	while (block->len < len && !lines->at_end && !lines->failed)
		tr2_lines_read(lines, block);
}

/* Returns the place after the last LF at or after `from`, or 0. */
static size_t find_end(const struct tr2_block *block, size_t from)
{
	size_t at = block->len;

	while (at > from && block->text[at - 1] != '\n')
		at--;
	return at > from ? at : 0;
}

/* Drop the part of a line beyond TR2_LINE_MAX, up to its LF. */
static int cut_line(struct tr2_lines *lines, struct tr2_block *block)
{
	const char *lf;

	block->cut = true;
	do {
		block->len = TR2_LINE_MAX;
		if (tr2_lines_read(lines, block))
			return -1;
		lf = memchr(block->text + TR2_LINE_MAX, '\n',
			    block->len - TR2_LINE_MAX);
	} while (!lf && !lines->at_end);
	block->torn = !lf;
	if (lf)
		keep_rest(lines, lf + 1,
			  (size_t)(block->text + block->len - lf) - 1);
	block->len = TR2_LINE_MAX;
	return 1;
}

int tr2_lines_fill(struct tr2_lines *lines, struct tr2_block *block)
{
	size_t end, searched = 0;

	take_rest(lines, block);
	while (!(end = find_end(block, searched)) && !lines->at_end) {
		searched = block->len;
		if (searched > TR2_LINE_MAX)
			return cut_line(lines, block);
		if (tr2_lines_read(lines, block))
			return -1;
	}
	if (end)
		keep_rest(lines, block->text + end, block->len - end);
	else
		block->torn = block->len;
	block->len = end ? end : block->len;
	return block->len > 0;
}

void tr2_lines_release(struct tr2_lines *lines)
{
	free(lines->rest);
}
