/*
 * chrome.h - Chrome's trace events, of JSON files, as records of one archive:
 * those of all files in the order of their times, for rotated files are parts
 * of one trace.
 */
#ifndef TR2_ARCHIVE_CHROME_H
#define TR2_ARCHIVE_CHROME_H

#include "base/buf.h"
#include "lib/common/vec.h"
#include "read/bytes/block.h"
#include "read/json/parse.h"

struct tr2_chrome_text {
	struct tr2_chrome_text *next;
	struct tr2_parse parse;
	struct tr2_block block; /* only its bytes */
};

struct tr2_chrome_event {
	const struct tr2_parse *file;
	char phase;
	uint32_t order; /* as read, for those of one time */
	uint32_t process, thread;
	uint64_t time, length; /* ns */
	uint64_t id;
	struct tr2_value category, name, args;
};

/* Zero it at first. */
struct tr2_chrome_log {
	const char *name;	       /* of the present file, for messages */
	struct tr2_chrome_text *files; /* whose texts stay */
	struct tr2_vec events;	       /* struct tr2_chrome_event */
	unsigned long broken;	/* events that can't be read, or the rest */
	unsigned long left_out; /* events of other phases */
	unsigned long cut;	/* texts that were too long */
};

/* Is this a file of Chrome's trace events? Nothing of it is taken. */
bool tr2_chrome_log_is(int fd);

/* Read it. What is wrong is told. */
void tr2_chrome_log_read(struct tr2_chrome_log *log, int fd);

/* Write an archive of all files; without an event, nothing. */
void tr2_chrome_log_write(struct tr2_chrome_log *log, struct tr2_buf *out);

void tr2_chrome_log_release(struct tr2_chrome_log *log);

#endif
