/*
 * phase.h - the phases of git's work, such as the negotiation of a fetch, as
 * far as regions, children and commands show them. Time belongs to the phase
 * of the innermost open span that has one, also in the children of that span;
 * where none has, to that of the command.
 */
#ifndef TR2_TOTALS_PHASE_H
#define TR2_TOTALS_PHASE_H

#include "model/totals/rows.h"

/* In the order of a clone or a pull. */
/* clang-format off */
#define TR2_PHASE_ROWS(ROW) \
	ROW(NONE, "other") \
	ROW(REMOTE, "connect to the remote and wait for it") \
	ROW(ANSWER, "wait for the remote's answer") \
	ROW(CREDENTIALS, "get credentials") \
	ROW(REFS, "compare refs") \
	ROW(NEGOTIATE, "negotiate") \
	ROW(WAIT, "wait for the pack and read it") \
	ROW(RECEIVE, "receive objects") \
	ROW(RESOLVE, "resolve deltas") \
	ROW(CONNECTIVITY, "check connectivity") \
	ROW(WRITE, "write refs") \
	ROW(PACK, "pack objects") \
	ROW(SEND, "send objects and wait for the remote") \
	ROW(INDEX, "read and write the index") \
	ROW(HASH, "hash files and trees") \
	ROW(WORKTREE, "look at the worktree") \
	ROW(TREES, "compare trees") \
	ROW(HISTORY, "walk through the history") \
	ROW(SEARCH, "search in files") \
	ROW(MERGE, "merge") \
	ROW(RENAMES, "compare files and find renames") \
	ROW(APPLY, "apply commits") \
	ROW(CHECKOUT, "check out files") \
	ROW(FILTER, "filter content") \
	ROW(HOOKS, "run hooks") \
	ROW(EDITOR, "wait for the editor") \
	ROW(PROGRAMS, "run programs that are not git's") \
	ROW(PAGER, "wait for the pager") \
	ROW(MAINTAIN, "maintain the repository")
/* clang-format on */

#define TR2_PHASE_ENUM(phase, ...) TR2_PHASE_##phase,
enum tr2_phase { TR2_PHASE_ROWS(TR2_PHASE_ENUM) TR2_PHASES };

extern const char *const tr2_phase_names[TR2_PHASES];

/*
 * Returns the phase of a region (category and label), of a child (class and
 * command) or of a command, whose name ends at `#`.
 */
enum tr2_phase tr2_phase_find(enum tr2_table table, const char *first,
			      const char *second);

/* Returns the phase of a span in a command of this name. */
enum tr2_phase tr2_phase_within(enum tr2_phase phase, const char *command);

/* Does the client only wait for the remote? */
static inline bool tr2_phase_waits(unsigned phase)
{
	return phase == TR2_PHASE_REMOTE || phase == TR2_PHASE_ANSWER ||
	       phase == TR2_PHASE_NEGOTIATE || phase == TR2_PHASE_SEND;
}

/*
 * Does the remote answer, once something of this phase has begun? Then a
 * transport that is still open has the phase that is returned; else it is
 * TR2_PHASE_REMOTE.
 */
enum tr2_phase tr2_phase_after(enum tr2_phase begun);

#endif
