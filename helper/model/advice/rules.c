/* The rules of advice. */
#include "model/advice/advice.h"

#include "model/words/words.h"
#include "model/totals/phase.h"

#define REGION TR2_TABLE_REGIONS
#define CHILD TR2_TABLE_CHILDREN
#define COMMAND TR2_TABLE_COMMANDS
#define DATA TR2_TABLE_DATA
#define CHOSE(choice) (UINT32_C(1) << TR2_CHOSE_##choice)
#define SET(setting) (UINT32_C(1) << TR2_SET_##setting)

#define CHECKOUTS "checkout clone reset switch restore worktree"
#define GARBAGE "gc maintenance repack receive-pack"
#define REMOTE_HOOKS "receive-pack"

#define WRITES_FILES                                                        \
	{                                                                   \
		"checkout-workers",                                         \
			"git writes file after file; 'git config --global " \
			"checkout.workers 0' writes them side by side",     \
			"not on a spinning disk"                            \
	}

#define ASKS_EACH_TIME                                                       \
	{                                                                    \
		"credentials",                                               \
			"git runs a credential helper each time; with "      \
			"'cache' before it (credential.helper) it is asked " \
			"once, and memory answers then",                     \
			"not if it waited for you"                           \
	}

#define FEWER_REFS                                                          \
	{                                                                   \
		"many-refs-reftable",                                       \
			"git writes a file for each ref; fetch fewer refs " \
			"(a narrower remote.NAME.fetch), or 'git refs "     \
			"migrate --ref-format=reftable'",                   \
			"not if other programs read .git/refs"              \
	}

#define FILES_OF_LFS                                                        \
	{                                                                   \
		"lfs",                                                      \
			"files come from LFS; lfs.fetchinclude and "        \
			"lfs.fetchexclude leave out those that you do not " \
			"need",                                             \
			NULL                                                \
	}

const struct tr2_advice_rule tr2_advice_rules[] = {
	/* Contents are read again, which a daemon does not spare. */
	{ .advice = { "changed-times-unsaved",
		      "the times of many files changed, so git reads them "
		      "again, and --no-optional-locks never notes that; run "
		      "'git status' once without the option",
		      NULL },
	  .row = { REGION, "index", "refresh" },
	  .needs = { DATA, "index", "refresh/sum_scan" },
	  .least = 1000,
	  .with = CHOSE(NO_LOCKS),
	  .saves = 80 },
	{ .advice = { "changed-times",
		      "the times of many files changed, so git reads them "
		      "again; this ends once the index is written",
		      NULL },
	  .row = { REGION, "index", "refresh" },
	  .needs = { DATA, "index", "refresh/sum_scan" },
	  .least = 1000,
	  .saves = 0 },
	{ .advice = { "fsmonitor",
		      "git looks at every file for changes; 'git config "
		      "core.fsmonitor true' lets it ask a daemon which ones "
		      "changed",
		      "not on a network drive, nor where each worktree is used "
		      "once" },
	  .row = { REGION, "index", "refresh" },
	  .other = { REGION, "index", "preload" },
	  .never = { REGION, "fsm*", NULL },
	  .without = SET(MONITOR),
	  .monitor = true,
	  .saves = 80 },
	{ .advice = { "untracked-cache",
		      "git searches all directories for untracked files; 'git "
		      "config core.untrackedCache true' remembers those that "
		      "did not change",
		      "not where 'git update-index --test-untracked-cache' "
		      "fails" },
	  .row = { REGION, "dir", "read_directory" },
	  .commands = "status commit",
	  .never = { DATA, "read_directory", "node-creation" },
	  .without = SET(UNTRACKED) | SET(MANY_FILES) | CHOSE(NO_LOCKS) |
		     CHOSE(IGNORED) | CHOSE(ALL) | CHOSE(ALL_LONG) |
		     CHOSE(PATHS), /* with these git does not use it */
	  .saves = 60 },
	{ .advice = { "untracked-cache-unsaved",
		      "the untracked cache is on, but --no-optional-locks "
		      "never saves it; run 'git status' without the option "
		      "now and then",
		      NULL },
	  .row = { REGION, "dir", "read_directory" },
	  .commands = "status",
	  .needs = { DATA, "read_directory", "opendir" },
	  .least = 100,
	  .with = CHOSE(NO_LOCKS),
	  .saves = 60 },
	{ .advice = { "sparse",
		      "the index has very many files; 'git sparse-checkout set "
		      "--sparse-index' with the directories that you need "
		      "makes it small",
		      "not if you work in most of them" },
	  .row = { REGION, "index", "do_read_index" },
	  .needs = { DATA, "index", "read/cache_nr" },
	  .never = { REGION, "index", "convert_to_sparse" },
	  .least = 100000,
	  .without = SET(SPARSE_INDEX),
	  .since = 232,
	  .saves = 50 },
	/* Where git shows its progress, this region has the time. */
	{ .advice = WRITES_FILES,
	  .row = { REGION, "progress", "Updating files" },
	  .commands = CHECKOUTS,
	  .needs = { DATA, "index", "write/cache_nr" },
	  .never = { CHILD, NULL, "git checkout--worker" },
	  .least = 2000,
	  .time = 1000000,
	  .without = SET(WORKERS),
	  .since = 232,
	  .alone = true,
	  .saves = 40 },
	{ .advice = WRITES_FILES,
	  .row = { REGION, "unpack_trees", "unpack_trees" },
	  .commands = CHECKOUTS,
	  .needs = { DATA, "index", "write/cache_nr" },
	  .never = { CHILD, NULL, "git checkout--worker" },
	  .nor = { REGION, "progress", "Updating files" },
	  .least = 2000,
	  .time = 1000000,
	  .without = SET(WORKERS),
	  .since = 232,
	  .alone = true,
	  .saves = 40 },
	{ .advice = { "negotiation",
		      "git and the remote compare many commits; 'git config "
		      "fetch.negotiationAlgorithm skipping' needs fewer "
		      "rounds",
		      "it may receive more than it needs" },
	  .row = { REGION, "fetch-pack", "negotiation*" },
	  .needs = { DATA, "negotiation*", "total_rounds" },
	  .least = 4,
	  .without = SET(NEGOTIATION),
	  .since = 219,
	  .remote = true,
	  .saves = 50 },
	{ .advice = { "commit-graph",
		      "git reads a commit for each ref; 'git commit-graph "
		      "write --reachable' makes this fast",
		      "not if .git/objects/info has a new commit-graph" },
	  .row = { REGION, "fetch-pack", "mark_complete*" },
	  .since = 219,
	  .remote = true,
	  .saves = 80 },
	{ .advice = FEWER_REFS,
	  .row = { REGION, "fetch", "consume_refs" },
	  .never = { CHILD, "hook", NULL },
	  .time = 300000, /* one ref takes time, too, on a busy disk */
	  .since = 246,
	  .remote = true,
	  .saves = 70 },
	{ .advice = { "many-refs",
		      "git writes a file for each ref; fetch fewer refs: a "
		      "narrower remote.NAME.fetch",
		      "not if you need all of them" },
	  .row = { REGION, "fetch", "consume_refs" },
	  .never = { CHILD, "hook", NULL },
	  .time = 300000, /* one ref takes time, too, on a busy disk */
	  .before = 246,
	  .remote = true,
	  .saves = 70 },
	/* Here it writes them all at once, after the region for that. */
	{ .advice = FEWER_REFS,
	  .row = { REGION, "fetch", "fetch-one" },
	  .needs = { REGION, "fetch", "consume_refs" },
	  .never = { CHILD, "hook", NULL },
	  .least = 1,
	  .time = 300000,
	  .own = true,
	  .since = 251,
	  .remote = true,
	  .saves = 70 },
	{ .advice = { "slow-remote",
		      "'git config remote.NAME.skipFetchAll true' leaves "
		      "this remote out of 'git fetch --all'",
		      "not if you need it each time" },
	  .row = { REGION, "fetch", "remote_refs" },
	  .commands = "fetch",
	  .with = CHOSE(APPEND),
	  .time = 500000,
	  .remote = true,
	  .saves = 90 },
	{ .advice = { "lazy-backfill",
		      "a partial clone fetches what it misses piece by piece; "
		      "'git backfill' fetches it all at once",
		      "not if you need few of them" },
	  .row = { CHILD, NULL, "git fetch, lazy" },
	  .times = 5,
	  .since = 249,
	  .remote = true,
	  .saves = 90 },
	{ .advice = { "lazy",
		      "a partial clone fetches what it misses piece by piece; "
		      "'git fetch --refetch --no-filter' fetches it all at "
		      "once",
		      "not if you need little of the history" },
	  .row = { CHILD, NULL, "git fetch, lazy" },
	  .times = 5,
	  .since = 236,
	  .before = 249,
	  .remote = true,
	  .saves = 90 },
	{ .advice = { "partial-clone",
		      "git receives the whole history; 'git clone "
		      "--filter=blob:none' leaves old contents out until they "
		      "are needed",
		      "not for a build that needs little history (--depth 1), "
		      "nor if you read old contents often" },
	  .row = { CHILD, NULL, "git index-pack" },
	  .commands = "clone",
	  .never = { CHILD, "transport/file", NULL },
	  .nor = { REGION, "fetch", "fetch-bundle-uri" },
	  .time = 1000000,
	  .without = CHOSE(SHALLOW) | CHOSE(SHALLOW_SINCE) | CHOSE(FILTER) |
		     CHOSE(SPARSE) | CHOSE(MIRROR) | CHOSE(BARE),
	  .since = 222,
	  .remote = true,
	  .own = true,
	  .saves = 0 },
	{ .advice = { "filter-lfs",
		      "git starts git-lfs for each file; 'git lfs install' "
		      "sets up one that stays (filter.lfs.process)",
		      NULL },
	  .row = { CHILD, "?", "git-lfs" },
	  .times = 10,
	  .saves = 80 },
	/* git waits here for what it asked git-lfs to bring. */
	{ .advice = FILES_OF_LFS,
	  .row = { REGION, "progress", "Filtering content" },
	  .needs = { CHILD, "subprocess", "git-lfs" },
	  .least = 1,
	  .time = 1000000,
	  .saves = 0 },
	{ .advice = FILES_OF_LFS,
	  .row = { CHILD, "subprocess", "git-lfs" },
	  .time = 1000000,
	  .saves = 0 },
	{ .advice = { "filter",
		      "git starts the filter for each file; one that speaks "
		      "git's protocol (filter.DRIVER.process) is started "
		      "once",
		      NULL },
	  .row = { CHILD, "?", NULL },
	  .phase = TR2_PHASE_FILTER,
	  .times = 10,
	  .saves = 80 },
	{ .advice = { "textconv",
		      "git runs this program for each file; if it is a "
		      "textconv, 'git config diff.DRIVER.cachetextconv true' "
		      "keeps what it said of committed files",
		      NULL },
	  .row = { CHILD, "?", NULL },
	  .commands = "diff log show blame",
	  .never = { CHILD, "?", "git*" },
	  .nor = { CHILD, "?", "gpg*" },
	  .times = 10,
	  .saves = 0 },
	/* These two start no other program but filters. */
	{ .advice = { "fsmonitor-daemon",
		      "git asks the program of core.fsmonitor; 'git config "
		      "core.fsmonitor true' asks git's own daemon, which "
		      "answers at once",
		      "not on a network drive" },
	  .row = { CHILD, "?", NULL },
	  .commands = "status add",
	  .needs = { REGION, "fsm_hook", "query" },
	  .least = 1,
	  .monitor = true,
	  .saves = 80 },
	{ .advice = { "fsmonitor-hook",
		      "git asks the program of core.fsmonitor; 'git config "
		      "--unset core.fsmonitor' looks at every file instead",
		      "not if that takes longer" },
	  .row = { CHILD, "?", NULL },
	  .commands = "status add",
	  .needs = { REGION, "fsm_hook", "query" },
	  .least = 1,
	  .saves = 0 },
	{ .advice = { "remote-hook",
		      "the remote runs this hook while you wait; its owner can "
		      "do in the background what need not decide about the "
		      "push",
		      NULL },
	  .row = { CHILD, "hook", NULL },
	  .commands = REMOTE_HOOKS,
	  .remote = true,
	  .saves = 90 },
	{ .advice = { "hook-list",
		      "'git hook list' and its name tell what runs",
		      "not if you need what it checks" },
	  .row = { CHILD, "hook", NULL },
	  .no_commands = REMOTE_HOOKS,
	  .since = 254,
	  .saves = 90 },
	{ .advice = { "hook",
		      "it is a script of this repository; see .git/hooks or "
		      "core.hooksPath",
		      "not if you need what it checks" },
	  .row = { CHILD, "hook", NULL },
	  .no_commands = REMOTE_HOOKS,
	  .saves = 90 },
	{ .advice = ASKS_EACH_TIME,
	  .row = { CHILD, "cred", NULL },
	  .other = { CHILD, NULL, "git credential*" },
	  .never = { CHILD, NULL, "git credential-cache" },
	  .remote = true,
	  .saves = 90 },
	{ .advice = ASKS_EACH_TIME,
	  .row = { CHILD, "?", NULL },
	  .never = { CHILD, NULL, "git credential-cache" },
	  .phase = TR2_PHASE_CREDENTIALS,
	  .remote = true,
	  .saves = 90 },
	{ .advice = { "submodule-jobs",
		      "git clones or fetches one submodule after the other; "
		      "'--jobs 8' or 'git config submodule.fetchJobs 8' does "
		      "it side by side",
		      "not if the network is the limit" },
	  .row = { REGION, "submodule", "parallel/*" },
	  .commands = "submodule--helper fetch pull clone",
	  .needs = { CHILD, NULL, "git*" },
	  .least = 2,
	  .without = CHOSE(JOBS) | CHOSE(JOBS_SHORT) | SET(FETCH_JOBS) |
		     SET(FETCH_PARALLEL),
	  .saves = 50 },
	{ .advice = { "maintenance",
		      "git tidies up while you wait; 'git maintenance start' "
		      "does it in the background",
		      NULL },
	  .row = { CHILD, NULL, "git maintenance" },
	  .other = { CHILD, NULL, "git gc" },
	  .no_commands = GARBAGE,
	  .time = 100000, /* less takes one that finds nothing to do */
	  .since = 231,
	  .saves = 90 },
	{ .advice = { "renames",
		      "git compares many files to find renames; '-X "
		      "no-renames', or a lower merge.renameLimit, leaves this "
		      "out",
		      "not if files were renamed on one side" },
	  .row = { REGION, "diff", "inexact renames" },
	  .commands = "merge rebase cherry-pick revert",
	  .time = 500000,
	  .saves = 80 },
	{ .advice = { "old-merge",
		      "git 2.34 and later merge and rebase in much less time",
		      NULL },
	  .row = { COMMAND, NULL, NULL },
	  .commands = "merge rebase cherry-pick",
	  .time = 1000000,
	  .before = 234,
	  .saves = 0 },
	{ .advice = { "search",
		      "-S and -G compare the contents of every commit; a "
		      "range, --since or a path leaves most of them out",
		      NULL },
	  .row = { COMMAND, NULL, NULL },
	  .commands = "log",
	  .with = CHOSE(SEARCH) | CHOSE(SEARCH_REGEX),
	  .without = CHOSE(SINCE) | CHOSE(PATHS),
	  .time = 1000000,
	  .saves = 0 },
	{ .advice = { "blame",
		      "blame compares every version of the file; --since, a "
		      "range or -L reads fewer",
		      NULL },
	  .row = { COMMAND, NULL, NULL },
	  .commands = "blame annotate",
	  .without = CHOSE(SINCE) | CHOSE(LINES),
	  .time = 1000000,
	  .saves = 0 },
	{ .advice = { "rate-limit",
		      "the server asks git to wait (429); ask it less "
		      "often, or with credentials",
		      NULL },
	  .row = { COMMAND, NULL, NULL },
	  .commands = "remote-curl",
	  .needs = { DATA, "http", "http/retry-sleep-seconds" },
	  .least = 1,
	  .remote = true,
	  .saves = 0 },
	{ .advice = { "one-thread",
		      "it may use one core only; leave out --threads=1 or "
		      "pack.threads",
		      "not if memory is scarce" },
	  .row = { REGION, "pack-objects", "prepare-pack" },
	  .with = CHOSE(ONE_THREAD),
	  .time = 1000000,
	  .saves = 50 },
};

const size_t tr2_advice_rule_count =
	sizeof(tr2_advice_rules) / sizeof(tr2_advice_rules[0]);

_Static_assert(sizeof(tr2_advice_rules) / sizeof(tr2_advice_rules[0]) <=
		       TR2_RULES_MOST,
	       "each rule has a bit");
