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

#include "finding/sink.h"
#include "rules/record.h"

struct tr2_consumers;

/* Their names and `all`; the last one is NULL. */
#define TR2_CONSUMERS_NAMES 6
void tr2_consumers_list(const char *names[TR2_CONSUMERS_NAMES]);

/* The programs of that name or, for `all`, every one, as bits; 0: none. */
unsigned tr2_consumers_named(const char *name);

struct tr2_consumers *tr2_consumers_new(unsigned programs);
void tr2_consumers_free(struct tr2_consumers *consumers);

/* A log begins. Its events will be in the record, its findings go there. */
void tr2_consumers_begin(struct tr2_consumers *consumers, struct tr2_sink *sink,
			 struct tr2_record *record);
/* There is an event in the record. */
void tr2_consumers_event(struct tr2_consumers *consumers);
/* A line was read that is `plain`, one JSON value and nothing else, or not. */
void tr2_consumers_line(struct tr2_consumers *consumers, bool plain);
/* The first line of a log that is text. */
void tr2_consumers_text(struct tr2_consumers *consumers,
			const struct tr2_line *line);
/* It ends: say what each makes of it. */
void tr2_consumers_end(struct tr2_consumers *consumers);

#endif
