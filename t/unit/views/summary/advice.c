/* Which settings of git are advised, and what has to be proven for it. */
#include "views/summary/summary_kit.h"
#include "views/summary/advice.h"

#define MONITOR                                 \
	"git looks at every file for changes; " \
	"'git config core.fsmonitor true' lets it ask a daemon\n"
#define UNTRACKED                            \
	"git searches for untracked files; " \
	"'git config core.untrackedCache true' remembers directories\n"
#define GRAPH                                 \
	"git reads commits to compare refs; " \
	"'git commit-graph write --reachable' makes this fast\n"
#define SKIPPING                               \
	"negotiation takes long; 'git config " \
	"fetch.negotiationAlgorithm skipping' needs fewer rounds\n"
#define MAINTENANCE                                                 \
	"maintenance runs while you wait; 'git maintenance start' " \
	"runs it in the background\n"
#define GARBAGE                                                     \
	"garbage collection runs while you wait; 'git maintenance " \
	"start' runs it in the background\n"
#define HOOK "a hook takes this time; see .git/hooks or core.hooksPath\n"
#define CREDENTIALS \
	"a credential helper takes this time; see credential.helper\n"
#define PARTIAL                                                       \
	"git receives the whole history; 'git clone "                 \
	"--filter=blob:none' leaves old contents out until they are " \
	"needed\n"

/* Times are in milliseconds. */
static void begin_advice(int64_t wall)
{
	begin_rows();
	forest.counts.wall = wall * 1000;
	forest.facts = (struct tr2_facts){ .has_git = true, .oldest = 255 };
}

static void add_self(enum tr2_table table, const char *first,
		     const char *second, int64_t self)
{
	add_row(table, first, second, SUMS(.count = 1, .self = self * 1000));
}

static const char *end_advice(void)
{
	const char *text = write_rows(tr2_advice_put);

	end_rows();
	return text;
}

/* What is advised where one row has half of the time? */
static const char *advise_row(enum tr2_table table, const char *first,
			      const char *second)
{
	begin_advice(1000);
	add_self(table, first, second, 500);
	return end_advice();
}

#define HALF "advice: 50 % of the time is in "

static void test_regions(void)
{
	static const struct {
		const char *first, *second, *want;
	} rows[] = {
		{ "index", "refresh", HALF "index / refresh: " MONITOR },
		{ "index", "preload", HALF "index / preload: " MONITOR },
		{ "dir", "read_directory",
		  HALF "dir / read_directory: " UNTRACKED },
		{ "status", "untracked",
		  HALF "status / untracked: " UNTRACKED },
		{ "fetch-pack", "mark_complete_and_common_ref",
		  HALF "fetch-pack / mark_complete_and_common_ref: " GRAPH },
		{ "fetch-pack", "negotiation_v2",
		  HALF "fetch-pack / negotiation_v2: " SKIPPING },
		{ "index", "refreshed", "" },
		{ "index", "do_read_index", "" },
		{ "indexes", "refresh", "" },
		{ "fetch-pack", "mar", "" },
		{ "fetch-packs", "negotiation", "" },
		{ "status", "", "" },
	};
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(name, sizeof(name), "what is advised of %s / %s",
			 rows[i].first, rows[i].second);
		tap_str(advise_row(TR2_TABLE_REGIONS, rows[i].first,
				   rows[i].second),
			rows[i].want, name);
	}
}

static void test_children(void)
{
	static const struct {
		const char *first, *second, *want;
	} rows[] = {
		{ "git", "git maintenance",
		  HALF "git / git maintenance: " MAINTENANCE },
		{ "?", "git gc", HALF "? / git gc: " GARBAGE },
		{ "hook", "pre-push", HALF "hook / pre-push: " HOOK },
		{ "cred", "git credential-store",
		  HALF "cred / git credential-store: " CREDENTIALS },
		{ "hooks", "pre-push", "" },
		{ "git", "git fetch", "" },
		{ "git", "git gcc", "" },
	};
	char name[80];
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		snprintf(name, sizeof(name), "what is advised of %s: %s",
			 rows[i].first, rows[i].second);
		tap_str(advise_row(TR2_TABLE_CHILDREN, rows[i].first,
				   rows[i].second),
			rows[i].want, name);
	}
	tap_str(advise_row(TR2_TABLE_REGIONS, "hook", "pre-push"), "",
		"a region is no child");
	tap_str(advise_row(TR2_TABLE_CHILDREN, "index", "refresh"), "",
		"a child is no region");
}

static const char *advise_share(int64_t self, int64_t wall)
{
	begin_advice(wall);
	add_self(TR2_TABLE_REGIONS, "index", "refresh", self);
	return end_advice();
}

static void test_share(void)
{
	tap_str(advise_share(200, 1000),
		"advice: 20 % of the time is in index / refresh: " MONITOR,
		"a fifth of the time is worth a change");
	tap_str(advise_share(199, 1000), "", "less is not");
	tap_str(advise_share(1000, 1000),
		"advice: 100 % of the time is in index / refresh: " MONITOR,
		"it may be all time");
	tap_str(advise_share(299, 1000),
		"advice: 29 % of the time is in index / refresh: " MONITOR,
		"the share is not rounded up");
	tap_str(advise_share(INT64_MAX / 2000 + 1, INT64_MAX / 1000),
		"advice: 50 % of the time is in index / refresh: " MONITOR,
		"the time may be very long");
	tap_str(advise_share(50, 50),
		"advice: 100 % of the time is in index / refresh: " MONITOR,
		"50 ms are worth a change");
	tap_str(advise_share(49, 49), "", "less time is not");
	tap_str(advise_share(1, 0), "", "there is no share of nothing");
	tap_str(advise_share(0, 1), "", "no time is no share");
	tap_str(advise_share(-1, -1), "", "nor is less than nothing");
}

/* The monitor is on already where a region shows it. */
static void test_unless(void)
{
	static const struct {
		const char *category, *want;
	} rows[] = {
		{ "fsmonitor", "" },
		{ "fsm_client", "" },
		{ "fs", HALF "index / refresh: " MONITOR },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		begin_advice(1000);
		add_self(TR2_TABLE_REGIONS, "index", "refresh", 500);
		add_self(TR2_TABLE_REGIONS, rows[i].category, "query", 1);
		tap_str(end_advice(), rows[i].want,
			"a setting that is on is not advised");
	}
}

static void begin_clone(void)
{
	begin_advice(1000);
	add_self(TR2_TABLE_COMMANDS, "index-pack", "", 500);
}

static void test_clone(void)
{
	begin_clone();
	tap_str(end_advice(), "", "a fetch has to receive what is new");
	begin_clone();
	add_self(TR2_TABLE_COMMANDS, "clone", "", 1);
	tap_str(end_advice(),
		"advice: 50 % of the time is in index-pack: " PARTIAL,
		"a clone need not receive everything");
	begin_clone();
	add_self(TR2_TABLE_COMMANDS, "clone", "", 1);
	add_self(TR2_TABLE_CHILDREN, "?", "git fetch", 1);
	tap_str(end_advice(), "",
		"a clone that fetches what it checks out had a filter");
	begin_clone();
	add_self(TR2_TABLE_CHILDREN, "?", "clone", 1);
	tap_str(end_advice(), "", "a child of this name is no clone");
}

static void test_many(void)
{
	begin_advice(1000);
	add_self(TR2_TABLE_CHILDREN, "hook", "post-checkout", 210);
	add_self(TR2_TABLE_CHILDREN, "hook", "pre-push", 230);
	add_self(TR2_TABLE_REGIONS, "dir", "read_directory", 400);
	tap_str(end_advice(),
		"advice: 40 % of the time is in dir / read_directory: " UNTRACKED
		"advice: 23 % of the time is in hook / pre-push: " HOOK,
		"of rows that prove the same the costliest is named");
	begin_advice(1000);
	add_self(TR2_TABLE_CHILDREN, "hook", "a\nb\x1b", 300);
	tap_str(end_advice(),
		"advice: 30 % of the time is in hook / a?b?: " HOOK,
		"names can't break a line");
	begin_advice(1000);
	add_self(TR2_TABLE_CHILDREN, "hook", "", 300);
	tap_str(end_advice(), "advice: 30 % of the time is in hook: " HOOK,
		"an empty name is left out");
}

static void test_nothing(void)
{
	begin_advice(1000);
	tap_str(end_advice(), "", "without rows nothing is advised");
	begin_advice(1000);
	add_self(TR2_TABLE_REGIONS, "index", "refresh", 500);
	add_self(TR2_TABLE_CHILDREN, "git", "git gc", 500);
	limits.top = 1;
	tap_str(end_advice(),
		HALF "index / refresh: " MONITOR HALF "git / git gc: " GARBAGE,
		"rows that are not shown are a proof, too");
}

int main(void)
{
	test_regions();
	test_children();
	test_share();
	test_unless();
	test_clone();
	test_many();
	test_nothing();
	return tap_done();
}
