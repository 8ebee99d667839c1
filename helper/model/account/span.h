/*
 * span.h - events that begin and end the spans of a process: regions, children
 * and the programs that it executes.
 */
#ifndef TR2_ACCOUNT_SPAN_H
#define TR2_ACCOUNT_SPAN_H

#include "read/record.h"
#include "model/account/forest.h"

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
