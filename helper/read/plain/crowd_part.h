/* crowd_part.h - what the parts of crowd.c share. */
#ifndef TR2_READ_PLAIN_CROWD_PART_H
#define TR2_READ_PLAIN_CROWD_PART_H

#include "read/plain/crowd.h"

/* us: a clock that goes back by more is that of another log, it seems. */
#define TR2_CROWD_BACK 1000000

/* us: a process writes `version` so long after its begin at most. */
#define TR2_CROWD_LATE 1000000

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

/*
 * So many are known at a time. Of more, those in the middle are forgotten: the first
 * ones may live for long, as who starts others does.
 */
#define TR2_CROWD_MOST 1024

static inline void tr2_crowd_add(struct tr2_vec *vec, uint32_t at)
{
	TR2_VEC_COPY(vec, uint32_t, at);
	if (vec->count > TR2_CROWD_MOST)
		tr2_vec_remove(vec, TR2_CROWD_MOST / 2, sizeof(uint32_t));
}

static inline bool tr2_crowd_ends(enum tr2_is is)
{
	return is == TR2_IS_EXIT || is == TR2_IS_ATEXIT || is == TR2_IS_SIGNAL;
}

/*
 * words.c: the text after the first word of a line, up to its end.
 */
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

/* Was the process started with the name, as its program or one of its words? */
bool tr2_crowd_is_called(const struct tr2_crowd *crowd,
			 const struct tr2_crowd_process *process,
			 uint32_t name);

/*
 * Is the hierarchy of the name, without its last part, that of the process so
 * far? Or may it, if its name is not known?
 */
bool tr2_crowd_is_below(const struct tr2_crowd *crowd, uint32_t name,
			const struct tr2_crowd_process *process);

/* Have the processes the same name, or the same words if they have none? */
bool tr2_crowd_are_twins(const struct tr2_crowd *crowd, uint32_t one,
			 uint32_t other);

/*
 * Does the ancestry, of a process that the child is, end with that of the process
 * with this number? Only of a child for a shell may others be between them.
 */
bool tr2_crowd_is_inside(const struct tr2_crowd *crowd, uint32_t chain,
			 uint32_t child, uint32_t number);

/* walk.c: give all lines that have no process to one, as far as is known. */
void tr2_crowd_find_owners(struct tr2_crowd *crowd);

/*
 * keep.c: forget the lines before this one, which were passed on, but for the
 * words of the processes that may go on, and their children. What was found in
 * the others is found again later.
 */
void tr2_crowd_forget(struct tr2_crowd *crowd, uint32_t end);

/* The line is the process's. */
void tr2_crowd_give(struct tr2_crowd *crowd, uint32_t line, uint32_t process);

/* Returns the last line at which the process may live. */
uint32_t tr2_crowd_death(const struct tr2_crowd *crowd,
			 const struct tr2_crowd_process *process);

static inline const uint32_t *tr2_crowd_alive(const struct tr2_crowd *crowd)
{
	return crowd->alive.items;
}

/* How well does the line fit a process that lives? 0 is best. */
#define TR2_REFUSED 9
typedef unsigned tr2_crowd_rate_fn(const struct tr2_crowd *crowd,
				   uint32_t process, uint32_t line);

struct tr2_crowd_choice {
	uint32_t first; /* of those that fit best, the first one to end, */
	uint32_t last;	/* and the one that wrote last; or TR2_NOBODY */
	unsigned least; /* how well they fit */
	uint32_t count;
	bool twins; /* all of them say the same */
};

struct tr2_crowd_choice tr2_crowd_choose(const struct tr2_crowd *crowd,
					 uint32_t line,
					 tr2_crowd_rate_fn *rate);

/* What the process did may be another one's. */
void tr2_crowd_doubt(struct tr2_crowd *crowd, uint32_t process);

/* The same of all that live and fit so well. */
void tr2_crowd_doubt_all(struct tr2_crowd *crowd, uint32_t line,
			 tr2_crowd_rate_fn *rate, unsigned most);

/* ends.c: find which lines are the begin and end of the same thing. */
void tr2_crowd_pair(struct tr2_crowd *crowd);

/* Note how wrong a clock is: by its least step at most, 15.6 ms on Windows. */
void tr2_crowd_note_step(struct tr2_crowd *crowd);

/* Returns the line that surely says that the child has ended, or TR2_NOBODY. */
uint32_t tr2_crowd_child_end(const struct tr2_crowd *crowd, uint32_t child);

/* Find which process ends in the line; or where the child ended, of which this
 * line says so. */
void tr2_crowd_find_ended(struct tr2_crowd *crowd, uint32_t line);
void tr2_crowd_find_end(struct tr2_crowd *crowd, uint32_t child_end);

/* kin.c: who started the child; in which process a process runs; and which
 * child it is, by its words. */
void tr2_crowd_find_starter(struct tr2_crowd *crowd, uint32_t line);
void tr2_crowd_find_parent(struct tr2_crowd *crowd, uint32_t process);
void tr2_crowd_tie(struct tr2_crowd *crowd, uint32_t process);

/* rest.c: whose is any other line? */
void tr2_crowd_find_writer(struct tr2_crowd *crowd, uint32_t line);

/* Is it left out rather than given to another process? */
bool tr2_crowd_is_precious(enum tr2_is is);

#endif
