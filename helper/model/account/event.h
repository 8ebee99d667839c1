/* event.h - what an event does to its process. */
#ifndef TR2_ACCOUNT_EVENT_H
#define TR2_ACCOUNT_EVENT_H

#include "model/account/forest.h"
#include "read/record.h"

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

/*
 * Events that begin and end the spans of a process: regions, children
 * and the programs that it executes.
 */

struct tr2_summary_step { /* An event and its process. */
	struct tr2_forest *forest;
	struct tr2_record *record; /* NULL: the process has no more */
	struct tr2_summary_process *process;
	const struct tr2_moment *moment;
};

/* Returns the local row of the process for these names. */
uint32_t tr2_step_enter_row(const struct tr2_summary_step *step,
			    enum tr2_table table, uint32_t first,
			    uint32_t second);

/* The same for the event's category and the text of this key. */
uint32_t tr2_step_enter_keys(const struct tr2_summary_step *step,
			     enum tr2_table table, enum tr2_key second);

struct tr2_sums *tr2_step_sums(const struct tr2_summary_step *step,
			       uint32_t place);

/* The event begins or ends this span. */
void tr2_step_begin_span(const struct tr2_summary_step *step,
			 const struct tr2_timeline_span *span);
void tr2_step_end_span(const struct tr2_summary_step *step,
		       const struct tr2_timeline_span *span);

/* The process waits for its pager from now on. SPEC: span.self.pager */
void tr2_step_push_pager(const struct tr2_summary_step *step);

#endif
