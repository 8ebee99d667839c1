/* event.h - what an event does to its process. */
#ifndef TR2_ACCOUNT_EVENT_H
#define TR2_ACCOUNT_EVENT_H

#include "model/account/forest.h"

struct tr2_record;

/* A tr2_events_fn, for struct tr2_forest. */
void tr2_summary_event(void *forest, struct tr2_record *record);

/*
 * Is the event one that the process had already? Its log comes a second time if
 * the same `version` does, and has new events at its end if it was copied while
 * it grew.
 */
bool tr2_summary_is_repeated(struct tr2_forest *forest,
			     struct tr2_summary_process *process,
			     struct tr2_record *record);

/* Two events are the same if their lines have the same hash. */
uint32_t tr2_summary_hash_line(const struct tr2_record *record);

/* The process has no more events: it is known when they took place. */
void tr2_summary_settle(struct tr2_forest *forest,
			struct tr2_summary_process *process);

/* Its end is known: its open spans end where it does. */
void tr2_summary_close_spans(struct tr2_forest *forest,
			     struct tr2_summary_process *process);

#endif
