#include "trace/agent/hurry.h"

#include <errno.h>

#include "host/cancel.h"
#include "host/death.h"
#include "host/host.h"
#include "descriptor/wake_pipe.h"
#include "trace/agent/agent.h"
#include "trace/agent/feed.h"

/* How long a dying process waits for its clients. */
#define HURRY_NS 100000000u

static struct {
	struct tr2_wake_pipe wake;
	int calls;	  /* atomic: pass on everything at once */
	uint64_t answers; /* atomic: the number of times that this was done */
} hurry;

/*
 * The pipe: it may be lost, and then the thread looks when the feed is due.
 */

static bool empty_pipe(int *fd)
{
	char bytes[64];
	bool had_bytes = false;

	while (tr2_wake_pipe_take(&hurry.wake, bytes, sizeof(bytes)))
		had_bytes = true;
	*fd = hurry.wake.reader.fd;
	return had_bytes;
}

bool tr2_hurry_take(int *fd, bool is_ready)
{
	bool is_called = is_ready && empty_pipe(fd);

	return __atomic_exchange_n(&hurry.calls, 0, __ATOMIC_ACQ_REL) ||
	       is_called;
}

void tr2_hurry_finish(void)
{
	__atomic_fetch_add(&hurry.answers, 1, __ATOMIC_RELEASE);
}

/*
 * Calls
 */

void tr2_hurry_call(void)
{
	int error = errno;

	if (tr2_agent_categories()) {
		__atomic_store_n(&hurry.calls, 1, __ATOMIC_RELEASE);
		tr2_wake_pipe_put(&hurry.wake, "", 1);
	}
	errno = error;
}

/*
 * A sleep takes longer than asked for, ten times as long if the system's
 * timers are coarse. So the clock decides when to stop; the number of sleeps
 * limits the wait only if the clock stands still.
 */
static void wait_for_answer(uint64_t before)
{
	const uint64_t start = tr2_host->mono_ns();
	int tries;

	for (tries = 0; tries < TR2_AGENT_FEED_STEPS; tries++) {
		if (__atomic_load_n(&hurry.answers, __ATOMIC_ACQUIRE) !=
			    before ||
		    tr2_host->mono_ns() - start >= HURRY_NS)
			break;
		tr2_agent_feed_step();
	}
}

/* Async-signal-safe. */
void tr2_agent_hurry(void)
{
	const int cancel = tr2_cancel_forbid(), error = errno;
	uint64_t before = __atomic_load_n(&hurry.answers, __ATOMIC_ACQUIRE);

	if (tr2_agent_categories() && tr2_agent_has_thread()) {
		tr2_hurry_call();
		wait_for_answer(before);
	}
	errno = error;
	tr2_cancel_allow(cancel);
}

/*
 * Signals
 */

/* SPEC: tracing.signal */
static int pass_on(int signo)
{
	(void)signo;
	tr2_agent_hurry();
	return 0;
}

const char tr2_agent_user = 0;

void tr2_hurry_watch(const void *caller)
{
	if (caller == &tr2_agent_user)
		tr2_death_watch_early(TR2_DEATH_AGENT);
	else if (caller && tr2_host_is_program(caller))
		tr2_death_watch(TR2_DEATH_AGENT);
}

/*
 * Beginning and end
 */

int tr2_hurry_begin(int *fd)
{
	static const struct tr2_death death = { pass_on, NULL };

	if (tr2_wake_pipe_open(&hurry.wake))
		return errno;
	*fd = hurry.wake.reader.fd;
	hurry.calls = 0;
	tr2_death_join(TR2_DEATH_AGENT, &death);
	return 0;
}

void tr2_hurry_end(void)
{
	tr2_death_quit(TR2_DEATH_AGENT);
	tr2_wake_pipe_close(&hurry.wake);
}
