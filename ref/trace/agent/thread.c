#include "trace/agent/thread.h"

#include "host/system.h"
#include "trace/agent/agent.h"
#include "trace/engine/last.h"
#include "trace/engine/session.h"

enum thread_state { THREAD_NONE, THREAD_DUE, THREAD_RUNS };

static int thread; /* atomic: an enum thread_state */

static enum thread_state get_state(void)
{
	return (enum thread_state)__atomic_load_n(&thread, __ATOMIC_ACQUIRE);
}

static void set_state(enum thread_state state)
{
	__atomic_store_n(&thread, (int)state, __ATOMIC_RELEASE);
}

void tr2_agent_thread_expect(void)
{
	set_state(THREAD_DUE);
}

void tr2_agent_thread_begin(struct trace_loop *loop)
{
	if (get_state() != THREAD_DUE)
		return;
	if (trace_loop_start_thread(loop, TR2_AGENT_THREAD)) {
		set_state(THREAD_NONE);
		return;
	}
	tr2_last_add_helper();
	set_state(THREAD_RUNS);
}

bool tr2_agent_thread_runs(void)
{
	return get_state() == THREAD_RUNS;
}

void tr2_agent_thread_end(void)
{
	if (get_state() == THREAD_RUNS)
		tr2_last_remove_helper();
	set_state(THREAD_NONE);
}

void tr2_agent_thread_forget(void)
{
	set_state(THREAD_NONE);
}

/* If nobody waits for the first event any more, it may be beginning. */
bool tr2_agent_has_thread(void)
{
	const enum thread_state state = get_state();

	return state == THREAD_RUNS ||
	       (state == THREAD_DUE && !tr2_trace_is_awaited());
}
