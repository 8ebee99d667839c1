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

int main(void)
{
	tap_run(test_names, test_groups, test_hour_before_days);
	return tap_done();
}
