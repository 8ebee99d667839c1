/* Programs that took a process over, and children that never ran. */
#include "model/account/story_kit.h"

#define EXEC "\"exec_id\":0,\"argv\":[\"x\"]"

/* A process that executes a program at 200. */
static void begin_exec(const char *sid)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(sid, 100, "start", START("\"p\""));
	tell_event(sid, 200, "exec", EXEC);
}

static void test_time(const char *sid)
{
	char executed[160];

	snprintf(executed, sizeof(executed), "%s/" SID("01"), sid);
	begin_exec(sid);
	tell_event(executed, 210, "start", START("\"y\""));
	tell_event(executed, 220, "region_enter", REGION("c", "r"));
	tell_event(executed, 240, "region_leave", REL("020") REGION("c", "r"));
	tell_event(executed, 500, "atexit", END("290", "0"));
	tap_rows(keep_lines(end_story(), "c"),
		 "commands p: count 1 total 400 self 100\n"
		 "commands y: count 1 total 290 self 270\n"
		 "children exec/x: count 1 total 300 self 10\n",
		 "an executed program has its time until its end");
	tap_rows(keep_lines(story.tables.bytes, "slowest"),
		 "slowest: p > x > y\n", "and its regions are inside");
	begin_exec(sid);
	tell_event(sid, 260, "cmd_mode", NAME(""));
	tell_event(executed, 210, "start", START("\"y\""));
	tell_event(executed, 250, "atexit", END("040", "0"));
	tap_ok(strstr(end_story(), "commands p: count 1 total 160 ") != NULL,
	       "no process ends before its last event");
}

int main(void)
{
	test_time(GIT);
	test_time("x/" GIT);
	return tap_done();
}
