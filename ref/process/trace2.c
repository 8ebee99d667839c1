/*
 * The library's life in a process, and the way from a call to the targets.
 * The public calls that only fill in an event are in calls.c and regions.c.
 */
#include "trace2.h"

#include <errno.h>

#include "host/cancel.h"
#include "host/host.h"
#include "host/memory.h"
#include "process/process.h"

int trace2_enabled_;

struct tr2_process tr2_process = {
	.program = TRACE2_VERSION,
	.settings_lock = PTHREAD_MUTEX_INITIALIZER,
	.threads_lock = PTHREAD_MUTEX_INITIALIZER,
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

static void fill_event(const struct tr2_thread *self, struct tr2_event *event,
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

/* SPEC: thread.unknown */
struct tr2_thread *tr2_begin_unknown(void)
{
	unsigned id = 1 + __atomic_fetch_add(&tr2_process.next_thread, 1,
					     __ATOMIC_RELAXED);
	struct tr2_thread *self = tr2_thread_begin(&tr2_process.session, id,
						   "unknown", tr2_now_us());

	pthread_setspecific(tr2_process.thread_key, self);
	tr2_others_add(self);
	return self;
}

static void enter_library(struct tr2_thread *self)
{
	__atomic_store_n(&self->busy, 1, __ATOMIC_RELAXED);
	self->saved_errno = errno;
}

/*
 * Who ends the process waits for threads that it sees busy, so look again
 * whether it has begun to.
 */
static int try_enter(struct tr2_thread *self)
{
	enter_library(self);
	__atomic_store_n(&self->busy, 1, __ATOMIC_SEQ_CST);
	if (__atomic_load_n(&trace2_enabled_, __ATOMIC_SEQ_CST))
		return 1;
	__atomic_store_n(&self->busy, 0, __ATOMIC_RELEASE);
	return 0;
}

/* A child that is beginning its session is inside a call already. */
static struct tr2_thread *find_self(const char *file, int line)
{
	struct tr2_thread *self;

	if (__atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE))
		tr2_fork_check(file, line); /* this may switch tracing off */
	if (!__atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE) ||
	    __atomic_load_n(&tr2_process.forked, __ATOMIC_ACQUIRE))
		return NULL;
	self = tr2_thread_self();
	if (!self)
		return tr2_begin_unknown();
	if (self->is_stale)
		tr2_thread_become_main(self, &tr2_process.session,
				       tr2_process.start_us);
	return self->busy ? NULL : self;
}

struct tr2_thread *tr2_begin_slowly(const char *file, int line)
{
	struct tr2_thread *self;
	int error = errno;

	self = find_self(file, line);
	errno = error;
	if (self && try_enter(self))
		return self;
	if (__atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE))
		tr2_count_drops(1);
	return NULL;
}

static inline struct tr2_thread *begin_call(const char *file, int line)
{
	struct tr2_thread *self = tr2_thread_self();

	if (!tr2_is_ready(self))
		return tr2_begin_slowly(file, line);
	enter_library(self);
	return self;
}

struct tr2_thread *tr2_begin(struct tr2_event *event, enum tr2_event_kind kind,
			     const char *file, int line)
{
	struct tr2_thread *self = begin_call(file, line);

	if (self)
		fill_event(self, event, kind, file, line);
	return self;
}

void tr2_next(struct tr2_thread *self, struct tr2_event *event,
	      enum tr2_event_kind kind)
{
	fill_event(self, event, kind, event->file, event->line);
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
	__atomic_store_n(&self->busy, 0, __ATOMIC_RELEASE);
	errno = self->saved_errno;
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
}

/*
 * ---- Beginning ----
 */

int tr2_session_renew(void)
{
	struct tr2_session *session = &tr2_process.session;
	pid_t pid = tr2_host->getpid();
	int failed = 0;

	pthread_mutex_lock(&tr2_process.threads_lock);
	if (tr2_process.session_pid != pid) {
		/* SPEC: session.child, fork.own-sid */
		failed = tr2_process.session_pid
				 ? tr2_session_begin(session, session->sid,
						     session->hierarchy)
				 : tr2_session_begin(
					   session,
					   tr2_host->getenv(
						   "GIT_TRACE2_PARENT_SID"),
					   tr2_host->getenv(
						   "GIT_TRACE2_PARENT_NAME"));
		if (!failed)
			tr2_process.session_pid = pid;
	}
	pthread_mutex_unlock(&tr2_process.threads_lock);
	return failed;
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

/*
 * Called for a thread that ends without trace2_thread_exit().
 * SPEC: timer.no-thread-exit
 */
static void thread_gone(void *data)
{
	struct tr2_thread *self = data;

	tr2_leave_shares(self);
	tr2_others_remove(self);
	tr2_thread_end(self);
}

static void begin_session(const char *file, int line, const void *caller)
{
	struct tr2_thread *self = tr2_thread_begin(
		&tr2_process.session, 0, "main", tr2_process.start_us);
	struct tr2_event event;

	if (!self || pthread_key_create(&tr2_process.thread_key, thread_gone))
		return;
	/* SPEC: timer.no-thread-exit, also of the main one */
	pthread_setspecific(tr2_process.thread_key, self);
	tr2_others_add(self);
	/* SPEC: session.export */
	tr2_host->setenv("GIT_TRACE2_PARENT_SID", tr2_process.session.sid);
	tr2_process.begin_file = file ? tr2_memory_copy(file) : NULL;
	tr2_process.begin_line = line;
	tr2_fork_watch();
	tr2_host->at_exit(tr2_at_exit);
	__atomic_store_n(&trace2_enabled_, 1, __ATOMIC_RELEASE);
	tr2_signal_watch(caller);
	enter_library(self);
	fill_event(self, &event, TR2_EVENT_VERSION, file, line);
	tr2_emit_session(self, &event);
	tr2_end(self);
}

void trace2_initialize_fl(const char *file, int line)
{
	const int cancel = tr2_cancel_lock(&tr2_process.settings_lock);
	const int error = errno;

	if (!tr2_process.initialized) {
		tr2_process.initialized = 1;
		trace2_initialize_clock();
		tr2_settings_read(&tr2_process.settings);
		if (tr2_targets_are_wanted(&tr2_process.settings) &&
		    !tr2_session_renew() && open_targets())
			begin_session(file, line, __builtin_return_address(0));
	}
	errno = error;
	tr2_cancel_unlock(&tr2_process.settings_lock, cancel);
}

/* ---- Queries ---- */

const char *trace2_session_id(void)
{
	int error = errno;

	tr2_session_renew();
	errno = error;
	return tr2_process.session_pid ? tr2_process.session.sid : "";
}

uint64_t trace2_dropped(void)
{
	return __atomic_load_n(&tr2_process.dropped, __ATOMIC_RELAXED) +
	       tr2_targets_dropped();
}
