/* The way of an event: mutes, lost lines, ends, and the list of rules. */
#include "rules/stream/stream_kit.h"

#include "read/glance.h"

#define UNMATCHED "stream.child.exit-unmatched: no child_start has this id\n"
#define ENDS \
	"stream.unfinished: the log of the process ends here, without atexit\n"
#define TORN(sid) "?{\"event\":\"error\",\"sid\":\"" sid "\",\"x\n"

static const struct story_row mutes[] = {
	{ "an event has one finding",
	  BEGIN "exit t_abs=5 code=1\nerror\natexit t_abs=4 code=2\n",
	  "5 4 stream.time.t_abs: t_abs goes back by 1000000 us\n" },
	{ "one that has one already has no other, and is followed",
	  BEGIN "!child_start child_id=3\n!child_exit child_id=4\n"
		"child_exit child_id=3\nchild_exit child_id=4\n",
	  "6 4 " UNMATCHED },
	{ "after a broken event nothing is missing",
	  BEGIN "~error\nchild_exit child_id=4\n", "" },
	{ "it may have something too many", BEGIN "~error\nexit\nexit\n",
	  "5 \"exit\" stream.exit.once: a second exit of the process\n" },
	{ "infos don't mute",
	  BEGIN "child_start child_id=0\nthread_start thread=t\n"
		"region_enter thread=t\nexit\natexit\n",
	  "7 \"atexit\" stream.child.unfinished: child 0 of line 3 has no "
	  "child_exit\n"
	  "7 \"atexit\" stream.region.unfinished: the region of line 5 has no "
	  "region_leave\n"
	  "7 \"atexit\" stream.thread.unfinished: the thread of line 4 has no "
	  "thread_exit\n" },
	{ "a finding about a missing key marks the event",
	  BEGIN "region_enter repo=0\nregion_leave\n",
	  "4 \"region_leave\" stream.region.leave-match: not the repo of the "
	  "innermost region, which line 3 entered\n" },
};

static const struct story_row losses[] = {
	{ "a line of nobody's is missing to all open processes",
	  BEGIN "version sid=b\nstart sid=b\n?\nchild_exit child_id=0\n"
		"child_exit sid=b child_id=0\n",
	  "" },
	{ "and to those that begin later in this log, but in no other one",
	  "?\n" BEGIN "child_exit child_id=0\n---\nversion sid=b\nstart sid=b\n"
	  "child_exit sid=b child_id=0\n",
	  "3 0 " UNMATCHED },
	{ "a text of nobody's is one, too", BEGIN "?x\nchild_exit child_id=0\n",
	  "" },
	{ "a line of a process is missing to this one",
	  BEGIN "version sid=b\nstart sid=b\n" TORN(
		  "b") "child_exit child_id=0\nchild_exit sid=b child_id=0\n",
	  "6 0 " UNMATCHED },
	{ "even before its first event, once",
	  TORN("b") "version sid=b\nstart sid=b\nchild_exit sid=b child_id=0\n"
		    "exit sid=b\natexit sid=b\nversion sid=b\nstart sid=b\n"
		    "child_exit sid=b child_id=0\n",
	  "7 \"version\" stream.version.once: a second version under this SID, "
	  "which occurs first in line 2\n"
	  "9 0 " UNMATCHED },
	{ "but not after its last",
	  "version sid=b\nstart sid=b\nexit sid=b\natexit sid=b\n" TORN(
		  "b") "version sid=b\nstart sid=b\nchild_exit sid=b child_id=0\n",
	  "6 \"version\" stream.version.once: a second version under this SID, "
	  "which occurs first in line 1\n"
	  "8 0 " UNMATCHED },
};

/* What is told at the end of such a log. */
static const struct story_row ends[] = {
	{ "a process that goes on is open", BEGIN "error\n.\n", "log:3 " ENDS },
	{ "one that has ended is not", BEGIN "exit\natexit\n.\n", "" },
	{ "nor one that a signal ended", BEGIN "signal\n.\n", "" },
	{ "nor one that began another program", BEGIN "exec\n.\n", "" },
	{ "unless that failed",
	  BEGIN "exec exec_id=0\nexec_result exec_id=0\n.\n", "log:4 " ENDS },
	{ "nor one of which a line is broken", BEGIN "~error\n.\n", "" },
	{ "nor one that may have lost one", BEGIN "?\n.\n", "" },
	{ "nor one that may have lost one before", "?\n" BEGIN ".\n", "" },
	{ "open processes are told in the order of their first lines",
	  BEGIN "version sid=b\nstart sid=b\n/version\n/start\n/exit\n/atexit\n"
		"---\nversion sid=a\nstart sid=a\nexit sid=b\natexit sid=b\n"
		"version sid=c\nerror\n.\n",
	  "log2:6 " ENDS "log2:2 " ENDS "log2:5 " ENDS },
	{ "one of two execs may have begun another program",
	  BEGIN "thread_start thread=t\nexec exec_id=0\n"
		"exec thread=t exec_id=1\nexec_result thread=t exec_id=1\n.\n",
	  "" },
	{ "and none has if both have failed",
	  BEGIN "thread_start thread=t\nexec exec_id=0\n"
		"exec thread=t exec_id=1\nexec_result thread=t exec_id=1\n"
		"exec_result exec_id=0\n.\n",
	  "log:7 " ENDS },
	{ "a process that an exec of one thread ended goes on in none",
	  BEGIN "thread_start thread=t\nexec thread=t\nerror\n.\n", "" },
};

/*
 * ---- What a finding has besides its text
 */

static struct tr2_finding last;

static void keep_last(struct tr2_sink *sink, struct tr2_finding *finding)
{
	(void)sink;
	last = *finding;
}

static void test_end(void)
{
	begin_story();
	go_on_story("---\nversion sid=repo-1/x\nstart sid=repo-1/x\n"
		    "version sid=repo-2\nstart sid=repo-2\nexit sid=repo-2\n"
		    "atexit sid=repo-2\nerror sid=repo-1/x\n");
	story.sink.take = keep_last;
	go_on_story(".\n");
	tap_ok(last.level == TR2_INFO && last.line == 7 && last.column == 1 &&
		       !last.width && last.visit == 2 && !last.text,
	       "the end of a log is told at the last line of the process");
	tap_int(last.part, TR2_PART_END, "after all others");
	tap_ok(last.session == tr2_sids_hash("repo-1/x", 8).a,
	       "it belongs to the process");
	tap_int(story.sink.writer, TR2_WRITER_OTHER, "and to its writer");
	go_on_story("version sid=repo-3\n.\n");
	tap_int(story.sink.writer, TR2_WRITER_REPO, "which is known");
	tap_str(last.file, "log2", "it has the name of the log");
	end_story();
}

static void test_level(void)
{
	static const char before[] = "{\"event\":\"error\",\"sid\":\"" STORY_SID
				     "1\",\"time\":";

	begin_story();
	story.sink.take = keep_last;
	go_on_story(TIMED "error at=5\nerror at=4\n");
	tap_ok(last.level == TR2_WARNING && last.line == 4 &&
		       last.column == sizeof(before) && last.width == 29,
	       "a finding has its rule's level and marks the value");
	go_on_story("exit at=6\nexit at=6\n");
	tap_ok(last.level == TR2_ERROR && last.line == 6, "an error is one");
	end_story();
}

/* The whole line that can't be read belongs to the process that it names. */
static void test_whole_line(void)
{
	static const char torn[] = "{\"event\":\"error\",\"sid\":\"b\",\"x";

	begin_story();
	go_on_story("version sid=b\nstart sid=b\n" BEGIN);
	story.sink.line.text = pad_json(torn, strlen(torn));
	story.sink.line.len = strlen(torn);
	tr2_stream_lose(&story.stream, &story.sink, NULL, 0);
	go_on_story("child_exit child_id=0\nchild_exit sid=b child_id=0\n");
	tap_str(end_story(), "5 0 " UNMATCHED,
		"a line of a process is missing to this one only");
}

int main(void)
{
	check_stories(mutes);
	check_stories(losses);
	check_stories(ends);
	test_end();
	test_level();
	test_whole_line();
	return tap_done();
}
