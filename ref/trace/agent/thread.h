/*
 * thread.h - is there a thread that runs the agent's loop? One thread at a
 * time calls these; tr2_agent_has_thread() may be called at any time.
 */
#ifndef TR2_TRACE_AGENT_THREAD_H
#define TR2_TRACE_AGENT_THREAD_H

#include <stdbool.h>

#include "trace/loop.h"

/* There is none yet; the first event calls `begin` (see tr2_trace_await()). */
void tr2_agent_thread_expect(int (*begin)(void));

/*
 * Begin it, if it is expected. false: the system has no thread for us now;
 * whoever traces next calls this again.
 */
bool tr2_agent_thread_begin(struct trace_loop *loop);

bool tr2_agent_thread_runs(void);

/*
 * This thread ends, and the loop with it: the system may wait for its end. From
 * now on there is none, and each event calls `begin`.
 */
void tr2_agent_thread_retire(struct trace_loop *loop);

/* The loop is about to end, or will have no thread. */
void tr2_agent_thread_end(void);

/* The same in a forked child, where the thread is the parent's. */
void tr2_agent_thread_forget(void);

#endif
