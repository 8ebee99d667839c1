/*
 * forest.h - the room that gives each microsecond an owner: all processes of
 * the logs, as trees, and the tables that they add up to.
 *
 *	event.c     an event to its process
 *	span.c      events that begin and end spans
 *	process.c   a process while its events come: its spans and its time
 *	forest.c    the processes; kept.c: what is kept of those that ended
 *	resolve.c   who gets what; share.c: what is handed on, and the
 *	            chart of the slowest root meanwhile; path.c: the critical
 *	            path of each, sides.c: server, network and client
 *	name.c      what commands, children and callers are called
 *	failure.c   the command that failed last
 *
 * helper/model/totals has the tables, and helper/model the tree of processes.
 * The room knows records (helper/rules) and no file, option or output format.
 *
 * What a process has by itself goes to the tables when it ends. Who owns its
 * time is known when the input has ended: a root has its whole life; a child
 * has the time in which its span was the owner, as far as that lies in the
 * child's own life. It hands on what its own children own. Until then some 200
 * bytes are kept of a process that ended: its times, its children, and who
 * owned its time from when on.
 *
 * A process that is known by its pid and that `time` puts outside its span is
 * moved inside. What it does after its span is in no wall.
 */
#ifndef TR2_ACCOUNT_FOREST_H
#define TR2_ACCOUNT_FOREST_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/common/map.h"
#include "model/advice/advice.h"
#include "model/account/process.h"
#include "model/totals/chart.h"
#include "model/totals/members.h"
#include "model/totals/notes.h"
#include "model/totals/rows.h"
#include "model/tree.h"
#include "model/window.h"

/*
 * What the words of a command line say. Commands repeat, so what was
 * said of the last ones is kept.
 */

struct tr2_record;

#define TR2_SAID_MOST 256 /* a power of two */

struct tr2_said {
	uint64_t key;	       /* hash of all that it depends on */
	uint32_t name, remote; /* numbers of texts */
	uint32_t words;	       /* as in a tree */
	uint32_t choices;      /* as in facts */
	uint8_t use;	       /* a phase */
};

/* Returns what the event's words say; valid until the next call. */
const struct tr2_said *tr2_said_read(struct tr2_said kept[TR2_SAID_MOST],
				     struct tr2_rows *rows,
				     struct tr2_record *record);

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
	uint64_t late;	   /* events after the end of their process, but not
			    * those of a log that comes again */
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
	struct tr2_vec chain; /* struct tr2_link */
};

/* The slowest root whose time was given before its end. */
struct tr2_given_early {
	bool found;
	int64_t wall;
	uint64_t key;
	struct tr2_chart chart; /* of what it has by itself */
};

/* Roots without an end, and what one of them was in. */
struct tr2_stuck {
	uint64_t roots;
	uint32_t name; /* number of its text */
	uint32_t row;
};

/* What all processes that count have in common, for the heading. */
struct tr2_about {
	/* Numbers of texts; 0: none. */
	uint32_t version, repository; /* of those without a parent */
	uint32_t inner; /* version of one that git ran and that has no name */
	bool versions, repositories; /* there are several */
	int64_t begin;		     /* of the first one; 0: without a time */
};

struct tr2_kept { /* A process that ended, beside what the tree knows. */
	struct tr2_summary_process *whole; /* NULL: it is in the tables */
	int64_t self;			   /* that it has been given */
	uint32_t segments;		   /* number of its first segment */
	uint32_t name, group, caller;	   /* numbers of texts */
	uint32_t begun;			   /* so many had begun before it */
	int32_t code;			   /* of its end */
	uint8_t phase;			   /* of its command */
	bool direct, failed, unfinished;
	bool serves; /* its command is one of a server */
	bool shown;  /* it, or one in it, has a piece */
};

/*
 * What is at once in logs without dates: only what one log has, until its clock
 * goes back while nothing runs, for then it has another day.
 */
struct tr2_undated {
	uint64_t log;	/* hash of what all SIDs of the present one have */
	uint64_t count; /* of them so far */
	/*
	 * Added to its times, so that they are near none of another one or of a
	 * date; 0: it has no clock.
	 */
	int64_t apart;
	int64_t latest; /* when a process began or ended */
};

struct tr2_kept_call { /* One of its children, in the same way. */
	uint32_t row;
	uint32_t frame;
	int32_t code;  /* of its end */
	uint8_t phase; /* 0: that of its row */
};

struct tr2_resolved {	 /* A process that counts and has an end. */
	uint32_t number; /* in the tree */
	bool is_root;
	uint64_t key;
	uint32_t command; /* number of its text */
	int64_t wall, self, waited;
	bool unfinished;
	const struct tr2_vec *locals; /* NULL: `whole` is not set */
};

struct tr2_forest;

/*
 * Another view of the same processes. What it knows of one is its `beside`. All
 * of these are called with the taker of the forest.
 */
struct tr2_forest_view {
	/* It is new, and `beside` NULL. */
	void (*begin)(void *taker, struct tr2_summary_process *process,
		      const char *sid, size_t len);
	/*
	 * An event as it comes, which may wait for its place; the process is
	 * NULL if it has ended. Or NULL.
	 */
	void (*arrive)(void *taker, struct tr2_summary_process *process,
		       struct tr2_record *record);
	/* An event at its place. Or NULL. */
	void (*take)(void *taker, struct tr2_summary_process *process,
		     const struct tr2_moment *moment);
	/* The tables have heard of it; the same as in a tr2_timeline_view. */
	void (*begin_span)(void *taker, struct tr2_summary_process *process,
			   const struct tr2_moment *moment,
			   const struct tr2_timeline_span *span);
	void (*end_span)(void *taker, struct tr2_summary_process *process,
			 const struct tr2_moment *moment,
			 const struct tr2_timeline_span *span);
	/* There are no more events of it. They come in order of number. */
	void (*end)(void *taker, struct tr2_summary_process *process);
	/* All have ended, and the tree knows who ran whom. Or NULL. */
	void (*resolve)(void *taker, const struct tr2_tree *tree);
};

typedef void tr2_forest_taker_fn(void *taker, const struct tr2_forest *forest,
				 const struct tr2_resolved *process);

struct tr2_forest {
	struct tr2_rows rows;
	struct tr2_counts counts;
	struct tr2_slowest slowest;
	struct tr2_given_early early;
	struct tr2_frames stacks; /* those of processes alone */
	struct tr2_failure failure;
	struct tr2_vec inner; /* struct tr2_failure: of some with a parent */
	struct tr2_stuck stuck;
	struct tr2_about about;
	struct tr2_vec advice;	/* struct tr2_advice_bits, by row */
	struct tr2_notes notes; /* of roots with a repository */
	struct tr2_map locks;	/* from a root: one that a process in it met */
	struct tr2_undated undated;
	struct tr2_filter filter;
	struct tr2_window window;	     /* the days that count */
	struct tr2_members held;	     /* the processes that count */
	struct tr2_said said[TR2_SAID_MOST]; /* of the last command lines */
	enum tr2_by by;
	bool percentiles;	 /* also of regions and children */
	bool merged;		 /* the options are those of a state */
	bool whole;		 /* processes are kept as they are */
	bool profiled;		 /* the chart of all roots has pieces */
	struct tr2_chart *chart; /* of all roots; NULL: it is not wanted */
	/*
	 * NULL: only the tables are wanted. With a view each root is followed
	 * by the processes below it, in reverse: the last one comes first.
	 */
	tr2_forest_taker_fn *take;
	const struct tr2_forest_view *view; /* or NULL */
	void *taker;

	/* Of struct tr2_summary_process; its mark is the hash of its version. */
	struct tr2_walk walk;
	uint64_t timeless; /* of all processes those in no piece */
	uint64_t servers;  /* processes of a server */
	uint64_t repeated; /* logs that came again; each counts once */

	struct tr2_tree tree;	 /* processes that ended, and */
	struct tr2_vec ended;	 /* struct tr2_kept of each, */
	struct tr2_vec calls;	 /* struct tr2_kept_call, */
	struct tr2_vec segments; /* struct tr2_segment: an owner is a row,
				  * TR2_OWNER_SELF or the number of a call */
	int64_t phases[TR2_PHASES], phases_over[TR2_PHASES];
};

/* The process itself, as an owner of segments in a forest. */
#define TR2_OWNER_SELF (TR2_OWNER_GIVEN - 1)

void tr2_forest_begin(struct tr2_forest *forest);

static inline bool tr2_forest_is_filtered(const struct tr2_forest *forest)
{
	return forest->filter.command || forest->filter.since ||
	       forest->filter.slower_than;
}

/* What the only command without an end is in when its log ends; or NULL. */
static inline const struct tr2_row *
tr2_forest_stuck(const struct tr2_forest *forest)
{
	return forest->stuck.roots == 1 && !tr2_forest_is_filtered(forest)
		       ? tr2_rows_at(&forest->rows, forest->stuck.row)
		       : NULL;
}

/*
 * An event of a process that has ended: it is late, unless the log has begun
 * again. `key` is the hash of its SID.
 */
void tr2_forest_take_late(struct tr2_forest *forest, struct tr2_record *record,
			  uint64_t key);

/* A tr2_crowd_leave_fn: the process has no more events, if it is there. */
void tr2_forest_leave(void *forest, const char *sid, size_t len);

/* kept.c: keep what the tables need of a process. True: also itself. */
bool tr2_kept_add(struct tr2_forest *forest,
		  struct tr2_summary_process *process);

/* Note a root for what runs at once; under a filter when it is known as one. */
void tr2_kept_note(struct tr2_forest *forest,
		   const struct tr2_summary_process *process);

/* Add what other processes have in common. */
void tr2_about_add(struct tr2_about *about, const struct tr2_about *more);

/* Add to the tables what the process has by itself. */
void tr2_kept_count(struct tr2_forest *forest,
		    const struct tr2_summary_process *process);

/* resolve.c: give all time, when the tree is known. */
void tr2_forest_resolve(struct tr2_forest *forest);

/* There are no more events: resolve all processes. */
void tr2_forest_end(struct tr2_forest *forest);

void tr2_forest_release(struct tr2_forest *forest);

#endif
