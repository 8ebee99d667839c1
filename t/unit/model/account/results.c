/* What a forest adds up to: rows, quantiles, the slowest root. */
#include "model/account/share_kit.h"
#include "model/account/story_kit.h"

/* Add the events so far. What has ended does not go on. */
static void add_rested(void)
{
	add_events();
	tr2_buf_reset(&story.lines);
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

int main(void)
{
	test_memory();
	test_names();
	return tap_done();
}
