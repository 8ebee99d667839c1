#include "model/totals/phase.h"

#include "phase_rows.h"

#define PHASE_NAME(phase, name) name,

const char *const tr2_phase_names[] = { TR2_PHASE_ROWS(PHASE_NAME) };

/*
 * The regions, children and commands of git 2.22 to 2.55. NULL stands for any
 * name, and a name that ends with `*` for all names that begin like this. The
 * first row that fits counts.
 */
#define PHASE_ROW(table, first, second, phase) \
	{ TR2_TABLE_##table, first, second, TR2_PHASE_##phase },

static const struct phase_row {
	enum tr2_table table;
	const char *first, *second;
	enum tr2_phase phase;
} phase_rows[] = { PHASE_ROWS(PHASE_ROW) };

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
	if (phase != TR2_PHASE_CHECKOUT)
		return phase;
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
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
