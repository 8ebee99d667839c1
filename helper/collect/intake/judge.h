/*
 * judge.h - is one line broken? It is if `trace2 validate` reports an error
 * about it alone. What is between events is not checked, because lines of
 * several programs alternate. The known deviations of real writers are no
 * errors, as there.
 */
#ifndef TR2_INTAKE_JUDGE_H
#define TR2_INTAKE_JUDGE_H

#include "rules/check/checker.h"

struct tr2_judge {
	struct tr2_checker checker;
	struct tr2_report report;
	struct tr2_totals totals;
	const char *rule; /* of the first error in the present line, or NULL */
};

/* It must not move until it is released. */
void tr2_judge_begin(struct tr2_judge *judge);
void tr2_judge_release(struct tr2_judge *judge);

/*
 * Returns the id of the rule that the line breaks first, or NULL. An LF
 * follows the line, and TR2_TOKENS_PADDING bytes in all.
 */
const char *tr2_judge_line(struct tr2_judge *judge, const char *line,
			   size_t len);

#endif
