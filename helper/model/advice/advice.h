/*
 * advice.h - the room of what a log proves about settings and habits that would
 * save time: one table of rules (rules.c). A rule is judged (judge.c) for each
 * process, where its git, its system, its command line, its settings and its
 * own spans are known. What it could save is added to a row of
 * TR2_TABLE_PROOFS, so summaries of many logs can be merged; a view shows the
 * rows that are worth it.
 */
#ifndef TR2_MODEL_ADVICE_H
#define TR2_MODEL_ADVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/totals/rows.h"
#include "model/words/words.h"

struct tr2_advice {
	const char *id;	    /* the first name of its rows; the second: what */
	const char *text;   /* what to do */
	const char *unless; /* when not to, or NULL */
};

struct tr2_advice_bits { /* What a row means to the rules, a bit for each. */
	uint64_t proofs, needs, nevers;
	bool known;
};

/* Returns the advice of this id, or NULL: a later version knows it. */
const struct tr2_advice *tr2_advice_find(const char *id);

struct tr2_advised {	  /* A process that has ended. */
	const char *name; /* of its command */
	uint32_t remote;  /* number of its text */
	const struct tr2_facts *facts;
	const struct tr2_vec
		*locals; /* struct tr2_local; the first is its own */
	int64_t length;
	bool is_root; /* it is known what each of its rows owns */
	bool has_children;
};

/*
 * The process counts: note what its spans prove. `known` keeps struct
 * tr2_advice_bits of each row.
 */
void tr2_advice_note(struct tr2_rows *rows, struct tr2_vec *known,
		     const struct tr2_advised *process);

/* So many processes ran in a child with this row, which lasted so long. */
void tr2_advice_note_many(struct tr2_rows *rows, uint32_t row, uint32_t count,
			  int64_t length);

/* A rule of advice. */

struct tr2_advice_pattern { /* Names of a row; a name that ends with `*` is a begin. */
	enum tr2_table table;
	const char *first, *second; /* NULL: any */
};

struct tr2_advice_rule {
	struct tr2_advice advice;
	/* Of the process: its time is the proof. `other` may be all 0. */
	struct tr2_advice_pattern row, other;
	const char *commands;		 /* it is one of these; NULL: any */
	const char *no_commands;	 /* it is none of these */
	struct tr2_advice_pattern needs; /* another row of the process, */
	struct tr2_advice_pattern never,
		nor;		/* and those that it may not have */
	int64_t least;		/* the number of `needs` is so large, */
	uint64_t times;		/* the row has so many, */
	int64_t time;		/* and so much time in all */
	uint32_t since, before; /* versions; 0: any */
	uint32_t with, without; /* options and settings */
	uint8_t phase;		/* of the row; 0: any */
	uint8_t saves;		/* percent of the time; 0: nobody knows */
	bool monitor;		/* only if git can ask a daemon */
	bool remote;		/* name the remote of the process */
	bool alone; /* else only where it ran no child, as a filter */
	bool own;   /* only where it is known what a row owns */
};

#define TR2_RULES_MOST 64 /* each has a bit */

extern const struct tr2_advice_rule tr2_advice_rules[];
extern const size_t tr2_advice_rule_count;

#endif
