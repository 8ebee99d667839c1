/*
 * The end of a process: exit, timers and counters, atexit.
 * SPEC: order.exit, order.totals, order.atexit-last
 */
#include "process/process.h"

#include <string.h>

#include "trace2.h"
#include "host/cancel.h"
#include "ending/death.h"
#include "host/host.h"
#include "host/memory.h"

void tr2_fold_shares(struct tr2_thread *self)
{
	struct tr2_hold hold;

	if (!tr2_lock_threads(&hold)) {
		tr2_count_drops(1);
		return;
	}
	for (size_t kind = 0; kind < TR2_METRIC_KIND_COUNT; kind++)
		tr2_metrics_fold(&tr2_process.metrics[kind],
				 &self->shares[kind]);
	tr2_unlock_threads(&hold);
}

/*
 * The metric is copied, because the list may grow meanwhile; its texts stay.
 * Called with increasing indices until there are no more.
 */
static int copy_metric(enum tr2_metric_kind kind, size_t index,
		       struct tr2_metric *metric)
{
	const struct tr2_metrics *metrics = &tr2_process.metrics[kind];
	struct tr2_hold hold;
	int found;

	if (!tr2_lock_threads(&hold))
		return 0;
	found = index < metrics->count;
	if (found)
		*metric = metrics->metric[index];
	tr2_unlock_threads(&hold);
	return found;
}

static void emit_metric(struct tr2_thread *self, struct tr2_event *event,
			enum tr2_event_kind name, enum tr2_metric_kind kind,
			const struct tr2_metric *metric,
			const struct tr2_metric_value *measure)
{
	if (tr2_measure_is_empty(kind, measure))
		return;
	tr2_next(self, event, name);
	tr2_metric_fill(event, kind, metric, measure);
	tr2_emit(self, event);
}

/* The names of the kinds. */
static const struct {
	enum tr2_event_kind share;
	enum tr2_event_kind total;
} events[TR2_METRIC_KIND_COUNT] = {
	[TR2_METRIC_TIMER] = { TR2_EVENT_TH_TIMER, TR2_EVENT_TIMER },
	[TR2_METRIC_COUNTER] = { TR2_EVENT_TH_COUNTER, TR2_EVENT_COUNTER },
};

static void emit_shares_of(struct tr2_thread *self, struct tr2_event *event,
			   enum tr2_metric_kind kind)
{
	struct tr2_metric_value share;
	struct tr2_metric metric;

	for (size_t i = 0; copy_metric(kind, i, &metric); i++) {
		share = tr2_shares_get(&self->shares[kind], i);
		if (metric.per_thread)
			emit_metric(self, event, events[kind].share, kind,
				    &metric, &share);
	}
}

static void emit_totals_of(struct tr2_thread *self, struct tr2_event *event,
			   enum tr2_metric_kind kind)
{
	struct tr2_metric metric;

	for (size_t i = 0; copy_metric(kind, i, &metric); i++)
		emit_metric(self, event, events[kind].total, kind, &metric,
			    &metric.total);
}

/* SPEC: timer.per-thread, counter.per-thread */
void tr2_emit_shares(struct tr2_thread *self, struct tr2_event *event)
{
	emit_shares_of(self, event, TR2_METRIC_TIMER);
	emit_shares_of(self, event, TR2_METRIC_COUNTER);
	tr2_fold_shares(self);
}

void tr2_leave_shares(struct tr2_thread *self)
{
	struct tr2_event event;
	const char *file;
	int line;

	if (self->is_stale) /* its share belongs to the parent's session */
		return;
	if (!tr2_is_ready(self)) {
		tr2_fold_shares(self);
		return;
	}
	tr2_thread_unwind(self); /* SPEC: perf.dots-dropped */
	file = tr2_exit_place(&line);
	tr2_begin(&event, TR2_EVENT_TH_TIMER, file, line);
	tr2_emit_shares(self, &event);
	tr2_end(self);
}

/* SPEC: timer.order, counter.order */
void tr2_emit_totals(struct tr2_thread *self, struct tr2_event *event)
{
	emit_totals_of(self, event, TR2_METRIC_TIMER);
	emit_totals_of(self, event, TR2_METRIC_COUNTER);
}

/* SPEC: failure.drops-reported, event.error.own-fmt, perf.dots */
static void emit_drops(struct tr2_thread *self, struct tr2_event *event,
		       unsigned open_regions)
{
	uint64_t dropped = trace2_dropped();
	char text[64];
	struct tr2_buf msg = TR2_BUF_FIXED(text);

	if (!dropped)
		return;
	tr2_buf_str(&msg, "trace2: events dropped: ");
	tr2_buf_uint(&msg, dropped);
	tr2_buf_byte(&msg, '\0');
	tr2_next(self, event, TR2_EVENT_ERROR);
	event->open_regions = open_regions;
	event->msg = text;
	event->fmt = "trace2: events dropped: %lu"; /* on every machine */
	tr2_emit(self, event);
	if (tr2_process.settings.destination_debug)
		tr2_host_warn("%s", text);
}

static void emit_code(struct tr2_thread *self, struct tr2_event *event,
		      enum tr2_event_kind kind)
{
	tr2_next(self, event, kind);
	event->code = tr2_process.exit_code;
	tr2_emit(self, event);
}

/*
 * The place for the events of signals and of atexit: the program's last call
 * about its life.
 */
const char *tr2_exit_place(int *line)
{
	if (!__atomic_load_n(&tr2_process.exit_seen, __ATOMIC_ACQUIRE)) {
		*line = tr2_process.begin_line;
		return tr2_process.begin_file;
	}
	*line = tr2_process.exit_line;
	return tr2_process.exit_file;
}

int tr2_exit_seen(const char *file, int line, int code)
{
	struct tr2_hold hold;
	int first;

	if (!tr2_lock_threads(&hold))
		return 0;
	first = !tr2_process.exit_seen;
	if (first) {
		tr2_process.exit_file = file ? tr2_memory_copy(file) : NULL;
		tr2_process.exit_line = line;
		tr2_process.exit_code = code & 0xff; /* SPEC: event.exit.code */
		__atomic_store_n(&tr2_process.exit_seen, 1, __ATOMIC_RELEASE);
	}
	tr2_unlock_threads(&hold);
	return first;
}

/*
 * What this thread was doing when a handler that calls exit(3) came. A first
 * event may have no state yet.
 */
static void count_interrupted(void)
{
	static const struct tr2_target_memory all = { .waiting =
							      TR2_TARGETS_ALL },
					      none;
	const struct tr2_thread *self = tr2_thread_self();

	if (!tr2_thread_inside)
		tr2_targets_leave_event(&none);
	else
		tr2_count_drops(tr2_targets_leave_event(
			self && !self->is_stale ? &self->memory : &all));
}

/*
 * A handler that calls exit(3) has interrupted a call, which never goes on.
 * What this call has of the thread is left alone: another state stands in.
 */
static struct tr2_thread *begin_in_middle(void)
{
	static struct tr2_thread stand_in;
	const struct tr2_thread *self = tr2_thread_self();
	const struct tr2_thread *known = tr2_signal_thread();

	stand_in.origin = known->origin;
	stand_in.open = known->open;
	if (self && !self->is_stale)
		memcpy(stand_in.shares, self->shares, sizeof(self->shares));
	return &stand_in;
}

/* NULL: nothing is to be written. */
static struct tr2_thread *begin_end(struct tr2_event *event)
{
	struct tr2_thread *self;
	const char *file;
	int line;

	file = tr2_exit_place(&line);
	count_interrupted();
	if (!tr2_thread_inside)
		return tr2_begin(event, TR2_EVENT_EXIT, file, line);
	if (!__atomic_load_n(&trace2_enabled_, __ATOMIC_ACQUIRE))
		return NULL;
	self = begin_in_middle();
	tr2_fill_event(self, event, TR2_EVENT_EXIT, file, line);
	return self;
}

static void emit_end(struct tr2_thread *self, struct tr2_event *event, int code)
{
	unsigned open_regions;

	if (!__atomic_load_n(&tr2_process.exit_seen, __ATOMIC_ACQUIRE)) {
		tr2_process.exit_code = code & 0xff;
		emit_code(self, event, TR2_EVENT_EXIT);
	}
	open_regions = tr2_thread_open_regions(self);
	tr2_thread_unwind(self);
	tr2_emit_shares(self, event);
	tr2_emit_totals(self, event);
	tr2_targets_settle();
	emit_drops(self, event, open_regions);
	emit_code(self, event, TR2_EVENT_ATEXIT);
}

/*
 * The program may have exited without trace2_cmd_exit(); then the code is the
 * one that the system reports.
 * SPEC: order.no-cmd-exit
 */
static void end_process(int code)
{
	struct tr2_event event;
	struct tr2_thread *self;

	if (tr2_generation_is_guest())
		return;
	/* SPEC: fork.silent */
	if (tr2_is_forked()) {
		__atomic_store_n(&tr2_process.ended, tr2_generation(),
				 __ATOMIC_RELEASE);
		return;
	}
	self = begin_end(&event);
	if (!self) {
		/*
		 * trace2_signal() has written the last event, or a signal
		 * handler that exits has interrupted a call.
		 */
		tr2_targets_close();
		return;
	}
	__atomic_store_n(&trace2_enabled_, 0, __ATOMIC_RELEASE);
	tr2_others_finish(tr2_thread_self());
	emit_end(self, &event, code);
	tr2_targets_close();
	if (self == tr2_thread_self())
		tr2_end(self);
}

/*
 * A thread that is cancelled here would not end the process, and a signal
 * would end it before the last events.
 */
void tr2_at_exit(int code)
{
	const int cancel = tr2_cancel_forbid();
	sigset_t signals;

	tr2_death_hold(&signals);
	end_process(code);
	tr2_death_let_go(&signals);
	tr2_cancel_allow(cancel);
}
