/*
 * crowd.h - whose the lines of NORMAL are. They have no SID and no depth, so
 * the lines of processes that run at the same time are told apart by what all
 * of them say together: from the first `version` until all processes have
 * ended they are held, and then passed on, each with its process.
 *
 *	crowd.c   the lines that are held, and their processes
 *	ends.c    which process ended, and which child; both say how long ago
 *		  they began
 *	kin.c     which child a process is, and who started it
 *	name.c	  which process said its name, and its ancestry
 *	rest.c	  whose the other lines are
 *	doubt.c   what is not proven, in words
 *	keep.c	  what is known of processes when their lines are passed on
 *
 * What the log does not prove is left out if it is a name or a time, but where
 * all processes that come into question have one name, or for other lines, it
 * is a guess, and those processes are noted.
 */
#ifndef TR2_READ_PLAIN_CROWD_H
#define TR2_READ_PLAIN_CROWD_H

#include "lib/common/vec.h"
#include "read/plain/owner.h"
#include "read/text/pieces.h"

#define TR2_NOBODY UINT32_MAX /* no line, or no process */

/* A line that is held. */
struct tr2_crowd_line {
	struct tr2_plain_event event;
	size_t at; /* of its text among those that are held */
	unsigned day;
	struct tr2_owner_line says;
	int64_t code;	/* its exit code, or -1 */
	uint32_t owner; /* its process */
	uint32_t mate;	/* line of a child's begin or end, or of the exit */
	uint32_t runs;	/* the process that the child is */
	bool told;	/* it was passed on */
	bool guess;	/* its owner, or its mate, is not proven */
};

/* May what it did be another one's? */
enum tr2_crowd_doubt { TR2_CROWD_SURE, TR2_CROWD_DOUBT, TR2_CROWD_NOTED };

struct tr2_crowd_process {
	uint32_t version, start; /* its first lines */
	int64_t begun;		 /* the clock of the first one */
	uint32_t end;		 /* its last line, if it has ended, */
	int64_t began;		 /* when it began by that line; */
	uint32_t until;		 /* or it may be this line */
	uint32_t latest;	 /* the last line that is surely its own */
	uint32_t child;		 /* the line that started it, */
	bool guess;		 /* or so it seems */
	uint32_t parent;
	uint32_t name;	    /* the line with its first name, */
	uint32_t last_name; /* and so far with its last one */
	uint32_t chain;	    /* the line with its ancestry */
	uint32_t last;	    /* its last line so far */
	int64_t before;	    /* id of its first child that is held */
	int64_t next;	    /* id of its next child, so far */
	size_t waits;	    /* for so many children, so far */
	enum tr2_crowd_doubt doubt;
	struct tr2_buf sid;
};

typedef void tr2_crowd_fn(void *context, const struct tr2_crowd_line *line,
			  const struct tr2_buf *sid);

struct tr2_crowd {
	tr2_crowd_fn *take;
	void *taker;
	struct tr2_buf texts;
	struct tr2_vec lines;	  /* struct tr2_crowd_line */
	struct tr2_vec processes; /* struct tr2_crowd_process */
	struct tr2_vec alive;	  /* uint32_t: processes that live at a line */
	struct tr2_vec kept;	  /* uint32_t: memory */
	struct tr2_buf spare;	  /* memory */
	size_t running;		  /* so many have not ended, it seems */
	int64_t now;		  /* the clock of the last line */
	uint32_t told;		  /* so many processes were known before, */
	uint32_t old;		  /* and so many lines */
	unsigned long file;
	uint64_t name;	    /* hash of the log's name */
	unsigned long lost; /* lines that were left out */
	unsigned long first_lost;
	struct tr2_vec doubtful; /* unsigned long: where processes begin */
};

void tr2_crowd_begin(struct tr2_crowd *crowd, const char *name);

/* Hold a line; it and those before it may be passed on. */
void tr2_crowd_hold(struct tr2_crowd *crowd,
		    const struct tr2_plain_event *event,
		    const struct tr2_owner_line *says, unsigned day);

/* There are no more lines. */
void tr2_crowd_end(struct tr2_crowd *crowd);

/* Say in `out` what is not proven. False: all is. */
bool tr2_crowd_tell_doubt(const struct tr2_crowd *crowd, struct tr2_buf *out);

void tr2_crowd_release(struct tr2_crowd *crowd);

#endif
