#include "process/timer.h"

#include "trace2.h"
#include "event/event.h"
#include "base/host.h"
#include "base/memory.h"
#include "process/thread.h"

int tr2_timers_register(struct tr2_timers *timers,
			const struct trace2_timer *timer)
{
	struct tr2_timer *list = tr2_memory_grow(timers->timer, &timers->room,
						 timers->count, sizeof(*list));

	if (!list)
		return 0;
	timers->timer = list;
	if (!tr2_metric_keep(&list[timers->count].metric, timer->category,
			     timer->name, timer->per_thread))
		return 0;
	return (int)++timers->count;
}

/* SPEC: timer.nesting */
void tr2_timer_start(struct tr2_thread *self, int id)
{
	size_t index = (size_t)id - 1;
	struct tr2_timer_state *share = tr2_memory_grow(
		self->timers, &self->timers_room, index, sizeof(*share));

	if (!share)
		return;
	self->timers = share;
	if (!share[index].depth++)
		share[index].started = tr2_host->mono_ns();
}

/* SPEC: timer.total */
static void add_state(struct tr2_timer_state *total,
		      const struct tr2_timer_state *share)
{
	if (!share->intervals)
		return;
	if (!total->intervals || share->min < total->min)
		total->min = share->min;
	if (share->max > total->max)
		total->max = share->max;
	total->total += share->total;
	total->intervals += share->intervals;
}

void tr2_timer_stop(struct tr2_thread *self, int id)
{
	size_t index = (size_t)id - 1;
	struct tr2_timer_state *share;
	struct tr2_timer_state interval = { .intervals = 1 };

	if (index >= self->timers_room)
		return;
	share = &self->timers[index];
	if (!share->depth || --share->depth)
		return;
	interval.total = tr2_host->mono_ns() - share->started;
	interval.min = interval.max = interval.total;
	add_state(share, &interval);
}

struct tr2_timer_state tr2_timer_share(const struct tr2_thread *self,
				       size_t index)
{
	struct tr2_timer_state none = { 0 };

	return index < self->timers_room ? self->timers[index] : none;
}

void tr2_timers_fold(struct tr2_timers *timers, struct tr2_thread *self)
{
	size_t i;

	for (i = 0; i < timers->count && i < self->timers_room; i++) {
		add_state(&timers->timer[i].total, &self->timers[i]);
		self->timers[i] = (struct tr2_timer_state){ 0 };
	}
}

void tr2_timer_fill(struct tr2_event *event, const struct tr2_timer *timer,
		    const struct tr2_timer_state *state)
{
	event->category = timer->metric.category;
	event->name = timer->metric.name;
	event->intervals = state->intervals;
	event->t_total = state->total;
	event->t_min = state->min;
	event->t_max = state->max;
}
