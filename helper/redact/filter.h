/*
 * filter.h - a log, from its first byte to its last. It is read as blocks of
 * lines, and its redacted lines are written block by block, so that a reader
 * of a pipe waits for nothing.
 */
#ifndef TR2_REDACT_FILTER_H
#define TR2_REDACT_FILTER_H

#include "read/bytes/lines.h"
#include "read/text/pieces.h"
#include "redact/redactor/line.h"

struct tr2_redact_filter {
	struct tr2_redactor *redactor;
	struct tr2_lines lines;
	struct tr2_block block;
	struct tr2_plain_pieces pieces; /* of lines that are no EVENT lines */
	struct tr2_buf out;
	bool open_line; /* what was written last has no LF */

	/* Of the present log. */
	unsigned long number; /* of the last line */
	bool amid;	      /* lines that are no events came */
	unsigned long left;   /* lines that were left out */
	unsigned long first;  /* the number of the first one */
};

/*
 * Begin with a log, and read its head. Returns NULL, or why it can't be
 * redacted; `unreadable` tells whether it could not be read. A log that is
 * empty can be redacted.
 */
const char *tr2_redact_filter_begin(struct tr2_redact_filter *filter,
				    struct tr2_source *source,
				    bool *unreadable);

/*
 * Write the redacted log to the descriptor. Returns NULL, or why the log could
 * not be read to its end. If writing fails, `error` is the errno value, and
 * otherwise 0.
 */
const char *tr2_redact_filter_write(struct tr2_redact_filter *filter, int fd,
				    int *error);

void tr2_redact_filter_release(struct tr2_redact_filter *filter);

#endif
