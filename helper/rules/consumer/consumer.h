/*
 * consumer.h - would a program that reads EVENT logs accept this one, and
 * what would it lose?
 * SPEC: chapter "Consumers"
 *
 *	schema/readers/  a file for each program: its rules, what it needs and
 *	              what it drops. A program that needs no code is such a
 *	              file alone; gen_readers.py makes readers.[ch] of them.
 *	consumer.c    the programs, and their verdicts on a log
 *	part.h        what the rules of a program consist of
 *	keys.c        keys and times that a program needs
 *	flamechart.c, git_ai.c, gitaly.c, trace2receiver.c
 *	              what depends on the order of events
 *
 * The room imitates what the source of these programs does with a line. It
 * reports to a sink, and knows no option and no output format.
 */
#ifndef TR2_CONSUMER_CONSUMER_H
#define TR2_CONSUMER_CONSUMER_H

#include <stdbool.h>

#include "rules/finding/finding.h"
#include "readers.h"
#include "read/record.h"

struct tr2_consumers;

/* Their names, in the order of their bits, and `all`; the last one is NULL. */
#define TR2_CONSUMERS_NAMES (TR2_READERS + 2)
void tr2_consumers_list(const char *names[TR2_CONSUMERS_NAMES]);
#define TR2_CONSUMERS_ALL ((1U << TR2_READERS) - 1)

struct tr2_consumers *tr2_consumers_new(unsigned programs);
void tr2_consumers_free(struct tr2_consumers *consumers);

/* Begin a log. Its events will be in the record; findings go to the sink. */
void tr2_consumers_begin(struct tr2_consumers *consumers, struct tr2_sink *sink,
			 struct tr2_record *record);
/* The record has an event. */
void tr2_consumers_event(struct tr2_consumers *consumers);
/* A line was read. `plain`: it is one JSON value and nothing else. */
void tr2_consumers_line(struct tr2_consumers *consumers, bool plain);
/* The first line of a log that is text for people. */
void tr2_consumers_text(struct tr2_consumers *consumers,
			const struct tr2_line *line);
/* End the log: report each program's verdict. */
void tr2_consumers_end(struct tr2_consumers *consumers);

#endif
