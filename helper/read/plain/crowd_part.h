/* crowd_part.h - what the parts of crowd.c share. */
#ifndef TR2_READ_PLAIN_CROWD_PART_H
#define TR2_READ_PLAIN_CROWD_PART_H

#include "read/plain/crowd.h"

/* So many processes live at a time; with more, the oldest are forgotten. */
#define TR2_CROWD_ALIVE 1024

/* us: a clock that goes back by more is that of another log, it seems. */
#define TR2_CROWD_BACK 1000000

static inline struct tr2_crowd_line *tr2_crowd_line(const struct tr2_crowd *c,
						    uint32_t at)
{
	return (struct tr2_crowd_line *)c->lines.items + at;
}

static inline struct tr2_crowd_process *
tr2_crowd_process(const struct tr2_crowd *c, uint32_t at)
{
	return (struct tr2_crowd_process *)c->processes.items + at;
}

/* The text after the first word of a line, up to its end. */
struct tr2_words {
	const char *text, *end;
};

static inline size_t tr2_words_measure(const struct tr2_words *words)
{
	return (size_t)(words->end - words->text);
}

struct tr2_words tr2_crowd_words(const struct tr2_crowd *crowd, uint32_t line);

/* Note what the line says as hashes. */
void tr2_crowd_note_words(struct tr2_crowd *crowd, struct tr2_crowd_line *line,
			  const struct tr2_plain_piece *piece);

static inline bool tr2_crowd_ends(enum tr2_is is)
{
	return is == TR2_IS_EXIT || is == TR2_IS_ATEXIT || is == TR2_IS_SIGNAL;
}

/* When what ends in this line began, by its own word; without one, long ago. */
static inline int64_t tr2_crowd_begin_of(const struct tr2_crowd_line *line)
{
	return line->clock -
	       (line->since == TR2_NO_TIME ? INT64_MAX / 4 : line->since);
}

/* Returns the line that surely says that the child has ended, or TR2_NOBODY. */
static inline uint32_t tr2_crowd_child_end(const struct tr2_crowd *crowd,
					   uint32_t child)
{
	const uint32_t mate = tr2_crowd_line(crowd, child)->mate;

	return mate == TR2_NOBODY || tr2_crowd_line(crowd, mate)->guess ||
			       tr2_crowd_line(crowd, mate)->is ==
				       TR2_IS_CHILD_READY
		       ? TR2_NOBODY
		       : mate;
}

/* Returns the last line at which the process may live. */
uint32_t tr2_crowd_death(const struct tr2_crowd *crowd,
			 const struct tr2_crowd_process *process);

/* Is the line one of the process's life, as far as is known? */
bool tr2_crowd_lives(const struct tr2_crowd *crowd, uint32_t process,
		     uint32_t line);

/*
 * Go to the next line of a walk. Where a process begins, or with `asks`, the
 * list of those that live is brought up to date.
 */
void tr2_crowd_pass(struct tr2_crowd *crowd, uint32_t line, bool asks);

static inline const uint32_t *tr2_crowd_alive(const struct tr2_crowd *crowd)
{
	return crowd->alive.items;
}

/* Begin such a walk. */
void tr2_crowd_walk(struct tr2_crowd *crowd);

/* The line is the process's. */
void tr2_crowd_give(struct tr2_crowd *crowd, uint32_t line, uint32_t process);

/* May the line be one of the process? */
typedef bool tr2_crowd_may_fn(struct tr2_crowd *crowd, uint32_t process,
			      uint32_t line);

/* What the process did may be another one's. */
void tr2_crowd_doubt(struct tr2_crowd *crowd, uint32_t process);

/*
 * Keep the lines that were not passed on, and of the others those that are still
 * of use.
 */
void tr2_crowd_forget(struct tr2_crowd *crowd);

/*
 * Find the ends of children and processes. With `near`, an end is also given to
 * the one process that began just after the end says so, if others might be it.
 */
void tr2_crowd_pair(struct tr2_crowd *crowd);
void tr2_crowd_end_processes(struct tr2_crowd *crowd, bool near);

/* The ends that may be of several processes of one name are given in turn. */
void tr2_crowd_end_twins(struct tr2_crowd *crowd);

/*
 * Find which child each process is, by its words. With `guess`, the first one
 * of those that have the same.
 */
void tr2_crowd_tie(struct tr2_crowd *crowd, bool guess);

/* Was the process started without a shell? */
bool tr2_crowd_is_direct(const struct tr2_crowd *crowd,
			 const struct tr2_crowd_process *process);

/*
 * Those that live and may have written a line; those that wait for a child only
 * if there are no others.
 */
struct tr2_crowd_choice {
	uint32_t best;	/* the one that wrote last, or TR2_NOBODY */
	uint32_t count; /* 2: or more */
	bool twins;	/* of a child's begin: all have the same name */
	bool waits;	/* all wait for a child */
};

/*
 * Where one of twins was chosen, what any of them did may be another one's; so
 * it is if one of them is in doubt already.
 */
void tr2_crowd_doubt_twins(struct tr2_crowd *crowd,
			   const struct tr2_crowd_choice *choice);

struct tr2_crowd_choice tr2_crowd_choose(struct tr2_crowd *crowd, uint32_t line,
					 tr2_crowd_may_fn *may);

/*
 * Returns the only one of those that has words of the child that not all of them
 * have, or TR2_NOBODY.
 */
uint32_t tr2_crowd_choose_by_words(struct tr2_crowd *crowd, uint32_t line,
				   tr2_crowd_may_fn *may);

/*
 * Was the process started with the name? The command is the program or the
 * first word that is no option: then 0 is returned, else 1, or 4 if not.
 */
unsigned tr2_crowd_rate_words(struct tr2_crowd *crowd, uint32_t process,
			      uint32_t name);

/* Have the processes the same name, or the same words if they have none? */
bool tr2_crowd_are_twins(const struct tr2_crowd *crowd, uint32_t one,
			 uint32_t other);

/* Are both lines the same but for their time and source? */
bool tr2_crowd_say_same(const struct tr2_crowd *crowd, uint32_t one,
			uint32_t other);

/* Find who started each child, and then in which process each runs. */
void tr2_crowd_find_starters(struct tr2_crowd *crowd);
void tr2_crowd_find_parents(struct tr2_crowd *crowd);

/*
 * Find whose the names, ancestries and repositories are, and then all lines that
 * are left.
 * With `sure`, names that hardly fit wait for the next time.
 */
void tr2_crowd_find_names(struct tr2_crowd *crowd, bool sure);
void tr2_crowd_find_chains(struct tr2_crowd *crowd);
void tr2_crowd_find_repositories(struct tr2_crowd *crowd);
void tr2_crowd_find_rest(struct tr2_crowd *crowd);

/*
 * Does the name of the process say that it was not started by another one? Or
 * may it, if its name is not known?
 */
void tr2_crowd_note_outermost(struct tr2_crowd *crowd);
bool tr2_crowd_may_be_outermost(const struct tr2_crowd *crowd,
				const struct tr2_crowd_process *process);

/*
 * Is the hierarchy of the name, without its last part, that of the process? Or
 * may it, if its name is not known?
 */
bool tr2_crowd_is_below(struct tr2_crowd *crowd, uint32_t name,
			uint32_t process);

/*
 * times.c: the processes by when they began. Who may have ended in a line is
 * among those of a short time. Places are in this order.
 */

/*
 * us: a process is started this much before its clock says so, or less, if the
 * clock goes in smaller steps,
 */
#define TR2_BEGUN_CLOSE 1000
/* and it writes `version` so much later at most. */
#define TR2_BEGUN_MOST 1000000

/* A process, in the order in which all began. */
struct tr2_begun {
	int64_t begun;
	uint32_t process;
};

static inline struct tr2_begun *tr2_begun_list(const struct tr2_crowd *crowd)
{
	return crowd->ends.order.items;
}

/* Sort all processes, and note how late they write `version`. */
void tr2_begun_sort(struct tr2_crowd *crowd);

/* Returns the place of the first process that began at this time or later. */
uint32_t tr2_begun_find(const struct tr2_crowd *crowd, int64_t time);

/*
 * Returns the process that has ended, began when the line says, and goes on; or
 * TR2_NOBODY.
 */
uint32_t tr2_begun_find_again(const struct tr2_crowd *crowd, uint32_t line);

#endif
