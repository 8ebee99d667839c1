/*
 * block.h - a piece of a log: whole lines, as many as were read at once. The
 * tokens of all lines are found together, which is faster than line by line.
 * If one of the lines is not JSON this fails, and each line is read on its
 * own.
 */
#ifndef TR2_READ_BYTES_BLOCK_H
#define TR2_READ_BYTES_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/json/tokens.h"
#include "lib/common/vec.h"

/* Only so many bytes of a longer line are kept; it is marked as cut. */
#define TR2_LINE_MAX ((size_t)16 << 20)

#define TR2_BLOCK_READ ((size_t)64 << 10) /* least size of a read */

/* The contents of a file, according to its first bytes. */
enum tr2_log_format {
	TR2_LOG_UNKNOWN,
	TR2_LOG_EVENT,
	TR2_LOG_NORMAL,
	TR2_LOG_PERF,
	TR2_LOG_FXT,   /* an archive, which has no lines */
	TR2_LOG_CHROME /* trace events in JSON, which is read as a whole */
};

struct tr2_copied_all;

struct tr2_block_line { /* A line, without its LF. */
	uint32_t at, len;
	bool escapes; /* contains backslashes */
	bool torn;    /* the log ends inside it */
};

struct tr2_block {
	enum tr2_log_format format;
	unsigned visit; /* number of the log, from 1 */
	char *name;	/* of the log that begins here, or NULL */
	char *fault;	/* why it can't be read any further, or NULL */

	unsigned long dropped; /* lines before these that were not read */

	char *text; /* followed by TR2_TOKENS_PADDING bytes */
	size_t len, room;
	bool torn;     /* the log ends inside the last line */
	bool cut;      /* there is only one line, and it is incomplete */
	bool datagram; /* should have only one line */
	bool utf16;    /* it was in UTF-16 */
	const struct tr2_copied_all *copied; /* how it was copied, or NULL */

	/* The results of tr2_block_prepare(). */
	struct tr2_vec lines; /* struct tr2_block_line */
	bool has_tokens;
	struct tr2_tokens tokens;
};

/* Is it of a log that has lines? */
static inline bool tr2_block_has_lines(const struct tr2_block *block)
{
	return block->format == TR2_LOG_EVENT ||
	       block->format == TR2_LOG_NORMAL || block->format == TR2_LOG_PERF;
}

struct tr2_line {
	const char *text; /* without the LF; TR2_TOKENS_PADDING bytes follow */
	size_t len;
	unsigned long number; /* from 1 */
	bool ended;	      /* by an LF, not by the end of the log */
	bool cut;
	bool second; /* the second line of a datagram */
	bool escapes;
	const struct tr2_tokens *tokens; /* of this line and others, or NULL */
};

/* Make room for so many more bytes. */
void tr2_block_make_room(struct tr2_block *block, size_t more);

/* Find lines and tokens. A single line finds its own when it is read. */
void tr2_block_prepare(struct tr2_block *block);

/* Returns a line, without its number. */
struct tr2_line tr2_block_line(const struct tr2_block *block, size_t place);

/* Empty it. Its memory is kept unless it is large. */
void tr2_block_clear(struct tr2_block *block);
void tr2_block_release(struct tr2_block *block);

/* Lines of a log that are no events. */
struct tr2_others {
	unsigned long count, first; /* the number of the first one */
};

static inline void tr2_others_add(struct tr2_others *others,
				  unsigned long number)
{
	if (!others->count++)
		others->first = number;
}

#endif
