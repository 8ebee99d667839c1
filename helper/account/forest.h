/*
 * forest.h - the room that gives each microsecond an owner: all processes of
 * the logs, as trees, and the tables that they add up to.
 *
 *	event.c     an event to its process
 *	span.c      events that begin and end spans
 *	process.c   a process while its events come: its spans and its time
 *	forest.c    the processes, and where each gets its time from
 *	twin.h      lists of those that one pid may mean
 *	wait.c      who waits for whom; resolve.c: who gets what
 *	name.c      what commands, children and callers are called
 *	chain.c     the chain of the longest spans
 *
 * helper/totals has the tables. The room knows records (helper/rules) and no
 * file, option or output format.
 *
 * A process is resolved when it is known which time its parent gives to it: a
 * root has its whole life; a child has the time in which its span was the
 * owner, as far as that lies in the child's own life. Then it gives this time
 * to its rows and its own children, adds its rows to the tables, and is
 * forgotten. Logs come in any order: a child that ends before its parent is
 * resolved waits for it, and a span whose child has no log yet waits for the
 * log.
 */
#ifndef TR2_ACCOUNT_FOREST_H
#define TR2_ACCOUNT_FOREST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/map.h"
#include "common/slots.h"
#include "account/chain.h"
#include "account/process.h"
#include "totals/rows.h"

/* What --by groups processes by. */
/* clang-format off */
#define TR2_BY_ROWS(ROW) \
	ROW(NOTHING, "nothing") \
	ROW(COMMAND, "command") \
	ROW(MODE, "mode") \
	ROW(REPOSITORY, "repository") \
	ROW(CALLER, "caller") \
	ROW(VERSION, "version") \
	ROW(HOST, "host") \
	ROW(HOUR, "hour")
/* clang-format on */

extern const char *const tr2_by_names[];

#define TR2_BY_ENUM(by, ...) TR2_BY_##by,
enum tr2_by { TR2_BY_ROWS(TR2_BY_ENUM) TR2_BYS };

/*
 * Which processes count. The outermost process that fits is taken as a root,
 * and everything below it counts.
 */
struct tr2_filter {
	const char *command; /* NULL: any */
	int64_t since;	     /* 0: any; the scale of tr2_record_time() */
	int64_t slower_than; /* in microseconds */
};

/* Numbers of processes and of what can't be seen. */
struct tr2_counts {
	uint64_t processes, roots;
	uint64_t unfinished; /* without an end in the log */
	uint64_t untimed;    /* brief: without `time` */
	uint64_t unclosed; /* regions and children that were open at the end */
	uint64_t unlogged; /* children without a log */
	uint64_t cut;	   /* processes whose parent is in no log */
	uint64_t late;	   /* events after the end of their process */
	uint64_t unread;   /* lines that are not events */
	int64_t wall;	   /* of the roots; a sum that may wrap around */
	int64_t wall_over;
};

/* The slowest root. */
struct tr2_slowest {
	bool found;
	uint32_t name; /* number of its text */
	int64_t wall;
	uint64_t key;
	uint32_t chain;
	uint32_t last; /* of its links, while a state is read */
};

struct tr2_task { /* A process that can be resolved. */
	struct tr2_summary_process *process;
	struct tr2_vec intervals; /* what its parent gives */
	uint32_t row;		  /* of its span; TR2_NO_ROW: none */
	uint32_t link, generation;
	uint32_t frame;
	int64_t start; /* of its span */
	int64_t shift; /* of the parent's time to the time of frames */
	bool is_root, accepted;
	bool in_background; /* its parent did not wait for it */
};

struct tr2_forest;

/* Takes a process that counts and has an end, and the name of its command. */
typedef void tr2_forest_taker_fn(void *taker, const struct tr2_forest *forest,
				 const struct tr2_summary_process *process,
				 uint32_t command);

struct tr2_forest {
	struct tr2_rows rows;
	struct tr2_chains chains;
	struct tr2_counts counts;
	struct tr2_slowest slowest;
	struct tr2_filter filter;
	enum tr2_by by;
	bool percentiles;	   /* also of regions and children */
	bool merged;		   /* the options are those of a state */
	struct tr2_frames *frames; /* NULL: they are not wanted */
	tr2_forest_taker_fn *take; /* NULL: only the tables are wanted */
	void *taker;

	/*
	 * From the hash of a SID to its process, or to TR2_PROCESS_GONE for
	 * one that was forgotten.
	 */
	struct tr2_map processes;
	struct tr2_summary_process *latest; /* of the last event, or NULL */
	struct tr2_vec tasks;		    /* struct tr2_task */

	/* By the parent's key and the child's pid; see forest_part.h. */
	struct tr2_slots waiting_slots, awaited_slots;
	struct tr2_vec waiting;	 /* struct tr2_twin *: of processes */
	struct tr2_vec awaited;	 /* struct tr2_twin *: of struct tr2_awaited */
	struct tr2_vec deferred; /* struct tr2_summary_process * */
	struct tr2_rest rest;	 /* of struct tr2_summary_process */
};

#define TR2_PROCESS_GONE UINT64_C(1)

void tr2_forest_begin(struct tr2_forest *forest);

static inline bool tr2_forest_is_filtered(const struct tr2_forest *forest)
{
	return forest->filter.command || forest->filter.since ||
	       forest->filter.slower_than;
}

/*
 * Returns the process of an event, or NULL: it has ended. The SID's last
 * component has the pid, if it has git's form.
 */
struct tr2_summary_process *tr2_forest_process(struct tr2_forest *forest,
					       const char *sid, size_t len);

/* A child of the process, at this place of `children`, has ended. */
void tr2_forest_end_child(struct tr2_forest *forest,
			  struct tr2_summary_process *process, uint32_t place);

/* A span with this local row was so long; its length is also for quantiles. */
void tr2_forest_count_span(const struct tr2_forest *forest,
			   struct tr2_summary_process *process, uint32_t local,
			   int64_t length);

/*
 * The process had an event, and has or had an end. It may go on, so that it is
 * resolved when many others have ended after it. Processes may be freed.
 */
void tr2_forest_rest(struct tr2_forest *forest,
		     struct tr2_summary_process *process);

/* Resolve the processes that have ended: they do not go on. */
void tr2_forest_end_rested(struct tr2_forest *forest);

/* There are no more events: resolve all processes that are left. */
void tr2_forest_end(struct tr2_forest *forest);

/* Resolve the processes whose time is known. */
void tr2_forest_settle(struct tr2_forest *forest);

void tr2_forest_release(struct tr2_forest *forest);

#endif
