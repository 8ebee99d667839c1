/*
 * lines.h - a log as blocks of whole lines, in memory that does not grow
 * with it.
 */
#ifndef TR2_VALIDATE_LINES_H
#define TR2_VALIDATE_LINES_H

#include "validate/block.h"
#include "validate/source.h"

struct tr2_lines {
	struct tr2_source *source;
	char *rest; /* the beginning of a line whose end was not read yet */
	size_t rest_len, rest_room;
	bool at_end;	    /* of the source */
	const char *failed; /* why nothing more can be read, or NULL */
	uint64_t bytes;	    /* read so far */
};

#define TR2_LINES_INIT \
	{              \
		0      \
	}

/* Start over with another source; the memory is kept. */
void tr2_lines_begin(struct tr2_lines *lines, struct tr2_source *source);

/*
 * Read more bytes to the end of the block, before there are lines. 0, or -1
 * with `error` set.
 */
int tr2_lines_read(struct tr2_lines *lines, struct tr2_block *block,
		   const char **error);

/*
 * Read on until the block holds so many bytes or all. What goes wrong is
 * told by the next call that reads.
 */
void tr2_lines_read_ahead(struct tr2_lines *lines, struct tr2_block *block,
			  size_t len);

/*
 * Read until the block holds whole lines, and nothing else: 1, 0 at the
 * end of the log, or -1 with `error` set. The block is empty, but the first
 * one may hold what was read so far.
 */
int tr2_lines_fill(struct tr2_lines *lines, struct tr2_block *block,
		   const char **error);

void tr2_lines_release(struct tr2_lines *lines);

#endif
