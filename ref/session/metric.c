#include "session/metric.h"

#include <string.h>

#include "host/host.h"
#include "host/memory.h"
#include "event/event.h"

/* Copy the names. 1, or 0 if memory fails. */
static int name_metric(struct tr2_metric *metric, const char *category,
		       const char *name)
{
	metric->category = tr2_memory_copy(category);
	metric->name = tr2_memory_copy(name);
	if (metric->category && metric->name)
		return 1;
	tr2_host->free(metric->category);
	tr2_host->free(metric->name);
	return 0;
}

/* SPEC: stream.totals.once */
static int find_metric(const struct tr2_metrics *metrics, const char *category,
		       const char *name)
{
	size_t i = metrics->count;

	while (i && (strcmp(metrics->metric[i - 1].name, name) ||
		     strcmp(metrics->metric[i - 1].category, category)))
		i--;
	return (int)i;
}

int tr2_metrics_add(struct tr2_metrics *metrics, const char *category,
		    const char *name, int per_thread)
{
	struct tr2_metric *list;
	int id;

	category = category ? category : "";
	name = name ? name : "";
	id = find_metric(metrics, category, name);
	if (id)
		return id;
	list = tr2_memory_grow(metrics->metric, &metrics->room, metrics->count,
			       sizeof(*list));
	if (!list)
		return 0;
	metrics->metric = list;
	list += metrics->count;
	if (!name_metric(list, category, name))
		return 0;
	list->per_thread = per_thread;
	return (int)++metrics->count;
}

/*
 * The list is whole at each moment: a handler may end the process in the
 * middle of this.
 */
static struct tr2_metric_value *make_share(struct tr2_shares *shares,
					   size_t index)
{
	struct tr2_metric_value *before = shares->measure, *list;
	size_t room = 0;

	list = tr2_memory_grow(NULL, &room, index, sizeof(*list));
	if (!list)
		return NULL;
	if (before)
		memcpy(list, before, shares->room * sizeof(*list));
	__atomic_store_n(&shares->measure, list, __ATOMIC_RELEASE);
	__atomic_store_n(&shares->room, room, __ATOMIC_RELEASE);
	tr2_host->free(before);
	return &list[index];
}

/* Returns the thread's share; NULL if memory fails. */
static inline struct tr2_metric_value *need_share(struct tr2_shares *shares,
						  size_t index)
{
	return index < shares->room ? &shares->measure[index]
				    : make_share(shares, index);
}

/* SPEC: timer.nesting */
void tr2_timer_start(struct tr2_shares *timers, int id)
{
	struct tr2_metric_value *share = need_share(timers, (size_t)id - 1);

	if (share && !share->depth++)
		share->started = tr2_host->mono_ns();
}

/* SPEC: timer.total, counter.sum */
static void add_measure(struct tr2_metric_value *total,
			const struct tr2_metric_value *share)
{
	total->total += share->total;
	if (!share->intervals)
		return;
	if (!total->intervals || share->min < total->min)
		total->min = share->min;
	if (share->max > total->max)
		total->max = share->max;
	total->intervals += share->intervals;
}

void tr2_timer_stop(struct tr2_shares *timers, int id)
{
	const size_t index = (size_t)id - 1;
	struct tr2_metric_value *share;
	struct tr2_metric_value interval = { .intervals = 1 };

	if (index >= timers->room)
		return;
	share = &timers->measure[index];
	if (!share->depth || --share->depth)
		return;
	interval.total = tr2_host->mono_ns() - share->started;
	interval.min = interval.max = interval.total;
	add_measure(share, &interval);
}

void tr2_counter_add(struct tr2_shares *counters, int id, uint64_t value)
{
	struct tr2_metric_value *share = need_share(counters, (size_t)id - 1);

	if (share)
		share->total += value;
}

struct tr2_metric_value tr2_shares_get(const struct tr2_shares *shares,
				       size_t index)
{
	const struct tr2_metric_value none = { 0 };

	return index < shares->room ? shares->measure[index] : none;
}

void tr2_metrics_fold(struct tr2_metrics *metrics, struct tr2_shares *shares)
{
	for (size_t i = 0; i < metrics->count && i < shares->room; i++) {
		add_measure(&metrics->metric[i].total, &shares->measure[i]);
		shares->measure[i] = (struct tr2_metric_value){ 0 };
	}
}

int tr2_measure_is_empty(enum tr2_metric_kind kind,
			 const struct tr2_metric_value *measure)
{
	return kind == TR2_METRIC_TIMER ? !measure->intervals : !measure->total;
}

void tr2_metric_fill(struct tr2_event *event, enum tr2_metric_kind kind,
		     const struct tr2_metric *metric,
		     const struct tr2_metric_value *measure)
{
	event->category = metric->category;
	event->name = metric->name;
	if (kind == TR2_METRIC_COUNTER) {
		event->count = measure->total;
		return;
	}
	event->intervals = measure->intervals;
	event->t_total = measure->total;
	event->t_min = measure->min;
	event->t_max = measure->max;
}
