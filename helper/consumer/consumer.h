/*
 * consumer.h - would a program that reads EVENT logs take this one, and
 * what would it lose? The chapter "Consumers" of SPEC.md.
 *
 *	consumer.c		the programs, and their verdicts on a log
 *	consumer_part.h		what each of them is made of
 *	consumer_keys.c		keys and times that a program asks for
 *	consumer_<program>.c	its rules
 */
#ifndef TR2_CONSUMER_CONSUMER_H
#define TR2_CONSUMER_CONSUMER_H

#include <stdbool.h>

struct tr2_checker;
struct tr2_consumers;
struct tr2_line;

/* The programs of that name or, for `all`, every one, as bits; 0: none. */
unsigned tr2_consumers_named(const char *name);

struct tr2_consumers *tr2_consumers_new(unsigned programs);
void tr2_consumers_free(struct tr2_consumers *consumers);

/*
 * A log begins; an event of it is in checker->record; a line of it has been
 * read, which is `plain`, one JSON value and nothing else, or not; it ends:
 * say what each makes of it.
 */
void tr2_consumers_begin(struct tr2_checker *checker);
void tr2_consumers_event(struct tr2_checker *checker);
void tr2_consumers_line(struct tr2_checker *checker, bool plain);
/* The first line of a log that is text. */
void tr2_consumers_text(struct tr2_checker *checker,
			const struct tr2_line *line);
void tr2_consumers_end(struct tr2_checker *checker);

#endif
