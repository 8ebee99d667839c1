/* What processes are called and grouped by, and which of them count. */
#include "model/account/account_kit.h"

#define START(argv) "\"t_abs\":0.0,\"argv\":[" argv "]"
#define END(t_abs, code) "\"t_abs\":" t_abs ",\"code\":" code

/* A process of so many milliseconds, which began in that minute. */
static void tell_process(const char *sid, unsigned minute, unsigned ms,
			 const char *argv)
{
	const unsigned us = minute * 60000000;
	char rest[256];

	snprintf(rest, sizeof(rest), START("%s"), argv);
	tell_event(sid, us, "start", rest);
	snprintf(rest, sizeof(rest), END("0.%03u", "0"), ms);
	tell_event(sid, us + ms * 1000, "atexit", rest);
}

static void test_names(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_process(SID("01"), 0, 1, "\"git\",\"-c\",\"a=b\",\"log\"");
	tell_process(SID("02"), 0, 1,
		     "\"git.exe\",\"-C\",\"\",\"--x\",\"add\"");
	tell_process(SID("03"), 0, 1, "\"/usr/lib/git-core/git\",\"-v\"");
	tell_process(SID("04"), 0, 1, "\"git-receive-pack 'a/b'\"");
	tell_process(SID("05"), 0, 1, "\"/bin/sh\",\"-c\",\"x\"");
	tell_process(SID("06"), 0, 1, "\"git\",\"--git-dir\",\"gc\",\"fsck\"");
	tell_process(SID("07"), 0, 1, "\"git\",\"\",\"show\"");
	tell_process(SID("08"), 0, 1, "");
	tell_process(SID("09"), 0, 1,
		     "\"git\",\"--attr-source\",\"HEAD\",\"diff\"");
	tell_process(SID("0a"), 0, 1,
		     "\"git\",\"--super-prefix\",\"a/\",\"push\"");
	tell_process(SID("0b"), 0, 1, "\"git\",\"--work-tree\",\"a\",\"mv\"");
	tell_process(SID("0c"), 0, 1, "\"git\",\"--namespace\",\"a\",\"rm\"");
	tell_process(SID("0d"), 0, 1,
		     "\"git\",\"--config-env\",\"a=b\",\"tag\"");
	tap_rows(end_story(),
		 "commands git log: count 1 total 1000 self 1000\n"
		 "commands git add: count 1 total 1000 self 1000\n"
		 "commands git: count 1 total 1000 self 1000\n"
		 "commands git-receive-pack: count 1 total 1000 self 1000\n"
		 "commands sh: count 1 total 1000 self 1000\n"
		 "commands git fsck: count 1 total 1000 self 1000\n"
		 "commands git show: count 1 total 1000 self 1000\n"
		 "commands (none): count 1 total 1000 self 1000\n"
		 "commands git diff: count 1 total 1000 self 1000\n"
		 "commands git push: count 1 total 1000 self 1000\n"
		 "commands git mv: count 1 total 1000 self 1000\n"
		 "commands git rm: count 1 total 1000 self 1000\n"
		 "commands git tag: count 1 total 1000 self 1000\n"
		 "phases other: self 13000\n"
		 "slowest: git\n"
		 "all: processes 13 roots 13 wall 13000\n",
		 "a command is named by its program");
}

static void tell_grouped(const char *sid, const char *name, const char *mode,
			 const char *exe, const char *worktree)
{
	char rest[256];

	snprintf(rest, sizeof(rest), "\"evt\":\"3\",\"exe\":\"%s\"", exe);
	tell_event(sid, 0, "version", rest);
	tell_event(sid, 0, "start", START("\"git\",\"x\""));
	tell_event(sid, 10, "cmd_ancestry",
		   "\"ancestry\":[\"sh\",\"make\",\"tmux\",\"init\"]");
	snprintf(rest, sizeof(rest), "\"name\":\"%s\",\"hierarchy\":\"a\"",
		 name);
	tell_event(sid, 20, "cmd_name", rest);
	snprintf(rest, sizeof(rest), "\"name\":\"%s\"", mode);
	tell_event(sid, 30, "cmd_mode", rest);
	snprintf(rest, sizeof(rest), "\"repo\":1,\"worktree\":\"%s\"",
		 worktree);
	tell_event(sid, 40, "def_repo", rest);
	tell_event(sid, 50, "def_repo", "\"repo\":2,\"worktree\":\"/second\"");
	tell_event(sid, 60, "atexit", END("0.000060", "0"));
}

static const char *group_by(enum tr2_by by)
{
	begin_story(by);
	tell_grouped(SID("01"), "checkout", "branch", "2.55", "/a");
	tell_grouped("20260114T100000.000000Z-H0a7c9cdf-P00000002", "checkout",
		     "path", "2.55", "/b");
	tell_grouped("x", "log", "", "2.39", "/a");
	tell_process(SID("09"), 61, 2, "\"sh\"");
	return keep_lines(end_story(), by ? "groups" : "c");
}

static void test_groups(void)
{
	tap_str(group_by(TR2_BY_NOTHING),
		"commands checkout#branch: count 1 total 60 self 60\n"
		"commands checkout#path: count 1 total 60 self 60\n"
		"commands log: count 1 total 60 self 60\n"
		"commands sh: count 1 total 2000 self 2000\n"
		"callers sh < make < tmux: count 3 total 180 self 180 60..60\n",
		"without groups there are callers");
	tap_str(group_by(TR2_BY_COMMAND),
		"groups checkout: count 2 total 120 self 120 60..60\n"
		"groups log: count 1 total 60 self 60\n"
		"groups sh: count 1 total 2000 self 2000\n",
		"a command has all its modes");
	tap_str(group_by(TR2_BY_MODE),
		"groups branch: count 1 total 60 self 60\n"
		"groups path: count 1 total 60 self 60\n"
		"groups (none): count 2 total 2060 self 2060 60..2000\n",
		"a mode has all its commands");
	tap_str(group_by(TR2_BY_REPOSITORY),
		"groups /a: count 2 total 120 self 120 60..60\n"
		"groups /b: count 1 total 60 self 60\n"
		"groups (none): count 1 total 2000 self 2000\n",
		"the first worktree counts");
	tap_str(group_by(TR2_BY_CALLER),
		"groups sh < make < tmux: count 3 total 180 self 180 60..60\n"
		"groups (none): count 1 total 2000 self 2000\n",
		"three ancestors are a caller");
	tap_str(group_by(TR2_BY_VERSION),
		"groups 2.55: count 2 total 120 self 120 60..60\n"
		"groups 2.39: count 1 total 60 self 60\n"
		"groups (none): count 1 total 2000 self 2000\n",
		"versions are words of `version`");
	tap_str(group_by(TR2_BY_HOST),
		"groups Hc4f2e1a9: count 2 total 2060 self 2060 60..2000\n"
		"groups H0a7c9cdf: count 1 total 60 self 60\n"
		"groups (none): count 1 total 60 self 60\n",
		"hosts come from SIDs");
	tap_str(group_by(TR2_BY_HOUR),
		"groups 2026-01-14T10: count 3 total 180 self 180 60..60\n"
		"groups 2026-01-14T11: count 1 total 2000 self 2000\n",
		"hours come from times");
}

/* Such a log says when it began by a duration that can't be. */
static void test_hour_before_days(void)
{
	begin_story(TR2_BY_HOUR);
	tell_event(GIT, 10, "start", "\"t_abs\":9e10,\"argv\":[\"a\"]");
	tell_event(GIT, 20, "atexit", END("90000000000.000010", "0"));
	tap_rows(keep_lines(end_story(), "groups"),
		 "groups (none): count 1 total 90000000000000010 "
		 "self 90000000000000010\n",
		 "what began before the first day has no hour");
}

/* A tree: `a` of 9 ms, in it `b` of 5 ms, in it `c` of 2 ms. */
static void tell_tree(void)
{
	tell_event(GIT, 0, "start", START("\"a\""));
	tell_event(GIT, 1000, "child_start",
		   "\"child_id\":0,\"child_class\":\"?\",\"argv\":[\"b\"]");
	tell_event(CHILD, 2000, "start", START("\"b\""));
	tell_event(CHILD, 3000, "child_start",
		   "\"child_id\":0,\"child_class\":\"?\",\"argv\":[\"c\"]");
	tell_event(CHILD "/" SID("04"), 4000, "start", START("\"c\""));
	tell_event(CHILD "/" SID("04"), 6000, "atexit", END("0.002", "0"));
	tell_event(CHILD, 6500, "child_exit",
		   "\"child_id\":0,\"pid\":4,\"code\":0,\"t_rel\":0.0035");
	tell_event(CHILD, 7000, "atexit", END("0.005", "3"));
	tell_event(GIT, 8000, "child_exit",
		   "\"child_id\":0,\"pid\":2,\"code\":3,\"t_rel\":0.007");
	tell_event(GIT, 9000, "atexit", END("0.009", "0"));
}

static const char *filter_tree(const char *command, int64_t slower_than)
{
	begin_story(TR2_BY_NOTHING);
	story.forest.filter.command = command;
	story.forest.filter.slower_than = slower_than;
	tell_tree();
	tell_process(SID("08"), 0, 4, "\"b\"");
	return end_story();
}

static void test_filter(void)
{
	tap_rows(
		filter_tree(NULL, 0),
		"commands b: count 2 failed 1 total 9000 self 5500 4000..5000\n"
		"commands c: count 1 total 2000 self 2000\n"
		"commands a: count 1 total 9000 self 2000\n"
		"children ?/b: count 1 failed 1 total 7000 self 2000\n"
		"children ?/c: count 1 total 3500 self 1500\n"
		"phases other: self 9500\n"
		"phases run programs that are not git's: self 3500\n"
		"slowest: a > b > c\n"
		"all: processes 4 roots 2 wall 13000\n",
		"without a filter all count");
	tap_str(filter_tree("b", 0),
		"commands b: count 2 failed 1 total 9000 self 5500 4000..5000\n"
		"commands c: count 1 total 2000 self 2000\n"
		"children ?/b:\n"
		"children ?/c: count 1 total 3500 self 1500\n"
		"phases other: self 7500\n"
		"phases run programs that are not git's: self 1500\n"
		"slowest: b > c\n"
		"all: processes 3 roots 2 wall 9000\n",
		"the outermost that fits is a root");
	tap_str(filter_tree("c", 0),
		"commands c: count 1 total 2000 self 2000\n"
		"children ?/b:\n"
		"children ?/c:\n"
		"phases other: self 2000\n"
		"slowest: c\n"
		"all: processes 1 roots 1 wall 2000\n",
		"it may be deep");
}

static void test_slow(void)
{
	tap_str(filter_tree(NULL, 4000),
		"commands a: count 1 total 9000 self 2000\n"
		"commands b: count 2 failed 1 total 9000 self 5500 4000..5000\n"
		"commands c: count 1 total 2000 self 2000\n"
		"children ?/b: count 1 failed 1 total 7000 self 2000\n"
		"children ?/c: count 1 total 3500 self 1500\n"
		"phases other: self 9500\n"
		"phases run programs that are not git's: self 3500\n"
		"slowest: a > b > c\n"
		"all: processes 4 roots 2 wall 13000\n",
		"it must be as slow as that");
	tap_str(filter_tree(NULL, 4001),
		"commands a: count 1 total 9000 self 2000\n"
		"commands b: count 1 failed 1 total 5000 self 1500\n"
		"commands c: count 1 total 2000 self 2000\n"
		"children ?/b: count 1 failed 1 total 7000 self 2000\n"
		"children ?/c: count 1 total 3500 self 1500\n"
		"phases other: self 5500\n"
		"phases run programs that are not git's: self 3500\n"
		"slowest: a > b > c\n"
		"all: processes 3 roots 1 wall 9000\n",
		"but not slower");
	tap_str(filter_tree("b", 4500),
		"commands b: count 1 failed 1 total 5000 self 1500\n"
		"commands c: count 1 total 2000 self 2000\n"
		"children ?/b:\n"
		"children ?/c: count 1 total 3500 self 1500\n"
		"phases other: self 3500\n"
		"phases run programs that are not git's: self 1500\n"
		"slowest: b > c\n"
		"all: processes 2 roots 1 wall 5000\n",
		"both must hold");
	tap_str(filter_tree("none", 0),
		"children ?/b:\n"
		"children ?/c:\n"
		"all:\n",
		"maybe nothing fits");
}

/* A script runs two programs; its own log and pid are missing. */
static void test_shared(void)
{
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 0, "start", START("\"a\""));
	tell_event(
		GIT, 100, "child_start",
		"\"child_id\":0,\"child_class\":\"hook\",\"hook_name\":\"h\","
		"\"argv\":[\"h\"]");
	tell_event(CHILD, 200, "start", START("\"one\""));
	tell_event(CHILD, 400, "atexit", END("0.0002", "0"));
	tell_event(OTHER, 300, "start", START("\"two\""));
	tell_event(OTHER, 600, "atexit", END("0.0003", "0"));
	tell_event(GIT, 900, "child_exit",
		   "\"child_id\":0,\"pid\":77,\"code\":0,\"t_rel\":0.0008");
	tell_event(GIT, 950, "child_start",
		   "\"child_id\":1,\"child_class\":\"?\",\"argv\":[\"next\"]");
	tell_event(GIT, 960, "child_exit",
		   "\"child_id\":1,\"pid\":78,\"code\":0,\"t_rel\":0.00001");
	tell_event(GIT, 1000, "atexit", END("0.001", "0"));
	tap_rows(end_story(),
		 "commands a: count 1 total 1000 self 190\n"
		 "commands one: count 1 total 200 self 100\n"
		 "commands two: count 1 total 300 self 300\n"
		 "children hook/h: count 1 total 800 self 400\n"
		 "children ?/next: count 1 total 10 self 10\n"
		 "phases other: self 190\n"
		 "phases run programs that are not git's: self 10\n"
		 "phases run hooks: self 800\n"
		 "slowest: a > h > two\n"
		 "all: processes 3 roots 1 wall 1000 unlogged 1\n",
		 "programs of a script share its span");
	begin_story(TR2_BY_NOTHING);
	tell_event(GIT, 0, "start", START("\"a\""));
	tell_event(GIT, 1000, "atexit", END("0.001", "0"));
	tell_event(CHILD, 200, "start", START("\"stray\""));
	tell_event(CHILD, 400, "atexit", END("0.0002", "0"));
	tap_rows(end_story(),
		 "commands a: count 1 total 1000 self 1000\n"
		 "commands stray: count 1 total 200\n"
		 "phases other: self 1000\n"
		 "slowest: a\n"
		 "all: processes 2 roots 1 wall 1000\n",
		 "a program in no span has no time");
}

/* The same pid twice: the lives tell which span is whose. */
static void tell_twin(unsigned id, unsigned start, unsigned end,
		      const char *argv)
{
	char rest[256];

	snprintf(rest, sizeof(rest),
		 "\"child_id\":%u,\"child_class\":\"?\",\"argv\":[%s]", id,
		 argv);
	tell_event(GIT, start, "child_start", rest);
	snprintf(rest, sizeof(rest),
		 "\"child_id\":%u,\"pid\":2,\"code\":0,\"t_rel\":0.%06u", id,
		 end - start);
	tell_event(GIT, end, "child_exit", rest);
}

static void tell_lives(void)
{
	const char *again = GIT "/20260114T100000.000700Z-Hc4f2e1a9-P00000002";

	tell_event(again, 720, "start", START("\"second\""));
	tell_event(again, 780, "atexit", END("0.00006", "0"));
	tell_event(CHILD, 120, "start", START("\"first\""));
	tell_event(CHILD, 160, "atexit", END("0.00004", "0"));
}

static void test_one_pid(void)
{
	int i;

	for (i = 0; i < 2; i++) {
		begin_story(TR2_BY_NOTHING);
		if (i)
			tell_lives();
		tell_event(GIT, 0, "start", START("\"a\""));
		tell_twin(0, 100, 200, "\"first\"");
		tell_twin(1, 700, 800, "\"second\"");
		tell_event(GIT, 1000, "atexit", END("0.001", "0"));
		if (!i)
			tell_lives();
		tap_rows(
			end_story(),
			i ? "commands second: count 1 total 60 self 60\n"
			    "commands first: count 1 total 40 self 40\n"
			    "commands a: count 1 total 1000 self 800\n"
			    "children ?/first: count 1 total 100 self 60\n"
			    "children ?/second: count 1 total 100 self 40\n"
			    "phases other: self 900\n"
			    "phases run programs that are not git's: self 100\n"
			    "slowest: a\n"
			    "all: processes 3 roots 1 wall 1000\n"
			  : "commands a: count 1 total 1000 self 800\n"
			    "commands second: count 1 total 60 self 60\n"
			    "commands first: count 1 total 40 self 40\n"
			    "children ?/first: count 1 total 100 self 60\n"
			    "children ?/second: count 1 total 100 self 40\n"
			    "phases other: self 900\n"
			    "phases run programs that are not git's: self 100\n"
			    "slowest: a\n"
			    "all: processes 3 roots 1 wall 1000\n",
			i ? "twins may end before their parent"
			  : "or twins come after it");
	}
}

int main(void)
{
	test_names();
	test_groups();
	test_hour_before_days();
	test_filter();
	test_slow();
	test_shared();
	test_one_pid();
	return tap_done();
}
