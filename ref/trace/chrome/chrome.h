/*
 * chrome.h - write an archive's records as Chrome's trace events.
 *
 *	a record --> tr2_chrome_record() --> lines of JSON in a buffer
 *
 * This room only makes text. It knows how each record and each type of value
 * looks in JSON; it does not know where records come from or where the text
 * goes. The agent's clients use it in a program that is traced, and the
 * commands `convert` and `dump` use it for archives. It keeps nothing between
 * calls but what its caller holds in a struct tr2_chrome, so several threads
 * can use it at once, each with its own.
 *
 * The file is a JSON array with one event on each line, and the comma at the
 * start of the line; so a file that was cut by a crash loads up to its last
 * whole line. Text is written as UTF-8, because one known reader refuses a
 * file that contains an escape for half of a surrogate pair.
 */
#ifndef TR2_TRACE_CHROME_CHROME_H
#define TR2_TRACE_CHROME_CHROME_H

#include "trace/reader.h"
#include "base/buf.h"

struct tr2_chrome {
	struct tr2_buf *out;
	bool any;      /* an event was written */
	uint64_t cpus; /* bits: of the first 64, those that have a name */
	/* Number of records that this format can't show, by type. */
	unsigned long left_out[FXT_LARGE + 1];
};

void tr2_chrome_begin(struct tr2_chrome *chrome, struct tr2_buf *out);
/* A tr2_fxt_fn. */
void tr2_chrome_record(void *context, const struct trace_reader_record *record);

/* Is this an event that describes its process? SPEC: chrome.metadata.event */
bool tr2_chrome_is_metadata(const struct trace_reader_record *record);

/*
 * Write lines that a file of this process has: when the process began, if
 * something tells; which program wrote it; the name of a process or thread, and
 * if `place` is not 0, where viewers show it; how many events were dropped so
 * far.
 */
void tr2_chrome_put_start(struct tr2_chrome *chrome);
void tr2_chrome_put_writer(struct tr2_chrome *chrome);
void tr2_chrome_put_name(struct tr2_chrome *chrome,
			 const struct trace_reader_record *record, int place);
void tr2_chrome_put_dropped(struct tr2_chrome *chrome, uint64_t dropped);

void tr2_chrome_end(struct tr2_chrome *chrome);

#endif
