/*
 * feed.h - the records of the engine, for the agent. All but
 * tr2_agent_feed_step() under the agent's lock.
 */
#ifndef TR2_TRACE_AGENT_FEED_H
#define TR2_TRACE_AGENT_FEED_H

#include <stdint.h>

#include "trace/reader.h"

/* As often as it takes, a step is a tenth of a millisecond. */
#define TR2_AGENT_FEED_STEPS 1000

struct tr2_agent_feed_sink {
	void (*record)(const struct trace_reader_record *record);
	/* No more for now; so many were dropped until here. */
	void (*flush)(uint64_t dropped);
};

/* Start the engine. 0, EBUSY or ENOMEM. */
int tr2_agent_feed_begin(const struct tr2_agent_feed_sink *sink);

/* Give what is full. Returns within how many ms to be called again. */
int tr2_agent_feed_serve(void);

/* Give all that was traced until now, unless a thread won't have it. */
void tr2_agent_feed_flush(void);

/* Stop the engine, and give what is left. */
void tr2_agent_feed_end(void);

/* Wait a little. Async-signal-safe. */
void tr2_agent_feed_step(void);

#endif
