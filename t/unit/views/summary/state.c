/* Everything that a summary knows as text, and back. */
#include "views/summary/state_kit.h"

#define ALL_OPTIONS "trace2-summary\t2\thour\t1\tst\\tatus\t-5\t6\n"

static void test_options(void)
{
	begin_rows();
	forest.by = TR2_BY_HOUR;
	forest.percentiles = true;
	forest.filter = (struct tr2_filter){ "st\tatus", -5, 6 };
	tap_str(show_state(), ALL_OPTIONS NO_COUNTS "end\n",
		"a state has the options of its summary");
	end_rows();
	begin_rows();
	merge_state(ALL_OPTIONS NO_COUNTS "end\n");
	tap_ok(forest.merged && forest.by == TR2_BY_HOUR &&
		       forest.percentiles && forest.filter.since == -5 &&
		       forest.filter.slower_than == 6 &&
		       !strcmp(forest.filter.command, "st\tatus"),
	       "the first state sets the options");
	tap_str(merge_state(ALL_OPTIONS NO_COUNTS "end\n"), NULL,
		"another one may have the same");
	end_rows();
	begin_rows();
	merge_state(OPTIONS NO_COUNTS "end\n");
	tap_ok(!forest.filter.command, "no command means any");
	tap_str(merge_state(OPTIONS NO_COUNTS "end\n"), NULL,
		"which another one may mean, too");
	end_rows();
}

static void test_other_options(void)
{
	static const char *const others[] = {
		"trace2-summary\t2\tmode\t1\tstatus\t5\t6\n",
		"trace2-summary\t2\thour\t0\tstatus\t5\t6\n",
		"trace2-summary\t2\thour\t1\t\t5\t6\n",
		"trace2-summary\t2\thour\t1\tfetch\t5\t6\n",
		"trace2-summary\t2\thour\t1\tstatus\t4\t6\n",
		"trace2-summary\t2\thour\t1\tstatus\t5\t0\n",
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		begin_rows();
		merge_state("trace2-summary\t2\thour\t1\tstatus\t5\t6\nend\n");
		tap_str(merge_state(others[i]),
			"this state was made with other options than the "
			"first one",
			"other options can't be added");
		end_rows();
	}
}

#define MOST "9223372036854775807"

/* As those of rows do; only a damaged state has such counts. */
static void test_wrap(void)
{
	static const char state[] = OPTIONS
		"counts\t" MOST "\t0\t0\t0\t0\t0\t0\t0\t0\t" MOST "\nend\n";

	begin_rows();
	merge_state(state);
	tap_str(merge_state(state), NULL, "counts may be too large");
	tap_ok(forest.counts.processes == UINT64_MAX - 1 &&
		       forest.counts.wall == -2 && forest.counts.wall_over == 1,
	       "then they wrap around, and the wall time knows how often");
	forest.counts.processes = 0;
	tap_str(show_state(),
		OPTIONS "counts\t0\t0\t0\t0\t0\t0\t0\t0\t0\t-2\t1\nend\n",
		"which its state keeps");
	merge_state(OPTIONS "counts\t0\t0\t0\t0\t0\t0\t0\t0\t0\t3\t4\nend\n");
	tap_ok(forest.counts.wall == 1 && forest.counts.wall_over == 5,
	       "and another one gets");
	end_rows();
	tap_str(find_wrong(OPTIONS "counts\t0\t0\t0\t0\t0\t0\t0\t0\t0\t3\tx\n"),
		"2: expected a record of a state",
		"how often it did is a number");
}

#define WIDE "row\tdata\ta\tb\t1\t0\t0\t-2\t5\t0\t0\t0\t0\t"

static void test_wide_row(void)
{
	const struct tr2_row *row;

	begin_rows();
	tap_str(merge_state(OPTIONS NO_COUNTS WIDE "\t1\t-3\nend\n"), NULL,
		"a row may have sums that wrapped around");
	row = tr2_rows_at(&forest.rows, 0);
	tap_ok(row->sums.total_over == 1 && row->sums.self_over == -3,
	       "and knows how often each did");
	tap_str(show_state(), OPTIONS NO_COUNTS WIDE "\t1\t-3\nend\n",
		"its state has it, too");
	end_rows();
	begin_rows();
	add_row(TR2_TABLE_DATA, "a", "b", SUMS(.count = 1, .self_over = 1));
	tap_ok(strstr(show_state(), "\t\t0\t1\nend\n") != NULL,
	       "also if it is but one of both");
	end_rows();
	tap_str(find_wrong(OPTIONS WIDE "\t1\n"),
		"2: expected a record of a state", "none is missing");
	tap_str(find_wrong(OPTIONS WIDE "\t1\tx\n"),
		"2: expected a record of a state", "both are numbers");
}

#define ROW "row\tdata\tin\\\\dex\ten\\ttries\t3\t4\t5\t-6\t7\t-8\t9\t10\t11\t"

static void test_sum(void)
{
	begin_rows();
	merge_state(OPTIONS NO_COUNTS ROW "5:2,317:1,\nend\n");
	merge_state(OPTIONS NO_COUNTS
		    "row\tdata\tin\\\\dex\ten\\ttries\t1\t2\t3\t4\t5\t-9\t-9"
		    "\t-9\t12\t5:1,7:1,\n"
		    "row\tregions\tin\\\\dex\ten\\ttries\t1\t0\t1\t4\t5\t4\t4"
		    "\t0\t0\t4:1,\nend\n");
	tap_str(show_state(),
		OPTIONS NO_COUNTS
		"row\tregions\tin\\\\dex\ten\\ttries\t1\t0\t1\t4\t5\t4\t4"
		"\t0\t0\t4:1,\n"
		"row\tdata\tin\\\\dex\ten\\ttries\t4\t6\t8\t-2\t12\t-9\t9"
		"\t-9\t12\t5:3,7:1,317:1,\nend\n",
		"rows with the same table and names add up");
	end_rows();
}

static void test_wrong(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "", "0: the state is not complete" },
		{ OPTIONS, "1: the state is not complete" },
		{ OPTIONS NO_COUNTS "end", "3: nothing" },
		{ OPTIONS "end\n", "2: nothing" },
		{ OPTIONS "end\n\n",
		  "2: expected nothing after the end of the state" },
		{ OPTIONS "ends\n", "2: expected a record of a state" },
		{ OPTIONS "\nend\n", "2: expected a record of a state" },
		{ OPTIONS OPTIONS, "2: expected a record of a state" },
		{ OPTIONS "chain\tregions\ta\tb\t1\nend\n",
		  "2: expected a record of a state" },
		{ OPTIONS NO_COUNTS "rows\nend\n",
		  "3: expected a record of a state" },
		{ OPTIONS "counts\t0\t0\t0\t0\t0\t0\t0\t0\t0\nend\n",
		  "2: expected a record of a state" },
		{ OPTIONS "counts\t0\t0\t0\t0\t0\t0\t0\t0\tx\t0\nend\n",
		  "2: expected a record of a state" },
	};
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tap_str(find_wrong(rows[i].text), rows[i].want,
			i ? rows[i].want : "0: an empty text is no state");
}

static void test_wrong_options(void)
{
	static const char *const foreign[] = {
		"end\n",
		"trace2-summary\n",
		"trace2-summary\t3\tnothing\t0\t\t0\t0\nend\n",
		"trace2-summary\t0\tnothing\t0\t\t0\t0\nend\n",
		"trace2-summary\tx\tnothing\t0\t\t0\t0\nend\n",
		"trace2-diff\t1\tnothing\t0\t\t0\t0\nend\n",
		"trace2-summary\t2\tnothing\t0\t\t0\nend\n",
		"trace2-summary\t2\tnothing\t0\t\t0\t0\t0\nend\n",
	};
	static const char *const wrong[] = {
		"trace2-summary\t2\t\t0\t\t0\t0\nend\n",
		"trace2-summary\t2\tday\t0\t\t0\t0\nend\n",
		"trace2-summary\t2\tnothing\tx\t\t0\t0\nend\n",
		"trace2-summary\t2\tnothing\t0\t\tx\t0\nend\n",
		"trace2-summary\t2\tnothing\t0\t\t0\tx\nend\n",
	};
	size_t i;

	for (i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
		tap_str(find_wrong(foreign[i]),
			"1: this is no state of 'trace2 summary' that this "
			"version can read",
			"a text of another kind or version is no state");
	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		tap_str(find_wrong(wrong[i]),
			"1: expected the options of the summary",
			"each option has to be there");
}

#define SUMS_OF_ROW "\t1\t0\t0\t0\t0\t0\t0\t0\t0\t"

static void test_wrong_rows(void)
{
	static const char *const records[] = {
		"row\n",
		"row\tdata\ta\n",
		"row\tdates\ta\tb" SUMS_OF_ROW,
		"row\t\ta\tb" SUMS_OF_ROW,
		"row\tdata\ta\tb" SUMS_OF_ROW "\t",
		"row\tdata\ta\tb\t1\t0\t0\t0\t0\t0\t0\t0\t0",
		"row\tdata\ta\tb\t1\t0\t0\t0\t0\t0\t0\t0\tx\t",
		"row\tdata\ta\tb\tx\t0\t0\t0\t0\t0\t0\t0\t0\t",
		"row\tdata\ta\tb" SUMS_OF_ROW "5",
	};
	char state[256];
	size_t i;

	for (i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		snprintf(state, sizeof(state), "%s%s\nend\n", OPTIONS,
			 records[i]);
		tap_str(find_wrong(state), "2: expected a record of a state",
			"a row has all its fields, and no more");
	}
}

#define RAN "ran\t/r\tadd\tci\tindex.lock\t"

static void test_commands(void)
{
	static const char state[] = OPTIONS NO_COUNTS
		"commands\t3\t7\t1\n" RAN "63957981600000000:5,1:6,\nend\n";
	static const char *const records[] = {
		"commands\t3\t7\n",
		"commands\t3\tx\t0\n",
		"ran\t/r\tadd\tci\t\n",
		RAN "1:2\n",
		RAN "1:,\n",
		RAN "1,2:3,\n",
		RAN "1:2,\tx\n",
		RAN "-1:2,\n",
	};
	char text[256];
	size_t i;

	begin_rows();
	tap_str(merge_state(state), NULL, "a state tells what ran when");
	tr2_notes_end(&forest.notes);
	tap_str(show_state(), state, "which goes into the sum");
	tap_str(merge_state(OPTIONS "commands\t1\t9223372036854775807\t0\n"
				    "end\n"),
		NULL, "another state may have been cut");
	tap_ok(!forest.notes.list.count && forest.notes.seen == 4,
	       "what it left out is left out of the sum");
	end_rows();
	for (i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		snprintf(text, sizeof(text), "%s%send\n", OPTIONS, records[i]);
		tap_str(find_wrong(text), "2: expected a record of a state",
			"a damaged line of commands is refused");
	}
}

static void test_older(void)
{
	begin_rows();
	tap_str(merge_state("trace2-summary\t1\tnothing\t0\t\t0\t0\n" NO_COUNTS
			    "end\n"),
		NULL, "a state of the first version can be read");
	tap_str(show_state(), OPTIONS NO_COUNTS "commands\t0\t0\t1\nend\n",
		"and the sum knows that it did not tell what ran when");
	end_rows();
}

int main(void)
{
	tap_run(test_options, test_other_options, test_wrap, test_wide_row,
		test_sum, test_wrong, test_wrong_options, test_wrong_rows,
		test_commands, test_older);
	return tap_done();
}
