/*
 * feed.h - the engine's records for the agent. All functions but
 * tr2_agent_feed_step() need the agent's lock.
 */
#ifndef TR2_TRACE_AGENT_FEED_H
#define TR2_TRACE_AGENT_FEED_H

#include <stdint.h>

#include "trace/buffer.h"
#include "trace/reader.h"

struct tr2_agent_feed_sink {
	void (*record)(const struct trace_reader_record *record);
	/* No more records for now; so many were dropped so far. */
	void (*flush)(uint64_t dropped);
};

/* Start the engine. 0, EBUSY or ENOMEM. */
int tr2_agent_feed_begin(const struct tr2_agent_feed_sink *sink);

/* Pass on full parts. Returns in how many ms to call it again. */
int tr2_agent_feed_serve(void);

/* Pass on all records so far. Never waits. */
void tr2_agent_feed_flush(void);

/* Pass the words of all definitions so far to `run`. */
void tr2_agent_feed_repeat(trace_buffer_run *run, void *context);

/* Stop the engine, and pass on the rest. */
void tr2_agent_feed_end(void);

/* In a forked child: forget what the parent's thread was reading with. */
void tr2_agent_feed_forget(void);

/* Sleep for a tenth of a millisecond. Async-signal-safe. */
void tr2_agent_feed_step(void);

#endif
