#include "trace/agent/thread.h"

#include "trace/engine.h"
#include "host/host.h"
#include "host/system.h"
#include "trace/agent/agent.h"
#include "trace/engine/last.h"
#include "trace/engine/loop.h"
#include "trace/engine/session.h"

#define RETRY_NS UINT64_C(100000000)

enum thread_state { THREAD_NONE, THREAD_DUE, THREAD_RUNS, THREAD_RETIRED };

static int thread; /* atomic: an enum thread_state */
static int (*begin_thread)(void);
static uint64_t refused_ns; /* when the system last had no thread for us */

static enum thread_state get_state(void)
{
	return (enum thread_state)__atomic_load_n(&thread, __ATOMIC_ACQUIRE);
}

static void set_state(enum thread_state state)
{
	__atomic_store_n(&thread, (int)state, __ATOMIC_RELEASE);
}

void tr2_agent_thread_expect(int (*begin)(void))
{
	refused_ns = 0;
	begin_thread = begin;
	set_state(THREAD_DUE);
	tr2_trace_await(begin);
}

/* Each attempt costs a host that has none more than an event. */
static bool may_try(uint64_t now)
{
	return !refused_ns || now - refused_ns >= RETRY_NS;
}

static bool try_thread(struct trace_loop *loop)
{
	const uint64_t now = tr2_host->mono_ns();

	if (!may_try(now))
		return false;
	refused_ns = now;
	if (tr2_loop_start_own_thread(loop, tr2_host_is_apart()
						    ? TR2_APART_THREAD
						    : TR2_AGENT_THREAD))
		return false;
	refused_ns = 0;
	return true;
}

bool tr2_agent_thread_begin(struct trace_loop *loop)
{
	const enum thread_state state = get_state();

	if (state == THREAD_NONE || state == THREAD_RUNS)
		return true;
	if (state == THREAD_RETIRED || !try_thread(loop))
		return false;
	tr2_last_add_helper();
	set_state(THREAD_RUNS);
	return true;
}

bool tr2_agent_thread_runs(void)
{
	return get_state() == THREAD_RUNS;
}

/* Threads that have traced already look for it in a new epoch. */
void tr2_agent_thread_retire(struct trace_loop *loop)
{
	tr2_last_remove_helper();
	set_state(THREAD_RETIRED);
	tr2_trace_await(begin_thread);
	trace_engine_renew_categories();
	trace_loop_quit(loop);
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
