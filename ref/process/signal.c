/*
 * Signals that end the program: write a `signal` event, and then let the
 * program die as it would have. Only for signals that the program left at
 * their default.
 * SPEC: chapter signal.*
 *
 * The handler is that of ending/death.h. Everything below write_first() is
 * async-signal-safe: it allocates no memory and waits for no lock, and it
 * builds the line in memory that was prepared.
 */
#include "process/process.h"

#include <errno.h>
#include <signal.h>

#include "trace2.h"
#include "host/cancel.h"
#include "ending/copies.h"
#include "ending/death.h"
#include "host/host.h"

/* Define the function behind the macro of the same name. */
#undef trace2_signal

/*
 * The thread that was hit may be in the middle of an event, so its own
 * buffers and caches are not touched.
 */
static void write_event(struct tr2_event *event)
{
	struct tr2_target_memory memory = {
		.line = TR2_BUF_FIXED(tr2_process.signal_line),
	};

	tr2_count_drops(tr2_targets_event_in_signal(event, &memory));
}

/*
 * A thread that never traced gets the name of its first event. So does the
 * thread that forked, while its state is still that of the parent's session.
 */
const struct tr2_thread *tr2_signal_thread(void)
{
	const struct tr2_thread *self = tr2_thread_self();
	unsigned id;

	if (self && self->place &&
	    !__atomic_load_n(&self->is_stale, __ATOMIC_ACQUIRE))
		return self;
	if (self && self->is_stale) {
		tr2_thread_name(&tr2_process.signal_thread, 0, "main");
		return &tr2_process.signal_thread;
	}
	id = 1 +
	     __atomic_fetch_add(&tr2_process.next_thread, 1, __ATOMIC_RELAXED);
	tr2_thread_name(&tr2_process.signal_thread, id, "unknown");
	return &tr2_process.signal_thread;
}

static void write_signal(int signo)
{
	const struct tr2_thread *self = tr2_signal_thread();
	struct tr2_event event = {
		.kind = TR2_EVENT_SIGNAL,
		.origin = &self->origin,
		.open_regions = tr2_thread_open_regions(self),
		.signo = signo,
	};

	event.file = tr2_exit_place(&event.line);
	event.mono_ns = tr2_host->mono_ns();
	event.t_abs = event.mono_ns / 1000 - tr2_process.start_us;
	event.wall_us = tr2_host->wall_us();
	write_event(&event);
}

/*
 * Only the first signal is written, and nothing in a child that has not
 * traced yet.
 */
static int write_first(int signo)
{
	int cancel;

	if (!__atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE) ||
	    tr2_is_forked() || tr2_generation_is_guest() ||
	    __atomic_exchange_n(&tr2_process.dying, 1, __ATOMIC_ACQ_REL))
		return 0;
	/* SPEC: stream.signal.last */
	__atomic_store_n(&trace2_enabled_, 0, __ATOMIC_RELEASE);
	cancel = tr2_cancel_forbid();
	tr2_others_finish(tr2_thread_self());
	write_signal(signo);
	tr2_cancel_allow(cancel);
	return 1;
}

/* Who outlives its signal, as under a debugger that keeps it, is traced. */
static void live_on(int was_written)
{
	if (was_written)
		__atomic_store_n(&trace2_enabled_, 1, __ATOMIC_RELEASE);
}

void trace2_signal(int signo)
{
	int error = errno;

	write_first(signo);
	tr2_targets_hurry();
	errno = error;
}

static struct tr2_copies size_limit;

/*
 * The limit may have been set a moment ago, and only some events check it:
 * see destination/look.h. The signal of a write reaches the writing thread at
 * once, and the write also fails with EFBIG.
 * SPEC: failure.sigxfsz
 */
static void on_size_limit(int signo)
{
	if (tr2_thread_inside || tr2_copies_pass_on(&size_limit, signo))
		return;
	signal(signo, SIG_DFL);
	raise(signo);
}

/*
 * Signals that we handle get their default action back, unless the handler is
 * not ours any more.
 */
void trace2_leave_signals(void)
{
	tr2_death_leave();
	tr2_copies_remove(&size_limit, SIGXFSZ, on_size_limit);
}

/* SPEC: settings.signals */
static int must_leave(void)
{
	if (tr2_process.settings.signals == 0)
		tr2_death_leave();
	return tr2_death_is_left();
}

/* SPEC: signal.library */
static int may_watch(const void *caller)
{
	return tr2_process.settings.signals > 0 || tr2_host_is_program(caller);
}

void tr2_signal_spare(const void *caller)
{
	if (!may_watch(caller))
		tr2_death_spare_interrupt();
}

void tr2_signal_watch(const void *caller)
{
	static const struct tr2_death death = { write_first, live_on };

	if (must_leave())
		return;
	/* It writes no event; it keeps the library from harming its host. */
	if (tr2_targets.write_lines)
		tr2_copies_install(&size_limit, SIGXFSZ, on_size_limit);
	tr2_death_join(TR2_DEATH_PROCESS, &death);
	if (may_watch(caller))
		tr2_death_watch(TR2_DEATH_PROCESS);
}
