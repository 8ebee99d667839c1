/*
 * block.h - a piece of a log: whole lines, as many as were read at once. The
 * tokens of all lines are found together, which is faster than line by line.
 * If one of the lines is not JSON this fails, and each line is read on its
 * own.
 *
 * A running git writes a file, so there may be more logs than lines in each.
 * Small logs are packed: a block then holds several whole logs, and its
 * reader sees each of them as a block of its own. The tokens of a packed log
 * are found by the thread that reads it: another thread would only move them
 * through its cache.
 */
#ifndef TR2_LOG_BLOCK_H
#define TR2_LOG_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json/tokens.h"
#include "common/vec.h"

/* Only so many bytes of a longer line are kept; it is marked as cut. */
#define TR2_LINE_MAX ((size_t)16 << 20)

#define TR2_BLOCK_READ ((size_t)64 << 10) /* least size of a read */

/* The contents of a file, according to its first bytes. */
enum tr2_log_format {
	TR2_LOG_UNKNOWN,
	TR2_LOG_EVENT,
	TR2_LOG_NORMAL,
	TR2_LOG_PERF,
	TR2_LOG_FXT /* an archive, which has no lines */
};

struct tr2_block_line { /* A line, without its LF. */
	uint32_t at, len;
	uint32_t alike; /* first of a run: lines of it that follow */
	uint8_t owner;	/* see glance.h */
	bool shared;
	bool escapes; /* contains backslashes */
	bool begins;  /* another event may begin in it */
	bool torn;    /* the log ends inside it */
};

#define TR2_OWNERS_ALL UINT64_MAX

struct tr2_block_log { /* A whole log that is packed with others. */
	enum tr2_log_format format;
	unsigned visit;
	char *name;
	char *fault;
	size_t at, len;
	bool torn;
	uint32_t first, count; /* the lines of the block that belong to it */
	uint64_t owners;       /* a bit for each partition that has lines */
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
	bool leads_on; /* the line after it begins an object */

	/*
	 * struct tr2_block_log: the packed logs. The block itself then has
	 * neither name nor visit, and its format is the one for all logs with
	 * lines.
	 */
	struct tr2_vec logs;

	/* The results of tr2_block_prepare(). */
	struct tr2_vec lines; /* struct tr2_block_line */
	bool has_tokens;
	struct tr2_tokens tokens;

	/* These belong to feed.c. */
	bool ready;
	unsigned left;
};

struct tr2_line {
	const char *text; /* without the LF; TR2_TOKENS_PADDING bytes follow */
	size_t len;
	unsigned long number; /* from 1 */
	bool ended;	      /* by an LF, not by the end of the log */
	bool cut;
	bool second; /* the second line of a datagram */
	uint8_t owner;
	bool shared, escapes;
	const struct tr2_tokens *tokens; /* of this line and others, or NULL */
};

/* Make room for so many more bytes. */
void tr2_block_make_room(struct tr2_block *block, size_t more);

/* Find lines and tokens; with `glance` also the processes of the lines. */
void tr2_block_prepare(struct tr2_block *block, bool glance);

/* Does the small block, a whole log, fit in this block? */
bool tr2_block_has_room(const struct tr2_block *block,
			const struct tr2_block *small);

/* Pack the small block, which is empty afterwards. */
void tr2_block_pack(struct tr2_block *block, struct tr2_block *small);

/*
 * Returns a packed log as a block, which is valid as long as the one that
 * holds it.
 */
struct tr2_block tr2_block_unpack(const struct tr2_block *block, size_t log);

/*
 * Find the tokens of a packed log. Their memory stays in `tokens`, for the
 * next log; the log's tokens are valid until then.
 */
void tr2_block_find_tokens(struct tr2_block *log, struct tr2_tokens *tokens);

/* Returns a line, without its number. */
struct tr2_line tr2_block_line(const struct tr2_block *block, size_t place);

/* Empty it. Its memory is kept unless it is large. */
void tr2_block_clear(struct tr2_block *block);
void tr2_block_release(struct tr2_block *block);

#endif
