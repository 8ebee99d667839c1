/* The phases of git's work: what regions and children belong to. */
#include "kit/tap.h"
#include "model/totals/phase.h"

#define REGION TR2_TABLE_REGIONS
#define CHILD TR2_TABLE_CHILDREN

static const struct {
	enum tr2_table table;
	const char *first, *second;
	enum tr2_phase phase;
	const char *name;
} known[] = {
	{ REGION, "progress", "Receiving objects", TR2_PHASE_RECEIVE,
	  "a progress may receive objects" },
	{ REGION, "progress", "Resolving deltas", TR2_PHASE_RESOLVE,
	  "a progress may resolve deltas" },
	{ REGION, "progress", "Updating files", TR2_PHASE_CHECKOUT,
	  "a progress may update files" },
	{ REGION, "progress", "Updating files twice", TR2_PHASE_NONE,
	  "a whole label is not the begin of one" },
	{ REGION, "progress", "Updating", TR2_PHASE_NONE,
	  "nor is a part of a label a whole one" },
	{ REGION, "progress", "Receiving", TR2_PHASE_NONE,
	  "a begin of labels is needed as a whole" },
	{ REGION, "progress", "Filtering content", TR2_PHASE_FILTER,
	  "a progress may filter content" },
	{ REGION, "other", "Receiving objects", TR2_PHASE_NONE,
	  "the category matters, too" },
	{ REGION, "fetch-pack", "negotiation_v2", TR2_PHASE_NEGOTIATE,
	  "fetch-pack negotiates" },
	{ REGION, "fetch-pack", "mark_complete", TR2_PHASE_REFS,
	  "what else it does compares refs" },
	{ REGION, "negotiation_v2", "round/1", TR2_PHASE_NEGOTIATE,
	  "a round is a part of a negotiation" },
	{ REGION, "index", "refresh", TR2_PHASE_WORKTREE,
	  "a refresh looks at the worktree" },
	{ REGION, "index", "do_read_index", TR2_PHASE_INDEX,
	  "the index is read and written" },
	{ REGION, "fsm_client", "query", TR2_PHASE_WORKTREE,
	  "a question to fsmonitor is one about the worktree" },
	{ REGION, "hook", "x", TR2_PHASE_HOOKS, "a region may be a hook" },
	{ TR2_TABLE_COMMANDS, "rebase#interactive", "", TR2_PHASE_APPLY,
	  "a rebase applies commits, whatever its mode" },
	{ TR2_TABLE_COMMANDS, "rebases", "", TR2_PHASE_NONE,
	  "another command has no phase" },
	{ REGION, "", "", TR2_PHASE_NONE, "a region without a name has none" },
	{ CHILD, "hook", "pre-commit", TR2_PHASE_HOOKS, "a hook is one" },
	{ CHILD, "hook", "git rev-list", TR2_PHASE_HOOKS,
	  "the first row that fits counts" },
	{ CHILD, "transport/ssh", "ssh", TR2_PHASE_REMOTE,
	  "a transport talks to the remote" },
	{ CHILD, "?", "git rev-list", TR2_PHASE_CONNECTIVITY,
	  "rev-list checks connectivity" },
	{ CHILD, "?", "git rev-lis", TR2_PHASE_NONE,
	  "another child has no phase" },
	{ CHILD, "?", "git credential-store", TR2_PHASE_CREDENTIALS,
	  "a helper gets credentials" },
	{ CHILD, "?", "git gc", TR2_PHASE_MAINTAIN,
	  "a gc maintains the repository" },
	{ TR2_TABLE_DATA, "index", "refresh", TR2_PHASE_NONE,
	  "numbers have none" },
};

static void test_known(void)
{
	size_t i;

	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		tap_int(tr2_phase_find(known[i].table, known[i].first,
				       known[i].second),
			known[i].phase, known[i].name);
}

static void test_within(void)
{
	tap_int(tr2_phase_within(TR2_PHASE_CHECKOUT, "status"), TR2_PHASE_TREES,
		"status checks out no files");
	tap_int(tr2_phase_within(TR2_PHASE_CHECKOUT, "reset"),
		TR2_PHASE_CHECKOUT, "reset does");
	tap_int(tr2_phase_within(TR2_PHASE_HOOKS, "status"), TR2_PHASE_HOOKS,
		"other phases are those of any command");
}

static void test_after(void)
{
	tap_int(tr2_phase_after(TR2_PHASE_NEGOTIATE), TR2_PHASE_ANSWER,
		"after a negotiation git waits for the answer");
	tap_int(tr2_phase_after(TR2_PHASE_WAIT), TR2_PHASE_NONE,
		"data ends the wait for the remote");
	tap_int(tr2_phase_after(TR2_PHASE_INDEX), TR2_PHASE_REMOTE,
		"what is not of the remote does not");
}

int main(void)
{
	test_within();
	test_after();
	test_known();
	tap_str(tr2_phase_names[TR2_PHASE_NONE], "other",
		"time of no phase is other");
	tap_str(tr2_phase_names[TR2_PHASE_MAINTAIN], "maintain the repository",
		"each phase has a name");
	return tap_done();
}
