/*
 * chrome.h - Chrome's trace events, of JSON files, as records of one archive:
 * those of all files in the order of their times, for rotated files are parts
 * of one trace.
 */
#ifndef TR2_ARCHIVE_CHROME_H
#define TR2_ARCHIVE_CHROME_H

#include "base/buf.h"
#include "lib/common/vec.h"
#include "read/read.h"

struct tr2_chrome_text;

/* Zero it at first. */
struct tr2_chrome_log {
	struct tr2_reader *reader;     /* which tells what is wrong */
	struct tr2_chrome_text *files; /* whose texts stay */
	struct tr2_vec events;	       /* struct chrome_event */
	unsigned long left_out;	       /* events of other phases */
	unsigned long cut;	       /* texts that were too long */
};

/* Read a file, as tr2_reader's take_trace gets it. What is wrong is told. */
void tr2_chrome_log_read(struct tr2_chrome_log *log, struct tr2_block *taken);

/* Write an archive of all files; without an event, nothing. */
void tr2_chrome_log_write(struct tr2_chrome_log *log, struct tr2_buf *out);

void tr2_chrome_log_release(struct tr2_chrome_log *log);

#endif
