#include "trace/agent/observers.h"

#include "trace/tracing.h"

static struct trace_observer *all;

void tr2_observers_add(struct trace_observer *observer)
{
	observer->next = all;
	all = observer;
}

void tr2_observers_remove(struct trace_observer *observer)
{
	struct trace_observer **at = &all;

	while (*at && *at != observer)
		at = &(*at)->next;
	if (*at)
		*at = observer->next;
}

void tr2_observers_tell(bool has_started)
{
	struct trace_observer *next;

	for (struct trace_observer *observer = all; observer; observer = next) {
		next = observer->next;
		if (has_started && observer->started)
			observer->started(observer);
		else if (!has_started && observer->stopped)
			observer->stopped(observer);
	}
}
