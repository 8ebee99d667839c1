/*
 * phase.h - the phases of git's work, such as the negotiation of a fetch, as
 * far as regions and children show them. Time belongs to the phase of the
 * innermost open span that has one, also in the children of that span.
 */
#ifndef TR2_TOTALS_PHASE_H
#define TR2_TOTALS_PHASE_H

#include "model/totals/rows.h"

/* In the order of a clone or a pull. */
/* clang-format off */
#define TR2_PHASE_ROWS(ROW) \
	ROW(NONE, "other") \
	ROW(REMOTE, "connect to the remote and wait for it") \
	ROW(CREDENTIALS, "get credentials") \
	ROW(REFS, "compare refs") \
	ROW(NEGOTIATE, "negotiate") \
	ROW(WAIT, "wait for the pack and read it") \
	ROW(RECEIVE, "receive objects") \
	ROW(RESOLVE, "resolve deltas") \
	ROW(CONNECTIVITY, "check connectivity") \
	ROW(PACK, "pack objects") \
	ROW(INDEX, "read and write the index") \
	ROW(WORKTREE, "look at the worktree") \
	ROW(CHECKOUT, "check out files") \
	ROW(FILTER, "filter content") \
	ROW(HOOKS, "run hooks") \
	ROW(MAINTAIN, "maintain the repository")
/* clang-format on */

#define TR2_PHASE_ENUM(phase, ...) TR2_PHASE_##phase,
enum tr2_phase { TR2_PHASE_ROWS(TR2_PHASE_ENUM) TR2_PHASES };

extern const char *const tr2_phase_names[TR2_PHASES];

/*
 * Returns the phase of a region (category and label) or of a child (class and
 * command).
 */
enum tr2_phase tr2_phase_find(enum tr2_table table, const char *first,
			      const char *second);

#endif
