/*
 * log.h - read one log, from an open file to its last line, into blocks for
 * the worker.
 */
#ifndef TR2_VALIDATE_LOG_H
#define TR2_VALIDATE_LOG_H

#include "read/bytes/lines.h"
#include "validate/progress.h"
#include "validate/worker.h"

/* Returns the format that the first bytes of a log seem to have. */
enum tr2_log_format tr2_log_format_of(const char *head, size_t len);

/*
 * Read the head of a log into the block. Reads no more than it needs to
 * recognise the format, because a program may still be writing to a pipe. 0,
 * or -1 with `error` set.
 */
int tr2_log_detect(struct tr2_lines *lines, struct tr2_block *block,
		   const char **error);

/* What the file is, for a message: "a Trace2 EVENT log", "a text file, ...". */
const char *tr2_log_describe(const struct tr2_block *head);

struct tr2_log_reader {
	struct tr2_worker *worker;
	struct tr2_lines lines;
	struct tr2_progress progress;
	bool follow;		  /* logs grow while they are read */
	struct tr2_totals totals; /* counts files and bytes */
	struct tr2_block block;	  /* what is being read */
};

/*
 * Read the log. fd -1: it could not be opened, and errno is the reason. The
 * caller keeps the descriptor.
 */
void tr2_log_read(struct tr2_log_reader *reader, const char *name, int fd);

void tr2_log_release(struct tr2_log_reader *reader);

#endif
