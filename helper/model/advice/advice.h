/*
 * advice.h - the room of what a log proves about settings and habits that would
 * save time: one table of rules (rules.ini). A rule is judged (judge.c) for each
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
		*locals;       /* struct tr2_local; the first is its own */
	const int64_t *phases; /* TR2_PHASES: what it spent in each */
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

#endif
