/*
 * log.h - one log, from an open file to its last line.
 */
#ifndef TR2_VALIDATE_LOG_H
#define TR2_VALIDATE_LOG_H

#include "validate/checker.h"
#include "validate/progress.h"

/* What a file holds, as its first bytes tell. */
enum tr2_log_format {
	TR2_LOG_UNKNOWN,
	TR2_LOG_EVENT,
	TR2_LOG_NORMAL,
	TR2_LOG_PERF,
	TR2_LOG_FXT /* an archive: it has no lines */
};

struct tr2_log_reader {
	struct tr2_checker checker;
	struct tr2_lines lines;
	struct tr2_progress progress;
	bool follow; /* logs grow while they are read */
};

/*
 * Look at the head of a log, at no more than is needed: it may come from a
 * pipe into which someone is still writing. 0, or -1 with `error` set.
 */
int tr2_log_detect(struct tr2_lines *lines, enum tr2_log_format *format,
		   const char **error);

/*
 * Check the log. fd -1: it could not be opened, and errno says why. The
 * descriptor stays the caller's.
 */
void tr2_log_check(struct tr2_log_reader *reader, const char *name, int fd);

#endif
