/*
 * owner.h - whose line of PERF it is. It has no SID, but the depth of the
 * process: one that runs inside another one is a level deeper. Lines of
 * processes that run at the same time are told apart by when their process
 * began, which is the clock less the time since then, and by what a process
 * writes once. Where even this leaves a doubt, `doubt` is set.
 *
 * Each process gets a SID that says where its log is: the number of the
 * line with which it begins, after the SID of the process in which it runs. The
 * SID of a root begins with a hash of the file's name and ends with one of the
 * name and the line, so that roots of other files and runs have other SIDs,
 * whatever else is read.
 */
#ifndef TR2_READ_PLAIN_OWNER_H
#define TR2_READ_PLAIN_OWNER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "lib/common/vec.h"
#include "read/json/names.h"

#define TR2_NO_TIME INT64_MIN

/* NORMAL: does the line begin or end a child, or a program in its place? */
static inline bool tr2_is_child_start(enum tr2_is is)
{
	return is == TR2_IS_CHILD_START || is == TR2_IS_EXEC;
}

static inline bool tr2_is_child_end(enum tr2_is is)
{
	return is == TR2_IS_CHILD_EXIT || is == TR2_IS_CHILD_READY ||
	       is == TR2_IS_EXEC_RESULT;
}

#define TR2_OWNER_OPENS 16

struct tr2_owner {
	unsigned long depth;
	bool ended;    /* by atexit or a signal; more lines may come */
	bool whole;    /* its first line is in the log */
	bool timed;    /* `begun` is known from a t_abs */
	int64_t begun; /* when, by the clock */
	int64_t last;  /* t_abs of its last line that has one */
	int64_t opens[TR2_OWNER_OPENS]; /* of the last regions and children */
	unsigned opened;
	unsigned said;	    /* events that come once, a bit for each */
	unsigned names;	    /* in its hierarchy, or 0, and in that of its */
	unsigned above;	    /* parent when the process began */
	unsigned repo;	    /* the last one that it named */
	unsigned runs;	    /* so many children have not ended */
	unsigned long line; /* number of its last line */
	struct tr2_buf sid;
};

/* What a line says of whose it is. */
struct tr2_owner_line {
	enum tr2_is is;
	unsigned long depth;
	int64_t clock;	/* microseconds, or TR2_NO_TIME */
	int64_t t_abs;	/* the same */
	int64_t t_rel;	/* the same, if it has a t_abs */
	unsigned names; /* in the hierarchy of a cmd_name */
	unsigned repo;	/* that a def_repo names */
	unsigned long number;
	const char *text; /* of the line */
	size_t len;
};

struct tr2_owners {
	struct tr2_vec all; /* struct tr2_owner *, the last one began last */
	size_t alive;	    /* how many have not ended */
	struct tr2_owner *last; /* of the line before, or NULL */
	uint64_t name;		/* hash of its name */
	int64_t now; /* without a clock: the latest time that is known */
	bool doubt;  /* whose a line was */
	bool lax;    /* the present line fits no process by what it says */
};

/*
 * Append the SID of a process: `first` is its first line, `name` the hash of
 * its log's name. `parent` is the SID of the process in which it runs, or NULL.
 */
void tr2_owner_put_sid(struct tr2_buf *sid, const struct tr2_buf *parent,
		       uint64_t name, const struct tr2_owner_line *first);

/* Begin with another log. */
void tr2_owners_begin(struct tr2_owners *owners, const char *name);

/* Returns whose the line is; valid until the next call. */
struct tr2_owner *tr2_owners_find(struct tr2_owners *owners,
				  const struct tr2_owner_line *line);

/* The line was read: it may have ended its process. */
void tr2_owners_end_line(struct tr2_owners *owners, struct tr2_owner *owner,
			 const struct tr2_owner_line *line);

void tr2_owners_release(struct tr2_owners *owners);

/*
 * May the process have written the line? `start` comes after `version`, and then
 * all others.
 */
bool tr2_owner_may_say(const struct tr2_owner *owner,
		       const struct tr2_owner_line *line);

/* Note that the process has written the line. */
void tr2_owner_note_said(struct tr2_owner *owner,
			 const struct tr2_owner_line *line);

#endif
