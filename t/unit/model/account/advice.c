/* Each rule of advice: what it follows from, and what silences it. */
#include "model/account/story_kit.h"

/* A command of 4 seconds that has all its time in one span. */
struct situation {
	const char *want; /* the rule that follows, or "" */
	const char *exe, *name, *argv;
	const char *kind; /* "region", "hook", "cred", "?", "subprocess" or
			   * "self": the command alone */
	const char *first, *second;
	unsigned times; /* that the span comes */
	const char *data, *key;
	unsigned value;
	const char *why;
};

#define LINUX "2.39.5"
#define NEW "2.55.0"
#define WINDOWS "2.45.1.windows.1"
#define REG(first, second) "region", first, second, 1
#define NONE "", "", 0
#define FILES "index", "write/cache_nr"

static const struct situation situations[] = {
	{ "fsmonitor", WINDOWS, "status", "", REG("index", "refresh"), NONE,
	  "a refresh on Windows asks for a monitor" },
	{ "fsmonitor", NEW, "diff", "", REG("index", "preload"), NONE,
	  "so does a preload by a git that has one on Linux" },
	{ "", LINUX, "status", "", REG("index", "refresh"), NONE,
	  "git 2.39 on Linux has no monitor" },
	{ "", NEW, "status", "-c core.fsmonitor=true", REG("index", "refresh"),
	  NONE, "a monitor that is on is not advised" },
	{ "", NEW, "status", "-c core.fsmonitor=false", REG("index", "refresh"),
	  NONE, "one of the command line wins over advice" },
	{ "untracked-cache", LINUX, "status", "", REG("dir", "read_directory"),
	  NONE, "a search for untracked files asks for the cache" },
	{ "", LINUX, "status", "", REG("dir", "read_directory"),
	  "read_directory", "node-creation", 1,
	  "a cache that is on is not advised" },
	{ "", LINUX, "status", "--no-optional-locks",
	  REG("dir", "read_directory"), NONE,
	  "nor is one that would not be saved" },
	{ "untracked-cache-unsaved", LINUX, "status", "--no-optional-locks",
	  REG("dir", "read_directory"), "read_directory", "opendir", 100,
	  "a cache that is on but never saved gives advice" },
	{ "", LINUX, "status", "--no-optional-locks",
	  REG("dir", "read_directory"), "read_directory", "opendir", 99,
	  "not where few directories were opened" },
	{ "sparse", LINUX, "status", "", REG("index", "do_read_index"), "index",
	  "read/cache_nr", 100000, "a very large index should be sparse" },
	{ "", LINUX, "status", "", REG("index", "do_read_index"), "index",
	  "read/cache_nr", 99999, "a smaller one need not" },
	{ "checkout-workers", LINUX, "checkout", "",
	  REG("unpack_trees", "unpack_trees"), FILES, 2000,
	  "many files are written side by side" },
	{ "", LINUX, "checkout", "", REG("unpack_trees", "unpack_trees"), FILES,
	  1999, "few files are not" },
	{ "", LINUX, "status", "", REG("unpack_trees", "unpack_trees"), FILES,
	  2000, "status writes none" },
	{ "", "2.31.0", "checkout", "", REG("unpack_trees", "unpack_trees"),
	  FILES, 2000, "an old git has no workers" },
	{ "", LINUX, "checkout", "-c checkout.workers=0",
	  REG("unpack_trees", "unpack_trees"), FILES, 2000,
	  "workers that are on are not advised" },
	{ "negotiation", LINUX, "fetch", "",
	  REG("fetch-pack", "negotiation_v2"), "negotiation_v2", "total_rounds",
	  4, "a negotiation of many rounds may skip some" },
	{ "", LINUX, "fetch", "", REG("fetch-pack", "negotiation_v2"),
	  "negotiation_v2", "total_rounds", 3, "one of few rounds may not" },
	{ "commit-graph", LINUX, "fetch", "",
	  REG("fetch-pack", "mark_complete_local_refs"), NONE,
	  "commits of refs are faster with a graph" },
	{ "", "2.18.0", "fetch", "",
	  REG("fetch-pack", "mark_complete_local_refs"), NONE,
	  "which an old git does not read" },
	{ "many-refs", LINUX, "fetch", "", REG("fetch", "consume_refs"), NONE,
	  "many refs should be fewer" },
	{ "many-refs-reftable", NEW, "fetch", "", REG("fetch", "consume_refs"),
	  NONE, "a git that has reftable may use it" },
	{ "lazy", LINUX, "log", "", "lazy", "", "", 5, NONE,
	  "a partial clone that fetches piece by piece is refetched" },
	{ "lazy-backfill", NEW, "log", "", "lazy", "", "", 5, NONE,
	  "a newer git has backfill" },
	{ "", LINUX, "log", "", "lazy", "", "", 4, NONE,
	  "a few pieces are no matter" },
	{ "partial-clone", LINUX, "clone", "", "?", "git index-pack", "", 1,
	  NONE, "a whole clone may be a partial one" },
	{ "", LINUX, "clone", "--depth=1", "?", "git index-pack", "", 1, NONE,
	  "a shallow one may not" },
	{ "", LINUX, "clone", "--mirror", "?", "git index-pack", "", 1, NONE,
	  "nor a mirror" },
	{ "", LINUX, "fetch", "", "?", "git index-pack", "", 1, NONE,
	  "a fetch is no clone" },
	{ "filter", LINUX, "checkout", "", "filter", "smudge.sh", "", 10, NONE,
	  "a filter for each file should be a process" },
	{ "", LINUX, "checkout", "", "filter", "smudge.sh", "", 9, NONE,
	  "one for a few files need not" },
	{ "filter-lfs", LINUX, "checkout", "", "filter", "git-lfs", "", 10,
	  NONE, "LFS for each file is set up anew" },
	{ "lfs", LINUX, "checkout", "", "subprocess", "git-lfs", "", 1, NONE,
	  "LFS that takes long may leave files out" },
	{ "", LINUX, "checkout", "", "subprocess", "filter.py", "", 1, NONE,
	  "another filter process is what it should be" },
	{ "hook", LINUX, "commit", "", "hook", "pre-commit", "", 1, NONE,
	  "a slow hook gives advice" },
	{ "remote-hook", LINUX, "receive-pack", "", "hook", "pre-receive", "",
	  1, NONE, "one of a remote is that of another owner" },
	{ "credentials", LINUX, "fetch", "", "cred", "my-helper", "", 1, NONE,
	  "a credential helper of any name gives advice" },
	{ "submodule-jobs", LINUX, "submodule--helper", "",
	  REG("submodule", "parallel/update"), "children", "", 2,
	  "submodules in turn may be side by side" },
	{ "", LINUX, "submodule--helper", "--jobs=4",
	  REG("submodule", "parallel/update"), "children", "", 2,
	  "those that are already are not advised" },
	{ "", LINUX, "submodule--helper", "",
	  REG("submodule", "parallel/update"), "children", "", 1,
	  "one submodule has no other beside it" },
	{ "maintenance", LINUX, "commit", "", "?", "git maintenance", "", 1,
	  NONE, "maintenance in the foreground may be in the background" },
	{ "maintenance", LINUX, "fetch", "", "?", "git gc", "", 1, NONE,
	  "so may gc" },
	{ "", LINUX, "maintenance", "", "?", "git gc", "", 1, NONE,
	  "who asked for it has it" },
	{ "", "2.29.0", "fetch", "", "?", "git gc", "", 1, NONE,
	  "an old git has no schedule" },
	{ "renames", LINUX, "merge", "", REG("diff", "inexact renames"), NONE,
	  "a search for renames may be left out of a merge" },
	{ "", LINUX, "diff", "", REG("diff", "inexact renames"), NONE,
	  "a diff was asked for them" },
	{ "old-merge", "2.33.1", "rebase", "", "self", "", "", 0, NONE,
	  "a newer git rebases faster" },
	{ "", LINUX, "rebase", "", "self", "", "", 0, NONE,
	  "which this one is" },
	{ "search", LINUX, "log", "-Sx", "self", "", "", 0, NONE,
	  "a search in contents reads every commit" },
	{ "", LINUX, "log", "--stat", "self", "", "", 0, NONE,
	  "another log may be slow for many reasons" },
	{ "blame", LINUX, "blame", "", "self", "", "", 0, NONE,
	  "blame reads every version" },
	{ "one-thread", LINUX, "pack-objects", "--threads=1",
	  REG("pack-objects", "prepare-pack"), NONE,
	  "a pack may use all cores" },
	{ "", LINUX, "pack-objects", "", REG("pack-objects", "prepare-pack"),
	  NONE, "one that does is silent" },
	{ "", "unknown", "fetch", "", REG("fetch", "consume_refs"), NONE,
	  "an unknown git is not advised" },
};

static const char *show_argv(const struct situation *one)
{
	static char argv[128];

	if (!strcmp(one->kind, "lazy"))
		return "\"git\",\"-c\",\"fetch.negotiationAlgorithm=noop\","
		       "\"fetch\"";
	if (!strncmp(one->first, "git ", 4))
		snprintf(argv, sizeof(argv), "\"git\",\"%s\"", one->first + 4);
	else
		snprintf(argv, sizeof(argv), "\"%s\"", one->first);
	return argv;
}

static void tell_child(const struct situation *one, unsigned id, unsigned from,
		       unsigned to)
{
	const bool filters = !strcmp(one->kind, "filter");
	const bool hooks = !strcmp(one->kind, "hook");
	char rest[256];

	if (filters)
		story.thread = "th01:filter";
	snprintf(rest, sizeof(rest),
		 "\"child_id\":%u,\"child_class\":\"%s\",\"use_shell\":%s,"
		 "%s%s%s\"argv\":[%s]",
		 id, filters || !strcmp(one->kind, "lazy") ? "?" : one->kind,
		 filters ? "true" : "false", hooks ? "\"hook_name\":\"" : "",
		 hooks ? one->first : "", hooks ? "\"," : "", show_argv(one));
	tell_event(GIT, from, "child_start", rest);
	snprintf(rest, sizeof(rest),
		 "\"child_id\":%u,\"pid\":9,\"code\":0,\"t_rel\":%u.%06u", id,
		 (to - from) / 1000000, (to - from) % 1000000);
	tell_event(GIT, to, "child_exit", rest);
	story.thread = "main";
}

static void tell_region(const struct situation *one)
{
	char rest[128];
	unsigned i;

	snprintf(rest, sizeof(rest), REGION("%s", "%s"), one->first,
		 one->second);
	tell_event(GIT, 100, "region_enter", rest);
	for (i = 0; !strcmp(one->data, "children") && i < one->value; i++) {
		const struct situation inner = { .kind = "?",
						 .first = "git clone" };

		tell_child(&inner, i, 100, 101);
	}
	snprintf(rest, sizeof(rest), "\"t_rel\":3.9," REGION("%s", "%s"),
		 one->first, one->second);
	tell_event(GIT, 3900100, "region_leave", rest);
}

static void tell_span(const struct situation *one)
{
	const unsigned each = one->times ? 3900000 / one->times : 0;
	unsigned i;

	if (!strcmp(one->kind, "region"))
		tell_region(one);
	else
		for (i = 0; i < one->times; i++)
			tell_child(one, i, 100 + i * each,
				   100 + (i + 1) * each);
}

/* The words of `argv` are the options; one after -c is a setting. */
static void tell_begin(const struct situation *one)
{
	char rest[256];
	const bool sets = !strncmp(one->argv, "-c ", 3);

	snprintf(rest, sizeof(rest), "\"evt\":\"3\",\"exe\":\"%s\"", one->exe);
	tell_event(GIT, 0, "version", rest);
	snprintf(rest, sizeof(rest),
		 "\"t_abs\":0.0,\"argv\":[\"git\",%s\"%s\",\"%s\"]",
		 sets ? "\"-c\"," : "", sets ? one->argv + 3 : one->argv,
		 one->name);
	tell_event(GIT, 0, "start", rest);
	snprintf(rest, sizeof(rest), NAME("%s"), one->name);
	tell_event(GIT, 0, "cmd_name", rest);
}

static const char *judge_situation(const struct situation *one)
{
	static char ids[128];
	char rest[128];
	const struct tr2_row *row;
	uint32_t i;

	begin_story(TR2_BY_NOTHING);
	tell_begin(one);
	tell_span(one);
	snprintf(rest, sizeof(rest),
		 "\"category\":\"%s\",\"key\":\"%s\",\"value\":\"%u\"",
		 one->data, one->key, one->value);
	if (*one->key)
		tell_event(GIT, 3900200, "data", rest);
	tell_event(GIT, 4000000, "atexit", "\"t_abs\":4.0,\"code\":0");
	add_events();
	*ids = '\0';
	for (i = 0; i < story.forest.rows.rows.count; i++) {
		row = tr2_rows_at(&story.forest.rows, i);
		if (row->table == TR2_TABLE_PROOFS && row->sums.self > 1000000)
			snprintf(ids, sizeof(ids), "%s",
				 tr2_rows_text(&story.forest.rows, row->name[0],
					       NULL));
	}
	tr2_forest_release(&story.forest);
	return ids;
}

static void test_situations(void)
{
	size_t i;

	for (i = 0; i < sizeof(situations) / sizeof(situations[0]); i++)
		tap_str(judge_situation(&situations[i]), situations[i].want,
			situations[i].why);
}

/* What is written of each rule can be found again. */
static void test_find(void)
{
	tap_ok(tr2_advice_find("hook") && tr2_advice_find("many-processes") &&
		       !tr2_advice_find("hoo"),
	       "advice is found by its id");
}

int main(void)
{
	test_situations();
	test_find();
	return tap_done();
}
