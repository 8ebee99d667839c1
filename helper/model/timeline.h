/*
 * timeline.h - the room that says where each event of a process lies in its
 * life, and which spans it begins and ends. Every view of a log (tables, rows,
 * timeline, spans of OpenTelemetry, archive) asks this room, so all of them
 * give a span the same begin, length and owner.
 *
 *	timeline.c   an event to its process: threads, regions, children
 *	place.c   where an event lies
 *	span.c    the spans that are open
 *	ending.c  when a process ends
 *	hold.c    events whose place, or time, depends on a later event
 *	walk.h    all processes of the logs
 *
 * The room knows records (helper/rules), one process at a time. It knows no
 * file, no format and no other process, and it never reports an error: what
 * a log does not say is absent.
 *
 * Places are microseconds since the process began (t_abs counts from there).
 * An event lies at its t_abs if it has one; an event that ends a span lies
 * t_rel after the begin of the span; any other event lies after the one before
 * it by the difference of their `time`. Where such a difference is large, a
 * clock may have been set: the event is held until a later one tells the
 * place, and what the differences have too much is cut from the largest.
 * Places never go back; the length of a span does not depend on that.
 */
#ifndef TR2_MODEL_TIMELINE_H
#define TR2_MODEL_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/common/slots.h"
#include "lib/common/vec.h"
#include "read/record.h"

/* A log may claim any time. Places stay below this, so they can be added. */
#define TR2_PLACE_MOST (INT64_MAX / 4)

#define TR2_NO_SPAN UINT32_MAX

enum tr2_span_kind { TR2_SPAN_REGION, TR2_SPAN_CHILD, TR2_SPAN_EXEC };

/* What ends a process; a later one counts more than an earlier one. */
enum tr2_ending {
	TR2_ENDING_NONE,
	TR2_ENDING_SIGNAL,
	TR2_ENDING_EXIT,
	TR2_ENDING_ATEXIT
};

struct tr2_timeline_span {
	enum tr2_span_kind kind;
	/*
	 * Its number among the open spans of the process, a small one. Another
	 * span gets it later: views keep what they know of a span there.
	 */
	uint32_t place;
	uint32_t thread; /* that began it */
	uint32_t outer;	 /* the region that was open on it, or TR2_NO_SPAN */
	uint32_t before, after; /* the open spans that began before and after */
	uint64_t number;	/* of the process's spans, from 0 */
	uint64_t key;		/* of a child: its id */
	int64_t begin;
	int64_t length; /* when it has ended */
	int64_t time;	/* `time` of the event that began it; 0: it has none */
	bool unseen;	/* its begin is not in the log: its end tells both */
	bool unclosed;	/* its end is not in the log */
};

struct tr2_timeline_thread {
	uint64_t hash;	   /* of its name */
	char *name;	   /* without a NUL; NULL: the log does not say */
	uint32_t name_len; /* in bytes */
	uint32_t top;	   /* its innermost open region, or TR2_NO_SPAN */
	int64_t begin;	   /* place of its thread_start; -1: it has none */
};

struct tr2_held; /* hold.c */

struct tr2_timeline {
	const struct tr2_timeline_view *view; /* who hears of its events, */
	void *context;			      /* with this */
	/*
	 * The `time` at which t_abs is 0, in the scale of tr2_record_time();
	 * 0: no event had a `time` yet.
	 */
	int64_t base;
	int64_t now;	   /* place of the last event */
	int64_t latest;	   /* the last `time`; 0: none */
	int64_t latest_at; /* the place of its event */
	enum tr2_ending ending;
	int64_t ended_at; /* the place that the ending claims */
	bool has_code;
	int64_t code;	  /* of the ending: an exit code, or a signal */
	bool went_on;	  /* an event came after the ending */
	bool erred;	  /* the last event was an error */
	bool is_replaced; /* it executed a program that is in its place now, */
	int64_t replaced_at, replaced_until; /* from here to here */
	bool has_heir, heir_has_pid;
	int64_t heir_began;
	int64_t first;	 /* place of the first event */
	bool introduced; /* it had an event, */
	bool begun;	 /* other than `version` */
	uint32_t main;	 /* the thread of `start`, or of the first event */
	uint64_t spans_begun;
	uint32_t last;	      /* the open span that began last */
	struct tr2_vec spans; /* struct tr2_timeline_span */
	uint32_t free;	      /* a place that is not in use; tied by `before` */
	struct tr2_vec threads; /* struct tr2_timeline_thread */
	struct tr2_slots thread_names;
	struct tr2_slots child_ids; /* of open children and execs */
	struct tr2_vec child_spans; /* uint32_t: their places */
	bool timeless;		    /* no `time` is waited for */
	struct tr2_held *held;	    /* NULL: no event is held */
};

struct tr2_moment { /* An event at its place. */
	struct tr2_timeline *timeline;
	struct tr2_record *record;
	int64_t time; /* its `time`, or 0 */
	int64_t at;
	uint32_t thread;
};

/*
 * What a view wants to hear. `take` gets every event once, in the order of the
 * log; then `begin_span` or `end_span` tells what the event does. An event may
 * end several spans: those that a thread_exit leaves open are unclosed. At
 * `end_span` the span is still in the list of open ones. `finish` comes last of
 * all. Each but `take` may be NULL.
 */
struct tr2_timeline_view {
	void (*take)(void *context, const struct tr2_moment *moment);
	void (*begin_span)(void *context, const struct tr2_moment *moment,
			   struct tr2_timeline_span *span);
	void (*end_span)(void *context, const struct tr2_moment *moment,
			 struct tr2_timeline_span *span);
	void (*finish)(void *context, const struct tr2_moment *moment);
};

void tr2_timeline_begin(struct tr2_timeline *timeline,
			const struct tr2_timeline_view *view, void *context);

/*
 * The next event of the process. The view may hear of it now or at a later
 * call: call tr2_timeline_settle() before something is made of the process.
 */
void tr2_timeline_take(struct tr2_timeline *timeline,
		       struct tr2_record *record);

/* Nothing more is known: events that are held get the place that they claim. */
void tr2_timeline_settle(struct tr2_timeline *timeline);

/*
 * Returns how long the process lasts, as far as its events tell: until its
 * last atexit, else its last exit, else its signal; until its last event if
 * that comes after it, or if it has no end; and at least until the end of the
 * program that took its place.
 */
int64_t tr2_timeline_length(const struct tr2_timeline *timeline);

/*
 * Has the process no end? One that was replaced by another program needs none.
 */
static inline bool
tr2_timeline_is_unfinished(const struct tr2_timeline *timeline)
{
	return !timeline->ending && !timeline->is_replaced;
}

/* Returns the exit code of the ending, or `otherwise`. */
static inline int64_t tr2_timeline_exit(const struct tr2_timeline *timeline,
					int64_t otherwise)
{
	return timeline->has_code && timeline->ending != TR2_ENDING_SIGNAL
		       ? timeline->code
		       : otherwise;
}

/* Returns the number of the signal that ended the process, or 0. */
static inline int64_t tr2_timeline_signal(const struct tr2_timeline *timeline)
{
	return timeline->ending == TR2_ENDING_SIGNAL ? timeline->code : 0;
}

/*
 * Did the process fail? git's BUG() aborts: an error is all that it leaves.
 * SPEC: span.end.failed
 */
static inline bool tr2_timeline_failed(const struct tr2_timeline *timeline)
{
	return timeline->ending == TR2_ENDING_SIGNAL ||
	       (timeline->has_code && timeline->code) ||
	       (timeline->erred && tr2_timeline_is_unfinished(timeline));
}

/*
 * The process has ended: end its open spans, the last one first. The moments
 * have no record. An exec ends here, too; what else does is unclosed.
 */
void tr2_timeline_close(struct tr2_timeline *timeline);

void tr2_timeline_release(struct tr2_timeline *timeline);

TR2_VEC_AT(tr2_timeline_span_at, tr2_timeline, spans, tr2_timeline_span);

TR2_VEC_AT(tr2_timeline_thread_at, tr2_timeline, threads, tr2_timeline_thread);

/*
 * Returns the place as microseconds since 1970. A process that began earlier,
 * or whose log has no `time`, begins at 0.
 */
int64_t tr2_timeline_unix(const struct tr2_timeline *timeline, int64_t at);

#endif
