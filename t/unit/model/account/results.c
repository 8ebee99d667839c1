/* What a forest adds up to: rows, quantiles, the slowest root. */
#include "model/account/share_kit.h"
#include "model/account/story_kit.h"

static const struct tr2_row *find_row(enum tr2_table table)
{
	uint32_t i;

	for (i = 0; i < story.forest.rows.rows.count; i++)
		if (tr2_rows_at(&story.forest.rows, i)->table == table &&
		    tr2_rows_at(&story.forest.rows, i)->sums.count)
			return tr2_rows_at(&story.forest.rows, i);
	return NULL;
}

/* Lengths of 0, 1 and 90: the least, the middle and the largest. */
static const char *show_quantiles(enum tr2_table table)
{
	static char text[64];
	const struct tr2_row *row = find_row(table);

	if (!row)
		return "none";
	snprintf(text, sizeof(text), "%d: %d %d %d", (int)row->sketch.count,
		 (int)tr2_sketch_quantile(&row->sketch, 1),
		 (int)tr2_sketch_quantile(&row->sketch, 50),
		 (int)tr2_sketch_quantile(&row->sketch, 100));
	return text;
}

static void tell_region(const char *sid, unsigned from, unsigned to)
{
	tell_event(sid, from, "region_enter", REGION("c", "r"));
	tell_event(sid, to, "region_leave", REGION("c", "r"));
}

static void test_quantiles(void)
{
	begin_story(TR2_BY_NOTHING);
	story.forest.percentiles = true;
	tell_life(SID("02"), 100, 100, "p");
	tell_life(SID("03"), 100, 101, "p");
	tell_event(GIT, 100, "start", START("\"p\""));
	tell_region(GIT, 100, 190);
	tell_region(GIT, 190, 190);
	tell_region(GIT, 190, 191);
	tell_event(GIT, 190, "atexit", END("090", "0"));
	add_events();
	tap_str(show_quantiles(TR2_TABLE_REGIONS), "3: 0 1 90",
		"quantiles are those of the lengths of regions");
	tap_str(show_quantiles(TR2_TABLE_COMMANDS), "3: 0 1 90",
		"and of the lives of processes");
	tr2_forest_release(&story.forest);
}

static char taken[256];

static void take_process(void *taker, const struct tr2_forest *forest,
			 const struct tr2_resolved *process)
{
	const size_t len = strlen(taken);

	snprintf(taken + len, sizeof(taken) - len, "%s%s %d; ",
		 taker == taken ? "" : "?",
		 tr2_rows_text(&forest->rows, process->command, NULL),
		 (int)process->wall);
}

static void test_taker(void)
{
	begin_story(TR2_BY_NOTHING);
	story.forest.take = take_process;
	story.forest.taker = taken;
	tell_life(SID("01"), 100, 150, "ended");
	tell_event(SID("02"), 100, "start", START("\"open\""));
	tell_event(SID("03"), 100, "start", START("\"executed\""));
	tell_event(SID("03"), 120, "exec", "\"exec_id\":0,\"argv\":[\"x\"]");
	end_story();
	tap_str(taken, "ended 50; open 0; executed 20; ",
		"each process is taken");
	*taken = '\0';
	begin_story(TR2_BY_NOTHING);
	story.forest.filter.command = "other";
	story.forest.take = take_process;
	story.forest.taker = taken;
	tell_life(SID("01"), 100, 150, "ended");
	end_story();
	tap_str(taken, "", "unless it does not count");
}

/* Add the events so far. What has ended does not go on. */
static void add_rested(void)
{
	add_events();
	tr2_buf_reset(&story.lines);
}

/* One that became longer and longer, and back. */
static void test_chains(void)
{
	char sid[64];
	unsigned i, length;

	begin_story(TR2_BY_NOTHING);
	for (i = 0; i < 100; i++) {
		snprintf(sid, sizeof(sid), "s%u", i);
		length = i < 50 ? i : 100 - i;
		tell_event(sid, 100, "start", START("\"p\""));
		tell_event(sid, 110, "region_enter", REGION("c", "outer"));
		tell_region(sid, 120, 130 + length);
		tell_event(sid, 140 + length, "region_leave",
			   REGION("c", "outer"));
		tell_event(sid, 150 + length, "atexit", "\"code\":0");
		add_rested();
	}
	tap_int(story.forest.slowest.chain.count, 2,
		"only the chain of the slowest root is kept");
	tap_int(story.forest.slowest.wall, 100, "which is the longest");
	tr2_forest_release(&story.forest);
}

static void tell_inside(void)
{
	tell_event(CHILD, 111, "start", START("\"y\""));
	tell_region(CHILD, 112, 116);
	tell_event(CHILD, 118, "atexit", END("007", "0"));
}

static void test_links(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 101, "region_enter", REGION("c", "short"));
	tell_event(GIT, 105, "region_leave", REGION("c", "short"));
	tell_span(GIT, 0, 110, 120, 2);
	tell_event(GIT, 130, "region_enter", REGION("c", "short"));
	tell_event(GIT, 139, "region_leave", REGION("c", "short"));
	end_git(200, END("100", "0"));
	tell_inside();
	tap_rows(keep_lines(end_story(), "slowest"), "slowest: git status\n",
		 "the chain of a child is that of its process");
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_span(GIT, 0, 110, 120, 2);
	tell_event(GIT, 130, "region_enter", REGION("c", "long"));
	tell_event(GIT, 170, "region_leave", REGION("c", "long"));
	end_git(200, END("100", "0"));
	tell_inside();
	tap_rows(keep_lines(end_story(), "slowest"),
		 "slowest: git status > long\n",
		 "a longer span has nothing of that child inside");
}

/* Its own place among the children is the second. */
static void test_second_child(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	begin_span(GIT, 0, 110);
	tell_span(GIT, 1, 120, 180, 3);
	end_span(GIT, 0, 110, 190, 2);
	end_git(200, END("100", "0"));
	tell_event(OTHER, 121, "start", START("\"y\""));
	tell_region(OTHER, 122, 146);
	tell_event(OTHER, 178, "atexit", END("057", "0"));
	tap_rows(keep_lines(end_story(), "slowest"),
		 "slowest: git status > s1 > y > r\n",
		 "a child inside another one has the chain of its process");
}

/* Many families, in which the child has its log first, or the parent. */
static void test_memory(void)
{
	char sid[64], child[160];
	unsigned i, turn;

	begin_story(TR2_BY_NOTHING);
	for (i = 0; i < 200; i++) {
		snprintf(sid, sizeof(sid),
			 "20260114T100000.000000Z-Hc4f2e1a9-P0001%04x", i);
		snprintf(child, sizeof(child),
			 "%s/20260114T100000.000100Z-Hc4f2e1a9-P0002%04x", sid,
			 i);
		for (turn = 0; turn < 2; turn++) {
			if (turn == i % 2) {
				tell_life(child, 120, 130, "y");
				continue;
			}
			tell_event(sid, 100, "start", START("\"p\""));
			tell_span(sid, 0, 110, 140, 0x20000 + i);
			tell_event(sid, 150, "atexit", END("050", "0"));
		}
		add_rested();
	}
	tap_int((intmax_t)story.forest.counts.processes, 400,
		"all members of many families count");
	tap_ok(!story.forest.ended.items && !story.forest.segments.items,
	       "what is kept of those that ended is freed in the end");
	tr2_forest_release(&story.forest);
}

/* What has the same name is one row. */
static void test_names(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_life(SID("01"), 0, 10, "a/bc");
	tell_life(SID("02"), 0, 10, "bc");
	tell_life(SID("03"), 0, 10, "git\",\"log");
	tell_life(SID("04"), 0, 10, "/usr/bin/git\",\"--no-pager\",\"log");
	tell_life(SID("05"), 0, 10,
		  "git\",\"-C\",\"a/much/longer/word\",\"log");
	tap_rows(keep_lines(end_story(), "commands"),
		 "commands bc: count 2 total 20 self 20 10..10\n"
		 "commands git log: count 3 total 30 self 30 10..10\n",
		 "a command is the same with its directory and options");
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 110, "child_start",
		   "\"child_id\":0,\"child_class\":\"hook\","
		   "\"hook_name\":\"pre-commit\",\"argv\":[\"sh\"]");
	tell_event(GIT, 120, "child_exit",
		   REL("010") CHILD_EXIT("0", "-1", "0"));
	tell_event(GIT, 120, "child_start",
		   "\"child_id\":0,\"child_class\":\"exec\",\"argv\":[\"b\"]");
	tell_event(GIT, 130, "child_exit",
		   REL("010") CHILD_EXIT("0", "-1", "0"));
	tell_event(GIT, 130, "exec", "\"exec_id\":0,\"argv\":[\"b\"]");
	tell_event(GIT, 140, "exec_result", "\"exec_id\":0,\"code\":2");
	end_git(200, END("100", "0"));
	tap_rows(
		keep_lines(end_story(), "children"),
		"children hook/pre-commit: count 1 total 10 self 10\n"
		"children exec/b: count 2 failed 1 total 20 self 20 10..10\n",
		"a hook is called after its name, and execs after their class");
}

static void test_none(void)
{
	begin_story(TR2_BY_MODE);
	tell_event(GIT, 100, "cmd_mode", NAME("(none)"));
	tell_event(GIT, 110, "atexit", "\"code\":0");
	tell_life(SID("02"), 100, 110, "p");
	tap_rows(keep_lines(end_story(), "groups"),
		 "groups (none): count 2 total 20 self 20 10..10\n",
		 "a mode that is called (none) is the same as none");
}

/* Who called a child is its parent. */
static void test_callers(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_event(GIT, 105, "cmd_ancestry", "\"ancestry\":[\"sh\"]");
	tell_span(GIT, 0, 110, 190, 2);
	end_git(200, END("100", "0"));
	tell_event(CHILD, 111, "start", START("\"y\""));
	tell_event(CHILD, 112, "cmd_ancestry", "\"ancestry\":[\"git\"]");
	tell_event(CHILD, 118, "atexit", END("007", "0"));
	tap_rows(keep_lines(end_story(), "callers"),
		 "callers sh: count 1 total 100 self 20\n",
		 "only roots have callers");
	begin_story(TR2_BY_CALLER);
	tell_event(GIT, 100, "cmd_ancestry", "\"ancestry\":[\"sh\"]");
	tell_event(SID("02"), 100, "cmd_ancestry", "\"ancestrx\":[\"no\"]");
	tap_rows(keep_lines(end_story(), "groups"),
		 "groups sh: count 1\ngroups (none): count 1\n",
		 "no other list is the ancestry");
}

/* The log of a child is longer than its span, and tells no time. */
static void test_brief(void)
{
	begin_story(TR2_BY_NOTHING);
	begin_git(100);
	tell_span(GIT, 0, 110, 150, 2);
	tell_span(GIT, 1, 160, 190, 3);
	end_git(200, END("100", "0"));
	tell_briefly(CHILD, "start", START("\"y\""));
	tell_briefly(CHILD, "atexit", END("070", "0"));
	tap_rows(keep_lines(end_story(), "c"),
		 "commands git status: count 1 total 100 self 30\n"
		 "commands y: count 1 total 70 self 40\n"
		 "children ?/s0: count 1 total 40\n"
		 "children ?/s1: count 1 total 30 self 30\n",
		 "a brief child has no more than its span");
}

int main(void)
{
	test_quantiles();
	test_taker();
	test_chains();
	test_links();
	test_second_child();
	test_memory();
	test_names();
	test_none();
	test_callers();
	test_brief();
	return tap_done();
}
