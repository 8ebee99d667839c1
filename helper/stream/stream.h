/*
 * stream.h - the rules that hold between events: the chapter "Streams" of
 * SPEC.md. Fed with one event after the other, of as many processes as come.
 *
 *	stream.c	  an event's way through the rules
 *	stream_session.c  what is kept of an open process
 *	stream_life.c	  from version to atexit
 *	stream_tree.c	  parents and their children: hierarchy, times
 *	stream_child.c	  children and execs
 *	stream_thread.c	  threads
 *	stream_region.c	  regions and data
 *	stream_total.c	  timers and counters
 *	stream_form.c	  times, repositories, brief and full form
 *	stream_number.c	  children, execs and repositories, by their numbers
 *	stream_value.c	  values of an event as numbers
 *	known.c		  deviations of real writers
 */
#ifndef TR2_STREAM_STREAM_H
#define TR2_STREAM_STREAM_H

#include "finding/sink.h"
#include "log/glance.h"
#include "stream/session.h"

/*
 * The two ends of a child: its own atexit and its parent's child_exit. The
 * one that comes first waits here for the other, for as long as no third
 * of the same partition takes its place.
 */
struct tr2_end {
	uint64_t child;	  /* of the parent's SID and the pid; 0: none */
	int64_t time;	  /* in microseconds */
	enum tr2_key key; /* t_abs of the atexit, or t_rel of the child_exit */
};

#define TR2_ENDS 128 /* of a partition */

struct tr2_stream {
	struct tr2_sids sids;
	struct tr2_sessions sessions;
	unsigned long lost; /* lines that belong to nobody knows whom */
	/* By partition: TR2_ENDS, from the first child on, or NULL. */
	struct tr2_end *ends[TR2_PARTITIONS];
};

void tr2_stream_begin_log(struct tr2_stream *stream, const char *name,
			  unsigned visit);

/*
 * Take the event of the session. `muted`: its line has a finding already;
 * it is followed, and nothing is said. `broken`: so it is, and what it
 * holds is wrong.
 */
void tr2_stream_event(struct tr2_stream *stream, struct tr2_sink *sink,
		      struct tr2_record *record, struct tr2_sid *sid,
		      bool muted, bool broken);

/*
 * What could not be read of the line at hand, or NULL: the line as a whole.
 * What it said is missing from now on, to its process or, if that can't be
 * told, to all of them.
 */
void tr2_stream_lose(struct tr2_stream *stream, const struct tr2_sink *sink,
		     const char *text, size_t len);

/* Lines that nobody has read. */
void tr2_stream_lose_lines(struct tr2_stream *stream);

/* No more events come. */
void tr2_stream_end(struct tr2_stream *stream, struct tr2_sink *sink);
void tr2_stream_release(struct tr2_stream *stream);

#endif
