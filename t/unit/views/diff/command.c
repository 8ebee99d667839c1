/* `trace2 diff`: from logs to a comparison and an exit status. */
#define _GNU_SOURCE /* mkdtemp() */

#include "kit/directory.h"
#include "kit/command.h"
#include "views/diff/diff.h"
#include "cli/options.h"

#define EVENT(event, us, rest)                                        \
	"{\"event\":\"" event "\",\"sid\":\"20260114T100000.000000Z-" \
	"Hc4f2e1a9-P0000%04u\",\"thread\":\"main\",\"time\":"         \
	"\"2026-01-14T10:00:00.%06uZ\"," rest "}\n",                  \
		number, us

static unsigned number; /* of the next process */

/*
 * A process of so many microseconds: two regions of 10 and a child of 20, and
 * a piece of data.
 */
static void add_process(FILE *log, const char *name, unsigned us)
{
	number++;
	fprintf(log,
		EVENT("start", 0u, "\"t_abs\":0.0,\"argv\":[\"git\",\"x\"]"));
	fprintf(log,
		EVENT("cmd_name", 0u, "\"name\":\"%s\",\"hierarchy\":\"x\""),
		name);
	fprintf(log, EVENT("region_enter", 10u,
			   "\"nesting\":1,\"category\":\"index\","
			   "\"label\":\"read\""));
	fprintf(log,
		EVENT("data", 15u,
		      "\"t_abs\":0.000015,\"t_rel\":0.000005,\"nesting\":2,"
		      "\"category\":\"index\",\"key\":\"size\","
		      "\"value\":\"7\""));
	fprintf(log, EVENT("region_leave", 20u,
			   "\"t_rel\":0.000010,\"nesting\":1,\"category\":"
			   "\"index\",\"label\":\"read\""));
	fprintf(log, EVENT("region_enter", 30u,
			   "\"nesting\":1,\"category\":\"index\","
			   "\"label\":\"read\""));
	fprintf(log, EVENT("region_leave", 40u,
			   "\"t_rel\":0.000010,\"nesting\":1,\"category\":"
			   "\"index\",\"label\":\"read\""));
	fprintf(log, EVENT("child_start", 50u,
			   "\"child_id\":0,\"child_class\":\"hook\","
			   "\"use_shell\":false,\"argv\":[\"make\"]"));
	fprintf(log, EVENT("child_exit", 70u,
			   "\"child_id\":0,\"pid\":77,\"code\":0,"
			   "\"t_rel\":0.000020"));
	fprintf(log, EVENT("atexit", us, "\"t_abs\":0.%06u,\"code\":0"), us);
}

/* Add so many processes of `us`, `us` + 1 and so on. */
static void add_set(const char *path, const char *name, unsigned count,
		    unsigned us)
{
	FILE *log = fopen(path, "a");

	tap_need(log);
	while (count--)
		add_process(log, name, us++);
	fclose(log);
}

static int call_diff(const char *words)
{
	char text[512];

	snprintf(text, sizeof(text), "diff %s", words);
	return kit_call(tr2_diff_main, text);
}

static void test_rows(void)
{
	tap_int(call_diff("--format csv a b"), 0, "sets can be compared");
	tap_str(kit_said[1],
		"table,count_a,p50_a_us,p99_a_us,count_b,p50_b_us,p99_b_us,"
		"change_percent,p,p_adjusted,verdict,command,first,second\r\n"
		"commands,6,102,105,6,202,205,98.0392157,0.00216450216,"
		"0.00649350649,slower,\"status\",\"\",\"\"\r\n"
		"regions,6,20,20,6,20,20,0,1,1,unclear,\"status\",\"index\","
		"\"read\"\r\n"
		"children,6,20,20,6,20,20,0,1,1,unclear,\"status\",\"hook\","
		"\"make\"\r\n",
		"a process has one value for a region that it entered twice");
	tap_str(kit_said[2], "", "a comparison has no message");
	tap_int(call_diff("--command log --format csv c c"), 0,
		"one command can be chosen");
	tap_ok(strstr(kit_said[1], "\"log\"") &&
		       !strstr(kit_said[1], "\"status\""),
	       "other commands are left out then");
}

static void test_regressions(void)
{
	tap_int(call_diff("--fail-on regression a b"), 1,
		"a regression is a failure if it is asked for");
	tap_str(kit_said[2],
		"trace2 diff: 1 row is slower, and the median grew by more "
		"than 0 %\n",
		"one regression is told");
	add_set("more", "log", 6, 100);
	add_set("more", "status", 6, 100);
	add_set("less", "log", 6, 300);
	add_set("less", "status", 6, 300);
	call_diff("--fail-on regression more less");
	tap_str(kit_said[2],
		"trace2 diff: 2 rows are slower, and the median grew by more "
		"than 0 %\n",
		"two regressions are told");
	tap_int(call_diff("--fail-on regression=98.1 a b"), 0,
		"98.04 % are not more than 98.1 %");
	tap_int(call_diff("--fail-on regression=98 a b"), 1,
		"98.04 % are more than 98 %");
	tap_int(call_diff("--fail-on regression b a"), 0,
		"a row that is faster is no failure");
}

static void test_missing(void)
{
	write_file("empty", "");
	mkdir("none", 0700);
	tap_int(call_diff("a empty"), 3, "B needs events");
	tap_str(kit_said[2],
		"trace2 diff: empty: this is an empty file; expected an EVENT, "
		"PERF or NORMAL log\n",
		"the set that is empty is named");
	tap_str(kit_said[1], "", "without B there is no result");
	tap_int(call_diff("empty a"), 3, "A needs events");
	tap_int(call_diff("a missing"), 3, "B must be readable");
	tap_ok(!strncmp(kit_said[2], "missing:", 8),
	       "the set that can't be read is named");
	tap_int(call_diff("--command gone a b"), 3,
		"a command that no set has can't be compared");
	tap_str(kit_said[2], "trace2 diff: no command fits the options: a\n",
		"a set without the command is named");
	mkdir("half", 0700);
	add_set("half/a", "status", 6, 100);
	write_file("half/b.gz", "\x1f\x8b\x08");
	tap_int(call_diff("half a"), 3, "all logs of a set must be readable");
	tap_str(kit_said[1], "", "a part of a set is not compared");
}

int main(void)
{
	enter_directory();
	add_set("a", "status", 6, 100);
	add_set("b", "status", 6, 200);
	add_set("c", "log", 2, 100);
	add_set("c", "status", 2, 100);
	tap_run(test_rows, test_regressions, test_missing);
	leave_directory();
	return tap_done();
}
