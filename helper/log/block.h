/*
 * block.h - a piece of a log: whole lines, as many as were read at once.
 * Tokens are found of all of them together, which is faster than line by
 * line. That fails if one of the lines is no JSON; then each line is read
 * on its own.
 *
 * A git that runs writes a file, so there may be more logs than lines in
 * each. Small ones are packed: a block then holds several whole logs, and
 * who takes it sees them one by one, each as a block of its own.
 */
#ifndef TR2_LOG_BLOCK_H
#define TR2_LOG_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "json/tokens.h"
#include "common/vec.h"

/* Of a longer line only this much is kept; it is marked as cut. */
#define TR2_LINE_MAX ((size_t)16 << 20)

#define TR2_BLOCK_READ ((size_t)64 << 10) /* at least so much at once */

/* What a file holds, as its first bytes tell. */
enum tr2_log_format {
	TR2_LOG_UNKNOWN,
	TR2_LOG_EVENT,
	TR2_LOG_NORMAL,
	TR2_LOG_PERF,
	TR2_LOG_FXT /* an archive: it has no lines */
};

struct tr2_block_line { /* a line, without its LF */
	uint32_t at, len;
	uint32_t alike; /* of the first of a run of lines that are for the
			   same: how many follow it */
	uint8_t owner;	/* see glance.h */
	bool shared;
	bool escapes; /* it has backslashes */
	bool begins;  /* another event may begin in it */
	bool torn;    /* the log ends inside of it */
};

#define TR2_OWNERS_ALL UINT64_MAX

struct tr2_block_log { /* a whole log, packed with others */
	enum tr2_log_format format;
	unsigned visit;
	char *name;
	char *fault;
	size_t at, len;
	bool torn;
	uint32_t first, count; /* lines of the block that are its lines */
	uint64_t owners;       /* a bit for each partition that has lines */
};

struct tr2_block {
	enum tr2_log_format format;
	unsigned visit; /* which of the logs it is of, from 1 */
	char *name;	/* of the log that begins here, or NULL */
	char *fault;	/* why it can't be read from here on, or NULL */

	unsigned long dropped; /* lines before these that nobody has read */

	char *text; /* TR2_TOKENS_PADDING behind */
	size_t len, room;
	bool torn;     /* the log ends inside of the last line */
	bool cut;      /* there is but one line, and it goes on */
	bool datagram; /* should be but one line */
	bool leads_on; /* behind it the next line begins an object */

	/*
	 * struct tr2_block_log: what is packed in it. Then the block itself has
	 * neither name nor visit, and the format is that of all logs that have
	 * lines.
	 */
	struct tr2_vec logs;

	/* What tr2_block_prepare() finds. */
	struct tr2_vec lines; /* of struct tr2_block_line */
	bool has_tokens;
	struct tr2_tokens tokens;

	/* For feed.c. */
	bool ready;
	unsigned left;
};

struct tr2_line {
	const char *text; /* without the LF; TR2_TOKENS_PADDING behind */
	size_t len;
	unsigned long number; /* from 1 */
	bool ended;	      /* by an LF, not by the end of the log */
	bool cut;
	bool second; /* of a datagram */
	uint8_t owner;
	bool shared, escapes;
	const struct tr2_tokens *tokens; /* this line's and others', or NULL */
};

/* Have room for so many bytes more. */
void tr2_block_make_room(struct tr2_block *block, size_t more);

/* Find lines and tokens; with `glance` also whose the lines are. */
void tr2_block_prepare(struct tr2_block *block, bool glance);

/* Is there room for what the small block holds, a whole log? */
bool tr2_block_has_room(const struct tr2_block *block,
			const struct tr2_block *small);

/* Pack it; the small block is empty then. */
void tr2_block_pack(struct tr2_block *block, struct tr2_block *small);

/* A packed log, as a block that lives as long as the one it is in. */
struct tr2_block tr2_block_unpack(const struct tr2_block *block, size_t log);

/* A line of those that were found, but for its number. */
struct tr2_line tr2_block_line(const struct tr2_block *block, size_t place);

/* Make it empty. Its memory is kept, unless it is a lot. */
void tr2_block_clear(struct tr2_block *block);
void tr2_block_release(struct tr2_block *block);

#endif
