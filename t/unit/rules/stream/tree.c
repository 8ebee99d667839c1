/* Parents and their children: hierarchies, and who ends first. */
#include "rules/stream/stream_kit.h"

#include "read/glance.h"

#define NAME(name, hierarchy) "cmd_name name=" name " hierarchy=" hierarchy "\n"
#define CHILD "/version\n/start\n"
#define GRANDCHILD "//version\n//start\n"
#define NOT_PARENT                                                             \
	"stream.hierarchy.parent: not the parent's hierarchy followed by the " \
	"name"
#define WAS(before) ": that was \"" before "\"\n"
#define NOT_GROWN                                                            \
	"stream.hierarchy.grow: not the previous hierarchy followed by the " \
	"name"
#define NOT_NAME \
	"stream.hierarchy.name: the hierarchy does not end with the name\n"
#define OLDER                                                                 \
	"stream.hierarchy.parent: the child's hierarchy does not begin with " \
	"its parent's, which is older\n"
#define BRIEF \
	"stream.brief.mixed: the event is brief, but earlier ones are full\n"
#define TOOK(parent, child)                           \
	"stream.child.time: child_exit after " parent \
	" us, the child's own atexit after " child " us\n"
#define LONG54 "n23456789012345678901234567890123456789012345678901234"

#define N100 LONG54 "n234567890123456789012345678901234567890123456"
#define N500 N100 N100 N100 N100 N100
#define N23 "n2345678901234567890123"

static const struct story_row names[] = {
	{ "a hierarchy of 1024 bytes is written whole",
	  BEGIN NAME(N500, N500) NAME(N500 N23, N500 "/" N500 N23), "" },
	{ "one that would be longer may begin anew",
	  BEGIN NAME(N500, N500) NAME(N500 N23 "x", N500 N23 "x")
		  NAME("b", N500 N23 "x/b"),
	  "" },
	{ "it need not, for git writes it whole",
	  BEGIN NAME(N500, N500) NAME(N500 N23 "x", N500 "/" N500 N23 "x"),
	  "" },
	{ "it then begins with the name",
	  BEGIN NAME(N500, N500) NAME(N500 N23 "x", "y/" N500 N23 "x"),
	  "4 \"y/" N500 N23 "x\" " NOT_GROWN "\n" },
	{ "one that has room for the name does not begin anew",
	  BEGIN NAME(N500, N500) NAME(N500 N23, N500 N23),
	  "4 \"" N500 N23 "\" " NOT_GROWN "\n" },
	{ "a hierarchy is the name, or ends in a slash and the name",
	  BEGIN NAME("abc", "abc") NAME("d", "abc/d"), "" },
	{ "it is no shorter than the name", BEGIN NAME("abc", "bc"),
	  "3 \"bc\" " NOT_NAME },
	{ "before the name is a slash", BEGIN NAME("abc", "zabc"),
	  "3 \"zabc\" " NOT_NAME },
	{ "the name is that one", BEGIN NAME("abc", "z/abd"),
	  "3 \"z/abd\" " NOT_NAME },
	{ "what is wrong is told once of a process",
	  BEGIN NAME("abc", "x") NAME("d", "y/e"), "3 \"x\" " NOT_NAME },
	{ "a hierarchy may begin with a slash", BEGIN NAME("abc", "/abc"), "" },
	{ "one that is missing says nothing",
	  BEGIN "cmd_name name=a\ncmd_name hierarchy=b\n" NAME("c", "x/c"),
	  "" },
	{ "the next one begins with the one before",
	  BEGIN NAME("a", "a") NAME("b", "b"), "4 \"b\" " NOT_GROWN WAS("a") },
	{ "and with all of it",
	  BEGIN NAME("a", "x/a") NAME("b", "x/a/b") NAME("c", "x/a/c"),
	  "5 \"x/a/c\" " NOT_GROWN WAS("x/a/b") },
	{ "a hierarchy of 55 bytes is shown",
	  BEGIN NAME(LONG54 "5", LONG54 "5") NAME("b", "b"),
	  "4 \"b\" " NOT_GROWN WAS(LONG54 "5") },
	{ "a longer one is not",
	  BEGIN NAME("a", "a") NAME(LONG54, "a/" LONG54) NAME("b", "b"),
	  "5 \"b\" " NOT_GROWN "\n" },
	{ "nor is one that begins with a control character",
	  BEGIN NAME("\"\\u007fa\"", "\"\\u007fa\"") NAME("b", "b"),
	  "4 \"b\" " NOT_GROWN "\n" },
	{ "but one with a blank is",
	  BEGIN NAME("\"a\\u0020b\"", "\"a\\u0020b\"") NAME("b", "b"),
	  "4 \"b\" " NOT_GROWN WAS("a b") },
	{ "nor is one with other characters than ASCII has",
	  BEGIN NAME("a~", "a~") NAME(
		  "b",
		  "b") "/version\n/start\n"
		       "/" NAME("a\x7f", "a~/a\x7f") "/" NAME(
			       "b",
			       "b") "//version\n//start\n"
				    "//" NAME("\"a\\u001f\"",
					      "\"a~/a\\u001f\"") "//" NAME("b",
									   "b"),
	  "4 \"b\" " NOT_GROWN WAS("a~") "8 \"b\" " NOT_GROWN "\n"
					 "12 \"b\" " NOT_GROWN "\n" },
};

static const struct story_row parents[] = {
	{ "a child has its parent's name and its own",
	  BEGIN NAME("a", "a") CHILD "/" NAME("b", "a/b") GRANDCHILD
	  "//" NAME("c", "a/b/c"),
	  "" },
	{ "and no other one, and its children are not asked",
	  BEGIN NAME("a", "a") CHILD "/" NAME("b", "x/b") GRANDCHILD
	  "//" NAME("c", "y/c"),
	  "6 \"x/b\" " NOT_PARENT WAS("a") },
	{ "what the parent was when it began will do",
	  BEGIN NAME("a", "a") CHILD NAME("c", "a/c") "/" NAME("b", "a/b"),
	  "" },
	{ "so will what the parent became",
	  BEGIN NAME("a", "a") CHILD NAME("c", "a/c") "/" NAME("b", "a/c/b"),
	  "" },
	{ "and what the parent was before",
	  BEGIN NAME("a", "a") NAME("c", "a/c") CHILD "/" NAME("b", "a/b"),
	  "" },
	{ "even what it was given itself",
	  BEGIN NAME("a", "x/a") CHILD "/" NAME("b", "x/b"), "" },
	{ "and what it passed on before it had a name",
	  BEGIN NAME("a", "a") NAME("x", "a/x") CHILD GRANDCHILD
	  "/" NAME("b", "a/b") "//" NAME("c", "a/x/c"),
	  "" },
	{ "a parent that has ended has passed on its name",
	  BEGIN NAME("a", "a") "exit\natexit\n" CHILD "/" NAME("b", "a/b"),
	  "" },
	{ "a parent that has ended is remembered",
	  BEGIN NAME("a", "a") "exit\natexit\n" CHILD "/" NAME("b", "x/b"),
	  "8 \"x/b\" " NOT_PARENT "\n" },
	{ "a parent without a name may have been anything",
	  BEGIN CHILD "/" NAME("b", "a/b"), "" },
	{ "so may one that nobody has seen", CHILD "/" NAME("b", "a/b"), "" },
	{ "a parent without a name passes on what it was given",
	  BEGIN NAME("a", "a") CHILD GRANDCHILD "//" NAME("b", "c/b"),
	  "8 \"c/b\" " NOT_PARENT "\n" },
	{ "a child from before its parent's name may have any",
	  BEGIN "child_start child_id=0\n" NAME("a", "a") CHILD
	  "/" NAME("b", "x/b"),
	  "" },
	{ "one from after it may not",
	  BEGIN NAME("a", "a") "child_start child_id=0\n" CHILD
			       "/" NAME("b", "x/b"),
	  "7 \"x/b\" " NOT_PARENT WAS("a") },
	{ "one that begins anew has its parent still",
	  BEGIN NAME("a", "a") CHILD "/version\n/start\n"
				     "/" NAME("b", "x/b"),
	  "6 \"version\" stream.version.once: a second version under this SID, "
	  "which occurs first in line 4\n"
	  "8 \"x/b\" " NOT_PARENT WAS("a") },
	{ "a SID that ends in a slash has a parent",
	  "version sid=a\nstart sid=a\ncmd_name sid=a name=a hierarchy=a\n"
	  "version sid=a/\nstart sid=a/\ncmd_name sid=a/ name=b hierarchy=b/b\n",
	  "6 \"b/b\" " NOT_PARENT WAS("a") },
};

static const struct story_row starts[] = {
	{ "a child that began after its parent's name lacks it",
	  BEGIN NAME("a", "a") "child_start child_id=0\n" CHILD "/" NAME(
		  "b", "b") "/exit\n/atexit t_abs=0.5\n"
			    "child_exit child_id=0 pid=2 t_rel=1\n",
	  "10 \"child_exit\" " OLDER },
	{ "also if it ends after that",
	  BEGIN NAME("a", "a") "child_start child_id=0\n" CHILD "/" NAME(
		  "b", "b") "child_exit child_id=0 pid=2 t_rel=1\n"
			    "/exit\n/atexit t_abs=0.5\n",
	  "10 \"atexit\" " OLDER },
	{ "that goes for what the parent was given, too",
	  BEGIN NAME("a", "x/a") NAME(
		  "b",
		  "x/a/b") "child_start child_id=0\n" CHILD
			   "/" NAME("c", "x/c") "/" NAME(
				   "d",
				   "x/c/d") "/exit\n/atexit t_abs=0.5\nchild_exit child_id=0 pid=2 t_rel=1\n",
	  "12 \"child_exit\" " OLDER },
	{ "one that has the first of its names does not",
	  BEGIN NAME("a", "a")
		  NAME("b", "a/b") "child_start child_id=0\n" CHILD "/" NAME(
			  "c", "a/c") "/exit\n/atexit t_abs=0.5\n"
				      "child_exit child_id=0 pid=2 t_rel=1\n",
	  "" },
	{ "of a parent with an earlier child nobody knows",
	  BEGIN "child_start child_id=0\n" NAME(
		  "a",
		  "a") "child_start child_id=1\n" CHILD
		       "/" NAME(
			       "b",
			       "b") "/exit\n/atexit t_abs=0.5\nchild_exit child_id=1 pid=2 t_rel=1\n",
	  "" },
	{ "nor of processes without names",
	  BEGIN "child_start child_id=0\n" CHILD "/exit\n/atexit t_abs=0.5\n"
		"child_exit child_id=0 pid=2 t_rel=1\n",
	  "" },
	{ "nor if the child has none",
	  BEGIN NAME("a", "a") "child_start child_id=0\n" CHILD
			       "/exit\n/atexit t_abs=0.5\n"
			       "child_exit child_id=0 pid=2 t_rel=1\n",
	  "" },
	{ "nor where a hierarchy is wrong",
	  BEGIN NAME("a", "a") "child_start child_id=0\n" CHILD "/" NAME(
		  "b", "c") "/exit\n/atexit t_abs=0.5\n"
			    "child_exit child_id=0 pid=2 t_rel=1\n",
	  "7 \"c\" " NOT_NAME },
	{ "nor where both are",
	  BEGIN NAME("abc", "x") "child_start child_id=0\n" CHILD "/" NAME(
		  "b", "c") "/exit\n/atexit t_abs=0.5\n"
			    "child_exit child_id=0 pid=2 t_rel=1\n",
	  "3 \"x\" " NOT_NAME "7 \"c\" " NOT_NAME },
	{ "nor where a line of the parent is broken",
	  BEGIN
	  "~error\n" NAME("a", "a") "child_start child_id=0\n" CHILD "/" NAME(
		  "b", "b") "/exit\n/atexit t_abs=0.5\n"
			    "child_exit child_id=0 pid=2 t_rel=1\n",
	  "" },
	{ "nor where one of the child is",
	  BEGIN NAME("a", "a") "child_start child_id=0\n" CHILD "/" NAME(
		  "b", "b") "~/error\n/exit\n/atexit t_abs=0.5\n"
			    "child_exit child_id=0 pid=2 t_rel=1\n",
	  "" },
};

#define AFTER(end, pid, t_rel)                                           \
	BEGIN "child_start child_id=0\n" CHILD "/exit\n/atexit" end "\n" \
	      "child_exit child_id=0 pid=" pid " t_rel=" t_rel "\n"

static const struct story_row times[] = {
	{ "a child takes a microsecond more than its parent says",
	  AFTER(" t_abs=0.001001", "2", "0.001"), "" },
	{ "and no two", AFTER(" t_abs=0.001002", "2", "0.001"),
	  "8 0.001 " TOOK("1000", "1002") },
	{ "also if it ends after that",
	  BEGIN "child_start child_id=0\n" CHILD
		"child_exit child_id=0 pid=2 t_rel=0.001\n/exit\n"
		"/atexit t_abs=0.001002\n",
	  "8 0.001002 " TOOK("1000", "1002") },
	{ "a child of which its parent knows nothing is not compared",
	  BEGIN CHILD "/exit\n/atexit t_abs=9\n"
		      "child_exit child_id=0 pid=2 t_rel=1\n",
	  "7 0 stream.child.exit-unmatched: no child_start has this id\n" },
	{ "nor is one of another pid", AFTER(" t_abs=9", "3", "1"), "" },
	{ "nor one of a pid with more bits",
	  AFTER(" t_abs=9", "4294967298", "1"),
	  "8 4294967298 stream.child.pid: no process has this id\n" },
	{ "nor one without pid or time",
	  AFTER(" t_abs=9", "x", "1") "/version\n",
	  "9 \"version\" stream.version.once: a second version under this SID, "
	  "which occurs first in line 4\n" },
	{ "nor one that does not say when it ended", AFTER("", "2", "1"), "" },
	{ "nor one of which the parent does not say how long it took",
	  AFTER(" t_abs=9", "2", "x"), "" },
	{ "the highest pid is one",
	  "version sid=a\nchild_start sid=a child_id=0\n"
	  "start sid=a\nversion sid=a/Pffffffff\nstart sid=a/Pffffffff\n"
	  "exit sid=a/Pffffffff\natexit sid=a/Pffffffff t_abs=9\n"
	  "child_exit sid=a child_id=0 pid=4294967295 t_rel=1\n",
	  "2 \"child_start\" stream.start.second: start is missing before this "
	  "event\n"
	  "8 1 " TOOK("1000000", "9000000") },
	{ "a process without a pid is not compared",
	  "version sid=a\nstart sid=a\nchild_start sid=a child_id=0\n"
	  "version sid=a/P00000000\nstart sid=a/P00000000\n"
	  "exit sid=a/P00000000\natexit sid=a/P00000000 t_abs=9\n"
	  "child_exit sid=a child_id=0 pid=0 t_rel=1\n",
	  "8 0 stream.child.pid: no process has this id\n" },
	{ "a pid that comes again is compared anew",
	  AFTER(" t_abs=9", "2", "9") "child_start child_id=1\n"
				      "child_exit child_id=1 pid=2 t_rel=0.1\n",
	  "" },
	{ "nor is the end of an earlier child with its pid",
	  TIMED "child_start child_id=0 at=1\n"
		"child_exit child_id=0 pid=2 t_rel=1 at=2\n"
		"child_start child_id=1 at=3\n" CHILD
		"/exit\n/atexit t_abs=4 at=8\n"
		"child_exit child_id=1 pid=2 t_rel=5 at=8.5\n",
	  "" },
	{ "nor that of a later one",
	  TIMED "child_start child_id=0 at=1\n" CHILD
		"/exit\n/atexit t_abs=4 at=6\n"
		"child_start child_id=1 at=6.000001\n"
		"child_exit child_id=1 pid=2 t_rel=1 at=8\n",
	  "" },
	{ "but one of the same microsecond is",
	  TIMED "child_start child_id=0 at=1\n" CHILD
		"/exit\n/atexit t_abs=4 at=6\n"
		"child_start child_id=1 at=6\n"
		"child_exit child_id=1 pid=2 t_rel=1 at=8\n",
	  "9 1 " TOOK("1000000", "4000000") },
	{ "so is one that began when the other ended",
	  TIMED "child_start child_id=0 at=1\n"
		"child_exit child_id=0 pid=2 t_rel=1 at=2\n" CHILD
		"/exit\n/atexit t_abs=4 at=6\n",
	  "8 4 " TOOK("1000000", "4000000") },
	{ "without the time of its start nothing speaks against it",
	  TIMED "child_start child_id=0\n"
		"child_exit child_id=0 pid=2 t_rel=1 at=2\n" CHILD
		"/exit\n/atexit t_abs=4 at=9\n",
	  "3 \"child_start\" " BRIEF "8 4 " TOOK("1000000", "4000000") },
	{ "nor without that of its exit",
	  TIMED "child_start child_id=0 at=1\n"
		"child_exit child_id=0 pid=2 t_rel=1\n" CHILD
		"/exit\n/atexit t_abs=4 at=9\n",
	  "4 \"child_exit\" " BRIEF "8 4 " TOOK("1000000", "4000000") },
	{ "nor without that of the child's end",
	  TIMED "child_start child_id=0 at=1\n"
		"child_exit child_id=0 pid=2 t_rel=1 at=2\n" CHILD
		"/exit\n/atexit t_abs=4\n",
	  "8 4 " TOOK("1000000", "4000000") },
	{ "two ends of one kind are not compared",
	  AFTER(" t_abs=9", "3", "9") "child_start child_id=1\n"
				      "child_exit child_id=1 pid=3 t_rel=0.1\n",
	  "" },
};

static void test_places(void)
{
	char row[128];
	unsigned pid;

	begin_story();
	go_on_story(BEGIN CHILD "/exit\n/atexit t_abs=9\n");
	for (pid = 1; pid <= 64; pid++) {
		snprintf(row, sizeof(row),
			 "version sid=other%u/P00000001\n"
			 "atexit sid=other%u/P00000001 t_abs=5\n",
			 pid, pid);
		go_on_story(row);
	}
	story.len = 0;
	go_on_story("child_start child_id=0\n"
		    "child_exit child_id=0 pid=2 t_rel=1\n");
	tap_str(end_story(), "136 1 " TOOK("1000000", "9000000"),
		"children of other processes leave an end where it is");
}

int main(void)
{
	check_stories(names);
	check_stories(parents);
	check_stories(starts);
	check_stories(times);
	test_places();
	return tap_done();
}
