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
 *	logs.c      events in; which thread and time an event has
 *	event.c     writes what each event becomes
 *	args.c      writes keys of an event as arguments
 *	run.c       processes, their threads and slices; the flows between them
 *	writer.c    records to bytes, and their table of strings
 *
 * It never drops an event or a value silently, and knows nothing of files.
 */
#ifndef TR2_ARCHIVE_LOGS_H
#define TR2_ARCHIVE_LOGS_H

#include "views/archive/writer.h"
#include "read/events.h"
#include "lib/common/vec.h"
#include "model/walk.h"

struct tr2_run_thread {
	struct tr2_fxt_thread id; /* its thread is 0 until it has an event */
	uint64_t last; /* time at which its last slice began or ended */
	bool lives;    /* a slice shows its life, or that of the process */
};

struct tr2_run_span { /* An open region or child, at the place of its span. */
	struct tr2_buf name; /* of a region: its category and its label */
	size_t category;     /* its bytes */
	uint64_t id;	     /* of a child */
	uint32_t call;	     /* its number among the calls */
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
	struct tr2_life life;
	uint64_t start; /* of its slice */
	bool begun;	/* its slice is written */
	bool named;
	struct tr2_buf end; /* its first atexit, whose keys its slice has */
	struct tr2_buf sid, exe, evt; /* until it has begun */
	struct tr2_buf command;
	struct tr2_run_thread main; /* `main`, also without an event */
	struct tr2_vec threads;	    /* tr2_run_thread: others, by place */
	struct tr2_vec spans;	    /* struct tr2_run_span, by place */
	struct tr2_vec calls;	    /* struct tr2_run_call: all of them */
};

struct tr2_logs {
	struct tr2_fxt_writer writer;
	const struct tr2_events *events; /* who reads the present one */
	struct tr2_walk walk;
	uint32_t ids;		 /* the last id of a process or thread */
	uint64_t spans;		 /* the last id of a span or flow */
	uint64_t main_hash;	 /* of "main" */
	struct tr2_tree tree;	 /* processes that have ended */
	struct tr2_vec begins;	 /* struct tr2_flow_end, of each of them, */
	struct tr2_vec calls;	 /* and of each call */
	struct tr2_record again; /* an event that is read again */
	struct tr2_buf category, name, value; /* texts of the present event */

	/* The present event. */
	struct tr2_record *record;
	struct tr2_run *run;
	const struct tr2_moment *moment;
	struct tr2_run_thread *thread;
	uint64_t time;
	bool waits; /* for what it ends */
};

void tr2_logs_begin(struct tr2_logs *logs, const struct tr2_events *events,
		    struct tr2_buf *out);
/* A tr2_events_fn. */
void tr2_logs_event(void *context, struct tr2_record *record);
/* There are no more events: end all slices. */
void tr2_logs_end(struct tr2_logs *logs);

/*
 * event.c: write what the present event becomes; that it begins or ends this
 * span; and, last of all, what remains. Two are of the view of a timeline.
 */
void tr2_logs_write(struct tr2_logs *logs);
void tr2_logs_begin_span(void *logs, const struct tr2_moment *moment,
			 struct tr2_timeline_span *span);
void tr2_logs_end_span(struct tr2_logs *logs,
		       const struct tr2_timeline_span *span);
void tr2_logs_finish(void *logs, const struct tr2_moment *moment);

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

/* Give the thread, which has just been seen for the first time, an id. */
void tr2_run_begin_thread(struct tr2_logs *logs, struct tr2_run_thread *thread,
			  uint32_t process, struct tr2_fxt_text name);
/*
 * Write the begin or the end of a slice of the present thread, but for its own
 * end, so that arguments can follow.
 */
void tr2_run_put_slice(struct tr2_logs *logs, enum fxt_event type,
		       uint64_t time, struct tr2_fxt_text category,
		       struct tr2_fxt_text name);
/*
 * Write the begin of the slice of the present event's process, with the data
 * so far.
 */
void tr2_run_begin(struct tr2_logs *logs);
/* Write the ends of its slice and those of its threads. */
void tr2_run_end(struct tr2_logs *logs);
void tr2_run_release(struct tr2_life *life);
void tr2_run_name(struct tr2_logs *logs, struct tr2_fxt_text name);

/* Write all flows, in the end. */
void tr2_run_put_flows(struct tr2_logs *logs);

/* Returns a place in the life of the process as ns since 1970. */
uint64_t tr2_run_time(const struct tr2_run *run, int64_t at);

#endif
