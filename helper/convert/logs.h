/*
 * logs.h - EVENT logs as one archive.
 *
 * Each SID is a process of its own, with an id that counts from 1: real
 * pids come again, and stay over an exec. Its life is a slice of its main
 * thread, and so are thread lives and regions on theirs; what happens at
 * one time is an instant, a child an asynchronous span, and a flow leads
 * from where a child was started to where its own log begins.
 *
 *	logs.c	       an event finds its process, thread and time
 *	logs_event.c   what each event becomes
 *	logs_args.c    keys of an event as arguments
 *	logs_run.c     processes, their threads and open slices
 *	logs_tie.c     children and those who started them
 *	logs_time.c    what an event says of time
 */
#ifndef TR2_CONVERT_LOGS_H
#define TR2_CONVERT_LOGS_H

#include "convert/fxt_writer.h"
#include "convert/logs_tie.h"
#include "convert/slots.h"
#include "validate/checker.h"
#include "common/hash.h"

struct tr2_run_thread {
	struct tr2_fxt_thread id;
	uint64_t last; /* the time of its last event */
	/* Category and name of each open slice, and their lengths behind. */
	struct tr2_buf open;
	unsigned depth;
	unsigned floor; /* slices that are no regions: 0 or 1 */
};

struct tr2_run_child {
	uint64_t span;
	struct tr2_buf name;
};

/* A process of a log. */
struct tr2_run {
	struct tr2_hash sid, parent;
	struct tr2_run *next; /* in the same bucket */
	bool has_parent;
	bool begun; /* its slice */
	uint32_t process;
	uint64_t first, last; /* times of events */
	uint64_t base;	      /* the time at which t_abs is 0 */
	struct tr2_buf exe, evt, command;
	struct tr2_buf title;		/* the name of the process, if named */
	struct tr2_run_thread *threads; /* the first is `main` */
	size_t threads_room;
	struct tr2_slots thread_names;	/* who of them is which */
	struct tr2_run_child *children; /* that did not exit */
	size_t children_room;
	struct tr2_slots child_ids;
};

/* A process that ended: a log may go on under its SID. */
#define TR2_ENDED 256
#define TR2_TITLE 100
struct tr2_ended {
	struct tr2_hash sid;
	size_t len;
	char title[TR2_TITLE];
};

struct tr2_logs {
	struct tr2_fxt_writer writer;
	struct tr2_sink *sink; /* findings go there */
	struct tr2_run **buckets;
	struct tr2_run *latest; /* whose event was the last, or NULL */
	size_t runs, room;
	uint32_t ids;	/* of processes and threads, the last one */
	uint64_t spans; /* ids of spans and flows, the last one */
	struct tr2_ties ties;
	struct tr2_ended ended[TR2_ENDED]; /* by their SIDs' hashes */
	char day[11];			   /* whose start is: */
	uint64_t day_ns;
	struct tr2_buf category, name, value; /* of the event at hand */

	/* The event at hand. */
	struct tr2_record *record;
	struct tr2_run *run;
	size_t thread; /* its number in the run */
	uint64_t time;
};

void tr2_logs_begin(struct tr2_logs *logs, struct tr2_sink *sink,
		    struct tr2_buf *out);
/* Of type tr2_checker_fn: take the event that the checker read. */
void tr2_logs_event(void *context, struct tr2_record *record);
/* No more events come: what is open ends. */
void tr2_logs_end(struct tr2_logs *logs);

/* logs_event.c: write what the event at hand becomes. */
void tr2_logs_write(struct tr2_logs *logs);

/* logs_args.c */
#define TR2_KEY_BIT(key) (UINT64_C(1) << (key))
/* All keys but the common ones and those in `skipped` as arguments. */
void tr2_logs_args(struct tr2_logs *logs, uint64_t skipped);
/* The value as text: of a list its words, quoted where needed. */
struct tr2_fxt_text tr2_logs_text(struct tr2_logs *logs,
				  const struct tr2_value *value,
				  struct tr2_buf *scratch);
/* The text of a key's value in `scratch`, or `otherwise`. */
struct tr2_fxt_text tr2_logs_key(struct tr2_logs *logs, enum tr2_key key,
				 struct tr2_buf *scratch,
				 const char *otherwise);
/* What the words of `argv` but the first are, as a number. */
uint64_t tr2_logs_words(const struct tr2_logs *logs);
/* The number, or `otherwise` if there is none. */
int64_t tr2_logs_int(const struct tr2_logs *logs, enum tr2_key key,
		     int64_t otherwise);

/* logs_run.c */
/*
 * Room for more bytes, and no more than is asked for at first: there may be
 * millions of processes at once, each with such texts.
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
/* The thread is gone: others take its place. */
void tr2_run_drop_thread(struct tr2_run *run, size_t number);
/* Write the begin of a slice but for its end: arguments may follow. */
void tr2_run_push(struct tr2_logs *logs, struct tr2_run_thread *thread,
		  uint64_t time, struct tr2_fxt_text category,
		  struct tr2_fxt_text name);
void tr2_run_pop(struct tr2_logs *logs, struct tr2_run_thread *thread,
		 uint64_t time);
/* The slice of the process, with what was told of it so far. */
void tr2_run_begin(struct tr2_logs *logs);
/* Everything of the process ends; it is forgotten. */
void tr2_run_end(struct tr2_logs *logs, struct tr2_run *run, bool has_event);
void tr2_run_name(struct tr2_logs *logs, struct tr2_run *run,
		  struct tr2_fxt_text name);

/* logs_time.c: ns since the epoch, never before the thread's last event. */
uint64_t tr2_logs_time(struct tr2_logs *logs);

static inline struct tr2_run_thread *tr2_logs_thread(struct tr2_logs *logs)
{
	return &logs->run->threads[logs->thread];
}

#endif
