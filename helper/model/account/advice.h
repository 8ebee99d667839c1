/*
 * advice.h - what a log proves about settings and habits that would save
 * time: one table of rules. A rule is judged for each process, where its git,
 * its system, its command line, its settings and its own spans are known. What
 * it could save is added to a row of TR2_TABLE_PROOFS, so summaries of many
 * logs can be merged; a view shows the rows that are worth it.
 */
#ifndef TR2_ACCOUNT_ADVICE_H
#define TR2_ACCOUNT_ADVICE_H

#include <stdbool.h>
#include <stdint.h>

struct tr2_forest;
struct tr2_summary_process;

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

/* The process counts: note what its spans prove. */
void tr2_advice_note(struct tr2_forest *forest,
		     const struct tr2_summary_process *process);

/* So many processes ran in a child with this row, which lasted so long. */
void tr2_advice_note_many(struct tr2_forest *forest, uint32_t row,
			  uint32_t count, int64_t length);

#endif
