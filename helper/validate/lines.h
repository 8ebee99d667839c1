/*
 * lines.h - a log, line by line, in memory that does not grow with it.
 */
#ifndef TR2_VALIDATE_LINES_H
#define TR2_VALIDATE_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "validate/source.h"

/* Of a longer line only this much is kept; it is marked as cut. */
#define TR2_LINE_MAX ((size_t)16 << 20)

struct tr2_line {
	char *text; /* without the LF; may be changed; TR2_TOKENS_PADDING behind */
	size_t len;
	unsigned long number; /* from 1 */
	bool ended;	      /* by an LF, not by the end of the log */
	bool cut;
};

struct tr2_lines {
	struct tr2_source *source;
	char *buf;
	size_t room;
	size_t start, end;    /* the bytes that were read and not given */
	size_t searched;      /* no LF between start and here */
	bool at_end;	      /* of the source */
	unsigned long number; /* of the last line given */
	uint64_t bytes;	      /* read so far */
};

#define TR2_LINES_INIT \
	{              \
		0      \
	}

/* Start over with another source; the memory is kept. */
void tr2_lines_begin(struct tr2_lines *lines, struct tr2_source *source);

/*
 * Read ahead without giving lines: the first bytes, as many as there are
 * or at least `wanted`. 0, or -1 with `error` set.
 */
int tr2_lines_peek(struct tr2_lines *lines, size_t wanted, const char **text,
		   size_t *len, const char **error);

/*
 * For what has no lines: some of the bytes that were not given. How many,
 * 0 at the end, or -1 with `error` set. Valid until the next call.
 */
ssize_t tr2_lines_bytes(struct tr2_lines *lines, const char **bytes,
			const char **error);

/* The next line: 1, 0 at the end, or -1 with `error` set. */
int tr2_lines_next(struct tr2_lines *lines, struct tr2_line *line,
		   const char **error);

void tr2_lines_release(struct tr2_lines *lines);

#endif
