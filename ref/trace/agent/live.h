/*
 * live.h - reads the rolling parts of the engine's buffer while threads are
 * writing to them, each record once.
 *
 * A thread only appends to its chunk, and then goes on in a chunk after it or
 * in the next pass. So the ends of the chunks are looked up backward, from
 * the last chunk of the newer pass to the first one of the older pass, and
 * then the records before these ends are read forward: in this way a thread's
 * records are always read in the order in which it wrote them.
 *
 * All functions need the agent's lock. A pass is the count of the buffer's
 * header; its part is `pass & 1`.
 */
#ifndef TR2_TRACE_AGENT_LIVE_H
#define TR2_TRACE_AGENT_LIVE_H

#include <stddef.h>
#include <stdint.h>

#include "trace/buffer.h"

/*
 * Receives whole records. Returns how many words of them it has taken; the
 * rest is passed to it again at the next reading.
 */
typedef size_t tr2_live_take(const uint64_t *records, size_t words);

/* Begin with a buffer that the engine has just cleared. */
void tr2_live_begin(const struct trace_buffer_header *buffer);

/*
 * Returns where the durable records end that follow `from` without one that
 * is not written yet. Both are offsets into the part, in bytes.
 */
uint64_t tr2_live_find_durable_end(uint64_t from);

/*
 * Look up where the first `count` chunks of a pass end now. The memory of the
 * others is not touched: to read it would make the system map it.
 */
void tr2_live_measure(uint32_t pass, size_t count);

/* Pass on the records before these ends that were not taken yet. */
void tr2_live_read(uint32_t pass, tr2_live_take *take);

/* The engine will use this part again, for another pass. */
void tr2_live_forget(uint32_t pass);

#endif
