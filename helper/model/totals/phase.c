#include "model/totals/phase.h"

#define PHASE_NAME(phase, name) name,

const char *const tr2_phase_names[] = { TR2_PHASE_ROWS(PHASE_NAME) };

/*
 * The regions and children of git 2.22 to 2.55. NULL stands for any name, and
 * a name that ends with `*` for all names that begin like this. The first row
 * that fits counts.
 */
static const struct phase_row {
	enum tr2_table table;
	const char *first, *second;
	enum tr2_phase phase;
} phase_rows[] = {
	{ TR2_TABLE_REGIONS, "progress", "Receiving *", TR2_PHASE_RECEIVE },
	{ TR2_TABLE_REGIONS, "progress", "Unpacking *", TR2_PHASE_RECEIVE },
	{ TR2_TABLE_REGIONS, "progress", "Indexing *", TR2_PHASE_RECEIVE },
	{ TR2_TABLE_REGIONS, "progress", "Resolving *", TR2_PHASE_RESOLVE },
	{ TR2_TABLE_REGIONS, "progress", "Updating files", TR2_PHASE_CHECKOUT },
	{ TR2_TABLE_REGIONS, "progress", "Checking out *", TR2_PHASE_CHECKOUT },
	{ TR2_TABLE_REGIONS, "progress", "Filtering *", TR2_PHASE_FILTER },
	{ TR2_TABLE_REGIONS, "progress", "Checking connect*",
	  TR2_PHASE_CONNECTIVITY },
	{ TR2_TABLE_REGIONS, "progress", "Refresh index", TR2_PHASE_WORKTREE },
	{ TR2_TABLE_REGIONS, "fetch-pack", "negotiation*",
	  TR2_PHASE_NEGOTIATE },
	{ TR2_TABLE_REGIONS, "negotiation*", NULL, TR2_PHASE_NEGOTIATE },
	{ TR2_TABLE_REGIONS, "fetch-pack", NULL, TR2_PHASE_REFS },
	{ TR2_TABLE_REGIONS, "fetch", "consume_refs", TR2_PHASE_WRITE },
	{ TR2_TABLE_REGIONS, "fetch", "remote_refs", TR2_PHASE_REMOTE },
	{ TR2_TABLE_REGIONS, "transport_push", "get_refs_list",
	  TR2_PHASE_REMOTE },
	{ TR2_TABLE_REGIONS, "transport_push", "push_refs", TR2_PHASE_SEND },
	{ TR2_TABLE_REGIONS, "send_pack", "receive_status", TR2_PHASE_SEND },
	{ TR2_TABLE_REGIONS, "send_pack", "pack_objects", TR2_PHASE_PACK },
	{ TR2_TABLE_REGIONS, "pack-objects", NULL, TR2_PHASE_PACK },
	{ TR2_TABLE_REGIONS, "index", "refresh", TR2_PHASE_WORKTREE },
	{ TR2_TABLE_REGIONS, "index", "preload", TR2_PHASE_WORKTREE },
	{ TR2_TABLE_REGIONS, "index", NULL, TR2_PHASE_INDEX },
	{ TR2_TABLE_REGIONS, "cache_tree", "update", TR2_PHASE_HASH },
	{ TR2_TABLE_REGIONS, "cache_tree", NULL, TR2_PHASE_INDEX },
	{ TR2_TABLE_REGIONS, "dir", NULL, TR2_PHASE_WORKTREE },
	{ TR2_TABLE_REGIONS, "status", "worktrees", TR2_PHASE_WORKTREE },
	{ TR2_TABLE_REGIONS, "status", "untracked", TR2_PHASE_WORKTREE },
	{ TR2_TABLE_REGIONS, "fsmonitor", NULL, TR2_PHASE_WORKTREE },
	{ TR2_TABLE_REGIONS, "fsm_client", NULL, TR2_PHASE_WORKTREE },
	{ TR2_TABLE_REGIONS, "fsm_hook", NULL, TR2_PHASE_WORKTREE },
	{ TR2_TABLE_REGIONS, "unpack_trees", NULL, TR2_PHASE_CHECKOUT },
	{ TR2_TABLE_REGIONS, "merge", "checkout", TR2_PHASE_CHECKOUT },
	{ TR2_TABLE_REGIONS, "merge", NULL, TR2_PHASE_MERGE },
	{ TR2_TABLE_REGIONS, "diff", NULL, TR2_PHASE_RENAMES },
	{ TR2_TABLE_REGIONS, "maintenance", NULL, TR2_PHASE_MAINTAIN },
	{ TR2_TABLE_REGIONS, "hook", NULL, TR2_PHASE_HOOKS },
	{ TR2_TABLE_CHILDREN, "hook", NULL, TR2_PHASE_HOOKS },
	{ TR2_TABLE_CHILDREN, "transport/*", NULL, TR2_PHASE_REMOTE },
	{ TR2_TABLE_CHILDREN, "cred", NULL, TR2_PHASE_CREDENTIALS },
	{ TR2_TABLE_CHILDREN, "editor", NULL, TR2_PHASE_EDITOR },
	{ TR2_TABLE_CHILDREN, "pager", NULL, TR2_PHASE_PAGER },
	{ TR2_TABLE_CHILDREN, "subprocess", NULL, TR2_PHASE_FILTER },
	{ TR2_TABLE_CHILDREN, NULL, "git credential*", TR2_PHASE_CREDENTIALS },
	{ TR2_TABLE_CHILDREN, NULL, "git index-pack", TR2_PHASE_WAIT },
	{ TR2_TABLE_CHILDREN, NULL, "git unpack-objects", TR2_PHASE_WAIT },
	{ TR2_TABLE_CHILDREN, NULL, "git remote-*", TR2_PHASE_REMOTE },
	{ TR2_TABLE_CHILDREN, NULL, "git rev-list", TR2_PHASE_CONNECTIVITY },
	{ TR2_TABLE_CHILDREN, NULL, "git pack-objects", TR2_PHASE_PACK },
	{ TR2_TABLE_CHILDREN, NULL, "git maintenance", TR2_PHASE_MAINTAIN },
	{ TR2_TABLE_CHILDREN, NULL, "git gc", TR2_PHASE_MAINTAIN },
	{ TR2_TABLE_COMMANDS, "add", NULL, TR2_PHASE_HASH },
	{ TR2_TABLE_COMMANDS, "write-tree", NULL, TR2_PHASE_HASH },
	{ TR2_TABLE_COMMANDS, "grep", NULL, TR2_PHASE_SEARCH },
	{ TR2_TABLE_COMMANDS, "diff", NULL, TR2_PHASE_RENAMES },
	{ TR2_TABLE_COMMANDS, "merge-base", NULL, TR2_PHASE_HISTORY },
	{ TR2_TABLE_COMMANDS, "rebase", NULL, TR2_PHASE_APPLY },
	{ TR2_TABLE_COMMANDS, "cherry-pick", NULL, TR2_PHASE_APPLY },
	{ TR2_TABLE_COMMANDS, "revert", NULL, TR2_PHASE_APPLY },
	{ TR2_TABLE_COMMANDS, "am", NULL, TR2_PHASE_APPLY },
	{ TR2_TABLE_COMMANDS, "merge", NULL, TR2_PHASE_MERGE },
	{ TR2_TABLE_COMMANDS, "log", NULL, TR2_PHASE_HISTORY },
	{ TR2_TABLE_COMMANDS, "shortlog", NULL, TR2_PHASE_HISTORY },
	{ TR2_TABLE_COMMANDS, "rev-list", NULL, TR2_PHASE_HISTORY },
	{ TR2_TABLE_COMMANDS, "blame", NULL, TR2_PHASE_HISTORY },
	{ TR2_TABLE_COMMANDS, "describe", NULL, TR2_PHASE_HISTORY },
	{ TR2_TABLE_COMMANDS, "name-rev", NULL, TR2_PHASE_HISTORY },
	{ TR2_TABLE_COMMANDS, "format-patch", NULL, TR2_PHASE_HISTORY },
	{ TR2_TABLE_COMMANDS, "annotate", NULL, TR2_PHASE_HISTORY },
	{ TR2_TABLE_COMMANDS, "checkout", NULL, TR2_PHASE_CHECKOUT },
	{ TR2_TABLE_COMMANDS, "switch", NULL, TR2_PHASE_CHECKOUT },
	{ TR2_TABLE_COMMANDS, "restore", NULL, TR2_PHASE_CHECKOUT },
	{ TR2_TABLE_COMMANDS, "sparse-checkout", NULL, TR2_PHASE_CHECKOUT },
	{ TR2_TABLE_COMMANDS, "pack-objects", NULL, TR2_PHASE_PACK },
	{ TR2_TABLE_COMMANDS, "index-pack", NULL, TR2_PHASE_WAIT },
	{ TR2_TABLE_COMMANDS, "unpack-objects", NULL, TR2_PHASE_WAIT },
	{ TR2_TABLE_COMMANDS, "gc", NULL, TR2_PHASE_MAINTAIN },
	{ TR2_TABLE_COMMANDS, "repack", NULL, TR2_PHASE_MAINTAIN },
	{ TR2_TABLE_COMMANDS, "fsck", NULL, TR2_PHASE_MAINTAIN },
	{ TR2_TABLE_COMMANDS, "maintenance", NULL, TR2_PHASE_MAINTAIN },
	{ TR2_TABLE_COMMANDS, "prune", NULL, TR2_PHASE_MAINTAIN },
	{ TR2_TABLE_COMMANDS, "pack-refs", NULL, TR2_PHASE_MAINTAIN },
	{ TR2_TABLE_COMMANDS, "commit-graph", NULL, TR2_PHASE_MAINTAIN },
	{ TR2_TABLE_COMMANDS, "multi-pack-index", NULL, TR2_PHASE_MAINTAIN },
};

/* These compare trees with the index, and never check out a file. */
static const char *const readers[] = {
	"add",	"blame",      "commit",	  "describe",
	"diff", "diff-index", "ls-files", "status",
};

enum tr2_phase tr2_phase_find(enum tr2_table table, const char *first,
			      const char *second)
{
	const struct phase_row *row = phase_rows;
	size_t left = sizeof(phase_rows) / sizeof(phase_rows[0]);

	for (; left; left--, row++)
		if (row->table == table &&
		    tr2_rows_name_fits(row->first, first) &&
		    tr2_rows_name_fits(row->second, second))
			return row->phase;
	return TR2_PHASE_NONE;
}

enum tr2_phase tr2_phase_within(enum tr2_phase phase, const char *command)
{
	size_t i;

	if (phase != TR2_PHASE_CHECKOUT)
		return phase;
	for (i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (tr2_rows_name_fits(readers[i], command))
			return TR2_PHASE_TREES;
	return phase;
}

enum tr2_phase tr2_phase_after(enum tr2_phase begun)
{
	if (begun == TR2_PHASE_REFS || begun == TR2_PHASE_NEGOTIATE)
		return TR2_PHASE_ANSWER;
	if (begun == TR2_PHASE_WAIT || begun == TR2_PHASE_RECEIVE ||
	    begun == TR2_PHASE_CONNECTIVITY || begun == TR2_PHASE_WRITE)
		return TR2_PHASE_NONE;
	return TR2_PHASE_REMOTE;
}
