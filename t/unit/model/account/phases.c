/* The phases of git's work: of a region, or of the one around it. */
#include "model/account/story_kit.h"

/* A region of this category, and in it one without a phase, to its end. */
static void tell_pair(const char *sid, const char *outer, unsigned from,
		      unsigned to)
{
	char leave[128];
	const int us = (int)(to - from);

	tell_event(sid, from, "region_enter", outer);
	tell_event(sid, from, "region_enter", REGION("c", "r"));
	snprintf(leave, sizeof(leave), "\"t_rel\":0.%06d," REGION("c", "r"),
		 us);
	tell_event(sid, to, "region_leave", leave);
	snprintf(leave, sizeof(leave), "\"t_rel\":0.%06d,%s", us, outer);
	tell_event(sid, to, "region_leave", leave);
}

static void test_neighbours(const char *sid)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(sid, 100, "start", START("\"p\""));
	tell_pair(sid, REGION("dir", "d"), 110, 120);
	tell_pair(sid, REGION("index", "i"), 120, 140);
	tell_event(sid, 200, "atexit", END("100", "0"));
	tap_rows(keep_lines(end_story(), "phases"),
		 "phases other: self 70\n"
		 "phases read and write the index: self 20\n"
		 "phases look at the worktree: self 10\n",
		 "a region has the phase of the one that it is in");
	tap_rows(keep_lines(story.tables.bytes, "regions c"),
		 "regions c/r: count 2 threads 1 total 30 self 30 10..20\n",
		 "wherever it is, it is one row");
}

static void test_own(const char *sid)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(sid, 100, "start", START("\"p\""));
	tell_event(sid, 110, "region_enter", REGION("dir", "d"));
	tell_event(sid, 120, "region_enter", REGION("index", "i"));
	tell_event(sid, 130, "region_leave", REL("010") REGION("index", "i"));
	tell_event(sid, 140, "region_leave", REL("030") REGION("dir", "d"));
	tell_event(sid, 200, "atexit", END("100", "0"));
	tap_rows(keep_lines(end_story(), "phases"),
		 "phases other: self 70\n"
		 "phases read and write the index: self 10\n"
		 "phases look at the worktree: self 20\n",
		 "a phase of its own comes before it");
}

int main(void)
{
	test_neighbours(GIT);
	test_neighbours("x/" GIT);
	test_own(GIT);
	test_own("x/" GIT);
	return tap_done();
}
