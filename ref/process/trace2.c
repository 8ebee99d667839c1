/*
 * The library's life in a process, and the way from a call to the targets.
 * The public calls that only fill in an event are in calls.c and regions.c.
 */
#include "trace2.h"

#include <errno.h>
#include <limits.h>

#include "host/cancel.h"
#include "host/gate.h"
#include "host/host.h"
#include "host/memory.h"
#include "host/system.h"
#include "process/process.h"

int trace2_enabled_;

struct tr2_process tr2_process = {
	.program = TRACE2_VERSION,
	.threads_lock = PTHREAD_MUTEX_INITIALIZER,
	.export_lock = PTHREAD_MUTEX_INITIALIZER,
};

#define EVT "4" /* SPEC: event.version.evt */

/* The limit for memory that a thread keeps between events, for each buffer. */
#define KEEP_MAX ((size_t)1 << 20)

uint64_t tr2_now_us(void)
{
	return tr2_host->mono_ns() / 1000;
}

void trace2_initialize_clock(void)
{
	if (tr2_process.has_clock)
		return;
	tr2_process.start_us = tr2_now_us();
	tr2_process.has_clock = 1;
}

void trace2_set_program(const char *version)
{
	if (version)
		tr2_process.program = version;
}

/*
 * ---- From a call to the targets ----
 */

void tr2_fill_event(const struct tr2_thread *self, struct tr2_event *event,
		    enum tr2_event_kind kind, const char *file, int line)
{
	tr2_memory_zero(event, sizeof(*event));
	event->kind = kind;
	event->origin = &self->origin;
	event->file = file;
	event->line = line;
	event->open_regions = tr2_thread_open_regions(self);
	event->mono_ns = tr2_host->mono_ns();
	event->t_abs = event->mono_ns / 1000 - tr2_process.start_us;
}

struct tr2_thread *tr2_know_thread(unsigned id, const char *name)
{
	const uint64_t now_us = id ? tr2_now_us() : tr2_process.start_us;
	struct tr2_thread *self =
		tr2_thread_begin(&tr2_process.session, id, name, now_us);

	if (!self)
		return NULL;
	if (tr2_others_add(self)) {
		tr2_thread_end(self);
		return NULL;
	}
	tr2_host_key_set(tr2_process.thread_key, self);
	return self;
}

/* If no other state follows, the end of the thread must not find this one. */
void tr2_forget_thread(struct tr2_thread *self)
{
	tr2_host_key_set(tr2_process.thread_key, NULL);
	tr2_others_remove(self);
	tr2_thread_end(self);
}

/* SPEC: thread.unknown */
struct tr2_thread *tr2_begin_unknown(void)
{
	const unsigned id = 1 + __atomic_fetch_add(&tr2_process.next_thread, 1,
						   __ATOMIC_RELAXED);

	return tr2_know_thread(id, "unknown");
}

static int is_enabled(void)
{
	return __atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE);
}

/*
 * Who ends the process waits for threads that it sees busy, so look again
 * whether it has begun to.
 */
static int try_enter(struct tr2_thread *self)
{
	tr2_enter(self);
	__atomic_store_n(&self->place->busy, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&trace2_enabled_, __ATOMIC_SEQ_CST))
		return 1;
	__atomic_store_n(&self->place->busy, 0, __ATOMIC_RELEASE);
	return 0;
}

/* In a forked child it is the child's loss. */
static void drop_call(void)
{
	if (!is_enabled())
		return;
	if (tr2_is_forked())
		__atomic_fetch_add(&tr2_process.dropped_in_child, 1,
				   __ATOMIC_RELAXED);
	else
		tr2_count_drops(1);
}

int tr2_enter_unknown(void)
{
	if (tr2_thread_inside || (tr2_gates & TR2_GATE_OWN)) {
		drop_call();
		return 0;
	}
	tr2_thread_inside = 1;
	return 1;
}

/* The beginning of a child's session may switch tracing off. */
static struct tr2_thread *find_self(const char *file, int line)
{
	struct tr2_thread *self;

	if (!is_enabled() || !tr2_fork_check(file, line) || !is_enabled())
		return NULL;
	self = tr2_thread_self();
	if (!self)
		return tr2_begin_unknown();
	if (self->is_stale)
		tr2_thread_become_main(self, &tr2_process.session,
				       tr2_process.start_us);
	return self;
}

struct tr2_thread *tr2_begin_slowly(const char *file, int line)
{
	struct tr2_thread *self;
	int error = errno;

	if (!tr2_enter_unknown())
		return NULL;
	self = find_self(file, line);
	errno = error;
	if (self && try_enter(self))
		return self;
	tr2_leave_unknown();
	drop_call();
	return NULL;
}

static inline struct tr2_thread *begin_call(const char *file, int line)
{
	struct tr2_thread *self = tr2_thread_self();

	if (!tr2_is_ready(self))
		return tr2_begin_slowly(file, line);
	self->memory.waiting = TR2_TARGETS_ALL;
	tr2_enter(self);
	return self;
}

struct tr2_thread *tr2_begin(struct tr2_event *event, enum tr2_event_kind kind,
			     const char *file, int line)
{
	struct tr2_thread *self = begin_call(file, line);

	if (!self)
		return NULL;
	self->memory.waiting = TR2_TARGETS_ALL;
	tr2_fill_event(self, event, kind, file, line);
	return self;
}

void tr2_next(struct tr2_thread *self, struct tr2_event *event,
	      enum tr2_event_kind kind)
{
	self->memory.waiting = TR2_TARGETS_ALL;
	tr2_fill_event(self, event, kind, event->file, event->line);
}

/* Must a message be formatted for the event, or a password be replaced? */
static int lacks_text(const struct tr2_thread *self)
{
	return self->text.failed || self->scratch.failed || self->words.failed;
}

void tr2_emit(struct tr2_thread *self, struct tr2_event *event)
{
	unsigned lost;

	tr2_redact_event(self, event);
	lost = lacks_text(self) ? tr2_targets_count_on()
				: tr2_targets_event(event, &self->memory);
	if (lost)
		tr2_count_drops(lost);
	self->memory.waiting = 0;
}

static void trim_buf(struct tr2_buf *buf)
{
	if (buf->room > KEEP_MAX)
		tr2_buf_release(buf);
	tr2_buf_reset(buf);
}

void tr2_end(struct tr2_thread *self)
{
	trim_buf(&self->memory.line);
	trim_buf(&self->text);
	trim_buf(&self->scratch);
	trim_buf(&self->words);
	tr2_leave(self);
}

void tr2_finish(struct tr2_thread *self, struct tr2_event *event)
{
	tr2_emit(self, event);
	tr2_end(self);
}

/* SPEC: order.version-first, order.too-many-files */
void tr2_emit_session(struct tr2_thread *self, struct tr2_event *event)
{
	event->evt = EVT;
	event->exe = tr2_process.program;
	tr2_emit(self, event);
	tr2_next(self, event, TR2_EVENT_TOO_MANY_FILES);
	tr2_count_drops(tr2_targets_too_many_files(event, &self->memory));
	self->memory.waiting = 0;
}

/*
 * ---- Beginning ----
 */

static int is_session_ours(void)
{
	return __atomic_load_n(&tr2_process.session_generation,
			       __ATOMIC_ACQUIRE) == tr2_generation();
}

/* SPEC: session.child, fork.own-sid */
static int begin_own_session(void)
{
	struct tr2_session *session = &tr2_process.session;
	const char *sid = session->sid, *name = session->hierarchy;

	if (!tr2_process.session_generation) {
		sid = tr2_host->getenv("GIT_TRACE2_PARENT_SID");
		name = tr2_host->getenv("GIT_TRACE2_PARENT_NAME");
	}
	if (tr2_session_begin(session, sid, name))
		return -1;
	__atomic_store_n(&tr2_process.session_generation, tr2_generation(),
			 __ATOMIC_RELEASE);
	return 0;
}

enum tr2_session_state tr2_session_renew(void)
{
	struct tr2_hold hold;
	int failed = 0;

	if (is_session_ours())
		return TR2_SESSION_READY;
	if (!tr2_lock_threads(&hold))
		return TR2_SESSION_BUSY;
	if (!is_session_ours())
		failed = begin_own_session();
	tr2_unlock_threads(&hold);
	return failed ? TR2_SESSION_FAILED : TR2_SESSION_READY;
}

struct tr2_target_options tr2_target_options(void)
{
	return (struct tr2_target_options){
		.settings = &tr2_process.settings,
		.component = tr2_process.session.component,
		.depth = tr2_process.session.depth,
		.waited_ns = &tr2_process.waited_ns,
	};
}

static int open_targets(void)
{
	const struct tr2_target_options options = tr2_target_options();

	return tr2_targets_open(&options);
}

/* How often thread_gone() was called for this thread. */
static __thread unsigned ends __attribute__((tls_model("initial-exec")));

/*
 * Called for a thread that ends without trace2_thread_exit(). If it was
 * cancelled in the middle of a call, or has jumped out of one, its texts may
 * be half made, and its event is lost. Destructors of the host's may trace
 * again, and get a new state; near the last round they are dropped, for nobody
 * would free the state.
 * SPEC: timer.no-thread-exit
 */
static void thread_gone(void *unused)
{
	struct tr2_thread *self = tr2_thread_self();

	(void)unused;
	tr2_fork_leave();
	if (!self)
		return; /* it has forked, and never traced */
	if (tr2_thread_inside && !self->is_stale)
		tr2_count_drops(tr2_targets_leave_event(&self->memory));
	tr2_leave_shares(self);
	tr2_thread_inside = 1;
	tr2_forget_thread(self);
	if (++ends < PTHREAD_DESTRUCTOR_ITERATIONS - 1)
		tr2_leave_unknown();
}

/* Returns the main thread, or NULL. */
static struct tr2_thread *prepare_session(const char *file, int line)
{
	struct tr2_thread *self;

	if (tr2_host_key_create(&tr2_process.thread_key, thread_gone))
		return NULL;
	/* SPEC: timer.no-thread-exit, also of the main one */
	self = tr2_know_thread(0, "main");
	if (!self)
		return NULL;
	tr2_process.signal_thread.origin = self->origin;
	/* SPEC: session.export */
	tr2_host->setenv("GIT_TRACE2_PARENT_SID", tr2_process.session.sid);
	tr2_process.begin_file = file ? tr2_memory_copy(file) : NULL;
	tr2_process.begin_line = line;
	tr2_process.generation = tr2_generation();
	return self;
}

static void begin_session(struct tr2_thread *self, const char *file, int line,
			  const void *caller)
{
	struct tr2_event event;

	tr2_fork_watch();
	tr2_host->at_exit(tr2_at_exit);
	__atomic_store_n(&trace2_enabled_, 1, __ATOMIC_RELEASE);
	tr2_signal_watch(caller);
	tr2_enter(self);
	tr2_fill_event(self, &event, TR2_EVENT_VERSION, file, line);
	tr2_emit_session(self, &event);
	tr2_end(self);
}

/*
 * Without memory a setting may be lost, or all of the process's events: nobody
 * writes one that tells it.
 * SPEC: failure.memory
 */
static void report_loss(int memory)
{
	tr2_count_drops(1);
	if (tr2_process.settings.destination_debug)
		tr2_host_warn("trace2: %s to begin tracing",
			      memory ? "no memory" : "failed");
}

static void initialize_library(const char *file, int line, const void *caller)
{
	const unsigned before = tr2_memory_failures();
	struct tr2_thread *self = NULL;
	int lost = 0, memory;

	trace2_initialize_clock();
	tr2_settings_read(&tr2_process.settings);
	tr2_signal_spare(caller);
	if (tr2_targets_are_wanted(&tr2_process.settings)) {
		lost = tr2_session_renew() != TR2_SESSION_READY;
		if (!lost && open_targets()) {
			self = prepare_session(file, line);
			lost = !self;
		}
	}
	memory = tr2_memory_failures() != before;
	if (lost || memory)
		report_loss(memory);
	if (self)
		begin_session(self, file, line, caller);
}

/* A second call waits for nothing: another thread may be here for long. */
void trace2_initialize_fl(const char *file, int line)
{
	const int error = errno;
	int cancel;

	if (!tr2_enter_unknown())
		return;
	cancel = tr2_cancel_forbid();
	if (!__atomic_exchange_n(&tr2_process.initialized, 1, __ATOMIC_ACQ_REL))
		initialize_library(file, line, __builtin_return_address(0));
	tr2_cancel_allow(cancel);
	tr2_leave_unknown();
	errno = error;
}

/* ---- Queries ---- */

/* A call from inside gets the session that there is. */
const char *trace2_session_id(void)
{
	const int error = errno;

	if (!is_session_ours() && !tr2_thread_inside) {
		tr2_thread_inside = 1;
		tr2_session_renew();
		tr2_leave_unknown();
	}
	errno = error;
	return is_session_ours() ? tr2_process.session.sid : "";
}

uint64_t trace2_dropped(void)
{
	return __atomic_load_n(&tr2_process.dropped, __ATOMIC_RELAXED) +
	       tr2_targets_dropped();
}
