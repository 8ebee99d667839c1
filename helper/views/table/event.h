/* event.h - an event to its rows. */
#ifndef TR2_TABLE_EVENT_H
#define TR2_TABLE_EVENT_H

#include "read/record.h"
#include "views/flat/output.h"
#include "views/table/select.h"

struct tr2_flat_maker {
	struct tr2_forest forest;
	struct tr2_flat_join join;
	struct tr2_flat_output *output;
	const struct tr2_select *select;
	struct tr2_flat_row row;
	struct tr2_buf first, second; /* copies of texts of the event */
};

struct tr2_flat_step { /* One event. */
	struct tr2_flat_maker *maker;
	struct tr2_flat_process *process; /* NULL: it is a row already */
	struct tr2_record *record;
	int64_t time; /* 0: unknown */
};

void tr2_flat_maker_begin(struct tr2_flat_maker *maker,
			  struct tr2_flat_output *output,
			  const struct tr2_select *select);

/* A tr2_events_fn, for struct tr2_flat_maker. */
void tr2_flat_event(void *maker, struct tr2_record *record);

/* The forest has ended: write the last row. 0, or -1: a row is lost. */
int tr2_flat_maker_end(struct tr2_flat_maker *maker);

void tr2_flat_maker_release(struct tr2_flat_maker *maker);

/* What the files of rows share. */

/* Is the kind wanted? If so, begin a row of it. */
bool tr2_flat_begin(struct tr2_flat_maker *maker, enum tr2_flat_kind kind);

/* Set a text, number or time from the event. */
void tr2_flat_take_text(const struct tr2_flat_step *step, size_t column,
			enum tr2_key key);
void tr2_flat_take_number(const struct tr2_flat_step *step, size_t column,
			  enum tr2_key key);
void tr2_flat_take_seconds(const struct tr2_flat_step *step, size_t column,
			   enum tr2_key key);

/* Set the text of this number, which is not of 0. */
void tr2_flat_take_name(struct tr2_flat_maker *maker, size_t column,
			uint32_t number);

/* rows.c: a tr2_flat_row_fn, for struct tr2_flat_maker. */
void tr2_flat_put_process(void *maker, const struct tr2_flat_process *process);

/* span.c: members of a tr2_forest_view, for struct tr2_flat_maker. */
void tr2_flat_begin_span(void *maker, struct tr2_summary_process *process,
			 const struct tr2_moment *moment,
			 const struct tr2_timeline_span *span);
void tr2_flat_end_span(void *maker, struct tr2_summary_process *process,
		       const struct tr2_moment *moment,
		       const struct tr2_timeline_span *span);
/* rows.c: events that are rows by themselves. */
void tr2_flat_put_event(const struct tr2_flat_step *step);
void tr2_flat_put_data(const struct tr2_flat_step *step);
void tr2_flat_put_error(const struct tr2_flat_step *step);

#endif
