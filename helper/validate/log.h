/*
 * log.h - read one log, from an open file to its last line, into blocks for
 * the worker.
 */
#ifndef TR2_VALIDATE_LOG_H
#define TR2_VALIDATE_LOG_H

#include "read/bytes/lines.h"
#include "validate/progress.h"
#include "validate/worker.h"

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
