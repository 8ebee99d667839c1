/*
 * span.h - events that begin and end the spans of a process: regions, children
 * and the programs that it executes.
 */
#ifndef TR2_ACCOUNT_SPAN_H
#define TR2_ACCOUNT_SPAN_H

#include "rules/record.h"
#include "account/forest.h"

struct tr2_summary_step { /* An event and its process. */
	struct tr2_forest *forest;
	struct tr2_record *record;
	struct tr2_summary_process *process;
	int64_t time;	 /* the event's `time`; 0: none */
	uint64_t thread; /* hash of its name; 0: main */
};

/* Life goes on until the event. */
void tr2_step_go_on(const struct tr2_summary_step *step);

/* Returns the local row of the process for these names. */
uint32_t tr2_step_enter_row(const struct tr2_summary_step *step,
			    enum tr2_table table, uint32_t first,
			    uint32_t second);

struct tr2_sums *tr2_step_sums(const struct tr2_summary_step *step,
			       uint32_t place);

/* Each takes an event of this name; child_end also takes child_ready. */
void tr2_span_region_enter(struct tr2_summary_step *step);
void tr2_span_region_leave(struct tr2_summary_step *step);
void tr2_span_child_start(struct tr2_summary_step *step);
void tr2_span_child_end(struct tr2_summary_step *step);
void tr2_span_exec(struct tr2_summary_step *step);
void tr2_span_exec_result(struct tr2_summary_step *step);

#endif
