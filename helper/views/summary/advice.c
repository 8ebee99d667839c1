#include "views/summary/advice.h"

#include <string.h>

#include "lib/text/foreign.h"

#define SHARE_LEAST 20 /* percent of the wall time that are worth a change */

/*
 * A row with this share of the time is the proof; a row of `unless` shows that
 * the setting is on already. A name that ends with `*` stands for all names
 * that begin like this.
 */
struct names {
	enum tr2_table table;
	const char *first, *second; /* NULL: none */
};

#define PARTIAL_CLONE                                                     \
	"git receives the whole history; 'git clone --filter=blob:none' " \
	"leaves old contents out until they are needed"

#define ADVICE(table, first, second, unless, text)                         \
	{                                                                  \
		table, first, second, unless, text, { table, NULL, NULL }, \
		{                                                          \
			table, NULL, NULL                                  \
		}                                                          \
	}

static const struct advice {
	enum tr2_table table;
	const char *first, *second;
	const char *unless; /* a category of regions, or NULL */
	const char *text;
	struct names needs, never; /* other rows, that are there or not */
} advices[] = {
	ADVICE(TR2_TABLE_REGIONS, "index", "refresh", "fsm*",
	       "git looks at every file for changes; "
	       "'git config core.fsmonitor true' lets it ask a daemon"),
	ADVICE(TR2_TABLE_REGIONS, "index", "preload", "fsm*",
	       "git looks at every file for changes; "
	       "'git config core.fsmonitor true' lets it ask a daemon"),
	ADVICE(TR2_TABLE_REGIONS, "dir", "read_directory", NULL,
	       "git searches for untracked files; "
	       "'git config core.untrackedCache true' remembers directories"),
	ADVICE(TR2_TABLE_REGIONS, "status", "untracked", NULL,
	       "git searches for untracked files; "
	       "'git config core.untrackedCache true' remembers directories"),
	ADVICE(TR2_TABLE_REGIONS, "fetch-pack", "mark_*", NULL,
	       "git reads commits to compare refs; "
	       "'git commit-graph write --reachable' makes this fast"),
	ADVICE(TR2_TABLE_REGIONS, "fetch-pack", "negotiation*", NULL,
	       "negotiation takes long; 'git config fetch.negotiationAlgorithm "
	       "skipping' needs fewer rounds"),
	ADVICE(TR2_TABLE_CHILDREN, "*", "git maintenance", NULL,
	       "maintenance runs while you wait; 'git maintenance start' runs it "
	       "in the background"),
	ADVICE(TR2_TABLE_CHILDREN, "*", "git gc", NULL,
	       "garbage collection runs while you wait; 'git maintenance start' "
	       "runs it in the background"),
	ADVICE(TR2_TABLE_CHILDREN, "hook", "*", NULL,
	       "a hook takes this time; see .git/hooks or core.hooksPath"),
	ADVICE(TR2_TABLE_CHILDREN, "*", "git credential*", NULL,
	       "a credential helper takes this time; see credential.helper"),
	/* A clone with a filter fetches what it checks out. */
	{ TR2_TABLE_COMMANDS,
	  "index-pack",
	  "*",
	  NULL,
	  PARTIAL_CLONE,
	  { TR2_TABLE_COMMANDS, "clone", "*" },
	  { TR2_TABLE_CHILDREN, "*", "git fetch" } },
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

static bool has_category(const struct tr2_result *result, const char *category)
{
	return find_row(result,
			(struct names){ TR2_TABLE_REGIONS, category, "*" });
}

/* Is the setting off, and of use? */
static bool is_of_use(const struct tr2_result *result,
		      const struct advice *advice)
{
	if (advice->unless && has_category(result, advice->unless))
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
	int64_t percent, wall = tr2_result_wall(result);

	for (i = 0; i < sizeof(advices) / sizeof(advices[0]); i++) {
		row = find_row(result, (struct names){ advices[i].table,
						       advices[i].first,
						       advices[i].second });
		if (!row || wall <= 0 || !is_of_use(result, &advices[i]))
			continue;
		percent = (int64_t)((double)tr2_sums_self(&row->row->sums) *
				    100.0 / (double)wall);
		if (percent >= SHARE_LEAST)
			put_advice(out, &advices[i], row, percent);
	}
}
