/*
 * chrome.h - an archive's records as Chrome's trace events.
 *
 * A JSON array with an event on each line and the comma in front of it, so
 * that what was written before a crash loads up to its last whole line.
 * Text is UTF-8 as it is: one known reader refuses a file with an escape
 * of half a surrogate pair.
 */
#ifndef TR2_TRACE_AGENT_CHROME_H
#define TR2_TRACE_AGENT_CHROME_H

#include "trace/reader.h"
#include "base/buf.h"

struct tr2_chrome {
	struct tr2_buf *out;
	bool any; /* there was an event */
	/* Records that have no form in this format, by type. */
	unsigned long left_out[FXT_LARGE + 1];
};

void tr2_chrome_begin(struct tr2_chrome *chrome, struct tr2_buf *out);
/* Of type tr2_fxt_fn. */
void tr2_chrome_record(void *context, const struct trace_reader_record *record);

/* A line of metadata: `value` is JSON. */
void tr2_chrome_meta(struct tr2_chrome *chrome, const char *name,
		     uint64_t process, uint64_t thread, const char *key,
		     const char *value);
void tr2_chrome_end(struct tr2_chrome *chrome);

#endif
