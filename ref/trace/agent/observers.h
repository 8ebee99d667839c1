/* observers.h - the observers of <trace/tracing.h>. Needs the agent's lock. */
#ifndef TR2_TRACE_AGENT_OBSERVERS_H
#define TR2_TRACE_AGENT_OBSERVERS_H

#include <stdbool.h>

struct trace_observer;

void tr2_observers_add(struct trace_observer *observer);
void tr2_observers_remove(struct trace_observer *observer);

/* Tracing has started, or has stopped. */
void tr2_observers_tell(bool has_started);

#endif
