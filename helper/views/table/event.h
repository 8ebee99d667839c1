/* event.h - an event to its rows. */
#ifndef TR2_TABLE_EVENT_H
#define TR2_TABLE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/common/vec.h"
#include "lib/whole/spill.h"
#include "model/account/forest.h"
#include "model/timeline.h"
#include "read/record.h"
#include "views/flat/output.h"

/*
 * The filter files of trace2receiver: which messages, regions and
 * data become columns of processes.
 *
 * The files are YAML. Of YAML this reads what these files need: a list of
 * maps of plain or quoted texts below each key of the top level. Everything
 * else is reported with file and line.
 */

struct tr2_flat_open {		  /* An open region or child, at its place. */
	struct tr2_flat_row row;  /* what its begin says, if it is wanted */
	int64_t inner;		  /* time of the regions directly inside */
	uint32_t category, label; /* numbers of texts, if --select asks */
};

/*
 * A process while its events come, or one that has ended: its row, with one
 * more cell after all columns, which tells when its first error was.
 */
struct tr2_flat_process {
	struct tr2_flat_row row;
	struct tr2_vec lists; /* struct tr2_buf: arrays, by field of --select */

	/* While its events come. */
	struct tr2_process_names names;
	uint32_t command;    /* number of its text */
	struct tr2_vec open; /* struct tr2_flat_open */
};

void tr2_flat_process_release(struct tr2_flat_process *process);

/* Append elements to the array of a field; no text is none. */
void tr2_flat_process_list(struct tr2_flat_process *process, size_t field,
			   const char *text, size_t len);

enum tr2_select_section {
	TR2_SELECT_NOTHING,
	TR2_SELECT_MESSAGES, /* printf events by prefix */
	TR2_SELECT_TIMERS,   /* regions by category and label */
	TR2_SELECT_DATA	     /* data events by category and prefix of key */
};

enum tr2_select_text {
	TR2_SELECT_FIRST,  /* what it matches: a prefix, or a category */
	TR2_SELECT_FIELD,  /* of counts, messages or data */
	TR2_SELECT_SECOND, /* a label, or the prefix of a key */
	TR2_SELECT_TIME,   /* the field of times */
	TR2_SELECT_TEXTS
};

struct tr2_select_rule {
	enum tr2_select_section section;
	unsigned long line; /* where it begins */
	char *texts[TR2_SELECT_TEXTS];
};

struct tr2_select {
	struct tr2_vec rules;	/* struct tr2_select_rule */
	struct tr2_vec columns; /* struct tr2_flat_column */
	size_t first;		/* number of the first column in processes */
	bool ignored;		/* something was not understood */
};

/*
 * Read the file, and make the columns of processes, those of the file after
 * all others. `name` may be NULL: no file. 0, or an exit status after a
 * report.
 */
int tr2_select_read(struct tr2_select *select, const char *name);

struct tr2_selected {		    /* What a process did. */
	const char *first, *second; /* what a rule matches, each with a NUL */
	int64_t wall;		    /* of a region, in microseconds */
	const char *value;	    /* of data: JSON */
	size_t len;
};

/* Count it in the fields of the rules of this section that match. */
void tr2_select_count(const struct tr2_select *select,
		      struct tr2_flat_process *process,
		      enum tr2_select_section section,
		      const struct tr2_selected *did);

void tr2_select_release(struct tr2_select *select);

struct tr2_flat_maker {
	struct tr2_forest forest;
	struct tr2_flat_output *output;
	const struct tr2_select *select;
	struct tr2_flat_row row;
	struct tr2_buf first, second; /* copies of texts of the event */

	/*
	 * Rows of processes: one that began in no other process of the logs,
	 * and all those below it. Which these are is known when the input has
	 * ended, as any log may come last. Until then the row of a process that
	 * has ended is a text, which need not be in memory.
	 */
	struct tr2_spill texts;
	struct tr2_vec places; /* uint64_t: where each begins, by number */
	struct tr2_vec below;  /* uint32_t: numbers of those of the next row */
	struct tr2_resolved root;
	bool has_root;
	bool failed; /* a text could not be read */
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

/* The forest has ended: write the last row. 0, or -1: a row is lost. */
int tr2_flat_maker_end(struct tr2_flat_maker *maker);

void tr2_flat_maker_release(struct tr2_flat_maker *maker);

/* rows.c */
/*
 * Is the kind wanted? If so, begin a row of what the step's event says by
 * itself.
 */
bool tr2_flat_begin(const struct tr2_flat_step *step, struct tr2_flat_row *row,
		    enum tr2_flat_kind kind);

/* Set what the event that ends a child says. */
void tr2_flat_take_end(const struct tr2_flat_step *step,
		       struct tr2_flat_row *row);

/* Set the text of this number, but for that of 0. */
void tr2_flat_set_name(const struct tr2_flat_maker *maker,
		       struct tr2_flat_row *row, size_t column,
		       uint32_t number);

/* Set the command, too, and the time, and put the row. */
void tr2_flat_put(const struct tr2_flat_step *step, struct tr2_flat_row *row);

/* process.c */
/* The process has ended. They come in the order of their numbers. */
void tr2_flat_keep(struct tr2_flat_maker *maker,
		   struct tr2_flat_process *process);

/* A tr2_forest_taker_fn. The next process: a root, or one below the last. */
void tr2_flat_join(void *maker, const struct tr2_forest *forest,
		   const struct tr2_resolved *process);

/* span.c: members of a tr2_forest_view, for struct tr2_flat_maker. */
void tr2_flat_begin_span(void *maker, struct tr2_summary_process *process,
			 const struct tr2_moment *moment,
			 const struct tr2_timeline_span *span);
void tr2_flat_end_span(void *maker, struct tr2_summary_process *process,
		       const struct tr2_moment *moment,
		       const struct tr2_timeline_span *span);
/* The event is a row by itself of these kinds. */
void tr2_flat_put_event(const struct tr2_flat_step *step);

#endif
