#include "process/counter.h"

#include "trace2.h"
#include "event/event.h"
#include "base/host.h"
#include "base/memory.h"
#include "process/thread.h"

int tr2_counters_register(struct tr2_counters *counters,
			  const struct trace2_counter *counter)
{
	struct tr2_counter *list =
		tr2_memory_grow(counters->counter, &counters->room,
				counters->count, sizeof(*list));

	if (!list)
		return 0;
	counters->counter = list;
	if (!tr2_metric_keep(&list[counters->count].metric, counter->category,
			     counter->name, counter->per_thread))
		return 0;
	return (int)++counters->count;
}

void tr2_counter_add(struct tr2_thread *self, int id, uint64_t value)
{
	size_t index = (size_t)id - 1;
	uint64_t *share = tr2_memory_grow(self->counters, &self->counters_room,
					  index, sizeof(*share));

	if (!share)
		return;
	self->counters = share;
	share[index] += value;
}

uint64_t tr2_counter_share(const struct tr2_thread *self, size_t index)
{
	return index < self->counters_room ? self->counters[index] : 0;
}

/* SPEC: counter.sum */
void tr2_counters_fold(struct tr2_counters *counters, struct tr2_thread *self)
{
	size_t i;

	for (i = 0; i < counters->count && i < self->counters_room; i++) {
		counters->counter[i].total += self->counters[i];
		self->counters[i] = 0;
	}
}

void tr2_counter_fill(struct tr2_event *event,
		      const struct tr2_counter *counter, uint64_t count)
{
	event->category = counter->metric.category;
	event->name = counter->metric.name;
	event->count = count;
}
