/* Recordings of commands that write EVENT lines, from begin to end. */
#define _GNU_SOURCE
#include "kit/tap.h"

#include "record/record_kit.h"

#define HINT "; to see where the time went, type:\ntrace2 summary "

static pid_t recorder;

static double find_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int run_script(const char *output, const char *script)
{
	return RECORD("-o", (char *)output, "--", "sh", "-c", (char *)script);
}

static void test_log(void)
{
	tap_int(run_script("a.event", WRITE), 0, "a command is recorded");
	tap_str(messages, "the record is in a.event" HINT "a.event\n",
		"which is told, and nothing else");
	tap_str(kit_text("a.event"), LOG, "its events are in the log");
	tap_int(run_script("a.event", WRITE "exit 3"), 3,
		"its status becomes the recorder's");
	tap_str(kit_text("a.event"), LOG, "and an earlier log is replaced");
	tap_int(run_script("a.event", WRITE "kill -9 $$"), 128 + 9,
		"a signal's number is in the status as a shell has it");
	tap_int(RECORD("--", "sh", "-c", WRITE), 0,
		"the output need not have a name");
	tap_str(list_names("."), "a.event trace.event ",
		"then the log is named for it");
	clear_work();
}

static void test_outputs(void)
{
	tap_int(run_script("a.html", WRITE), 0, "a page is an output");
	tap_str(messages, "the record is in a.html; open it in a browser\n",
		"which is told how to see");
	tap_int(run_script("a.json", WRITE), 0,
		"JSON is one of a command without trace points");
	tap_ok(has_message(
		       "the record is in a.json; open it in https://ui.perf"),
	       "with a hint, too");
	tap_int(run_script("a.fxt", WRITE), 0, "and an archive is");
	tap_str(list_names("."), "a.fxt a.html a.json ",
		"each of them is all that is left");
	clear_work();
}

static void test_nothing(void)
{
	tap_int(run_script("a.event", ":"), 1, "no event is a failure");
	tap_ok(has_message(
		       "trace2 record: nothing was recorded: expected git 2.22 or "
		       "later, or a program that links libtrace2: sh\n"),
	       "which tells what was expected");
	tap_ok(has_message("env -i"), "and what may be the reason");
	tap_int(run_script("a.html", "exit 3"), 3,
		"unless the command fails itself");
	tap_int(run_script("a.fxt", ":"), 1, "the same without trace points");
	tap_int(RECORD("--", "sh", "-c", ":"), 1, "and without a name");
	tap_str(list_names("."), "", "nothing is left of all these");
}

/* Under valgrind posix_spawn() does not tell why a program can't be run. */
static void test_not_run(void)
{
	if (getenv("TEST_UNDER_VALGRIND")) {
		tap_skip("a command that can't be run",
			 "valgrind has no vfork()");
		return;
	}
	tap_int(RECORD("-o", "a.event", "--", "no-such-command"), 127,
		"a command that is not found has 127");
	tap_str(messages,
		"trace2 record: no-such-command: No such file or "
		"directory\n",
		"with a message");
	write_file("text", "");
	tap_int(RECORD("-o", "a.fxt", "--", "./text"), 126,
		"one that can't be run has 126");
	unlink("text");
}

static void test_no_command(void)
{
	test_not_run();
	tap_int(RECORD("-o", "a.event"), 2, "a log needs a command");
	tap_int(RECORD("-o", "a.event", "--bad", "--", "true"), 2,
		"an unknown option of record is refused");
	write_file("a.fxt.partial", "mine");
	tap_int(RECORD("-o", "a.fxt", "--", "touch", "it-ran"), 1,
		"a partial archive is not replaced");
	tap_ok(has_message("trace2 record: a.fxt"),
	       "which is told by the archive's name");
	unlink("a.fxt.partial");
	write_file("a.event.partial", "mine");
	tap_int(RECORD("-o", "a.event", "--", "touch", "it-ran"), 1,
		"nor is a partial log");
	tap_int(RECORD("-o", "none/a.fxt", "--", "touch", "it-ran"), 1,
		"an archive needs its directory");
	tap_str(list_names("."), "a.event.partial ", "the command never runs");
	clear_work();
}

static void test_duration(void)
{
	double from = find_now();

	recorder = BEGIN_RECORD("-o", "a.event", "--duration", "0.3", "--",
				"sh", "-c", WRITE "" WAIT("done") "exit 4");
	await_file("a.event");
	tap_ok(find_now() - from >= 0.3, "a recording may have a duration");
	tap_str(kit_text("a.event"), LOG, "after it the log is there");
	tap_int(is_running(recorder), 1, "while the command goes on");
	write_file("done", "");
	tap_int(end_command(recorder), 4, "the recorder ends with the command");
	unlink("done");
	tap_int(RECORD("-o", "b.event", "--duration", "60", "--", "sh", "-c",
		       WRITE),
		0, "a command may end before that");
	tap_ok(find_now() - from < 50, "and so does the recorder");
	tap_int(RECORD("-o", "c.event", "--duration", "0.2", "--", "sh", "-c",
		       "sleep 0.5"),
		1, "no event until then is a failure");
	tap_ok(has_message(
		       "nothing was recorded before the time of --duration was "
		       "over: sh\n"),
	       "which is told with the command");
	tap_str(list_names("."), "a.event b.event ", "and leaves no log");
	clear_work();
}

static void test_signals(void)
{
	recorder = BEGIN_RECORD(
		"-o", "a.event", "--", "sh", "-c",
		WRITE "trap 'exit 5' TERM; touch ready; " WAIT("never"));
	await_file("ready");
	kill(recorder, SIGTERM);
	tap_int(end_command(recorder), 5,
		"the command gets the recorder's signal");
	tap_str(kit_text("a.event"), LOG, "and its log is kept");
	unlink("ready");
	recorder = BEGIN_RECORD("-o", "b.event", "--", "sh", "-c",
				WRITE "touch ready; " WAIT("done") "exit 6");
	await_file("ready");
	kill(recorder, SIGINT);
	tap_int(is_running(recorder), 1,
		"SIGINT is the terminal's, which sends it to the command");
	write_file("done", "");
	tap_int(end_command(recorder), 6,
		"so the recorder waits for the command");
	tap_str(kit_text("b.event"), LOG, "and keeps its log, too");
	clear_work();
}

/* git's maintenance goes on after git. */
static void test_rest(void)
{
	tap_int(run_script("a.event", WRITE "{ sleep 0.3; " WRITE "} & exit 7"),
		7, "a process may outlive the command");
	tap_str(kit_text("a.event"), LOG LOG, "its events are waited for");
	tap_int(RECORD("-o", "b.event", "--timeout", "0.2", "--", "sh", "-c",
		       WRITE "sleep 60 >/dev/null 2>&1 & echo $! >rest"),
		0, "but a recording does not last for ever");
	tap_ok(has_message(
		       "a process of the command still runs; what it does from "
		       "now on may be missing\n"),
	       "which is told of what goes on");
	kill(atoi(kit_text("rest")), SIGKILL);
	clear_work();
}

int main(void)
{
	begin_work();
	tap_run(test_log, test_outputs, test_nothing, test_no_command,
		test_duration, test_signals, test_rest);
	leave_directory();
	return tap_done();
}
