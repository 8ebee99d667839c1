/*
 * process.h - the state of the process, and how a call becomes lines.
 *
 * A public call does three things:
 *
 *	self = tr2_begin(&event, KIND, file, line);	NULL: nothing to do
 *	event.… = …;					what the call knows
 *	tr2_finish(self, &event);			to every target
 *
 * Between the two the thread is inside of the library (tr2_thread_inside),
 * and so it is in the handlers of fork(2), at its own end and at exit. A call
 * from there, by a hook, a handler or a function of the host's that the
 * library calls, is dropped and counted; it waits for nothing.
 *
 * Locks: `threads` (names, totals, registrations), then one for each stream
 * (inside its destination). No other order. See process/lock.c.
 */
#ifndef TR2_PROCESS_PROCESS_H
#define TR2_PROCESS_PROCESS_H

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/types.h>

#include "trace2.h"
#include "host/generation.h"
#include "host/hold.h"
#include "host/host.h"
#include "session/metric.h"
#include "event/event.h"
#include "session/session.h"
#include "config/settings.h"
#include "target/target.h"
#include "session/thread.h"

struct tr2_process {
	/* Constant once initialized; a forked child renews start_us. */
	struct tr2_settings settings;
	const char *program;
	uint64_t start_us; /* t_abs counts from here */
	int has_clock;
	int initialized; /* atomic */

	/* Atomic. */
	uint32_t generation; /* process that the session's events are of */
	uint32_t beginning;  /* whose session a thread has begun to make */
	uint32_t ended;	     /* that has called tr2_at_exit() without one */
	int forking;	     /* threads between the handlers of a fork */
	int dying;	     /* a signal is being written */
	int next_child;
	int next_exec;
	int next_repo;
	unsigned next_thread;
	int listed_config;
	int listed_env;
	uint64_t dropped;	   /* lost before they reached a target */
	uint64_t dropped_in_child; /* before its session began */
	uint64_t waited_ns;	   /* time spent on slow readers */

	int exit_seen; /* set last, under the lock `threads` */

	/* Where trace2_initialize() was called; constant. */
	char *begin_file;
	int begin_line;

	/*
	 * The code and place of atexit; the thread that sets exit_seen writes
	 * them.
	 */
	int exit_code;
	int exit_line;
	char *exit_file;

	/* Under the lock `threads`. */
	struct tr2_session session;
	uint32_t session_generation; /* atomic: its process; 0: none yet */
	struct tr2_metrics metrics[TR2_METRIC_KIND_COUNT];
	char **argv;	  /* of the first start, without passwords */
	char **worktrees; /* of repositories 1, 2, … */
	size_t worktrees_room;

	struct tr2_thread_place *first_place; /* atomic, see process/others.c */

	/* A fork sets these in the child; constant from then on. */
	uint32_t fork_generation; /* atomic, set last */
	uint64_t fork_us;
	pthread_t fork_thread;

	/* Only signal handlers use this. */
	struct tr2_thread signal_thread;
	char signal_line[8192];

	pthread_mutex_t threads_lock;
	pthread_mutex_t export_lock; /* of who changes the environment */
	size_t exported; /* under it: bytes of all hierarchies there */
	pthread_key_t thread_key;
};

extern struct tr2_process tr2_process;

/* So many targets do not get an event. Async-signal-safe. */
static inline void tr2_count_drops(unsigned lost)
{
	__atomic_fetch_add(&tr2_process.dropped, lost, __ATOMIC_RELAXED);
}

/*
 * Is this a forked child that has not written yet? Its events are not of the
 * session. Async-signal-safe.
 */
static inline int tr2_is_forked(void)
{
	return tr2_generation() !=
	       __atomic_load_n(&tr2_process.generation, __ATOMIC_ACQUIRE);
}

/* Returns the hierarchy, which ends with the name, and exports it. */
const char *tr2_set_name(struct tr2_thread *self, const char *name);

/*
 * Take the lock `threads`: 1, or 0 if a fork has it for too long. What the
 * lock protects is then left alone, and what is lost is counted.
 */
int tr2_lock_threads(struct tr2_hold *hold);
void tr2_unlock_threads(const struct tr2_hold *hold);

/* Returns us on the host's monotonic clock. Async-signal-safe. */
uint64_t tr2_now_us(void);

/*
 * Make sure that this process has its own session: a first one is below the
 * SID in the environment, that of a forked child is below its parent's.
 */
enum tr2_session_state {
	TR2_SESSION_READY,
	TR2_SESSION_BUSY,  /* a fork has the lock for too long: try later */
	TR2_SESSION_FAILED /* there is no memory */
};
enum tr2_session_state tr2_session_renew(void);

/*
 * Begin a call: the calling thread's state, marked busy, and an event of
 * that kind with its place, thread and t_abs filled in. NULL: tracing is
 * off, or the event was counted as dropped. Keeps errno for tr2_end().
 */
struct tr2_thread *tr2_begin(struct tr2_event *event, enum tr2_event_kind kind,
			     const char *file, int line);

/*
 * The part of tr2_begin() without an event, if something has to be found out
 * first.
 */
struct tr2_thread *tr2_begin_slowly(const char *file, int line);

/*
 * Is there nothing to find out: tracing is on, and this thread is known and
 * not inside a call?
 */
static inline int tr2_is_ready(const struct tr2_thread *self)
{
	return self && !tr2_thread_inside && !self->is_stale &&
	       __atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE) &&
	       !tr2_is_forked();
}

/*
 * Enter the library, and leave it with the errno of before. While a thread ends
 * the process, it waits for those that it sees busy. Once the thread has left,
 * a signal handler may make a call, and its errno is in `self`.
 */
static inline void tr2_enter(struct tr2_thread *self)
{
	tr2_thread_inside = 1;
	self->saved_errno = errno;
	__atomic_store_n(&self->place->busy, 1, __ATOMIC_RELAXED);
}

static inline void tr2_leave(struct tr2_thread *self)
{
	const int error = self->saved_errno;

	__atomic_store_n(&self->place->busy, 0, __ATOMIC_RELEASE);
	tr2_thread_inside = 0;
	errno = error;
}

/*
 * The same for a thread that may have no state: 1, or 0 if it is inside. In
 * this case the call is dropped, and counted if tracing is on.
 */
int tr2_enter_unknown(void);

static inline void tr2_leave_unknown(void)
{
	tr2_thread_inside = 0;
}

/* As tr2_begin(), for a call without an event; tr2_end_quiet() ends it. */
static inline struct tr2_thread *tr2_begin_quiet(const char *file, int line)
{
	struct tr2_thread *self = tr2_thread_self();

	if (!tr2_is_ready(self))
		return tr2_begin_slowly(file, line);
	tr2_enter(self);
	return self;
}

static inline void tr2_end_quiet(struct tr2_thread *self)
{
	tr2_leave(self);
}

/*
 * Returns the state of a thread that never called trace2_thread_start(). NULL
 * if memory fails.
 */
struct tr2_thread *tr2_begin_unknown(void);

/*
 * Make the calling thread's state, by which it is known from now on. NULL if
 * memory fails. tr2_forget_thread() is the opposite.
 */
struct tr2_thread *tr2_know_thread(unsigned id, const char *name);
void tr2_forget_thread(struct tr2_thread *self);

/* Fill in a new event of a call: its kind, place, thread and times. */
void tr2_fill_event(const struct tr2_thread *self, struct tr2_event *event,
		    enum tr2_event_kind kind, const char *file, int line);

/* Begin another event of the same call, with the same place. */
void tr2_next(struct tr2_thread *self, struct tr2_event *event,
	      enum tr2_event_kind kind);

/* For a text that the caller may omit, and a field that must not be NULL. */
static inline const char *tr2_or_empty(const char *text)
{
	return text ? text : "";
}

/*
 * Find out whether the setting's list of categories lacks that of a region or
 * a fact. The caller then leaves the thread's regions alone and still emits
 * the event: the binary targets judge by themselves, because they may have
 * another list, and need no nesting. If no other target is on, regions may be
 * two calls (see target/target.h), and each of them counts.
 * SPEC: category.list, category.nesting
 */
void tr2_judge_category(struct tr2_event *event);

/* Write the event to every target that shows it. */
void tr2_emit(struct tr2_thread *self, struct tr2_event *event);

/* End the call. tr2_finish(): emit, then end. */
void tr2_end(struct tr2_thread *self);
void tr2_finish(struct tr2_thread *self, struct tr2_event *event);

/*
 * Replace passwords in the event's redacted field, if it has one: the field
 * then points to the thread's memory.
 * SPEC: redact.where
 */
void tr2_redact_event(struct tr2_thread *self, struct tr2_event *event);

/* Write version and too_many_files, with which a session begins. */
void tr2_emit_session(struct tr2_thread *self, struct tr2_event *event);

/* Returns the options with which the session's targets are opened. */
struct tr2_target_options tr2_target_options(void);

/* Keep what a forked child has to repeat. */
void tr2_keep_argv(const char *const *argv);
void tr2_keep_worktree(int repo, const char *worktree);

/*
 * Write the events of a thread's timers and counters, then add them to the
 * totals. tr2_emit_totals() writes the totals.
 */
void tr2_emit_shares(struct tr2_thread *self, struct tr2_event *event);
void tr2_emit_totals(struct tr2_thread *self, struct tr2_event *event);
void tr2_fold_shares(struct tr2_thread *self);

/*
 * Take over the timers and counters of a thread that ends, or gets another
 * name, without trace2_thread_exit().
 * SPEC: counter.per-thread, timer.no-thread-exit
 */
void tr2_leave_shares(struct tr2_thread *self);

/*
 * The list of threads that trace, for the one that ends the process: see
 * process/others.c. In a forked child only the calling thread is left.
 */
int tr2_others_add(struct tr2_thread *self); /* -1: memory fails */
void tr2_others_remove(struct tr2_thread *self);
void tr2_others_forget(const struct tr2_thread *self);

/*
 * Let no more calls begin, and wait for those that are running, as long as
 * slow readers may delay the host. Async-signal-safe.
 */
void tr2_others_finish(const struct tr2_thread *self);

/* Fork: handlers are registered by tr2_fork_watch(). SPEC: chapter fork.* */
void tr2_fork_watch(void);
/* The thread ends, perhaps in a handler of its fork: give the locks back. */
void tr2_fork_leave(void);
/*
 * Begin the session of a forked child that has not written yet. The caller is
 * inside. 0 if that is not possible now, for the handlers of the fork have
 * not run: the call is dropped.
 */
int tr2_fork_begin(const char *file, int line);

static inline int tr2_fork_check(const char *file, int line)
{
	return !tr2_is_forked() || tr2_fork_begin(file, line);
}

/*
 * Signals: see process/signal.c. `caller` is the code that started tracing;
 * if it is not part of the program, handlers are installed only if the
 * settings ask for them.
 * SPEC: signal.library
 */
void tr2_signal_watch(const void *caller);
/*
 * The agent watches signals for its user. If the caller may not have handlers,
 * it leaves SIGINT to the host.
 */
void tr2_signal_spare(const void *caller);

/*
 * Returns who the calling thread is, for an event that a signal handler
 * writes, whatever it has interrupted. Async-signal-safe.
 */
const struct tr2_thread *tr2_signal_thread(void);

/* Note that the program exits. 1 if this is the first time. */
int tr2_exit_seen(const char *file, int line, int code);

/*
 * Returns the place for the library's own events at the end: the program's
 * last call about its life. Async-signal-safe.
 */
const char *tr2_exit_place(int *line);

/* Write exit (if the program did not), totals and atexit. */
void tr2_at_exit(int code);

/*
 * Returns the formatted message, which is valid until the next one of this
 * thread. NULL if the format is empty or missing.
 */
const char *tr2_message(struct tr2_thread *self, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

#endif
