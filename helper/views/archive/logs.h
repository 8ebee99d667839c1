/*
 * logs.h - turn EVENT logs into one archive, for `convert`.
 *
 * Each SID becomes a process of its own, with an id that counts from 1: real
 * pids are reused, and they stay the same over an exec. A slice of the main
 * thread shows the life of the process, and slices of the other threads show
 * theirs; regions are slices, too. An event at one time becomes an instant,
 * and a child becomes an asynchronous span. A flow leads from the place where
 * a child was started to the place where its own log begins.
 *
 *	logs.c      finds an event's process, thread and time
 *	event.c     writes what each event becomes; which child was started where
 *	args.c      writes keys of an event as arguments
 *	run.c       processes, their threads and open slices
 *	writer.c    records to bytes, and their table of strings
 *
 * It never drops an event or a value
 * silently, and knows nothing of files.
 */
#ifndef TR2_ARCHIVE_LOGS_H
#define TR2_ARCHIVE_LOGS_H

#include "views/archive/writer.h"
#include "lib/common/slots.h"
#include "read/events.h"
#include "lib/common/hash.h"
#include "lib/common/vec.h"
#include "model/heirs.h"
#include "model/rest.h"
#include "model/timeline.h"
#include "model/tree.h"

struct tr2_run_thread {
	struct tr2_fxt_thread id;
	uint64_t last; /* time at which its last slice began or ended */
	/* For each open slice: category, name, and then the lengths of both. */
	struct tr2_buf open;
	unsigned depth;
	unsigned floor; /* slices other than regions: 0 or 1 */
};

struct tr2_run_child {
	uint64_t span;
	struct tr2_buf name;
};

struct tr2_flow_end { /* Where a flow begins or ends. */
	uint64_t time;
	uint32_t thread; /* the main thread has the number of its process */
};

struct tr2_run_call {		   /* A child or exec. */
	struct tr2_tree_call call; /* its times are places */
	struct tr2_flow_end from;
};

/* A process in a log. */
struct tr2_run {
	uint32_t parent_pid;
	struct tr2_tree_process self;
	struct tr2_run *next; /* next in the same bucket */
	uint64_t start;	      /* of its slice */
	bool begun;	      /* its slice is written */
	uint32_t process;
	uint32_t depth; /* how many components its SID has */
	struct tr2_timeline timeline;
	struct tr2_rest_place rest;
	struct tr2_buf last; /* its last atexit, whose keys its slice has */
	int64_t last_at;
	struct tr2_buf text, exe, evt; /* SID and others, until it has begun */
	struct tr2_buf command;
	struct tr2_buf title;	/* the process's name; empty: none yet */
	struct tr2_vec threads; /* tr2_run_thread; the first one is `main` */
	struct tr2_slots thread_names;	/* places of names in threads */
	struct tr2_vec children;	/* tr2_run_child; those that are open */
	struct tr2_slots child_numbers; /* of their spans */
	struct tr2_vec calls;		/* struct tr2_run_call: all of them */
	struct tr2_vec open_calls;	/* uint32_t: those of open spans */
};

TR2_VEC_AT(tr2_run_thread_at, tr2_run, threads, tr2_run_thread);

struct tr2_logs {
	struct tr2_fxt_writer writer;
	const struct tr2_events *events; /* who reads the present one */
	struct tr2_run **buckets;
	struct tr2_run *latest; /* process of the last event, or NULL */
	size_t runs, room;
	uint32_t ids;	/* the last id of a process or thread */
	uint64_t spans; /* the last id of a span or flow */
	struct tr2_heirs heirs;
	struct tr2_tree tree;	 /* processes that have ended */
	struct tr2_vec begins;	 /* struct tr2_flow_end, of each of them, */
	struct tr2_vec calls;	 /* and of each call */
	struct tr2_rest rest;	 /* of struct tr2_run */
	struct tr2_record again; /* an event that is read again */
	struct tr2_buf category, name, value; /* texts of the present event */

	/* The present event. */
	struct tr2_record *record;
	struct tr2_run *run;
	const struct tr2_moment *moment;
	size_t thread; /* place in run->threads */
	uint64_t time;
	bool ends_none; /* it ends a span, but none of the archive's yet */
};

void tr2_logs_begin(struct tr2_logs *logs, const struct tr2_events *events,
		    struct tr2_buf *out);
/* A tr2_events_fn. */
void tr2_logs_event(void *context, struct tr2_record *record);
/* There are no more events: end all slices. */
void tr2_logs_end(struct tr2_logs *logs);

/*
 * event.c: write what the present event becomes; that it begins or ends this
 * span; and, last of all, what remains.
 */
void tr2_logs_write(struct tr2_logs *logs);
void tr2_logs_begin_span(struct tr2_logs *logs,
			 const struct tr2_timeline_span *span);
void tr2_logs_end_span(struct tr2_logs *logs,
		       const struct tr2_timeline_span *span);
void tr2_logs_finish(struct tr2_logs *logs);

/* args.c */
#define TR2_KEY_BIT(key) (UINT64_C(1) << (key))
/*
 * Write all keys as arguments, except the common ones and those in `skipped`.
 */
void tr2_logs_args(struct tr2_logs *logs, uint64_t skipped);
/* Returns the text of a key's value in `scratch`, or `otherwise`. */
struct tr2_fxt_text tr2_logs_key(struct tr2_logs *logs, enum tr2_key key,
				 struct tr2_buf *scratch,
				 const char *otherwise);

/* run.c */
/*
 * Make room for more bytes; at first exactly as much as needed. There may be
 * millions of processes at a time, each with such texts.
 */
void tr2_run_reserve(struct tr2_buf *buf, size_t more);
static inline void tr2_run_keep(struct tr2_buf *buf, struct tr2_fxt_text text)
{
	tr2_run_reserve(buf, text.len);
	tr2_fxt_keep(buf, text);
}
struct tr2_run *tr2_run_find(struct tr2_logs *logs, const char *sid,
			     size_t len);
size_t tr2_run_thread(struct tr2_logs *logs, struct tr2_run *run,
		      const char *name, size_t len);
/* The thread has ended: another thread may get its place. */
void tr2_run_drop_thread(struct tr2_run *run, size_t number);
/* Write the begin of a slice except its end, so that arguments can follow. */
void tr2_run_push(struct tr2_logs *logs, struct tr2_run_thread *thread,
		  uint64_t time, struct tr2_fxt_text category,
		  struct tr2_fxt_text name);
void tr2_run_pop(struct tr2_logs *logs, struct tr2_run_thread *thread,
		 uint64_t time);
/*
 * Write the begin of the slice of the present event's process, with the data
 * so far.
 */
void tr2_run_begin(struct tr2_logs *logs);
/* End all slices of the process, and forget it. */
void tr2_run_end(struct tr2_logs *logs, struct tr2_run *run);
/* Returns the process in which this one began, or NULL: it is not open. */
struct tr2_run *tr2_run_parent(const struct tr2_logs *logs,
			       const struct tr2_run *run);
/* Read the last atexit again, as the present event. False: there is none. */
bool tr2_run_read_last(struct tr2_logs *logs, struct tr2_run *run);
void tr2_run_name(struct tr2_logs *logs, struct tr2_run *run,
		  struct tr2_fxt_text name);

/*
 * The present event begins or ends a child or an exec; its process has
 * ended; and in the end, write all flows.
 */
void tr2_flow_end_process(struct tr2_logs *logs, struct tr2_run *run);
void tr2_flow_put_all(struct tr2_logs *logs);

/* Returns a place in the life of the process as ns since 1970. */
uint64_t tr2_run_time(const struct tr2_run *run, int64_t at);

static inline struct tr2_run_thread *tr2_logs_thread(struct tr2_logs *logs)
{
	return tr2_run_thread_at(logs->run, logs->thread);
}

#endif
