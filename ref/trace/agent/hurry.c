#include "trace/agent/hurry.h"

#include <errno.h>

#include "host/cancel.h"
#include "ending/death.h"
#include "host/generation.h"
#include "host/host.h"
#include "descriptor/wake_pipe.h"
#include "trace/agent/agent.h"
#include "trace/agent/feed.h"

/*
 * How long a dying process waits for its clients: as long as they are given
 * records. Without one for a second they have stopped; less than that a busy
 * machine may take to let the thread run.
 */
#define IDLE_NS UINT64_C(1000000000)
#define WHOLE_NS (5 * IDLE_NS)

/* Where the clock stands still, steps of a tenth of a millisecond count. */
#define IDLE_STEPS 10000
#define WHOLE_STEPS (5 * IDLE_STEPS)

/* Members but the pipe are atomic. */
static struct {
	struct tr2_wake_pipe wake;
	int calls;	  /* pass on everything at once */
	uint64_t answers; /* the number of times that this was done */
	uint64_t passed;  /* the number of records that clients were given */
	uint32_t ends_in; /* the process of which a thread passes on the rest */
	uint32_t home;	  /* the process that has the agent */
	int is_early;	  /* signals but SIGINT are handled for a user */
} hurry;

/*
 * The pipe: it may be lost, and then the thread looks when the feed is due.
 */

/*
 * The pipe is not read where it has nothing more: by then the host may have a
 * pipe of its own with this number, and a read of it would wait for ever.
 */
static bool empty_pipe(int *fd)
{
	char bytes[64];
	bool had_bytes = false;
	size_t got;

	do {
		got = tr2_wake_pipe_take(&hurry.wake, bytes, sizeof(bytes));
		had_bytes = had_bytes || got;
	} while (got == sizeof(bytes));
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

/* One thread at a time passes records on. */
void tr2_hurry_note_record(void)
{
	__atomic_store_n(&hurry.passed,
			 __atomic_load_n(&hurry.passed, __ATOMIC_RELAXED) + 1,
			 __ATOMIC_RELAXED);
}

void tr2_hurry_expect_end(void)
{
	__atomic_store_n(&hurry.ends_in, tr2_generation(), __ATOMIC_RELEASE);
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

struct patience {
	uint64_t start;
	uint64_t since; /* when records were last seen to pass */
	uint64_t passed;
	int steps;
	int idle_steps; /* since then */
};

static void see_progress(struct patience *wait, uint64_t now)
{
	const uint64_t passed =
		__atomic_load_n(&hurry.passed, __ATOMIC_RELAXED);

	if (passed == wait->passed)
		return;
	wait->passed = passed;
	wait->since = now;
	wait->idle_steps = 0;
}

/* A step takes longer than asked for, so the clock decides if it runs. */
static int may_step(struct patience *wait)
{
	const uint64_t now = tr2_host->mono_ns();

	see_progress(wait, now);
	return wait->steps++ < WHOLE_STEPS && wait->idle_steps++ < IDLE_STEPS &&
	       now - wait->start < WHOLE_NS && now - wait->since < IDLE_NS;
}

static struct patience begin_patience(void)
{
	const uint64_t now = tr2_host->mono_ns();

	return (struct patience){
		.start = now,
		.since = now,
		.passed = __atomic_load_n(&hurry.passed, __ATOMIC_RELAXED),
	};
}

static void wait_for_answer(uint64_t before)
{
	struct patience wait = begin_patience();

	while (__atomic_load_n(&hurry.answers, __ATOMIC_ACQUIRE) == before &&
	       may_step(&wait))
		tr2_agent_feed_step();
}

/* A child of fork(2) or clone(2) has none of its parent's threads. */
static bool is_here(const uint32_t *process)
{
	return __atomic_load_n(process, __ATOMIC_ACQUIRE) == tr2_generation();
}

/* Another thread is in exit(3), and a signal hits this one. */
static void wait_for_end(void)
{
	struct patience wait = begin_patience();

	while (is_here(&hurry.ends_in) && may_step(&wait))
		tr2_agent_feed_step();
}

/* Async-signal-safe. */
void tr2_agent_hurry(void)
{
	const int cancel = tr2_cancel_forbid(), error = errno;
	uint64_t before = __atomic_load_n(&hurry.answers, __ATOMIC_ACQUIRE);

	if (tr2_agent_categories() && tr2_agent_has_thread() &&
	    is_here(&hurry.home)) {
		tr2_hurry_call();
		wait_for_answer(before);
	}
	wait_for_end();
	errno = error;
	tr2_cancel_allow(cancel);
}

/* Without the thread a handler of signals can't do it. */
void tr2_hurry_quick_exit(void)
{
	if (!tr2_agent_has_thread() && !tr2_death_may_be_in_handler())
		tr2_agent_flush();
	tr2_agent_hurry();
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
	if (caller == &tr2_agent_user) {
		tr2_death_watch_early(TR2_DEATH_AGENT);
		__atomic_store_n(&hurry.is_early, 1, __ATOMIC_RELEASE);
	} else if (caller && tr2_host_is_program(caller)) {
		tr2_death_watch(TR2_DEATH_AGENT);
	}
}

/* SPEC: tracing.signal */
void tr2_hurry_watch_rest(void)
{
	if (__atomic_exchange_n(&hurry.is_early, 0, __ATOMIC_ACQ_REL))
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
	__atomic_store_n(&hurry.home, tr2_generation(), __ATOMIC_RELEASE);
	tr2_death_join(TR2_DEATH_AGENT, &death);
	return 0;
}

void tr2_hurry_end(void)
{
	tr2_death_quit(TR2_DEATH_AGENT);
	__atomic_store_n(&hurry.is_early, 0, __ATOMIC_RELEASE);
	tr2_wake_pipe_close(&hurry.wake);
	__atomic_store_n(&hurry.ends_in, 0, __ATOMIC_RELEASE);
}
