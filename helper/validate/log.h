/*
 * log.h - one log, from an open file to its last line: read, and put into
 * blocks; small ones into one block with others.
 */
#ifndef TR2_VALIDATE_LOG_H
#define TR2_VALIDATE_LOG_H

#include "validate/feed.h"
#include "log/lines.h"
#include "validate/progress.h"

/* What do the first bytes of a log look like? */
enum tr2_log_format tr2_log_format_of(const char *head, size_t len);

/*
 * Read the head of a log into the block, no more than is needed to see its
 * format: it may come from a pipe into which someone is still writing. 0,
 * or -1 with `error` set.
 */
int tr2_log_detect(struct tr2_lines *lines, struct tr2_block *block,
		   const char **error);

/* What the file is, for a message: "a Trace2 EVENT log", "a text file, ...". */
const char *tr2_log_describe(const struct tr2_block *head);

struct tr2_log_reader {
	struct tr2_feed *feed;
	struct tr2_lines lines;
	struct tr2_progress progress;
	bool follow;		  /* logs grow while they are read */
	struct tr2_totals totals; /* of files and bytes */
	struct tr2_block head;	  /* what was read of a log first */
	struct tr2_block *pack;	  /* small logs that wait for more, or NULL */
};

/*
 * Read the log. fd -1: it could not be opened, and errno says why. The
 * descriptor stays the caller's.
 */
void tr2_log_read(struct tr2_log_reader *reader, const char *name, int fd);

/* No more logs come: hand over what waits. */
void tr2_log_end(struct tr2_log_reader *reader);

#endif
