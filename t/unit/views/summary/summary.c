#define _GNU_SOURCE /* scratch folders, pseudo-terminals */
/* The command: logs or states in, tables out, and its exit status. */
#include "kit/validate.h"

#include <sys/ioctl.h>
#include <sys/stat.h>

#include "views/summary/log_kit.h"
#include "views/summary/options.h"
#include "views/summary/summary.h"

static int call_summary(const char *words)
{
	char line[256];

	snprintf(line, sizeof(line), "summary %s", words);
	return kit_call(tr2_summary_main, line);
}

static bool begins_with(const char *text)
{
	return !strncmp(kit_said[1], text, strlen(text));
}

static bool has_text(const char *text)
{
	return strstr(kit_said[1], text) != NULL;
}

static void test_logs(void)
{
	tap_int(call_summary("gc"), EXIT_CLEAN, "a log can be summed up");
	tap_ok(has_text("1 command took 100 us"), "text is the default");
	tap_str(kit_said[2], "", "nothing else is told");
	call_summary("gc log");
	tap_ok(has_text("2 commands took 120 us"), "there may be many logs");
	call_summary("logs --command log");
	tap_ok(has_text("1 command took 20 us"), "options choose commands");
	call_summary("--by mode --percentiles --format csv gc");
	tap_ok(has_text("\ngroups,100,"), "--by adds a table");
}

static void test_terminal(void)
{
	struct winsize size = { .ws_col = 100 };

	call_summary("long");
	tap_ok(has_text("  git-with-a-very-long-name-for-a-command\n"),
	       "a name is whole in a file");
	kit_on_terminal[1] = 1;
	ioctl(kit_screen(1)->theirs, TIOCSWINSZ, &size);
	call_summary("long --by command --format text");
	kit_on_terminal[1] = 0;
	tap_ok(has_text("  git-with-a-very...\r\n"),
	       "a terminal has its width");
}

static void test_status(void)
{
	write_log("broken", GC "{\n");
	write_log("text", "no log\n");
	write_log("cut", EVENT("20260114T100000.000000Z-H1-P1", "version",
			       "000", "\"evt\":\"3\",\"exe\":\"2\""));
	tap_int(call_summary("broken"), EXIT_FINDINGS,
		"a broken line is left out");
	tap_int(call_summary("gc text"), EXIT_FINDINGS,
		"a file of another format is left out");
	tap_int(call_summary("gc none"), EXIT_INPUT,
		"a file that is missing is an error");
	tap_ok(has_text("1 command took 100 us"), "the others are shown");
	tap_int(call_summary("text"), EXIT_INPUT, "there may be no event");
	tap_str(kit_said[1], "", "without an event nothing is shown");
	tap_int(call_summary("cut"), EXIT_CLEAN, "a log may have no end");
}

static void test_nothing(void)
{
	mkdir("folder", 0700);
	tap_int(call_summary("folder"), EXIT_INPUT, "no log has no event");
	tap_str(kit_said[2], "trace2 summary: there is no event\n",
		"that there is no event is told");
	tap_int(call_summary("gc --command log"), EXIT_INPUT,
		"no command may fit");
	tap_str(kit_said[2], "trace2 summary: no command fits the options\n",
		"that no command fits is told");
	tap_int(call_summary("gc --command log --format state"), EXIT_CLEAN,
		"then a state has a meaning");
	tap_ok(has_text("\ncounts\t0\t0\t"), "it is empty");
	tap_int(call_summary("folder --command log --format state"), EXIT_INPUT,
		"without events there is no state");
	tap_int(call_summary("folder --format state"), EXIT_INPUT,
		"also without options");
}

static void test_usage(void)
{
	tap_int(call_summary(""), EXIT_USAGE, "a log is needed");
	tap_str(kit_said[2],
		"trace2 summary: expected a log\n"
		"Try 'trace2 summary --help'.\n",
		"that a log is missing is told");
	tap_int(call_summary("--top x"), EXIT_USAGE, "options may be wrong");
	tap_str(kit_said[1], "", "with wrong options nothing is shown");
	tap_str(kit_said[2],
		"trace2 summary: --top needs a number, not 'x'\n"
		"Try 'trace2 summary --help'.\n",
		"a wrong option is the only complaint");
	tap_int(call_summary("--help --top x"), EXIT_USAGE,
		"also if help is wanted");
	tap_str(kit_said[1], "", "which is not printed then");
	tap_int(call_summary("--help none"), EXIT_CLEAN, "help needs no log");
	tap_ok(begins_with("usage: trace2 summary ") &&
		       has_text("\nOptions:\n") && has_text("\nExit status: "),
	       "it has usage, options and the exit status");
	tap_str(kit_said[2], "", "and no complaint");
}

/* Save what the command writes. */
static void save_state(const char *words, const char *path)
{
	call_summary(words);
	write_log(path, kit_said[1]);
}

static void test_merge(void)
{
	static char whole[1 << 14];

	save_state("--format state gc", "gc.state");
	save_state("--format state log", "log.state");
	call_summary("--format state gc log");
	snprintf(whole, sizeof(whole), "%.*s", (int)sizeof(whole) - 1,
		 kit_said[1]);
	tap_int(call_summary("--merge --format state gc.state log.state"),
		EXIT_CLEAN, "states can be merged");
	tap_str(kit_said[1], whole, "the sum is the state of all logs");
	call_summary("--merge gc.state log.state");
	tap_ok(has_text("2 commands took 120 us"), "it can be shown");
	save_state("--format state --command no gc", "no.state");
	tap_int(call_summary("--merge no.state"), EXIT_CLEAN,
		"a sum may be empty");
	tap_ok(has_text("0 commands took 0 us"), "it can be shown, too");
	save_state("--format state broken", "broken.state");
	tap_int(call_summary("--merge broken.state"), EXIT_FINDINGS,
		"a sum remembers what was left out");
}

/* A state is read in pieces; this one needs several. */
static void test_long_state(void)
{
	FILE *file = fopen("long.state", "w");
	int i;

	fputs("trace2-summary\t2\tnothing\t0\t\t0\t0\n"
	      "counts\t1\t1\t0\t0\t0\t0\t0\t0\t0\t4000\n",
	      file);
	for (i = 0; i < 4000; i++)
		fprintf(file,
			"row\tregions\ta long category\tlabel %d\t1\t0\t0\t1"
			"\t1\t1\t1\t0\t0\t1:1,\n",
			i);
	fputs("end\n", file);
	fclose(file);
	tap_int(call_summary("--merge long.state"), EXIT_CLEAN,
		"a state may be long");
	tap_ok(has_text("  ... and 3990 more; "), "all its rows are read");
}

static void test_wrong_states(void)
{
	write_log("wrong.state", "trace2-summary\t2\tnothing\t0\t\t0\t0\nx\n");
	tap_int(call_summary("--merge gc.state wrong.state"), EXIT_INPUT,
		"a state may be wrong");
	tap_str(kit_said[2],
		"trace2 summary: wrong.state: line 2: expected a record of a "
		"state\n",
		"which is told, with its line");
	tap_str(kit_said[1], "", "a sum without it is not shown");
	tap_int(call_summary("--merge gc"), EXIT_INPUT, "a log is no state");
	tap_int(call_summary("--merge gc.state none.state"), EXIT_INPUT,
		"a state may be missing");
	tap_str(kit_said[2],
		"none.state:1:1: error[input.unreadable]: No such file or "
		"directory\n",
		"that a state is missing is told");
	tap_str(kit_said[1], "", "a sum without it is not shown either");
	write_bytes("cut.state", "\x1f\x8b\x08\0\0\0\0\0\0\0", 10);
	tap_int(call_summary("--merge cut.state gc.state"), EXIT_INPUT,
		"a state may be cut");
	tap_str(kit_said[2],
		"cut.state:1:1: error[input.unreadable]: the compressed data "
		"end too early\n",
		"that a state is cut is told");
	tap_int(call_summary("--merge folder"), EXIT_INPUT,
		"there may be no state");
}

/* Its one row owns a microsecond less than all commands took. */
static void test_damage(void)
{
	write_log("damaged.state",
		  "trace2-summary\t2\tnothing\t0\t\t0\t0\n"
		  "counts\t1\t1\t0\t0\t0\t0\t0\t0\t0\t100\n"
		  "row\tcommands\tgc\t\t1\t0\t0\t100\t99\t100\t100\t0\t0\t\n"
		  "end\n");
	tap_int(call_summary("--merge damaged.state"), EXIT_INPUT,
		"a state may be damaged");
	tap_str(kit_said[2],
		"trace2 summary: the times of the states do not add up; one "
		"of them is damaged\n",
		"that times do not add up is told");
	tap_str(kit_said[1], "", "a sum with it is not shown");
}

/* Twelve commands, each with another name and a SID of its own. */
static void write_many(void)
{
	char path[32], log[2048], *at;
	char letter;

	mkdir("many", 0700);
	for (letter = 'a'; letter < 'm'; letter++) {
		strcpy(log, GC);
		for (at = log; (at = strstr(at, "\"gc\"")); at++)
			at[2] = letter;
		for (at = log; (at = strstr(at, "-P00000001")); at++)
			at[2] = letter;
		snprintf(path, sizeof(path), "many/%c", letter);
		write_log(path, log);
	}
}

#define LONG_NAME "git-with-a-very-long-name-for-a-command"

static void write_logs(void)
{
	write_log("gc", GC);
	write_log("log", LOG);
	mkdir("logs", 0700);
	write_log("logs/gc", GC);
	write_log("logs/log", LOG);
	write_log("long", LIFE("20260114T100000.000000Z-Hc4f2e1a9-P00000003",
			       LONG_NAME, "100"));
	write_many();
}

int main(void)
{
	begin_scratch();
	write_logs();
	tap_run(test_logs, test_terminal, test_status, test_nothing, test_usage,
		test_merge, test_long_state, test_wrong_states, test_damage);
	end_scratch();
	return tap_done();
}
