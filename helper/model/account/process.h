/*
 * process.h - a process of a log while its events come, and until its parent
 * has given it its time.
 *
 * Times are in microseconds: the places of helper/model, and of processes that
 * have ended the same after `base` of their timeline.
 */
#ifndef TR2_ACCOUNT_PROCESS_H
#define TR2_ACCOUNT_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/common/map.h"
#include "lib/common/vec.h"
#include "model/totals/chart.h"
#include "model/words/words.h"
#include "model/walk.h"
#include "model/totals/frame.h"
#include "model/totals/phase.h"
#include "model/totals/rows.h"
#include "read/record.h"

struct tr2_forest;

/* An owner of time: a place in `locals`, or in `children` with this bit. */
#define TR2_OWNER_CHILD (UINT32_C(1) << 31)
#define TR2_OWNER_PROCESS 0 /* the first local row is the process itself */
#define TR2_OWNER_GIVEN (TR2_OWNER_CHILD - 1) /* this time is given already */

/*
 * What the process knows of an open span, at its place in the timeline. Those
 * that may own time (regions of the main thread, and all children) are a list.
 */
struct tr2_open_span {
	uint32_t owner;
	uint32_t frame, depth;
	uint32_t outer, inner; /* neighbours in the list, or TR2_NO_SPAN */
	uint32_t around;       /* the region that it is in */
	uint8_t phase;
	bool owns;     /* it is in the list, */
	bool answered; /* but what it was begun for has ended */
	bool spent;    /* it had time of its own */
};

struct tr2_segment { /* From here to the next segment, this is the owner. */
	int64_t from;
	uint32_t owner;
	uint32_t frame : 27;
	uint32_t phase : 5;
};
_Static_assert(TR2_PHASES <= 32, "a phase has five bits");

struct tr2_child_span {
	uint32_t local; /* the row of its class and command */
	uint32_t frame;
	int32_t code;		   /* of its end */
	struct tr2_tree_call call; /* its times are places */
};

/* What a process is called; numbers of texts, 0: none. */
struct tr2_process_names {
	uint32_t name, mode, words, alias, caller, version, repository;
};

struct tr2_summary_process {
	struct tr2_life life;
	struct tr2_forest *forest;
	bool direct;		/* a root: its time is given at once */
	int64_t now;		/* the place of its last event, */
	int64_t before;		/* and that of the event before it */
	int64_t apart;		/* as in struct tr2_undated; 0: it has a date */
	int64_t given_until;	/* of a root: this time has been given */
	int64_t repeated_until; /* its log comes again; 0: it does not */
	int64_t line_at;	/* where it begins in NORMAL or PERF, or 0 */
	int64_t error_at;	/* its last error, */
	bool error_is_late;	/* or some time later, */
	struct tr2_buf error;	/* the text of it, */
	struct tr2_buf cause;	/* and of its first one if it had more */
	uint64_t root;		/* hash of the first part of its SID */
	struct tr2_buf line;	/* of its command, if it has no parent */
	struct tr2_facts facts;
	void *beside;	       /* what another view knows of it */
	struct tr2_map stacks; /* of these: the time that is given, then */
	uint32_t unclosed;     /* spans that were open at its end, */
	uint32_t stuck;	       /* and the local row of the last; 0: none */

	struct tr2_process_names names;
	uint32_t command;	     /* what it is called, at its end */
	uint32_t lock, host, remote; /* numbers of texts; 0: none */

	struct tr2_vec spans; /* struct tr2_open_span */
	uint32_t top;	      /* the last one that may own time */
	uint32_t region;      /* the innermost one, */
	uint32_t transport;   /* the last one; TR2_NO_SPAN: there is none */
	uint32_t pager;	      /* TR2_NO_SPAN, or it may own time after `exit` */
	struct tr2_vec segments; /* struct tr2_segment */
	uint32_t given;		 /* so many of them are given, or of children */
	struct tr2_vec locals;	 /* struct tr2_local */
	struct tr2_slots places; /* of rows in locals */
	struct tr2_vec children; /* struct tr2_child_span: all of them */
	struct tr2_map threads;	 /* of rows and other threads in them */
	struct tr2_vec lengths;	 /* struct tr2_length */
	int64_t phases[TR2_PHASES]; /* the time of each that is given, */
	int64_t waited[TR2_PHASES]; /* and that of children in it */
};

struct tr2_length { /* For quantiles. */
	uint32_t local;
	uint64_t value;
};

void tr2_process_release(struct tr2_life *process);

/* Returns the sums of a row; valid until the next row is entered. */
uint32_t tr2_process_local(struct tr2_summary_process *process, uint32_t row);
TR2_VEC_AT(tr2_local_at, tr2_summary_process, locals, tr2_local);

TR2_VEC_AT(tr2_child_span_at, tr2_summary_process, children, tr2_child_span);

/* Returns the local row that an owner stands for. */
uint32_t tr2_process_find_local(const struct tr2_summary_process *process,
				uint32_t owner);

/*
 * Give the time until now to its owners. Which time children had is kept, so
 * that their processes can have it.
 */
void tr2_process_flush(struct tr2_summary_process *process);

/* The time goes on: until now it belongs to whoever is on top. */
void tr2_process_advance(struct tr2_summary_process *process, int64_t to);

TR2_VEC_AT(tr2_open_span_at, tr2_summary_process, spans, tr2_open_span);

/* Returns what is to be known of the span that begins at this place. */
struct tr2_open_span *tr2_process_enter(struct tr2_summary_process *process,
					uint32_t place, uint32_t owner);

/*
 * The span, which has been entered, may own time from now on. It is inside the
 * innermost region that is open: what goes on beside a child is not in it.
 */
void tr2_process_push(struct tr2_summary_process *process, uint32_t place,
		      enum tr2_phase phase);

/* The span, which need not be the last one, ended here, after this time. */
void tr2_process_pop(struct tr2_summary_process *process, uint32_t place,
		     int64_t end);

/*
 * A region of the main thread ended whose beginning is not in the log: from
 * then on it had the time that nothing in the process did, and that is not
 * given yet.
 */
void tr2_process_claim(struct tr2_summary_process *process, uint32_t local,
		       enum tr2_phase phase, int64_t from);

/* event.c: what an event does to its process. */

/* A tr2_events_fn, for struct tr2_forest. */
void tr2_summary_event(void *forest, struct tr2_record *record);

/* Two events are the same if their lines have the same hash, of 31 bits. */
uint32_t tr2_summary_hash_line(const struct tr2_record *record);

/* Members of the view of the walk. */
void tr2_summary_take(void *forest, const struct tr2_moment *moment);
void tr2_summary_begin_span(void *forest, const struct tr2_moment *moment,
			    struct tr2_timeline_span *span);
void tr2_summary_end_span(void *forest, const struct tr2_moment *moment,
			  struct tr2_timeline_span *span);

/*
 * span.c: events that begin and end the spans of a process: regions, children
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

/* failure.c: the command that failed last, and what it said. */

#define TR2_FAILURE_MESSAGE 200 /* bytes that are kept of a message */

/* What stands for the name of a lock: a ref's, and a ref that another moved. */
#define TR2_LOCK_REF "the lock of a ref"
#define TR2_LOCK_MOVED "a ref that moved meanwhile"

struct tr2_failure {	 /* Of processes without a parent. */
	uint64_t count;	 /* so many failed; the others are of the last one */
	int64_t end;	 /* when it ended; of one within, as `said` */
	int64_t said;	 /* when it said the message */
	int64_t begun;	 /* when it began, for those that ended at once; or 0 */
	uint64_t key;	 /* the hash of the first part of its SID */
	uint32_t name;	 /* number of its text */
	uint32_t number; /* of its process in the tree */
	uint32_t child[2]; /* class and name of one that refused it; or 0 */
	bool has_code;
	int64_t code, signal; /* 0: none */
	/*
	 * The first line of its last error, and of what led to it: that of a
	 * process which it ran, or of its own first one; or empty. It ends
	 * with a NUL that is not counted.
	 */
	struct tr2_buf message;
	/* The message and the name are not made yet, but of these: */
	bool is_raw;
	struct tr2_buf line, error, cause; /* as of the process */
};

/* The event is an `error` of the process. */
void tr2_failure_take_error(struct tr2_forest *forest,
			    struct tr2_summary_process *process,
			    struct tr2_record *record);

/* So many others failed; this is the last one of them, and its message. */
void tr2_failure_offer(struct tr2_failure *failure,
		       const struct tr2_failure *other, const char *message);

/* The process has ended, and `end` is known. */
void tr2_failure_note(struct tr2_forest *forest,
		      const struct tr2_summary_process *process);

/* The tree is known: what failed may have its message from within. */
void tr2_failure_settle(struct tr2_forest *forest);

void tr2_failure_release(struct tr2_failure *failure);

#endif
