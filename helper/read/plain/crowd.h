/*
 * crowd.h - whose the lines of NORMAL are. They have no SID and no depth, so
 * lines are held from the first `version` until all processes have ended, and
 * then passed on, each with its process. Of too many lines the last ones stay.
 *
 * A line is of the only process that may have written it: of those that live
 * there, by what is known of them before and after it. The lines are gone
 * through again and again, until nothing more is found. Then lines of those that
 * say the same are given in turn, and these processes are noted, and so are
 * those of lines that say little. A name or a time that any of several may have
 * written is left out.
 *
 *	crowd.c   the lines that are held, and their processes
 *	words.c	  what is compared of their texts
 *	walk.c	  who lives at a line, and wrote it
 *	ends.c    which child ended, and which process
 *	kin.c     which child a process is, and who started it
 *	keep.c    what is kept when lines are passed on
 *	rest.c	  whose the other lines are, and what is not proven, in words
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
	int64_t lived; /* so long did what ends here last, or TR2_NO_TIME */
	int64_t begun; /* so it began then, if there is a clock */
	int64_t child;
	unsigned long number;
	uint64_t same;	/* its words, if it says what a process is */
	uint64_t own;	/* the hierarchy of a name, or a command line without */
	uint64_t above; /* folder and quotes; the hierarchy but its last part */
	uint64_t calls; /* bits of words that may be a name, or of the name */
	uint32_t at;	/* of its text among those that are held */
	uint32_t len, payload, words;
	uint32_t source; /* its length */
	uint32_t owner;	 /* its process */
	uint32_t mate;	 /* line of a child's begin or end, or of the exit */
	uint32_t runs;	 /* the process that the child is */
	int32_t code;	 /* its exit code, or -1 */
	unsigned day;
	enum tr2_is is;
	bool told;	/* it was passed on */
	bool by_git;	/* its ancestry has a git */
	bool outermost; /* its name says that nobody started its process, */
	bool alias;	/* or that another name follows */
	bool quoted;	/* the child's command is for a shell */
};

/* May what it did be another one's? */
enum tr2_crowd_doubt { TR2_CROWD_SURE, TR2_CROWD_DOUBT, TR2_CROWD_NOTED };

struct tr2_crowd_process {
	uint32_t version, start; /* its first lines */
	int64_t begun;		 /* the clock of the first one, */
	int64_t wrote;		 /* of the last one that was passed on, */
	int64_t heard;		 /* and of the last one so far */
	uint32_t end;		 /* its last line, if it has ended, */
	uint32_t until;		 /* or that may be the last one */
	uint32_t soon;		 /* the same, by the present walk */
	uint32_t latest;	 /* the last line that is surely its own */
	uint32_t child;		 /* the line that started it */
	uint32_t parent;
	uint32_t name;	    /* the line with its first name, */
	uint32_t last_name; /* and so far with its last one */
	uint32_t chain;	    /* the line with its ancestry */
	uint32_t last;	    /* its last line so far */
	int64_t before;	    /* id of its first child that is held, */
	int64_t next;	    /* and of its next one, so far */
	uint64_t ids;	    /* bits: children that are surely its own */
	uint64_t named;	    /* hash of its first repository before, */
	uint64_t repo;	    /* and so far; 0: it has named none */
	size_t waits;	    /* for so many children, so far */
	enum tr2_crowd_doubt doubt;
	uint32_t place; /* where it will be, or TR2_NOBODY */
	struct tr2_buf sid;
};

/* Has it no clock, as in brief form? Then it was written when the one before was. */
static inline bool tr2_crowd_is_brief(const struct tr2_crowd_line *line)
{
	return !line->payload;
}

typedef void tr2_crowd_fn(void *context, const struct tr2_crowd_line *line,
			  const char *text, const struct tr2_buf *sid);

/* Nothing more comes of this process, whose end is not known. */
typedef void tr2_crowd_leave_fn(void *context, const char *sid, size_t len);

/* What is taken for an answer? */
enum tr2_crowd_phase {
	TR2_CROWD_ENDS,	 /* the only one, of ends, */
	TR2_CROWD_PROOF, /* and of other lines; */
	TR2_CROWD_NEAR,	 /* the only one that began just then; */
	TR2_CROWD_TWINS, /* any of those that say the same; */
	TR2_CROWD_REST	 /* the one that seems most likely */
};

struct tr2_crowd {
	tr2_crowd_fn *take;
	void *taker;
	tr2_crowd_leave_fn *leave; /* NULL: nobody asks */
	void *leaver;
	struct tr2_buf texts;
	struct tr2_buf spare;	  /* memory */
	struct tr2_vec lines;	  /* struct tr2_crowd_line */
	struct tr2_vec processes; /* struct tr2_crowd_process */
	struct tr2_vec doubtful;  /* unsigned long: where processes begin */

	/* Of a walk. */
	enum tr2_crowd_phase phase;
	bool changed;	      /* more is known now */
	bool stale;	      /* one may have ended that is among the living */
	uint32_t left;	      /* lines that are nobody's */
	struct tr2_vec alive; /* uint32_t, in the order in which they began */
	struct tr2_vec open;  /* uint32_t: lines of children that run */
	uint32_t orphan;      /* the last child that nobody started, or 0 */
	int64_t late;  /* us: so long after its begin a process writes, */
	int64_t close; /* and so long before, by its clock */

	size_t running;	    /* so many have not ended, it seems */
	int64_t now;	    /* the clock of the last line */
	uint32_t old;	    /* so many lines were passed on before, */
	size_t old_texts;   /* of so many bytes */
	uint64_t name;	    /* hash of the log's name */
	unsigned long lost; /* lines that were left out */
	unsigned long first_lost;
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
