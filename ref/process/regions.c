/*
 * The public calls inside a command: threads, regions, data, messages,
 * timers and counters.
 */
#include "trace2.h"

#include <errno.h>
#include <string.h>

#include "base/json.h"
#include "host/system.h"
#include "process/process.h"

/*
 * ---- Regions ----
 */

static void enter_region(struct tr2_thread *self, struct tr2_event *event)
{
	tr2_judge_category(event);
	event->nesting = (int)self->open;
	tr2_emit(self, event);
	if (!event->is_unlisted)
		tr2_thread_enter(self, tr2_process.start_us + event->t_abs);
}

/*
 * The event has the number of regions that are open after it.
 * SPEC: region.nesting
 */
static void leave_region(struct tr2_thread *self, struct tr2_event *event)
{
	if (event->is_unlisted) {
		tr2_emit(self, event);
		return;
	}
	event->t_rel =
		tr2_thread_leave(self, tr2_process.start_us + event->t_abs);
	event->nesting = (int)self->open;
	event->open_regions = tr2_thread_open_regions(self);
	tr2_emit(self, event);
}

static void name_region(struct tr2_event *event, const char *category,
			const char *label, int repo)
{
	event->category = category;
	event->label = label;
	event->repo = repo;
}

void trace2_region_enter_printf_va_fl(const char *file, int line,
				      const char *category, const char *label,
				      int repo, const char *fmt, va_list ap)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_REGION_ENTER, file, line);

	if (!self)
		return;
	name_region(&event, category, label, repo);
	event.msg = tr2_message(self, fmt, ap);
	enter_region(self, &event);
	tr2_end(self);
}

/* SPEC: region.leave-too-many.again, event.error.own-fmt */
static void refuse_leave(struct tr2_thread *self, struct tr2_event *event)
{
	tr2_next(self, event, TR2_EVENT_ERROR);
	event->fmt = "trace2: region_leave without region_enter";
	event->msg = event->fmt;
	tr2_emit(self, event);
}

void trace2_region_leave_printf_va_fl(const char *file, int line,
				      const char *category, const char *label,
				      int repo, const char *fmt, va_list ap)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_REGION_LEAVE, file, line);

	if (!self)
		return;
	name_region(&event, category, label, repo);
	event.msg = tr2_message(self, fmt, ap);
	tr2_judge_category(&event);
	if (self->open || event.is_unlisted)
		leave_region(self, &event);
	else
		refuse_leave(self, &event);
	tr2_end(self);
}

void trace2_region_enter_printf_fl(const char *file, int line,
				   const char *category, const char *label,
				   int repo, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	trace2_region_enter_printf_va_fl(file, line, category, label, repo, fmt,
					 ap);
	va_end(ap);
}

void trace2_region_leave_printf_fl(const char *file, int line,
				   const char *category, const char *label,
				   int repo, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	trace2_region_leave_printf_va_fl(file, line, category, label, repo, fmt,
					 ap);
	va_end(ap);
}

void trace2_region_enter_fl(const char *file, int line, const char *category,
			    const char *label, int repo)
{
	struct tr2_thread *self;

	if (!tr2_targets.enter_region) {
		trace2_region_enter_printf_fl(file, line, category, label, repo,
					      NULL);
		return;
	}
	self = tr2_begin_quiet(file, line);
	if (!self)
		return;
	/* In a child of a fork the target may be off by now. */
	if (tr2_targets.enter_region)
		tr2_targets.enter_region(category, label, repo);
	else
		tr2_count_drops(tr2_targets_count_on());
	self->open++; /* its time is with the targets alone */
	tr2_end_quiet(self);
}

void trace2_region_leave_fl(const char *file, int line, const char *category,
			    const char *label, int repo)
{
	struct tr2_thread *self = tr2_thread_self();

	if (!tr2_targets.leave_region || !self || !self->open) {
		trace2_region_leave_printf_fl(file, line, category, label, repo,
					      NULL);
		return;
	}
	self = tr2_begin_quiet(file, line);
	if (!self)
		return;
	if (tr2_targets.leave_region)
		tr2_targets.leave_region(category, label, repo);
	else
		tr2_count_drops(tr2_targets_count_on());
	self->open--;
	tr2_end_quiet(self);
}

/*
 * ---- Data and messages ----
 */

static void emit_data(struct tr2_thread *self, struct tr2_event *event,
		      const char *category, int repo, const char *key)
{
	event->category = tr2_or_empty(category);
	tr2_judge_category(event);
	event->repo = repo;
	event->key = tr2_or_empty(key);
	event->nesting = (int)self->open;
	event->t_rel =
		tr2_thread_in_region(self, tr2_process.start_us + event->t_abs);
	tr2_finish(self, event);
}

void trace2_data_string_fl(const char *file, int line, const char *category,
			   int repo, const char *key, const char *value)
{
	struct tr2_event event;
	struct tr2_thread *self = tr2_begin(&event, TR2_EVENT_DATA, file, line);

	if (!self)
		return;
	event.value = tr2_or_empty(value);
	emit_data(self, &event, category, repo, key);
}

void trace2_data_intmax_fl(const char *file, int line, const char *category,
			   int repo, const char *key, intmax_t value)
{
	const int64_t number = value;
	char digits[24];
	struct tr2_buf out = TR2_BUF_FIXED(digits);
	struct tr2_event event;
	struct tr2_thread *self = tr2_begin(&event, TR2_EVENT_DATA, file, line);

	if (!self)
		return;
	tr2_buf_int(&out, number);
	tr2_buf_byte(&out, '\0');
	event.value = digits;
	event.number = &number;
	emit_data(self, &event, category, repo, key);
}

void trace2_data_json_fl(const char *file, int line, const char *category,
			 int repo, const char *key, const char *json)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_DATA_JSON, file, line);

	if (!self)
		return;
	event.value = tr2_or_empty(json);
	/* SPEC: json.data-json */
	if (!tr2_json_is_value(event.value)) {
		tr2_json_string(&self->text, event.value);
		tr2_buf_byte(&self->text, '\0');
		event.value = self->text.failed ? "null" : self->text.bytes;
	}
	emit_data(self, &event, category, repo, key);
}

void trace2_printf_va_fl(const char *file, int line, const char *fmt,
			 va_list ap)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_PRINTF, file, line);

	if (!self)
		return;
	event.msg = tr2_message(self, fmt, ap);
	tr2_finish(self, &event);
}

void trace2_printf_fl(const char *file, int line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	trace2_printf_va_fl(file, line, fmt, ap);
	va_end(ap);
}

/*
 * ---- Threads ----
 */

/* SPEC: thread.main */
static void start_on_main(struct tr2_thread *self, struct tr2_event *event,
			  const char *name)
{
	tr2_next(self, event, TR2_EVENT_REGION_ENTER);
	tr2_buf_str(&self->text, "thread-proc on main: ");
	tr2_buf_add(&self->text, name, strlen(name) + 1);
	event->msg = self->text.bytes;
	enter_region(self, event);
}

/*
 * Name the calling thread before its first event begins, so that it does not
 * count as unknown. A thread with a name gets the new one, except the thread
 * that forked: it is the child's main thread.
 */
static void introduce_thread(const char *file, int line, const char *name)
{
	struct tr2_thread *self;
	unsigned id;

	if (!tr2_fork_check(file, line))
		return;
	self = tr2_thread_self();
	if (self && (self->is_main || self->is_stale))
		return;
	if (self)
		tr2_forget_thread(self);
	id = 1 +
	     __atomic_fetch_add(&tr2_process.next_thread, 1, __ATOMIC_RELAXED);
	self = tr2_know_thread(id, name);
	if (self)
		self->started = 1;
}

/* What the thread has counted under its old name comes first. */
static void leave_name(void)
{
	struct tr2_thread *self = tr2_thread_self();

	if (tr2_is_ready(self) && !self->is_main)
		tr2_leave_shares(self);
}

/* Times of the thread count from this event's t_abs. */
static void start_thread(struct tr2_thread *self, struct tr2_event *event)
{
	self->start_us = tr2_process.start_us + event->t_abs;
	self->frames[0] = self->start_us; /* SPEC: time.micro */
	tr2_emit(self, event);
}

void trace2_thread_start_fl(const char *file, int line, const char *name)
{
	struct tr2_event event;
	struct tr2_thread *self;
	int error = errno;

	if (!__atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE))
		return;
	leave_name();
	if (!tr2_enter_unknown())
		return;
	introduce_thread(file, line, tr2_or_empty(name));
	tr2_leave_unknown();
	errno = error;
	self = tr2_begin(&event, TR2_EVENT_THREAD_START, file, line);
	if (!self)
		return;
	if (self->is_main)
		start_on_main(self, &event, tr2_or_empty(name));
	else
		start_thread(self, &event);
	tr2_end(self);
}

static void exit_thread(struct tr2_thread *self, struct tr2_event *event)
{
	uint64_t now = tr2_process.start_us + event->t_abs;
	int error = self->saved_errno;

	tr2_thread_unwind(self);
	tr2_emit_shares(self, event);
	tr2_next(self, event, TR2_EVENT_THREAD_EXIT);
	event->t_abs = now - tr2_process.start_us;
	event->t_rel = now - self->start_us;
	tr2_emit(self, event);
	tr2_forget_thread(self);
	tr2_leave_unknown();
	errno = error;
}

static void exit_on_main(struct tr2_thread *self, struct tr2_event *event)
{
	tr2_next(self, event, TR2_EVENT_REGION_LEAVE);
	event->msg = "thread-proc on main";
	tr2_judge_category(event);
	if (self->open || event->is_unlisted)
		leave_region(self, event);
}

void trace2_thread_exit_fl(const char *file, int line)
{
	struct tr2_event event;
	struct tr2_thread *self =
		tr2_begin(&event, TR2_EVENT_THREAD_EXIT, file, line);

	if (!self)
		return;
	if (self->started) {
		exit_thread(self, &event);
		return;
	}
	/* SPEC: thread.main */
	if (self->is_main)
		exit_on_main(self, &event);
	tr2_end(self);
}

/*
 * ---- Timers and counters ----
 */

/* 0: none yet. */
static int read_id(const int *place)
{
	return __atomic_load_n(place, __ATOMIC_ACQUIRE);
}

/* The id that belongs to `place`, which is the caller's. */
static int make_id(enum tr2_metric_kind kind, int *place, const char *category,
		   const char *name, int per_thread)
{
	struct tr2_hold hold;
	int id;

	if (!tr2_lock_threads(&hold)) {
		tr2_count_drops(1);
		return 0;
	}
	id = *place; /* another thread's first use may have made it */
	if (!id) {
		id = tr2_metrics_add(&tr2_process.metrics[kind], category, name,
				     per_thread);
		__atomic_store_n(place, id, __ATOMIC_RELEASE);
	}
	tr2_unlock_threads(&hold);
	return id;
}

/* Define the functions behind the macros of the same names. */
#undef trace2_timer_start
#undef trace2_timer_stop
#undef trace2_counter_add

void trace2_timer_start(struct trace2_timer *timer)
{
	struct tr2_thread *self = tr2_begin_quiet(NULL, 0);
	int id;

	if (!self)
		return;
	id = read_id(&timer->id_);
	if (!id)
		id = make_id(TR2_METRIC_TIMER, &timer->id_, timer->category,
			     timer->name, timer->per_thread);
	tr2_timer_start(&self->shares[TR2_METRIC_TIMER], id);
	tr2_end_quiet(self);
}

void trace2_timer_stop(struct trace2_timer *timer)
{
	struct tr2_thread *self = tr2_begin_quiet(NULL, 0);

	if (!self)
		return;
	tr2_timer_stop(&self->shares[TR2_METRIC_TIMER], read_id(&timer->id_));
	tr2_end_quiet(self);
}

void trace2_counter_add(struct trace2_counter *counter, uint64_t value)
{
	struct tr2_thread *self = tr2_begin_quiet(NULL, 0);
	int id;

	if (!self)
		return;
	id = read_id(&counter->id_);
	if (!id)
		id = make_id(TR2_METRIC_COUNTER, &counter->id_,
			     counter->category, counter->name,
			     counter->per_thread);
	tr2_counter_add(&self->shares[TR2_METRIC_COUNTER], id, value);
	tr2_end_quiet(self);
}
