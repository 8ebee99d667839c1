/*
 * session.h - what is kept of a process while its events come: about
 * a kilobyte. Of a finished one only its struct tr2_sid is left.
 */
#ifndef TR2_STREAM_SESSION_H
#define TR2_STREAM_SESSION_H

#include <stdbool.h>

#include "common/map.h"
#include "rules/record.h"
#include "stream/sids.h"
#include "common/vec.h"

#define TR2_TIME_KEPT 24 /* bytes of a `time`: from the year to microseconds */
#define TR2_HIERARCHY_SHOWN 56 /* with the NUL */
#define TR2_NO_FRAME UINT32_MAX

struct tr2_region_name { /* the lower bits of hashes, and of the number */
	uint32_t category, label, repo;
};

/* An open region, or one that was closed and whose place is free. */
struct tr2_frame {
	struct tr2_region_name name;
	int64_t entered;    /* by `time`, in microseconds, or 0 */
	int64_t inside;	    /* the longest t_rel of what happened in it */
	unsigned long line; /* of its region_enter */
	uint32_t below;	    /* the frame that it is in, or the next free one */
};

struct tr2_track { /* a thread, as the log shows it */
	uint64_t name;
	int64_t t_abs;		  /* of its last event that has one */
	char time[TR2_TIME_KEPT]; /* all NUL: none yet */
	unsigned long start_line; /* of its thread_start; 0: none */
	uint32_t number;	  /* NN of thNN:, or 0 */
	uint32_t top;		  /* its innermost region */
	uint32_t depth;		  /* how many are open */
	bool started, exited;
	bool totals; /* a th_timer or th_counter was seen */
	bool adrift; /* nesting went wrong; until it is 1 again */
};

struct tr2_numbered { /* a child, an exec or a repository */
	int64_t id;
	unsigned long line; /* of its start or def_repo; 0: it has none */
	bool done;
};

struct tr2_sum { /* of the th_timer or th_counter events of a name */
	uint64_t name, category;
	uint64_t count; /* or intervals */
	int64_t total;	/* microseconds */
	int64_t events;
	bool timer, overflow;
};

/* The name of a log, for as long as somebody may have to name it. */
struct tr2_log_name {
	unsigned users;
	unsigned visit;		   /* which of the logs it is, from 1 */
	unsigned long lost_before; /* in the logs before it */
	char text[];
};

enum tr2_start { TR2_START_AHEAD, TR2_START_MISSED, TR2_START_SEEN };

/* What was seen of a process. */
struct tr2_seen {
	bool version; /* or said that it is missing */
	enum tr2_start start;
	bool ancestry;
	bool exit;
	bool no_code; /* exits with several codes, or with none */
	bool signal, behind_signal;
	bool exec;	  /* and neither its result nor anything else */
	bool full, brief; /* events of that form */
};

struct tr2_stream_session {
	struct tr2_stream_session *before,
		*next;		  /* in the order of their opening */
	struct tr2_log_name *log; /* of the last event */
	unsigned long line;
	uint64_t self;		/* of the SID's hash */
	struct tr2_hash parent; /* of the SID above, or zeros */
	uint32_t pid;		/* that the SID of a child ends in, or 0 */
	/*
	 * The hierarchies that it gave its children, as a Bloom filter; before
	 * its first cmd_name those of its parent. 0: none that is known.
	 */
	uint64_t names;
	uint64_t inherited; /* `names` at the start */
	uint64_t hierarchy; /* a hash of the last one */
	/* The last one, to be shown; "" if it is long or not printable. */
	char shown[TR2_HIERARCHY_SHOWN];
	uint8_t writer;	    /* enum tr2_writer */
	uint8_t partition;  /* as of glance.h */
	bool damaged;	    /* one of its lines is broken */
	unsigned long lost; /* as of struct tr2_stream, at the start */
	struct tr2_seen seen;
	enum tr2_is last;
	int64_t code;	      /* of exit */
	uint64_t exec_thread; /* with seen.exec */
	uint32_t free_frame;
	struct tr2_vec tracks;	 /* struct tr2_track; the first is main */
	struct tr2_map others;	 /* names and numbers of threads but main */
	struct tr2_vec frames;	 /* struct tr2_frame, of all threads */
	struct tr2_vec children; /* struct tr2_numbered, by id */
	struct tr2_vec execs;	 /* struct tr2_numbered, by id */
	struct tr2_vec repos;	 /* struct tr2_numbered, by id */
	struct tr2_vec sums;	 /* struct tr2_sum */
};

struct tr2_sessions {
	struct tr2_stream_session *first, *last; /* the open ones */
	struct tr2_stream_session *spare;
	struct tr2_log_name *log; /* that is being read */
};

void tr2_sessions_begin_log(struct tr2_sessions *sessions, const char *name,
			    unsigned visit);

/* No more is read of the log for now; it is its holder's. */
struct tr2_log_name *tr2_sessions_leave_log(struct tr2_sessions *sessions);
void tr2_log_name_release(struct tr2_log_name *log);

/* A session at its beginning. */
struct tr2_stream_session *tr2_sessions_open(struct tr2_sessions *sessions);
void tr2_sessions_close(struct tr2_sessions *sessions,
			struct tr2_stream_session *session);

/* The session has an event at that line of the log that is being read. */
void tr2_sessions_touch(struct tr2_sessions *sessions,
			struct tr2_stream_session *session, unsigned long line);

void tr2_sessions_release(struct tr2_sessions *sessions);

#endif
