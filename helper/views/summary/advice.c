#include "views/summary/advice.h"

#include <string.h>

#include "lib/text/foreign.h"

/* So much of the wall time is worth a change, and so much time. */
#define SHARE_LEAST 20	 /* percent */
#define SELF_LEAST 50000 /* microseconds */

/*
 * A row with this share of the time is the proof; another row shows that the
 * setting is on already. A name that ends with `*` stands for all names
 * that begin like this.
 */
struct names {
	enum tr2_table table;
	const char *first, *second; /* NULL: none */
};

#define PARTIAL_CLONE                                                     \
	"git receives the whole history; 'git clone --filter=blob:none' " \
	"leaves old contents out until they are needed"

static bool can_partially_clone(const struct tr2_facts *facts)
{
	return !tr2_facts_chose(facts, TR2_CHOSE_SHALLOW) &&
	       !tr2_facts_chose(facts, TR2_CHOSE_SHALLOW_SINCE) &&
	       !tr2_facts_chose(facts, TR2_CHOSE_FILTER) &&
	       !tr2_facts_chose(facts, TR2_CHOSE_SPARSE);
}

/* Without locks the index, which has the cache, is not written. */
static bool can_cache_untracked(const struct tr2_facts *facts)
{
	return !tr2_facts_chose(facts, TR2_CHOSE_NO_LOCKS);
}

#define LOOKS_AT_FILES                          \
	"git looks at every file for changes; " \
	"'git config core.fsmonitor true' lets it ask a daemon"

#define SEARCHES_UNTRACKED                   \
	"git searches for untracked files; " \
	"'git config core.untrackedCache true' remembers directories"

/* The daemon writes regions of its own. */
#define UNLESS_MONITOR                  \
	.fits = tr2_facts_have_monitor, \
	.never = { TR2_TABLE_REGIONS, "fsm*", "*" }

/* So does the cache. */
#define UNLESS_CACHED                \
	.fits = can_cache_untracked, \
	.never = { TR2_TABLE_DATA, "read_directory", "node-creation" }

static const struct advice {
	struct names row;
	const char *text;
	struct names needs, never; /* other rows, that are there or not */
	/* Has it to fit what all processes have in common? */
	bool (*fits)(const struct tr2_facts *facts);
} advices[] = {
	{ .row = { TR2_TABLE_REGIONS, "index", "refresh" },
	  .text = LOOKS_AT_FILES,
	  UNLESS_MONITOR },
	{ .row = { TR2_TABLE_REGIONS, "index", "preload" },
	  .text = LOOKS_AT_FILES,
	  UNLESS_MONITOR },
	{ .row = { TR2_TABLE_REGIONS, "dir", "read_directory" },
	  .text = SEARCHES_UNTRACKED,
	  UNLESS_CACHED },
	{ .row = { TR2_TABLE_REGIONS, "status", "untracked" },
	  .text = SEARCHES_UNTRACKED,
	  UNLESS_CACHED },
	{ .row = { TR2_TABLE_REGIONS, "fetch-pack", "mark_*" },
	  .text = "git reads commits to compare refs; "
		  "'git commit-graph write --reachable' makes this fast" },
	{ .row = { TR2_TABLE_REGIONS, "fetch-pack", "negotiation*" },
	  .text = "negotiation takes long; 'git config fetch.negotiationAlgorithm "
		  "skipping' needs fewer rounds" },
	{ .row = { TR2_TABLE_CHILDREN, "*", "git maintenance" },
	  .text = "maintenance runs while you wait; 'git maintenance start' runs it "
		  "in the background" },
	{ .row = { TR2_TABLE_CHILDREN, "*", "git gc" },
	  .text = "garbage collection runs while you wait; 'git maintenance start' "
		  "runs it in the background" },
	{ .row = { TR2_TABLE_CHILDREN, "hook", "*" },
	  .text = "a hook takes this time; see .git/hooks or core.hooksPath" },
	{ .row = { TR2_TABLE_CHILDREN, "*", "git credential*" },
	  .text = "a credential helper takes this time; see credential.helper" },
	/* A clone with a filter fetches what it checks out. */
	{ .row = { TR2_TABLE_COMMANDS, "index-pack", "*" },
	  .text = PARTIAL_CLONE,
	  .needs = { TR2_TABLE_COMMANDS, "clone", "*" },
	  .never = { TR2_TABLE_CHILDREN, "*", "git fetch" },
	  .fits = can_partially_clone },
};

static bool fits_name(const char *wanted, const char *name)
{
	size_t len = strlen(wanted);

	if (wanted[len - 1] == '*')
		return !strncmp(wanted, name, len - 1);
	return !strcmp(wanted, name);
}

/* Returns the row that owns most of what fits. */
static const struct tr2_result_row *find_row(const struct tr2_result *result,
					     struct names names)
{
	const struct tr2_result_row *row;
	uint32_t i;

	for (i = 0; i < result->tables[names.table].count; i++) {
		row = tr2_result_at(result, names.table, i);
		if (fits_name(names.first, row->first) &&
		    fits_name(names.second, row->second))
			return row;
	}
	return NULL;
}

/* Is the setting off, and of use? */
static bool is_of_use(const struct tr2_result *result,
		      const struct advice *advice)
{
	if (advice->fits && !advice->fits(&result->forest->facts))
		return false;
	if (advice->needs.first && !find_row(result, advice->needs))
		return false;
	return !advice->never.first || !find_row(result, advice->never);
}

static void put_advice(struct tr2_buf *out, const struct advice *advice,
		       const struct tr2_result_row *row, int64_t percent)
{
	tr2_buf_str(out, "advice: ");
	tr2_buf_int(out, percent);
	tr2_buf_str(out, " % of the time is in ");
	tr2_foreign_line(out, row->first, strlen(row->first));
	if (*row->second) {
		tr2_buf_str(out, " / ");
		tr2_foreign_line(out, row->second, strlen(row->second));
	}
	tr2_buf_str(out, ": ");
	tr2_buf_str(out, advice->text);
	tr2_buf_byte(out, '\n');
}

void tr2_advice_put(struct tr2_buf *out, const struct tr2_result *result)
{
	const struct tr2_result_row *row;
	size_t i;
	int64_t self, percent, wall = tr2_result_wall(result);

	for (i = 0; i < sizeof(advices) / sizeof(advices[0]); i++) {
		row = find_row(result, advices[i].row);
		if (!row || wall <= 0 || !is_of_use(result, &advices[i]))
			continue;
		self = tr2_sums_self(&row->row->sums);
		percent = (int64_t)((double)self * 100.0 / (double)wall);
		if (percent >= SHARE_LEAST && self >= SELF_LEAST)
			put_advice(out, &advices[i], row, percent);
	}
}
