#include "views/summary/summary.h"

#include <stdio.h>
#include <string.h>

#include "cli/exit.h"
#include "cli/options.h"
#include "lib/text/foreign.h"

static const struct tr2_explained regions[] = {
	{ "index", "do_read_index", "reads .git/index, the list of all files",
	  "index.version 4 and index.threads; a sparse index is smaller" },
	{ "index", "do_write_index", "writes .git/index anew",
	  "index.skipHash; a split or sparse index writes less" },
	{ "index", "preload",
	  "asks the system, in threads, for each file of the index whether it "
	  "changed",
	  "core.preloadIndex; core.fsmonitor leaves most files out" },
	{ "index", "refresh",
	  "asks the system for each file of the index whether it changed",
	  "core.fsmonitor; core.checkStat" },
	{ "index", "name-hash-init", "hashes the names of all files",
	  "core.ignoreCase makes it necessary" },
	{ "index", "convert_to_sparse", "makes the index sparse",
	  "index.sparse" },
	{ "index", "shared/do_read_index",
	  "reads the shared part of a split index", "core.splitIndex" },
	{ "index", "clear_skip_worktree*", "looks for files left out",
	  "sparse.expectFilesOutsideOfPatterns" },
	{ "index", "ensure_full_index",
	  "makes a sparse index full, because a command can't use it",
	  "sparse.expectFilesOutsideOfPatterns; a later git needs it less" },
	{ "cache_tree", "*", "keeps the tree of each directory in the index",
	  "none" },
	{ "dir", "read_directory", "searches directories for untracked files",
	  "core.untrackedCache; status.showUntrackedFiles" },
	{ "status", "untracked", "searches for untracked and ignored files",
	  "core.untrackedCache; status.showUntrackedFiles" },
	{ "status", "worktrees", "compares the index with the worktree",
	  "core.fsmonitor; submodules: diff.ignoreSubmodules" },
	{ "status", "index", "compares HEAD with the index", "none" },
	{ "status", "print", "prints the status",
	  "status.aheadBehind compares with the upstream" },
	{ "unpack_trees", "*",
	  "reads trees into the index, and in a checkout writes the files",
	  "checkout.workers; a sparse checkout writes fewer" },
	{ "progress", "Updating files", "writes files to the worktree",
	  "checkout.workers; filters" },
	{ "progress", "Filtering content", "waits for files of a filter",
	  "filter.DRIVER.process; lfs.concurrentTransfers" },
	{ "progress", "Receiving*", "receives objects", "http.*; a filter" },
	{ "progress", "Resolving*", "puts deltas together", "pack.threads" },
	{ "fetch", "remote_refs", "asks the remote for its refs",
	  "protocol.version 2; a narrower remote.NAME.fetch" },
	{ "fetch", "fetch_refs", "receives the objects of refs", "--filter" },
	{ "fetch", "fetch-one",
	  "fetches from one remote, and writes its refs since 2.51",
	  "remote.NAME.fetch; the format of refs (reftable)" },
	{ "fetch", "fetch-bundle-uri", "receives bundles before the rest",
	  "fetch.bundleURI; transfer.bundleURI" },
	{ "fetch", "setup-partial", "reads how a partial clone was made",
	  "remote.NAME.partialCloneFilter" },
	{ "fetch", "recurse-submodule", "fetches submodules that changed",
	  "fetch.recurseSubmodules; submodule.fetchJobs" },
	{ "fetch", "consume_refs", "writes the refs that were received",
	  "remote.NAME.fetch; the format of refs (reftable)" },
	{ "fetch-pack", "negotiation*",
	  "finds out with the remote which commits both have",
	  "fetch.negotiationAlgorithm" },
	{ "negotiation_v2", "*", "a round of a negotiation",
	  "fetch.negotiationAlgorithm" },
	{ "fetch-pack", "mark_complete*",
	  "looks for the commits of refs that are here already",
	  "core.commitGraph; fewer refs" },
	{ "fetch-pack", "*", "compares refs with those of the remote",
	  "remote.NAME.fetch" },
	{ "push", "transport_push", "a whole push", "push.*" },
	{ "transport_push", "get_refs_list", "asks the remote for its refs",
	  "the hooks and refs of the remote" },
	{ "transport_push", "push_refs",
	  "sends objects, and waits for the remote to take them",
	  "hooks of the remote; pack.*" },
	{ "pack-objects", "enumerate-objects", "lists the objects of a pack",
	  "pack.useBitmaps; pack.useSparse" },
	{ "pack-objects", "prepare-pack", "looks for deltas",
	  "pack.threads; pack.window; pack.depth" },
	{ "pack-objects", "write-pack-file", "writes the pack",
	  "pack.compression; core.fsync" },
	{ "merge", "*", "merges trees",
	  "merge.renames; merge.renameLimit; merge.directoryRenames" },
	{ "diff", "*", "compares files, and finds renames",
	  "diff.renames; diff.renameLimit" },
	{ "hook", "*", "runs a hook", "core.hooksPath; --no-verify" },
	{ "submodule", "parallel/*", "runs git in submodules",
	  "submodule.fetchJobs; fetch.parallel" },
	{ "maintenance", "*", "a task of maintenance",
	  "maintenance.<task>.enabled; 'git maintenance start'" },
	{ "fsmonitor", "*", "asks the monitor which files changed",
	  "core.fsmonitor" },
	{ "fsm_client", "*", "asks the monitor which files changed",
	  "core.fsmonitor" },
	{ "fsm_hook", "*", "asks the program of core.fsmonitor",
	  "core.fsmonitor" },
	{ "ipc-client", "*", "talks to a daemon of git", "core.fsmonitor" },
	{ "cache-tree", "*", "keeps trees in the index", "none" },
	{ "chunkfile", "*", "writes a commit-graph or a multi-pack-index",
	  "gc.writeCommitGraph; fetch.writeCommitGraph" },
	{ "pack-bitmap-write", "*", "writes bitmaps of reachable objects",
	  "repack.writeBitmaps; pack.writeBitmapHashCache" },
};

static bool is_begin(const char *label, const char *wanted)
{
	size_t len = strlen(label);

	if (len && label[len - 1] == '*')
		return !strncmp(label, wanted, len - 1);
	return !strcmp(label, wanted);
}

/* Without a label all regions of the category are meant. */
static bool is_meant(const struct tr2_explained *region, const char *name)
{
	size_t len = strlen(region->category);

	if (strncmp(region->category, name, len) != 0)
		return false;
	return !name[len] ||
	       (name[len] == '/' && is_begin(region->label, name + len + 1));
}

const struct tr2_explained *tr2_explain_find(const char *category,
					     const char *label)
{
	size_t i;

	for (i = 0; i < sizeof(regions) / sizeof(regions[0]); i++)
		if (!strcmp(regions[i].category, category) &&
		    is_begin(regions[i].label, label))
			return &regions[i];
	return NULL;
}

int tr2_explain_region(const char *name)
{
	bool is_whole = strchr(name, '/') != NULL;
	unsigned told = 0;
	size_t i;

	for (i = 0; i < sizeof(regions) / sizeof(regions[0]); i++) {
		if (!is_meant(&regions[i], name) || (is_whole && told))
			continue;
		printf("%s/%s: git %s%s\n  settings: %s\n", regions[i].category,
		       regions[i].label,
		       regions[i].text[1] == ' ' ? "does " : "",
		       regions[i].text, regions[i].setting);
		told++;
	}
	if (told)
		return EXIT_CLEAN;
	tr2_foreign_complain("summary",
			     "no region of git that is known has this name; "
			     "expected CATEGORY or CATEGORY/LABEL",
			     name);
	return EXIT_USAGE;
}
