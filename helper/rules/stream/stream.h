/*
 * stream.h - the rules between events: SPEC.md's chapter "Streams". It gets
 * one event after the other, of any number of processes.
 *
 *	stream.c   an event's way through the rules
 *	session.c  what is kept about an open process, and its children, execs
 *	           and repositories by their numbers
 *	sids.c     what is kept about every process
 *	life.c     from version to atexit; where a SID occurred first
 *	tree.c     parents and their children: hierarchy, times
 *	child.c    children and execs
 *	thread.c   threads
 *	region.c   regions and data
 *	total.c    timers and counters
 *	form.c     times, repositories, brief and full form
 *	rules.h    ids and levels of the rules
 *
 * It knows records and sinks, and no checker, option or output format. An
 * event that is missing because a line is broken never causes a finding.
 */
#ifndef TR2_STREAM_STREAM_H
#define TR2_STREAM_STREAM_H

#include "rules/finding/sink.h"
#include "read/glance.h"
#include "rules/stream/session.h"

/*
 * The two ends of a child: its own atexit and its parent's child_exit. The
 * one that comes first waits here for the other, until another child takes its
 * place.
 */
struct tr2_end {
	uint64_t child;	  /* of the parent's SID and the pid; 0: none */
	int64_t time;	  /* how long it took, in microseconds */
	int64_t from, to; /* when it lived, as `time` has it; 0: not known */
	uint64_t prefix;  /* as in struct tr2_stream_session; 0: not known */
	enum tr2_key key; /* t_abs of atexit, or t_rel of child_exit */
};

#define TR2_ENDS 8192 /* places */

/*
 * Where a SID occurred first, for the message about a second process that has
 * it. A later SID may take the place of an earlier one.
 */
struct tr2_first_place {
	uint64_t sid;
	unsigned long line;
	struct tr2_log_name *log; /* NULL: the place is free */
};

#define TR2_ORIGINS 4096 /* places */

struct tr2_stream {
	struct tr2_sids sids;
	struct tr2_sessions sessions;
	bool formed;	      /* the writers are held to a class */
	unsigned long lost;   /* lost lines of unknown processes */
	struct tr2_end *ends; /* TR2_ENDS, from the first child on */
	struct tr2_first_place
		*origins; /* TR2_ORIGINS, from the first SID on */
};

void tr2_stream_begin_log(struct tr2_stream *stream, const char *name,
			  unsigned visit);

/*
 * Take an event of the session. `muted`: the line already has a finding; the
 * event is followed, and nothing is reported. `broken`: the same, and its
 * values are wrong.
 */
void tr2_stream_event(struct tr2_stream *stream, struct tr2_sink *sink,
		      struct tr2_record *record, struct tr2_sid *sid,
		      bool muted, bool broken);

/*
 * Note the part of the present line that could not be read, or NULL: the
 * whole line. Its events count as missing from now on, for its process or, if
 * that is unknown, for all processes.
 */
void tr2_stream_lose(struct tr2_stream *stream, const struct tr2_sink *sink,
		     const char *text, size_t len);

/* Note lines that were not read. */
void tr2_stream_lose_lines(struct tr2_stream *stream);

/* There are no more events. */
void tr2_stream_end(struct tr2_stream *stream, struct tr2_sink *sink);
void tr2_stream_release(struct tr2_stream *stream);

#endif
