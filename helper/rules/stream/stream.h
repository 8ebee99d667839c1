/*
 * stream.h - the rules between events: SPEC.md's chapter "Streams". It gets
 * one event after the other, of any number of processes.
 *
 *	stream.c   an event's way through the rules
 *	session.c  what is kept about an open process, and its children, execs
 *	           and repositories by their numbers; and about every process
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

#include <stdbool.h>

#include "lib/common/map.h"
#include "lib/common/vec.h"
#include "read/origin.h"
#include "read/record.h"
#include "rules/finding/finding.h"
#include "rules/stream/sids.h"

/*
 * What is kept about a process while its events come: about a
 * kilobyte. After its end only its slot among the SIDs is kept.
 */

#define TR2_TIME_KEPT 26 /* bytes of a `time` from the year to microseconds */
#define TR2_HIERARCHY_SHOWN 56 /* including the NUL */
#define TR2_NO_FRAME UINT32_MAX

struct tr2_region_name { /* The lower bits of hashes, and of the number. */
	uint32_t category, label, repo;
};

/* An open region, or one that was closed and whose place is free. */
struct tr2_frame {
	struct tr2_region_name name;
	int64_t entered;    /* its `time` in microseconds, or 0 */
	int64_t inside;	    /* longest t_rel of an event in it */
	unsigned long line; /* line of its region_enter */
	uint32_t below;	    /* the frame around it, or the next free one */
};

/* A thread of the log. There are many, so it has no gaps. */
struct tr2_track {
	uint64_t name;
	int64_t t_abs;		  /* t_abs of its last event that has one */
	unsigned long start_line; /* line of its thread_start; 0: none */
	int64_t began;		  /* `time` of its thread_start, or 0 */
	int64_t first_time;	  /* of the first event with both, or 0 */
	int64_t first_t_abs;
	uint32_t number;	  /* NN of thNN:, or 0 */
	uint32_t top;		  /* frame of its innermost region */
	uint32_t depth;		  /* number of open regions */
	char time[TR2_TIME_KEPT]; /* all NUL: no time yet */
	bool started : 1;
	bool exited : 1;
	bool totals : 1;  /* it had a th_timer or th_counter */
	bool counted : 1; /* the last of them was a th_counter */
	bool exec : 1;	  /* its last event is an exec */
	bool adrift : 1;  /* its nesting is wrong; see region.c */
	bool outrun : 1;  /* its t_abs grew more than its time */
};

struct tr2_numbered { /* A child, an exec or a repository. */
	int64_t id;
	unsigned long line; /* line of its start or def_repo; 0: none */
	int64_t time;	    /* `time` of that event in microseconds, or 0 */
	bool done;
	bool ready; /* a child that was left in the background */
	bool again; /* its id was given to another child after its end */
};

struct tr2_sum { /* sums of th_timer or th_counter */
	uint64_t name, category;
	uint64_t count;		 /* or intervals */
	int64_t total, min, max; /* microseconds */
	int64_t events;		 /* of threads */
	unsigned long line;	 /* of the first event */
	bool timer, overflow;
	bool totalled; /* it had its timer or counter */
};

/* The name of a log, kept while a finding may need it. */
struct tr2_log_name {
	unsigned users;
	unsigned visit;		   /* number of the log, from 1 */
	unsigned long lost_before; /* lost lines in the logs before it */
	char text[];
};

enum tr2_start { TR2_START_AHEAD, TR2_START_MISSED, TR2_START_SEEN };

/* The events of a process so far. */
struct tr2_seen {
	enum tr2_start start;
	const char *show; /* deviation of a program that shows events */
	uint32_t execs;	  /* threads in an exec */
	bool version;	  /* or it was reported as missing */
	bool no_version;  /* it was */
	bool ancestry;
	bool begun; /* only a start and data of the process since then */
	bool exit;
	bool totals;  /* a timer or a counter */
	bool counted; /* a counter */
	bool no_code; /* exits with several codes, or without one */
	bool signal, behind_signal;
	bool full, brief; /* events of this form */
};

struct tr2_stream_session {
	struct tr2_stream_session *before,
		*next;		  /* in the order of their opening */
	struct tr2_log_name *log; /* log of its last event */
	unsigned long line;
	uint64_t self;	 /* hash of its SID */
	uint64_t parent; /* hash of its parent's SID, or 0 */
	uint32_t pid;	 /* that its children's SIDs end with, or 0 */
	/*
	 * A Bloom filter of the hierarchies that it may have given to its
	 * children; before its first cmd_name those that its parent may have
	 * given to it. 0: none is known.
	 */
	uint64_t names;
	uint64_t inherited; /* value of `names` at the start */
	uint64_t prefix;    /* hash of its first hierarchy without the name */
	uint64_t hierarchy; /* hash of the last one */
	size_t hierarchy_len;
	/* The last one, for messages; "" if it is long or not printable. */
	char shown[TR2_HIERARCHY_SHOWN];
	uint8_t writer;	    /* enum tr2_writer */
	bool damaged;	    /* one of its lines is broken */
	unsigned long lost; /* lost lines in the stream at its start */
	struct tr2_seen seen;
	enum tr2_is last;
	int64_t code; /* code of exit */
	uint32_t free_frame;
	struct tr2_map others;	 /* names and numbers of threads but main */
	struct tr2_vec tracks;	 /* struct tr2_track; the first one is main */
	struct tr2_vec frames;	 /* struct tr2_frame, of all threads */
	struct tr2_vec children; /* struct tr2_numbered, by id */
	struct tr2_vec execs;	 /* struct tr2_numbered, by id */
	struct tr2_vec repos;	 /* struct tr2_numbered, by id */
	struct tr2_vec sums;	 /* struct tr2_sum */
};

struct tr2_sessions {
	struct tr2_stream_session *first, *last; /* list of the open sessions */
	struct tr2_log_name *log;		 /* the present log */
};

void tr2_sessions_begin_log(struct tr2_sessions *sessions, const char *name,
			    unsigned visit);

void tr2_log_name_release(struct tr2_log_name *log);

/* Returns a new session. */
struct tr2_stream_session *tr2_sessions_open(struct tr2_sessions *sessions);
void tr2_sessions_close(struct tr2_sessions *sessions,
			struct tr2_stream_session *session);

/* The session has an event at this line of the present log. */
void tr2_sessions_touch(struct tr2_sessions *sessions,
			struct tr2_stream_session *session, unsigned long line);

void tr2_sessions_release(struct tr2_sessions *sessions);

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
		      struct tr2_record *record, struct tr2_map_slot *sid,
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
