/*
 * The library's life in a process, and the way from a call to the targets.
 * The public calls that only fill in an event are in calls.c and regions.c.
 */
#include "trace2.h"

#include <errno.h>

#include "target/fxt.h"
#include "base/host.h"
#include "base/memory.h"
#include "process/process.h"

int trace2_enabled_;

struct tr2_process tr2_process = {
	.target = {
		[TR2_TARGET_NORMAL] = { .format = tr2_normal_format,
					.needs_wall = tr2_text_needs_wall,
					.is_local = 1 },
		[TR2_TARGET_PERF] = { .format = tr2_perf_format,
				      .needs_wall = tr2_text_needs_wall,
				      .is_local = 1 },
		[TR2_TARGET_EVENT] = { .format = tr2_event_json_format,
				       .needs_wall =
					       tr2_event_json_needs_wall },
	},
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
	return self;
}

static void enter(struct tr2_thread *self)
{
	self->busy = 1;
	self->saved_errno = errno;
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
	if (self)
		enter(self);
	else if (__atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE))
		tr2_count_drop();
	return self;
}

static inline struct tr2_thread *begin(const char *file, int line)
{
	struct tr2_thread *self = tr2_thread_self();

	if (!tr2_is_ready(self))
		return tr2_begin_slowly(file, line);
	enter(self);
	return self;
}

struct tr2_thread *tr2_begin(struct tr2_event *event, enum tr2_event_kind kind,
			     const char *file, int line)
{
	struct tr2_thread *self = begin(file, line);

	if (self)
		fill_event(self, event, kind, file, line);
	return self;
}

void tr2_next(struct tr2_thread *self, struct tr2_event *event,
	      enum tr2_event_kind kind)
{
	fill_event(self, event, kind, event->file, event->line);
}

/* The zone changes at quarters of an hour only: ask once in each. */
static int32_t utc_offset(struct tr2_thread *self, uint64_t wall_us)
{
	uint64_t quarter = wall_us / 900000000u;

	if (self->offset_quarter != quarter) {
		self->utc_offset = tr2_host->utc_offset(wall_us);
		self->offset_quarter = quarter;
		__atomic_store_n(&tr2_process.utc_offset, self->utc_offset,
				 __ATOMIC_RELAXED);
	}
	return self->utc_offset;
}

static struct tr2_format format_of(const struct tr2_target *target,
				   struct tr2_thread *self)
{
	const size_t id = (size_t)(target - tr2_process.target);
	struct tr2_format format = {
		.brief = tr2_process.settings.target[id].brief,
		.nesting_limit = tr2_process.settings.event_nesting,
		.utc = &self->utc,
		.local = &self->local,
	};

	return format;
}

static void need_wall(struct tr2_thread *self, struct tr2_event *event,
		      const struct tr2_target *target)
{
	if (!event->wall_us)
		event->wall_us = tr2_host->wall_us();
	if (target->is_local)
		event->utc_offset = utc_offset(self, event->wall_us);
}

static int is_open(const struct tr2_target *target)
{
	return target->destination.kind != TR2_DESTINATION_OFF;
}

/* Must a message be formatted for the event, or a password be replaced? */
static int lacks_text(const struct tr2_thread *self)
{
	return self->text.failed || self->scratch.failed || self->words.failed;
}

void tr2_emit_to(struct tr2_thread *self, struct tr2_event *event,
		 struct tr2_target *target)
{
	struct tr2_format format = format_of(target, self);

	if (target->needs_wall(event, &format))
		need_wall(self, event, target);
	tr2_buf_reset(&self->line);
	target->format(event, &format, &self->line);
	if (self->line.failed || lacks_text(self))
		tr2_count_drop();
	else if (self->line.len)
		tr2_destination_write(&target->destination, self->line.bytes,
				      self->line.len, event->mono_ns);
}

static void emit_to_fxt(struct tr2_thread *self, const struct tr2_event *event)
{
	if (lacks_text(self) || tr2_fxt_event(event, &self->line))
		tr2_count_drop();
}

void tr2_emit(struct tr2_thread *self, struct tr2_event *event)
{
	struct tr2_target *target = tr2_process.target;
	size_t i;

	tr2_redact_event(self, event);
	for (i = 0; i < TR2_TARGET_COUNT; i++)
		if (is_open(&target[i]))
			tr2_emit_to(self, event, &target[i]);
	if (tr2_fxt_is_on())
		emit_to_fxt(self, event);
}

static void trim(struct tr2_buf *buf)
{
	if (buf->room > KEEP_MAX)
		tr2_buf_release(buf);
	tr2_buf_reset(buf);
}

void tr2_end(struct tr2_thread *self)
{
	trim(&self->line);
	trim(&self->text);
	trim(&self->scratch);
	trim(&self->words);
	self->busy = 0;
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
	struct tr2_target *target = tr2_process.target;
	size_t i;

	event->evt = EVT;
	event->exe = tr2_process.program;
	tr2_emit(self, event);
	tr2_next(self, event, TR2_EVENT_TOO_MANY_FILES);
	for (i = 0; i < TR2_TARGET_COUNT; i++)
		if (is_open(&target[i]) && target[i].destination.too_many_files)
			tr2_emit_to(self, event, &target[i]);
	if (tr2_fxt_is_on() && tr2_fxt_too_many_files())
		emit_to_fxt(self, event);
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

static int is_wanted(void)
{
	size_t i;

	for (i = 0; i < TR2_TARGET_COUNT; i++)
		if (tr2_process.settings.target[i].destination)
			return 1;
	return tr2_process.settings.fxt || tr2_process.settings.chrome;
}

struct tr2_destination_options tr2_target_options(size_t target)
{
	const struct tr2_settings *settings = &tr2_process.settings;
	struct tr2_destination_options options = {
		.variable = settings->target[target].variable,
		.value = settings->target[target].destination,
		.file_name = tr2_process.session.component,
		.debug = settings->destination_debug,
		.max_files = settings->max_files,
		.waited_ns = &tr2_process.waited_ns,
	};

	return options;
}

struct tr2_target_place tr2_target_place(void)
{
	return (struct tr2_target_place){
		.component = tr2_process.session.component,
		.depth = tr2_process.session.depth,
	};
}

/* How many targets are on. */
static int open_targets(void)
{
	struct tr2_destination_options options;
	struct tr2_target_place place;
	int on = 0;
	size_t i;

	for (i = 0; i < TR2_TARGET_COUNT; i++) {
		options = tr2_target_options(i);
		on += tr2_destination_open(&tr2_process.target[i].destination,
					   &options);
	}
	tr2_process.has_text = on > 0;
	place = tr2_target_place();
	return on + tr2_fxt_open(&tr2_process.settings, &place);
}

/*
 * Called for a thread that ends without trace2_thread_exit().
 * SPEC: timer.no-thread-exit
 */
static void thread_gone(void *data)
{
	struct tr2_thread *self = data;

	if (!self->is_stale) /* else its share is not of this session */
		tr2_fold_shares(self);
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
	/* SPEC: session.export */
	tr2_host->setenv("GIT_TRACE2_PARENT_SID", tr2_process.session.sid);
	tr2_process.begin_file = file ? tr2_memory_copy(file) : NULL;
	tr2_process.begin_line = line;
	tr2_fork_watch();
	tr2_host->at_exit(tr2_at_exit);
	__atomic_store_n(&trace2_enabled_, 1, __ATOMIC_RELEASE);
	tr2_signal_watch(caller);
	enter(self);
	fill_event(self, &event, TR2_EVENT_VERSION, file, line);
	tr2_emit_session(self, &event);
	tr2_end(self);
}

void trace2_initialize_fl(const char *file, int line)
{
	int error = errno;

	pthread_mutex_lock(&tr2_process.settings_lock);
	if (!tr2_process.initialized) {
		tr2_process.initialized = 1;
		trace2_initialize_clock();
		tr2_settings_read(&tr2_process.settings);
		if (is_wanted() && !tr2_session_renew() && open_targets())
			begin_session(file, line, __builtin_return_address(0));
	}
	pthread_mutex_unlock(&tr2_process.settings_lock);
	errno = error;
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
	uint64_t dropped =
		__atomic_load_n(&tr2_process.dropped, __ATOMIC_RELAXED) +
		tr2_fxt_dropped();
	size_t i;

	for (i = 0; i < TR2_TARGET_COUNT; i++)
		dropped += __atomic_load_n(
			&tr2_process.target[i].destination.dropped,
			__ATOMIC_RELAXED);
	return dropped;
}
