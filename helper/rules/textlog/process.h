/*
 * process.h - the rules between the lines of a PERF log. PERF has no SID, so
 * the lines of two processes of the same depth can't be told apart: nothing
 * is reported for a depth at which two processes may be alive.
 */
#ifndef TR2_TEXTLOG_PROCESS_H
#define TR2_TEXTLOG_PROCESS_H

#include "lib/common/hash.h"
#include "lib/common/map.h"
#include "read/text/columns.h"
#include "lib/common/vec.h"

struct tr2_textlog;

struct tr2_text_thread {
	uint64_t name;	     /* hash of its name */
	int64_t last;	     /* t_abs of its last line */
	int64_t began;	     /* t_abs of its start, or -1: unknown */
	struct tr2_vec open; /* int64_t: t_abs of each open region */
	bool lost;	     /* its open regions are unknown */
};

struct tr2_text_process {
	unsigned long depth;
	unsigned alive;		/* processes that have not ended */
	bool begun;		/* a `version` was there */
	bool is_gone;		/* by a signal */
	bool may_be_gone;	/* by exec, if that did not fail */
	bool may_be_back;	/* one before this may be there still: exec */
	bool unknown;		/* lines can't be attributed */
	bool stray;		/* a process continues after its atexit */
	unsigned long lost;	/* lost lines at its last line */
	struct tr2_vec threads; /* struct tr2_text_thread */
	struct tr2_map places;	/* by name: place in the list, from 1 */
};

struct tr2_processes {
	struct tr2_vec all;    /* struct tr2_text_process: one for each depth */
	struct tr2_map places; /* by depth: place in the list, from 1 */
	unsigned long lost;    /* lines that could not be read */
	bool from_start; /* it has each `version` from the first line on */
	bool any;
};

/* A line and the dots at the start of its payload. */
struct tr2_perf_step {
	const struct tr2_columns *columns;
	unsigned dots; /* number of pairs */
	bool free;     /* the payload itself may begin with dots */
	bool none;     /* the event never has dots */
};

void tr2_processes_step(struct tr2_processes *processes,
			struct tr2_textlog *log,
			const struct tr2_perf_step *step);

/* A payload could not be read: the open regions are unknown from now on. */
void tr2_processes_lost(struct tr2_processes *processes);

/* Not even a line's columns could be read: a process may have begun there. */
void tr2_processes_lost_line(struct tr2_processes *processes);

void tr2_processes_release(struct tr2_processes *processes);

#endif
