/*
 * process.h - what holds between the lines of a PERF log. PERF has
 * no SID: lines of two processes of the same depth can't be told apart, so
 * nothing is claimed of a depth at which two of them may be alive.
 */
#ifndef TR2_TEXTLOG_PROCESS_H
#define TR2_TEXTLOG_PROCESS_H

#include "common/hash.h"
#include "common/map.h"
#include "textlog/columns.h"
#include "common/vec.h"

struct tr2_textlog;

struct tr2_text_thread {
	uint64_t name;	     /* a hash of it */
	int64_t last;	     /* t_abs of its last line */
	int64_t began;	     /* t_abs of its start, or -1: not known */
	struct tr2_vec open; /* int64_t: t_abs of each open region's enter */
	bool lost;	     /* its regions are not known any more */
};

struct tr2_text_process {
	unsigned long depth;
	unsigned alive;		/* processes of this depth that did not end */
	bool begun;		/* a `version` was there */
	bool is_gone;		/* by a signal */
	bool may_be_gone;	/* by exec, if that did not fail */
	bool may_be_back;	/* one before this may be there still: exec */
	bool unknown;		/* whose lines these are */
	bool stray;		/* one goes on behind its atexit */
	unsigned long lost;	/* as of struct tr2_processes, when last met */
	struct tr2_vec threads; /* struct tr2_text_thread */
	struct tr2_map places;	/* by name: in the list, from 1 */
};

struct tr2_processes {
	struct tr2_vec all;    /* struct tr2_text_process: one for each depth */
	struct tr2_map places; /* by depth: in the list, from 1 */
	unsigned long lost;    /* lines that were not understood */
	bool from_start;       /* the first line of the log is a `version` */
	bool any;
};

/* A line, and what its payload begins with. */
struct tr2_perf_step {
	const struct tr2_columns *columns;
	unsigned dots; /* pairs of them */
	bool free;     /* the payload itself may begin with dots */
	bool none;     /* the event has none, whatever is open */
};

void tr2_processes_step(struct tr2_processes *processes,
			struct tr2_textlog *log,
			const struct tr2_perf_step *step);

/* A line was not understood: what is open is not known. */
void tr2_processes_lost(struct tr2_processes *processes);

void tr2_processes_release(struct tr2_processes *processes);

#endif
