/* Which processes are one row, and when it is written. */
#include "views/table/table_kit.h"

#define FORK "\"code\":0,\"file\":\"setup.c\""
#define SUMS "command joined joined_failed errors error"

/* A child with a log: its begin and end in the log of its parent. */
static void tell_child(const char *sid, unsigned us, const char *id,
		       const char *pid)
{
	char rest[256];

	snprintf(rest, sizeof(rest), CHILD_START("%s"), id);
	tell_event(sid, us, "child_start", rest);
	snprintf(rest, sizeof(rest), CHILD_EXIT("%s", "%s"), id, pid);
	tell_event(sid, us + 10, "child_exit", rest);
}

static void tell_git(void)
{
	begin_process(GIT, 100, "pull");
	tell_child(GIT, 110, "0", "2");
	tell_child(GIT, 120, "1", "3");
	end_process(GIT, 400, 300, 1);
}

static void tell_first(void)
{
	begin_process(CHILD, 110, "fetch");
	tell_child(CHILD, 112, "0", "4");
	tell_event(CHILD, 115, "error", "\"fmt\":\"later\"");
	end_process(CHILD, 119, 9, 0);
}

static void tell_second(void)
{
	begin_process(OTHER, 120, "merge");
	tell_event(OTHER, 121, "error", "\"fmt\":\"latest\"");
	end_process(OTHER, 128, 8, 2);
}

static void tell_deep(void)
{
	begin_process(DEEP, 112, "rev-list");
	tell_event(DEEP, 113, "error", "\"fmt\":\"earliest\"");
	end_process(DEEP, 114, 2, 3);
}

/* The row is complete with the last of its logs, whichever it is. */
static void test_order(void)
{
	static void (*const logs[])(void) = { tell_git, tell_first, tell_second,
					      tell_deep };
	int first, i, complete = 0, early = 0;

	for (first = 0; first < 24; first++) {
		int order[] = { 0, 1, 2, 3 };

		for (i = 3; i > 0; i--) {
			int other = first /
				    (i == 3   ? 1
				     : i == 2 ? 4
					      : 12) %
				    (i + 1);
			int kept = order[i];

			order[i] = order[other];
			order[other] = kept;
		}
		begin_story(TR2_FLAT_KIND_PROCESSES);
		for (i = 0; i < 3; i++)
			logs[order[i]]();
		early += *take_rows(SUMS) != '\0';
		logs[order[3]]();
		complete +=
			!strcmp(end_story(SUMS), "git pull 4 3 3 earliest\n");
	}
	tap_int(complete, 24, "logs in any order become the same row");
	tap_int(early, 0, "a row is written once, when the input ends");
}

static void test_codes(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "pull");
	tell_process(CHILD, 110, 120, "a", 1);
	begin_process(OTHER, 110, "b");
	tell_event(OTHER, 120, "signal", "\"signo\":9");
	tell_event(GIT, 130, "error", "\"fmt\":\"own\"");
	end_process(GIT, 200, 100, 0);
	tap_str(end_story(SUMS " failed code wall_us"),
		"git pull 3 2 1 own 0 0 100\n",
		"a row has the code and first error of its own process");
}

static void test_missing_logs(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_process(DEEP, 100, 120, "deep", 0);
	tell_process(OTHER, 100, 120, "other", 0);
	tap_str(take_rows(SUMS), "",
		"a process waits for the log of its parent");
	tap_str(end_story("sid session joined"),
		DEEP " " GIT " 1\n" OTHER " " GIT " 1\n",
		"a process whose parent has no log is a row");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	tell_process(GIT, 100, 400, "pull", 0);
	tap_str(take_rows(SUMS), "",
		"a process without children waits for logs of its children");
	tell_process(CHILD, 110, 120, "late", 0);
	tap_str(end_story(SUMS), "git pull 2 0 0 -\n",
		"a process that comes after the end of its parent joins it");
}

/* A hook has no log, but the processes that it runs do. */
static void test_awaited(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "commit");
	tell_child(GIT, 110, "0", "9");
	end_process(GIT, 200, 100, 0);
	tell_process(CHILD, 112, 115, "rev-parse", 0);
	tap_str(take_rows(SUMS), "", "a child without a log is waited for");
	tap_str(end_story(SUMS), "git commit 2 0 0 -\n",
		"a row without a log of a child is written at the end");
}

static void test_not_started(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "commit");
	tell_child(GIT, 110, "0", "-1");
	tell_child(GIT, 120, "1", "0");
	tell_event(GIT, 130, "child_start", CHILD_START("2"));
	tell_event(GIT, 140, "child_exit", "\"child_id\":2,\"code\":1");
	end_process(GIT, 200, 100, 0);
	tap_str(end_story(SUMS), "git commit 1 0 0 -\n",
		"a child that could not be started has no log");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "commit");
	tell_event(GIT, 130, "child_start", "\"child_class\":\"?\"");
	tell_event(GIT, 140, "child_exit", "\"pid\":9,\"code\":1");
	tell_event(GIT, 140, "child_exit", CHILD_EXIT("7", "9"));
	end_process(GIT, 200, 100, 0);
	tap_str(end_story(SUMS), "git commit 1 0 0 -\n",
		"a child without a begin is not waited for");
}

static void test_open_child(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "fetch");
	tell_event(GIT, 130, "child_start", CHILD_START("0"));
	end_process(GIT, 200, 100, 0);
	tell_process(CHILD, 112, 115, "a", 0);
	tap_str(take_rows(SUMS), "", "a child without an end is waited for");
	tap_str(end_story(SUMS), "git fetch 2 0 0 -\n",
		"a child without an end joins at the end");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "fetch");
	tell_event(GIT, 130, "child_start", CHILD_START("0"));
	tell_event(GIT, 140, "child_ready",
		   "\"child_id\":0,\"pid\":2,\"ready\":\"ready\"");
	end_process(GIT, 200, 100, 0);
	tap_str(take_rows(SUMS), "", "a child in the background is waited for");
	tell_process(CHILD, 135, 500, "maintenance", 1);
	tap_str(end_story(SUMS), "git fetch 2 1 0 -\n",
		"a child in the background joins when it ends");
}

/* The second log of a pid is that of the second child. */
static void test_pid_again(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "gc");
	tell_process(CHILD, 110, 119, "a", 0);
	tell_child(GIT, 110, "0", "2");
	tell_child(GIT, 130, "1", "2");
	end_process(GIT, 200, 100, 0);
	tap_str(take_rows(SUMS), "", "one log is not that of two children");
	tell_process(GIT "/20260114T100000.000001Z-Hc4f2e1a9-P00000002", 130,
		     139, "b", 0);
	tap_str(end_story(SUMS), "git gc 3 0 0 -\n",
		"two children may have the same pid");
}

static void test_killed(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_process(GIT, 100, "a");
	begin_process(CHILD, 110, "b");
	begin_process(OTHER, 110, "c");
	begin_process(DEEP, 110, "d");
	begin_process("20260114T100000.000000Z-H0-P00000007", 120, "e");
	begin_process("20260114T100000.000000Z-H0-P00000005/x/y", 120, "f");
	begin_process("20260114T100000.000000Z-H0-P00000006", 120, "g");
	begin_process("20260114T100000.000000Z-H0-P00000009", 120, "h");
	begin_process("20260114T100000.000000Z-H0-P00000002", 120, "i");
	begin_process("20260114T100000.000000Z-H0-P00000008", 120, "j");
	begin_process("20260114T100000.000000Z-H0-P00000003", 120, "k");
	tap_str(end_story(SUMS " finished"),
		"git a 4 0 0 - 0\n"
		"git e 1 0 0 - 0\n"
		"git f 1 0 0 - 0\n"
		"git g 1 0 0 - 0\n"
		"git h 1 0 0 - 0\n"
		"git i 1 0 0 - 0\n"
		"git j 1 0 0 - 0\n"
		"git k 1 0 0 - 0\n",
		"what is left is joined at the end, the first to begin first");
}

static void begin_fork(void)
{
	begin_process(GIT, 100, "gc");
	tell_event(GIT, 110, "exit", "\"t_abs\":0.00001," FORK);
	tell_event(GIT, 110, "atexit", "\"t_abs\":0.00001," FORK);
}

static void test_background(void)
{
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_fork();
	tell_event(GIT, 120, "error", "\"fmt\":\"late\"");
	tap_str(take_rows(SUMS), "", "a process may go on in the background");
	tell_event(GIT, 125, "printf", "\"msg\":\"m\"");
	tell_event(GIT, 125, "too_new", "");
	tell_child(GIT, 130, "0", "2");
	tell_process(CHILD, 130, 139, "repack", 0);
	tell_event(GIT, 900, "exit", "\"code\":5");
	tell_event(GIT, 900, "atexit", "\"code\":5");
	tap_str(end_story(SUMS " code wall_us"), "git gc 2 1 1 late 5 800\n",
		"its last end is that of its row");
	begin_story(TR2_FLAT_KIND_PROCESSES);
	begin_fork();
	tell_event(GIT, 130, "error", "\"fmt\":\"late\"");
	tap_str(end_story(SUMS " finished"), "git gc 1 0 1 late 1\n",
		"its end in the background may be missing");
}

int main(void)
{
	test_order();
	test_codes();
	test_missing_logs();
	test_awaited();
	test_not_started();
	test_open_child();
	test_pid_again();
	test_killed();
	test_background();
	return tap_done();
}
