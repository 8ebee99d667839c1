/* Children and execs: each has a number, a beginning and an end. */
#include "rules/stream/stream_kit.h"

static const struct story_row children[] = {
	{ "a child has an id of its own, and an end",
	  BEGIN "child_start child_id=0\n"
		"child_ready child_id=0\n"
		"child_start child_id=1\n"
		"child_exit child_id=1\n"
		"exit\natexit\n",
	  "" },
	{ "a child that was left in the background has no other event",
	  BEGIN "child_start child_id=0\n"
		"child_ready child_id=0\n"
		"child_ready child_id=0\n"
		"child_exit child_id=0\n"
		"child_exit child_id=0\n"
		"exit\natexit\n",
	  "5 0 stream.child.ready-last: the child of line 3 was left in the background already\n"
	  "6 0 stream.child.ready-last: the child of line 3 was left in the background already\n"
	  "7 0 stream.child.exit-once: the child of line 3 has exited already\n" },
	{ "a second child with the same id is reported with the line of the first",
	  BEGIN "child_start child_id=4\n"
		"child_start child_id=5\n"
		"child_start child_id=4\n",
	  "5 4 stream.child.id-unique: the child of line 3 has this id already\n" },
	{ "an id that is given away again has an end again",
	  BEGIN "child_start child_id=0\n"
		"child_exit child_id=0\n"
		"child_start child_id=0\n"
		"child_exit child_id=0\n"
		"child_exit child_id=0\n",
	  "5 0 stream.child.id-unique: the child of line 3 has this id already\n"
	  "7 0 stream.child.exit-once: the child of line 3 has exited already\n" },
	{ "but it need not have one, for the id has one already",
	  BEGIN "child_start child_id=0\n"
		"child_exit child_id=0\n"
		"child_start child_id=0\n"
		"exit\natexit\n",
	  "5 0 stream.child.id-unique: the child of line 3 has this id already\n" },
	{ "two exits are no defect if both children were open",
	  BEGIN "child_start child_id=0\n"
		"child_start child_id=0\n"
		"child_exit child_id=0\n"
		"child_exit child_id=0\n",
	  "4 0 stream.child.id-unique: the child of line 3 has this id already\n"
	  "6 0 stream.child.exit-once: the child of line 3 has exited already\n" },
	{ "a child is another process, or none",
	  BEGIN "child_start child_id=0\nchild_exit child_id=0 pid=-1 code=-1\n"
		"child_start child_id=1\nchild_exit child_id=1 pid=0\n"
		"child_start child_id=2\nchild_ready child_id=2 pid=1\n"
		"child_start child_id=3\n"
		"child_exit child_id=3 pid=-1 code=0\n"
		"child_start child_id=4\nchild_ready child_id=4 pid=-1\n",
	  "6 0 stream.child.pid: no process has this id\n"
	  "8 1 stream.child.pid: this is the process itself, as its SID says\n"
	  "10 0 stream.child.pid: a child that did not start has the code -1\n" },
	{ "a child that nobody started can't exit",
	  BEGIN "child_exit child_id=0\n",
	  "3 0 stream.child.exit-unmatched: no child_start has this id\n" },
	{ "a child exits once",
	  BEGIN "child_start child_id=7\n"
		"child_exit child_id=7\n"
		"child_exit child_id=7\n",
	  "5 7 stream.child.exit-once: the child of line 3 has exited already\n" },
	{ "an event without an id is of no child",
	  BEGIN "child_start\n"
		"child_ready child_id=x\n"
		"child_exit\n"
		"exec\n"
		"exec_result\n",
	  "" },
	{ "a child that is ready has been started",
	  BEGIN "child_ready child_id=3\n",
	  "3 3 stream.child.ready-unmatched: no child_start has this id\n" },
	{ "a child_ready without a start is reported once",
	  BEGIN "child_ready child_id=3\n"
		"child_ready child_id=3\n"
		"exit\natexit\n",
	  "3 3 stream.child.ready-unmatched: no child_start has this id\n" },
	{ "a child that is ready too early may start then",
	  BEGIN "child_ready child_id=3\n"
		"child_start child_id=3\n"
		"child_start child_id=3\n"
		"exit\natexit\n",
	  "3 3 stream.child.ready-unmatched: no child_start has this id\n"
	  "5 3 stream.child.id-unique: the child of line 4 has this id already\n"
	  "7 \"atexit\" stream.child.unfinished: child 3 of line 4 has no "
	  "child_exit\n" },
	{ "even after its exit",
	  BEGIN "child_ready child_id=3\n"
		"child_exit child_id=3\n"
		"child_start child_id=3\n"
		"child_exit child_id=3\n",
	  "3 3 stream.child.ready-unmatched: no child_start has this id\n" },
	{ "a child that nobody started has no line",
	  BEGIN "child_ready child_id=3\n"
		"child_exit child_id=3\n"
		"child_exit child_id=3\n",
	  "3 3 stream.child.ready-unmatched: no child_start has this id\n"
	  "5 3 stream.child.exit-once: the child with this id has exited "
	  "already\n" },
	{ "children that are open at the end are told by their ids",
	  BEGIN "child_start child_id=9\n"
		"child_start child_id=8\n"
		"child_start child_id=7\n"
		"child_exit child_id=8\n"
		"exit\natexit\n",
	  "8 \"atexit\" stream.child.unfinished: child 7 of line 5 has no "
	  "child_exit\n"
	  "8 \"atexit\" stream.child.unfinished: child 9 of line 3 has no "
	  "child_exit\n" },
};

static const struct story_row times[] = {
	{ "a child takes a second more than its events are apart at most",
	  TIMED "child_start child_id=0 at=1\n"
		"child_exit child_id=0 at=2 t_rel=2\n"
		"child_start child_id=1 at=3\n"
		"child_exit child_id=1 at=4 t_rel=2.000001\n",
	  "6 2.000001 stream.child.t_rel: more time than since its child_start "
	  "in line 5\n" },
	{ "of a second exit no time is asked for",
	  TIMED "child_start child_id=0 at=1\n"
		"child_exit child_id=0 at=2\n"
		"child_exit child_id=0 at=2 t_rel=50\n",
	  "5 0 stream.child.exit-once: the child of line 3 has exited already\n" },
	{ "nor of a child that nobody started",
	  TIMED "child_ready child_id=0 at=1\n"
		"child_exit child_id=0 at=2 t_rel=50\n",
	  "3 0 stream.child.ready-unmatched: no child_start has this id\n" },
	{ "a child that starts late begins there",
	  TIMED "child_ready child_id=0 at=1\n"
		"child_start child_id=0 at=5\n"
		"child_exit child_id=0 at=6 t_rel=3\n",
	  "3 0 stream.child.ready-unmatched: no child_start has this id\n"
	  "5 3 stream.child.t_rel: more time than since its child_start in line "
	  "4\n" },
	{ "of two with one id the first began earlier",
	  TIMED "child_start child_id=0 at=1\n"
		"child_start child_id=0 at=9\n"
		"child_exit child_id=0 at=10 t_rel=9\n",
	  "4 0 stream.child.id-unique: the child of line 3 has this id already\n" },
};

static const struct story_row execs[] = {
	{ "an exec has one result",
	  BEGIN "exec exec_id=2\n"
		"exec_result exec_id=2\n"
		"exec_result exec_id=2\n",
	  "5 2 stream.exec-result.unmatched: the exec with this id already has a "
	  "result\n" },
	{ "a result has an exec",
	  BEGIN "exec exec_id=2\n"
		"exec_result exec_id=3\n",
	  "4 3 stream.exec-result.unmatched: no exec has this id\n" },
	{ "two execs with one id are told, and each may have a result",
	  BEGIN "exec exec_id=2\n"
		"exec_result exec_id=2\n"
		"exec exec_id=2\n"
		"exec_result exec_id=2\n"
		"exec_result exec_id=2\n",
	  "5 2 stream.exec.id-unique: the exec of line 3 has this id already\n"
	  "7 2 stream.exec-result.unmatched: the exec with this id already has a "
	  "result\n" },
	{ "an exec without an id is one", BEGIN "exec\nerror\n",
	  "4 \"error\" stream.exec.last: an event after an exec that did not "
	  "fail\n" },
};

/* The first id is asked for only if the writers are held to a class. */
static void test_first_id(void)
{
	static const char log[] = BEGIN "child_start child_id=1\n"
					"child_start child_id=2\n";

	tap_str(find_in_story(log), "", "children may be numbered from 1");
	begin_story();
	story.stream.formed = true;
	go_on_story(log);
	tap_str(end_story(),
		"3 1 event.child_start.child_id-zero: the first child of a "
		"process has the id 0\n",
		"unless a class forbids it, which is told once");
	begin_story();
	story.stream.formed = true;
	go_on_story(BEGIN "child_start child_id=0\nchild_start child_id=1\n");
	tap_str(end_story(), "", "the first child may have the id 0");
	begin_story();
	story.stream.formed = true;
	go_on_story(BEGIN "child_start child_id=0\nchild_exit child_id=0\n"
			  "exit\natexit\nversion sid=b\nstart sid=b\n"
			  "child_start sid=b child_id=1\n");
	tap_str(end_story(),
		"9 1 event.child_start.child_id-zero: the first child of a "
		"process has the id 0\n",
		"each process has a first child");
}

int main(void)
{
	check_stories(children);
	check_stories(times);
	check_stories(execs);
	test_first_id();
	return tap_done();
}
