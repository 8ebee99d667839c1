/*
 * lines.h - read a log as blocks of whole lines. The memory does not grow
 * with the log.
 */
#ifndef TR2_READ_BYTES_LINES_H
#define TR2_READ_BYTES_LINES_H

#include "read/bytes/block.h"
#include "read/bytes/copied.h"
#include "read/bytes/source.h"
#include "read/bytes/utf16.h"

struct tr2_lines {
	struct tr2_source *source;
	char *rest; /* the beginning of an incomplete line */
	size_t rest_len, rest_room;
	bool at_end;		/* the source has no more bytes */
	const char *failed;	/* why reading failed, or NULL; it stays so */
	uint64_t bytes;		/* number of bytes so far */
	struct tr2_utf16 utf16; /* if the log is in UTF-16 */
	struct tr2_copied_all copied;
};

#define TR2_LINES_INIT \
	{              \
		0      \
	}

/* Start again with another source; the memory is kept. */
void tr2_lines_begin(struct tr2_lines *lines, struct tr2_source *source);

/* Append more bytes to the block, before it has lines. 0, or -1: `failed`. */
int tr2_lines_read(struct tr2_lines *lines, struct tr2_block *block);

/* Read on until the block has so many bytes, or all, or this fails. */
void tr2_lines_read_ahead(struct tr2_lines *lines, struct tr2_block *block,
			  size_t len);

/*
 * Read until the block holds whole lines, and nothing else: 1, 0 at the end
 * of the log, or -1: `failed`. The block must be empty; only the first one may
 * hold what was read so far.
 */
int tr2_lines_fill(struct tr2_lines *lines, struct tr2_block *block);

void tr2_lines_release(struct tr2_lines *lines);

#endif
