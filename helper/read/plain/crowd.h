/*
 * crowd.h - whose the lines of NORMAL are. They have no SID and no depth, so
 * the lines of processes that run at the same time are told apart by what all
 * of them say together: from the first `version` until all processes have
 * ended they are held, and then passed on, each with its process. Of too many
 * lines only the older ones are, and the others are judged again with those that
 * follow: what comes long after a line tells whose it is, too.
 *
 *	crowd.c   the lines that are held, and their processes
 *	words.c	  what is compared of their texts
 *	walk.c	  who lives at a line, and wrote last
 *	times.c	  which child ended, which exit and atexit are of one process, and
 *		  the processes by when they began
 *	ends.c    which process ended; it says how long ago it began
 *	kin.c     which child a process is, and who started it
 *	name.c	  which process said its name, and its ancestry
 *	rest.c	  whose the other lines are, and what is not proven, in words
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

/*
 * A line that is held. Texts are compared often, and may be long: hashes stand
 * for them.
 */
struct tr2_crowd_line {
	int64_t clock;
	int64_t since; /* so long ago what ends here began, or TR2_NO_TIME */
	int64_t lived; /* so long did its process live, as it says */
	int64_t child;
	unsigned long number;
	uint64_t same; /* its words, if it says what a process is */
	union {
		uint64_t bare; /* a command line without folder and quotes */
		uint64_t own;  /* the hierarchy of a name, or 0, */
	};
	uint64_t above; /* and the same without its last part */
	uint32_t at;	/* of its text among those that are held */
	uint32_t len, payload, words;
	uint32_t source; /* its length */
	uint32_t leaf;	 /* hash of the last part of a hierarchy, or 0, */
	uint32_t over;	 /* and of the one before, if it is no alias */
	uint32_t owner;	 /* its process */
	uint32_t mate;	 /* line of a child's begin or end, or of the exit */
	uint32_t runs;	 /* the process that the child is */
	int32_t code;	 /* its exit code, or -1 */
	unsigned day;
	enum tr2_is is;
	uint8_t gits;	/* above its process, by a name or an ancestry */
	bool told;	/* it was passed on */
	bool guess;	/* its owner, or its mate, is not proven */
	bool outermost; /* its name says that nobody started its process, */
	bool alias;	/* or that another name follows */
	bool far;	/* nobody began when what ends here did */
	bool quoted;	/* the child's command is for a shell */
	bool serves;	/* it is a hook of a server, or the process is one */
};

/* May what it did be another one's? */
enum tr2_crowd_doubt { TR2_CROWD_SURE, TR2_CROWD_DOUBT, TR2_CROWD_NOTED };

struct tr2_crowd_process {
	uint32_t version, start; /* its first lines */
	int64_t begun;		 /* the clock of the first one, */
	int64_t wrote;		 /* and of the last one that was passed on, */
	int64_t heard;		 /* or of its last one so far */
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
	uint32_t outermost; /* the next line of an outermost name */
	int64_t before;	    /* id of its first child that is held */
	uint64_t named;	    /* hash of its first repository before, */
	uint64_t repo;	    /* and so far; 0: it has named none */
	int64_t next;	    /* id of its next child, so far */
	size_t waits;	    /* for so many children, so far */
	enum tr2_crowd_doubt doubt;
	bool gone;		/* it may have ended before all that are held */
	bool alive;		/* it is among those that live at a line */
	uint32_t called, calls; /* where those of its command's names are, */
	uint32_t parts, parted; /* and those of its words, and one more */
	struct tr2_buf sid;
};

/* Has it no clock, as in brief form? Then it was written when the one before was. */
static inline bool tr2_crowd_is_brief(const struct tr2_crowd_line *line)
{
	return !line->payload;
}

typedef void tr2_crowd_fn(void *context, const struct tr2_crowd_line *line,
			  const char *text, const struct tr2_buf *sid);

/* Processes by when they began, and what ends them. */
struct tr2_crowd_ends {
	struct tr2_vec order; /* struct tr2_begun */
	struct tr2_vec open;  /* uint32_t: ends that are nobody's so far */
	int64_t late;  /* us: so long after its begin a process writes, */
	int64_t close; /* and so long before, by its clock */
};

/* Nothing more comes of this process, whose end is not known. */
typedef void tr2_crowd_leave_fn(void *context, const char *sid, size_t len);

struct tr2_crowd {
	tr2_crowd_fn *take;
	void *taker;
	tr2_crowd_leave_fn *leave; /* NULL: nobody asks */
	void *leaver;
	struct tr2_buf texts;
	struct tr2_vec lines;	  /* struct tr2_crowd_line */
	struct tr2_vec processes; /* struct tr2_crowd_process */
	struct tr2_vec kept;	  /* uint32_t: memory */
	struct tr2_buf spare;	  /* memory */
	struct tr2_vec parts;	  /* uint32_t: hashes of words */
	struct tr2_vec alive; /* uint32_t, in the order in which they began */
	uint32_t orphan;      /* the last child that nobody started, or 0 */
	struct tr2_crowd_ends ends;
	size_t running;	    /* so many have not ended, it seems */
	int64_t now;	    /* the clock of the last line */
	uint32_t old;	    /* so many lines were known before, */
	size_t old_texts;   /* of so many bytes */
	uint64_t name;	    /* hash of the log's name */
	unsigned long lost; /* lines that were left out */
	unsigned long first_lost;
	struct tr2_vec doubtful; /* unsigned long: where processes begin */
};

void tr2_crowd_begin(struct tr2_crowd *crowd, const char *name);

/*
 * Hold a line, whose clock may be TR2_NO_TIME; it and those before it may be passed
 * on.
 */
void tr2_crowd_hold(struct tr2_crowd *crowd,
		    const struct tr2_plain_piece *piece, int64_t clock,
		    unsigned day);

/* There are no more lines. */
void tr2_crowd_end(struct tr2_crowd *crowd);

/* Say in `out` what is not proven. False: all is. */
bool tr2_crowd_tell_doubt(const struct tr2_crowd *crowd, struct tr2_buf *out);

void tr2_crowd_release(struct tr2_crowd *crowd);

/*
 * Is the process with this number an alias, or `git x`? All that it does is to
 * run its command.
 */
bool tr2_crowd_is_alias(const struct tr2_crowd *crowd, uint32_t number);

#endif
